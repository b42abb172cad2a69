import { expect, test } from "vitest";
import type { Candidate, GameEvent } from "./wire";
import { turnsOf } from "./turns";
import {
  valueCurves,
  SHOWN_CANDIDATES,
  reviewMove,
  hasDistanceMaps,
  moveIndexes,
  nearestMove,
  scoreText,
  secondsPerMove,
  mistakes,
  reviewTurns,
} from "./review";

const act = (seat: number | null, text: string): GameEvent => ({
  seq: 1,
  type: seat === null ? "chance" : "action",
  seat,
  text,
  time: 0,
});
const candidate = (action: string, value: number): Candidate => ({
  action,
  value,
  pv: [],
  facts: [],
  effects: [],
  expected: null,
});
const candidates = [candidate("a", 0.5), candidate("b", 0.1), candidate("c", -0.9)];

test("only what seats did is reviewed", () => {
  expect(moveIndexes([act(null, "chance"), act(0, "a"), act(1, "b")])).toEqual([1, 2]);
});

test("a move loses what the best would have brought more", () => {
  expect(reviewMove(4, act(0, "b"), candidates)).toMatchObject({ at: 4, value: 0.1, loss: 0.4, best: { action: "a" } });
  expect(reviewMove(4, act(0, "a"), candidates)!.loss).toBe(0);
});

test("a move that is not among the candidates was worse than all of them", () => {
  expect(reviewMove(4, act(0, "z"), candidates)!.value).toBe(-0.9);
  expect(reviewMove(4, act(0, "z"), [])).toBeNull();
});

test("the best few are kept, and what was played", () => {
  const many = [..."abcdefgh"].map((action, at) => candidate(action, -at / 10));
  expect(reviewMove(4, act(0, "b"), many)!.candidates).toEqual(many.slice(0, SHOWN_CANDIDATES));
  expect(reviewMove(4, act(0, "h"), many)!.candidates.map((each) => each.action)).toEqual([..."abcde", "h"]);
  expect(reviewMove(4, act(0, "z"), many)!.candidates).toHaveLength(SHOWN_CANDIDATES);
});

test("scores have a typographic minus", () => {
  expect([14.6, -13.7, -0.2].map(scoreText)).toEqual(["15", "−14", "0"]);
});

test("an analysis has a map if anybody is on it", () => {
  expect(hasDistanceMaps({ candidates: [], distance_maps: { white: { a1: 1 } } })).toBe(true);
  expect(hasDistanceMaps({ candidates: [], distance_maps: {} })).toBe(false);
  expect(hasDistanceMaps(null)).toBe(false);
});

test("of two seats one curve is drawn, of more one each", () => {
  const reviewed = [reviewMove(0, act(0, "a"), candidates)!, reviewMove(1, act(1, "a"), candidates)!];
  expect(valueCurves(reviewed, 2)).toEqual([
    {
      seat: 0,
      points: [
        { at: 0, value: 0.5 },
        { at: 1, value: -0.5 },
      ],
    },
  ]);
  expect(valueCurves(reviewed, 3).map((each) => each.points.length)).toEqual([1, 1, 0]);
});

test("a long game gets less time a move", () => {
  expect(secondsPerMove(10)).toBe(1);
  expect(secondsPerMove(100)).toBe(0.4);
  expect(secondsPerMove(5000)).toBe(0.1);
});

test("a click on the graph selects the nearest move", () => {
  const reviewed = [1, 4, 9].map((at) => reviewMove(at, act(0, "a"), candidates)!);
  expect(nearestMove(reviewed, 0)!.at).toBe(1);
  expect(nearestMove(reviewed, 5.2)!.at).toBe(4);
  expect(nearestMove(reviewed, 99)!.at).toBe(9);
  expect(nearestMove([], 3)).toBeNull();
});

test("what single moves lose too little to be noticed a turn of them loses", () => {
  // A greedy game of one player: each tile cost a fraction of a throw, and "no move" was ever found wrong.
  const throws = (action: string, count: number): Candidate => ({
    ...candidate(action, 1 - count / 20),
    expected: { win_rate: 1, score_lead: null, scores: [-count] },
  });
  const history = [act(null, "throw 4-6"), act(0, "turn c2"), act(0, "turn a3"), act(0, "turn b4")];
  const reviewed = [
    reviewMove(1, history[1]!, [throws("turn e6", 16.2), throws("turn c2", 16.5)])!,
    reviewMove(2, history[2]!, [throws("turn a1", 16.5), throws("turn a3", 16.8)])!,
    reviewMove(3, history[3]!, [throws("turn b2", 16.8), throws("turn b4", 17.1)])!,
  ];
  expect(mistakes(reviewTurns(reviewed, turnsOf(history, false)))).toEqual([]);
  const [turn, ...others] = mistakes(reviewTurns(reviewed, turnsOf(history, true)));
  expect(others).toEqual([]);
  expect(turn).toMatchObject({ at: 1, best: { action: "turn e6" }, after: { action: "turn b4" } });
  expect(turn!.loss).toBeCloseTo(0.045);
});

test("the worst mistakes come in the order in which they were made", () => {
  const history = [act(0, "c"), act(1, "b"), act(0, "a")];
  const reviewed = history.map((each, at) => reviewMove(at, each, candidates)!);
  const turns = reviewTurns(reviewed, turnsOf(history, false));
  expect(mistakes(turns).map((each) => each.at)).toEqual([0, 1]);
  expect(mistakes(turns, 1).map((each) => each.at)).toEqual([0]);
});
