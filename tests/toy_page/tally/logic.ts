/** What the board of Tally can work out from a view without a screen. No rule lives here. */

/** The number of counters that an action takes; 0 for other actions. */
export function countOf(text: string): number {
  return Number(/^take (\d+)$/.exec(text)?.[1] ?? 0);
}
