/** Back and forth through a game: which position is shown, what is marked and what is lit on it. */
import type { Position } from "./api";
import { lastOf } from "./line";
import { api, prefs } from "./prefs.svelte";
import type { Session } from "./session.svelte";
import { toasts } from "./toast.svelte";

export class Replay {
  /** How many actions are shown; null: all, as it stands now. */
  at = $state<number | null>(null);
  past = $state.raw<Position | null>(null);
  /** An action to be lit on the board: a hint, or what would have been best. */
  lit = $state<string | null>(null);
  /** After an analysis: what would have been best, by the number of actions before it. */
  best = $state.raw<ReadonlyMap<number, string>>(new Map());

  constructor(private readonly game: Session) {
    $effect(() => {
      const wanted = this.at;
      const viewer = this.game.now?.viewer;
      void prefs.lang;
      if (wanted === null || viewer === undefined) {
        this.past = null;
        return;
      }
      void api.position(game.id, wanted, viewer).then(
        (found) => {
          if (this.at === wanted) this.past = found;
        },
        (error) => {
          if (!game.left) toasts.fail(error);
        },
      );
    });
    $effect(() => {
      if (this.at !== null && this.at > game.line.length) this.at = null; // what was looked at has been taken back
    });
  }

  shown = $derived.by(() => (this.past && this.at !== null ? this.past.at : this.game.line.length));
  view = $derived.by(() => (this.past && this.at !== null ? this.past.view : this.game.now?.view));
  toAct = $derived.by(() => (this.past && this.at !== null ? this.past.to_act : (this.game.now?.to_act ?? null)));
  /** What boards mark: the last action of a seat; draws and throws since then do not hide it. */
  last = $derived.by(() => lastOf(this.game.line, this.shown));

  /** How the points came about until then. */
  points = $derived.by(() => this.game.now?.scores.filter((each) => each.at <= this.shown) ?? []);

  /** What is lit, once the position is there that it belongs to. */
  glow = $derived.by(() => (this.at === null || this.past?.at === this.at ? this.lit : null));

  jump = (to: number | null): void => {
    this.at = to;
    this.lit = to === null ? null : (this.best.get(to) ?? null);
  };

  back(): void {
    this.jump(Math.max(0, (this.at ?? this.game.line.length) - 1));
  }

  on(): void {
    if (this.at !== null) this.jump(this.at + 1 >= this.game.line.length ? null : this.at + 1);
  }
}
