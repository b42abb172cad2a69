import { expect, test } from "vitest";
import { CATALOGUES, interpolate, preferredLanguage, translator } from "./i18n";

const places = (sentence: string) => [...sentence.matchAll(/\{(\w+)/g)].map((each) => each[1]).sort();

test.each(Object.keys(CATALOGUES))("%s says all that English says, with the same values", (language) => {
  const there = CATALOGUES[language]!;
  expect(Object.keys(there).sort()).toEqual(Object.keys(CATALOGUES.en!).sort());
  for (const [key, sentence] of Object.entries(there)) {
    expect(sentence.trim(), key).not.toBe("");
    expect(new Set(places(sentence)), key).toEqual(new Set(places(CATALOGUES.en![key]!)));
  }
});

test("boards say the same in every language", async () => {
  const games = import.meta.glob<{ default: { messages?: Record<string, Record<string, string>> } }>(
    "../games/*/messages.ts",
  );
  for (const [path, load] of Object.entries(games)) {
    const found = Object.values(await load()).find((each) => each && "en" in each && "fr" in each) as
      Record<string, Record<string, string>> | undefined;
    if (found) expect(Object.keys(found.fr!).sort(), path).toEqual(Object.keys(found.en!).sort());
  }
});

test("the language follows the browser", () => {
  expect(preferredLanguage(["fr-CA", "en"])).toBe("fr");
  expect(preferredLanguage(["nl", "de"])).toBe("en");
  expect(preferredLanguage([])).toBe("en");
});

test("values go to their places, and numbers choose words", () => {
  expect(interpolate("{a} and {b}", { a: 1, b: "x" }, "en")).toBe("1 and x");
  expect(interpolate("{n} {n|move|moves}", { n: 1 }, "en")).toBe("1 move");
  expect(interpolate("{n} {n|coup|coups}", { n: 0 }, "fr")).toBe("0 coup");
  expect(interpolate("{unknown}", {}, "en")).toBe("{unknown}");
});

test("what a catalogue lacks is said in English", () => {
  expect(translator({ en: { a: "A" }, fr: {} }, "fr")("a")).toBe("A");
  expect(translator({ en: {} }, "en")("gone")).toBe("gone");
});
