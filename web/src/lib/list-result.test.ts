import { expect, test } from "vitest";
import { listResult } from "./list-result";
import { en } from "./messages/en";
import { interpolate } from "./i18n";
import type { GameSummary, SeatInfo, SummaryResult } from "./wire";

const seats: SeatInfo[] = [
  { kind: "human", name: "Ann", level: null, person: 0 },
  { kind: "bot", name: "", level: 2, person: null },
];
const game = (result: Omit<SummaryResult, "moves" | "reason"> | null, some = seats): GameSummary => ({
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
  my_seats: null,
  is_readable: true,
  result: result && { ...result, reason: "end", moves: 7 },
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

test("a game of one says what it took", () => {
  // It only said "over".
  const solo = (result: Omit<SummaryResult, "moves" | "reason">) =>
    listResult(
      game(result, seats.slice(0, 1)),
      () => "",
      (key) => key,
      (_, { scores, moves }) => `${scores[0]} in ${moves}`,
    );
  expect(solo({ my_seats: [0], winners: [0], scores: [-5], has_points: true })).toBe("-5 in 7");
});

test("what is not known, and a game of one without words for it, says nothing", () => {
  expect(say(game(null))).toBe("");
  expect(say(game({ my_seats: [0], winners: [0], scores: [5], has_points: true }, seats.slice(0, 1)))).toBe("");
});
