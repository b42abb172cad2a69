import { describe, expect, it } from "vitest";
import { parseCell, cellsText, cellName, pointsUp, parseCells, STARTS } from "./cells";
import { cellUnder, centre, middleOf, outlinePath } from "./geometry";
import { scoreText } from "./labels";
import {
  cellsNear,
  coloursOf,
  territoryCells,
  territoryOf,
  mirrored,
  orientations,
  PIECES,
  Placements,
  placementText,
  parseFigures,
  parsePlacement,
  rotated,
  shapeKey,
  shapeOf,
  SHAPES,
  step,
} from "./logic";
import type { View } from "./view";
import { describeAction } from "./labels";
import { messages } from "./messages";
import { translator } from "../../lib/i18n";
import figures from "./figures";

const translate = translator(messages, "en");

const BOARD = parseCells(
  "i1-aa1,h2-ab2,g3-ac3,f4-ad4,e5-ae5,d6-af6,c7-ag7,b8-ah8,a9-ai9,a10-ai10,b11-ah11,c12-ag12,d13-af13,e14-ae14,f15-ad15,g16-ac16,h17-ab17,i18-aa18",
);

describe("triangles", () => {
  it("have names that read back", () => {
    expect(BOARD).toHaveLength(486);
    for (const cell of BOARD) expect(parseCell(cellName(cell))).toBe(cell);
    expect([parseCell("r19"), parseCell("zz1"), parseCell("")]).toEqual([null, null, null]);
    expect(cellsText(parseCells("n16-q16,q15"))).toBe("q15,n16-q16");
  });

  it("point up or down as on the board, and are found under a point", () => {
    expect(pointsUp(parseCell("i18")!)).toBe(true);
    expect(pointsUp(parseCell("a9")!)).toBe(false);
    for (const cell of BOARD) expect(cellUnder(centre(cell))).toBe(cell);
  });

  it("are walked with the arrow keys, on the field", () => {
    const field = new Set(BOARD);
    expect(cellName(step(parseCell("r15")!, "ArrowLeft", field))).toBe("q15");
    expect(cellName(step(parseCell("r15")!, "ArrowUp", field))).toBe("r16");
    expect(cellName(step(parseCell("i18")!, "ArrowUp", field))).toBe("i18");
    expect(cellName(step(parseCell("i18")!, "ArrowDown", field))).toBe("i17");
  });

  it("have outlines that close", () => {
    expect(outlinePath([STARTS[0]!]).match(/L/g)).toHaveLength(2);
    expect(outlinePath(parseCells("r8-t8,r9-t9")).match(/Z/g)).toHaveLength(1);
    const ring = parseFigures(figures).find(({ name }) => name === "little-ring")!;
    expect(outlinePath(ring.cells).match(/Z/g)!.length).toBeGreaterThan(1);
  });
});

describe("pieces", () => {
  it("are 22, all different, 110 triangles", () => {
    const kinds = PIECES.map((piece) => orientations(SHAPES.get(piece)!).map(shapeKey).sort()[0]);
    expect(new Set(kinds).size).toBe(22);
    expect(PIECES.reduce((sum, piece) => sum + SHAPES.get(piece)!.length, 0)).toBe(110);
  });

  it("can be held in 155 ways", () => {
    const counts = PIECES.map((piece) => orientations(SHAPES.get(piece)!).length);
    expect(counts.reduce((sum, each) => sum + each, 0)).toBe(155);
    expect(Object.fromEntries(PIECES.map((piece, at) => [piece, counts[at]]))).toMatchObject({
      1: 2,
      O: 1,
      X: 3,
      F: 12,
    });
  });

  it("come back after six turns, or when turned over twice", () => {
    for (const shape of SHAPES.values()) {
      expect(shapeKey(rotated(shape, 6))).toBe(shapeKey(shape));
      expect(shapeKey(rotated(rotated(shape, 1), -1))).toBe(shapeKey(shape));
      expect(shapeKey(mirrored(mirrored(shape)))).toBe(shapeKey(shape));
    }
  });

  it("turn clockwise", () => {
    const [up] = rotated(
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
      ],
      0,
    );
    expect(up).toEqual([0, 0]);
    const turned = rotated(
      [
        [0, 0],
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
      ],
      1,
    ); // its right end goes down
    const right = turned.toSorted((one, other) => other[1] - one[1])[0]!;
    expect(right[0]).toBe(0);
  });

  it("are laid with their middle near a point, in the same orientation", () => {
    for (const shape of SHAPES.values())
      for (const orientation of orientations(shape)) {
        const cells = cellsNear(orientation, { x: 9, y: 8 })!;
        expect(shapeKey(shapeOf(cells))).toBe(shapeKey(orientation));
        const { x, y } = middleOf(cells);
        expect(Math.hypot(x - 9, y - 8)).toBeLessThan(0.75);
      }
    expect(cellsNear(SHAPES.get("I6")!, { x: 40, y: 8 })).toBeNull();
  });
});

