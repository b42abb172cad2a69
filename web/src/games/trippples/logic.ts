/** What the board of Trippples can work out from a view without a screen. No rule lives here. */
import type { Say } from "../../lib/game-ui";
import type { View } from "./view";

export const FILES = "abcdefgh";
export const SQUARES: readonly string[] = Array.from({ length: 64 }, (_, at) => nameOf(at % 8, Math.floor(at / 8)));

/** A square's name by its file and rank, both from 0. */
function nameOf(file: number, rank: number): string {
  return `${FILES[file] ?? "?"}${rank + 1}`;
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

/** A place in the window. */
export interface Spot {
  x: number;
  y: number;
}

/** The column and the row of a square on the screen, both from 0 at the top left. */
export function place(square: string): { column: number; row: number } {
  return { column: FILES.indexOf(square[0] ?? "a"), row: 8 - Number(square[1]) };
}

/** The square next to another one, or null off the board. */
export function beside(square: string, right: number, down: number): string | null {
  const { column, row } = place(square);
  const [file, rank] = [column + right, 7 - row - down];
  return file >= 0 && file < 8 && rank >= 0 && rank < 8 ? nameOf(file, rank) : null;
}

/** What lies on a square. */
export function tileOf(view: View, square: string): string | null {
  return view.board[SQUARES.indexOf(square)] ?? null;
}

/** What is going on: neutral tiles are laid, a drawn tile is laid, pawns move, or chance is at work. */
export type Phase = "zone" | "lay" | "move" | "wait";

export function phaseOf(view: View): Phase {
  if (view.pawns.length) return "move";
  if (view.hand) return "lay";
  return view.legal.some((text) => text.startsWith("neutral ")) ? "zone" : "wait";
}

/** The offered actions by the square they go to. A freeze is not offered: the player announces it. */
export function choices(legal: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const text of legal) {
    const square = squareOf(text);
    if (square && !text.endsWith("!")) found.set(square, text);
  }
  return found;
}

/** The square an action goes to, or null if it goes to none. */
export function squareOf(text: string | null | undefined): string | null {
  return /^(?:lay |neutral )?([a-h][1-8])!?$/.exec(text ?? "")?.[1] ?? null;
}

/** The action that choosing a square stands for, legal or not: the server answers. */
export function actionFor(phase: Phase, square: string): string | null {
  if (phase === "wait") return null;
  return phase === "move" ? square : `${phase === "zone" ? "neutral" : "lay"} ${square}`;
}

/** The team of a seat: 0 for square, 1 for round. */
export function teamOf(view: View, seat: number): number {
  return view.teams[seat] ?? 0;
}

/** The number of a seat among those of its team, from 1. */
export function numberInTeam(view: View, seat: number): number {
  return view.teams.slice(0, seat).filter((team) => team === teamOf(view, seat)).length + 1;
}

/** The seats whose pawns the seat to move looks at. */
export function opponents(view: View, seat: number): number[] {
  return view.pawns.map((_, each) => each).filter((each) => teamOf(view, each) !== teamOf(view, seat));
}

/** A pawn on the screen, in squares; pawns that share a square stand side by side. */
export interface Standing {
  seat: number;
  team: number;
  square: string;
  x: number;
  y: number;
  shared: boolean;
}

export function standing(view: View): Standing[] {
  return view.pawns.map((square, seat) => {
    const mates = view.pawns.flatMap((other, each) => (other === square ? [each] : []));
    const { column, row } = place(square);
    const shared = mates.length > 1;
    const aside = shared ? (mates.indexOf(seat) - (mates.length - 1) / 2) * 0.36 : 0;
    return { seat, team: teamOf(view, seat), square, x: column + 0.5 + aside, y: row + 0.5, shared };
  });
}

/** For each direction of a tile, the teams whose way home it is: it leads from start towards finish. */
export function leads(view: View, tile: string): { direction: Direction; teams: number[] }[] {
  const ways = view.starts.map((start, team) => {
    const [from, to] = [place(start), place(view.finishes[team] ?? start)];
    return { right: to.column - from.column, down: to.row - from.row };
  });
  return directions(tile).map((direction) => ({
    direction,
    teams: ways.flatMap((way, team) => (direction.right * way.right + direction.down * way.down > 0 ? [team] : [])),
  }));
}

/** Two views of one position, perhaps from two seats. */
export function isSame(one: View, other: View): boolean {
  const told = ({ board, pawns, hand }: View) => [...board, ...pawns, hand].join();
  return told(one) === told(other);
}

