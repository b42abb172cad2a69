/** Back and forth through a game: which position is shown, what is marked and what is lit on it. */
import { untrack } from "svelte";
import { mapped } from "./review";
import type { EngineAnalysis } from "./api";
import type { Position } from "./wire";
import { lastOf } from "./history";
import { api, prefs } from "./prefs.svelte";
import type { Session } from "./game-store.svelte";
import { toasts } from "./toast.svelte";

export class Replay {
  /** How many actions are shown; null: all, as it stands now. */
  at = $state<number | null>(null);
  past = $state.raw<Position | null>(null);
  /** An action to be lit on the board: a hint, or what would have been best. */
  lit = $state<string | null>(null);
  /** What the engine thinks of positions, by the number of actions before them: after a hint, or an analysis. */
  studied = $state.raw<ReadonlyMap<number, EngineAnalysis>>(new Map());
  /** What is tried on the board after the position: the line of a move. */
  tried = $state.raw<readonly string[]>([]);
  /** Whether a map is wanted of who can come where. */
  map = $state(false);

  constructor(private readonly game: Session) {
    $effect(() => {
      const tried = this.tried;
      const wanted = this.at ?? (tried.length ? untrack(() => game.line.length) : null);
      const viewer = this.game.now?.viewer;
      void prefs.lang;
      if (wanted === null || viewer === undefined) {
        this.past = null;
        return;
      }
      void api.position(game.id, wanted, viewer, tried).then(
        (found) => {
          if (this.tried === tried && (this.at === wanted || (this.at === null && tried.length))) this.past = found;
        },
        (error) => {
          if (this.tried === tried) this.tried = []; // what depends on luck or on a secret cannot be tried
          if (!game.left) toasts.fail(error);
        },
      );
    });
    $effect(() => {
      if (this.at !== null && this.at > game.line.length) this.at = null; // what was looked at has been taken back
    });
  }

  /** Whether the game is shown as it stands. */
  isNow = $derived.by(() => this.at === null && !this.tried.length);
  /** The position that is shown instead, once it is there. */
  private instead = $derived.by(() => (this.isNow ? null : this.past));

  shown = $derived.by(() => this.instead?.action_index ?? this.game.line.length);
  view = $derived.by(() => (this.instead ? this.instead.view : this.game.now?.view));
  toAct = $derived.by(() => (this.instead ? this.instead.to_act : (this.game.now?.to_act ?? null)));
  /** What boards mark: the last action of a seat; draws and throws since then do not hide it. */
  last = $derived.by(() => this.instead?.variation.at(-1) ?? lastOf(this.game.line, this.shown));

  /** How the points came about until then. */
  points = $derived.by(() => this.game.now?.score_history.filter((each) => each.action_index <= this.shown) ?? []);

  /** What is lit, once the position is there that it belongs to. */
  glow = $derived.by(() =>
    !this.tried.length && (this.at === null || this.past?.action_index === this.at) ? this.lit : null,
  );

  /** What the engine thinks of the position that is shown, or from which something is tried. */
  study = $derived.by(() => this.studied.get(this.shown) ?? null);
  /** The map to be shown: of the position itself, not of what is tried after it. */
  reach = $derived.by(() => (this.map && !this.tried.length && mapped(this.study) ? this.study!.distance_maps : null));

  jump = (to: number | null): void => {
    this.tried = [];
    this.at = to;
    this.lit = to === null ? null : (this.studied.get(to)?.candidates[0]?.action ?? null);
  };

  /** Look at a move of the position that is shown. */
  light = (action: string): void => {
    this.tried = [];
    this.lit = action;
  };

  /** Play some moves on the board only. */
  attempt = (line: readonly string[]): void => {
    this.tried = line;
  };

  /** The game has gone on: what was thought of it is old. */
  forget(): void {
    this.tried = [];
    this.studied = new Map();
    if (this.at === null) this.lit = null;
  }

  back(): void {
    this.jump(Math.max(0, (this.at ?? this.game.line.length) - 1));
  }

  on(): void {
    if (this.at !== null) this.jump(this.at + 1 >= this.game.line.length ? null : this.at + 1);
  }
}
