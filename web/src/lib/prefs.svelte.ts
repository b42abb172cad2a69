/** What a visitor prefers, kept in this browser. */
import { Api } from "./api";
import { CATALOGUES, preferred, speaker, type Key } from "./i18n";

export type Theme = "system" | "light" | "dark";

function kept(name: string): string | null {
  try {
    return localStorage.getItem(`tripot.${name}`);
  } catch {
    return null; // storage is switched off: then nothing is kept
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`tripot.${name}`, value);
  } catch {
    // as above
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Prefs {
  lang = $state(preferred([kept("lang") ?? "", ...navigator.languages]));
  theme = $state<Theme>((kept("theme") as Theme | null) ?? "system");
  sound = $state(kept("sound") !== "off");
  level = $state(Number(kept("level")) || 1);
  name = $state("");
  motion = $state(!still.matches);
  private systemDark = $state(dark.matches);

  constructor() {
    still.addEventListener("change", () => (this.motion = !still.matches));
    dark.addEventListener("change", () => (this.systemDark = dark.matches));
  }

  get isDark(): boolean {
    return this.theme === "dark" || (this.theme === "system" && this.systemDark);
  }

  set(what: { lang?: string; theme?: Theme; sound?: boolean; level?: number }): void {
    Object.assign(this, what);
    for (const [name, value] of Object.entries(what)) {
      keep(name, value === true ? "on" : value === false ? "off" : String(value));
    }
  }

  /** Whether a first time has been; asked once it has. */
  once(what: string): boolean {
    const first = kept(`seen.${what}`) === null;
    keep(`seen.${what}`, "yes");
    return first;
  }
}

export const prefs = new Prefs();
export const api = new Api(() => prefs.lang);

/** A sentence of the page in the language of now. */
export function t(key: Key, values?: Record<string, string | number>): string {
  return speaker(CATALOGUES, prefs.lang)(key, values);
}