/** What a pawn did last. */
export interface Step {
  seat: number;
  from: string;
  to: string;
}

/** From where a pawn came, if exactly one pawn stands elsewhere than before, and next to where it was. */
export function stepped(before: View | null, after: View): Step | null {
  if (!before || before.pawns.length !== after.pawns.length) return null;
  const moved = after.pawns.flatMap((to, seat) => {
    const from = before.pawns[seat];
    return from && from !== to ? [{ seat, from, to }] : [];
  });
  const [only] = moved;
  if (!only || moved.length > 1) return null;
  return DIRECTIONS.some((each) => beside(only.from, each.right, each.down) === only.to) ? only : null;
}

/** The square of the tile laid last: chance draws the next one at once, and the mark shall stay. */
export function laidOn(before: View | null, after: View, sofar: string | null): string | null {
  if (!before || after.pawns.length) return null;
  const fresh = SQUARES.filter((_, at) => before.board[at] === null && after.board[at] !== null);
  const gone = SQUARES.some((_, at) => before.board[at] !== null && after.board[at] === null);
  if (gone || fresh.length > 1) return null;
  return fresh[0] ?? sofar;
}

/** The squares whose tile came face up, or was laid, between two positions. */
export function turnedUp(before: View | null, after: View): string[] {
  if (!before) return [];
  return SQUARES.filter((_, at) => before.board[at] === "?" && after.board[at] !== "?");
}

/** The spoken name of a set of directions: "north, east and south". */
export function spoken(keys: string | readonly string[], say: Say, last: "and" | "or" = "and"): string {
  return list(
    directions(keys).map((each) => say(`to${each.key}`)),
    say(last),
  );
}

/** Words with commas between, and a word before the last. */
export function list(words: readonly string[], last: string): string {
  const [first, end] = [words.slice(0, -1), words.at(-1) ?? ""];
  return first.length ? `${first.join(", ")} ${last} ${end}` : end;
}

/** The arrows of a tile as characters, clockwise from the north: "↑→↙". */
export function drawn(keys: string): string {
  return directions(keys)
    .map((each) => "↑↗→↘↓↙←↖"[DIRECTIONS.indexOf(each)])
    .join("");
}

/** Everything somebody who cannot see the board is told of a square. */
export function label(view: View, square: string, viewer: number | null, chosen: boolean, say: Say): string {
  const tile = tileOf(view, square);
  const words = [square];
  const start = view.starts.indexOf(square);
  const finish = view.finishes.indexOf(square);
  if (start >= 0) words.push(say("startOf", { who: say(`team${start}`) }));
  else if (finish >= 0) words.push(say("finishOf", { who: say(`team${finish}`) }));
  else if (tile === null) words.push(say("noTile"));
  else if (tile === "N") words.push(say("neutral"));
  else if (tile === "?") words.push(say("faceDown"));
  else words.push(say("arrowsTo", { directions: spoken(tile, say) }));
  view.pawns.forEach((pawn, seat) => {
    if (pawn !== square) return;
    words.push(seat === viewer ? say("yourPawn") : say("pawnOf", { who: pawnName(view, seat, say) }));
  });
  if (chosen) words.push(say(phaseOf(view) === "move" ? "mayEnter" : "mayLay"));
  return words.join(", ");
}

/** "Square", or with two pawns a team "Square 2". */
export function pawnName(view: View, seat: number, say: Say): string {
  const team = say(`team${teamOf(view, seat)}`);
  return view.teams.length > 2 ? `${team} ${numberInTeam(view, seat)}` : team;
}

/** A seat's name while no pawn stands on the board: "Round", "Round 2". */
export function seatName(view: View, seat: number, say: Say): string {
  const number = numberInTeam(view, seat);
  return `${say(`team${teamOf(view, seat)}`)}${number > 1 ? ` ${number}` : ""}`;
}

/** An action in short words for the move list. */
export function describe(text: string, say: Say): string {
  const [verb = "", rest = ""] = text.split(" ");
  if (verb === "fill") return say("doesFill");
  if (verb === "zone") return say("doesZone", { squares: rest.replaceAll(",", " ") });
  if (verb === "draw") return say("doesDraw", { tile: drawn(rest) });
  if (verb === "lay") return say("doesLay", { square: rest });
  if (verb === "neutral") return say("doesNeutral", { square: rest });
  return text.endsWith("!") ? say("doesFreeze", { square: text.slice(0, -1) }) : text;
}
