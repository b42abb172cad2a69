import { expect, test } from "vitest";
import { told } from "./refusal";

test("what the server says of a rule is said as it is, in the language that was asked for", () => {
  expect(told({ code: "illegal", message: "f3 n'est pas à côté.", clause: "AB-2" }, "fr")).toBe("f3 n'est pas à côté.");
});

test("what it says of itself is said by the page", () => {
  // A French page said "Too many new games; please wait a moment."
  expect(told({ code: "too_many", message: "Too many new games; please wait a moment." }, "fr")).toBe("C'est trop à la fois : attendez un moment.");
  expect(told({ code: "no_such_link", message: "x" }, "en")).toBe("This seat link is not valid any more: ask for a new one.");
});

test("a choice that does not fit keeps the reason", () => {
  expect(told({ code: "bad_option", message: "board: 63 tiles", clause: "AB-1" }, "en")).toBe("That does not fit (AB-1): board: 63 tiles");
});

test("no answer at all means that nobody is there", () => {
  expect(told({ code: "unreachable", message: "" }, "fr")).toBe("Le serveur est injoignable. Le réseau est-il là ?");
});
