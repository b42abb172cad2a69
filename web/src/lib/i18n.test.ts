import { expect, test } from "vitest";
import { CATALOGUES, interpolate, preferredLanguage, translator } from "./i18n";

type Catalogues = Record<string, Record<string, string>>;

const MODULES = import.meta.glob<{ messages: Catalogues }>("../games/*/messages.ts", { eager: true });
const OF_GAMES = Object.entries(MODULES).map(([path, { messages }]) => [path.split("/")[2]!, messages] as const);
const places = (sentence: string) => [...sentence.matchAll(/\{(\w+)/g)].map((each) => each[1]);

test.each([["page", CATALOGUES] as const, ...OF_GAMES])("%s: every language has all sentences", (_, catalogues) => {
  const english = catalogues.en!;
  for (const [language, sentences] of Object.entries(catalogues)) {
    expect(Object.keys(sentences).sort(), language).toEqual(Object.keys(english).sort());
    for (const [key, sentence] of Object.entries(sentences)) {
      expect(sentence.trim(), `${language} ${key}`).not.toBe("");
      expect(new Set(places(sentence)), `${language} ${key}`).toEqual(new Set(places(english[key]!)));
    }
  }
});

test("the sentences of all games were compared", () => {
  expect(OF_GAMES.length).toBeGreaterThanOrEqual(4);
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

test("a text that a catalogue lacks is in English", () => {
  expect(translator({ en: { a: "A" }, fr: {} }, "fr")("a")).toBe("A");
  expect(translator({ en: {} }, "en")("gone")).toBe("gone");
});

test("every text of the page is used", () => {
  const sources = import.meta.glob<string>(["../**/*.{ts,svelte}", "!./messages/*", "!../**/*.test.ts"], {
    eager: true,
    query: "?raw",
    import: "default",
  });
  const code = Object.values(sources).join("\n");
  const words = new Set([...code.matchAll(/["`](\w+)["`]/g)].map((each) => each[1]!));
  const beginnings = [...new Set([...code.matchAll(/`(\w+_)\$\{/g)].map((each) => each[1]!))];
  const unused = Object.keys(CATALOGUES.en!).filter(
    (key) => !words.has(key) && !beginnings.some((each) => key.startsWith(each)),
  );
  expect(unused).toEqual([]);
});
