/** Helpers over the state of a game: whose turn it is, who won, and the names of players. */
import type { Seat } from "./api";
import type { GameState, SeatInfo } from "./wire";

/** The seat to act, if it is one of mine. */
export function mySeatToAct(state: GameState, mine: readonly Seat[]): Seat | null {
  return state.status === "live" && typeof state.to_act === "number" && mine.includes(state.to_act)
    ? state.to_act
    : null;
}

export type GameResult = "won" | "lost" | "draw" | "over";

/** The result for the seats of one user: `over` for spectators, and if only some of several seats have won. */
export function resultFor(state: GameState, mine: readonly Seat[]): GameResult {
  const winners = state.outcome?.winners ?? [];
  const won = mine.filter((seat) => winners.includes(seat));
  if (state.seats.length === 1) return won.length ? "won" : "over";
  if (winners.length === 0 || winners.length === state.seats.length) return "draw";
  if (mine.length === 0) return "over";
  if (won.length === mine.length) return "won";
  return won.length ? "over" : "lost";
}

/** Whether one of my seats has to answer the current offer. */
export function mustAnswerOffer(state: GameState, mine: readonly Seat[]): boolean {
  const offer = state.offer;
  return (
    offer !== null &&
    mine.length > 0 &&
    !mine.includes(offer.seat) &&
    !mine.some((seat) => offer.accepted_by.includes(seat))
  );
}

/** The texts that stand for players without a name of their own. */
export interface NameTexts {
  bot: (level: number) => string;
  open: string;
  /** For users without a name: `you` for the only user of this device, `guest` for others. */
  guest: string;
  you: string;
}

/** The name that the server gives to users without a name. */
export const GUEST_NAME = "Guest";

export function displayName(
  seat: Seat,
  all: readonly (SeatInfo & { title: string })[],
  mine: readonly Seat[],
  names: NameTexts,
): string {
  const seatInfo = all[seat]!;
  if (seatInfo.kind === "open") return names.open;
  if (seatInfo.kind === "bot") return names.bot(seatInfo.level ?? 1);
  if (seatInfo.name === GUEST_NAME && mine.length === 1 && mine[0] === seat) return names.you;
  const text = seatInfo.name === GUEST_NAME ? names.guest : seatInfo.name;
  const same = all.filter(
    (each, at) =>
      each.kind === "human" &&
      each.name === seatInfo.name &&
      !(each.name === GUEST_NAME && mine.length === 1 && mine[0] === at),
  );
  return same.length > 1 ? `${text} (${seatInfo.title})` : text;
}
