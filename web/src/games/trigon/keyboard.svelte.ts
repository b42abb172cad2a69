/** Keyboard input: from cell to cell, or with a held piece from one legal placement to the next. */
import { tick } from "svelte";
import type { HeldPiece } from "./draft.svelte";
import { type Cell } from "./cells";
import { centre, middleOf } from "./geometry";
import { type Placements, type PlacementSpot, step } from "./logic";

/** What the keyboard input needs of the board. */
export interface Board {
  places: () => Placements;
  field: () => Cell[];
  element: () => HTMLElement;
  place: () => void;
  lift: (cell: Cell) => void;
  putDown: () => void;
  turn: (sixths: number) => void;
  flip: () => void;
}

export class KeyboardInput {
  chosen = $state<Cell | null>(null);

  private readonly heldPiece: HeldPiece;
  private readonly board: Board;
  private readonly field = $derived.by(() => new Set(this.board.field()));

  constructor(heldPiece: HeldPiece, board: Board) {
    this.heldPiece = heldPiece;
    this.board = board;
  }

  /** The cell with the keyboard focus. */
  readonly cursor = $derived.by(() =>
    this.chosen !== null && this.field.has(this.chosen) ? this.chosen : (this.board.field()[0] ?? 0),
  );

  /** Move the focus to the held piece on the board. */
  enter(): void {
    void tick().then(() => this.focusGhost());
  }

  /** Keep the focus on the held piece after it moved, if it was on the board. */
  follow(): void {
    if (document.activeElement?.closest(".board")) this.enter();
  }

  private focus(cell: Cell): void {
    this.chosen = cell;
    this.board.element().querySelector<SVGElement>(`[data-cell="${cell}"]`)?.focus({ preventScroll: true });
  }

  private focusGhost(): void {
    const cells = this.heldPiece.ghost?.cells;
    if (!cells) return;
    const { x, y } = middleOf(cells);
    const far = (cell: Cell) => Math.hypot(centre(cell).x - x, centre(cell).y - y);
    const nearest = cells.filter((each) => this.field.has(each)).sort((one, other) => far(one) - far(other))[0];
    if (nearest !== undefined) this.focus(nearest);
  }

  private goTo(spot: PlacementSpot): void {
    this.heldPiece.goTo(spot.at);
    this.enter();
  }

  /** R, F and Escape work on the whole page while a piece is held. */
  anywhere = (event: KeyboardEvent): void => {
    const held = this.heldPiece.current;
    if (!held || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, textarea, select, dialog")) return;
    const key = event.key.toLowerCase();
    if (key === "r") this.board.turn(event.shiftKey ? -1 : 1);
    else if (key === "f") this.board.flip();
    else if (key === "escape") {
      this.board.putDown();
      document.querySelector<HTMLElement>(`.trigon [data-piece="${held.piece}"]`)?.focus();
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  onBoard = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { heldPiece, board } = this;
    const places = board.places();
    const ghost = heldPiece.ghost;
    const snapped = ghost?.legal
      ? places.spots(ghost.piece, ghost.orientation).find(({ text }) => text === ghost.text)
      : null;
    if (event.key === "Enter" || event.key === " ") {
      if (heldPiece.current) board.place();
      else if (places.lift(this.cursor)) board.lift(this.cursor);
      else document.querySelector<HTMLElement>('.trigon .tray [tabindex="0"]')?.focus();
    } else if (snapped && event.key.startsWith("Arrow")) this.goTo(places.toward(snapped, event.key));
    else if (snapped && event.key === "PageDown") this.goTo(places.along(snapped, 1));
    else if (snapped && event.key === "PageUp") this.goTo(places.along(snapped, -1));
    else if (event.key.startsWith("Arrow")) {
      const next = step(this.cursor, event.key, this.field);
      if (heldPiece.current) heldPiece.goTo(centre(next));
      this.focus(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
