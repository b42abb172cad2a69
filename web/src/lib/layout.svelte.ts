/** The layout of the game screen: the frame of the board says what it needs, and the screen follows. */
import { getContext, setContext } from "svelte";
import { type BoardShape, HEADER, isCompact, isLow, layoutOf } from "./layout";

const STACK_GAP = 8; // px, as in the style sheet of the game screen
const LEAST_BOARD = 160; // px

export class ScreenLayout {
  /** The width of the game and the height of the window; 0 outside of a game screen. */
  width = $state(0);
  height = $state(0);
  shape = $state.raw<BoardShape | null>(null);
  /** Measured heights of parts. */
  statusHeight = $state(0);
  handHeight = $state(0);
  barHeight = $state(0);

  isCompact = $derived.by(() => this.width > 0 && isCompact(this.width, this.height));
  isLow = $derived.by(() => this.width > 0 && isLow(this.width, this.height));
  /** The height of the board where it depends on what the other parts leave of the first screen. */
  boardHeight = $derived.by(() => {
    if (!this.width || !this.shape || this.plan.arrangement !== "stack") return null;
    const { ratio, fixedHeight = 0 } = this.shape;
    const used = HEADER + this.statusHeight + this.handHeight + this.barHeight + 3 * STACK_GAP;
    return `min(${this.width / ratio + fixedHeight}px, max(${LEAST_BOARD}px, 100svh - ${used}px))`;
  });
  /** The height that is left for the hand of a phone on its side. */
  mostHandHeight = $derived.by(() =>
    this.plan.arrangement === "low" ? `calc(100svh - ${this.statusHeight + this.barHeight + 4 * STACK_GAP}px)` : null,
  );
  plan = $derived.by(() => layoutOf(this.width, this.height, this.shape));
}

const KEY = Symbol("layout");

export function provideLayout(): ScreenLayout {
  return setContext(KEY, new ScreenLayout());
}

/** The layout of the screen that a board is on; that of no screen in a diagram. */
export function useLayout(): ScreenLayout {
  return getContext<ScreenLayout | undefined>(KEY) ?? new ScreenLayout();
}
