import { describe as suite, expect, test } from "vitest";
import { translator } from "../../lib/i18n";
import {
  cellLabel,
  describeAction,
  finalScoreText,
  flipPreviewText,
  lineName,
  roundResultText,
  scoreText,
} from "./labels";
import {
  CELL_NAMES,
  cellIndex,
  clearedLines,
  linesClearedBetween,
  flipsBetween,
  hasNewThrow,
  isNewTurn,
  LINES,
  openCount,
  sheetEntries,
} from "./logic";
import { messages } from "./messages";
import { newView } from "./test-view";
import type { Tile, View } from "./view";

const translate = translator(messages, "en");

/** The booklet's board, on which a 3 is enough. */
const GOLDEN: Tile[] = [
  ...[20, "?", "?", 16, "?", "?"],
  ...[1, "?", 2, "?", "?", 24],
  ...["?", "?", "?", "*", "?", "?"],
  ...[15, "?", 9, "?", "?", "*"],
  ...["?", "?", "?", "?", "?", "?"],
  ...[12, "?", "?", 10, "?", 18],
] as Tile[];
const FULL: Tile[] = Array.from({ length: 36 }, (_, at) => at + 1);

const view = (changes: Partial<View> = {}): View =>
  newView({ boards: [GOLDEN, FULL], throw: [1, 2], budget: 3, budget_left: 3, ...changes });

function down(tiles: Tile[], ...cells: string[]): Tile[] {
  return tiles.map((tile, cell) => (cells.includes(CELL_NAMES[cell] ?? "") ? "?" : tile));
}

suite("the board", () => {
  test("cells run from a1 at the top left along the rows", () => {
    expect([CELL_NAMES[0], CELL_NAMES[5], CELL_NAMES[6], CELL_NAMES[35]]).toEqual(["a1", "f1", "a2", "f6"]);
    expect(cellIndex("c4")).toBe(20);
  });
  test("fourteen lines of six cells", () => {
    expect(LINES.map((line) => line.name).join("")).toBe("123456abcdef\\/");
    for (const line of LINES) expect(new Set(line.cells).size).toBe(6);
    expect(LINES[12]?.cells.map((cell) => CELL_NAMES[cell])).toEqual(["a1", "b2", "c3", "d4", "e5", "f6"]);
    expect(LINES[13]?.cells.map((cell) => CELL_NAMES[cell])).toEqual(["f1", "e2", "d3", "c4", "b5", "a6"]);
  });
  test("open tiles are counted, stars too", () => {
    expect(openCount(GOLDEN)).toBe(12);
  });
});

suite("from one position to the next", () => {
  test("a tile alone", () => {
    const after = view({ boards: [down(GOLDEN, "a2"), FULL] });
    expect(flipsBetween(view(), after)).toEqual({ board: 0, order: [cellIndex("a2")], ends: false });
  });
  test("a chain goes in the order that the server gave", () => {
    const before = view({ chains: { a2: [], c2: ["f2", "a1"] } });
    const after = view({ boards: [down(GOLDEN, "a1", "c2", "f2"), FULL] });
    expect(flipsBetween(before, after)?.order.map((cell) => CELL_NAMES[cell])).toEqual(["c2", "f2", "a1"]);
  });
  test("the last chain of a round, though all tiles lie face up again", () => {
    const before = view({
      boards: [down(GOLDEN, "c2", "f2", ...CELL_NAMES.slice(12)), FULL],
      chains: { a2: ["d1", "a1"] },
    });
    const after = view({ boards: [FULL, FULL], board_of_side: [1, 0], round: 2, side: 1 });
    const flip = flipsBetween(before, after);
    expect(flip?.ends).toBe(true);
    expect(flip?.order.map((cell) => CELL_NAMES[cell])).toEqual(["a2", "d1", "a1"]);
  });
  test("a tile that comes back, or a jump in the record, is no chain", () => {
    const fewer = view({ boards: [down(GOLDEN, "a2"), FULL] });
    expect(flipsBetween(fewer, view())).toBeNull();
    expect(flipsBetween(null, view())).toBeNull();
    expect(flipsBetween(view(), view({ boards: [down(GOLDEN, "a2"), down(FULL, "a1")] }))).toBeNull();
    expect(flipsBetween(view({ round: 2 }), view())).toBeNull();
  });
  test("dice roll when they are fresh, also the same pips for another side", () => {
    expect(hasNewThrow(view(), view({ budget_left: 1 }))).toBe(false);
    expect(hasNewThrow(view(), view({ throw: [2, 1] }))).toBe(true);
    expect(hasNewThrow(view(), view({ side: 1 }))).toBe(true);
    expect(hasNewThrow(view(), view({ throw: [] }))).toBe(false);
    expect(hasNewThrow(view({ sheet: [] }), view({ sheet: [["1-2", 3]] }))).toBe(true);
  });
  test("lines are drawn through as their last number goes", () => {
    const cleared = clearedLines(["2"], GOLDEN, ["a2", "c2", "f2"].map(cellIndex));
    expect(cleared.map(({ line, at }) => [line.name, at])).toEqual([["2", 2]]);
    expect(clearedLines([], GOLDEN, [cellIndex("d3")])).toEqual([]);
  });
  test("the server says which lines are cleared, and at the end of a round all are", () => {
    const before = view({ closed_lines: [["1"], []] });
    const order = ["a2", "f2"].map(cellIndex);
    const names = (after: View, ends: boolean) =>
      linesClearedBetween(before, after, { board: 0, order, ends }).map(({ line }) => line.name);
    expect(names(view({ closed_lines: [["1", "2"], []] }), false)).toEqual(["2"]);
    expect(
      names(view({ round: 2 }), true)
        .sort()
        .join(""),
    ).toBe("/23456\\abcdef");
  });
});

