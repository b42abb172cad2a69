import { expect, test } from "vitest";
import { isUnknownPath } from "./api";
import { isOutdated } from "./version";

test("a page is outdated as soon as the server has another version than at first", () => {
  expect(isOutdated("0.3.0+aaaa")).toBe(false);
  expect(isOutdated("0.3.0+aaaa")).toBe(false);
  expect(isOutdated("0.3.0+bbbb")).toBe(true);
});

test("an unknown path means another version of the interface, an unknown game does not", () => {
  expect(isUnknownPath(404, { code: "not_found", message: "Not Found" })).toBe(true);
  expect(isUnknownPath(405, { code: "method_not_allowed", message: "Method Not Allowed" })).toBe(true);
  expect(isUnknownPath(404, { code: "game_not_found", message: "There is no such game." })).toBe(false);
});
