import { describe as suite, expect, test } from "vitest";
import { arrowCharacters, describeAction, squareLabel } from "./labels";
import {
  actionFor,
  actionsBySquare,
  directions,
  gridPosition,
  homewardDirections,
  isSamePosition,
  lastLaidSquare,
  lastStep,
  neighbour,
  pawnsOnScreen,
  revealedSquares,
  SQUARE_NAMES,
  squareOf,
  tileOf,
} from "./logic";
import type { View } from "./view";
import { messages } from "./messages";
import { translator } from "../../lib/i18n";

const translate = translator(messages, "en");

function view(changes: Partial<View> = {}, tiles: Record<string, string> = {}): View {
  const board = SQUARE_NAMES.map((square) => tiles[square] ?? null);
  return {
    phase: "move",
    may_freeze: false,
    board,
    starts: ["h1", "a1"],
    finishes: ["a8", "h8"],
    teams: [0, 1],
    pawns: ["c3", "f6"],
    drawn_tile: null,
    allowed_directions: ["4", "8"],
    binding_seats: [1],
    legal: [],
    ...changes,
  };
}

suite("the board", () => {
  test("squares run from a1 along the rows", () => {
    expect([SQUARE_NAMES[0], SQUARE_NAMES[7], SQUARE_NAMES[8], SQUARE_NAMES[63]]).toEqual(["a1", "h1", "a2", "h8"]);
    expect(gridPosition("a8")).toEqual({ column: 0, row: 0 });
    expect(gridPosition("h1")).toEqual({ column: 7, row: 7 });
    expect(tileOf(view({}, { d4: "268" }), "d4")).toBe("268");
  });
  test("a neighbour may lie off the board", () => {
    expect(neighbour("d4", 1, -1)).toBe("e5");
    expect(neighbour("a1", -1, 0)).toBeNull();
    expect(neighbour("h8", 0, -1)).toBeNull();
  });
  test("keypad digits are directions, clockwise from the north", () => {
    expect(directions("268").map((each) => each.angle)).toEqual([0, 90, 180]);
    expect(directions(["1", "7"]).map((each) => each.key)).toEqual(["1", "7"]);
    expect(directions("N")).toEqual([]);
    expect(directions(null)).toEqual([]);
    expect(arrowCharacters("179")).toBe("↗↙↖");
  });
});

suite("what is asked", () => {
  test("a square stands for its action, legal or not", () => {
    expect(actionFor("move", "d4")).toBe("d4");
    expect(actionFor("lay", "d4")).toBe("lay d4");
    expect(actionFor("zone", "d4")).toBe("neutral d4");
    expect(actionFor("chance", "d4")).toBeNull();
  });
  test("a freeze is not among the choices, even if the server named it", () => {
    const actions = actionsBySquare(["c4", "d4", "d4!", "lay e5"]);
    expect([...actions.values()]).toEqual(["c4", "d4", "lay e5"]);
  });
  test("the square of an action", () => {
    expect(["d4", "d4!", "lay d4", "neutral d4"].map(squareOf)).toEqual(["d4", "d4", "d4", "d4"]);
    expect([squareOf("fill 268"), squareOf("draw 268"), squareOf(null)]).toEqual([null, null, null]);
  });
});

suite("pawns", () => {
  test("two on a start stand side by side, each seen", () => {
    const four = pawnsOnScreen(view({ teams: [0, 1, 0, 1], pawns: ["h1", "a1", "h1", "b2"] }));
    expect(four.map((each) => each.shared)).toEqual([true, false, true, false]);
    expect(four[0]?.x).toBeLessThan(four[2]?.x ?? 0);
    expect(four[1]).toMatchObject({ x: 0.5, y: 7.5, team: 1 });
  });
  test("a single step is followed, a jump in the record is not", () => {
    expect(lastStep(view(), view({ pawns: ["c4", "f6"] }))).toEqual({ seat: 0, from: "c3", to: "c4" });
    expect(lastStep(view(), view({ pawns: ["c4", "f7"] }))).toBeNull();
    expect(lastStep(view(), view({ pawns: ["c5", "f6"] })), "two moves on").toBeNull();
    expect(lastStep(null, view())).toBeNull();
  });
  test("a position is the same from every seat, whatever may be played there", () => {
    expect(isSamePosition(view({ legal: ["c4"] }), view({ legal: [] }))).toBe(true);
    expect(isSamePosition(view(), view({ pawns: ["c4", "f6"] }))).toBe(false);
    expect(isSamePosition(view({}, { e5: "?" }), view({}, { e5: "268" }))).toBe(false);
  });
});

suite("tiles", () => {
  test("face-down tiles that come up are turned", () => {
    expect(revealedSquares(view({}, { b2: "?", c2: "?" }), view({}, { b2: "268", c2: "?" }))).toEqual(["b2"]);
  });
  test("the tile laid last stays marked while chance draws the next", () => {
    const [before, after] = [view({ pawns: [], drawn_tile: "268" }), view({ pawns: [] }, { d2: "268" })];
    expect(lastLaidSquare(before, after, null)).toBe("d2");
    expect(lastLaidSquare(after, view({ pawns: [], drawn_tile: "147" }, { d2: "268" }), "d2")).toBe("d2");
    expect(lastLaidSquare(after, before, "d2"), "taken back").toBeNull();
    expect(
      lastLaidSquare(before, view({ pawns: [] }, { d2: "268", d3: "147" }), null),
      "a jump in the record",
    ).toBeNull();
  });
  test("an arrow leads home whom it brings nearer", () => {
    const helped = homewardDirections(view(), "478");
    expect(helped.map((each) => [each.direction.key, each.teams])).toEqual([
      ["8", [0, 1]],
      ["4", [0]],
      ["7", [0]],
    ]);
  });
});

suite("words", () => {
  test("a square tells what is on it", () => {
    const there = view({ pawns: ["c3", "f6"] }, { c3: "268", d4: "N", e5: "?" });
    expect(squareLabel(there, "c3", 0, false, translate)).toBe("c3, arrows north, east and south, your pawn");
    expect(squareLabel(there, "f6", 0, false, translate)).toContain("pawn of Round");
    expect(squareLabel(there, "d4", 0, true, translate)).toBe("d4, neutral tile, you may move here");
    expect(squareLabel(there, "a8", 0, false, translate)).toBe("a8, finish of Square");
  });
  test("every action is described in every language", () => {
    const actions = ["fill 268,N", "zone b2,c5", "draw 268", "lay d4", "neutral d4", "d4", "d4!"];
    expect(actions.map((text) => describeAction(text, translate))).toEqual([
      "tiles laid",
      "neutral tiles: b2 c5",
      "draws ↑→↓",
      "lays d4",
      "neutral d4",
      "to d4",
      "to d4, freeze!",
    ]);
  });
});
