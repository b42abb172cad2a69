/** The preferences of the user, in the local storage of the browser. */
import { Api } from "./api";
import { parseLastSetup, type LastSetup } from "./game-setup";
import { reloadOnce } from "./browser-window";
import { CATALOGUES, preferredLanguage, translator, type Key } from "./i18n";

export type Theme = "system" | "light" | "dark";

function loadPreference(name: string): string | null {
  try {
    return localStorage.getItem(`tripot.${name}`);
  } catch {
    return null; // storage is switched off
  }
}

export function savePreference(name: string, value: string): void {
  try {
    localStorage.setItem(`tripot.${name}`, value);
  } catch {
    // storage is switched off
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

class Prefs {
  lang = $state(preferredLanguage([loadPreference("lang") ?? "", ...navigator.languages]));
  theme = $state<Theme>((loadPreference("theme") as Theme | null) ?? "system");
  sound = $state(loadPreference("sound") !== "off");
  /** Whether a move made by one tap on a touch screen is played only after it is confirmed. */
  confirmMoves = $state(loadPreference("confirmMoves") === "on");
  level = $state(Number(loadPreference("level")) || 1);
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

  set(changes: { lang?: string; theme?: Theme; sound?: boolean; confirmMoves?: boolean; level?: number }): void {
    Object.assign(this, changes);
    for (const [name, value] of Object.entries(changes)) {
      savePreference(name, value === true ? "on" : value === false ? "off" : String(value));
    }
  }

  /** What was chosen the last time for a game. */
  lastSetup(gameKey: string): LastSetup {
    return parseLastSetup(loadPreference(`setup.${gameKey}`));
  }

  saveSetup(gameKey: string, setup: LastSetup): void {
    savePreference(`setup.${gameKey}`, JSON.stringify(setup));
  }

  /** Whether this is the first call with the name on this device. */
  once(name: string): boolean {
    const first = loadPreference(`seen.${name}`) === null;
    savePreference(`seen.${name}`, "yes");
    return first;
  }
}

export const prefs = new Prefs();
export const api = new Api(() => prefs.lang, reloadOnce);

/** A message of the page in the current language. */
export function t(key: Key, values?: Record<string, string | number>): string {
  return translator(CATALOGUES, prefs.lang)(key, values);
}
