/** Triggery on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describe, final, score } from "./logic";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  Diagram,
  describe,
  messages,
  tutorial: [
    { text: "tour1", highlight: ".side" },
    { text: "tour2", highlight: ".purse" },
    { text: "tour3", highlight: ".hold" },
    { text: "tour4", highlight: ".cell.open" },
    { text: "tour5" },
  ],
  marks: (seat, view) => [
    view.sides[seat] === 0 ? { colour: "blue", sign: "dot" } : { colour: "yellow", sign: "plain" },
  ],
  score,
  final,
};

export default ui;
