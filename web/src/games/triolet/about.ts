/** What the home screen says of the game. */
import type { GameAbout } from "../../lib/about";

export default {
  minutes: [20, 40],
  pitch: {
    en: "Numbers cross on a grid as words do elsewhere, with one law: three in a line make fifteen.",
    fr: "Des nombres se croisent comme ailleurs des mots, sous une seule loi : trois alignés font quinze.",
  },
} satisfies GameAbout;
