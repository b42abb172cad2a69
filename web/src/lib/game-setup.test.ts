import { expect, test } from "vitest";
import { gameModes, newGameRequest, nearestLevel, parseLastSetup, playerCount, quickSetup } from "./game-setup";
import type { GameOption, GameType } from "./wire";

const option = (name: string, choices: string[], usual: string): GameOption => ({
  name,
  label: "",
  help: "",
  choices: choices.map((value) => ({ value, text: value })),
  explains_choices: false,
  default: usual,
  clause: "A-1",
  advanced: false,
  relevant_if: name === "teams" ? [{ players: ["4"] }] : [],
});
const gameType: GameType = {
  key: "chess",
  title: "Chess",
  version: 1,
  levels: [1, 2, 3].map((level) => ({ level, name: "", description: "" })),
  allows_draw_offers: true,
  seats: ["White", "Black", "White 2", "Black 2"],
  options: [option("players", ["1", "2", "4"], "2"), option("teams", ["on", "off"], "off")],
  languages: ["en"],
};

test("the first game starts with the defaults and the usual level", () => {
  const setup = quickSetup(gameType, {}, 2);
  expect(newGameRequest(gameType, setup, () => 0.99)).toEqual({
    game_key: "chess",
    options: { players: "2" },
    seats: [{ kind: "bot", level: 2 }, { kind: "me" }],
    public: false,
    clock: "",
  });
});

test("the next game starts as the last one, without options that do not matter", () => {
  const last = { level: 3, players: 4, options: { teams: "on" } };
  const request = newGameRequest(gameType, quickSetup(gameType, last, 1), () => 0);
  expect(request.options).toEqual({ players: "4", teams: "on" });
  expect(request.seats.map(({ kind }) => kind)).toEqual(["me", "bot", "bot", "bot"]);
  expect(request.seats[1]!.level).toBe(3);
  expect(newGameRequest(gameType, quickSetup(gameType, { ...last, players: 2 }, 1)).options).toEqual({ players: "2" });
});

test("stored settings that are damaged are as good as none", () => {
  for (const text of [null, "", "{", "[]", "7", '"x"', '{"level":"2","players":null,"options":[]}'])
    expect(parseLastSetup(text)).toEqual({});
  expect(parseLastSetup('{"level":2,"options":{"a":"b","c":1}}')).toEqual({ level: 2, options: { a: "b" } });
});

test("a level or a number of players that the game lacks becomes the nearest or the default", () => {
  expect(nearestLevel(gameType, 9)).toBe(3);
  expect(nearestLevel(gameType, 0)).toBe(1);
  expect(playerCount(gameType, "computer", 1)).toBe(2);
  expect(playerCount(gameType, "solo", 4)).toBe(1);
  expect(gameModes(gameType)).toContain("solo");
});
