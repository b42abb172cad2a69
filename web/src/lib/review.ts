/** The review of a finished game, move by move. */
import type { Seat, EngineAnalysis } from "./api";
import type { Candidate, ExpectedOutcome, GameEvent } from "./wire";

export interface ReviewedMove {
  /** The number of actions before this one. */
  at: number;
  seat: Seat;
  played: string;
  /** From -1 to 1, for the seat that moved. */
  value: number;
  best: Candidate;
  /** The best candidates, and the move that was played if it is not among them. */
  choices: Candidate[];
  /** The value of the best move minus that of this one; at least 0. */
  loss: number;
}

/** The number of candidates shown for a position. */
export const SHOWN_CANDIDATES = 5;

/** Points, rounded, with their sign and a typographic minus. */
export function signedPoints(points: number): string {
  const whole = Math.round(points);
  return whole > 0 ? `+${whole}` : whole < 0 ? `−${-whole}` : "±0";
}

/** A score, rounded, with a typographic minus. */
export const scoreText = (points: number): string => String(Math.round(points) || 0).replace("-", "−");

/** An expected outcome as text: win rate and score lead. */
export const expectedOutcomeText = (
  outlook: ExpectedOutcome,
  translate: (key: "expected_outcome", values: Record<string, string | number>) => string,
): string =>
  translate("expected_outcome", {
    wins: Math.round(100 * outlook.win_rate),
    lead: signedPoints(outlook.score_lead),
    count: Math.abs(Math.round(outlook.score_lead)),
  });

/** Whether an analysis has distance maps. */
export const hasDistanceMaps = (study: EngineAnalysis | null | undefined): boolean =>
  Object.keys(study?.distance_maps ?? {}).length > 0;

/** The indexes of the actions of seats, which can be reviewed. */
export function moveIndexes(line: readonly GameEvent[]): number[] {
  return line.flatMap((each, at) => (each.type === "action" ? [at] : []));
}

/** The seconds of search for each of `count` moves: `whole` for the game, within the limits of the server. */
export function secondsPerMove(count: number, whole = 40): number {
  return Math.max(0.1, Math.min(1, Math.floor((whole / Math.max(1, count)) * 10) / 10));
}

/** The review of a move. If it is not among the candidates, it has the value of the worst of them. */
export function reviewMove(at: number, move: GameEvent, choices: readonly Candidate[]): ReviewedMove | null {
  const best = choices[0];
  if (!best || move.seat === null) return null;
  const found = choices.find((each) => each.action === move.text);
  const { value } = found ?? choices.at(-1)!;
  const few = choices.slice(0, SHOWN_CANDIDATES);
  if (found && !few.includes(found)) few.push(found);
  return { at, seat: move.seat, played: move.text, value, best, choices: few, loss: Math.max(0, best.value - value) };
}

/** The value after each move: one curve for the first of two seats, or one for each of more seats. */
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

/** The reviewed move nearest to an index, where the user clicked on the graph. */
export function nearestMove(reviewed: readonly ReviewedMove[], at: number): ReviewedMove | null {
  return reviewed.reduce<ReviewedMove | null>(
    (best, each) => (best === null || Math.abs(each.at - at) < Math.abs(best.at - at) ? each : best),
    null,
  );
}
