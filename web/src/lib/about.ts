import type { SummaryResult } from "./wire";

/** A text by language. English is used where a language is missing. */
export type LocalText = { en: string } & Partial<Record<string, string>>;

/** The text in a language. */
export const localText = (text: LocalText, language: string): string => text[language] ?? text.en;

/** What the home screen says of each game before its board is loaded: the file about.ts of the game's folder. */
export interface GameAbout {
  /** How long a game usually takes: from, to. */
  minutes: [number, number];
  /** One or two sentences. */
  pitch: LocalText;
  /** The result of a player alone, such as "5 throws", for lists of games: its number, null without one, and its text. */
  soloResult?: { count: (result: SummaryResult) => number | null; text: LocalText };
}

const files = import.meta.glob<GameAbout>("../games/*/about.ts", { eager: true, import: "default" });

/** What is known of a game, if its folder says so. */
export const aboutGame = (key: string): GameAbout | null => files[`../games/${key}/about.ts`] ?? null;
