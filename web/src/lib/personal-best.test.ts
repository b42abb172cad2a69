import { expect, test } from "vitest";
import { hash, keepBest } from "./personal-best";

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

test("the best result of a board is kept", () => {
  const here = storage();
  expect(keepBest(here, "game", "board", 21)).toEqual({ before: null, isNew: true });
  expect(keepBest(here, "game", "board", 23)).toEqual({ before: 21, isNew: false });
  expect(keepBest(here, "game", "board", 18)).toEqual({ before: 21, isNew: true });
  expect(keepBest(here, "game", "board", 18)).toEqual({ before: 18, isNew: false });
  expect(keepBest(here, "game", "another board", 30)).toEqual({ before: null, isNew: true });
});

test("without storage every result is the first", () => {
  expect(keepBest(null, "game", "board", 21)).toEqual({ before: null, isNew: true });
  const full = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  expect(keepBest(full, "game", "board", 21)).toEqual({ before: null, isNew: true });
});

test("long texts have short names", () => {
  expect(hash("a".repeat(500))).not.toBe(hash("a".repeat(501)));
  expect(hash("").length).toBeLessThan(8);
});
