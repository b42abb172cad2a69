/** Translation of message keys into the language of the page. */
import { en } from "./messages/en";
import { fr } from "./messages/fr";
import type { Translate } from "./game-ui";

export type Key = keyof typeof en;
export const CATALOGUES: Record<string, Record<string, string>> = { en, fr };
export const LANGUAGES: Record<string, string> = { en: "English", fr: "Français" };

/** The first of the wanted languages that is available, or English. */
export function preferredLanguage(wanted: readonly string[]): string {
  return wanted.map((each) => each.split("-")[0]!.toLowerCase()).find((each) => each in CATALOGUES) ?? "en";
}

/** Replace {name} by its value, and {n|one|many} by the plural form for the value. */
export function interpolate(sentence: string, values: Record<string, string | number>, language: string): string {
  return sentence.replace(/\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g, (place, name: string, one?: string, many?: string) => {
    const value = values[name];
    if (value === undefined) return place;
    if (one === undefined || many === undefined) return String(value);
    return new Intl.PluralRules(language).select(Number(value)) === "one" ? one : many;
  });
}

/** A function that translates keys with a catalogue; it falls back to English, then to the key. */
export function translator(catalogues: Record<string, Record<string, string>>, language: string): Translate {
  return (key, values = {}) =>
    interpolate(catalogues[language]?.[key] ?? catalogues.en?.[key] ?? key, values, language);
}
