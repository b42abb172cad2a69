/** What is on the table of Triggery from one position to the next: tiles turn one after another, dice roll. */
import { flipsBetween, clearedLines, hasNewThrow, type ClearedLine } from "./logic";
import type { View } from "./view";

const CHAIN_STEP = 120; // ms between two tiles of a chain
const SINGLE_STEP = 60; // ms that a tile is given which sets off nothing
const AFTER_FLIP = 160; // ms to see a turned tile
const AFTER_LINES = 420; // ms to see the lines drawn through, or a turn that ends
const AFTER_ROUND = 1100; // ms to see a cleared board
const ROUND_RESULT = 2400; // ms to read how a round ended before the next one goes on
const ROLL = 620; // ms that dice roll
const LONGEST_QUEUE = 24; // positions that may wait: a computer plays a whole turn at once; with more the newest is shown

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class BoardAnimation {
  /** The position on the table: behind the newest one while tiles are still turning. */
  view = $state.raw<View>() as View;
  /** The cells of a board that are turned ahead of the position, and the lines that went through. */
  board = $state(-1);
  turnedCells = $state.raw<ReadonlySet<number>>(new Set());
  clearedLines = $state.raw<readonly ClearedLine[]>([]);
  /** What was turned lately. */
  recentlyTurned = $state.raw<{ board: number; cells: ReadonlySet<number> }>({ board: -1, cells: new Set() });
  isRolling = $state(false);
  /** All tiles come back, in a wave. */
  isReturning = $state(false);
  isPlaying = $state(false);

  #queue: View[] = [];
  #run = 0; // a new number ends the show that is on

  /** `ended` hears of a round that is over, with the position before it and after. */
  constructor(
    first: View,
    readonly ended: (before: View, after: View) => void,
  ) {
    this.view = first;
  }

  /** A new position: show how it came about, or with no motion only what it is. False if it is known. */
  enqueue(view: View, motion: boolean): boolean {
    if (view === this.view || view === this.#queue.at(-1)) return false;
    this.#queue.push(view);
    if (!motion || this.#queue.length > LONGEST_QUEUE) this.skipToLatest();
    else if (!this.isPlaying) void this.#play(++this.#run);
    return true;
  }

  /** BoardAnimation the newest position at once. */
  skipToLatest(): void {
    this.#run += 1;
    for (const each of this.#queue.splice(0)) this.#apply(each);
    this.#clearMarks();
    this.isRolling = false;
    this.isReturning = false;
    this.isPlaying = false;
  }

  /** Nobody looks any more. */
  close(): void {
    this.#run = -1;
  }

  /** Put a position on the table, and remember what it turned. */
  #apply(next: View): void {
    const before = this.view;
    const flip = flipsBetween(before, next);
    if (flip?.ends) {
      this.ended(before, next);
      this.recentlyTurned = { board: -1, cells: new Set() };
    } else if (flip) {
      const more =
        this.recentlyTurned.board === flip.board && before.turned.length > 0 ? [...this.recentlyTurned.cells] : [];
      this.recentlyTurned = { board: flip.board, cells: new Set([...more, ...flip.order]) };
    }
    this.view = next;
  }

  #clearMarks(): void {
    this.turnedCells = new Set();
    this.board = -1;
    this.clearedLines = [];
  }

  /** Turn tile after tile, then show what came of it, then roll the dice. */
  async #play(run: number): Promise<void> {
    this.isPlaying = true;
    for (let next = this.#queue[0]; next; next = this.#queue[0]) {
      const flip = flipsBetween(this.view, next);
      const roll = hasNewThrow(this.view, next);
      if (flip) {
        const lines = clearedLines(this.view.boards[flip.board] ?? [], flip.order);
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
