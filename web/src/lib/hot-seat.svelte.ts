/** Hot-seat play: several seats on one device. The board is covered until the next player has the device. */
import type { Seat } from "./api";
import type { GameStore } from "./game-store.svelte";

export class HotSeat {
  constructor(private readonly game: GameStore) {
    $effect(() => {
      this.deviceHolder = this.isCovered ? null : (game.state?.viewer ?? null);
    });
  }

  /** The seat whose player has the device. At the start and after a reload there is none, nor while the device is
   * passed on. */
  private deviceHolder = $state<Seat | null>(null);

  /** Whether the seat to act may see the view that is shown: the server says that it sees the same. */
  private seesView = $derived.by(
    () => this.game.seatToAct !== null && (this.game.state?.same_view_seats.includes(this.game.seatToAct) ?? false),
  );

  /** Whether the board is covered: one of my seats may not see the view, and it is not the view of who has the device.
   *
   * A game begins covered: chance may let another player begin than the one who has set it up. */
  isCovered = $derived.by(() => {
    const { state, seatToAct, mySeats } = this.game;
    if (state?.status !== "live" || mySeats.every((seat) => state.same_view_seats.includes(seat))) return false;
    if (seatToAct !== null && !this.seesView) return true;
    return this.deviceHolder !== state.viewer;
  });

  canAct = $derived.by(() => this.seesView && !this.isCovered);

  /** The seat to pass the device to; null if the board is not covered. */
  nextSeat = $derived.by<Seat | null>(() =>
    this.isCovered ? (this.game.seatToAct ?? this.game.state?.viewer ?? null) : null,
  );

  reveal = (): void => {
    this.deviceHolder = this.nextSeat;
    this.game.client.viewAs(this.nextSeat);
  };
}
