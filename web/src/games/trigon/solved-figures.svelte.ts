/** The figures that were solved on this device, kept in its local storage. */
const STORAGE_KEY = "tripot.trigon.solved";

class SolvedFigures {
  private names = $state.raw(loadNames());

  has(name: string): boolean {
    return this.names.has(name);
  }

  add(name: string): void {
    this.names = new Set([...loadNames(), ...this.names, name]);
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify([...this.names]));
    } catch {
      // storage is switched off: they are known until the page is left
    }
  }
}

function loadNames(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : []);
  } catch {
    return new Set(); // storage is switched off, or holds something else
  }
}

export const solvedFigures = new SolvedFigures();
