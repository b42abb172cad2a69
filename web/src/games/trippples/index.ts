/** Trippples on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describe, teamOf } from "./logic";
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
    { text: "tour1", highlight: ".home" },
    { text: "tour2", highlight: ".pawn.binds" },
    { text: "tour3", highlight: ".square.open" },
    { text: "tour4", highlight: ".square.open" },
    { text: "tour5" },
  ],
  marks: (seat, view) => [
    teamOf(view, seat) === 0 ? { colour: "blue", sign: "square" } : { colour: "red", sign: "round" },
  ],
};

export default ui;
