/** A view for tests: two players in the first round, without a throw. */
import type { View } from "./view";

export function newView(changes: Partial<View>): View {
  return {
    boards: [],
    plays: [0, 1],
    sides: [0, 1],
    side: 0,
    round: 1,
    solo: false,
    by_hand: false,
    by_rounds: false,
    throw: [],
    budget: 0,
    left: 0,
    turned: [],
    costs: {},
    chains: {},
    may_point: false,
    claim_board: 1,
    may_reject: false,
    sheet: [],
    sum: 0,
    won: [0, 0],
    lost: [0, 0],
    legal: [],
    ...changes,
  };
}
