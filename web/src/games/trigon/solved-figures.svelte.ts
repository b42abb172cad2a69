/** The figures solved on this device. */
const KEY = "tripot.trigon.solved";

function names(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
  } catch {
    return []; // storage is switched off, or holds something else
  }
}

export const isSolved = (name: string) => names().includes(name);

export function markSolved(name: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...names(), name])]));
  } catch {
    // then it is not kept
  }
}
