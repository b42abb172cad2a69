/** Headless logic of the Trigon board: territory, pieces, and the legal placements by piece. It contains no rules. */

import { type Cell, cellAt, cellName, cellsText, columnOf, parseCell, parseCells, rowOf, ROWS, WIDTH } from "./cells";
import { middleOf, type Point, RISE } from "./geometry";
import type { Colour, View } from "./view";

export type { Colour };
export const COLOURS: readonly Colour[] = ["blue", "yellow", "red", "green"];

/** The colours of a seat, none for a spectator. */
export const coloursOf = (view: View, seat: number | null): Colour[] =>
  seat === null ? [] : (view.colours[seat] ?? []);

// --- Territory ---

/** The colours that reach a cell first, and their distance. */
export interface Territory {
  owners: Colour[];
  steps: number;
}

/** The cells of the largest piece: one piece reaches what is within this distance. */
export const ONE_PIECE_DISTANCE = 6;

export function territoryOf(distanceMaps: Partial<Record<string, Record<string, number>>>): Map<Cell, Territory> {
  const territory = new Map<Cell, Territory>();
  for (const colour of COLOURS)
    for (const [name, steps] of Object.entries(distanceMaps[colour] ?? {})) {
      const cell = parseCell(name)!;
      const before = territory.get(cell);
      if (!before || steps < before.steps) territory.set(cell, { owners: [colour], steps });
      else if (steps === before.steps) before.owners.push(colour);
    }
  return territory;
}

/** The cells of one colour alone, near or far; for null the shared ones. */
export const territoryCells = (territory: Map<Cell, Territory>, colour: Colour | null, near?: boolean): Cell[] =>
  [...territory].flatMap(([cell, { owners, steps }]) =>
    (colour === null ? owners.length > 1 : owners.length === 1 && owners[0] === colour) &&
    (near === undefined || near === steps <= ONE_PIECE_DISTANCE)
      ? [cell]
      : [],
  );

// --- Pieces ---

/** Triangles as [row, column], pointing up where row + column is even. */
export type Shape = [number, number][];

const SHAPE_CELLS: Record<string, string> = {
  1: "00",
  2: "00 01",
  I3: "00 01 02",
  I4: "00 01 02 03",
  A4: "00 01 02 11",
  C4: "00 01 10 11",
  I5: "00 01 02 03 04",
  P5: "00 01 02 03 11",
  L5: "00 01 02 03 13",
  C5: "01 02 03 11 12",
  I6: "00 01 02 03 04 05",
  P6: "00 01 02 03 04 11",
  Y: "00 01 02 03 10 11",
  A6: "00 01 02 03 11 12",
  F: "00 01 02 03 11 13",
  G: "00 01 02 03 12 13",
  V: "00 01 02 03 13 14",
  X: "00 01 02 10 11 12",
  W: "00 01 10 11 12 22",
  S: "00 01 10 11 20 21",
  L6: "00 01 11 12 21 22",
  O: "01 02 03 11 12 13",
};

/** The names of the pieces, by size. */
export const PIECES = [
  ...["1", "2", "I3", "I4", "A4", "C4", "I5", "P5", "L5", "C5"],
  ...["I6", "P6", "Y", "A6", "F", "G", "V", "X", "W", "S", "L6", "O"],
];

export const SHAPES = new Map<string, Shape>(
  PIECES.map((name) => [name, SHAPE_CELLS[name]!.split(" ").map((pair) => [Number(pair[0]), Number(pair[1])])]),
);

export const sizeOf = (piece: string) => SHAPES.get(piece)?.length ?? 0;

/** A shape moved to the lowest rows and leftmost columns where its triangles keep their direction. */
export function normalised(shape: Shape): Shape {
  const down = Math.min(...shape.map(([row]) => row));
  const leftmost = Math.min(...shape.map(([, column]) => column));
  const left = leftmost - Math.abs((down + leftmost) % 2);
  return shape
    .map(([row, column]): [number, number] => [row - down, column - left])
    .sort(([row, column], [row2, column2]) => row - row2 || column - column2);
}

export const shapeKey = (shape: Shape) => normalised(shape).join(" ");

/** Cells as a shape. */
export const shapeOf = (cells: Cell[]): Shape => cells.map((cell) => [rowOf(cell), columnOf(cell) + 1]);

