/** Errors of the server in the language of the page. The server translates only the sentences of a rulebook. */
import type { Refusal } from "./api";
import type { ErrorCode } from "./wire";
import { CATALOGUES, translator } from "./i18n";
import { en } from "./messages/en";

/** The message keys of all codes but those whose sentence comes from a rulebook, in the user's language. */
export type CodeKey = `code_${Exclude<ErrorCode, "illegal_action" | "invalid_option">}`;

const SENTENCES: Record<CodeKey, string> = en;

export function errorText(error: Refusal, language: string): string {
  const translate = translator(CATALOGUES, language);
  const key = `code_${error.code}`;
  if (key in SENTENCES) {
    const { message, clause = "", retry_after: seconds = 1 } = error;
    return translate(key, { message, clause: clause ?? "", seconds: seconds ?? 1 });
  }
  return error.message || translate("unreachable");
}
