/** What the board of Tally can work out from a view without a screen. No rule lives here. */
import type { Say } from "../../lib/game-ui";
import type { View } from "./view";

export const RADIUS = 12;
export const SPACING = 32;

/** The horizontal centre of each counter of a heap. */
export function counters(heap: number): number[] {
  return Array.from({ length: heap }, (_, at) => SPACING * (at + 0.5));
}

/** The number of counters that an action takes; 0 for other actions. */
export function countOf(text: string): number {
  return Number(/^take (\d+)$/.exec(text)?.[1] ?? 0);
}

/** An action in short words for the move list. */
export function describe(text: string, say: Say): string {
  const count = countOf(text);
  return count ? say("takes", { count }) : say("deals");
}

/** What stands beside a player's name: the counters taken, and the card if it is seen. */
export function score(seat: number, view: View, say: Say): string {
  const card = view.cards[seat] ?? 0;
  const taken = say("taken", { count: view.taken[seat] ?? 0 });
  return card ? `${taken}, ${say("card", { card })}` : taken;
}
