/** A view for tests: two players in the first round, without a throw. */
import type { View } from "./view";

export function newView(changes: Partial<View>): View {
  return {
    boards: [],
    board_of_side: [0, 1],
    sides: [0, 1],
    side: 0,
    round: 1,
    solo: false,
    by_hand: false,
    by_rounds: false,
    throw: [],
    is_double: false,
    throwing_side: null,
    budget: 0,
    budget_left: 0,
    points_counted: 0,
    flipped: [],
    costs: {},
    chains: {},
    closed_lines: [[], []],
    chain_lines: {},
    can_claim: false,
    claim_side: 1,
    can_reject: false,
    sheet: [],
    throw_sum: 0,
    rounds_won: [0, 0],
    points_lost: [0, 0],
    first_round: null,
    legal: [],
    ...changes,
  };
}
