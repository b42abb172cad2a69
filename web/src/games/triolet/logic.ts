/** Headless logic of the Triolet board: squares, drafts, and placements that are part of a legal one. It contains no rules. */
import type { SkippedTurn } from "../../lib/turns";
import type { Fact, Preview, ScoreChange } from "../../lib/wire";
import type { View } from "./view";

export const SIZE = 15;
export const SQUARES = SIZE * SIZE;
export const JOKER = "J";
export const VALUES = [...Array(16).keys()];

/** A token on a square; a joker may still lack its value. */
export interface PlacedToken {
  square: number;
  token: string;
  value: number | null;
}

/** A token of my rack; the id stays the same when the rack changes, so that tokens keep their places. */
export interface RackToken {
  id: number;
  token: string;
}

/** A token of my rack on a square. */
export interface DraftToken extends RackToken {
  square: number;
  value: number | null;
}

// --- Squares ---

export const rowOf = (square: number) => Math.floor(square / SIZE);
export const columnOf = (square: number) => square % SIZE;
export const squareName = (square: number) => `${String.fromCharCode(65 + rowOf(square))}${columnOf(square) + 1}`;

export function parseSquare(name: string): number | null {
  const match = /^([A-O])([1-9][0-9]?)$/.exec(name.toUpperCase());
  if (!match) return null;
  const column = Number(match[2]) - 1;
  return column < SIZE ? (match[1]!.charCodeAt(0) - 65) * SIZE + column : null;
}

/** The square reached by an arrow key; the edge of the board stops it. */
export function step(square: number, key: string): number {
  const row = rowOf(square);
  const column = columnOf(square);
  switch (key) {
    case "ArrowUp":
      return row > 0 ? square - SIZE : square;
    case "ArrowDown":
      return row < SIZE - 1 ? square + SIZE : square;
    case "ArrowLeft":
      return column > 0 ? square - 1 : square;
    case "ArrowRight":
      return column < SIZE - 1 ? square + 1 : square;
    case "Home":
      return row * SIZE;
    case "End":
      return row * SIZE + SIZE - 1;
  }
  return square;
}

export type Special = "double" | "triple" | "bis" | null;

/** By square: what is printed on it. */
export function specialSquares(view: Pick<View, "doubles" | "triples" | "bis">): Special[] {
  const specials: Special[] = Array<Special>(SQUARES).fill(null);
  const mark = (names: string[], special: Special) => {
    for (const name of names) specials[parseSquare(name) ?? -1] = special;
  };
  mark(view.doubles, "double");
  mark(view.triples, "triple");
  mark(view.bis, "bis");
  return specials;
}

/** A token's name as joker and value: "J7" is a joker of 7, "J" one without a value yet. */
export function parseToken(name: string): { joker: boolean; value: number | null } {
  const joker = name.startsWith(JOKER);
  const digits = joker ? name.slice(1) : name;
  return { joker, value: digits === "" ? null : Number(digits) };
}

// --- Texts of moves ---

/** The tokens of a placement such as `H8=5 H9=J7`; null if the text is something else. */
export function parsePlacement(text: string): PlacedToken[] | null {
  const laid: PlacedToken[] = [];
  for (const word of text.split(" ")) {
    const [name, token] = word.split("=");
    const square = name && token ? parseSquare(name) : null;
    if (square === null) return null;
    const { joker, value } = parseToken(token!);
    laid.push({ square, token: joker ? JOKER : token!, value });
  }
  return laid;
}

export const tokenText = (laid: { token: string; value: number | null }) =>
  laid.token === JOKER ? `${JOKER}${laid.value ?? ""}` : laid.token;

/** The text of a placement, in the order of the squares, as the server writes it. */
export const placementText = (laid: PlacedToken[]) =>
  laid
    .toSorted((one, other) => one.square - other.square)
    .map((each) => `${squareName(each.square)}=${tokenText(each)}`)
    .join(" ");

const value = (token: string) => (token === JOKER ? SIZE + 1 : Number(token));

export const exchangeText = (tokens: string[]) =>
  `exchange ${tokens.toSorted((one, other) => value(one) - value(other)).join(",")}`;

/** The tokens of an exchange; null if the text is something else. */
export const parseExchange = (text: string) => (text.startsWith("exchange ") ? text.slice(9).split(",") : null);

// --- The legal placements ---

/** The legal placements of a position, read once. */
export class Placements {
  private readonly texts: Set<string>;
  private readonly all: PlacedToken[][];

  constructor(legal: string[]) {
    this.texts = new Set(legal);
    this.all = legal.map(parsePlacement).filter((laid) => laid !== null);
  }

  /** Whether a draft is a legal move as it lies. */
  has = (draft: PlacedToken[]) => this.texts.has(placementText(draft));

  /** The legal moves that a draft is a part of, or is. A joker without value may be any. */
  private *with(draft: PlacedToken[]): Iterable<PlacedToken[]> {
    for (const laid of this.all) {
      if (laid.length < draft.length) continue;
      const holds = (one: PlacedToken) =>
        laid.some(
          (other) =>
            other.square === one.square &&
            other.token === one.token &&
            (one.value === null || other.value === one.value),
        );
      if (draft.every(holds)) yield laid;
    }
  }

  /** Whether more tokens could make a legal move of a draft. */
  canContinue(draft: PlacedToken[]): boolean {
    for (const laid of this.with(draft)) if (laid.length > draft.length) return true;
    return false;
  }

