import { describe, expect, test } from "vitest";
import { finalTotals, pointsOutcome, teamPoints, winningMargin } from "./scores";
import type { GameState } from "./wire";

const state = (scores: number[], winners: number[], has_points: boolean, teams = [0, 1]): GameState =>
  ({
    status: "over",
    teams,
    score_history: [{ action_index: 3, seat: 1, gains: [0, 10], scores: [9, 19], team_scores: [9, 19] }],
    outcome: { scores, team_scores: scores, winners, has_points, reason: { text: "" } },
  }) as unknown as GameState;

describe("a game that was played to its end", () => {
  const played = state([9, 21], [1], true);

  test("has the final points of each team, and a margin", () => {
    expect(finalTotals(played)).toEqual([
      { seats: [0], points: 9 },
      { seats: [1], points: 21 },
    ]);
    expect(winningMargin(played)).toBe(12);
    expect(teamPoints(played, 1, true)).toBe(21);
  });
  test("shows the points so far until its result may be shown", () => {
    expect(teamPoints(played, 1, false)).toBe(19);
  });
  test("has points even if they are 1 to 0", () => {
    expect(winningMargin(state([1, 0], [0], true))).toBe(1);
    expect(finalTotals(state([1, 0], [0], true))).toHaveLength(2);
  });
  test("has a margin of 0 in a draw", () => {
    expect(winningMargin(state([9, 9], [], true))).toBe(0);
  });
});

describe("a game with points in which somebody resigned at 9 to 19", () => {
  /* The page said "By 2 points", with final scores of 1 and −1. */
  const resigned = state([-1, 1], [1], false);

  test("has no final points and no margin", () => {
    expect(pointsOutcome(resigned)).toBeNull();
    expect(finalTotals(resigned)).toEqual([]);
    expect(winningMargin(resigned)).toBe(0);
  });
  test("keeps the points that were counted", () => {
    expect([0, 1].map((team) => teamPoints(resigned, team, true))).toEqual([9, 19]);
  });
});

test("partners have one total, which the server gives", () => {
  const pairs = state([-3, -9, -4, -8], [0, 2], true, [0, 1, 0, 1]);
  pairs.outcome!.team_scores = [-7, -17];
  expect(finalTotals(pairs)).toEqual([
    { seats: [0, 2], points: -7 },
    { seats: [1, 3], points: -17 },
  ]);
});

test("the points of a team so far are those that the server gives, which need not be a sum", () => {
  const pairs = state([5, 5, 5, 5], [], true, [0, 1, 0, 1]);
  pairs.score_history = [{ action_index: 1, seat: 0, gains: [5, 0, 0, 0], scores: [5, 2, 5, 2], team_scores: [5, 2] }];
  expect([0, 1].map((team) => teamPoints(pairs, team, false))).toEqual([5, 2]);
});

test("a game without points has none", () => {
  const plain: GameState = { ...state([1, -1], [0], false), score_history: [] };
  expect(teamPoints(plain, 0, true)).toBeNull();
  expect(finalTotals(plain)).toEqual([]);
});
