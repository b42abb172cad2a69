/** Mouse and touch input: pieces are dragged from the tray, moved over the board, rotated and flipped. */
import type { HeldPiece } from "./draft.svelte";
import { type Cell } from "./cells";
import { cellUnder, type Point } from "./geometry";

const LIFT = 64; // pixels that a piece floats above the finger that moves it
const STEP = Math.PI / 7; // a turn of two fingers by this angle rotates the piece by a sixth
const TAP = 450; // ms: a longer touch is no tap

/** What the pointer input needs of the board. */
export interface Board {
  active: () => boolean;
  element: () => HTMLElement;
  /** A point of the screen on the board, in sides of a triangle. */
  at: (x: number, y: number) => Point;
  take: (piece: string) => void;
  place: () => void;
  lift: (cell: Cell) => void;
  turn: (sixths: number) => void;
  flip: () => void;
}

export class PointerInput {
  byTouch = $state(matchMedia("(pointer: coarse)").matches);
  /** The piece that is dragged from the tray. */
  trayDrag = $state.raw<{ piece: string; pointer: number; x: number; y: number; moved: boolean } | null>(null);
  /** Where the held piece is, in the window. */
  pointer = $state.raw({ x: 0, y: 0 });
  /** Whether a piece was just dropped: the click that follows is ignored. */
  justDropped = false;

  private readonly heldPiece: HeldPiece;
  private readonly board: Board;
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private finger = { x: 0, y: 0, time: 0, moved: false, two: false, angle: 0 };
  private wheelTurn = 0;
  private wheelTime = 0;

  constructor(heldPiece: HeldPiece, board: Board) {
    this.heldPiece = heldPiece;
    this.board = board;
  }

  private lead(event: PointerEvent): void {
    this.pointer = { x: event.clientX, y: event.clientY - (event.pointerType === "touch" ? LIFT : 0) };
    this.heldPiece.lead(this.board.at(this.pointer.x, this.pointer.y));
  }

  // --- From the tray ---

  grab = (event: PointerEvent, piece: string): void => {
    if (event.button !== 0 || !this.board.active()) return;
    this.byTouch = event.pointerType === "touch";
    this.trayDrag = { piece, pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false };
    const target = event.currentTarget as Element;
    if (this.byTouch && target.hasPointerCapture(event.pointerId)) target.releasePointerCapture(event.pointerId);
  };

  pull = (event: PointerEvent): void => {
    const trayDrag = this.trayDrag;
    if (!trayDrag || event.pointerId !== trayDrag.pointer) return;
    if (!trayDrag.moved) {
      if (Math.hypot(event.clientX - trayDrag.x, event.clientY - trayDrag.y) < 7) return;
      this.trayDrag = { ...trayDrag, moved: true };
      if (this.heldPiece.current?.piece !== trayDrag.piece) this.board.take(trayDrag.piece);
    }
    this.lead(event);
  };

  /** A mouse places the piece where it is released; after a touch it can still be moved. */
  drop = (event: PointerEvent): void => {
    if (!this.trayDrag || event.pointerId !== this.trayDrag.pointer) return;
    const { moved } = this.trayDrag;
    this.trayDrag = null;
    if (!moved) return;
    this.justDropped = true;
    const { left, right, top, bottom } = this.board.element().getBoundingClientRect();
    const { x, y } = this.pointer;
    if (x <= left || x >= right || y <= top || y >= bottom) this.heldPiece.putDown();
    else if (!this.byTouch) this.board.place();
  };

  // --- On the board ---

  /**
   * The page does not scroll while a piece is held. With `touch-action: none` from then on the browser would work out the
   * style of every shape on the board again.
   */
  holdPage = (element: Element): (() => void) => {
    const hold = (event: Event) => {
      if (this.heldPiece.current) event.preventDefault();
    };
    element.addEventListener("touchmove", hold, { passive: false });
    return () => element.removeEventListener("touchmove", hold);
  };

  press = (event: PointerEvent): void => {
    this.byTouch = event.pointerType === "touch";
    if (!this.heldPiece.current || !this.byTouch) return;
    event.preventDefault();
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const two = this.fingers.size > 1;
    if (two) this.finger = { ...this.finger, two, angle: this.angle() };
    else this.finger = { x: event.clientX, y: event.clientY, time: event.timeStamp, moved: false, two, angle: 0 };
  };

  /** The angle of the line between two fingers. */
  private angle(): number {
    const [one, two] = [...this.fingers.values()];
    return one && two ? Math.atan2(two.y - one.y, two.x - one.x) : 0;
  }

  move = (event: PointerEvent): void => {
    if (!this.heldPiece.current || this.trayDrag) return;
    if (event.pointerType !== "touch") {
      this.lead(event);
      return;
    }
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (this.finger.two) this.twist();
    else {
      if (Math.hypot(event.clientX - this.finger.x, event.clientY - this.finger.y) > 8) this.finger.moved = true;
      if (this.finger.moved) this.lead(event);
    }
  };

  private twist(): void {
    const by = this.angle() - this.finger.angle;
    const turned = Math.atan2(Math.sin(by), Math.cos(by));
    if (Math.abs(turned) <= STEP) return;
    this.board.turn(Math.sign(turned));
    this.finger.angle = this.angle();
    this.finger.moved = true;
  }

  /** A tap with two fingers flips. A tap on the ghost places it; elsewhere it moves the ghost there. */
  release = (event: PointerEvent): void => {
    if (!this.fingers.delete(event.pointerId) || this.fingers.size || !this.heldPiece.current) return;
    if (this.finger.moved || event.timeStamp - this.finger.time > TAP) return;
    if (this.finger.two) {
      this.board.flip();
      return;
    }
    const point = this.board.at(event.clientX, event.clientY);
    const tapped = cellUnder(point);
    if (tapped !== null && this.heldPiece.ghost?.cells.includes(tapped)) this.board.place();
    else this.heldPiece.goTo(point);
  };

  cancel = (event: PointerEvent): void => {
    this.fingers.delete(event.pointerId);
  };

  click = (event: MouseEvent): void => {
    if (this.justDropped || (this.byTouch && this.heldPiece.current)) return; // touch is handled in `release`
    const cell = cellUnder(this.board.at(event.clientX, event.clientY));
    if (this.heldPiece.current) this.board.place();
    else if (cell !== null) this.board.lift(cell);
  };

  wheel = (event: WheelEvent): void => {
    if (!this.heldPiece.current) return;
    event.preventDefault();
    if (event.timeStamp - this.wheelTime > 250) this.wheelTurn = 0;
    this.wheelTurn += event.deltaY || event.deltaX;
    if (Math.abs(this.wheelTurn) < 30 || event.timeStamp - this.wheelTime < 70) return;
    if (event.shiftKey) this.board.flip();
    else this.board.turn(Math.sign(this.wheelTurn));
    this.wheelTurn = 0;
    this.wheelTime = event.timeStamp;
  };

  rightClick = (event: MouseEvent): void => {
    if (!this.heldPiece.current) return;
    event.preventDefault();
    if (!this.byTouch) this.board.flip();
  };
}
