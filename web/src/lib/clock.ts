/** The remaining time of a clock, from the time that was left and the start of the running one. */
import type { Seat } from "./api";
import type { ClockState } from "./wire";

/** The seconds that a seat has left at a time of the server. */
export function secondsLeft(clock: ClockState, seat: Seat, now: number): number {
  const then = clock.remaining[seat] ?? 0;
  return Math.max(0, clock.running === seat ? then - Math.max(0, now - clock.started_at) : then);
}

/** Seconds as 4:05 or 1:02:03, with tenths below ten seconds. */
export function clockText(seconds: number): string {
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number: number): string => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
