import { describe as suite, expect, test } from "vitest";
import { speaker } from "../../lib/i18n";
import {
  aimWords,
  cellAt,
  CELLS,
  describe,
  entries,
  final,
  flipped,
  isByHand,
  isNews,
  isSolo,
  label,
  LINES,
  lineName,
  openCount,
  pointedBoard,
  roundWords,
  score,
  sweeps,
  thrown,
  type Tile,
  type View,
} from "./logic";
import { messages } from "./messages";

const say = (key: string, values: Record<string, string | number> = {}): string =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
    messages["en"]?.[key] ?? `missing ${key}`,
  );

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

function view(changes: Partial<View> = {}): View {
  return {
    boards: [GOLDEN, FULL],
    plays: [0, 1],
    side: 0,
    round: 1,
    throw: [1, 2],
    budget: 3,
    left: 3,
    turned: [],
    costs: {},
    chains: {},
    by_hand: false,
    may_point: false,
    may_reject: false,
    sheet: [],
    sum: 0,
    won: [0, 0],
    lost: [0, 0],
    legal: [],
    ...changes,
  };
}

function down(tiles: Tile[], ...cells: string[]): Tile[] {
  return tiles.map((tile, cell) => (cells.includes(CELLS[cell] ?? "") ? "?" : tile));
}

suite("the board", () => {
  test("cells run from a1 at the top left along the rows", () => {
    expect([CELLS[0], CELLS[5], CELLS[6], CELLS[35]]).toEqual(["a1", "f1", "a2", "f6"]);
    expect(cellAt("c4")).toBe(20);
  });
  test("fourteen lines of six cells", () => {
    expect(LINES.map((line) => line.name).join("")).toBe("123456abcdef\\/");
    for (const line of LINES) expect(new Set(line.cells).size).toBe(6);
    expect(LINES[12]?.cells.map((cell) => CELLS[cell])).toEqual(["a1", "b2", "c3", "d4", "e5", "f6"]);
    expect(LINES[13]?.cells.map((cell) => CELLS[cell])).toEqual(["f1", "e2", "d3", "c4", "b5", "a6"]);
  });
  test("open tiles are counted, stars too", () => {
    expect(openCount(GOLDEN)).toBe(12);
  });
});

suite("what is asked", () => {
  test("by hand nobody says what a tile costs", () => {
    expect(isByHand(view({ legal: ["turn a2"], costs: { a2: 1 }, throw: [1, 2] }))).toBe(false);
    expect(isByHand(view({ by_hand: true, throw: [1, 2] }))).toBe(true);
    expect(isByHand(view({ by_hand: true, throw: [] }))).toBe(false);
  });
  test("one points at the board of the other side, also after the exchange", () => {
    expect(pointedBoard(view())).toBe(1);
    expect(pointedBoard(view({ plays: [1, 0], round: 2 }))).toBe(0);
    expect(isSolo(view({ boards: [GOLDEN], plays: [0] }))).toBe(true);
  });
});

suite("from one position to the next", () => {
  test("a tile alone", () => {
    const after = view({ boards: [down(GOLDEN, "a2"), FULL] });
    expect(flipped(view(), after)).toEqual({ board: 0, order: [cellAt("a2")], ends: false });
  });
  test("a chain goes in the order that the server gave", () => {
    const before = view({ chains: { a2: [], c2: ["f2", "a1"] } });
    const after = view({ boards: [down(GOLDEN, "a1", "c2", "f2"), FULL] });
    expect(flipped(before, after)?.order.map((cell) => CELLS[cell])).toEqual(["c2", "f2", "a1"]);
  });
  test("the last chain of a round, though all tiles lie face up again", () => {
    const before = view({ boards: [down(GOLDEN, "c2", "f2", ...CELLS.slice(12)), FULL], chains: { a2: ["d1", "a1"] } });
    const after = view({ boards: [FULL, FULL], plays: [1, 0], round: 2, side: 1 });
    const flip = flipped(before, after);
    expect(flip?.ends).toBe(true);
    expect(flip?.order.map((cell) => CELLS[cell])).toEqual(["a2", "d1", "a1"]);
  });
  test("a tile that comes back, or a jump in the record, is no chain", () => {
    const fewer = view({ boards: [down(GOLDEN, "a2"), FULL] });
    expect(flipped(fewer, view())).toBeNull();
    expect(flipped(null, view())).toBeNull();
    expect(flipped(view(), view({ boards: [down(GOLDEN, "a2"), down(FULL, "a1")] }))).toBeNull();
    expect(flipped(view({ round: 2 }), view())).toBeNull();
  });
  test("dice roll when they are fresh, also the same pips for another side", () => {
    expect(thrown(view(), view({ left: 1 }))).toBe(false);
    expect(thrown(view(), view({ throw: [2, 1] }))).toBe(true);
    expect(thrown(view(), view({ side: 1 }))).toBe(true);
    expect(thrown(view(), view({ throw: [] }))).toBe(false);
    expect(thrown(view({ sheet: [] }), view({ sheet: [["1-2", 3]] }))).toBe(true);
  });
  test("lines are drawn through as their last number goes", () => {
    const swept = sweeps(GOLDEN, ["a2", "c2", "f2"].map(cellAt));
    expect(swept.map(({ line, at }) => [line.name, at])).toEqual([["2", 2]]);
    expect(sweeps(GOLDEN, [cellAt("d3")])).toEqual([]);
  });
});

