/** What the server refused, in the language of the page: its own sentences are in English unless a rulebook has them. */
import type { ErrorBody } from "./wire";
import { CATALOGUES, speaker } from "./i18n";

export function told(refusal: ErrorBody, language: string): string {
  const say = speaker(CATALOGUES, language);
  const key = `code_${refusal.code}`;
  if (key in CATALOGUES.en!) {
    const { message, clause = "", retry_after: seconds = 1 } = refusal;
    return say(key, { message, clause: clause ?? "", seconds: seconds ?? 1 });
  }
  return refusal.message || say("unreachable");
}
