/** The points of teams, where a game has points. A game that the players ended has a winner, but no final points. */
import type { Seat } from "./api";
import type { GameState, Outcome } from "./wire";

export interface TeamTotal {
  seats: Seat[];
  points: number;
}

/** A whole number with a typographic minus. */
export const pointsText = (points: number): string => String(points).replace("-", "−");

const teamsOf = (state: GameState): number[] => [...new Set(state.teams)].sort((one, other) => one - other);

/** The outcome, if its scores are points. */
export const pointsOutcome = (state: GameState): Outcome | null => (state.outcome?.has_points ? state.outcome : null);

/** The final points of each team; empty if there are none, and for a player alone. */
export function finalTotals(state: GameState): TeamTotal[] {
  const outcome = pointsOutcome(state);
  const teams = teamsOf(state);
  if (!outcome || teams.length < 2) return [];
  return teams.map((team) => ({
    seats: state.teams.flatMap((other, seat) => (other === team ? [seat] : [])),
    points: outcome.team_scores[team] ?? 0,
  }));
}

/** The points by which the winners are ahead; 0 without a winner or without points. */
export function winningMargin(state: GameState): number {
  const [best, second] = finalTotals(state)
    .map(({ points }) => points)
    .sort((one, other) => other - one);
  return state.outcome?.winners.length && second !== undefined ? best! - second : 0;
}

/** The points of a team: the final ones if the result may be shown, else those so far. Null if none are counted. */
export function teamPoints(state: GameState, team: number, showsResult: boolean): number | null {
  const total = showsResult && pointsOutcome(state)?.team_scores[team];
  if (typeof total === "number") return total;
  return state.score_history.at(-1)?.team_scores[team] ?? null;
}
