/** What the home screen says of the game. */
import type { GameAbout } from "../../lib/about";

export default {
  minutes: [15, 30],
  pitch: {
    en: "Four colours grow over a board of triangles. Your pieces touch at their points, never along a side.",
    fr: "Quatre couleurs gagnent un plateau de triangles. Vos pièces se touchent par les pointes, jamais par un côté.",
  },
  soloResult: {
    count: ({ moves, reason }) => (reason === "solved" ? moves : null),
    text: { en: "{count} {count|move|moves}", fr: "{count} {count|coup|coups}" },
  },
} satisfies GameAbout;
