/** What the home screen says of the game. */
import type { GameAbout } from "../../lib/about";

export default {
  minutes: [1, 2],
  pitch: { en: "Take one to three counters of a heap in turn. In the end a secret card is added to them." },
} satisfies GameAbout;
