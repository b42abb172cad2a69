import { expect, test, vi } from "vitest";
import { Backoff, pause } from "./backoff";

test("pauses grow to a limit", () => {
  expect([1, 2, 3, 4, 5, 9].map(pause)).toEqual([1000, 2000, 4000, 8000, 15_000, 15_000]);
});

test("an attempt that fails is repeated until it is stopped", () => {
  vi.useFakeTimers();
  const attempt = vi.fn(() => backoff.failed());
  const backoff = new Backoff(attempt);
  backoff.failed();
  vi.advanceTimersByTime(1000 + 2000 + 4000);
  expect(attempt).toHaveBeenCalledTimes(3);
  backoff.stop();
  vi.advanceTimersByTime(60_000);
  expect(attempt).toHaveBeenCalledTimes(3);
  vi.useRealTimers();
});
