import { describe, expect, it } from "vitest";
import {
  exchangeText,
  linesOf,
  mergeDraft,
  mergeRack,
  squareName,
  Placements,
  placementText,
  parseExchange,
  parsePlacement,
  refusedLine,
  roundScores,
  previewParts,
  specialSquares,
  parseSquare,
  step,
} from "./logic";
import { scorePosition, totalPosition } from "./geometry";
import { describeAction, squareLabel } from "./labels";
import { messages } from "./messages";
import { translator } from "../../lib/i18n";

const translate = translator(messages, "en");

const H8 = parseSquare("H8")!;

describe("squares", () => {
  it("have names that read back", () => {
    for (let square = 0; square < 225; square++) expect(parseSquare(squareName(square))).toBe(square);
    expect(squareName(H8)).toBe("H8");
    expect([parseSquare("P1"), parseSquare("A16"), parseSquare("A0"), parseSquare("8")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("are walked with the arrow keys, up to the edge", () => {
    expect(squareName(step(H8, "ArrowUp"))).toBe("G8");
    expect(squareName(step(H8, "ArrowRight"))).toBe("H9");
    expect(step(0, "ArrowLeft")).toBe(0);
    expect(step(0, "ArrowUp")).toBe(0);
    expect(squareName(step(H8, "End"))).toBe("H15");
  });

  it("know what is printed on them", () => {
    const printed = specialSquares({ doubles: ["H8"], triples: ["B5"], bis: ["A8"] });
    expect(printed[H8]).toBe("double");
    expect(printed[parseSquare("A8")!]).toBe("bis");
    expect(printed.filter(Boolean)).toHaveLength(3);
  });
});

describe("texts", () => {
  it("of placements read back, in the order of the squares", () => {
    const text = "H8=5 H9=J7";
    expect(placementText(parsePlacement(text)!.reverse())).toBe(text);
    expect(parsePlacement("exchange 3,5")).toBeNull();
    expect(placementText([{ square: H8, token: "J", value: null }])).toBe("H8=J");
  });

  it("of exchanges are in the order of the values, jokers last", () => {
    expect(exchangeText(["J", "12", "3"])).toBe("exchange 3,12,J");
    expect(parseExchange("exchange 3,12,J")).toEqual(["3", "12", "J"]);
  });
});

describe("legal placements", () => {
  const legal = new Placements(["G9=4", "H9=J3", "H9=J4", "G9=4 H9=J4", "exchange 4"]);
  const four = { square: parseSquare("G9")!, token: "4", value: 4 };

  it("tell where a token can be laid", () => {
    expect([...legal.squares([], "4")].map(squareName)).toEqual(["G9"]);
    expect([...legal.squares([four], "J")].map(squareName)).toEqual(["H9"]);
    expect([...legal.squares([], "9")]).toEqual([]);
  });

  it("tell which values a joker can have", () => {
    expect([...legal.values([], parseSquare("H9")!)]).toEqual([3, 4]);
    expect([...legal.values([four], parseSquare("H9")!)]).toEqual([4]);
  });

  it("tell whether a draft is a move, and whether it could become one", () => {
    expect(legal.has([four])).toBe(true);
    expect(legal.canContinue([four])).toBe(true);
    expect(legal.canContinue([{ square: parseSquare("H9")!, token: "J", value: 3 }])).toBe(false);
    expect(legal.canContinue([{ square: parseSquare("H9")!, token: "J", value: null }])).toBe(true);
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
    const board: (string | null)[] = Array<string | null>(225).fill(null);
    const draft = [{ ...held[0]!, square: H8, value: 3 }];
    expect(mergeDraft(draft, held, board)).toEqual(draft);
    expect(mergeDraft(draft, mergeRack(held, ["5"]), board)).toEqual([]);
    board[H8] = "9";
    expect(mergeDraft(draft, held, board)).toEqual([]);
  });
});

describe("previews", () => {
  it("become lines with their points", () => {
    const drawn = previewParts({
      error: null,
      effects: [
        { clause: "TO-4", key: "trio", values: { tokens: "2-8-5", squares: "H8 H9 H10", points: 30 }, text: "Trio" },
        {
          clause: "TO-6",
          key: "pair",
          values: { tokens: "5×2+1", squares: "H10 I10", factor: 2, points: 11 },
          text: "Pair",
        },
        { clause: "TO-4", key: "total", values: { points: 41 }, text: "Total 41." },
        { clause: "TO-7", key: "again", values: {}, text: "Bis" },
      ],
    });
    expect(drawn.total).toBe(41);
    expect(
      drawn.lines.map(({ squares, points, factor }) => [squares.map(squareName).join(" "), points, factor]),
    ).toEqual([
      ["H8 H9 H10", 30, 1],
      ["H10 I10", 11, 2],
    ]);
    expect(drawn.notes).toEqual(["Bis"]);
  });

  it("show where a refusal lies", () => {
    const line = refusedLine({ clause: "TO-3", key: "pair", values: { squares: "H8 H9", total: 16 }, text: "" });
    expect(line.points).toBe(16);
    expect(line.squares.map(squareName)).toEqual(["H8", "H9"]);
  });

  it("frame squares together only where they fill a line or a block", () => {
    const names = (text: string) =>
      linesOf(
        text
          .split(" ")
          .map(parseSquare)
          .filter((square) => square !== null),
      ).map((line) => line.map(squareName).join(" "));
    expect(names("H9 H8 H10")).toEqual(["H8 H9 H10"]);
    expect(names("H8 I8")).toEqual(["H8 I8"]);
    expect(names("A1 J12")).toEqual(["A1", "J12"]);
    expect(names("A15 B1")).toEqual(["A15", "B1"]);
    expect(names("H8")).toEqual(["H8"]);
    expect(names("H8 H9 I8 I9")).toEqual(["H8 H9 I8 I9"]);
    expect(names("H8 H9 I8")).toHaveLength(3);
    expect(names("")).toEqual([]);
  });

  it("write points beyond the end of a line, on the board", () => {
    expect(scorePosition([H8, H8 + 1]).x).toBeGreaterThan(9);
    expect(scorePosition([parseSquare("H14")!, parseSquare("H15")!]).x).toBeLessThan(15);
    expect(scorePosition([parseSquare("N3")!, parseSquare("O3")!]).y).toBeLessThan(15);
  });

  it("show the block of a closed square by its corners", () => {
    const fact = { clause: "TO-9", key: "four", values: { squares: "H8–I9" }, text: "" };
    expect(refusedLine(fact).squares.map(squareName)).toEqual(["H8", "H9", "I8", "I9"]);
  });

  it("write the total where it hides no token", () => {
    const [laid, above] = [
      [parseSquare("M7")!, parseSquare("M8")!, parseSquare("M9")!],
      [parseSquare("L9")!, parseSquare("L10")!],
    ];
    const { x, y } = totalPosition(laid, new Set([...laid, ...above]));
    const under = [x - 0.78, x, x + 0.78].map((at) => Math.floor(y) * 15 + Math.floor(at));
    expect(under.filter((square) => [...laid, ...above].includes(square))).toEqual([]);
    expect(totalPosition([0], new Set([0])).x).toBeGreaterThanOrEqual(1);
  });
});

describe("score sheet", () => {
  let played = 0;
  const entry = (seat: number | null, gains: number[]) => ({
    action_index: ++played,
    seat,
    gains,
    scores: [],
    team_scores: [],
  });

  it("has a row a round, and both numbers of who played again at once", () => {
    const points = [entry(0, [41, 0]), entry(1, [0, 24]), entry(0, [9, 0]), entry(0, [30, 0]), entry(1, [0, 0])];
    expect(roundScores(points, [], 2)).toEqual([
      [[41], [24]],
      [[9, 30], [0]],
    ]);
  });

  it("leaves a cell empty where a seat was passed over: its turns are no second number of the other one", () => {
    const points = [entry(0, [41, 0]), entry(1, [0, 24]), entry(0, [9, 0]), entry(0, [30, 0])];
    const skipped = [{ seat: 1, action_index: points[2]!.action_index }];
    expect(roundScores(points, skipped, 2)).toEqual([
      [[41], [24]],
      [[9], []],
      [[30], []],
    ]);
  });

  it("has no cell for a second turn that a seat cannot use", () => {
    const points = [entry(0, [41, 0]), entry(1, [0, 24])];
    expect(roundScores(points, [{ seat: 0, action_index: points[0]!.action_index }], 2)).toEqual([[[41], [24]]]);
  });

  it("begins with the seat that began", () => {
    expect(roundScores([entry(2, [0, 0, 7]), entry(0, [5, 0, 0])], [], 3)).toEqual([[[5], [], [7]]]);
    expect(roundScores([], [], 2)).toEqual([]);
  });

  it("shows what is settled at the end beside the last move", () => {
    expect(roundScores([entry(1, [0, 12]), entry(0, [3, -8])], [], 2)).toEqual([[[3], [12, -8]]]);
  });
});

describe("words", () => {
  it("describe every kind of action", () => {
    expect(describeAction("H8=5 H9=J7", translate)).toBe("5 at H8, ★7 at H9");
    expect(describeAction("exchange ?,?", translate)).toBe("exchanges 2");
    expect(describeAction("exchange 3,J", translate)).toBe("exchanges 3 ★");
    expect(describeAction("draw 1 ?,?", translate)).toBe("draws 2");
    expect(describeAction("draw 1 ? next 2", translate)).toBe("draws 1");
    expect(describeAction("lots 2", translate)).toBe("player 2 begins");
  });

  it("tell a square as it is: what lies there, what I laid, what is printed and what fits", () => {
    const nothing = { lies: null, mine: null, printed: null, fits: null };
    expect(squareLabel(H8, { ...nothing, lies: "J7" }, translate)).toBe("H8, joker standing for 7");
    expect(squareLabel(H8, { ...nothing, mine: { square: H8, token: "5", value: 5 } }, translate)).toBe(
      "H8, your token 5, not played yet",
    );
    expect(squareLabel(H8, { ...nothing, printed: "double", fits: "J" }, translate)).toBe(
      "H8, free, doubles, your joker can lie here",
    );
  });
});

it("speaks of one in the singular", () => {
  expect(translator(messages, "en")("points_of", { player: "Ann", points: 1 })).toBe("Ann: 1 point");
});
