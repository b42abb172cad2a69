/** Stepping through a game: which position is shown, and what is highlighted in it. */
import { untrack } from "svelte";
import { hasDistanceMaps } from "./review";
import type { EngineAnalysis } from "./api";
import type { GameEvent, Position } from "./wire";
import { lastSeatAction } from "./history";
import { markedActions, skippedTurns } from "./turns";
import { api, prefs } from "./prefs.svelte";
import type { GameStore } from "./game-store.svelte";
import type { HotSeat } from "./hot-seat.svelte";
import { toasts } from "./toast.svelte";

export class Replay {
  /** The number of actions shown; null for the current position. */
  actionIndex = $state<number | null>(null);
  loadedPosition = $state.raw<Position | null>(null);
  /** The action to highlight on the board: a hint, or the best move. */
  highlighted = $state<string | null>(null);
  /** Analyses of positions by action index, after a hint or a review. */
  analyses = $state.raw<ReadonlyMap<number, EngineAnalysis>>(new Map());
  /** The moves of a variation that is shown after the position. */
  variation = $state.raw<readonly string[]>([]);
  /** The actions that the user points at in the list of moves, to be marked on the board. */
  pointed = $state.raw<readonly GameEvent[] | null>(null);
  /** Whether distance maps are shown. */
  showsMap = $state(false);

  constructor(
    private readonly game: GameStore,
    private readonly hotSeat: HotSeat,
  ) {
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
          if (this.variation !== variation || (!variation.length && this.actionIndex !== wanted)) return;
          // Every array is a new value, so replacing an empty variation would send the same request again.
          if (variation.length)
            this.variation = []; // it cannot contain chance outcomes or hidden moves
          else this.jump(null);
          if (!game.isClosed) toasts.fail(error);
        },
      );
    });
    $effect(() => {
      if (!hotSeat.isCovered) return;
      untrack(() => {
        this.jump(null);
        this.clearAnalysis();
      });
    });
    $effect(() => {
      // The action was undone, and what is shown is the current position or none.
      if (this.actionIndex !== null && this.actionIndex >= game.history.length) untrack(() => this.jump(null));
    });
  }

  /** Whether the current position is shown. No other one is while the board is covered. */
  isLatest = $derived.by(() => this.hotSeat.isCovered || (this.actionIndex === null && !this.variation.length));
  /** The other position that is shown, once it is loaded. */
  private shownPosition = $derived.by(() => (this.isLatest ? null : this.loadedPosition));

  shownIndex = $derived.by(() => this.shownPosition?.action_index ?? this.game.history.length);
  /** My seat in the position shown. An earlier one was loaded for the viewer, who need not be the seat to act now. */
  viewer = $derived.by(() => (this.isLatest ? this.game.viewer : (this.game.state?.viewer ?? null)));
  view = $derived.by(() => (this.shownPosition ? this.shownPosition.view : this.game.state?.view));
  toAct = $derived.by(() => (this.shownPosition ? this.shownPosition.to_act : (this.game.state?.to_act ?? null)));
  /** The last action of a seat, which boards mark; chance may have acted since. */
  lastAction = $derived.by(
    () => this.shownPosition?.variation.at(-1) ?? lastSeatAction(this.game.history, this.shownIndex),
  );

  /** The actions that boards mark: what the user points at, or what the others have done since the user's last move. */
  marked = $derived.by(() => {
    if (this.pointed) return this.pointed;
    const variation = this.shownPosition?.variation ?? [];
    return variation.length
      ? variation.slice(-1)
      : markedActions(this.game.history, this.shownIndex, this.game.mySeats);
  });

  /** The score changes up to the position shown. */
  scoreHistory = $derived.by(
    () => this.game.state?.score_history.filter((each) => each.action_index <= this.shownIndex) ?? [],
  );

  /** The turns that were skipped up to the position shown. */
  skippedTurns = $derived.by(() => skippedTurns(this.game.turns, this.shownIndex));

  /** The highlighted action, once its position is loaded. */
  visibleHighlight = $derived.by(() =>
    !this.variation.length && (this.actionIndex === null || this.loadedPosition?.action_index === this.actionIndex)
      ? this.highlighted
      : null,
  );

  /** The analysis of the position that is shown, or at which the variation begins. */
  analysis = $derived.by(() => this.analyses.get(this.shownIndex) ?? null);
  /** The highlighted action and its principal variation. */
  hintLine = $derived.by<readonly string[]>(() => {
    const action = this.visibleHighlight;
    if (action === null) return [];
    return this.analysis?.candidates.find((each) => each.action === action)?.pv ?? [action];
  });

  /** The distance maps to be shown: of the position itself, not of a variation. */
  distanceMaps = $derived.by(() =>
    this.showsMap && !this.variation.length && hasDistanceMaps(this.analysis) ? this.analysis!.distance_maps : null,
  );

  /** Show the position after so many actions. The one after all of them is the current one, which can be played on. */
  jump = (index: number | null): void => {
    const to = index !== null && index >= this.game.history.length ? null : index;
    this.variation = [];
    this.pointed = null;
    this.actionIndex = this.hotSeat.isCovered ? null : to;
    this.highlighted = this.analyses.get(to ?? this.game.history.length)?.candidates[0]?.action ?? null;
  };

  /** Highlight a move of the position that is shown. */
  highlight = (action: string): void => {
    this.variation = [];
    this.highlighted = action;
  };

  /** Show the moves of a variation on the board. */
  showVariation = (moves: readonly string[]): void => {
    this.variation = moves;
  };

  /** The game has advanced: drop the analyses. The row that the user points at may be gone. */
  clearAnalysis(): void {
    this.variation = [];
    this.pointed = null;
    this.analyses = new Map();
    if (this.actionIndex === null) this.highlighted = null;
  }

  back(): void {
    this.jump(Math.max(0, (this.actionIndex ?? this.game.history.length) - 1));
  }

  forward(): void {
    if (this.actionIndex !== null) this.jump(this.actionIndex + 1);
  }
}
