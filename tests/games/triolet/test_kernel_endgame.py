"""The search of Triolet's endings against plain minimax over the rules."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from tripot.game import CHANCE, Limit
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Options, Place
from tripot.games.triolet.board import HIDDEN_TOKEN
from tripot.games.triolet.engine import evaluate_all, possible_racks, to_position
from tripot.games.triolet.kernel.endgame import endgame_gains
from tripot.games.triolet.kernel.moves import to_rack
from tripot.games.triolet.rules import State

ENOUGH = Limit(simulations=10_000)  # all that there is to search, whatever time it takes
SEEDS = (0, 1, 3, 5, 8, 12, 13, 15, 17, 18, 20, 24, 25, 33, 36, 37, 38, 39, 40, 43, 44, 50, 53, 54, 56)
"""Of games that come to such an ending."""
SHORTEST = (5, 8, 13, 15, 18, 20, 24, 36, 39, 54)  # of games that come to an ending with two tokens


@cache
def plain(state: State) -> int:
    """By how much seat 1 ends ahead of seat 2, both playing their best and seeing everything."""
    if state.outcome:
        return state.outcome.scores[0] - state.outcome.scores[1]
    leads = [plain(state.apply(action)) for action in state.legal_actions()]
    return max(leads) if state.turn == 0 else min(leads)


def endings(seed: int, most: int = 4) -> list[State]:
    """Late positions of a game of random placements: an empty bag, and few tokens on the racks."""
    return [state for state in last_states(seed) if sum(map(len, state.racks)) <= most]


@cache
def last_states(seed: int) -> tuple[State, ...]:
    """The positions of such a game in which the bag is empty."""
    state, rng, found = GAME.initial_state(Options()), Random(seed), []
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        if not state.bag:
            found.append(state)
        legal = state.legal_actions()
        state = state.apply(rng.choice([each for each in legal if isinstance(each, Place)] or legal))
    return tuple(found)


@pytest.mark.parametrize("seed", [*SEEDS, pytest.param(28, marks=pytest.mark.soak)])
def test_the_search_of_endings_equals_plain_minimax(seed: int) -> None:
    """Seed 28 has the largest ending: seconds of minimax, where the others take hundredths of one."""
    tried = endings(seed)
    assert tried
    for state in tried:
        table, lead = to_position(state), state.scores[0] - state.scores[1]
        sign = 1 if state.turn == 0 else -1
        racks = np.array([to_rack(state.racks[1 - state.turn])])
        for each in evaluate_all(state, table, 2):
            exact = sign * (plain(state.apply(each.action)) - lead)
            assert endgame_gains(table, each.number, each.points, racks)[0] == exact, (
                state.to_text(),
                each.action,
            )


@pytest.mark.parametrize("seed", SHORTEST)
def test_the_top_level_plays_an_ending_for_every_rack_that_the_other_may_hold(seed: int) -> None:
    """The chance to win of its move is the best there is, each rack weighed by how likely it is."""
    tried = endings(seed, most=2)
    assert tried
    for state in tried:
        view = state.view(state.turn)
        racks, odds = possible_racks(view, 1 - state.turn)
        chances = {}
        for action in state.legal_actions():
            chance = 0.0
            for rack, weight in zip(racks, odds, strict=True):
                held = bytes(token for token in rack.tolist() if token < HIDDEN_TOKEN)
                world = replace(view, racks=(held, view.racks[1]) if state.turn else (view.racks[0], held))
                lead = plain(world.apply(action)) * (1 if state.turn == 0 else -1)
                chance += weight * (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
            chances[action] = chance
        chosen = GAME.engine(4).choose(view, ENOUGH, Random(1)).action
        assert chances[chosen] == pytest.approx(max(chances.values())), state.to_text()


def test_at_most_twenty_racks_and_the_true_one_among_them() -> None:
    for seed in range(10):
        for state in endings(seed, most=6):
            other = 1 - state.turn
            racks, odds = possible_racks(state.view(state.turn), other)
            assert 1 <= len(racks) <= 20
            assert odds.sum() == pytest.approx(1)
            assert to_rack(state.racks[other]).tolist() in racks.tolist()
