/** The layout of the game screen: the frame of the board says what it needs, and the screen follows. */
import { getContext, setContext } from "svelte";
import { type BoardShape, isCompact, isLow, layoutOf } from "./layout";

export class ScreenLayout {
  /** The width of the game and the height of the window; 0 outside of a game screen. */
  width = $state(0);
  height = $state(0);
  shape = $state.raw<BoardShape | null>(null);
  /** The measured height of the hand. */
  handHeight = $state(0);

  isCompact = $derived.by(() => this.width > 0 && isCompact(this.width, this.height));
  isLow = $derived.by(() => this.width > 0 && isLow(this.width, this.height));
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
