/** What the boards of Triggery can work out from views without a screen. No rule lives here. */
import type { Say } from "../../lib/game-ui";

/** A number, `*` a star, `?` a turned tile, null before the board is filled. */
export type Tile = number | "*" | "?" | null;

/** What the server says of a position. */
export interface View {
  /** Blue's and yellow's, or one; 36 tiles from a1 along the rows to f6, a1 at the top left. */
  boards: Tile[][];
  /** Which board each side plays. */
  plays: number[];
  /** The side that plays, or for whom the dice are thrown next. */
  side: number;
  round: number;
  /** Two dice; one number if a budget was set up; none before the throw. */
  throw: number[];
  budget: number;
  left: number;
  /** The cells turned in this turn. */
  turned: string[];
  /** What each tile that may be turned costs, and what it sets off in order; empty where nobody helps. */
  costs: Record<string, number>;
  chains: Record<string, string[]>;
  /** Whether the players take the bonuses themselves. */
  by_hand: boolean;
  may_point: boolean;
  may_reject: boolean;
  /** Of a player alone: the throws before this one, each with its budget; and their sum with this one. */
  sheet: [string, number][];
  sum: number;
  won: number[];
  lost: number[];
  legal: string[];
}

const COLUMNS = "abcdef";
export const CELLS: readonly string[] = Array.from(
  { length: 36 },
  (_, at) => `${COLUMNS[at % 6] ?? "?"}${Math.floor(at / 6) + 1}`,
);

/** A line of six cells: a row by its number, a column by its letter, a diagonal by its look. */
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

export function cellAt(name: string): number {
  return CELLS.indexOf(name);
}

/** Whether a tile lies face up. */
export function isOpen(tile: Tile | undefined): boolean {
  return tile !== null && tile !== undefined && tile !== "?";
}

/** 0 for blue, 1 for yellow: seats alternate. */
export function sideOf(seat: number): number {
  return seat % 2;
}

/** Somebody plays alone. */
export function isSolo(view: View): boolean {
  return view.boards.length === 1;
}

/** The players take the bonuses themselves: tiles may be turned, but nobody says which, nor for how much. */
export function isByHand(view: View): boolean {
  return view.by_hand && view.throw.length > 0;
}

/** The board on which a forgotten bonus can be pointed at: the other side's. */
export function pointedBoard(view: View): number {
  return view.plays[1 - view.side] ?? 0;
}

export function openCount(tiles: readonly Tile[]): number {
  return tiles.filter(isOpen).length;
}

// --- From one position to the next ---------------------------------------------------------------

/** Tiles of one board that are turned one after another. */
export interface Flip {
  board: number;
  order: number[];
  /** The side that turned them had none left, and another round has begun. */
  ends: boolean;
}

