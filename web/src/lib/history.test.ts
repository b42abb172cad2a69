import { expect, test } from "vitest";
import { activeActions, lastSeatAction } from "./history";
import type { GameEvent, GameState } from "./wire";

let seq = 0;
const happened = (type: GameEvent["type"], seat: number | null, text = ""): GameEvent => ({
  seq: ++seq,
  type,
  seat,
  text,
  time: 0,
});

test("the actions that stand are those that the server names", () => {
  seq = 0;
  const log = [happened("join", 0), happened("action", 0, "one"), happened("undo", 0), happened("action", 0, "two")];
  const texts = (action_seqs: number[]) => activeActions({ action_seqs } as GameState, log).map((each) => each.text);
  expect(texts([4])).toEqual(["two"]);
  expect(texts([2, 4])).toEqual(["one", "two"]);
  expect(texts([])).toEqual([]);
});

test("the move to be marked is the last one of a seat", () => {
  // A draw from the bag after a move hid the move, and the board marked nothing.
  const history = [
    happened("chance", null, "draws"),
    happened("action", 0, "one"),
    happened("chance", null, "draws 2"),
    happened("action", 1, "two"),
  ];
  expect(lastSeatAction(history, 1)).toBeNull();
  expect(lastSeatAction(history, 3)).toEqual({ seat: 0, text: "one" });
  expect(lastSeatAction(history, 4)).toEqual({ seat: 1, text: "two" });
});