  /** The squares where a token can be laid next, to become a part of a legal move. */
  squares(draft: PlacedToken[], token: string): Set<number> {
    const taken = new Set(draft.map((each) => each.square));
    const squares = new Set<number>();
    for (const laid of this.with(draft))
      for (const each of laid) if (each.token === token && !taken.has(each.square)) squares.add(each.square);
    return squares;
  }

  /** The values that a joker on a square can have, beside the rest of a draft. */
  values(others: PlacedToken[], square: number): Set<number> {
    const values = new Set<number>();
    for (const laid of this.with([...others, { square, token: JOKER, value: null }]))
      for (const each of laid) if (each.square === square && each.value !== null) values.add(each.value);
    return values;
  }
}

// --- The rack ---

/** My tokens after the server's rack changed: those that stay keep their places and ids, new ones follow. */
export function mergeRack(held: RackToken[], rack: string[]): RackToken[] {
  const fresh = [...rack];
  const kept = held.filter(({ token }) => {
    const at = fresh.indexOf(token);
    if (at >= 0) fresh.splice(at, 1);
    return at >= 0;
  });
  let next = Math.max(0, ...held.map(({ id }) => id)) + 1;
  return [...kept, ...fresh.map((token) => ({ id: next++, token }))];
}

/** The draft after the position changed: without tokens that are gone and squares that are taken. */
export const mergeDraft = (draft: DraftToken[], held: RackToken[], board: (string | null)[]) =>
  draft.filter((each) => board[each.square] === null && held.some(({ id }) => id === each.id));

// --- What a preview draws on the board ---

/** A line of tokens that scores, or that is refused. */
export interface Line {
  squares: number[];
  points: number | null;
  trio: boolean;
  factor: number;
}

/** All squares of the block between two corners. */
function blockOf(first: number, last: number): number[] {
  const block: number[] = [];
  for (let row = rowOf(first); row <= rowOf(last); row++)
    for (let column = columnOf(first); column <= columnOf(last); column++) block.push(row * SIZE + column);
  return block;
}

const squaresIn = (fact: Fact): number[] => {
  const names = String(fact.values["squares"] ?? fact.values["square"] ?? fact.values["cell"] ?? "");
  return names.split(" ").flatMap((name) => {
    const [first = null, last = first] = name.split("–").map(parseSquare);
    return first === null || last === null ? [] : blockOf(first, last);
  });
};

const numberIn = (fact: Fact, name: string) => {
  const value = fact.values[name];
  return typeof value === "number" ? value : null;
};

export interface PreviewParts {
  lines: Line[];
  bonus: number;
  total: number | null;
  /** Effects of the move other than points. */
  notes: string[];
  sums: string[];
}

/** A preview as parts to be drawn. */
export function previewParts(preview: Preview): PreviewParts {
  const result: PreviewParts = { lines: [], bonus: 0, total: null, notes: [], sums: [] };
  for (const fact of preview.effects) {
    if (fact.key === "total") result.total = numberIn(fact, "points");
    else if (fact.key === "pair" || fact.key === "trio") {
      result.lines.push({
        squares: squaresIn(fact),
        points: numberIn(fact, "points"),
        trio: fact.key === "trio",
        factor: numberIn(fact, "factor") ?? 1,
      });
      result.sums.push(fact.text);
    } else if (fact.key === "bonus") {
      result.bonus = numberIn(fact, "points") ?? 0;
      result.sums.push(fact.text);
    } else result.notes.push(fact.text);
  }
  return result;
}

/** The squares that a refusal speaks of, with the total that is wrong if it has one. */
export function refusedLine(refusal: Fact): Line {
  return { squares: squaresIn(refusal), points: numberIn(refusal, "total"), trio: false, factor: 1 };
}

/** Squares as they can be framed: together if they fill a line or a block, else one by one. */
export function linesOf(squares: number[]): number[][] {
  const sorted = squares.toSorted((one, other) => one - other);
  if (!sorted.length) return [];
  const columns = sorted.map(columnOf);
  const block = blockOf(
    rowOf(sorted[0]!) * SIZE + Math.min(...columns),
    rowOf(sorted.at(-1)!) * SIZE + Math.max(...columns),
  );
  return block.length === sorted.length ? [sorted] : sorted.map((square) => [square]);
}

// --- The score sheet ---

/** Round by round, what each seat scored: several numbers where it played again at once, none where it was passed over. */
export function roundScores(points: ScoreChange[], skipped: readonly SkippedTurn[], seats: number): number[][][] {
  const rounds: number[][][] = [];
  /** The seats that had their turn in the last round, and the one whose turn was the last. */
  let had = new Set<number>();
  let before: number | null = null;
  const addRound = (): void => {
    rounds.push(Array.from({ length: seats }, () => []));
    had = new Set();
  };
  /** Begin the turn of a seat: a new round, if it had one in this round. A seat that plays on has the same turn. */
  const begin = (seat: number): void => {
    if (!rounds.length || (seat !== before && had.has(seat))) addRound();
    had.add(seat);
    before = seat;
  };
  let next = 0;
  const beginSkipped = (end: number): void => {
    for (; next < skipped.length && skipped[next]!.action_index < end; next++) begin(skipped[next]!.seat);
  };
  for (const { action_index: index, seat, gains } of points) {
    beginSkipped(index);
    if (seat === null) addRound();
    else begin(seat);
    const round = rounds.at(-1)!;
    if (seat !== null) round[seat]!.push(gains[seat] ?? 0);
    const others = gains.flatMap((each, at) => (each !== 0 && at !== seat ? [at] : []));
    for (const other of others) round[other]!.push(gains[other]!); // what is settled at the end
  }
  beginSkipped(Infinity);
  return rounds;
}
