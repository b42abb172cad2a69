/** A layout of the set-up as text: eight rows from the top with / between, eight squares with commas between. */
const SIZE = 8;
const DIGITS = "12346789";

/** The 56 arrow tiles by the keys of a keypad that their arrows point to. */
export const TILES: string[] = [...DIGITS].flatMap((a, i) =>
  [...DIGITS].slice(i + 1).flatMap((b, j) => [...DIGITS].slice(i + j + 2).map((c) => a + b + c)),
);

/** The corners and the middle, which are the same in every layout of this kind. */
const FIXED: Record<number, string> = { 0: "q", 7: "o", 27: "N", 28: "N", 35: "N", 36: "N", 56: "O", 63: "Q" };

/** The squares from the top left, or null if the text is not a layout. */
export function parseLayout(text: string): string[] | null {
  const rows = text.split("/").map((row) => row.split(","));
  return rows.length === SIZE && rows.every((row) => row.length === SIZE) ? rows.flat() : null;
}

export const layoutText = (squares: readonly string[]): string =>
  Array.from({ length: SIZE }, (_, row) => squares.slice(row * SIZE, (row + 1) * SIZE).join(",")).join("/");

/** All tiles at random. */
export function randomLayout(random: () => number = Math.random): string[] {
  const tiles = [...TILES];
  for (let at = tiles.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [tiles[at], tiles[other]] = [tiles[other]!, tiles[at]!];
  }
  return Array.from({ length: SIZE * SIZE }, (_, at) => FIXED[at] ?? tiles.pop()!);
}

/** The layout with two squares exchanged. */
export function exchanged(squares: readonly string[], one: number, two: number): string[] {
  const next = [...squares];
  [next[one], next[two]] = [next[two]!, next[one]!];
  return next;
}

/** The name of a square, such as a1. */
export const squareName = (at: number): string => `${"abcdefgh"[at % SIZE]!}${SIZE - Math.floor(at / SIZE)}`;
