/** Errors of the server in the language of the page. The server translates only the sentences of a rulebook. */
import type { ErrorBody } from "./wire";
import { CATALOGUES, translator } from "./i18n";

export function errorText(error: ErrorBody, language: string): string {
  const translate = translator(CATALOGUES, language);
  const key = `code_${error.code}`;
  if (key in CATALOGUES.en!) {
    const { message, clause = "", retry_after: seconds = 1 } = error;
    return translate(key, { message, clause: clause ?? "", seconds: seconds ?? 1 });
  }
  return error.message || translate("unreachable");
}