/** The tiles that were turned between two positions, in order; null if that is not what happened. */
export function flipped(before: View | null, after: View): Flip | null {
  if (!before || before.boards.length !== after.boards.length) return null;
  if (after.round > before.round) {
    const board = before.plays[before.side] ?? 0;
    const open = (before.boards[board] ?? []).flatMap((tile, cell) => (isOpen(tile) ? [cell] : []));
    return { board, order: inOrder(before, open), ends: true };
  }
  if (after.round < before.round) return null;
  const found = after.boards.flatMap((tiles, board) => {
    const were = before.boards[board] ?? [];
    if (tiles.some((tile, cell) => isOpen(tile) && !isOpen(were[cell]))) return [];
    const order = tiles.flatMap((tile, cell) => (tile === "?" && isOpen(were[cell]) ? [cell] : []));
    return order.length ? [{ board, order: inOrder(before, order), ends: false }] : [];
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Some cells in the order of the chain that takes exactly them, if the position before knows one. */
function inOrder(before: View, cells: number[]): number[] {
  for (const [first, rest] of Object.entries(before.chains)) {
    const chain = [first, ...rest].map(cellAt);
    if (chain.length === cells.length && chain.every((cell) => cells.includes(cell))) return chain;
  }
  return cells;
}

/** The dice of the later position are fresh: they have to be rolled. */
export function thrown(before: View | null, after: View): boolean {
  if (after.throw.length !== 2 || !before) return false;
  const again = before.throw.join() === after.throw.join();
  const same = before.side === after.side && before.round === after.round && before.sheet.length === after.sheet.length;
  return !(again && same);
}

/** The later position belongs to another turn: whoever looks at the earlier one cannot have meant it. */
export function isNews(before: View, after: View): boolean {
  return before.side !== after.side || before.round !== after.round || thrown(before, after);
}

/** A line with no number left open after the tile at `at` in some order is turned. */
export interface Swept {
  line: Line;
  at: number;
}

/** The lines that tiles turned in order empty of open numbers one by one, to be drawn through. */
export function sweeps(tiles: readonly Tile[], order: readonly number[]): Swept[] {
  const down = new Set<number>();
  const found: Swept[] = [];
  order.forEach((cell, at) => {
    down.add(cell);
    if (typeof tiles[cell] !== "number") return;
    for (const line of LINES) {
      if (!line.cells.includes(cell)) continue;
      if (line.cells.every((each) => typeof tiles[each] !== "number" || down.has(each))) found.push({ line, at });
    }
  });
  return found;
}

// --- The sheet of a player alone -----------------------------------------------------------------

export interface Entry {
  number: number;
  dice: number[];
  budget: number;
  /** What counts; less than the budget for the throw that cleared the board. */
  counts: number;
  now: boolean;
}

export const PRINTED = 20;

/** Every throw so far, this one last. */
export function entries(view: View): Entry[] {
  const before = view.sheet.map(([dice, budget], at) => ({
    number: at + 1,
    dice: dice.split("-").map(Number),
    budget,
    counts: budget,
    now: false,
  }));
  if (!view.throw.length) return before;
  const counts = view.sum - before.reduce((sum, each) => sum + each.budget, 0);
  return [...before, { number: before.length + 1, dice: view.throw, budget: view.budget, counts, now: true }];
}

// --- Words ---------------------------------------------------------------------------------------

/** The spoken name of a line. */
export function lineName(name: string, say: Say): string {
  if (name === "\\") return say("diagonalDown");
  if (name === "/") return say("diagonalUp");
  return say(/\d/.test(name) ? "row" : "column", { name });
}

/** Everything somebody who cannot see the board is told of a cell. */
export function label(view: View, board: number, cell: number, mayAct: boolean, say: Say): string {
  const tile = view.boards[board]?.[cell];
  const name = CELLS[cell] ?? "";
  const words = [name];
  if (tile === "?") words.push(say("turned"));
  else if (tile === "*") words.push(say("star"));
  else words.push(tile === null || tile === undefined ? say("empty") : String(tile));
  const cost = view.costs[name];
  if (mayAct && cost !== undefined) {
    words.push(cost ? say("costs", { cost }) : say("free"));
    const chain = view.chains[name]?.length ?? 0;
    if (chain) words.push(say("setsOff", { count: chain }));
  }
  return words.join(", ");
}

/** What turning a tile of a board would cost and set off, in a sentence or two. */
export function aimWords(view: View, board: number, cell: string, say: Say): string {
  const tile = view.boards[board]?.[cellAt(cell)];
  if (!isOpen(tile)) return "";
  const cost = view.costs[cell];
  if (cost === undefined) return tile === "*" ? say("aimStar") : say("aimDear", { cell });
  const chain = view.chains[cell]?.length ?? 0;
  const first = cost ? say("aimCost", { cell, cost, left: view.left - cost }) : say("aimFree", { cell });
  return chain ? `${first} ${say("aimChain", { count: chain })}` : first;
}

/** How a round ended and what comes now. */
export function roundWords(before: View, after: View, say: Say): { title: string; text: string } {
  const loser = 1 - before.side;
  const points = (after.lost[loser] ?? 0) - (before.lost[loser] ?? 0);
  const over = say("roundOver", { who: say(`side${before.side}`), other: say(`side${loser}`), points });
  return { title: say("returnRound"), text: `${over} ${say("exchange")}` };
}

/** An action in short words for the move list. */
export function describe(text: string, say: Say): string {
  const [verb = "", one = "", two = ""] = text.split(" ");
  const dice = one.replace("-", "–");
  if (verb === "fill") return say(one === "yellow" ? "doesFill1" : "doesFill0");
  if (verb === "contest") return say("doesContest", { dice });
  if (verb === "throw") return say("doesThrow", { dice });
  if (verb === "turn") return one;
  if (verb === "malus") return say("doesMalus", { line: lineName(one, say), cell: two });
  if (verb === "done") return say("doesEnd");
  return verb === "reject" ? say("doesReject") : text;
}

/** What stands beside a player's name: the points lost, or alone the throws so far. */
export function score(seat: number, view: View, say: Say): string {
  if (isSolo(view)) {
    const count = entries(view).length;
    return count ? say("throws", { count }) : "";
  }
  return view.round > 1 ? say("lostPoints", { points: view.lost[sideOf(seat)] ?? 0 }) : "";
}

/** The same after the end: throws, points lost, or rounds won, whichever the game was about. */
export function final(seat: number, points: number, view: View, say: Say): string {
  if (isSolo(view)) return say("throws", { count: -points });
  const isLost = points < 0 || view.lost[sideOf(seat)] === 0;
  return isLost ? say("lostPoints", { points: Math.abs(points) }) : say("wonRounds", { count: points });
}