suite("the sheet", () => {
  test("holds every throw, this one last", () => {
    const lines = entries(
      view({
        sheet: [
          ["4-6", 10],
          ["5-5", 20],
        ],
        throw: [1, 2],
        budget: 3,
        sum: 33,
      }),
    );
    expect(lines.map((each) => each.counts)).toEqual([10, 20, 3]);
    expect(lines.map((each) => each.now)).toEqual([false, false, true]);
    expect(lines[1]?.dice).toEqual([5, 5]);
  });
  test("of the last throw only what was needed counts", () => {
    const lines = entries(view({ sheet: [["4-6", 10]], throw: [4, 4], budget: 16, sum: 13 }));
    expect(lines[1]).toMatchObject({ budget: 16, counts: 3 });
    expect(entries(view({ throw: [], sheet: [] }))).toEqual([]);
  });
});

suite("a tap while something is shown", () => {
  test("is meant for what is seen: in another turn it only ends the show", () => {
    /* Whoever tapped to skip the opponent's chain turned the tile that happened to be under the finger. */
    expect(isNews(view(), view({ side: 1 }))).toBe(true);
    expect(isNews(view(), view({ round: 2 }))).toBe(true);
    expect(isNews(view(), view({ throw: [6, 6] }))).toBe(true);
    expect(isNews(view(), view({ left: 1, turned: ["c2"] })), "the next tile of my own turn").toBe(false);
  });
});

suite("words", () => {
  test("a cell tells its tile, its price and its chain", () => {
    const there = view({ costs: { c2: 2, d3: 0 }, chains: { c2: ["f2"], d3: [] } });
    expect(label(there, 0, cellAt("c2"), true, say)).toBe("c2, 2, costs 2, sets off 1 more");
    expect(label(there, 0, cellAt("c2"), false, say)).toBe("c2, 2");
    expect(label(there, 0, cellAt("d3"), true, say)).toBe("d3, star, free");
    expect(label(there, 0, cellAt("b1"), true, say)).toBe("b1, turned");
  });
  test("a result is said in words: it once read -20 for twenty throws", () => {
    const alone = view({ boards: [GOLDEN], sheet: [["5-6", 11]], throw: [1, 2] });
    const spoken = speaker(messages, "en");
    expect(score(0, alone, spoken)).toBe("2 throws");
    expect(final(0, -20, alone, spoken)).toBe("20 throws");
    expect(final(0, -37, view({ round: 2, lost: [37, 0] }), spoken)).toBe("37 lost");
    expect(final(1, 0, view({ round: 2, lost: [37, 0] }), spoken)).toBe("0 lost");
    expect(final(0, 0, view({ round: 2, lost: [37, 12] }), spoken)).toBe("0 rounds won");
    expect(final(1, 1, view({ round: 2, lost: [37, 12] }), spoken)).toBe("1 round won");
  });
  test("what a tile would do is said before it is turned", () => {
    const there = view({ costs: { c2: 2, d3: 0 }, chains: { c2: ["f2"], d3: [] } });
    const spoken = speaker(messages, "en");
    expect(aimWords(there, 0, "c2", spoken)).toBe("c2: costs 2, leaves 1. Sets off 1 tile more.");
    expect(aimWords(there, 0, "d3", spoken)).toBe("d3: free.");
    expect(aimWords(there, 0, "f2", spoken)).toBe("f2: more than is left.");
    expect(aimWords(there, 0, "f4", spoken)).toContain("star");
    expect(aimWords(there, 0, "b1", spoken)).toBe("");
  });
  test("the end of a round says who loses what", () => {
    const told = roundWords(view({ lost: [0, 5] }), view({ round: 2, lost: [0, 60] }), speaker(messages, "en"));
    expect(told.text).toContain("Blue turned everything. Yellow loses 55.");
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
    expect(texts.map((text) => describe(text, say))).toEqual([
      "blue board filled",
      "who throws first: 3–5",
      "dice 5–6",
      "c4",
      "forgotten in row 4: c4",
      "forgotten in falling diagonal: a1",
      "done",
      "throw anew",
    ]);
    expect(lineName("b", say)).toBe("column b");
  });
  test("the catalogues have the same keys and places", () => {
    const [en = {}, fr = {}] = [messages["en"], messages["fr"]];
    expect(Object.keys(fr)).toEqual(Object.keys(en));
    const places = (text = "") => (text.match(/{\w+/g) ?? []).sort();
    for (const key of Object.keys(en)) expect(places(fr[key]), key).toEqual(places(en[key]));
  });
});
