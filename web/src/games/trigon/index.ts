import type { GameUi, SeatMark } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import FigureOptionField from "./components/FigureOptionField.svelte";
import { colourOfPlacement, coloursOf } from "./logic";
import { nextGame } from "./next-figure.svelte";
import { messages } from "./messages";
import OptionPicture from "./OptionPicture.svelte";
import Picture from "./Picture.svelte";
import PiecesOptionField from "./components/PiecesOptionField.svelte";
import ShapeOptionField from "./components/ShapeOptionField.svelte";
import type { View } from "./view";
import { describeAction, scoreText, soloResult } from "./labels";

const SIGNS: Record<SeatMark["colour"], SeatMark["sign"]> = {
  blue: "dot",
  yellow: "plain",
  red: "bar",
  green: "cross",
};

const ui: GameUi<View> = {
  Board,
  Picture,
  OptionPicture,
  picturedOptions: ["players", "teams", "contact", "start"],
  Diagram,
  describeAction,
  messages,
  tutorial: [
    { text: "tutorial_start", highlight: '[data-highlight="board"]' },
    { text: "tutorial_touch", highlight: '[data-highlight="board"]' },
    { text: "tutorial_hold", touch: "tutorial_hold_touch", highlight: '[data-highlight="tray"]' },
    { text: "tutorial_size", highlight: '[data-highlight="tray"]' },
    { text: "tutorial_end" },
  ],
  hasDistanceMaps: true,
  optionFields: { figure: FigureOptionField, shape: ShapeOptionField, pieces: PiecesOptionField },
  seatMarks: (seat, view) =>
    coloursOf(view, seat)
      .slice(0, view.solitaire ? 1 : undefined)
      .map((colour) => ({ colour, sign: SIGNS[colour] })),
  actionMark: (_seat, text, view) => {
    const colour = view.solitaire ? null : colourOfPlacement(view, text);
    return colour && { colour, sign: SIGNS[colour] };
  },
  omittedReasons: ["left"],
  soloResult: (solved, translate) => soloResult(solved, translate, nextGame),
  scoreText,
};

export default ui;
