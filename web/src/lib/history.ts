/** The actions of a game that were not undone. The server says which ones these are. */
import type { Seat } from "./api";
import type { GameEvent, GameState } from "./wire";

/** The events of the actions that were not undone, in order. */
export function activeActions(state: GameState, log: readonly GameEvent[]): GameEvent[] {
  return state.action_seqs.flatMap((seq) => log[seq - 1] ?? []);
}

/** The last action of a seat among the first `shown` actions, which boards mark; null if there is none. */
export function lastSeatAction(events: readonly GameEvent[], shown: number): { seat: Seat; text: string } | null {
  const event = events.slice(0, shown).findLast((each) => each.type === "action");
  return event && event.seat !== null ? { seat: event.seat, text: event.text } : null;
}
