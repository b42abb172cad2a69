/** A token dragged by mouse or finger. */
import { columnOf, rowOf, SIZE } from "./logic";
import { CELL, EDGE, BOARD_SIZE } from "./geometry";

const LIFT = 46; // pixels that a token floats above the finger that drags it
const STILL = 6; // pixels that a tap may move

interface Pulled {
  id: number;
  x: number;
  y: number;
  fromX: number;
  fromY: number;
  touch: boolean;
  moved: boolean;
  pointer: number;
}

export class PointerInput {
  /** Whether a token was just dropped: the click that follows is ignored. */
  dropped = false;

  private readonly board: () => Element;
  private readonly legal: () => Set<number>;
  private readonly free: (square: number) => boolean;
  private pulled = $state<Pulled | null>(null);

  constructor(board: () => Element, legal: () => Set<number>, free: (square: number) => boolean) {
    this.board = board;
    this.legal = legal;
    this.free = free;
  }

  /** The token that is dragged. */
  readonly id = $derived.by(() => (this.pulled?.moved ? this.pulled.id : null));
  /** Where it floats, on the screen. */
  readonly hand = $derived.by(() =>
    this.pulled?.moved ? { x: this.pulled.x, y: this.pulled.y - (this.pulled.touch ? LIFT : 0) } : null,
  );
  /** The square that it would be laid on. */
  readonly target = $derived.by(() =>
    this.hand ? this.nearest(this.hand.x, this.hand.y, this.pulled?.touch ? 1 : 0.5) : null,
  );

  /** The free square at a point of the screen; a legal one if one is as near as `maxDistance` squares. */
  nearest(x: number, y: number, maxDistance: number): number | null {
    const box = this.board().getBoundingClientRect();
    const scale = BOARD_SIZE / box.width;
    const column = ((x - box.left) * scale - EDGE) / CELL;
    const row = ((y - box.top) * scale - EDGE) / CELL;
    if (column < -0.3 || row < -0.3 || column > SIZE + 0.3 || row > SIZE + 0.3) return null;
    const within = (at: number) => Math.min(SIZE - 1, Math.max(0, Math.floor(at)));
    const exact = within(row) * SIZE + within(column);
    const legal = this.legal();
    if (legal.has(exact)) return exact;
    let best: number | null = null;
    let least = maxDistance;
    for (const square of legal) {
      const far = Math.hypot(columnOf(square) + 0.5 - column, rowOf(square) + 0.5 - row);
      if (far < least) [best, least] = [square, far];
    }
    return best ?? (this.free(exact) ? exact : null);
  }

  /** Keeps the page from scrolling while a token is dragged; `touch-action` has no effect inside an SVG. */
  holdPage = (element: Element): (() => void) => {
    const hold = (event: Event) => {
      if (this.pulled) event.preventDefault();
    };
    element.addEventListener("touchmove", hold, { passive: false });
    return () => element.removeEventListener("touchmove", hold);
  };

  grab(event: PointerEvent, id: number): void {
    if (event.button !== 0 || this.pulled) return;
    const { clientX: x, clientY: y, pointerId: pointer } = event;
    this.pulled = { id, x, y, fromX: x, fromY: y, touch: event.pointerType === "touch", moved: false, pointer };
  }

  pull = (event: PointerEvent): void => {
    const pulled = this.pulled;
    if (!pulled || event.pointerId !== pulled.pointer) return;
    pulled.x = event.clientX;
    pulled.y = event.clientY;
    if (Math.hypot(pulled.x - pulled.fromX, pulled.y - pulled.fromY) > STILL) pulled.moved = true;
  };

  /** The token that was dropped, and the square; null for a tap. */
  drop(event: PointerEvent): { id: number; square: number | null } | null {
    const pulled = this.pulled;
    if (!pulled || event.pointerId !== pulled.pointer) return null;
    const square = this.target;
    this.pulled = null;
    if (!pulled.moved) return null;
    this.dropped = true;
    return { id: pulled.id, square };
  }

  cancel = (): void => {
    this.pulled = null;
  };
}
