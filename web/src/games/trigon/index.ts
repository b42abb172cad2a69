import type { GameUi, Mark } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import FigureField from "./components/FigureOptionField.svelte";
import { coloursOf, scoreOf } from "./logic";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import PiecesField from "./components/PiecesOptionField.svelte";
import ShapeField from "./components/ShapeOptionField.svelte";
import type { View } from "./view";
import { describeAction } from "./labels";

const SIGNS: Record<Mark["colour"], Mark["sign"]> = { blue: "dot", yellow: "plain", red: "bar", green: "cross" };

const ui: GameUi<View> = {
  Board,
  Picture,
  Diagram,
  describe: describeAction,
  messages,
  tutorial: [
    { text: "tutorial_start", highlight: '[data-highlight="board"]' },
    { text: "tutorial_touch", highlight: '[data-highlight="board"]' },
    { text: "tutorial_hold", highlight: '[data-highlight="tray"]' },
    { text: "tutorial_size", highlight: '[data-highlight="tray"]' },
    { text: "tutorial_end" },
  ],
  fields: { figure: FigureField, shape: ShapeField, pieces: PiecesField },
  marks: (seat, view) =>
    coloursOf(view, seat)
      .slice(0, view.solitaire ? 1 : undefined)
      .map((colour) => ({ colour, sign: SIGNS[colour] })),
  score: (seat, view) => scoreOf(view, seat),
};

export default ui;
