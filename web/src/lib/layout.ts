/**
 * Where the parts of a game are on the screen.
 *
 * A game gives a board, which grows with the screen, and a hand: the rack, tray or dice and their buttons, which do
 * not. The page adds the sentence, the action bar and the side panel with players and moves. The arrangement
 * depends on the window and on the shape of the board; the style sheet of the game screen then places the parts.
 *
 *     stack     low            rail           beside              below
 *     say       board | say    board | say    board | hand | say  board | say
 *     board           | hand         | hand               | bar         | bar
 *     hand            | bar          | bar                | side  hand  | side
 *     side      side                 | side
 *     bar
 *
 * In `stack` and `low`, on phones and upright tablets, the side panel is below the first screen and the bar stays at
 * the bottom edge. In the others nothing scrolls but the side panel.
 */

export type Arrangement = "stack" | "low" | "rail" | "beside" | "below";

/** What a board needs of the screen, in CSS pixels. */
export interface BoardShape {
  /** Width by height of the part of the board that grows. */
  ratio: number;
  /** Height that does not grow, such as names above the board. */
  fixedHeight?: number;
  /** The width of the hand in a column of its own. */
  handWidth: number;
  /** About how high the hand is if it is so wide. */
  handHeight: (width: number) => number;
}

export interface Layout {
  arrangement: Arrangement;
  /** The width of the column with sentence, bar and side panel. */
  railWidth: number;
  /** How wide the board may become, so that the panel around it is not wider than what is in it. */
  boardWidth: number;
}

/** A window lower than this has no room for a header and a hand below the board. */
export const LOW = 560;
/** An upright window narrower than this has no room for two columns. */
const UPRIGHT = 1100;
const NARROW = 700;
/** The header, and the space below the game. */
export const HEADER = 52;
const FOOT = 12;
/** Between two columns or rows, and around the board in its panel. */
const GAP = 16;
const PADDING = 12;
/** The sentence, the action bar, and what of the side panel must be seen in any case. */
const RAIL_PARTS = 56 + 44 + 200 + 3 * GAP;
/** A hand in the rail hides most of the side panel, unless it is low: the board must become larger by this factor. */
const RAIL_GAIN = 1.2;
const LOW_HAND = 110;
/** A column of its own also has room for notes: it is preferred though the board becomes smaller by this factor. */
const COLUMN_LOSS = 0.9;

/** Whether the side panel is below the first screen: on phones, and on upright tablets. */
export function isCompact(width: number, height: number): boolean {
  return width < NARROW || width < Math.min(height, UPRIGHT) || isLow(width, height);
}

export function isLow(width: number, height: number): boolean {
  return height < LOW && width > height;
}

/** The arrangement for a game that is so wide, in a window that is so high. */
export function layoutOf(width: number, height: number, shape: BoardShape | null): Layout {
  const railWidth = Math.round(Math.min(380, Math.max(290, 0.24 * width)));
  if (isLow(width, height)) return { arrangement: "low", railWidth, boardWidth: width };
  if (isCompact(width, height)) return { arrangement: "stack", railWidth, boardWidth: width };
  const room = { width: width - railWidth - GAP - 2 * PADDING, height: height - HEADER - FOOT - 2 * PADDING };
  if (!shape) return { arrangement: "below", railWidth, boardWidth: room.width };

  const { ratio, fixedHeight = 0, handWidth, handHeight } = shape;
  const widest = (across: number, down: number): number =>
    Math.max(0, Math.round(Math.min(across, (down - fixedHeight) * ratio)));
  const beside = widest(room.width - handWidth - GAP, room.height);
  const below = widest(room.width, room.height - handHeight(room.width) - GAP);
  const best = beside >= COLUMN_LOSS * below ? beside : below;
  const inRail = handHeight(railWidth);
  const rail = inRail + RAIL_PARTS <= room.height ? widest(room.width, room.height) : 0;
  if (rail > below && rail >= best * (inRail <= LOW_HAND ? 1 : RAIL_GAIN))
    return { arrangement: "rail", railWidth, boardWidth: rail };
  return { arrangement: best === beside ? "beside" : "below", railWidth, boardWidth: best };
}
