/** What the home screen says of the game. */
import type { GameAbout } from "../../lib/about";

export default {
  minutes: [5, 15],
  pitch: {
    en: "A race of two glass pawns across a maze of arrows: those under your rival's pawn say where yours may go.",
    fr: "Deux pions de verre traversent un dédale de flèches : celles sous le pion adverse guident le vôtre.",
  },
} satisfies GameAbout;
