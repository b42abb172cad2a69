/** The text of a record that is to be imported. */
import { MAX_RECORD_LENGTH } from "./wire";

/** A longer file is certainly too long: a character has at most four bytes, and nobody needs as many spaces. */
export const MAX_RECORD_BYTES = 4 * MAX_RECORD_LENGTH;

/** The record in a text that may lack its last newline or have spaces around it; null if it is too long.
 *
 * The server counts characters, which are code points. */
export function recordText(text: string): string | null {
  const record = `${text.trim()}\n`;
  return [...record].length > MAX_RECORD_LENGTH ? null : record;
}
