/** What a board is to the page: see each web/src/games/<key>/index.ts. */
import type { Component } from "svelte";
import type { AnyView } from "./api";
import type { DistanceMaps, Preview, ScoreChange } from "./wire";

/** A sentence of a catalogue in the language of the page. */
export type Say = (key: string, values?: Record<string, string | number>) => string;

export interface BoardProps {
  /** `state.view` of the server; a past position while replaying. Each game knows its shape. */
  view: AnyView;
  /** My seat, null for a spectator. */
  viewer: number | null;
  toAct: number | "chance" | null;
  /** It is my turn, the game is live, and the newest position is shown. */
  active: boolean;
  /** The texts of the legal actions, empty unless active. */
  legal: string[];
  /** The last action of a seat, to be marked; chance may have acted since. */
  last: { seat: number | null; text: string } | null;
  /** How the points came about, up to the position shown; empty in a game that counts none on the way. */
  points?: ScoreChange[];
  /** Play. What is illegal is refused by the server, and the page shows the clause. */
  act: (action: string) => void;
  preview: (action: string) => Promise<Preview>;
  /** An action to be shown on the board. */
  hint: string | null;
  /** A map to be shown on the board; left out or null: none. */
  reach?: DistanceMaps | null;
  /** The game's own catalogue in the current language. */
  say: Say;
  /** False: no animation. */
  motion: boolean;
}

/** What a game's own field for one of its options is given by the form of a new game. */
export interface FieldProps {
  value: string;
  onchange: (value: string) => void;
  /** The game's own catalogue in the current language. */
  say: Say;
}

/** How a seat is told apart, always by colour and by sign. */
export interface Mark {
  colour: "blue" | "yellow" | "red" | "green";
  sign: "dot" | "plain" | "bar" | "cross" | "square" | "round";
}

export interface GameUi {
  /** The board with everything needed to choose an action. */
  Board: Component<BoardProps>;
  /** A small decorative picture for the home screen. */
  Picture: Component<Record<string, never>>;
  /** A still board for rulebook pages. */
  Diagram?: Component<{ position: AnyView }>;
  /** An action in short words for the move list. */
  describe: (text: string, say: Say) => string;
  /** Catalogues by language, with the same keys in each. */
  messages: Record<string, Record<string, string>>;
  /** A few steps for a first game: message keys, and what to light on the board: a CSS selector, or a data-highlight name. */
  tutorial: { text: string; highlight?: string }[];
  /** Fields of its own for options that are better shown than listed, by the name of the option. */
  fields?: Record<string, Component<FieldProps>>;
  /** The marks of a seat as on the board; blue, yellow, red and green in turn if left out. */
  marks?: (seat: number, view: AnyView) => Mark[];
  /** What stands beside a player's name: points, tiles left. Nothing if left out. */
  score?: (seat: number, view: AnyView, say: Say) => string;
  /** The same after the end, where the number that ranks the seats needs words. That number if left out. */
  final?: (seat: number, points: number, view: AnyView, say: Say) => string;
}
