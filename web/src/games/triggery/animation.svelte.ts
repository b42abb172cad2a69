/** What is on the table of Triggery from one position to the next: tiles turn one after another, dice roll. */
import { flipped, sweeps, thrown, type Swept } from "./logic";
import type { View } from "./view";

const STEP = 120; // ms between two tiles of a chain
const ALONE = 60; // ms that a tile is given which sets off nothing
const LOOK = 160; // ms to see a turned tile
const LINES = 420; // ms to see the lines drawn through, or a turn that ends
const ROUND = 1100; // ms to see a cleared board
const NEWS = 2400; // ms to read how a round ended before the next one goes on
const ROLL = 620; // ms that dice roll
const BEHIND = 24; // positions that may wait: a computer plays a whole turn at once; with more the newest is shown

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class Show {
  /** The position on the table: behind the newest one while tiles are still turning. */
  view = $state.raw<View>() as View;
  /** The cells of a board that are turned ahead of the position, and the lines that went through. */
  board = $state(-1);
  down = $state.raw<ReadonlySet<number>>(new Set());
  swept = $state.raw<readonly Swept[]>([]);
  /** What was turned lately. */
  fresh = $state.raw<{ board: number; cells: ReadonlySet<number> }>({ board: -1, cells: new Set() });
  rolling = $state(false);
  /** All tiles come back, in a wave. */
  wave = $state(false);
  busy = $state(false);

  #waiting: View[] = [];
  #run = 0; // a new number ends the show that is on

  /** `ended` hears of a round that is over, with the position before it and after. */
  constructor(
    first: View,
    readonly ended: (before: View, after: View) => void,
  ) {
    this.view = first;
  }

  /** A new position: show how it came about, or with no motion only what it is. False if it is known. */
  next(view: View, motion: boolean): boolean {
    if (view === this.view || view === this.#waiting.at(-1)) return false;
    this.#waiting.push(view);
    if (!motion || this.#waiting.length > BEHIND) this.settle();
    else if (!this.busy) void this.#play(++this.#run);
    return true;
  }

  /** Show the newest position at once. */
  settle(): void {
    this.#run += 1;
    for (const each of this.#waiting.splice(0)) this.#put(each);
    this.#rest();
    this.rolling = false;
    this.wave = false;
    this.busy = false;
  }

  /** Nobody looks any more. */
  close(): void {
    this.#run = -1;
  }

  /** Put a position on the table, and remember what it turned. */
  #put(next: View): void {
    const before = this.view;
    const flip = flipped(before, next);
    if (flip?.ends) {
      this.ended(before, next);
      this.fresh = { board: -1, cells: new Set() };
    } else if (flip) {
      const more = this.fresh.board === flip.board && before.turned.length > 0 ? [...this.fresh.cells] : [];
      this.fresh = { board: flip.board, cells: new Set([...more, ...flip.order]) };
    }
    this.view = next;
  }

  #rest(): void {
    this.down = new Set();
    this.board = -1;
    this.swept = [];
  }

  /** Turn tile after tile, then show what came of it, then roll the dice. */
  async #play(run: number): Promise<void> {
    this.busy = true;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const flip = flipped(this.view, next);
      const roll = thrown(this.view, next);
      if (flip) {
        const lines = sweeps(this.view.boards[flip.board] ?? [], flip.order);
        this.board = flip.board;
        for (const [at] of flip.order.entries()) {
          this.down = new Set(flip.order.slice(0, at + 1));
          this.swept = lines.filter((each) => each.at <= at);
          await pause(flip.order.length > 1 ? STEP : ALONE);
          if (run !== this.#run) return;
        }
        await pause(flip.ends ? ROUND : this.swept.length || roll ? LINES : LOOK);
        if (run !== this.#run) return;
      }
      this.wave = flip?.ends ?? false;
      this.#waiting.shift();
      this.#put(next);
      this.#rest();
      if (flip?.ends) {
        await pause(NEWS);
        if (run !== this.#run) return;
      }
      if (!roll) continue;
      this.rolling = true;
      await pause(ROLL);
      if (run !== this.#run) return;
      this.rolling = false;
    }
    this.busy = false;
    this.wave = false;
  }
}
