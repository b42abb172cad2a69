/** Helpers over the state of a game: whose turn it is, who won, and the names of players. */
import type { Seat } from "./api";
import type { Key } from "./i18n";
import type { GameState, GameType, SeatInfo } from "./wire";

/** The seat to act, if it is one of mine. */
export function mySeatToAct(state: GameState, mine: readonly Seat[]): Seat | null {
  return state.status === "live" && typeof state.to_act === "number" && mine.includes(state.to_act)
    ? state.to_act
    : null;
}

export type GameResult = "won" | "lost" | "draw" | "over";

/** The result for the seats of one user: `over` for spectators, and if only some of several seats have won. */
export function resultFor(state: GameState, mine: readonly Seat[]): GameResult {
  const winners = state.outcome?.winners ?? [];
  const won = mine.filter((seat) => winners.includes(seat));
  if (state.seats.length === 1) return won.length ? "won" : "over";
  if (winners.length === 0 || winners.length === state.seats.length) return "draw";
  if (mine.length === 0) return "over";
  if (won.length === mine.length) return "won";
  return won.length ? "over" : "lost";
}

type TranslatePage = (key: Key, values?: Record<string, string | number>) => string;

/** The name of a computer player: "Computer (Casual)"; its number where the levels of the game are not known. */
export function computerName(level: number, gameType: GameType | null | undefined, t: TranslatePage): string {
  const known = gameType?.levels.find((each) => each.level === level);
  return t("computer_name", { level: known?.name ?? level });
}

/** The texts that stand for players without a name of their own. */
export interface NameTexts {
  bot: (level: number) => string;
  open: string;
  /** For users without a name: `you` for the only seat of this user, `guest` for others. */
  guest: string;
  you: string;
  /** What tells seats of the same name apart, such as a colour; it joins what is in brackets already. */
  tag: (seat: Seat) => string;
}

/** The name of each player, the same everywhere on the page. */
export function displayNames(
  all: readonly (SeatInfo & { title: string })[],
  mine: readonly Seat[],
  names: NameTexts,
): string[] {
  const plain = all.map((each, seat) => {
    if (each.kind === "open") return names.open;
    if (each.kind === "bot") return names.bot(each.level ?? 1);
    if (mine.length === 1 && mine[0] === seat) return names.you;
    return each.name || names.guest;
  });
  return plain.map((name, seat) => {
    const same = plain.flatMap((other, at) => (other === name && all[at]!.kind !== "open" ? [at] : []));
    if (same.length < 2 || all[seat]!.kind === "open") return name;
    const tags = same.map(names.tag);
    const tag = new Set(tags).size === tags.length ? names.tag(seat) : all[seat]!.title;
    return name.endsWith(")") ? `${name.slice(0, -1)}, ${tag})` : `${name} (${tag})`;
  });
}
