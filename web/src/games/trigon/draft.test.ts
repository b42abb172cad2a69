import rulebook from "../../rulebooks/trigon.json";
import { describe, expect, it } from "vitest";
import { translator } from "../../lib/i18n";
import { HeldPiece } from "./draft.svelte";
import { BOARD, parseCell, cellsText } from "./cells";
import { middleOf } from "./geometry";
import { Placements, parsePlacement } from "./logic";
import { messages } from "./messages";
import { cellLabel } from "./labels";

const holding = (...legal: string[]): HeldPiece =>
  new HeldPiece(
    () => new Placements(legal),
    () => ({ x: 9, y: 8 }),
  );

describe("the board", () => {
  it("has 486 triangles", () => {
    expect(BOARD.length).toBe(486);
    expect(cellsText(BOARD)).toBe(rulebook["TR-2"].view.field);
    expect(new Set(BOARD).size).toBe(486);
  });
});

describe("the piece in hand", () => {
  it("is taken in an orientation that fits, and its ghost is at the nearest legal placement", () => {
    const text = "V@q15-r15,n16-q16";
    const held = holding(text, "1@r4");
    held.take("V");
    expect(held.ghost?.text).toBe(text);
    expect(held.ghost?.legal).toBe(true);
    expect(held.fitting?.size).toBe(6);
  });

  it("has the same orientation after six turns, or two flips", () => {
    const held = holding("V@q15-r15,n16-q16");
    held.take("V");
    const { orientation } = held;
    for (let sixth = 0; sixth < 6; sixth++) held.turn(1);
    expect(held.orientation).toBe(orientation);
    held.flip();
    expect(held.orientation).not.toBe(orientation);
    held.flip();
    expect(held.orientation).toBe(orientation);
  });

  it("is a ghost where it may not be placed, and snaps when near", () => {
    const text = "V@q15-r15,n16-q16";
    const held = holding(text);
    held.take("V");
    held.lead({ x: 4, y: 12 });
    expect(held.ghost?.legal).toBe(false);
    const near = middleOf(parsePlacement(text)!.cells);
    held.lead({ x: near.x + 0.4, y: near.y - 0.3 });
    expect(held.ghost?.text).toBe(text);
  });
});

describe("a triangle", () => {
  const translate = translator(messages, "en");
  const about = {
    ghost: null,
    places: new Placements([]),
    lies: undefined,
    figure: false,
    attach: false,
    territory: undefined,
  };

  it("is described as it is", () => {
    const [start, other] = [parseCell("r15")!, parseCell("r9")!];
    expect(cellLabel(start, about, translate)).toBe("r15, starting triangle, free");
    expect(cellLabel(other, { ...about, attach: true }, translate)).toBe("r9, free, the next piece may touch here");
    expect(cellLabel(other, { ...about, territory: { owners: ["blue"], steps: 3 } }, translate)).toBe(
      "r9, free, territory of blue, 3 triangles away",
    );
    expect(cellLabel(other, { ...about, territory: { owners: ["blue", "red"], steps: 1 } }, translate)).toBe(
      "r9, free, shared by blue, red, 1 triangle away",
    );
    expect(cellLabel(other, { ...about, lies: { colour: "red", piece: "V" } }, translate)).toBe("r9, red, piece V");
  });

  it("under the piece in hand tells which place it is of how many", () => {
    const places = new Placements(["1@r15", "1@j7"]);
    const held = new HeldPiece(
      () => places,
      () => ({ x: 9, y: 2.5 }),
    );
    held.take("1");
    expect(cellLabel(parseCell("r15")!, { ...about, ghost: held.ghost, places }, translate)).toMatch(
      /^1 on r15, place [12] of 2$/,
    );
  });
});
