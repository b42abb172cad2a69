/** What the home screen says of the game. */
import type { GameAbout } from "../../lib/about";

export default {
  minutes: [10, 20],
  pitch: {
    en: "Throw the dice and turn your tiles face down before the others do. One good throw sets off a whole chain.",
    fr: "Lancez les dés et retournez vos plaquettes avant les autres. Un bon jet en entraîne toute une suite.",
  },
  soloResult: {
    count: ({ scores, reason }) => (reason === "cleared" ? -scores[0]! : null), // fewer throws are better
    text: { en: "{count} {count|throw|throws}", fr: "{count} {count|lancer|lancers}" },
  },
} satisfies GameAbout;
