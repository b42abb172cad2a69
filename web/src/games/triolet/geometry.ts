/** How the board is drawn, in units of its SVG. */
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
