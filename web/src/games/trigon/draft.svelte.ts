/** The piece in hand: which one, held which way, and the place that its ghost snaps to. */
import {
  cellsNear,
  type Ghost,
  mirrored,
  orientations,
  type Placements,
  placementText,
  type Point,
  rotated,
  type Shape,
  shapeKey,
  SHAPES,
} from "./logic";

const SNAP_DISTANCE = 1.7; // a ghost snaps to a legal place whose middle is so near, in sides of a triangle

export class HeldPiece {
  current = $state.raw<{ piece: string; shape: Shape } | null>(null);
  point = $state.raw<Point | null>(null);
  /** Led by a pointer, and so free to be where it may not lie. */
  loose = $state(false);

  private readonly places: () => Placements;
  private readonly middle: () => Point;

  constructor(places: () => Placements, middle: () => Point) {
    this.places = places;
    this.middle = middle;
  }

  readonly way = $derived.by(() => (this.current ? shapeKey(this.current.shape) : ""));

  readonly ghost = $derived.by((): Ghost | null => {
    const { current: held, point, way } = this;
    if (!held || !point) return null;
    const spot = this.places().nearest(held.piece, way, point, this.loose ? SNAP_DISTANCE : Infinity);
    if (spot) return { ...spot, legal: true };
    const cells = cellsNear(held.shape, point);
    return cells ? { piece: held.piece, cells, text: placementText(held.piece, cells), way, legal: false } : null;
  });

  /** The triangles that it could cover, held this way. */
  readonly fitting = $derived.by(() => (this.current ? this.places().covered(this.current.piece, this.way) : null));

  /** Take a piece, held in the first way that fits somewhere. */
  take(piece: string): void {
    const ways = orientations(SHAPES.get(piece)!);
    const shape = ways.find((each) => this.places().spots(piece, shapeKey(each)).length) ?? ways[0]!;
    this.current = { piece, shape };
    this.loose = false;
    this.point ??= this.middle();
  }

  putDown(): void {
    this.current = null;
  }

  /** Turn it clockwise. */
  turn(sixths: number): void {
    if (this.current) this.current = { ...this.current, shape: rotated(this.current.shape, sixths) };
  }

  flip(): void {
    if (this.current) this.current = { ...this.current, shape: mirrored(this.current.shape) };
  }

  /** Bring it to the legal place nearest to a point. */
  goTo(point: Point): void {
    this.point = point;
    this.loose = false;
  }

  /** Lead it freely. */
  lead(point: Point): void {
    this.point = point;
    this.loose = true;
  }
}
