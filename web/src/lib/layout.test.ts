import { describe, expect, it } from "vitest";
import { type BoardShape, isCompact, layoutOf } from "./layout";

const SQUARE: BoardShape = { ratio: 1, handWidth: 250, handHeight: () => 190 };
const WIDE: BoardShape = { ratio: 2, fixedHeight: 40, handWidth: 250, handHeight: () => 120 };
const TRAY: BoardShape = {
  ratio: 1.15,
  handWidth: 264,
  handHeight: (width) => 110 + 46 * Math.ceil(22 / (width / 48)),
};

describe("the arrangement", () => {
  it("puts all in one column on phones and upright tablets", () => {
    for (const [width, height] of [
      [344, 740],
      [374, 844],
      [744, 1024],
      [600, 600],
    ] as const) {
      expect(layoutOf(width, height, SQUARE).arrangement).toBe("stack");
      expect(isCompact(width, height)).toBe(true);
    }
  });

  it("puts the hand into the rail of a phone on its side", () => {
    expect(layoutOf(828, 390, WIDE).arrangement).toBe("low");
    expect(isCompact(828, 390)).toBe(true);
  });

  it("has a column for the hand where the screen is much wider than the board", () => {
    for (const shape of [SQUARE, TRAY]) {
      expect(layoutOf(1312, 768, shape).arrangement).toBe("beside");
      expect(layoutOf(2504, 1440, shape).arrangement).toBe("beside");
    }
    expect(isCompact(1312, 768)).toBe(false);
  });

  it("has the hand below a board that is wide itself", () => {
    for (const [width, height] of [
      [1312, 768],
      [1384, 900],
    ] as const)
      expect(layoutOf(width, height, WIDE).arrangement).toBe("below");
  });

  it("has the hand in the rail where the board gains by it and the rail has room", () => {
    expect(layoutOf(984, 768, SQUARE).arrangement).toBe("rail");
    expect(layoutOf(984, 768, TRAY).arrangement).toBe("rail");
    expect(layoutOf(1384, 900, SQUARE).arrangement).toBe("beside");
    expect(layoutOf(1384, 900, TRAY).arrangement).toBe("rail");
    expect(layoutOf(984, 600, { ...TRAY, handHeight: () => 320 }).arrangement).not.toBe("rail");
  });

  it("has a low hand in the rail rather than alone in a column", () => {
    const low: BoardShape = { ...SQUARE, handHeight: () => 92 };
    expect(layoutOf(1312, 768, low).arrangement).toBe("rail");
    expect(layoutOf(1312, 768, { ...low, ratio: 2 }).arrangement).toBe("below");
  });

  it("says how wide the board becomes", () => {
    expect(layoutOf(2504, 1440, SQUARE).boardWidth).toBe(1440 - 52 - 12 - 24);
    expect(layoutOf(984, 768, SQUARE).boardWidth).toBeGreaterThan(600);
  });

  it("gives a board without parts all the room there is", () => {
    expect(layoutOf(1384, 900, null)).toEqual({ arrangement: "below", railWidth: 332, boardWidth: 1012 });
  });
});
