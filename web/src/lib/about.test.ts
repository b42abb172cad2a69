import { expect, test } from "vitest";
import { localText } from "./about";

test("a text is in the language of the page, and in English where that is missing", () => {
  const text = { en: "Blue moves.", fr: "Bleu joue.", de: "Blau zieht." };
  expect(localText(text, "fr")).toBe("Bleu joue.");
  expect(localText(text, "de"), "a third language").toBe("Blau zieht.");
  expect(localText({ en: "Blue moves." }, "fr")).toBe("Blue moves.");
});
