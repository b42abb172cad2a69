/** The marks of a seat: those of the game, or one of four colours with a sign. */
import type { GameUi, SeatMark } from "./game-ui";
import type { View } from "./wire";

const USUAL: readonly SeatMark[] = [
  { colour: "blue", sign: "dot" },
  { colour: "yellow", sign: "plain" },
  { colour: "red", sign: "bar" },
  { colour: "green", sign: "cross" },
];

export function seatMarks(ui: GameUi | null, seat: number, view: View): SeatMark[] {
  return ui?.seatMarks?.(seat, view) ?? [USUAL[seat % USUAL.length]!];
}
