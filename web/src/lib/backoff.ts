/** Repeats an attempt that failed after growing pauses, until it succeeds or is stopped. */

const FIRST = 1000;
const LONGEST = 15_000;

/** The pause after so many failures in a row, in milliseconds. */
export const pause = (failures: number): number => Math.min(LONGEST, FIRST * 2 ** Math.max(0, failures - 1));

export class Backoff {
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly attempt: () => void) {}

  /** To be called after a failure: the next attempt follows after a pause. */
  failed(): void {
    this.failures++;
    clearTimeout(this.timer);
    this.timer = setTimeout(this.attempt, pause(this.failures));
  }

  /** To be called after a success, or when the result is not needed any more. */
  stop(): void {
    this.failures = 0;
    clearTimeout(this.timer);
  }
}
