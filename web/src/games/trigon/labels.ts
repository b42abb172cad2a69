/** Trigon in words: its actions in short, and its triangles as they are read aloud. */
import type { Say } from "../../lib/game-ui";
import type { Ghost } from "./draft.svelte";
import {
  type Cell,
  cellsText,
  centre,
  type Colour,
  type Ground,
  middleOf,
  nameOf,
  type Places,
  readPlace,
  STARTS,
} from "./logic";

export function describeAction(text: string, say: Say): string {
  const place = readPlace(text);
  if (place) {
    const { x, y } = middleOf(place.cells);
    const far = (cell: number) => Math.hypot(centre(cell).x - x, centre(cell).y - y);
    const cell = nameOf(place.cells.toSorted((one, other) => far(one) - far(other))[0]!);
    const words = `${place.piece} ${cell}`;
    return text.startsWith("lift ") ? say("lifts", { what: words }) : words;
  }
  const [kind, colours] = text.split(" ");
  if (kind === "lot")
    return say("lots", {
      colours: (colours ?? "")
        .split(",")
        .map((each) => say(each))
        .join(", "),
    });
  return text;
}

/** What is known of a triangle. */
export interface About {
  ghost: Ghost | null;
  places: Places;
  lies: { colour: Colour; piece: string } | undefined;
  figure: boolean;
  attach: boolean;
  /** On a map. */
  ground: Ground | undefined;
}

export function cellLabel(cell: Cell, { ghost, places, lies, figure, attach, ground }: About, say: Say): string {
  const name = nameOf(cell);
  if (ghost?.cells.includes(cell)) {
    const values = { piece: ghost.piece, cells: cellsText(ghost.cells) };
    if (!ghost.legal) return say("not_legal", values);
    const spots = places.spots(ghost.piece, ghost.way);
    const number = spots.findIndex(({ text }) => text === ghost.text) + 1;
    return say("on_cells", { ...values, number, count: spots.length });
  }
  if (lies)
    return say(figure ? "cell_laid" : "cell_piece", { cell: name, colour: say(lies.colour), piece: lies.piece });
  const free = say(!figure && STARTS.includes(cell) ? "cell_start" : attach ? "cell_attach" : "cell_free", {
    cell: name,
  });
  return ground ? `${free}, ${groundWords(ground, say)}` : free;
}

function groundWords({ owners, steps }: Ground, say: Say): string {
  const colours = owners.map((colour) => say(colour)).join(", ");
  return say(owners.length > 1 ? "ground_shared" : "ground_of", { colours, steps });
}
