import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import { describeAction } from "./words";

const ui: GameUi = {
  Board,
  Picture,
  Diagram,
  describe: describeAction,
  messages,
  tutorial: [
    { text: "tutorial_line", highlight: "board" },
    { text: "tutorial_fifteen", highlight: "board" },
    { text: "tutorial_points" },
    { text: "tutorial_squares", highlight: "board" },
    { text: "tutorial_joker", highlight: "rack" },
    { text: "tutorial_exchange", highlight: "exchange" },
  ],
};

export default ui;
