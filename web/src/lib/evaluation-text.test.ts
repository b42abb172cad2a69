import { expect, test } from "vitest";
import { evaluation, lossText, reasons } from "./evaluation-text";
import { CATALOGUES, translator } from "./i18n";
import type { Candidate, Fact } from "./wire";

const fact = (key: string, values: Fact["values"] = {}, clause = "ENGINE"): Fact => ({
  clause,
  key,
  values,
  text: key,
});
const candidate = (more: Partial<Candidate>): Candidate => ({
  action: "a",
  value: 0,
  pv: [],
  facts: [],
  effects: [],
  expected: null,
  ...more,
});
const t = translator(CATALOGUES, "en");
const fr = translator(CATALOGUES, "fr");
const evaluated = (more: Partial<Candidate>, translate = t) => evaluation(candidate(more), translate, {}, t);
const expected = (score_lead: number | null, win_rate = 0.7) => ({ win_rate, score_lead, scores: [0, 0] });

test("a certain result is a sure win, loss or draw", () => {
  expect(evaluated({ value: 1, facts: [fact("win", { plies: 10 })] }).words).toBe("a sure win in 10 moves");
  expect(evaluated({ value: 1, facts: [fact("win", { plies: 1 })] }).words).toBe("a sure win in 1 move");
  expect(evaluated({ value: -1, facts: [fact("loss", { plies: 4 })] }, fr).words).toBe("perdu en 4 coups");
  expect(evaluated({ facts: [fact("draw")] }).words).toBe("a draw");
});

test("points are words first, chances numbers second", () => {
  expect(evaluated({ expected: expected(6.2) })).toEqual({ words: "about 6 points ahead", numbers: "wins 70%" });
  expect(evaluated({ expected: expected(-1.2) }).words).toBe("about 1 point behind");
  expect(evaluated({ expected: expected(0.3) }).words).toBe("about level");
  expect(evaluated({ expected: expected(6.2) }, fr).words).toBe("environ 6 points d'avance");
});

test("without points the value is a word", () => {
  expect([1, 0.7, 0.3, 0, -0.3, -0.7, -1].map((value) => evaluated({ value }).words)).toEqual([
    "a sure win",
    "winning",
    "better",
    "even",
    "worse",
    "losing",
    "lost",
  ]);
});

test("a mistake says what it threw away", () => {
  const lost = (best: Partial<Candidate>, played: Partial<Candidate>) =>
    lossText(candidate(best), candidate(played), t, {}, t);
  expect(lost({ value: 1 }, { value: 0 })).toBe("That threw away a sure win: only a draw was left.");
  expect(lost({ value: 1 }, { value: -1 })).toBe("That threw away a sure win, and lost.");
  expect(lost({ value: 0 }, { value: -1 })).toBe("That threw away the draw.");
  expect(lost({ expected: expected(9.1) }, { expected: expected(3) })).toBe("That gave away about 6 points.");
  expect(lost({ expected: expected(3, 0.8) }, { expected: expected(3, 0.6) })).toBe(
    "That cost 20% of the chances to win.",
  );
});

test("a player alone has the words of the game", () => {
  const ui = { expectedOutcomeText: () => "about 16 throws", lossText: () => "That cost a throw." };
  const alone = candidate({ expected: { win_rate: 1, score_lead: null, scores: [-16] } });
  expect(evaluation(alone, t, ui, t)).toEqual({ words: "about 16 throws", numbers: "" });
  expect(lossText(alone, alone, t, ui, t)).toBe("That cost a throw.");
});

test("reasons are facts and effects, each once, without what says nothing", () => {
  const each = candidate({
    facts: [fact("win", { plies: 3 }), fact("chain"), fact("points")],
    effects: [fact("chain", {}, "TG-6"), fact("ends", {}, "TG-3")],
  });
  expect(reasons(each, { omittedReasons: ["points"] })).toEqual(["chain", "ends"]);
});
