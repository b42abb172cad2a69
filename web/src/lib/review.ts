/** The review of a finished game, move by move. */
import type { Seat, EngineAnalysis } from "./api";
import type { Turn } from "./turns";
import type { Candidate, GameEvent } from "./wire";

export interface ReviewedMove {
  /** The number of actions before this one. */
  at: number;
  seat: Seat;
  played: string;
  /** From -1 to 1, for the seat that moved. */
  value: number;
  best: Candidate;
  /** The best candidates, and the move that was played if it is not among them. */
  candidates: Candidate[];
  /** The value of the best move minus that of this one; at least 0. */
  loss: number;
}

export interface ReviewedTurn {
  turn: Turn;
  /** The number of actions before it. */
  at: number;
  seat: Seat;
  /** The best that could be done at its beginning. */
  best: Candidate;
  /** What its last move came to. */
  after: Candidate;
  /** The value that was lost in it. */
  loss: number;
}

/** The value of a turn that is worth a word, and for a player alone the points of the score, such as throws. */
export const NOTABLE_LOSS = 0.08;
const NOTABLE_COUNT = 0.4;

/** The number of candidates shown for a position. */
export const SHOWN_CANDIDATES = 5;

/** A score, rounded, with a typographic minus. */
export const scoreText = (points: number): string => String(Math.round(points) || 0).replace("-", "−");

/** Whether an analysis has distance maps. */
export const hasDistanceMaps = (analysis: EngineAnalysis | null | undefined): boolean =>
  Object.keys(analysis?.distance_maps ?? {}).length > 0;

/** The indexes of the actions of seats, which can be reviewed. */
export function moveIndexes(events: readonly GameEvent[]): number[] {
  return events.flatMap((each, at) => (each.type === "action" ? [at] : []));
}

/** The seconds of search for each of `count` moves: `whole` for the game, within the limits of the server. */
export function secondsPerMove(count: number, whole = 40): number {
  return Math.max(0.1, Math.min(1, Math.floor((whole / Math.max(1, count)) * 10) / 10));
}

/** The review of a move. If it is not among the candidates, it has the value of the worst of them. */
export function reviewMove(at: number, move: GameEvent, candidates: readonly Candidate[]): ReviewedMove | null {
  const best = candidates[0];
  if (!best || move.seat === null) return null;
  const ofMove = candidates.find((each) => each.action === move.text);
  const { value } = ofMove ?? candidates.at(-1)!;
  const shown = candidates.slice(0, SHOWN_CANDIDATES);
  if (ofMove && !shown.includes(ofMove)) shown.push(ofMove);
  return {
    at,
    seat: move.seat,
    played: move.text,
    value,
    best,
    candidates: shown,
    loss: Math.max(0, best.value - value),
  };
}

/** The turns of a review. A turn of several moves is compared as a whole: with the best that could be done when it
 * began. Its moves may each lose too little to be noticed. */
export function reviewTurns(reviewed: readonly ReviewedMove[], turns: readonly Turn[]): ReviewedTurn[] {
  const byIndex = new Map(reviewed.map((each) => [each.at, each]));
  return turns.flatMap((turn) => {
    if (turn.kind !== "turn") return [];
    const [first, last] = [byIndex.get(turn.from), byIndex.get(turn.to - 1)];
    if (!first || !last) return [];
    const played = last.candidates.find((each) => each.action === last.played) ?? null;
    const after = played ?? last.candidates.at(-1)!;
    return [{ turn, at: first.at, seat: first.seat, best: first.best, after, loss: first.best.value - last.value }];
  });
}

/** The worst mistakes of a game, in the order in which they were made. */
export function mistakes(turns: readonly ReviewedTurn[], most = 6): ReviewedTurn[] {
  const isMistake = ({ best, after, loss }: ReviewedTurn): boolean => {
    if (loss > NOTABLE_LOSS) return true;
    if (!best.expected || best.expected.score_lead !== null || !after.expected) return false;
    return best.expected.scores[0]! - after.expected.scores[0]! >= NOTABLE_COUNT;
  };
  return turns
    .filter(isMistake)
    .sort((one, other) => other.loss - one.loss)
    .slice(0, most)
    .sort((one, other) => one.at - other.at);
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
