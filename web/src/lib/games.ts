/** The boards of the games. The page names no game: it finds their folders, and loads a board when it is needed. */
import type { Component } from "svelte";
import type { LocalText } from "./about";
import type { DiagramProps, GameUi } from "./game-ui";

// A board is typed with the view of its own game. Nothing here knows which one that is: the view that the server
// sends for a game is the one that its board expects.
const boards = import.meta.glob<{ default: GameUi }>("../games/*/index.ts");
const pictures = import.meta.glob<{ default: Component<Record<string, never>> }>("../games/*/Picture.svelte");

const books = import.meta.glob<{ default: Record<string, Diagram> }>("../rulebooks/*.json");

/** A diagram of a clause, with its caption. */
export type Diagram = DiagramProps & { caption: LocalText };

/** The component that draws the diagrams of a game, and the diagrams by clause. */
export async function loadDiagrams(
  key: string,
): Promise<{ Draw: NonNullable<GameUi["Diagram"]>; by: Record<string, Diagram> } | null> {
  const load = books[`../rulebooks/${key}.json`];
  const [book, ui] = await Promise.all([load?.(), loadGameUi(key)]);
  return book && ui?.Diagram ? { Draw: ui.Diagram, by: book.default } : null;
}

/** The board of a game, or null if there is none: then the server's picture is shown. */
export async function loadGameUi(key: string): Promise<GameUi | null> {
  const load = boards[`../games/${key}/index.ts`];
  return load ? (await load()).default : null;
}

/** The picture of a game for the home screen, without its board where it has a file of its own. */
export async function loadPicture(key: string): Promise<Component<Record<string, never>> | null> {
  const load = pictures[`../games/${key}/Picture.svelte`];
  return load ? (await load()).default : ((await loadGameUi(key))?.Picture ?? null);
}
