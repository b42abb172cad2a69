/** The interface between the page and the folder of a game, web/src/games/<key>; its index.ts exports a GameUi. */
import type { Component } from "svelte";
import type { SkippedTurn } from "./turns";
import type {
  DistanceMaps,
  ExpectedOutcome,
  GameEvent,
  NewGameRequest,
  Outcome,
  Preview,
  ScoreChange,
  View,
} from "./wire";

/** Returns the message of a key in the language of the page, with the values filled in. */
export type Translate = (key: string, values?: Record<string, string | number>) => string;

export interface BoardProps<GameView extends View = View> {
  /** `state.view` of the server; a past position while replaying. Its type is in the view.ts of the game. */
  view: GameView;
  /** My seat, null for a spectator. */
  viewer: number | null;
  toAct: number | "chance" | null;
  /** It is my turn, the game is live, and the newest position is shown. */
  active: boolean;
  /** An earlier position or a variation is shown: nothing must say that one can play. */
  reviewing?: boolean;
  /** The texts of the legal actions, empty unless active. */
  legal: string[];
  /** The last action of a seat, to be marked; chance may have acted since. */
  lastAction: { seat: number | null; text: string } | null;
  /** The actions to be marked: those of the others since my last one, or those that the user points at in the list. */
  marked: readonly { seat: number | null; text: string }[];
  /** Whether the user points at the marked actions in the list. */
  pointed: boolean;
  /** The name of the player of a seat, the same everywhere on the page. */
  name: (seat: number) => string;
  /** The score changes up to the position shown; empty in games without points. */
  scoreHistory?: ScoreChange[];
  /** The turns that seats could not use, up to the position shown. */
  skippedTurns?: readonly SkippedTurn[];
  /** Play an action. The server refuses an illegal one, and the page shows the clause. */
  act: (action: string) => void;
  /** Whether an action was sent that is not answered yet. */
  sending?: boolean;
  preview: (action: string) => Promise<Preview>;
  /** An action to be highlighted on the board. */
  hint: string | null;
  /** The highlighted action and what follows it, as far as it is known. */
  hintLine?: readonly string[];
  /** Called when the board begins and ends to animate what has happened; the result of the game waits for it. */
  animating?: (isAnimating: boolean) => void;
  /** Distance maps to be shown on the board, if any. */
  distanceMaps?: DistanceMaps | null;
  /** The game's own catalogue in the current language. */
  translate: Translate;
  /** Whether to animate. */
  motion: boolean;
}

/** The props of a game's own form field for one of its options. */
export interface OptionFieldProps {
  value: string;
  onchange: (value: string) => void;
  /** The game's own catalogue in the current language. */
  translate: Translate;
}

/** The props of a small decorative picture of one choice of an option. */
export interface OptionPictureProps {
  /** The name of the option, and the value that is chosen. */
  option: string;
  value: string;
}

/** The mark of a seat: a colour and a sign, for users who do not see colours. */
export interface SeatMark {
  colour: "blue" | "yellow" | "red" | "green";
  sign: "dot" | "plain" | "bar" | "cross" | "square" | "round";
}

/** A diagram of a rulebook: a position, and perhaps the preview of an action. */
export interface DiagramProps<GameView extends View = View> {
  /** `legal` has only the actions to be shown. */
  view: GameView;
  /** The seat whose actions are shown, if there are any. */
  toAct?: number | null;
  /** An action on it, with its effects or the reason why it is illegal. */
  preview?: (Preview & { action: string }) | null;
}

/** A finished game of one player. */
export interface SoloGame<GameView extends View = View> {
  /** The view after the end, and the one before the player's first action. */
  view: GameView;
  first: GameView;
  outcome: Outcome;
  /** The number of the player's actions. */
  moves: number;
}

/** What is said of it. Fewer is better. */
export interface SoloResult {
  title: string;
  text: string;
  /** What was counted, and as text. */
  score: number;
  scoreText: (score: number) => string;
  /** What names the board or figure, for the personal best. */
  board: string;
  /** What good play needs, if it is known; a function makes it of the score that the engine expects at the start. */
  par: number | ((expectedScore: number) => number) | null;
  /** Whether the same board can be played again with the same chance. */
  repeats: boolean;
  /** The options by which a board and its chance are given: without them chance makes a new board. */
  chanceOptions?: readonly string[];
  /** The next game of a series, and the words on its button. */
  next?: { text: string; game: () => Promise<NewGameRequest | null> };
}

export interface GameUi<GameView extends View = View> {
  /** The board with everything needed to choose an action. */
  Board: Component<BoardProps<GameView>>;
  /** A small decorative picture for the home screen. */
  Picture: Component<Record<string, never>>;
  /** A still board for rulebook pages. */
  Diagram?: Component<DiagramProps<GameView>>;
  /** An action as a short text for the move list. */
  describeAction: (text: string, translate: Translate) => string;
  /** Whether one tap plays an action, which can then be confirmed on a touch screen; by default none. */
  isPlayedByOneTap?: (text: string) => boolean;
  /** What chance and a seat did in one turn of several actions. If it is given, such actions are one turn in the list. */
  describeTurn?: (turn: { chance: readonly string[]; actions: readonly GameEvent[] }, translate: Translate) => string;
  /** The mark of an action in the list of moves, where a seat has several; by default the first of its seat. */
  actionMark?: (seat: number, text: string, view: GameView) => SeatMark | null;
  /** What a player alone may expect: "about 16 throws". */
  expectedOutcomeText?: (expected: ExpectedOutcome, translate: Translate) => string;
  /** What a player alone threw away: "costs about 2 throws". */
  lossText?: (best: ExpectedOutcome, played: ExpectedOutcome, translate: Translate) => string;
  /** Keys of facts that say nothing about why a move is good. */
  omittedReasons?: readonly string[];
  /** The result of a game of one player; null if it is not finished by its rules. */
  soloResult?: (result: SoloGame<GameView>, translate: Translate) => SoloResult | null;
  /** Catalogues by language, with the same keys in each. */
  messages: Record<string, Record<string, string>>;
  /** The steps of the tutorial: a message key, perhaps another one for screens that are touched, and the element to
   * highlight: a CSS selector, or a data-highlight name. */
  tutorial: { text: string; touch?: string; highlight?: string }[];
  /** The options that the set-up of a game shows at once; by default those that are not advanced. */
  commonOptions?: string[];
  /** Form fields for options that need more than a list of choices, by the name of the option. */
  optionFields?: Record<string, Component<OptionFieldProps>>;
  /** The picture of a choice in the set-up, and the options that have one for each choice. */
  OptionPicture?: Component<OptionPictureProps>;
  picturedOptions?: string[];
  /** Whether analyses of this game have a territory map. */
  hasDistanceMaps?: boolean;
  /** The marks of a seat on the board; by default blue, yellow, red and green in turn. */
  seatMarks?: (seat: number, view: GameView) => SeatMark[];
  /** The score beside a player's name; by default nothing. */
  scoreText?: (seat: number, view: GameView, translate: Translate) => string;
  /** The final score beside a player's name; by default the number. */
  finalScoreText?: (seat: number, points: number, view: GameView, translate: Translate) => string;
}
