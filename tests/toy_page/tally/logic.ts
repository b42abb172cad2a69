/** What the board of Tally can work out from a view without a screen. No rule lives here. */
import type { BoardShape } from "../../lib/layout";

/** A wide board, and a row of buttons as its hand. */
export const SHAPE: BoardShape = { ratio: 2.5, handWidth: 300, handHeight: () => 60 };

/** The number of counters that an action takes; 0 for other actions. */
export function countOf(text: string): number {
  return Number(/^take (\d+)$/.exec(text)?.[1] ?? 0);
}
