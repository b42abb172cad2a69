/** The marks of the seats: a game's own, or one colour and sign after the other. */
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
