import { expect, test } from "vitest";
import type { Happened } from "./api";
import { lastOf, standing } from "./line";

let seq = 0;
const happened = (kind: Happened["kind"], seat: number | null, text = ""): Happened => ({
  seq: ++seq,
  kind,
  seat,
  text,
  time: 0,
});
const texts = (log: Happened[], seats = 2) => standing(log, seats).map((each) => each.text);
const two = [happened("sit", 0, "human 1 Ann"), happened("sit", 1, "human 2 Ben")];
const bot = [happened("sit", 0, "human 1 Ann"), happened("sit", 1, "bot 3")];

test("actions and deals stand in order", () => {
  expect(texts([...two, happened("deal", null, "d"), happened("act", 0, "a"), happened("act", 1, "b")])).toEqual([
    "d",
    "a",
    "b",
  ]);
});

test("an undo against a bot takes back my last action and all after it", () => {
  expect(texts([...bot, happened("act", 0, "a"), happened("act", 1, "b"), happened("undo", 0)])).toEqual([]);
});

test("an undo between two persons waits for a yes", () => {
  const asked = [...two, happened("act", 0, "a"), happened("act", 1, "b"), happened("undo", 0)];
  expect(texts(asked)).toEqual(["a", "b"]);
  expect(texts([...asked, happened("yes", 1)])).toEqual([]);
  expect(texts([...asked, happened("no", 1), happened("act", 0, "c")])).toEqual(["a", "b", "c"]);
});

test("to play on is to say no", () => {
  const log = [
    ...two,
    happened("act", 0, "a"),
    happened("undo", 0),
    happened("act", 1, "b"),
    happened("draw", 0),
    happened("yes", 1),
  ];
  expect(texts(log)).toEqual(["a", "b"]);
});

test("seats of one person need nobody's consent", () => {
  const same = [happened("sit", 0, "human 1 Ann"), happened("sit", 1, "human 1 Ann")];
  expect(texts([...same, happened("act", 0, "a"), happened("act", 1, "b"), happened("undo", 1)])).toEqual(["a"]);
});

test("of three persons both others have to agree", () => {
  const three = [...two, happened("sit", 2, "human 3 Cat")];
  const asked = [...three, happened("act", 0, "a"), happened("undo", 0), happened("yes", 1)];
  expect(texts(asked, 3)).toEqual(["a"]);
  expect(texts([...asked, happened("yes", 2)], 3)).toEqual([]);
});

test("the move to be marked is the last one of a seat", () => {
  // A draw from the bag after a move hid the move, and the board marked nothing.
  const line = [
    happened("deal", null, "draws"),
    happened("act", 0, "one"),
    happened("deal", null, "draws 2"),
    happened("act", 1, "two"),
  ];
  expect(lastOf(line, 1)).toBeNull();
  expect(lastOf(line, 3)).toEqual({ seat: 0, text: "one" });
  expect(lastOf(line, 4)).toEqual({ seat: 1, text: "two" });
});
