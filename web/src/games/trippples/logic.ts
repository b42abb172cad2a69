/** Headless logic of the Trippples board. It contains no rules. */
import type { Phase, View } from "./view";

export const FILE_LETTERS = "abcdefgh";
export const SQUARE_NAMES: readonly string[] = Array.from({ length: 64 }, (_, at) =>
  squareName(at % 8, Math.floor(at / 8)),
);

/** A square's name by its file and rank, both from 0. */
function squareName(file: number, rank: number): string {
  return `${FILE_LETTERS[file] ?? "?"}${rank + 1}`;
}

/** A direction of the keypad: the step to the right and downwards on the screen, and its angle from the north. */
export interface Direction {
  key: string;
  right: number;
  down: number;
  angle: number;
}

/** Clockwise from the north, by the key of a numeric keypad that lies that way. */
export const DIRECTIONS: readonly Direction[] = [
  [0, -1],
  [1, -1],
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
].map(([right = 0, down = 0], turn) => ({ key: "89632147"[turn] ?? "8", right, down, angle: turn * 45 }));

/** The directions of a tile or of a list of keys, clockwise from the north; none for other tiles. */
export function directions(keys: string | readonly string[] | null | undefined): Direction[] {
  return DIRECTIONS.filter((each) => keys?.includes(each.key));
}

/** A point in the window, in pixels. */
export interface WindowPoint {
  x: number;
  y: number;
}

/** The column and the row of a square on the screen, both from 0 at the top left. */
export function gridPosition(square: string): { column: number; row: number } {
  return { column: FILE_LETTERS.indexOf(square[0] ?? "a"), row: 8 - Number(square[1]) };
}

/** The square next to another one, or null off the board. */
export function neighbour(square: string, right: number, down: number): string | null {
  const { column, row } = gridPosition(square);
  const [file, rank] = [column + right, 7 - row - down];
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? squareName(file, rank) : null;
}

/** The tile on a square. */
export function tileOf(view: View, square: string): string | null {
  return view.board[SQUARE_NAMES.indexOf(square)] ?? null;
}

/** The offered actions by the square they go to. A freeze is not offered: the player announces it. */
export function actionsBySquare(legal: readonly string[]): Map<string, string> {
  const actions = new Map<string, string>();
  for (const text of legal) {
    const square = squareOf(text);
    if (square && !text.endsWith("!")) actions.set(square, text);
  }
  return actions;
}

/** The square an action goes to, or null if it goes to none. */
export function squareOf(text: string | null | undefined): string | null {
  return /^(?:lay |neutral )?([a-h][1-8])!?$/.exec(text ?? "")?.[1] ?? null;
}

/** The action of choosing a square, legal or not: the server decides. */
export function actionFor(phase: Phase, square: string): string | null {
  if (phase === "chance") return null;
  return phase === "move" ? square : `${phase === "zone" ? "neutral" : "lay"} ${square}`;
}

/** The number of a seat among those of its team, from 1. */
export function numberInTeam(view: View, seat: number): number {
  return view.teams.slice(0, seat).filter((team) => team === view.teams[seat]).length + 1;
}

/** A pawn on the screen, in squares; pawns that share a square stand side by side. */
export interface PawnOnScreen {
  seat: number;
  team: number;
  square: string;
  x: number;
  y: number;
  shared: boolean;
}

export function pawnsOnScreen(view: View): PawnOnScreen[] {
  return view.pawns.map((square, seat) => {
    const mates = view.pawns.flatMap((other, each) => (other === square ? [each] : []));
    const { column, row } = gridPosition(square);
    const shared = mates.length > 1;
    const aside = shared ? (mates.indexOf(seat) - (mates.length - 1) / 2) * 0.36 : 0;
    return { seat, team: view.teams[seat]!, square, x: column + 0.5 + aside, y: row + 0.5, shared };
  });
}

/** For each direction of a tile, the teams whose way home it is: it leads from start towards finish. */
export function homewardDirections(view: View, tile: string): { direction: Direction; teams: number[] }[] {
  const ways = view.starts.map((start, team) => {
    const [from, to] = [gridPosition(start), gridPosition(view.finishes[team] ?? start)];
    return { right: to.column - from.column, down: to.row - from.row };
  });
  return directions(tile).map((direction) => ({
    direction,
    teams: ways.flatMap((way, team) => (direction.right * way.right + direction.down * way.down > 0 ? [team] : [])),
  }));
}

/** Two views of one position, perhaps from two seats. */
export function isSamePosition(one: View, other: View): boolean {
  const boardText = ({ board, pawns, drawn_tile }: View) => [...board, ...pawns, drawn_tile].join();
  return boardText(one) === boardText(other);
}

/** A step of a pawn. */
export interface Step {
  seat: number;
  from: string;
  to: string;
}

/** The step between two positions, if exactly one pawn moved, and to a neighbouring square. */
export function lastStep(before: View | null, after: View): Step | null {
  if (!before || before.pawns.length !== after.pawns.length) return null;
  const moved = after.pawns.flatMap((to, seat) => {
    const from = before.pawns[seat];
    return from && from !== to ? [{ seat, from, to }] : [];
  });
  const [only] = moved;
  if (!only || moved.length > 1) return null;
  return DIRECTIONS.some((each) => neighbour(only.from, each.right, each.down) === only.to) ? only : null;
}

/** The square of the tile laid last: chance draws the next one at once, and the mark stays. */
export function lastLaidSquare(before: View | null, after: View, earlier: string | null): string | null {
  if (!before || after.pawns.length) return null;
  const fresh = SQUARE_NAMES.filter((_, at) => before.board[at] === null && after.board[at] !== null);
  const gone = SQUARE_NAMES.some((_, at) => before.board[at] !== null && after.board[at] === null);
  if (gone || fresh.length > 1) return null;
  return fresh[0] ?? earlier;
}

/** The squares whose tile came face up, or was laid, between two positions. */
export function revealedSquares(before: View | null, after: View): string[] {
  if (!before) return [];
  return SQUARE_NAMES.filter((_, at) => before.board[at] === "?" && after.board[at] !== "?");
}
