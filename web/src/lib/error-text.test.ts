import { expect, test } from "vitest";
import { errorText, type CodeKey } from "./error-text";
import type { Refusal } from "./api";
import type { Key } from "./i18n";

test("an error of the rules has the text of the server, in the language that was asked for", () => {
  expect(errorText({ code: "illegal_action", message: "f3 n'est pas à côté.", clause: "AB-2" }, "fr")).toBe(
    "f3 n'est pas à côté.",
  );
});

test("an error of the server has a text of the page", () => {
  // A French page said "Too many new games; please wait a moment."
  expect(errorText({ code: "rate_limited", message: "Too many new games; please wait a moment." }, "fr")).toBe(
    "C'est trop à la fois : attendez un moment.",
  );
  expect(errorText({ code: "invalid_seat_link", message: "x" }, "en")).toBe(
    "This seat link is not valid any more: ask for a new one.",
  );
});

test("a busy server says when to try again", () => {
  const busy: Refusal = { code: "busy", message: "The engines are busy; please try again in 12 s.", retry_after: 12 };
  expect(errorText(busy, "en")).toBe("The computer is busy: please try again in 12 s.");
  expect(errorText(busy, "fr")).toBe("L'ordinateur est occupé : réessayez dans 12 s.");
});

test("so is what it says of an option that does not fit", () => {
  // A French page said "option score=rounds: a player alone has no rounds to win".
  const message = "Ce qui décide : un joueur seul n'a pas de manches à gagner.";
  expect(errorText({ code: "invalid_option", message, clause: "AB-1" }, "fr")).toBe(message);
});

test("no answer at all means that the server cannot be reached", () => {
  expect(errorText({ code: "unreachable", message: "" }, "fr")).toBe(
    "Le serveur est injoignable. Le réseau est-il là ?",
  );
});

test("there is a sentence for every code, and for nothing else", () => {
  // Types check both: `SENTENCES` misses none, and this object would need a property for each other one.
  const others: Record<Exclude<Extract<Key, `code_${string}`>, CodeKey>, never> = {};
  expect(others).toEqual({});
});

test("a game that cannot be read is refused in the language of the page", () => {
  // A French page said "This game cannot be read: it is damaged."
  expect(errorText({ code: "game_unreadable", message: "This game cannot be read: it is damaged." }, "fr")).toContain(
    "Cette partie ne s'ouvre plus",
  );
});
