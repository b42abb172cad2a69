/** Personal bests of solo games by board or figure, on this device. Fewer is better. */

/** The part of the browser's storage that is used; tests provide their own. */
export interface BestStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

export interface PersonalBest {
  /** The best result before this one; null if there is none. */
  before: number | null;
  /** Whether this one is the first, or better. */
  isNew: boolean;
}

/** Keep a result if it is the best of its board. Without storage every result is the first. */
export function keepBest(storage: BestStorage | null, gameKey: string, board: string, score: number): PersonalBest {
  const key = `tripot.best.${gameKey}.${hash(board)}`;
  try {
    const kept = storage?.getItem(key) ?? null;
    const before = kept === null || !Number.isFinite(Number(kept)) ? null : Number(kept);
    const isNew = before === null || score < before;
    if (isNew) storage?.setItem(key, String(score));
    return { before, isNew };
  } catch {
    return { before: null, isNew: true }; // storage is switched off or full
  }
}

/** A short name for a long text (FNV-1a, 32 bits). */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return value.toString(36);
}
