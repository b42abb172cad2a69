import { expect, test } from "vitest";
import { decisiveAction, markedActions, skippedTurns, turnsOf, turnsOfOthers } from "./turns";
import type { GameEvent, ScoreChange } from "./wire";

const act = (seat: number | null, text: string, skipped?: number[]): GameEvent => ({
  seq: 1,
  type: seat === null ? "chance" : "action",
  seat,
  text,
  time: 0,
  ...(skipped ? { skipped } : {}),
});
const history = [act(null, "throw"), act(0, "a"), act(0, "b"), act(null, "throw", [1]), act(0, "c"), act(1, "d")];
const change = (
  action_index: number,
  seat: number,
  gains: number[],
  scores: number[],
  team_scores: number[] = scores,
): ScoreChange => ({
  action_index,
  seat,
  gains,
  scores,
  team_scores,
});

test("turns are numbered, chance and skipped turns are not", () => {
  const turns = turnsOf(history, false);
  expect(turns.map((each) => each.number)).toEqual([null, 1, 2, null, null, 3, 4]);
  expect(turns.map((each) => each.kind)).toEqual(["chance", "turn", "turn", "chance", "skipped", "turn", "turn"]);
  expect(turns[1]!.chance.map((each) => each.text)).toEqual(["throw"]);
});

test("the actions of one seat are one turn where a turn has several, up to the next throw", () => {
  const turns = turnsOf(history, true).filter((each) => each.kind === "turn");
  expect(turns.map((each) => each.events.map((event) => event.text).join(""))).toEqual(["ab", "c", "d"]);
  expect(turns.map(({ from, to }) => [from, to])).toEqual([
    [1, 3],
    [4, 5],
    [5, 6],
  ]);
});

test("a turn has the points that its seat gained", () => {
  const scores = [change(2, 0, [5, 0], [5, 0]), change(3, 0, [2, 0], [7, 0]), change(6, 1, [0, 9], [7, 9])];
  expect(turnsOf(history, true, scores).flatMap((each) => (each.kind === "turn" ? [each.gain] : []))).toEqual([
    7,
    null,
    9,
  ]);
});

test("the turns of the others since my last move are listed, with skipped turns", () => {
  const turns = turnsOf(history, true);
  expect(turnsOfOthers(turns, 6, [0]).map((each) => each.seat)).toEqual([1]);
  expect(turnsOfOthers(turns, 4, [0]).map((each) => [each.kind, each.seat])).toEqual([["skipped", 1]]);
  expect(turnsOfOthers(turns, 6, []).map((each) => each.seat)).toEqual([1]);
  expect(turnsOfOthers(turns, 0, [0])).toEqual([]);
});

test("skipped turns are told apart by the actions before them", () => {
  const turns = turnsOf(history, true);
  expect(skippedTurns(turns, 6)).toEqual([{ seat: 1, action_index: 4 }]);
  expect(skippedTurns(turns, 3)).toEqual([]);
});

test("the last moves of all opponents are marked, or my own just after it", () => {
  const four = [act(0, "a"), act(1, "b"), act(2, "c"), act(3, "d")];
  expect(markedActions(four, 4, [0]).map((each) => each.text)).toEqual(["b", "c", "d"]);
  expect(markedActions(four, 1, [0]).map((each) => each.text)).toEqual(["a"]);
  expect(markedActions(four, 4, []).map((each) => each.text)).toEqual(["d"]);
});

test("the decisive move is the one after which the winner stayed ahead", () => {
  const scores = [change(1, 0, [9, 0], [9, 0]), change(2, 1, [0, 20], [9, 20]), change(3, 0, [30, 0], [39, 20])];
  expect(decisiveAction(scores, [0], [0, 1])).toBe(3);
  expect(decisiveAction(scores, [], [0, 1])).toBeNull();
  expect(decisiveAction([], [0], [0, 1])).toBeNull();
});

test("of a winner who was always ahead it is the best move", () => {
  const scores = [change(1, 0, [9, 0], [9, 0]), change(2, 1, [0, 5], [9, 5]), change(3, 0, [30, 0], [39, 5])];
  expect(decisiveAction(scores, [0], [0, 1])).toBe(3);
});

test("partners are ahead together", () => {
  const scores = [change(1, 0, [1, 0, 0, 0], [1, 0, 0, 0], [1, 0]), change(2, 1, [0, 5, 0, 0], [1, 5, 0, 0], [1, 5])];
  const more = [...scores, change(3, 2, [0, 0, 8, 0], [1, 5, 8, 0], [9, 5])];
  expect(decisiveAction(more, [0, 2], [0, 1, 0, 1])).toBe(3);
});
