/** Triggery on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import BagOptionField from "./components/BagOptionField.svelte";
import Diagram from "./Diagram.svelte";
import {
  describeAction,
  describeTurn,
  finalScoreText,
  lossText,
  expectedOutcomeText,
  scoreText,
  soloResult,
} from "./labels";
import { messages } from "./messages";
import OptionPicture from "./OptionPicture.svelte";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  OptionPicture,
  picturedOptions: ["players", "bonus", "score"],
  Diagram,
  describeAction,
  isPlayedByOneTap: (text) => text.startsWith("turn "),
  describeTurn,
  expectedOutcomeText,
  lossText,
  soloResult,
  messages,
  tutorial: [
    { text: "tutorial_1", highlight: ".board" },
    { text: "tutorial_2", touch: "tutorial_2_touch", highlight: ".budget-panel" },
    { text: "tutorial_3", highlight: ".board-frame" },
    { text: "tutorial_4", touch: "tutorial_4_touch", highlight: ".cell.open" },
    { text: "tutorial_5" },
  ],
  optionFields: { bag: BagOptionField },
  seatMarks: (seat, view) => [
    view.sides[seat] === 0 ? { colour: "blue", sign: "dot" } : { colour: "yellow", sign: "plain" },
  ],
  scoreText,
  finalScoreText,
};

export default ui;
