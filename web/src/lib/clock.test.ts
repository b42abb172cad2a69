import { expect, test } from "vitest";
import { clockText, secondsLeft } from "./clock";

const clock = { remaining: [100, 50], running: 1, started_at: 1000 };

test("only the running clock runs, and never below nothing", () => {
  expect(secondsLeft(clock, 0, 1010)).toBe(100);
  expect(secondsLeft(clock, 1, 1010)).toBe(40);
  expect(secondsLeft(clock, 1, 2000)).toBe(0);
  expect(secondsLeft(clock, 1, 990)).toBe(50);
});

test.each([
  [245, "4:05"],
  [3723, "1:02:03"],
  [9.58, "0:09.5"],
  [0, "0:00.0"],
  [10, "0:10"],
])("%d seconds are %s", (seconds, text) => {
  expect(clockText(seconds)).toBe(text);
});