suite("the sheet", () => {
  test("holds every throw, this one last", () => {
    const lines = sheetEntries(
      view({
        sheet: [
          ["4-6", 10],
          ["5-5", 20],
        ],
        throw: [1, 2],
        budget: 3,
        points_counted: 3,
      }),
    );
    expect(lines.map((each) => each.counts)).toEqual([10, 20, 3]);
    expect(lines.map((each) => each.now)).toEqual([false, false, true]);
    expect(lines[1]?.dice).toEqual([5, 5]);
  });
  test("of the last throw only what was needed counts", () => {
    const lines = sheetEntries(view({ sheet: [["4-6", 10]], throw: [4, 4], budget: 16, points_counted: 3 }));
    expect(lines[1]).toMatchObject({ budget: 16, counts: 3 });
    expect(sheetEntries(view({ throw: [], sheet: [] }))).toEqual([]);
  });
});

suite("a tap while something is shown", () => {
  test("is meant for what is seen: in another turn it only ends the show", () => {
    /* A tap to skip the opponent's chain turned the tile that happened to be under the finger. */
    expect(isNewTurn(view(), view({ side: 1 }))).toBe(true);
    expect(isNewTurn(view(), view({ round: 2 }))).toBe(true);
    expect(isNewTurn(view(), view({ throw: [6, 6] }))).toBe(true);
    expect(isNewTurn(view(), view({ budget_left: 1, flipped: ["c2"] })), "the next tile of my own turn").toBe(false);
  });
});

suite("words", () => {
  test("a cell tells its tile, its price and its chain", () => {
    const there = view({ costs: { c2: 2, d3: 0 }, chains: { c2: ["f2"], d3: [] } });
    expect(cellLabel(there, 0, cellIndex("c2"), true, translate)).toBe("c2, 2, costs 2, sets off 1 more");
    expect(cellLabel(there, 0, cellIndex("c2"), false, translate)).toBe("c2, 2");
    expect(cellLabel(there, 0, cellIndex("d3"), true, translate)).toBe("d3, star, free");
    expect(cellLabel(there, 0, cellIndex("b1"), true, translate)).toBe("b1, turned");
  });
  test("a result is in words: it once read -20 for twenty throws", () => {
    const alone = view({ solo: true, boards: [GOLDEN], sheet: [["5-6", 11]], throw: [1, 2] });
    expect(scoreText(0, alone, translate)).toBe("2 throws");
    expect(finalScoreText(0, -20, alone, translate)).toBe("20 throws");
    expect(finalScoreText(0, -37, view({ round: 2, points_lost: [37, 0] }), translate)).toBe("37 lost");
    expect(finalScoreText(1, 0, view({ round: 2, points_lost: [37, 0] }), translate)).toBe("0 lost");
    const byRounds = view({ round: 2, by_rounds: true, points_lost: [37, 12] });
    expect(finalScoreText(0, 0, byRounds, translate)).toBe("0 rounds won");
    expect(finalScoreText(1, 1, byRounds, translate)).toBe("1 round won");
  });
  test("who won both rounds won two: it once read 2 lost", () => {
    expect(finalScoreText(0, 2, view({ round: 2, by_rounds: true, points_lost: [0, 37] }), translate)).toBe(
      "2 rounds won",
    );
  });
  test("the effect of a tile is described before it is turned", () => {
    const there = view({ costs: { c2: 2, d3: 0 }, chains: { c2: ["f2"], d3: [] } });
    expect(flipPreviewText(there, 0, "c2", translate)).toBe("c2: costs 2, leaves 1. Sets off 1 tile more.");
    expect(flipPreviewText(there, 0, "d3", translate)).toBe("d3: free.");
    expect(flipPreviewText(there, 0, "f2", translate)).toBe("f2: more than is left.");
    expect(flipPreviewText(there, 0, "f4", translate)).toContain("star");
    expect(flipPreviewText(there, 0, "b1", translate)).toBe("");
  });
  test("the end of a round says who loses what", () => {
    const result = roundResultText({ winner: 0, loser: 1, points: 55 }, translate);
    expect(result.text).toContain("Blue turned everything. Yellow loses 55.");
  });
  test("every action is described", () => {
    const texts = [
      "fill blue 1,2",
      "contest 3-5",
      "throw 5-6",
      "turn c4",
      "malus 4 c4",
      "malus \\ a1",
      "done",
      "reject",
    ];
    expect(texts.map((text) => describeAction(text, translate))).toEqual([
      "blue board filled",
      "who throws first: 3–5",
      "dice 5–6",
      "c4",
      "forgotten in row 4: c4",
      "forgotten in falling diagonal: a1",
      "done",
      "throw again",
    ]);
    expect(lineName("b", translate)).toBe("column b");
  });
});

test("speaks of one in the singular", () => {
  expect(translator(messages, "fr")("lost_points", { points: 1 })).toBe("1 perdu");
  expect(translator(messages, "fr")("reason_you_points", { lost: 1, other: 5 })).toBe("1 point perdu contre 5.");
  expect(translator(messages, "en")("bag_count", { tile: "3", count: 1 })).toBe("3, 1 time");
});
