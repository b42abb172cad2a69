import { describe as suite, expect, test, vi } from "vitest";
import { newView } from "./test-view";
import type { Tile, View } from "./view";
import { BoardAnimation } from "./animation.svelte";

const OPEN: Tile[] = Array.from({ length: 36 }, (_, at) => at + 1);
const shut = (...cells: number[]): Tile[] => OPEN.map((tile, at) => (cells.includes(at) ? "?" : tile));

const view = (changes: Partial<View> = {}): View =>
  newView({ boards: [OPEN, OPEN], throw: [5, 6], budget: 11, budget_left: 11, ...changes });

const chained = view({ chains: { c1: ["f1", "a1"] } });
const after = view({ boards: [shut(2, 5, 0), OPEN], flipped: ["c1", "f1", "a1"] });

suite("from one position to the next", () => {
  test("tiles turn one after another in the order of the chain, and only then is the position shown", async () => {
    vi.useFakeTimers();
    const animation = new BoardAnimation(chained, () => {});
    const seen: number[][] = [];
    animation.enqueue(after, true);
    while (animation.isPlaying) {
      if (animation.view === chained) seen.push([...animation.turnedCells]);
      await vi.advanceTimersToNextTimerAsync();
    }
    expect(seen.slice(0, 3)).toEqual([[2], [2, 5], [2, 5, 0]]);
    expect(animation.view).toBe(after);
    expect(animation.turnedCells.size).toBe(0);
    expect([...animation.recentlyTurned.cells]).toEqual([2, 5, 0]);
    vi.useRealTimers();
  });
  test("a tap or no motion shows the newest position at once", () => {
    const tapped = new BoardAnimation(chained, () => {});
    tapped.enqueue(after, true);
    expect(tapped.view).toBe(chained);
    tapped.skipToLatest();
    const still = new BoardAnimation(chained, () => {});
    still.enqueue(after, false);
    for (const animation of [tapped, still]) {
      expect(animation.view).toBe(after);
      expect(animation.isPlaying).toBe(false);
    }
    expect(still.enqueue(after, false), "known already").toBe(false);
  });
  test("fresh dice roll after the tiles", async () => {
    vi.useFakeTimers();
    const animation = new BoardAnimation(chained, () => {});
    animation.enqueue(view({ boards: after.boards, side: 1, throw: [3, 3] }), true);
    const seen: boolean[] = [];
    while (animation.isPlaying) {
      seen.push(animation.isRolling);
      await vi.advanceTimersToNextTimerAsync();
    }
    expect(seen[0]).toBe(false);
    expect(seen.at(-1)).toBe(true);
    expect(animation.isRolling).toBe(false);
    vi.useRealTimers();
  });
  test("a computer that plays its whole turn at once is still seen doing it", async () => {
    /* A round that ended was skipped when the next player was quick: more than six positions waited. */
    vi.useFakeTimers();
    const animation = new BoardAnimation(chained, () => {});
    const turn = Array.from({ length: 10 }, (_, at) =>
      view({ side: 1, boards: [after.boards[0] ?? [], shut(...Array(at).keys())] }),
    );
    for (const each of [after, ...turn]) animation.enqueue(each, true);
    expect(animation.view).toBe(chained);
    const seen = new Set<View>();
    while (animation.isPlaying) {
      seen.add(animation.view);
      await vi.advanceTimersToNextTimerAsync();
    }
    expect(seen.size).toBeGreaterThan(9);
    expect(animation.view).toBe(turn.at(-1));
    vi.useRealTimers();
  });
  test("the end of a round is reported once, with the position before it", () => {
    const ended = vi.fn();
    const animation = new BoardAnimation(after, ended);
    const second = view({ round: 2, board_of_side: [1, 0], points_lost: [0, 55] });
    animation.enqueue(second, false);
    expect(ended.mock.calls).toEqual([[second]]);
  });
});
