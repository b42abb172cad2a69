/** Headless logic of the Triggery boards. It contains no rules. */
import type { Tile, View } from "./view";

const COLUMNS = "abcdef";
export const CELL_NAMES: readonly string[] = Array.from(
  { length: 36 },
  (_, at) => `${COLUMNS[at % 6] ?? "?"}${Math.floor(at / 6) + 1}`,
);

/** A line of six cells: a row by its number, a column by its letter, a diagonal by `\` or `/`. */
export interface Line {
  name: string;
  cells: readonly number[];
}

const SIX = [0, 1, 2, 3, 4, 5];
export const LINES: readonly Line[] = [
  ...SIX.map((row) => ({ name: String(row + 1), cells: SIX.map((column) => row * 6 + column) })),
  ...SIX.map((column) => ({ name: COLUMNS[column] ?? "?", cells: SIX.map((row) => row * 6 + column) })),
  { name: "\\", cells: SIX.map((row) => row * 7) },
  { name: "/", cells: SIX.map((row) => row * 5 + 5) },
];

export function cellIndex(name: string): number {
  return CELL_NAMES.indexOf(name);
}

/** Whether a tile lies face up. */
export function isOpen(tile: Tile | undefined): boolean {
  return tile !== null && tile !== undefined && tile !== "?";
}

export function openCount(tiles: readonly Tile[]): number {
  return tiles.filter(isOpen).length;
}

// --- From one position to the next ---------------------------------------------------------------

/** Tiles of one board that are turned over one after another. */
export interface Flip {
  board: number;
  order: number[];
  /** Whether they were the last ones, and another round has begun. */
  ends: boolean;
}

/** The tiles turned over between two positions, in order; null if anything else changed. */
export function flipsBetween(before: View | null, after: View): Flip | null {
  if (!before || before.boards.length !== after.boards.length) return null;
  if (after.round > before.round) {
    const board = before.board_of_side[before.side] ?? 0;
    const open = (before.boards[board] ?? []).flatMap((tile, cell) => (isOpen(tile) ? [cell] : []));
    return { board, order: chainOrder(before, open), ends: true };
  }
  if (after.round < before.round) return null;
  const flips = after.boards.flatMap((tiles, board) => {
    const were = before.boards[board] ?? [];
    if (tiles.some((tile, cell) => isOpen(tile) && !isOpen(were[cell]))) return [];
    const order = tiles.flatMap((tile, cell) => (tile === "?" && isOpen(were[cell]) ? [cell] : []));
    return order.length ? [{ board, order: chainOrder(before, order), ends: false }] : [];
  });
  return flips.length === 1 ? (flips[0] ?? null) : null;
}

/** The cells in the order of the chain of exactly these cells, if there is one. */
function chainOrder(before: View, cells: number[]): number[] {
  for (const [first, rest] of Object.entries(before.chains)) {
    const chain = [first, ...rest].map(cellIndex);
    if (chain.length === cells.length && chain.every((cell) => cells.includes(cell))) return chain;
  }
  return cells;
}

/** Whether the later position has a new throw. */
export function hasNewThrow(before: View | null, after: View): boolean {
  if (after.throw.length !== 2 || !before) return false;
  const again = before.throw.join() === after.throw.join();
  const same = before.side === after.side && before.round === after.round && before.sheet.length === after.sheet.length;
  return !(again && same);
}

/** Whether the later position belongs to another turn, so that a tap on the earlier one is not meant for it. */
export function isNewTurn(before: View, after: View): boolean {
  return before.side !== after.side || before.round !== after.round || hasNewThrow(before, after);
}

/** A line that is cleared when the tile at index `at` of an order is turned over. */
export interface ClearedLine {
  line: Line;
  at: number;
}

/** Lines that are cleared by tiles turned over in order, each as the last number on it is turned. */
export function clearedLines(
  names: readonly string[],
  tiles: readonly Tile[],
  order: readonly number[],
): ClearedLine[] {
  return LINES.filter((line) => names.includes(line.name))
    .map((line) => ({
      line,
      at: order.findLastIndex((cell) => line.cells.includes(cell) && typeof tiles[cell] === "number"),
    }))
    .sort((one, other) => one.at - other.at);
}

/** The lines that are cleared between two positions. At the end of a round those are all that were not. */
export function linesClearedBetween(before: View, after: View, flip: Flip): ClearedLine[] {
  const closed = before.closed_lines[flip.board] ?? [];
  const names = flip.ends ? LINES.map(({ name }) => name) : (after.closed_lines[flip.board] ?? []);
  return clearedLines(
    names.filter((name) => !closed.includes(name)),
    before.boards[flip.board] ?? [],
    flip.order,
  );
}

// --- The score sheet of one player alone -----------------------------------------------------------------

export interface SheetEntry {
  number: number;
  dice: number[];
  budget: number;
  /** The points that count: less than the budget for the throw that cleared the board. */
  counts: number;
  now: boolean;
}

export const PRINTED_SHEET_LINES = 20;

/** All throws, the current one last. */
export function sheetEntries(view: View): SheetEntry[] {
  const before = view.sheet.map(([dice, budget], at) => ({
    number: at + 1,
    dice: dice.split("-").map(Number),
    budget,
    counts: budget,
    now: false,
  }));
  if (!view.throw.length) return before;
  const { throw: dice, budget, points_counted: counts } = view;
  return [...before, { number: before.length + 1, dice, budget, counts, now: true }];
}
