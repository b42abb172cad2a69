/** The options of a game in the form for a new game. */
import type { GameOption } from "./wire";

/** The options that are relevant with the values of the others. */
export function relevantOptions(options: readonly GameOption[], values: Record<string, string>): GameOption[] {
  const chosen = Object.fromEntries(options.map(({ name, default: usual }) => [name, values[name] ?? usual]));
  const holds = (one: GameOption["relevant_if"][number]): boolean =>
    Object.entries(one).every(([name, those]) => those.includes(chosen[name] ?? ""));
  return options.filter(({ relevant_if: cases }) => !cases.length || cases.some(holds));
}

/** The values that differ from the defaults, to be sent. */
export function changedOptions(options: readonly GameOption[], values: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    options.flatMap(({ name, default: usual }) =>
      values[name] !== undefined && values[name] !== usual ? [[name, values[name]]] : [],
    ),
  );
}
