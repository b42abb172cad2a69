/** Tally on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describeAction, scoreText } from "./labels";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  Diagram,
  describeAction,
  messages,
  tutorial: [{ text: "tutorial_1", highlight: ".heap" }],
  scoreText,
};

export default ui;
