"""Exact analysis of the end of a game, in terms of the rules."""

from __future__ import annotations

from typing import NamedTuple

from tripot.engine.budget import Budget
from tripot.game import Analysis, Candidate, ExpectedOutcome, fact
from tripot.games.trigon.actions import Place
from tripot.games.trigon.kernel.endgame import UNSOLVED, new_endgame_stack, solve_endgame
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.params import ENDGAME_PARAMS, SEARCH_PARAMS
from tripot.games.trigon.kernel.position import from_state
from tripot.games.trigon.kernel.results import expected_outcome, team_of_colour, to_action
from tripot.games.trigon.rules import State


class ExactResult(NamedTuple):
    """The reward, 0 to 1, and the outcome for the seat to act if all teams play their best."""

    reward: float
    expected: ExpectedOutcome


def exact_analysis(state: State, budget: Budget) -> Analysis | None:
    """Return the exact analysis of a position; None if too many moves are left, or too little time."""
    position, max_positions = from_state(state), ENDGAME_PARAMS.max_positions
    if not budget.is_counted:
        max_positions = int(min(max_positions, ENDGAME_PARAMS.positions_per_second * budget.seconds))
    move_count = sum(len(legal_moves(position, colour)) for colour in state.in_play)
    if move_count > ENDGAME_PARAMS.max_moves or not (results := exact_results(state, max_positions)):
        return None
    return Analysis(tuple(_exact_candidates(state, results)), (fact("ENGINE", "settled"),))


def exact_results(state: State, max_positions: int) -> dict[Place, ExactResult]:
    """Return the result of each legal move; empty if that takes more than `max_positions` positions."""
    position, colour = from_state(state), state.turn
    stack = new_endgame_stack(position)
    positions = solve_endgame(position, colour, team_of_colour(state), SEARCH_PARAMS, max_positions, stack)
    if positions == UNSOLVED:
        return {}
    moves = stack.positions.moves[0, colour, : stack.positions.move_count[0, colour]]
    rewards, win_shares, scores = stack.root_results
    return {
        to_action(move): ExactResult(
            float(rewards[index, colour]), expected_outcome(state, win_shares[index, colour], scores[index])
        )
        for index, move in enumerate(moves)
    }


def _exact_candidates(state: State, results: dict[Place, ExactResult]) -> list[Candidate]:
    """Return the moves, best first, each with its principal variation."""
    order = sorted(results, key=lambda action: -results[action].reward)
    return [
        Candidate(
            action,
            2 * results[action].reward - 1,
            _exact_pv(state, action) if action == order[0] else (action,),
            expected=results[action].expected,
        )
        for action in order
    ]


def _exact_pv(state: State, action: Place) -> tuple[Place, ...]:
    """Return the moves to the end of the game if all teams play their best after an action."""
    line, after = [action], state.apply(action)
    while after.to_act is not None:
        results = exact_results(after, ENDGAME_PARAMS.max_positions)
        line.append(max(results, key=lambda move: results[move].reward))
        after = after.apply(line[-1])
    return tuple(line)
