/** On one screen, several seats: through whose eyes the board is seen, and what stays covered until it is passed on. */
import type { Seat } from "./api";
import type { GameStore } from "./game-store.svelte";

export class HotSeat {
  constructor(private readonly game: GameStore) {}

  /** The seat that took the device since the page was opened. A reload must not show what it may not see. */
  private deviceHolder = $state<Seat | null>(null);

  /** The seat to act may look at what is shown: it sees the same, and has the device. The server says who sees what. */
  canAct = $derived.by(() => {
    const { state, seatToAct, mySeats, myMoveCount } = this.game;
    if (state === null || seatToAct === null) return false;
    const hidesSomething = mySeats.some((seat) => !state.same_view_seats.includes(seat));
    return (
      state.same_view_seats.includes(seatToAct) &&
      (!hidesSomething || myMoveCount === 0 || this.deviceHolder === seatToAct)
    );
  });

  /** The seat that the device is to be passed to, if it is mine and sees something else than what is shown. */
  nextSeat = $derived.by<Seat | null>(() => {
    const { state, seatToAct } = this.game;
    return state?.status === "live" && seatToAct !== null && !this.canAct ? seatToAct : null;
  });

  isCovered = $derived.by(() => this.nextSeat !== null);

  reveal = (): void => {
    this.deviceHolder = this.nextSeat;
    this.game.client.viewAs(this.nextSeat);
  };
}
