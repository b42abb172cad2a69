/** The marks of the seats: a game's own, or one colour and sign after the other. */
import type { GameUi, Mark } from "./game-ui";
import type { View } from "./wire";

const USUAL: readonly Mark[] = [
  { colour: "blue", sign: "dot" },
  { colour: "yellow", sign: "plain" },
  { colour: "red", sign: "bar" },
  { colour: "green", sign: "cross" },
];

export function marks(ui: GameUi | null, seat: number, view: View): Mark[] {
  return ui?.marks?.(seat, view) ?? [USUAL[seat % USUAL.length]!];
}