/** A sixth of a turn against the clock, around a corner of the triangle [0, 0]. */
export function rotatedSixth(shape: Shape): Shape {
  return normalised(
    shape.map(([row, column]) => {
      const height = 3 * row + 1 + Math.abs((row + column) % 2);
      const along = (3 * column + 3 - height) / 2;
      const [up, across] = [along + height, -height];
      return [Math.floor(up / 3), Math.floor((2 * across + up) / 3) - 1];
    }),
  );
}

/** Turned over, left for right. */
export const mirrored = (shape: Shape): Shape => normalised(shape.map(([row, column]) => [row, -column]));

/** A shape rotated clockwise by sixths of a turn. */
export function rotated(shape: Shape, sixths: number): Shape {
  let result = shape;
  for (let count = ((-sixths % 6) + 6) % 6; count > 0; count--) result = rotatedSixth(result);
  return result;
}

/** All orientations of a shape: six rotations, then six of its mirror image, without repeats. */
export function orientations(shape: Shape): Shape[] {
  const shapes = new Map<string, Shape>();
  for (const side of [normalised(shape), mirrored(shape)])
    for (let sixths = 0; sixths < 6; sixths++) {
      const orientation = rotated(side, sixths);
      if (!shapes.has(shapeKey(orientation))) shapes.set(shapeKey(orientation), orientation);
    }
  return [...shapes.values()];
}

/** A shape on the cells whose centre is nearest to a point; null outside of the grid. */
export function cellsNear(shape: Shape, point: Point): Cell[] | null {
  const home = shape.map(([row, column]) => cellAt(row + 6, column + 13)); // somewhere inside: 6 + 13 is odd
  const from = middleOf(home);
  const rows = Math.round((from.y - point.y) / RISE);
  const columns = (point.x - from.x) * 2;
  let best: Cell[] | null = null;
  let least = Infinity;
  for (const up of [rows - 1, rows, rows + 1]) {
    let right = Math.round(columns);
    if ((up + right) % 2 !== 0) right += columns > right ? 1 : -1;
    const far = Math.hypot(right / 2 - columns / 2, from.y - up * RISE - point.y);
    if (far >= least) continue;
    least = far;
    const fits = shape.every(([row, column]) => {
      const [r, c] = [row + 6 + up, column + 13 + right];
      return r >= 0 && r < ROWS && c >= 0 && c < WIDTH;
    });
    best = fits ? home.map((cell) => cell + up * WIDTH + right) : null;
  }
  return best;
}

/** How often each name occurs. */
export function countByName(pieces: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}

// --- Actions ---

export interface Placement {
  piece: string;
  cells: Cell[];
}

/** A piece and its triangles, from `V@q15-r15,n16-q16`, with or without `lift`; null for anything else. */
export function parsePlacement(text: string): Placement | null {
  const [piece, cells] = text.replace(/^lift /, "").split("@");
  return piece && cells ? { piece, cells: parseCells(cells) } : null;
}

export const placementText = (piece: string, cells: Cell[]) => `${piece}@${cellsText(cells)}`;

// --- The legal placements ---

export interface PlacementSpot extends Placement {
  text: string;
  orientation: string;
  at: Point;
}

/** The held piece on the board: at the legal placement it snaps to, or where it may not be placed. */
export interface Ghost extends Placement {
  text: string;
  orientation: string;
  legal: boolean;
}

/**
 * There may be thousands, and a new list comes with every move: those of a piece are parsed once it is taken, and lifts
 * once a cell is asked for.
 */
export class Placements {
  private readonly textsByPiece = new Map<string, string[]>();
  private readonly spotsByPiece = new Map<string, Map<string, PlacementSpot[]>>();
  private readonly liftTexts: string[] = [];
  private lifts: Map<Cell, string> | null = null;

  constructor(legal: string[]) {
    for (const text of legal) {
      const end = text.indexOf("@");
      if (end < 0) continue;
      if (text.startsWith("lift ")) {
        this.liftTexts.push(text);
        continue;
      }
      const piece = text.slice(0, end);
      const texts = this.textsByPiece.get(piece);
      if (texts) texts.push(text);
      else this.textsByPiece.set(piece, [text]);
    }
  }

