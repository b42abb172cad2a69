/** Toasts: short messages that disappear by themselves. */
import { ApiError, type Refusal } from "./api";
import { prefs } from "./prefs.svelte";
import { errorText } from "./error-text";
import { play } from "./browser-sounds";

export interface Toast {
  text: string;
  /** The clause that the toast links to. */
  clause: string | null;
  bad: boolean;
}

class Toasts {
  now = $state.raw<Toast | null>(null);
  private timer: number | undefined;

  show(text: string, { clause = null, bad = false }: { clause?: string | null; bad?: boolean } = {}): void {
    this.now = { text, clause, bad };
    if (bad && prefs.sound) play("refuse");
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.clear(), bad ? 12_000 : 5_000);
  }

  showError(error: Refusal): void {
    this.show(errorText(error, prefs.lang), { clause: error.clause ?? null, bad: true });
  }

  fail(error: unknown): void {
    if (error instanceof ApiError) this.showError(error.body);
    else throw error;
  }

  clear(): void {
    this.now = null;
  }
}

export const toasts = new Toasts();
