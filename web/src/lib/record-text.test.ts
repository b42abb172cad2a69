import { expect, test } from "vitest";
import { recordText } from "./record-text";
import { MAX_RECORD_LENGTH } from "./wire";

test("a record ends with one newline and has nothing around it", () => {
  expect(recordText("\n  tripot record 1\ngame: x \n\n")).toBe("tripot record 1\ngame: x\n");
});

test("the longest record is accepted, with the newline that was added", () => {
  // A text of 60,000 characters was sent as 60,001, and refused by the server.
  expect(recordText("x".repeat(MAX_RECORD_LENGTH - 1))).toHaveLength(MAX_RECORD_LENGTH);
  expect(recordText("x".repeat(MAX_RECORD_LENGTH))).toBeNull();
});

test("characters are counted, not bytes or halves of surrogate pairs", () => {
  // A file was refused by its bytes, although the server counts characters.
  expect(recordText("é".repeat(MAX_RECORD_LENGTH - 1))).not.toBeNull();
  expect(recordText("𝄞".repeat(MAX_RECORD_LENGTH - 1))).not.toBeNull();
});