  private byOrientation(piece: string): Map<string, PlacementSpot[]> {
    const known = this.spotsByPiece.get(piece);
    if (known) return known;
    const spotsByWay = new Map<string, PlacementSpot[]>();
    for (const text of this.textsByPiece.get(piece) ?? []) {
      const cells = parsePlacement(text)!.cells;
      const orientation = shapeKey(shapeOf(cells));
      const spots = spotsByWay.get(orientation) ?? [];
      spotsByWay.set(orientation, spots);
      spots.push({ piece, cells, text, orientation, at: middleOf(cells) });
    }
    this.spotsByPiece.set(piece, spotsByWay);
    return spotsByWay;
  }

  /** The placements of a piece in one orientation. */
  spots = (piece: string, orientation: string): PlacementSpot[] => this.byOrientation(piece).get(orientation) ?? [];

  /** All placements of a piece. */
  all = (piece: string): PlacementSpot[] => [...this.byOrientation(piece).values()].flat();

  count = (piece: string) => this.textsByPiece.get(piece)?.length ?? 0;

  /** The action that lifts the piece on a cell, in a figure; null if there is none. */
  lift(cell: Cell): string | null {
    this.lifts ??= new Map(this.liftTexts.flatMap((text) => parsePlacement(text)!.cells.map((each) => [each, text])));
    return this.lifts.get(cell) ?? null;
  }

  /** The cells that a piece can cover, in one orientation or in any. */
  covered = (piece: string, orientation?: string) =>
    new Set(
      (orientation === undefined ? this.all(piece) : this.spots(piece, orientation)).flatMap(({ cells }) => cells),
    );

  /** The placement nearest to a point, within a distance. */
  nearest(piece: string, orientation: string, point: Point, maxDistance = Infinity): PlacementSpot | null {
    let best: PlacementSpot | null = null;
    let least = maxDistance;
    for (const spot of this.spots(piece, orientation)) {
      const far = Math.hypot(spot.at.x - point.x, spot.at.y - point.y);
      if (far < least) [best, least] = [spot, far];
    }
    return best;
  }

  /** The next placement in the direction of an arrow key: near, and not far to the side. */
  toward(from: PlacementSpot, key: string): PlacementSpot {
    const directions: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const [dx, dy] = directions[key] ?? [0, 0];
    let best = from;
    let least = Infinity;
    for (const spot of this.spots(from.piece, from.orientation)) {
      const [x, y] = [spot.at.x - from.at.x, spot.at.y - from.at.y];
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      if (ahead < 0.1 || aside > 2.5 * ahead) continue;
      const far = ahead + 1.6 * aside;
      if (far < least) [best, least] = [spot, far];
    }
    return best;
  }

  /** The placement `by` entries further in the list of the same orientation. */
  along(from: PlacementSpot, by: number): PlacementSpot {
    const spots = this.spots(from.piece, from.orientation);
    const index = spots.findIndex(({ text }) => text === from.text);
    return spots[(index + by + spots.length) % spots.length] ?? from;
  }
}

/** The cell that an arrow key leads to, on the field. */
export function step(cell: Cell, key: string, field: Set<Cell>): Cell {
  const by: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: WIDTH, ArrowDown: -WIDTH };
  const move = by[key];
  if (!move) return cell;
  for (const aside of [0, 1, -1]) if (field.has(cell + move + aside)) return cell + move + aside;
  return cell;
}

// --- Figures ---

export interface Figure {
  name: string;
  cells: Cell[];
  pieces: number;
}

/** The figures of the game, from its list: a line for each, with its name and one tiling. */
export function parseFigures(text: string): Figure[] {
  return text
    .split("\n")
    .filter((line) => line.includes(":") && !line.startsWith("#"))
    .map((line) => {
      const [name = "", tiling = ""] = line.split(": ");
      const places = tiling.trim().split(" ").map(parsePlacement);
      return { name, cells: places.flatMap((place) => place?.cells ?? []), pieces: places.length };
    });
}

/** The figure to solve after another one: the next in the list that is not solved, or else the next. */
export function nextFigure(figures: readonly Figure[], name: string | null, isSolved: (name: string) => boolean) {
  const at = figures.findIndex((each) => each.name === name);
  const order = [...figures.slice(at + 1), ...figures.slice(0, Math.max(0, at))];
  return order.find((each) => !isSolved(each.name)) ?? order[0] ?? null;
}

/** The colour of a placement that lies on the board; null if it is not there. */
export function colourOfPlacement(view: View, text: string): Colour | null {
  const cells = parsePlacement(text)?.cells.map(cellName).sort().join();
  return view.pieces.find((each) => each.cells.toSorted().join() === cells)?.colour ?? null;
}
