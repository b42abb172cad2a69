import { describe, expect, it } from "vitest";
import {
  badge,
  exchangeText,
  freshOn,
  inLines,
  mergeDraft,
  mergeRack,
  nameOf,
  Placements,
  placementText,
  readExchange,
  readPlacement,
  refused,
  sheetAfter,
  sheetAt,
  shown,
  specials,
  squareOf,
  step,
} from "./logic";
import { describeAction } from "./words";
import { messages } from "./messages";

const H8 = squareOf("H8")!;

describe("squares", () => {
  it("have names that read back", () => {
    for (let square = 0; square < 225; square++) expect(squareOf(nameOf(square))).toBe(square);
    expect(nameOf(H8)).toBe("H8");
    expect([squareOf("P1"), squareOf("A16"), squareOf("A0"), squareOf("8")]).toEqual([null, null, null, null]);
  });

  it("are walked with the arrow keys, up to the edge", () => {
    expect(nameOf(step(H8, "ArrowUp"))).toBe("G8");
    expect(nameOf(step(H8, "ArrowRight"))).toBe("H9");
    expect(step(0, "ArrowLeft")).toBe(0);
    expect(step(0, "ArrowUp")).toBe(0);
    expect(nameOf(step(H8, "End"))).toBe("H15");
  });

  it("know what is printed on them", () => {
    const printed = specials({ doubles: ["H8"], triples: ["B5"], bis: ["A8"] });
    expect(printed[H8]).toBe("double");
    expect(printed[squareOf("A8")!]).toBe("bis");
    expect(printed.filter(Boolean)).toHaveLength(3);
  });
});

describe("texts", () => {
  it("of placements read back, in the order of the squares", () => {
    const text = "H8=5 H9=J7";
    expect(placementText(readPlacement(text)!.reverse())).toBe(text);
    expect(readPlacement("exchange 3,5")).toBeNull();
    expect(placementText([{ square: H8, token: "J", value: null }])).toBe("H8=J");
  });

  it("of exchanges are in the order of the values, jokers last", () => {
    expect(exchangeText(["J", "12", "3"])).toBe("exchange 3,12,J");
    expect(readExchange("exchange 3,12,J")).toEqual(["3", "12", "J"]);
  });
});

describe("legal placements", () => {
  const legal = new Placements(["G9=4", "H9=J3", "H9=J4", "G9=4 H9=J4", "exchange 4"]);
  const four = { square: squareOf("G9")!, token: "4", value: 4 };

  it("tell where a token can be laid", () => {
    expect([...legal.squares([], "4")].map(nameOf)).toEqual(["G9"]);
    expect([...legal.squares([four], "J")].map(nameOf)).toEqual(["H9"]);
    expect([...legal.squares([], "9")]).toEqual([]);
  });

  it("tell which values a joker can have", () => {
    expect([...legal.values([], squareOf("H9")!)]).toEqual([3, 4]);
    expect([...legal.values([four], squareOf("H9")!)]).toEqual([4]);
  });

  it("tell whether a draft is a move, and whether it could become one", () => {
    expect(legal.has([four])).toBe(true);
    expect(legal.goesOn([four])).toBe(true);
    expect(legal.goesOn([{ square: squareOf("H9")!, token: "J", value: 3 }])).toBe(false);
    expect(legal.goesOn([{ square: squareOf("H9")!, token: "J", value: null }])).toBe(true);
  });
});

describe("the rack", () => {
  it("keeps its order when tokens are drawn", () => {
    const held = mergeRack([], ["3", "5", "J"]);
    const turned = [held[2]!, held[0]!, held[1]!];
    const after = mergeRack(turned, ["0", "3", "J"]);
    expect(after.map(({ token }) => token)).toEqual(["J", "3", "0"]);
    expect(after.slice(0, 2)).toEqual(turned.slice(0, 2));
    expect(new Set(after.map(({ id }) => id)).size).toBe(3);
  });

  it("keeps a draft that is still possible", () => {
    const held = mergeRack([], ["3", "5"]);
    const board: (string | null)[] = Array(225).fill(null);
    const draft = [{ ...held[0]!, square: H8, value: 3 }];
    expect(mergeDraft(draft, held, board)).toEqual(draft);
    expect(mergeDraft(draft, mergeRack(held, ["5"]), board)).toEqual([]);
    board[H8] = "9";
    expect(mergeDraft(draft, held, board)).toEqual([]);
  });
});

describe("what is new on the board", () => {
  it("is told by comparing, unless it was taken back", () => {
    const before: (string | null)[] = Array(225).fill(null);
    before[H8] = "5";
    const after = before.with(H8 + 1, "J7");
    expect(freshOn(before, after)!.map(nameOf)).toEqual(["H9"]);
    expect(freshOn(after, after)).toEqual([]);
    expect(freshOn(after, before)).toBeNull();
  });
});

