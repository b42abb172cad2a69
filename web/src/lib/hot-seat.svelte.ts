/** On one screen, several seats: through whose eyes the board is seen, and what stays covered until it is passed on. */
import type { Seat } from "./api";
import type { Session } from "./game-store.svelte";

export class Eyes {
  constructor(private readonly game: Session) {}

  /** The seat that took the device since the page was opened. A reload must not show what it may not see. */
  private handed = $state<Seat | null>(null);

  /** The seat to act may look at what is shown: it sees the same, and has the device. The server says who sees what. */
  open = $derived.by(() => {
    const { now, mover, mine, played } = this.game;
    if (now === null || mover === null) return false;
    const secret = mine.some((seat) => !now.same_view_seats.includes(seat));
    return now.same_view_seats.includes(mover) && (!secret || played === 0 || this.handed === mover);
  });

  /** The seat that the device is to be passed to, if it is mine and sees something else than what is shown. */
  curtain = $derived.by<Seat | null>(() => {
    const { now, mover } = this.game;
    return now?.status === "live" && mover !== null && !this.open ? mover : null;
  });

  covered = $derived.by(() => this.curtain !== null);

  lift = (): void => {
    this.handed = this.curtain;
    this.game.client.viewAs(this.curtain);
  };
}
