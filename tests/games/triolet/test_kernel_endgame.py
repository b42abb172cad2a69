"""The exact endgame of Triolet against plain minimax over the rules."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from tripot.game import CHANCE, Limit
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Place
from tripot.games.triolet.board import HIDDEN_TOKEN
from tripot.games.triolet.engine import evaluate_all, possible_racks, to_position
from tripot.games.triolet.kernel.endgame import endgame_gains, new_endgame_buffers
from tripot.games.triolet.kernel.tables import to_rack
from tripot.games.triolet.options import Options
from tripot.games.triolet.rules import State

NO_LIMIT = Limit(simulations=10_000)  # more moves than any position has
SEEDS = (0, 1, 3, 5, 8, 12, 13, 15, 17, 18, 20, 24, 25, 33, 36, 37, 38, 39, 40, 43, 44, 50, 53, 54, 56)
"""Seeds of games that reach such a position."""
SHORTEST = (5, 8, 13, 15, 18, 20, 24, 36, 39, 54)  # ... with two tokens on the racks


@cache
def best_lead(state: State) -> int:
    """Return by how much seat 1 ends ahead of seat 2 if both play their best and see everything."""
    if state.outcome:
        return state.outcome.scores[0] - state.outcome.scores[1]
    leads = [best_lead(state.apply(action)) for action in state.legal_actions()]
    return max(leads) if state.turn == 0 else min(leads)


@cache
def best_scores(state: State) -> frozenset[tuple[int, ...]]:
    """Return the final scores of all lines of best play."""
    if state.outcome:
        return frozenset([state.outcome.scores])
    lead, after = best_lead(state), [state.apply(action) for action in state.legal_actions()]
    return frozenset().union(*(best_scores(child) for child in after if best_lead(child) == lead))


def endgame_states(seed: int, max_tokens: int = 4) -> list[State]:
    """Return late positions of a game of random placements: an empty bag, and few tokens on the racks."""
    return [state for state in last_states(seed) if sum(map(len, state.racks)) <= max_tokens]


@cache
def last_states(seed: int) -> tuple[State, ...]:
    """Return the positions of such a game in which the bag is empty."""
    state, rng, states = GAME.initial_state(Options()), Random(seed), []
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        if not state.bag:
            states.append(state)
        legal = state.legal_actions()
        state = state.apply(rng.choice([action for action in legal if isinstance(action, Place)] or legal))
    return tuple(states)


@pytest.mark.parametrize("seed", [*SEEDS, pytest.param(28, marks=pytest.mark.soak)])
def test_the_endgame_search_equals_plain_minimax(seed: int) -> None:
    """Seed 28 has the largest endgame: seconds of minimax, where the others take hundredths of a second."""
    states, buffers = endgame_states(seed), new_endgame_buffers()
    gains, totals = np.zeros(1, np.int32), np.zeros(1, np.int32)
    assert states
    for state in states:
        position, lead = to_position(state), state.scores[0] - state.scores[1]
        sign = 1 if state.turn == 0 else -1
        racks = np.array([to_rack(state.racks[1 - state.turn])])
        for estimate in evaluate_all(state, position, uses_equity=False):
            after = state.apply(estimate.action)
            endgame_gains(position, estimate.code, estimate.points, racks, buffers, gains, totals)
            assert gains[0] == sign * (best_lead(after) - lead), (state.to_text(), estimate.action)
            final_sums = {sum(scores) for scores in best_scores(after)}
            assert sum(state.scores) + totals[0] in final_sums, (state.to_text(), estimate.action)


@pytest.mark.parametrize("seed", SHORTEST)
def test_the_top_level_weighs_every_rack_that_the_opponent_may_hold(seed: int) -> None:
    """The win probability of its move is the highest there is, each rack weighed by its probability."""
    states = endgame_states(seed, max_tokens=2)
    assert states
    for state in states:
        view = state.view(state.turn)
        racks, probabilities = possible_racks(view, 1 - state.turn)
        win_rates = {}
        for action in state.legal_actions():
            win_rate = 0.0
            for rack, probability in zip(racks, probabilities, strict=True):
                held = bytes(token for token in rack.tolist() if token < HIDDEN_TOKEN)
                full = replace(view, racks=(held, view.racks[1]) if state.turn else (view.racks[0], held))
                lead = best_lead(full.apply(action)) * (1 if state.turn == 0 else -1)
                win_rate += probability * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
            win_rates[action] = win_rate
        chosen = GAME.engine(7).choose(view, NO_LIMIT, Random(1)).action
        assert win_rates[chosen] == pytest.approx(max(win_rates.values())), state.to_text()


def test_with_known_racks_the_top_level_expects_the_scores_of_best_play() -> None:
    states = [state for seed in SHORTEST for state in endgame_states(seed)]
    for state in (state for state in states if len(state.legal_actions()) > 1):  # else there is no search
        # `choose` hides the other rack first, and then the scores are means over several racks.
        candidate = GAME.engine(7)._choose(state, NO_LIMIT, Random(1))
        assert candidate.expected is not None
        assert candidate.expected.scores in best_scores(state.apply(candidate.action)), state.to_text()


def test_at_most_twenty_racks_are_considered_with_the_true_one() -> None:
    for seed in range(10):
        for state in endgame_states(seed, max_tokens=6):
            opponent = 1 - state.turn
            racks, probabilities = possible_racks(state.view(state.turn), opponent)
            assert 1 <= len(racks) <= 20
            assert probabilities.sum() == pytest.approx(1)
            assert to_rack(state.racks[opponent]).tolist() in racks.tolist()
