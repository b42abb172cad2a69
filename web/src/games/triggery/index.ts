/** Triggery on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describeAction, finalScoreText, scoreText } from "./labels";
import { messages } from "./messages";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  Diagram,
  describeAction,
  messages,
  tutorial: [
    { text: "tour1", highlight: ".side" },
    { text: "tour2", highlight: ".purse" },
    { text: "tour3", highlight: ".hold" },
    { text: "tour4", highlight: ".cell.open" },
    { text: "tour5" },
  ],
  seatMarks: (seat, view) => [
    view.sides[seat] === 0 ? { colour: "blue", sign: "dot" } : { colour: "yellow", sign: "plain" },
  ],
  scoreText,
  finalScoreText,
};

export default ui;
