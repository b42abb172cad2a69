/** What can be told of a table without drawing it: whose turn, who won, who is who. */
import type { Chair, Seat, Sight } from "./api";

/** Whether a view hides something: it says ? where somebody else may know more. */
export function hides(view: unknown): boolean {
  return JSON.stringify(view)?.includes('"?"') ?? false;
}

/** The seat to act, if it is one of mine. */
export function myTurn(state: Sight, mine: readonly Seat[]): Seat | null {
  return state.status === "live" && typeof state.to_act === "number" && mine.includes(state.to_act) ? state.to_act : null;
}

export type Ending = "won" | "lost" | "draw" | "over";

/** How a game ended for me: `over` for whoever only watched, and for several seats of mine. */
export function ending(state: Sight, mine: readonly Seat[]): Ending {
  const winners = state.outcome?.winners ?? [];
  const won = mine.filter((seat) => winners.includes(seat));
  if (state.seats.length === 1) return won.length ? "won" : "over";
  if (winners.length === 0 || winners.length === state.seats.length) return "draw";
  if (mine.length === 0) return "over";
  if (won.length === mine.length) return "won";
  return won.length ? "over" : "lost";
}

/** Whether I am asked to answer what is offered. */
export function isAsked(state: Sight, mine: readonly Seat[]): boolean {
  const offer = state.offer;
  return offer !== null && mine.length > 0 && !mine.includes(offer.seat) && !mine.some((seat) => offer.agreed.includes(seat));
}

/** Names that several seats share are told apart by the title of the seat. */
export function named(chair: Chair & { title: string }, all: readonly Chair[], bot: (level: number) => string, open: string): string {
  if (chair.kind === "open") return open;
  if (chair.kind === "bot") return bot(chair.level ?? 1);
  const same = all.filter((each) => each.kind === "human" && each.name === chair.name).length;
  return same > 1 ? `${chair.name} (${chair.title})` : chair.name;
}
