/** Trigon's actions in short words. */
import type { Say } from "../../lib/game-ui";
import { centre, middleOf, nameOf, readPlace } from "./logic";

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
  if (kind === "lot") return say("lots", { colours: (colours ?? "").split(",").map((each) => say(each)).join(", ") });
  return text;
}
