/** On one screen, several seats: through whose eyes the board is seen, and what stays covered until it is passed on. */
import type { Seat } from "./api";
import type { Session } from "./session.svelte";

export class Eyes {
  constructor(private readonly game: Session) {}

  /** The seat to act may look at what is shown: it sees the same. The server says which seats do. */
  open = $derived.by(() => {
    const { now, mover } = this.game;
    return now !== null && mover !== null && now.same_view_seats.includes(mover);
  });

  /** The seat that the device is to be passed to, if it is mine and sees something else than what is shown. */
  curtain = $derived.by<Seat | null>(() => {
    const { now, mover } = this.game;
    return now?.status === "live" && mover !== null && !this.open ? mover : null;
  });

  covered = $derived.by(() => this.curtain !== null);

  lift = (): void => {
    this.game.client.viewAs(this.curtain);
  };
}
