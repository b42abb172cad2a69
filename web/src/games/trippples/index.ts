/** Trippples on the page. */
import type { GameUi } from "../../lib/game-ui";
import Board from "./Board.svelte";
import Diagram from "./Diagram.svelte";
import { describe, teamOf } from "./logic";
import { messages } from "./messages";
import Picture from "./Picture.svelte";

const ui: GameUi = {
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
  marks: (seat) => [teamOf(seat) === 0 ? { colour: "blue", sign: "square" } : { colour: "red", sign: "round" }],
};

export default ui;
