/** The settings of a new game: those of the form, the last ones of a game, and the request they make. */
import { changedOptions, relevantOptions } from "./options";
import type { Mode } from "./routes";
import type { GameType, NewGameRequest } from "./wire";

/** What was chosen the last time for one game. */
export interface LastSetup {
  level?: number;
  players?: number;
  /** The options that differ from the defaults. */
  options?: Record<string, string>;
}

export interface Setup {
  mode: Mode;
  players: number;
  level: number;
  options: Record<string, string>;
  /** My seat, or null to draw lots. */
  seat: number | null;
  clock: string;
  isPublic: boolean;
  /** The names on one screen, by seat. */
  names: string[];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The stored settings of a game; whatever is not as it should be is left out. */
export function parseLastSetup(text: string | null): LastSetup {
  let setup: unknown;
  try {
    setup = JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
  if (!isRecord(setup)) return {};
  const { level, players, options } = setup;
  return {
    ...(typeof level === "number" ? { level } : {}),
    ...(typeof players === "number" ? { players } : {}),
    ...(isRecord(options)
      ? {
          options: Object.fromEntries(
            Object.entries(options).filter((each): each is [string, string] => typeof each[1] === "string"),
          ),
        }
      : {}),
  };
}

/** The numbers of players that a way of playing allows. */
export function playerCounts(gameType: GameType, mode: Mode): number[] {
  const all = gameType.options.find(({ name }) => name === "players")?.choices.map(({ value }) => Number(value)) ?? [];
  return mode === "solo" ? [1] : all.filter((each) => each > 1);
}

/** The ways in which a game can be played. */
export function gameModes(gameType: GameType): Mode[] {
  const all = gameType.options.find(({ name }) => name === "players")?.choices ?? [];
  return all.some(({ value }) => value === "1")
    ? ["computer", "invite", "screen", "solo"]
    : ["computer", "invite", "screen"];
}

/** The wanted number of players if it is allowed, else the default one, else the least. */
export function playerCount(gameType: GameType, mode: Mode, wanted: number | undefined): number {
  const counts = playerCounts(gameType, mode);
  const usual = Number(gameType.options.find(({ name }) => name === "players")?.default);
  return [wanted, usual].find((each) => each !== undefined && counts.includes(each)) ?? counts[0] ?? 2;
}

/** The wanted level, or the nearest one that the game has. */
export function nearestLevel(gameType: GameType, wanted: number): number {
  const [first = 1, ...others] = gameType.levels.map((each) => each.level);
  return others.reduce((best, each) => (Math.abs(each - wanted) < Math.abs(best - wanted) ? each : best), first);
}

/** The settings with which a game starts at once: the last ones, or the defaults. */
export function quickSetup(gameType: GameType, last: LastSetup, usualLevel: number): Setup {
  return {
    mode: "computer",
    players: playerCount(gameType, "computer", last.players),
    level: nearestLevel(gameType, last.level ?? usualLevel),
    options: last.options ?? {},
    seat: null,
    clock: "",
    isPublic: false,
    names: [],
  };
}

/** The relevant options with their values, as far as they differ from the defaults. */
export function chosenOptions(gameType: GameType, setup: Setup): Record<string, string> {
  const players = String(setup.players);
  const options = relevantOptions(gameType.options, { ...setup.options, players });
  return { ...changedOptions(options, setup.options), players };
}

/** The request for a game; `random` draws my seat. */
export function newGameRequest(gameType: GameType, setup: Setup, random: () => number = Math.random): NewGameRequest {
  const { mode, players, level, seat, names } = setup;
  const mine = seat === null ? Math.floor(random() * players) : Math.min(seat, players - 1);
  const seats = Array.from({ length: players }, (_, index): NewGameRequest["seats"][number] => {
    if (mode === "screen") return { kind: "me", name: names[index]?.trim() || gameType.seats[index]! };
    if (index === mine || mode === "solo") return { kind: "me" };
    return mode === "computer" ? { kind: "bot", level } : { kind: "open" };
  });
  return {
    game_key: gameType.key,
    options: chosenOptions(gameType, setup),
    seats,
    public: setup.isPublic,
    clock: mode === "solo" ? "" : setup.clock,
  };
}
