import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { messages } from "./messages";
import OptionPicture from "./OptionPicture.svelte";
import Picture from "./Picture.svelte";
import type { View } from "./view";
import { describeAction } from "./labels";

const ui: GameUi<View> = {
  Board,
  Picture,
  OptionPicture,
  picturedOptions: ["players"],
  Diagram,
  describeAction,
  messages,
  tutorial: [
    { text: "tutorial_line", highlight: '[data-highlight="board"]' },
    { text: "tutorial_fifteen", highlight: '[data-highlight="board"]' },
    { text: "tutorial_points" },
    { text: "tutorial_squares", highlight: '[data-highlight="board"]' },
    { text: "tutorial_joker", highlight: '[data-highlight="rack"]' },
    { text: "tutorial_exchange", highlight: '[data-highlight="exchange"]' },
  ],
  omittedReasons: ["points", "expects"],
  scoreText: (seat, view) => String(view.scores[seat] ?? ""),
};

export default ui;
