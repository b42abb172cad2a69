/** The game of the next figure. */
import type { NewGameRequest } from "../../lib/wire";
import { cellsText } from "./cells";
import { nextFigure, parseFigures, type Figure } from "./logic";
import { solvedFigures } from "./solved-figures.svelte";

/** The figures of the game, loaded when they are needed. */
export async function loadFigures(): Promise<Figure[]> {
  return parseFigures((await import("./figures")).default);
}

/** The name of the figure on a field; null for the user's own. */
export const figureOn = (figures: readonly Figure[], field: string): string | null =>
  figures.find(({ cells }) => cellsText(cells) === field)?.name ?? null;

export const gameOfFigure = (figure: string): NewGameRequest => ({
  game_key: "trigon",
  options: { players: "1", figure },
  seats: [{ kind: "me" }],
});

/** The game of the figure that comes after the one on a field. */
export async function nextGame(field: string): Promise<NewGameRequest | null> {
  const figures = await loadFigures();
  const next = nextFigure(figures, figureOn(figures, field), (name) => solvedFigures.has(name));
  return next && gameOfFigure(next.name);
}
