/** Back and forth through a game: which position is shown, what is marked and what is lit on it. */
import { untrack } from "svelte";
import { hasDistanceMaps } from "./review";
import type { EngineAnalysis } from "./api";
import type { Position } from "./wire";
import { lastSeatAction } from "./history";
import { api, prefs } from "./prefs.svelte";
import type { GameStore } from "./game-store.svelte";
import { toasts } from "./toast.svelte";

export class Replay {
  /** How many actions are shown; null: all, as it stands now. */
  actionIndex = $state<number | null>(null);
  loadedPosition = $state.raw<Position | null>(null);
  /** An action to be lit on the board: a hint, or what would have been best. */
  highlighted = $state<string | null>(null);
  /** What the engine thinks of positions, by the number of actions before them: after a hint, or an analysis. */
  analyses = $state.raw<ReadonlyMap<number, EngineAnalysis>>(new Map());
  /** What is tried on the board after the position: the line of a move. */
  variation = $state.raw<readonly string[]>([]);
  /** Whether a map is wanted of who can come where. */
  showsMap = $state(false);

  constructor(private readonly game: GameStore) {
    $effect(() => {
      const variation = this.variation;
      const wanted = this.actionIndex ?? (variation.length ? untrack(() => game.history.length) : null);
      const viewer = this.game.state?.viewer;
      void prefs.lang;
      if (wanted === null || viewer === undefined) {
        this.loadedPosition = null;
        return;
      }
      void api.position(game.id, wanted, viewer, variation).then(
        (position) => {
          if (
            this.variation === variation &&
            (this.actionIndex === wanted || (this.actionIndex === null && variation.length))
          )
            this.loadedPosition = position;
        },
        (error) => {
          if (this.variation === variation) this.variation = []; // what depends on luck or on a secret cannot be tried
          if (!game.isClosed) toasts.fail(error);
        },
      );
    });
    $effect(() => {
      if (this.actionIndex !== null && this.actionIndex > game.history.length) this.actionIndex = null; // what was looked at has been taken back
    });
  }

  /** Whether the game is shown as it stands. */
  isLatest = $derived.by(() => this.actionIndex === null && !this.variation.length);
  /** The position that is shown instead, once it is there. */
  private shownPosition = $derived.by(() => (this.isLatest ? null : this.loadedPosition));

  shownIndex = $derived.by(() => this.shownPosition?.action_index ?? this.game.history.length);
  view = $derived.by(() => (this.shownPosition ? this.shownPosition.view : this.game.state?.view));
  toAct = $derived.by(() => (this.shownPosition ? this.shownPosition.to_act : (this.game.state?.to_act ?? null)));
  /** What boards mark: the last action of a seat; draws and throws since then do not hide it. */
  lastAction = $derived.by(
    () => this.shownPosition?.variation.at(-1) ?? lastSeatAction(this.game.history, this.shownIndex),
  );

  /** How the points came about until then. */
  scoreHistory = $derived.by(
    () => this.game.state?.score_history.filter((each) => each.action_index <= this.shownIndex) ?? [],
  );

  /** What is lit, once the position is there that it belongs to. */
  visibleHighlight = $derived.by(() =>
    !this.variation.length && (this.actionIndex === null || this.loadedPosition?.action_index === this.actionIndex)
      ? this.highlighted
      : null,
  );

  /** What the engine thinks of the position that is shown, or from which something is tried. */
  analysis = $derived.by(() => this.analyses.get(this.shownIndex) ?? null);
  /** The map to be shown: of the position itself, not of what is tried after it. */
  distanceMaps = $derived.by(() =>
    this.showsMap && !this.variation.length && hasDistanceMaps(this.analysis) ? this.analysis!.distance_maps : null,
  );

  jump = (to: number | null): void => {
    this.variation = [];
    this.actionIndex = to;
    this.highlighted = to === null ? null : (this.analyses.get(to)?.candidates[0]?.action ?? null);
  };

  /** Look at a move of the position that is shown. */
  highlight = (action: string): void => {
    this.variation = [];
    this.highlighted = action;
  };

  /** Play some moves on the board only. */
  showVariation = (line: readonly string[]): void => {
    this.variation = line;
  };

  /** The game has gone on: what was thought of it is old. */
  clearAnalysis(): void {
    this.variation = [];
    this.analyses = new Map();
    if (this.actionIndex === null) this.highlighted = null;
  }

  back(): void {
    this.jump(Math.max(0, (this.actionIndex ?? this.game.history.length) - 1));
  }

  forward(): void {
    if (this.actionIndex !== null)
      this.jump(this.actionIndex + 1 >= this.game.history.length ? null : this.actionIndex + 1);
  }
}
