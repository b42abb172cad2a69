/** Where the counters are drawn, in units of the SVG. */

export const RADIUS = 12;
export const SPACING = 32;

/** The horizontal centre of each counter of a heap. */
export function counters(heap: number): number[] {
  return Array.from({ length: heap }, (_, at) => SPACING * (at + 0.5));
}
