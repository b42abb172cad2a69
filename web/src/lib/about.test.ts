import { expect, test } from "vitest";
import { localText } from "./about";

test("a text is in the language of the page, and in English where that is missing", () => {
  const text = { en: "Red moves.", fr: "Rouge joue.", de: "Rot zieht." };
  expect(localText(text, "fr")).toBe("Rouge joue.");
  expect(localText(text, "de"), "a third language").toBe("Rot zieht.");
  expect(localText({ en: "Red moves." }, "fr")).toBe("Red moves.");
});
