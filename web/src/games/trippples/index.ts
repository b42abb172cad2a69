/** Trippples on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import LayoutOptionField from "./components/LayoutOptionField.svelte";
import Diagram from "./Diagram.svelte";
import { describeAction } from "./labels";
import { messages } from "./messages";
import OptionPicture from "./OptionPicture.svelte";
import Picture from "./Picture.svelte";
import type { View } from "./view";

const ui: GameUi<View> = {
  Board,
  Picture,
  OptionPicture,
  picturedOptions: ["players", "layout", "tiles"],
  Diagram,
  describeAction,
  isPlayedByOneTap: () => true,
  messages,
  tutorial: [
    { text: "tutorial_1", highlight: ".home" },
    { text: "tutorial_2", highlight: ".pawn.binds" },
    { text: "tutorial_3", highlight: ".square.open" },
    { text: "tutorial_4", highlight: ".square.open" },
    { text: "tutorial_5" },
  ],
  optionFields: { board: LayoutOptionField },
  commonOptions: ["layout", "tiles", "board"],
  seatMarks: (seat, view) => [
    view.teams[seat] === 0 ? { colour: "blue", sign: "square" } : { colour: "red", sign: "round" },
  ],
};

export default ui;
