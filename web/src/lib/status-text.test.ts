import { expect, test } from "vitest";
import type { GameState } from "./wire";
import { CATALOGUES, translator } from "./i18n";
import { reasonText, resultText, skippedText, skippedTurnText, statusText } from "./status-text";

const seatInfo = (kind: string, name: string) => ({ kind, name, level: 1, title: name });
const state = (more: object): GameState =>
  ({
    status: "live",
    to_act: 0,
    outcome: null,
    prompt: { text: "Roll." },
    seats: [seatInfo("human", "Ann"), seatInfo("bot", "level 1")],
    ...more,
  }) as unknown as GameState;
const over = (...winners: number[]): GameState =>
  state({ status: "over", to_act: null, outcome: { winners, reason: { text: "Somebody resigned." } } });
const name = (seat: number): string => ["Ann", "The computer"][seat]!;
const translate = (now: GameState, mySeats: number[], seatToAct: number | null, language = "en"): string =>
  statusText(now, mySeats, seatToAct, name, translator(CATALOGUES, language));

test("it says whose turn it is and what is asked", () => {
  expect(translate(state({}), [0], 0)).toBe("Your move. Roll.");
  expect(translate(state({}), [0, 1], 0)).toBe("Ann: Roll.");
  expect(translate(state({}), [], null)).toBe("Ann is to move.");
  expect(translate(state({ to_act: 1 }), [0], null)).toBe("The computer is thinking.");
  expect(translate(state({ to_act: "chance" }), [0], null)).toBe("The dice are rolling.");
  expect(translate(state({ status: "open" }), [0], null)).toBe("The game begins when every seat is taken.");
});

test("it says how it ended for the user, and why", () => {
  expect(translate(over(0), [0], null)).toBe("You have won! Somebody resigned.");
  expect(translate(over(1), [0], null)).toBe("The computer has won. Somebody resigned.");
  expect(translate(over(), [0], null)).toBe("A draw. Somebody resigned.");
});

test("several winners are several in each language", () => {
  // A team of two "a gagné" in French.
  const seats = [0, 1, 2, 3].map((seat) => seatInfo("human", `P${seat}`));
  const team = { ...over(0, 2), seats } as unknown as GameState;
  const called = (seat: number): string => `P${seat}`;
  expect(resultText(team, [1], called, translator(CATALOGUES, "fr"))).toBe("P0, P2 ont gagné.");
  expect(resultText(team, [1], called, translator(CATALOGUES, "en"))).toBe("P0, P2 have won.");
});

test("the totals of teams are given where points are counted", () => {
  const seats = [0, 1, 2, 3].map((seat) => seatInfo("human", `P${seat}`));
  const outcome = {
    winners: [0, 2],
    reason: { text: "Over." },
    scores: [-3, -9, -4, -8],
    team_scores: [-7, -17],
    has_points: true,
  };
  const team = state({ status: "over", to_act: null, seats, teams: [0, 1, 0, 1], outcome });
  const called = (seat: number): string => `P${seat}`;
  const textOf = (now: GameState): string => statusText(now, [], null, called, translator(CATALOGUES, "en"));
  expect(textOf(team)).toBe("P0, P2 have won. Over. Totals: P0 + P2 −7, P1 + P3 −17.");
  const resigned = { ...outcome, scores: [1, -1, 1, -1], team_scores: [2, -2], has_points: false };
  expect(textOf({ ...team, outcome: resigned } as unknown as GameState)).toBe("P0, P2 have won. Over.");
  const alone = { ...outcome, team_scores: [-3, -9, -4, -8] };
  expect(textOf({ ...team, teams: [0, 1, 2, 3], outcome: alone } as unknown as GameState)).not.toContain("Totals");
});

test("the reason of the end names players as the rest of the page does", () => {
  const seats = [seatInfo("human", "Ann"), { ...seatInfo("bot", "level 1"), title: "Player 2" }];
  const reason = { key: "out", values: { seat: 1, points: 7 }, text: "Player 2 has placed the last token." };
  const ended = state({ status: "over", to_act: null, seats, outcome: { winners: [1], reason } });
  const own = (key: string) => (key === "reason_you_out" ? "You placed the last token." : null);
  expect(reasonText(ended, [0], name, own)).toBe("The computer has placed the last token.");
  expect(reasonText(ended, [1], name, own)).toBe("You placed the last token.");
  expect(reasonText(ended, [1], name, () => null)).toBe("Player 2 has placed the last token.");
});

test("a skipped turn of the user is told to the user", () => {
  // "You, The computer cannot play: their turns are skipped.", and in French "Vous ne peut pas jouer".
  const say = (skipped: number[], mySeats: number[], language: string) =>
    skippedText(skipped, mySeats, name, translator(CATALOGUES, language));
  expect(say([0], [0], "en")).toBe("You cannot play: your turn is skipped.");
  expect(say([0, 1], [0], "en")).toBe("You and The computer cannot play: your turns are skipped.");
  expect(say([0, 1], [0], "fr")).toBe("Vous et The computer ne pouvez pas jouer : vos tours sont sautés.");
  expect(say([1], [0], "en")).toBe("The computer cannot play: the turn is skipped.");
  expect(say([0, 1], [0, 1], "en")).toBe("Ann, The computer cannot play: their turns are skipped.");
  const row = (seat: number, mySeats: number[]) => skippedTurnText(seat, mySeats, translator(CATALOGUES, "fr"));
  expect([row(0, [0]), row(1, [0]), row(0, [0, 1])]).toEqual([
    "ne pouvez pas jouer, tour sauté",
    "ne peut pas jouer, tour sauté",
    "ne peut pas jouer, tour sauté",
  ]);
});
