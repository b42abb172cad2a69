import { expect, test } from "vitest";
import { speaker } from "../../lib/i18n";
import { counters, countOf, describe, score } from "./logic";
import { messages } from "./messages";
import type { View } from "./view";

const say = speaker(messages, "en");
const view: View = { heap: 3, cards: [2, 0], taken: [1, 1], legal: ["take 1"] };

test("a heap has as many counters as the view says", () => {
  expect(counters(view.heap)).toHaveLength(3);
});

test("actions and scores are said in words", () => {
  expect(countOf("deal 1,2")).toBe(0);
  expect(describe("take 2", say)).toBe("takes 2");
  expect(score(0, view, say)).toBe("1 taken, card 2");
  expect(score(1, view, say)).toBe("1 taken");
});
