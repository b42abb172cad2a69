import { describe, expect, it } from "vitest";
import { Draft } from "./draft.svelte";
import { SQUARES, parseSquare } from "./logic";

const empty: (string | null)[] = Array<string | null>(SQUARES).fill(null);
const at = (name: string) => parseSquare(name)!;

function dealt(...rack: string[]): Draft {
  const draft = new Draft();
  draft.merge(rack, empty);
  return draft;
}

describe("a draft", () => {
  it("is written as the server writes it, whatever the order of laying", () => {
    const draft = dealt("5", "7", "J");
    draft.lay(draft.held[1]!.id, at("H9"));
    draft.lay(draft.held[0]!.id, at("H8"));
    expect(draft.text).toBe("H8=5 H9=7");
    expect(draft.complete).toBe(true);
  });

  it("asks for the value of a joker, and keeps it when the joker moves", () => {
    const draft = dealt("J");
    const { id } = draft.held[0]!;
    draft.lay(id, at("H8"));
    expect([draft.unnamedJoker, draft.complete]).toEqual([id, false]);
    draft.nameJoker(9);
    draft.lay(id, at("H9"));
    expect([draft.unnamedJoker, draft.text]).toEqual([null, "H9=J9"]);
  });

  it("loses what the server took: tokens played elsewhere, squares that somebody covered", () => {
    const draft = dealt("5", "7");
    draft.lay(draft.held[0]!.id, at("H8"));
    draft.lay(draft.held[1]!.id, at("H9"));
    draft.merge(["7", "9"], empty.with(at("H9"), "3"));
    expect(draft.laid).toEqual([]);
    expect(draft.held.map(({ token }) => token)).toEqual(["7", "9"]);
  });

  it("goes back step by step", () => {
    const draft = dealt("5", "7");
    draft.lay(draft.held[0]!.id, at("H8"));
    draft.tap(draft.held[1]!.id);
    draft.escape();
    expect([draft.chosen, draft.laid.length]).toEqual([null, 1]);
    draft.escape();
    expect(draft.laid).toEqual([]);
  });

  it("gives up what was tapped, lowest first, the joker last", () => {
    const draft = dealt("9", "J", "2");
    draft.startExchange();
    for (const { id } of draft.held) draft.tap(id);
    expect(draft.exchangeAction).toBe("exchange 2,9,J");
    draft.tap(draft.held[1]!.id);
    expect(draft.exchangeAction).toBe("exchange 2,9");
  });
});
