import { expect, test } from "vitest";
import { translator } from "../../lib/i18n";
import { counters } from "./geometry";
import { describeAction, scoreText } from "./labels";
import { countOf } from "./logic";
import { messages } from "./messages";
import type { View } from "./view";

const translate = translator(messages, "en");
const view: View = { heap: 3, cards: [2, 0], taken: [1, 1], legal: ["take 1"] };

test("a heap has as many counters as the view says", () => {
  expect(counters(view.heap)).toHaveLength(3);
});

test("actions and scores are said in words", () => {
  expect(countOf("deal 1,2")).toBe(0);
  expect(describeAction("take 2", translate)).toBe("takes 2");
  expect(scoreText(0, view, translate)).toBe("1 taken, card 2");
  expect(scoreText(1, view, translate)).toBe("1 taken");
});
