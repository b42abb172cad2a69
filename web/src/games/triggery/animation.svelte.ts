/** The animation from one position to the next: tiles turn over one after another, dice roll. */
import { flipsBetween, hasNewThrow, linesClearedBetween, type ClearedLine } from "./logic";
import type { View } from "./view";

const CHAIN_STEP = 120; // ms between two tiles of a chain
const SINGLE_STEP = 60; // ms for a tile that frees no others
const AFTER_FLIP = 160; // ms to see a turned tile
const AFTER_LINES = 420; // ms to see the cleared lines, or the end of a turn
const AFTER_ROUND = 1100; // ms to see a cleared board
const ROUND_RESULT = 2400; // ms to read how a round ended before the next one goes on
const ROLL = 620; // ms that dice roll
const LONGEST_QUEUE = 24; // positions; with more, the newest is shown at once. A bot plays a whole turn at once

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class BoardAnimation {
  /** The position that is shown, which follows the newest one. */
  view = $state.raw<View>() as View;
  /** The cells of `board` that are turned over since the position that is shown, and the lines cleared by them. */
  board = $state(-1);
  turnedCells = $state.raw<ReadonlySet<number>>(new Set());
  clearedLines = $state.raw<readonly ClearedLine[]>([]);
  /** The cells turned over recently. */
  recentlyTurned = $state.raw<{ board: number; cells: ReadonlySet<number> }>({ board: -1, cells: new Set() });
  isRolling = $state(false);
  /** Whether all tiles are being turned face up for the next round. */
  isReturning = $state(false);
  isPlaying = $state(false);

  #queue: View[] = [];
  #run = 0; // increased to cancel the running animation

  /** `ended` is called at the end of a round, with the position after it. */
  constructor(
    first: View,
    readonly ended: (after: View) => void,
  ) {
    this.view = first;
  }

  /** Add a position, to be animated unless `motion` is false. Returns false if it is known already. */
  enqueue(view: View, motion: boolean): boolean {
    if (view === this.view || view === this.#queue.at(-1)) return false;
    this.#queue.push(view);
    if (!motion || this.#queue.length > LONGEST_QUEUE) this.skipToLatest();
    else if (!this.isPlaying) void this.#play(++this.#run);
    return true;
  }

  /** Show the newest position at once. */
  skipToLatest(): void {
    this.#run += 1;
    for (const each of this.#queue.splice(0)) this.#apply(each);
    this.#clearMarks();
    this.isRolling = false;
    this.isReturning = false;
    this.isPlaying = false;
  }

  /** Cancel the animation, without a result. */
  close(): void {
    this.#run = -1;
  }

  /** Show a position, and mark the tiles that it turned over. */
  #apply(next: View): void {
    const before = this.view;
    const flip = flipsBetween(before, next);
    if (flip?.ends) {
      this.ended(next);
      this.recentlyTurned = { board: -1, cells: new Set() };
    } else if (flip) {
      const more =
        this.recentlyTurned.board === flip.board && before.flipped.length > 0 ? [...this.recentlyTurned.cells] : [];
      this.recentlyTurned = { board: flip.board, cells: new Set([...more, ...flip.order]) };
    }
    this.view = next;
  }

  #clearMarks(): void {
    this.turnedCells = new Set();
    this.board = -1;
    this.clearedLines = [];
  }

  /** Turn the tiles over one by one, show the position, then roll the dice. */
  async #play(run: number): Promise<void> {
    this.isPlaying = true;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const flip = flipsBetween(this.view, next);
      const roll = hasNewThrow(this.view, next);
      if (flip) {
        const lines = linesClearedBetween(this.view, next, flip);
        this.board = flip.board;
        for (const [at] of flip.order.entries()) {
          this.turnedCells = new Set(flip.order.slice(0, at + 1));
          this.clearedLines = lines.filter((each) => each.at <= at);
          await pause(flip.order.length > 1 ? CHAIN_STEP : SINGLE_STEP);
          if (run !== this.#run) return;
        }
        await pause(flip.ends ? AFTER_ROUND : this.clearedLines.length || roll ? AFTER_LINES : AFTER_FLIP);
        if (run !== this.#run) return;
      }
      this.isReturning = flip?.ends ?? false;
      this.#queue.shift();
      this.#apply(next);
      this.#clearMarks();
      if (flip?.ends) {
        await pause(ROUND_RESULT);
        if (run !== this.#run) return;
      }
      if (!roll) continue;
      this.isRolling = true;
      await pause(ROLL);
      if (run !== this.#run) return;
      this.isRolling = false;
    }
    this.isPlaying = false;
    this.isReturning = false;
  }
}
