/** Where triangles are drawn, in sides of a triangle: x from the left edge, y downwards from the top. */
import { type Cell, cellAt, columnOf, pointsUp, ROWS, rowOf, WIDTH } from "./cells";

export const RISE = Math.sqrt(3) / 2;

export interface Point {
  x: number;
  y: number;
}

/** The corners of a triangle: left, right, tip. */
export function corners(cell: Cell): [Point, Point, Point] {
  const left = columnOf(cell) / 2;
  const top = (ROWS - 1 - rowOf(cell)) * RISE;
  const [base, tip] = pointsUp(cell) ? [top + RISE, top] : [top, top + RISE];
  return [
    { x: left, y: base },
    { x: left + 1, y: base },
    { x: left + 0.5, y: tip },
  ];
}

export function centre(cell: Cell): Point {
  const [one, two, three] = corners(cell);
  return { x: (one.x + two.x + three.x) / 3, y: (one.y + two.y + three.y) / 3 };
}

export function middleOf(cells: Cell[]): Point {
  const points = cells.map(centre);
  const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return { x: mean(points.map(({ x }) => x)), y: mean(points.map(({ y }) => y)) };
}

/** The smallest box around cells. */
export function boxOf(cells: Cell[]) {
  const points = cells.flatMap(corners);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

const at = ({ x, y }: Point) => `${+x.toFixed(3)} ${+y.toFixed(3)}`;

/** The triangles as an SVG path. */
export const trianglesPath = (cells: Cell[]) => cells.map((cell) => `M${corners(cell).map(at).join("L")}Z`).join("");

/** The border of cells as an SVG path of closed loops. */
export function outlinePath(cells: Cell[]): string {
  const inside = new Set(cells);
  const sides = new Map<string, Point[]>(); // from a corner to the next ones, the inside always on one hand
  for (const cell of cells) {
    const [left, right, tip] = corners(cell);
    const ring: [Point, Point, Cell][] = pointsUp(cell)
      ? [
          [left, tip, cell - 1],
          [tip, right, cell + 1],
          [right, left, cell - WIDTH],
        ]
      : [
          [tip, left, cell - 1],
          [right, tip, cell + 1],
          [left, right, cell + WIDTH],
        ];
    for (const [from, to, over] of ring)
      if (!inside.has(over)) sides.set(at(from), [...(sides.get(at(from)) ?? []), to]);
  }
  let path = "";
  while (sides.size) {
    const start = sides.keys().next().value!;
    let here = start;
    path += `M${start}`;
    for (;;) {
      const next = sides.get(here)?.pop();
      if (!sides.get(here)?.length) sides.delete(here);
      if (!next) break;
      here = at(next);
      if (here === start) break;
      path += `L${here}`;
    }
    path += "Z";
  }
  return path;
}

/** The cell under a point; null outside of the grid. */
export function cellUnder({ x, y }: Point): Cell | null {
  const row = ROWS - 1 - Math.floor(y / RISE);
  if (row < 0 || row >= ROWS) return null;
  let best: Cell | null = null;
  let least = Infinity;
  for (const column of [Math.floor(2 * x) - 1, Math.floor(2 * x)]) {
    if (column < 0 || column >= WIDTH - 2) continue;
    const cell = cellAt(row, column);
    const middle = centre(cell);
    const far = Math.hypot(middle.x - x, middle.y - y);
    if (far < least) [best, least] = [cell, far];
  }
  return best;
}
