import { expect, test } from "vitest";
import { bagText, changed, parseBag, total } from "./bag";

test("a bag is read and written", () => {
  const usual = parseBag("1-24,1-12,8x*");
  expect(total(usual)).toBe(44);
  expect(bagText(usual)).toBe("2x1-12,13-24,8x*");
  expect(parseBag(bagText(usual))).toEqual(usual);
  expect(bagText(parseBag("2x1-3,7,2x*"))).toBe("2x1-3,7,2x*");
});

test("tiles come and go, but never below none", () => {
  const bag = parseBag("7,*");
  expect(bagText(changed(bag, "7", 1))).toBe("2x7,*");
  expect(bagText(changed(changed(bag, "*", -1), "*", -1))).toBe("7");
  expect(total(parseBag("what"))).toBe(0);
});
