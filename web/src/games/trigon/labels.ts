/** Texts of Trigon: actions for the move list, scores, and labels for screen readers. */
import type { SoloGame, SoloResult, Translate } from "../../lib/game-ui";
import type { NewGameRequest } from "../../lib/wire";
import { type Cell, cellsText, cellName, STARTS } from "./cells";
import { centre, middleOf } from "./geometry";
import { type Colour, type Ghost, type Territory, type Placements, parsePlacement } from "./logic";
import type { View } from "./view";

export function describeAction(text: string, translate: Translate): string {
  const place = parsePlacement(text);
  if (place) {
    const { x, y } = middleOf(place.cells);
    const far = (cell: number) => Math.hypot(centre(cell).x - x, centre(cell).y - y);
    const cell = cellName(place.cells.toSorted((one, other) => far(one) - far(other))[0]!);
    const words = translate("action_place", { piece: place.piece, cell });
    return text.startsWith("lift ") ? translate("action_lift", { what: words }) : words;
  }
  const [kind, colours] = text.split(" ");
  if (kind === "lot")
    return translate("action_lot", {
      colours: (colours ?? "")
        .split(",")
        .map((each) => translate(each))
        .join(", "),
    });
  return text;
}

/** What the label of a cell is made from. */
export interface CellInfo {
  ghost: Ghost | null;
  places: Placements;
  lies: { colour: Colour; piece: string } | undefined;
  figure: boolean;
  attach: boolean;
  /** On a map. */
  territory: Territory | undefined;
}

export function cellLabel(
  cell: Cell,
  { ghost, places, lies, figure, attach, territory }: CellInfo,
  translate: Translate,
): string {
  const name = cellName(cell);
  if (ghost?.cells.includes(cell)) {
    const values = { piece: ghost.piece, cells: cellsText(ghost.cells) };
    if (!ghost.legal) return translate("not_legal", values);
    const spots = places.spots(ghost.piece, ghost.orientation);
    const number = spots.findIndex(({ text }) => text === ghost.text) + 1;
    return translate("on_cells", { ...values, number, count: spots.length });
  }
  if (lies)
    return translate(figure ? "cell_figure_piece" : "cell_piece", {
      cell: name,
      colour: translate(lies.colour),
      piece: lies.piece,
    });
  const free = translate(!figure && STARTS.includes(cell) ? "cell_start" : attach ? "cell_attach" : "cell_free", {
    cell: name,
  });
  return territory ? `${free}, ${territoryText(territory, translate)}` : free;
}

function territoryText({ owners, steps }: Territory, translate: Translate): string {
  const colours = owners.map((colour) => translate(colour)).join(", ");
  return translate(owners.length > 1 ? "territory_shared" : "territory_of", { colours, steps });
}

/** The points beside the name of a seat's player; empty where there are none. */
export const scoreText = (seat: number, view: View): string => String(view.points[seat] ?? "").replace("-", "−");

/** The result of a figure: the moves. `nextGame` returns the game of the figure after the one on a field. */
export function soloResult(
  { view, outcome, moves }: SoloGame<View>,
  translate: Translate,
  nextGame: (field: string) => Promise<NewGameRequest | null>,
): SoloResult | null {
  if (!view.solved) return null;
  const pieces = view.pieces.length;
  return {
    title: translate("solved"),
    text: translate("solo_text", { pieces, moves }),
    score: moves,
    scoreText: (count) => translate("solo_moves", { count }),
    board: `${view.field} ${outcome.scores.length}`,
    par: pieces,
    repeats: false,
    next: { text: translate("gallery_next"), game: () => nextGame(view.field) },
  };
}
