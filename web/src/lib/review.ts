/** What an engine thinks of each move of a game that is over. */
import type { Seat, EngineAnalysis } from "./api";
import type { Candidate, ExpectedOutcome, GameEvent } from "./wire";

export interface ReviewedMove {
  /** How many actions were played before this one. */
  at: number;
  seat: Seat;
  played: string;
  /** From -1 to 1, for the seat that moved. */
  value: number;
  best: Candidate;
  /** The best few, and what was played if it is not among them. */
  choices: Candidate[];
  /** How much better the best would have been. */
  loss: number;
}

/** So many moves are shown of a position. */
export const SHOWN_CANDIDATES = 5;

/** Points as they are read: with their sign, a true minus, and rounded. */
export function signedPoints(points: number): string {
  const whole = Math.round(points);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "±0";
}

/** A final score; a plain number but for its minus. */
export const scoreText = (points: number): string => String(Math.round(points) || 0).replace("-", "−");

/** How often a move wins, and by how many points. */
export const expectedOutcomeText = (
  outlook: ExpectedOutcome,
  translate: (key: "expected_outcome", values: Record<string, string | number>) => string,
): string =>
  translate("expected_outcome", {
    wins: Math.round(100 * outlook.win_rate),
    lead: signedPoints(outlook.score_lead),
    count: Math.abs(Math.round(outlook.score_lead)),
  });

/** Whether a study has a map. */
export const hasDistanceMaps = (study: EngineAnalysis | null | undefined): boolean =>
  Object.keys(study?.distance_maps ?? {}).length > 0;

/** The numbers of the actions of seats, those that can be reviewed. */
export function moveIndexes(line: readonly GameEvent[]): number[] {
  return line.flatMap((each, at) => (each.type === "action" ? [at] : []));
}

/** Seconds for each of so many moves: a minute for a game, and what the server grants for one question. */
export function secondsPerMove(count: number, whole = 40): number {
  return Math.max(0.1, Math.min(1, Math.floor((whole / Math.max(1, count)) * 10) / 10));
}

/** A move among the choices of its position; if it is not there it was worse than all of them. */
export function reviewMove(at: number, move: GameEvent, choices: readonly Candidate[]): ReviewedMove | null {
  const best = choices[0];
  if (!best || move.seat === null) return null;
  const found = choices.find((each) => each.action === move.text);
  const { value } = found ?? choices.at(-1)!;
  const few = choices.slice(0, SHOWN_CANDIDATES);
  if (found && !few.includes(found)) few.push(found);
  return { at, seat: move.seat, played: move.text, value, best, choices: few, loss: Math.max(0, best.value - value) };
}

/** One curve for the first of two seats; of more, one for each. */
export function valueCurves(
  reviewed: readonly ReviewedMove[],
  seats: number,
): { seat: Seat; points: { at: number; value: number }[] }[] {
  const point = (each: ReviewedMove, value: number) => ({ at: each.at, value });
  if (seats === 2) {
    return [{ seat: 0, points: reviewed.map((each) => point(each, each.seat === 0 ? each.value : -each.value)) }];
  }
  return Array.from({ length: seats }, (_, seat) => ({
    seat,
    points: reviewed.filter((each) => each.seat === seat).map((each) => point(each, each.value)),
  }));
}

/** The reviewed move nearest to a place in the game: where somebody pointed on the graph. */
export function nearestMove(reviewed: readonly ReviewedMove[], at: number): ReviewedMove | null {
  return reviewed.reduce<ReviewedMove | null>(
    (best, each) => (best === null || Math.abs(each.at - at) < Math.abs(best.at - at) ? each : best),
    null,
  );
}
