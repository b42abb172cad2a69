/** The bag of the set-up: how often it has each tile, and its text, such as `2x1-3,7,2x*`. */
export const NUMBERS = Array.from({ length: 24 }, (_, at) => at + 1);
export const STAR = "*";
/** The tiles that one board takes. */
export const LEAST = 36;
const MOST = 99;

/** How often each tile is in the bag, by its name. */
export function parseBag(text: string): Map<string, number> {
  const bag = new Map<string, number>();
  for (const item of text.split(",")) {
    const match = /^(?:(\d+)x)?(?:(\d+)(?:-(\d+))?|\*)$/.exec(item.trim());
    if (!match) continue;
    const [, times = "1", low, high = low] = match;
    const names =
      low === undefined
        ? [STAR]
        : Array.from({ length: Math.max(0, Math.min(99, Number(high)) - Number(low) + 1) }, (_, at) =>
            String(Number(low) + at),
          );
    for (const name of names) bag.set(name, Math.min(MOST, (bag.get(name) ?? 0) + Number(times)));
  }
  return bag;
}

/** The text of a bag; numbers that follow each other equally often become a range. */
export function bagText(bag: ReadonlyMap<string, number>): string {
  const runs: { low: number; high: number; count: number }[] = [];
  const numbers = [...bag].filter(([name, count]) => name !== STAR && count > 0);
  for (const [number, count] of numbers
    .map(([name, count]) => [Number(name), count] as const)
    .sort((a, b) => a[0] - b[0])) {
    const last = runs.at(-1);
    if (last && last.high === number - 1 && last.count === count) last.high = number;
    else runs.push({ low: number, high: number, count });
  }
  const times = (count: number): string => (count === 1 ? "" : `${count}x`);
  const parts = runs.map(({ low, high, count }) => `${times(count)}${low === high ? low : `${low}-${high}`}`);
  const stars = bag.get(STAR) ?? 0;
  return [...parts, ...(stars ? [`${times(stars)}${STAR}`] : [])].join(",");
}

/** The bag with one tile more or less. */
export function changed(bag: ReadonlyMap<string, number>, name: string, by: 1 | -1): Map<string, number> {
  const next = new Map(bag);
  next.set(name, Math.max(0, Math.min(MOST, (bag.get(name) ?? 0) + by)));
  return next;
}

export const total = (bag: ReadonlyMap<string, number>): number =>
  [...bag.values()].reduce((sum, each) => sum + each, 0);
