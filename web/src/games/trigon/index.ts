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
    { text: "tutorial_start", highlight: "board" },
    { text: "tutorial_touch", highlight: "board" },
    { text: "tutorial_hold", highlight: "tray" },
    { text: "tutorial_size", highlight: "tray" },
    { text: "tutorial_end" },
  ],
};

export default ui;
