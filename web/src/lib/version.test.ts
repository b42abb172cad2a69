import { expect, test } from "vitest";
import { isOutdated } from "./version";

test("a page is outdated as soon as the server has another version than at first", () => {
  expect(isOutdated("0.3.0+aaaa")).toBe(false);
  expect(isOutdated("0.3.0+aaaa")).toBe(false);
  expect(isOutdated("0.3.0+bbbb")).toBe(true);
});
