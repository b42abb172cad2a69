/** The held piece: its orientation, and the placement that it snaps to. */
import { type Point } from "./geometry";
import {
  cellsNear,
  type Ghost,
  mirrored,
  orientations,
  type Placements,
  placementText,
  rotated,
  type Shape,
  shapeKey,
  SHAPES,
} from "./logic";

const SNAP_DISTANCE = 1.7; // sides of a triangle: the ghost snaps to a legal placement whose centre is within this distance

export class HeldPiece {
  current = $state.raw<{ piece: string; shape: Shape } | null>(null);
  point = $state.raw<Point | null>(null);
  /** Whether it follows a pointer, and may be where it cannot be placed. */
  loose = $state(false);

  private readonly places: () => Placements;
  private readonly middle: () => Point;

  constructor(places: () => Placements, middle: () => Point) {
    this.places = places;
    this.middle = middle;
  }

  readonly orientation = $derived.by(() => (this.current ? shapeKey(this.current.shape) : ""));

  readonly ghost = $derived.by((): Ghost | null => {
    const { current: held, point, orientation } = this;
    if (!held || !point) return null;
    const spot = this.places().nearest(held.piece, orientation, point, this.loose ? SNAP_DISTANCE : Infinity);
    if (spot) return { ...spot, legal: true };
    const cells = cellsNear(held.shape, point);
    return cells
      ? { piece: held.piece, cells, text: placementText(held.piece, cells), orientation, legal: false }
      : null;
  });

  /** The cells that it can cover in this orientation. */
  readonly fitting = $derived.by(() =>
    this.current ? this.places().covered(this.current.piece, this.orientation) : null,
  );

  /** Take a piece, in the first orientation with a legal placement. */
  take(piece: string): void {
    const shapes = orientations(SHAPES.get(piece)!);
    const shape = shapes.find((each) => this.places().spots(piece, shapeKey(each)).length) ?? shapes[0]!;
    this.current = { piece, shape };
    this.loose = false;
    this.point ??= this.middle();
  }

  putDown(): void {
    this.current = null;
  }

  /** Rotate it clockwise by sixths of a turn. */
  turn(sixths: number): void {
    if (this.current) this.current = { ...this.current, shape: rotated(this.current.shape, sixths) };
  }

  flip(): void {
    if (this.current) this.current = { ...this.current, shape: mirrored(this.current.shape) };
  }

  /** Snap to the legal placement nearest to a point. */
  goTo(point: Point): void {
    this.point = point;
    this.loose = false;
  }

  /** Follow a pointer. */
  lead(point: Point): void {
    this.point = point;
    this.loose = true;
  }
}
