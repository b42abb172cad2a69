/** A game's options as form fields. The server describes each option in one line, such as
 * `Who takes the bonuses: automatic, the game does; by-hand, the players do.` */
import type { GameOption } from "./wire";

export interface OptionForm {
  name: string;
  label: string;
  /** The text below the field, if the choices are not explained. */
  help: string;
  /** The choices with their texts; empty for free text. */
  choices: { value: string; text: string }[];
  /** Whether the texts of the choices are sentences, to be listed one below the other. */
  explained: boolean;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `random, chance lays them all` for the choice `random`: its text, or null. */
function choiceText(choice: string, parts: readonly string[]): string | null {
  const named = parts.find((part) => part.startsWith(`${choice}, `));
  return named ? capital(named.slice(choice.length + 2)) : null;
}

export function optionField(option: GameOption): OptionForm {
  const split = /^([^:]*?)\s?:\s+(.*?)\.?$/s.exec(option.description);
  const label = split?.[1] ?? option.name;
  const rest = split?.[2] ?? option.description;
  const parts = rest.split(/\s?;\s+/).map((part) => part.trim());
  const texts = option.choices.map((choice) => choiceText(choice, parts));
  if (option.choices.length && texts.every((each) => each !== null)) {
    return {
      name: option.name,
      label,
      help: "",
      choices: option.choices.map((value, at) => ({ value, text: texts[at]! })),
      explained: true,
    };
  }
  const choices = option.choices.map((value) => ({ value, text: capital(value.replaceAll("-", " ")) }));
  return { name: option.name, label, help: capital(rest), choices, explained: false };
}

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
