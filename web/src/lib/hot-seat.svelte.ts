/** Hot-seat play: several seats on one device. The board is covered until the next player has the device. */
import type { Seat } from "./api";
import type { GameStore } from "./game-store.svelte";

export class HotSeat {
  constructor(private readonly game: GameStore) {}

  /** The seat whose player confirmed to have the device since the page was loaded; after a reload there is none. */
  private deviceHolder = $state<Seat | null>(null);

  /** Whether the seat to act may see the view that is shown: the server says that it sees the same, and it has the device. */
  canAct = $derived.by(() => {
    const { state, seatToAct, mySeats, myMoveCount } = this.game;
    if (state === null || seatToAct === null) return false;
    const hidesSomething = mySeats.some((seat) => !state.same_view_seats.includes(seat));
    return (
      state.same_view_seats.includes(seatToAct) &&
      (!hidesSomething || myMoveCount === 0 || this.deviceHolder === seatToAct)
    );
  });

  /** The seat to pass the device to, if it is one of mine and may not see the view that is shown. */
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