describe("previews", () => {
  it("become lines with their points", () => {
    const drawn = shown({
      refusal: null,
      brings: [
        { clause: "TO-4", key: "trio", values: { tokens: "2-8-5", squares: "H8 H9 H10", points: 30 }, text: "Trio" },
        { clause: "TO-6", key: "pair", values: { tokens: "5×2+1", squares: "H10 I10", factor: 2, points: 11 }, text: "Pair" },
        { clause: "TO-4", key: "total", values: { points: 41 }, text: "Total 41." },
        { clause: "TO-7", key: "again", values: {}, text: "Bis" },
      ],
    });
    expect(drawn.total).toBe(41);
    expect(drawn.lines.map(({ squares, points, factor }) => [squares.map(nameOf).join(" "), points, factor])).toEqual([
      ["H8 H9 H10", 30, 1],
      ["H10 I10", 11, 2],
    ]);
    expect(drawn.notes).toEqual(["Bis"]);
  });

  it("show where a refusal lies", () => {
    const line = refused({ clause: "TO-3", key: "pair", values: { squares: "H8 H9", total: 16 }, text: "" });
    expect(line.points).toBe(16);
    expect(line.squares.map(nameOf)).toEqual(["H8", "H9"]);
  });

  it("frame squares together only where they follow each other", () => {
    const names = (text: string) => inLines(text.split(" ").map((name) => squareOf(name)!)).map((line) => line.map(nameOf).join(" "));
    expect(names("H9 H8 H10")).toEqual(["H8 H9 H10"]);
    expect(names("H8 I8")).toEqual(["H8 I8"]);
    expect(names("A1 J12")).toEqual(["A1", "J12"]);
    expect(names("A15 B1")).toEqual(["A15", "B1"]);
    expect(names("H8")).toEqual(["H8"]);
    expect(names("H8 H9 I8 I9")).toHaveLength(4);
  });

  it("write points beyond the end of a line, on the board", () => {
    expect(badge([H8, H8 + 1]).x).toBeGreaterThan(9);
    expect(badge([squareOf("H14")!, squareOf("H15")!]).x).toBeLessThan(15);
    expect(badge([squareOf("N3")!, squareOf("O3")!]).y).toBeLessThan(15);
  });
});

describe("the score sheet", () => {
  const at = (tokens: number, scores: number[], over = false) => ({ tokens, scores, over });
  const points = (sheet: ReturnType<typeof sheetAfter>) => sheet.map((entry) => [entry.seat, entry.points]);
  let sheet = sheetAfter([], [0, 0], at(2, [0, 24]), false);
  sheet = sheetAfter(sheet, [0, 0], at(5, [41, 24]), true);

  it("notes what each move brought", () => {
    expect(points(sheet)).toEqual([
      [1, 24],
      [0, 41],
    ]);
    expect(points(sheetAfter(sheet, [0, 0], at(8, [50, 31]), true)).slice(2)).toEqual([
      [0, 9],
      [1, 7],
    ]);
  });

  it("keeps later entries while one looks back, and drops what was taken back", () => {
    const back = at(2, [0, 24]);
    expect(sheetAfter(sheet, [0, 0], back, false)).toBe(sheet);
    expect(points(sheetAt(sheet, back))).toEqual([[1, 24]]);
    const undone = sheetAfter(sheet, [0, 0], back, true);
    expect(points(sheetAfter(undone, [0, 0], at(5, [12, 24]), false))).toEqual([
      [1, 24],
      [0, 12],
    ]);
  });

  it("knows nothing of what came before it was opened", () => {
    expect(sheetAfter([], null, at(30, [41, 24]), true)).toEqual([]);
    const later = sheetAfter([], [41, 24], at(31, [41, 30]), false);
    expect(points(later)).toEqual([[1, 6]]);
    expect(sheetAfter(later, [41, 24], at(10, [20, 11]), false)).toBe(later);
  });

  it("subtracts at the end, and not before it", () => {
    const end = sheetAfter(sheet, [0, 0], at(5, [36, 20], true), false);
    expect(points(end).slice(2)).toEqual([
      [0, -5],
      [1, -4],
    ]);
    expect(points(sheetAt(end, at(5, [41, 24])))).toEqual(points(sheet));
  });
});

describe("words", () => {
  const say = (key: string, values: Record<string, string | number> = {}) =>
    (messages["en"]![key] ?? key).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));

  it("are the same in every language", () => {
    const [en, fr] = [messages["en"]!, messages["fr"]!];
    expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en))
      expect(fr[key]!.match(/\{\w+\}/g)?.sort()).toEqual(en[key]!.match(/\{\w+\}/g)?.sort());
  });

  it("describe every kind of action", () => {
    expect(describeAction("H8=5 H9=J7", say)).toBe("5 H8, ★7 H9");
    expect(describeAction("exchange ?,?", say)).toBe("exchanges 2");
    expect(describeAction("exchange 3,J", say)).toBe("exchanges 3 ★");
    expect(describeAction("draw 1 ?,?", say)).toBe("draws 2");
    expect(describeAction("draw 1 ? next 2", say)).toBe("draws 1");
    expect(describeAction("lots 2", say)).toBe("player 2 begins");
  });
});