describe("legal places", () => {
  const legal = ["1@r15", "2@r15-s15", "2@q15-r15", "2@z12-aa12", "V@q15-r15,n16-q16", "lift 1@r4"];
  const places = new Placements(legal);

  it("are written as the server writes them", () => {
    for (const text of legal.slice(0, 5)) {
      const { piece, cells } = parsePlacement(text)!;
      expect(placementText(piece, cells)).toBe(text);
      expect(orientations(SHAPES.get(piece)!).map(shapeKey)).toContain(shapeKey(shapeOf(cells)));
    }
  });

  it("are found by piece and way", () => {
    const orientation = shapeKey(shapeOf(parseCells("q15-r15")));
    expect(places.count("2")).toBe(3);
    expect(places.spots("2", orientation).map(({ text }) => text)).toEqual(["2@q15-r15", "2@z12-aa12"]);
    expect(places.nearest("2", orientation, centre(parseCell("z12")!))!.text).toBe("2@z12-aa12");
    expect(places.nearest("2", orientation, { x: 0, y: 0 }, 1)).toBeNull();
    expect(places.count("X")).toBe(0);
    expect([...places.covered("1")].map(cellName)).toEqual(["r15"]);
  });

  it("are walked with the arrow keys", () => {
    const orientation = shapeKey(shapeOf(parseCells("q15-r15")));
    const [first, second] = places.spots("2", orientation);
    expect(places.toward(first!, "ArrowRight")).toBe(second);
    expect(places.toward(second!, "ArrowLeft")).toBe(first);
    expect(places.toward(first!, "ArrowUp")).toBe(first);
    expect(places.along(second!, 1)).toBe(first);
  });

  it("tell what can be lifted", () => {
    expect(places.lift(parseCell("r4")!)).toBe("lift 1@r4");
    expect(places.lift(parseCell("r15")!)).toBeNull();
  });
});

describe("views", () => {
  const view: View = {
    field: "",
    solitaire: false,
    solved: false,
    pieces: [],
    colours: [],
    turn: "blue",
    blocked: [],
    pieces_left: {},
    scores: {},
    points: [],
    attach_cells: [],
    legal: [],
  };
  it("have the colours and the points of each seat", () => {
    expect(coloursOf({ ...view, colours: [["red"], ["blue"], ["green"]] }, 2)).toEqual(["green"]);
    expect(coloursOf(view, 0), "before the draw").toEqual([]);
    expect(coloursOf(view, null)).toEqual([]);
    expect(scoreText(0, { ...view, points: [-20, 4] })).toBe("−20");
    expect(scoreText(0, view)).toBe("");
  });
});

describe("figures", () => {
  it("are parsed from the list of the game", () => {
    const all = parseFigures(figures);
    expect(all.length).toBeGreaterThan(50);
    for (const { name, cells } of all) {
      expect(new Set(cells).size, name).toBe(cells.length);
      expect(messages["en"]![`figure_${name}`], name).toBeTruthy();
    }
    expect(all.filter(({ pieces }) => pieces === 88).every(({ cells }) => cells.length === 440)).toBe(true);
  });
});

describe("words", () => {
  it("describe every kind of action", () => {
    expect(describeAction("V@q15-r15,n16-q16", translate)).toBe("V at q16");
    expect(describeAction("lift 1@r4", translate)).toBe("lifts 1 at r4");
    expect(describeAction("lot red,blue", translate)).toBe("lots: red, blue");
  });
});

describe("the territory", () => {
  const territory = territoryOf({ blue: { r9: 1, r10: 4, r11: 9 }, yellow: {}, red: { r9: 2, r10: 4, r12: 7 } });
  const names = (cells: number[]) => cells.map(cellName);

  it("gives a triangle to the nearest colour, or to all that are equally near", () => {
    expect(territory.get(parseCell("r9")!)).toEqual({ owners: ["blue"], steps: 1 });
    expect(territory.get(parseCell("r10")!)).toEqual({ owners: ["blue", "red"], steps: 4 });
    expect(territory.get(parseCell("r13")!)).toBeUndefined();
  });

  it("tells near cells from far ones, and what is shared from both", () => {
    expect(names(territoryCells(territory, "blue"))).toEqual(["r9", "r11"]);
    expect(names(territoryCells(territory, "blue", true))).toEqual(["r9"]);
    expect(names(territoryCells(territory, "red", false))).toEqual(["r12"]);
    expect(names(territoryCells(territory, null))).toEqual(["r10"]);
    expect(territoryCells(territory, "green")).toEqual([]);
  });
});

it("speaks of one in the singular", () => {
  expect(translator(messages, "en")("tray_left", { colour: "Blue", count: 1 })).toBe("Blue, 1 piece left, points:");
});
