/** Tally on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describe, score } from "./logic";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  Diagram,
  describe,
  messages,
  tutorial: [{ text: "tour1", highlight: ".heap" }],
  score,
};

export default ui;
