import { expect, test } from "vitest";
import { exchanged, layoutText, parseLayout, randomLayout, squareName, TILES } from "./tile-layout";

test("a random layout has every tile once, and the corners and the middle in their places", () => {
  expect(TILES.length).toBe(56);
  const squares = randomLayout();
  expect(squares.filter((each) => /^\d/.test(each)).sort()).toEqual([...TILES].sort());
  expect([0, 7, 56, 63, 27, 36].map((at) => squares[at])).toEqual(["q", "o", "O", "Q", "N", "N"]);
  expect(parseLayout(layoutText(squares))).toEqual(squares);
});

test("two squares are exchanged", () => {
  const squares = randomLayout();
  const next = exchanged(squares, 1, 2);
  expect([next[1], next[2]]).toEqual([squares[2], squares[1]]);
  expect([squareName(0), squareName(63)]).toEqual(["a8", "h1"]);
});

test("what is not a layout is none", () => {
  expect(parseLayout("")).toBeNull();
  expect(parseLayout("1,2/3")).toBeNull();
});
