/** Where the parts of the board are drawn, in units of its SVG if nothing else is said. */
import { columnOf, rowOf, SIZE } from "./logic";

export const CELL = 40;
export const EDGE = 20;
export const BOARD_SIZE = SIZE * CELL + 2 * EDGE;

/** The middle of a square. */
export const middle = (square: number) => ({
  x: EDGE + (columnOf(square) + 0.5) * CELL,
  y: EDGE + (rowOf(square) + 0.5) * CELL,
});

/** The frame around squares that follow each other in a line. */
export function frame(squares: number[]) {
  const spots = squares.map(middle);
  const left = Math.min(...spots.map(({ x }) => x)) - CELL / 2;
  const top = Math.min(...spots.map(({ y }) => y)) - CELL / 2;
  return {
    x: left - 1,
    y: top - 1,
    width: Math.max(...spots.map(({ x }) => x)) + CELL / 2 - left + 2,
    height: Math.max(...spots.map(({ y }) => y)) + CELL / 2 - top + 2,
  };
}

/** Where the points of a line are written: on the free square beyond its end, or before its beginning. In squares. */
export function scorePosition(line: number[]): { x: number; y: number } {
  const rows = line.map(rowOf);
  const columns = line.map(columnOf);
  const level = Math.min(...rows) === Math.max(...rows);
  const beyond = (along: number[]) =>
    Math.max(...along) + 1 < SIZE ? Math.max(...along) + 1.5 : Math.min(...along) - 0.5;
  return level ? { x: beyond(columns), y: rows[0]! + 0.5 } : { x: columns[0]! + 0.5, y: beyond(rows) };
}

const TOTAL_HALF_WIDTH = 0.78; // half the width of the total, in squares

/** Where the total is written: near the tokens laid, covering as little as can be. In squares. */
export function totalPosition(laid: number[], covered: Set<number>): { x: number; y: number } {
  const top = Math.min(...laid.map(rowOf));
  const right = Math.max(...laid.filter((square) => rowOf(square) === top).map(columnOf));
  let best = { x: right + 1, y: top - 0.5 };
  let least = Infinity;
  for (let row = Math.max(0, top - 3); row <= Math.min(SIZE - 1, top + 5); row++)
    for (let x = Math.max(1, right - 3); x <= Math.min(SIZE - 1, right + 5); x += 0.5) {
      const under = [x - TOTAL_HALF_WIDTH, x, x + TOTAL_HALF_WIDTH].map((at) => row * SIZE + Math.floor(at));
      const hidden = new Set(under.filter((square) => covered.has(square))).size;
      const cost = 10 * hidden + Math.hypot(x - right - 1, row + 0.5 - (top - 0.5));
      if (cost < least) [best, least] = [{ x, y: row + 0.5 }, cost];
    }
  return best;
}
