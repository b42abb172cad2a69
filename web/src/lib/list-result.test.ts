import { expect, test } from "vitest";
import { listResult } from "./list-result";
import { en } from "./messages/en";
import { interpolate } from "./i18n";
import type { GameSummary, SeatInfo } from "./wire";

const seats: SeatInfo[] = [
  { kind: "human", name: "Ann", level: null, person: 0 },
  { kind: "bot", name: "", level: 2, person: null },
];
const game = (result: GameSummary["result"], some = seats): GameSummary => ({
  game_id: "0",
  game_key: "chess",
  options: {},
  clock: "",
  status: "over",
  created_at: 0,
  public: false,
  seats: some,
  present_seats: [],
  spectators: 0,
  my_turn: null,
  is_readable: true,
  result,
});
const say = (summary: GameSummary) =>
  listResult(
    summary,
    (seat) => summary.seats[seat]!.name,
    (key, values) => interpolate(en[key], values ?? {}, "en"),
  );

test("a finished game says who won, with the points where there are any", () => {
  expect(say(game({ my_seats: [0], winners: [0], scores: [45, 38], has_points: true }))).toBe("You won · 45:38");
  expect(say(game({ my_seats: [0], winners: [1], scores: [-1, 1], has_points: false }))).toBe("You lost");
  expect(say(game({ my_seats: [0], winners: [], scores: [0, 0], has_points: false }))).toBe("A draw");
  expect(say(game({ my_seats: [0], winners: [0], scores: [1, 0], has_points: true }))).toBe("You won · 1:0");
  expect(say(game({ my_seats: [0], winners: [0], scores: [-5, -9], has_points: true }))).toBe("You won · −5:−9");
  expect(say(game({ my_seats: [0, 1], winners: [0], scores: [1, -1], has_points: false }))).toBe("Ann has won");
});

test("what is not known, and a game of one, says nothing", () => {
  expect(say(game(null))).toBe("");
  expect(say(game({ my_seats: [0], winners: [0], scores: [5], has_points: true }, seats.slice(0, 1)))).toBe("");
});
