/** What a board is to the page: see each web/src/games/<key>/index.ts. */
import type { Component } from "svelte";
import type { DistanceMaps, Preview, ScoreChange, View } from "./wire";

/** A sentence of a catalogue in the language of the page. */
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface BoardProps<GameView extends View = View> {
  /** `state.view` of the server; a past position while replaying. Its type is in the view.ts of the game. */
  view: GameView;
  /** My seat, null for a spectator. */
  viewer: number | null;
  toAct: number | "chance" | null;
  /** It is my turn, the game is live, and the newest position is shown. */
  active: boolean;
  /** The texts of the legal actions, empty unless active. */
  legal: string[];
  /** The last action of a seat, to be marked; chance may have acted since. */
  lastAction: { seat: number | null; text: string } | null;
  /** How the points came about, up to the position shown; empty in a game that counts none on the way. */
  scoreHistory?: ScoreChange[];
  /** Play. What is illegal is refused by the server, and the page shows the clause. */
  act: (action: string) => void;
  preview: (action: string) => Promise<Preview>;
  /** An action to be shown on the board. */
  hint: string | null;
  /** A map to be shown on the board; left out or null: none. */
  distanceMaps?: DistanceMaps | null;
  /** The game's own catalogue in the current language. */
  translate: Translate;
  /** False: no animation. */
  motion: boolean;
}

/** What a game's own field for one of its options is given by the form of a new game. */
export interface OptionFieldProps {
  value: string;
  onchange: (value: string) => void;
  /** The game's own catalogue in the current language. */
  translate: Translate;
}

/** How a seat is told apart, always by colour and by sign. */
export interface SeatMark {
  colour: "blue" | "yellow" | "red" | "green";
  sign: "dot" | "plain" | "bar" | "cross" | "square" | "round";
}

/** A diagram of a rulebook: a position, and perhaps an action that is tried there. */
export interface DiagramProps<GameView extends View = View> {
  /** Its `legal` has the actions to be shown only. */
  view: GameView;
  /** The seat whose actions are shown, if there are any. */
  toAct?: number | null;
  tried?: (Preview & { action: string }) | null;
}

export interface GameUi<GameView extends View = View> {
  /** The board with everything needed to choose an action. */
  Board: Component<BoardProps<GameView>>;
  /** A small decorative picture for the home screen. */
  Picture: Component<Record<string, never>>;
  /** A still board for rulebook pages. */
  Diagram?: Component<DiagramProps<GameView>>;
  /** An action in short words for the move list. */
  describeAction: (text: string, translate: Translate) => string;
  /** Catalogues by language, with the same keys in each. */
  messages: Record<string, Record<string, string>>;
  /** A few steps for a first game: message keys, and what to light on the board: a CSS selector, or a data-highlight name. */
  tutorial: { text: string; highlight?: string }[];
  /** Fields of its own for options that are better shown than listed, by the name of the option. */
  optionFields?: Record<string, Component<OptionFieldProps>>;
  /** The marks of a seat as on the board; blue, yellow, red and green in turn if left out. */
  seatMarks?: (seat: number, view: GameView) => SeatMark[];
  /** What stands beside a player's name: points, tiles left. Nothing if left out. */
  scoreText?: (seat: number, view: GameView, translate: Translate) => string;
  /** The same after the end, where the number that ranks the seats needs words. That number if left out. */
  finalScoreText?: (seat: number, points: number, view: GameView, translate: Translate) => string;
}
