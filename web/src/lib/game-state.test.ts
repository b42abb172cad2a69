import { expect, test } from "vitest";
import type { GameState, GameType } from "./wire";
import { computerName, resultFor, mySeatToAct, displayNames } from "./game-state";
import { interpolate } from "./i18n";
import { en } from "./messages/en";

const seatInfo = (name: string, title: string) => ({ kind: "human" as const, name, level: null, person: null, title });
const state = (more: Partial<GameState>): GameState =>
  ({
    status: "live",
    to_act: 0,
    offer: null,
    outcome: null,
    seats: [seatInfo("Ann", "One"), seatInfo("Ben", "Two")],
    ...more,
  }) as GameState;
const won = (...winners: number[]) => state({ status: "over", outcome: { winners } as GameState["outcome"] });

test("it is my turn only in a live game", () => {
  expect(mySeatToAct(state({}), [0])).toBe(0);
  expect(mySeatToAct(state({ to_act: 1 }), [0])).toBeNull();
  expect(mySeatToAct(state({ to_act: 1 }), [0, 1])).toBe(1);
  expect(mySeatToAct(state({ status: "over" }), [0])).toBeNull();
});

test("a game ends for me as it does", () => {
  expect(resultFor(won(0), [0])).toBe("won");
  expect(resultFor(won(1), [0])).toBe("lost");
  expect(resultFor(won(0, 1), [0])).toBe("draw");
  expect(resultFor(won(), [0])).toBe("draw");
  expect(resultFor(won(1), [])).toBe("over");
  expect(resultFor(won(1), [0, 1])).toBe("over");
});

test("alone one wins or it is just over", () => {
  const alone = (...winners: number[]) => ({ ...won(...winners), seats: [seatInfo("Ann", "One")] });
  expect(resultFor(alone(0), [0])).toBe("won");
  expect(resultFor(alone(), [0])).toBe("over");
});

const names = {
  bot: (level: number) => `level ${level}`,
  open: "free",
  guest: "Invité",
  you: "Vous",
  tag: (seat: number) => ["blue", "red", "green", "white"][seat]!,
};
const bot = (level: number, title: string) => ({ ...seatInfo("x", title), kind: "bot" as const, level });

test("two of one name are told apart", () => {
  const seats = [
    seatInfo("Ann", "Blue"),
    seatInfo("Ann", "Red"),
    bot(2, "Green"),
    { ...seatInfo("", "White"), kind: "open" as const },
  ];
  expect(displayNames(seats, [], names)).toEqual(["Ann (blue)", "Ann (red)", "level 2", "free"]);
});

test("computers of one level are told apart by their colours, and in teams by their seats", () => {
  const seats = [seatInfo("Ann", "Square"), bot(3, "Round"), bot(3, "Square 2"), bot(3, "Round 2")];
  expect(displayNames(seats, [0], names)).toEqual(["Vous", "level 3 (red)", "level 3 (green)", "level 3 (white)"]);
  const teams = { ...names, tag: (seat: number) => (seat % 2 ? "red" : "blue") };
  expect(displayNames(seats, [0], teams).slice(1)).toEqual([
    "level 3 (Round)",
    "level 3 (Square 2)",
    "level 3 (Round 2)",
  ]);
});

test("a computer has the name of its level, or its number while the levels are not known", () => {
  const gameType = { levels: [{ level: 2, name: "Casual", description: "" }] } as unknown as GameType;
  const say = (level: number, type: GameType | null) =>
    computerName(level, type, (key, values) => interpolate(en[key], values ?? {}, "en"));
  expect(say(2, gameType)).toBe("Computer (Casual)");
  expect(say(3, gameType)).toBe("Computer (3)");
  expect(say(2, null)).toBe("Computer (2)");
  const seats = [seatInfo("Ann", "Blue"), bot(2, "Red"), bot(2, "Green")];
  const called = displayNames(seats, [0], { ...names, bot: (level) => say(level, gameType) });
  expect(called.slice(1)).toEqual(["Computer (Casual, red)", "Computer (Casual, green)"]);
});

test("I am you on my own page, and have my name on the others", () => {
  const seats = [seatInfo("Ann", "Blue"), seatInfo("Ben", "Red")];
  expect(displayNames(seats, [0], names)).toEqual(["Vous", "Ben"]);
  expect(displayNames(seats, [1], names)).toEqual(["Ann", "Vous"]);
  expect(displayNames(seats, [0, 1], names)).toEqual(["Ann", "Ben"]);
});

test("users without a name are called guests in the language of the page", () => {
  // The server's own word was shown, in English on every page.
  const seats = [seatInfo("", "Blue"), seatInfo("", "Red")];
  expect(displayNames(seats, [0], names)).toEqual(["Vous", "Invité"]);
  expect(displayNames(seats, [], names)).toEqual(["Invité (blue)", "Invité (red)"]);
  expect(displayNames([seatInfo("Guest", "Blue"), seatInfo("", "Red")], [1], names), "a name like others").toEqual([
    "Guest",
    "Vous",
  ]);
});
