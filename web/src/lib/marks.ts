/** The marks of the seats: a game's own, or one colour and sign after the other. */
import type { GameUi, Mark } from "./game-ui";

const USUAL: readonly Mark[] = [
  { colour: "blue", sign: "dot" },
  { colour: "yellow", sign: "plain" },
  { colour: "red", sign: "bar" },
  { colour: "green", sign: "cross" },
];

export function marks(ui: GameUi | null, seat: number, view: unknown): Mark[] {
  return ui?.marks?.(seat, view) ?? [USUAL[seat % USUAL.length]!];
}
