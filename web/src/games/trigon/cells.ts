/** The triangles of the board: named by column, a to ai, and row, 1 to 18 from the bottom. */

export const WIDTH = 37;
export const ROWS = 18;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
export const COLUMNS = [...LETTERS, ...[...LETTERS.slice(0, 11)].map((letter) => `a${letter}`)];
const COLUMN_NUMBERS = new Map(COLUMNS.map((name, at) => [name, at]));

/** A triangle as a number: row * 37 + column, both from 0; odd ones point up. */
export type Cell = number;

export const cellAt = (row: number, column: number): Cell => row * WIDTH + column;
export const rowOf = (cell: Cell) => Math.floor(cell / WIDTH);
export const columnOf = (cell: Cell) => cell % WIDTH;
export const pointsUp = (cell: Cell) => cell % 2 !== 0;
export const cellName = (cell: Cell) => `${COLUMNS[columnOf(cell)]}${rowOf(cell) + 1}`;

export function parseCell(name: string): Cell | null {
  const match = /^([a-z]+)([0-9]+)$/.exec(name);
  const column = match ? COLUMN_NUMBERS.get(match[1]!) : undefined;
  const row = Number(match?.[2]) - 1;
  return column === undefined || row < 0 || row >= ROWS ? null : cellAt(row, column);
}

/** The triangles of a text such as `n16-q16,q15`. */
export function parseCells(text: string): Cell[] {
  const cells: Cell[] = [];
  for (const run of text.split(",")) {
    const [first, last] = run.split("-").map(parseCell);
    if (first === null || first === undefined || last === null) continue;
    for (let cell = first; cell <= (last ?? first); cell++) cells.push(cell);
  }
  return cells.sort((one, other) => one - other);
}

/** Triangles by name, neighbours in a row joined, as the server writes them. */
export function cellsText(cells: Cell[]): string {
  const runs: Cell[][] = [];
  for (const cell of cells.toSorted((one, other) => one - other)) {
    const run = runs.at(-1);
    if (run && cell === run.at(-1)! + 1) run.push(cell);
    else runs.push([cell]);
  }
  return runs.map((run) => cellName(run[0]!) + (run.length > 1 ? `-${cellName(run.at(-1)!)}` : "")).join(",");
}

/** The three cells that share a side with a cell, on the board or not. */
export const neighbours = (cell: Cell): Cell[] => [cell - 1, cell + 1, pointsUp(cell) ? cell - WIDTH : cell + WIDTH];

/** The hexagon, nine along each side: a row is two longer than the next one outward. */
export const BOARD: Cell[] = Array.from({ length: ROWS }, (_, row) => {
  const inset = row < ROWS / 2 ? ROWS / 2 - 1 - row : row - ROWS / 2;
  return Array.from({ length: 2 * ROWS - 1 - 2 * inset }, (_, at) => cellAt(row, inset + at));
}).flat();

/** The starting triangles. */
export const STARTS = ["r15", "z12", "z7", "r4", "j7", "j12"].map((name) => parseCell(name)!);
