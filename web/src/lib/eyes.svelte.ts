/** On one screen, several seats: through whose eyes the board is seen, and what stays covered until it is passed on. */
import type { Seat } from "./api";
import { api } from "./prefs.svelte";
import type { Session } from "./session.svelte";
import { hides } from "./table";

export class Eyes {
  /** The seat that the device is to be passed to. */
  curtain = $state<Seat | null>(null);
  /** The event after which the seat to act was found to see just what is shown. */
  private same = $state(-1);
  private asked = -1;

  constructor(private readonly game: Session) {
    $effect(() => {
      const { now, mover, known } = game;
      if (this.open) this.curtain = null;
      if (!now || mover === null || this.open || known.connection !== "online" || this.asked === now.seq) return;
      this.asked = now.seq;
      void this.look(mover);
    });
  }

  /** The seat to act may look at what is shown: nothing there is hidden, or it is seen by that seat. */
  open = $derived.by(() => {
    const { now, mover } = this.game;
    return now !== null && mover !== null && (now.viewer === mover || this.same === now.seq || !hides(now.view));
  });

  covered = $derived.by(() => this.curtain !== null && this.game.now?.status === "live");

  lift = (): void => {
    this.game.client.sit(this.curtain);
    this.curtain = null;
  };

  /** If the seat to act sees something else than what is shown, ask first. */
  private async look(seat: Seat): Promise<void> {
    const shown = this.game.now!;
    const theirs = await api.look(this.game.id, seat).catch(() => null);
    if (this.game.left || this.game.now?.seq !== shown.seq) this.asked = -1;
    else if (theirs?.state.position === shown.position) this.same = shown.seq;
    else this.curtain = seat;
  }
}
