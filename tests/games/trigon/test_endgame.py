"""Endgames: the exact search against plain minimax over the rules."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from tests.games.trigon.kernel_helpers import game_after
from tests.games.trigon.moves import placements

import tripot
from tripot.game import Limit
from tripot.games.trigon.rules import State

GAME = tripot.get_game("trigon")
CLOSE_ENDGAMES = (0, 3, 4, 7, 10, 12)  # seeds of endgames in which some moves are worse than others


def endgame(text: str, seed: int, max_moves: int) -> State:
    """The first position of a game in which all colours together have few moves."""
    state = game_after(text, Random(seed), moves=20)
    while state.to_act is not None:
        if 1 < len(state.legal_actions()) <= max_moves:  # else it is too early, and counting all takes long
            playing = [colour for colour in state.in_play if not state.blocked >> colour & 1]
            if sum(len([*state.legal_placements(colour)]) for colour in playing) <= max_moves:
                return state
        state = state.apply(max(placements(state), key=lambda move: len(move.cells)))
    raise AssertionError(f"the game of seed {seed} has no such endgame")


@cache
def best_margin(state: State, seat: int) -> float:
    """Plain minimax over the rules: the points by which one of two seats ends ahead."""
    if state.outcome:
        return state.outcome.scores[seat] - state.outcome.scores[1 - seat]
    margins = [best_margin(state.apply(move), seat) for move in state.legal_actions()]
    return max(margins) if state.to_act == seat else min(margins)


@pytest.mark.parametrize(
    "seed",
    [pytest.param(seed, marks=() if seed in CLOSE_ENDGAMES else pytest.mark.soak) for seed in range(16)],
)
def test_endgames_are_played_perfectly(seed: int) -> None:
    """Forced wins, and blocks that save points, against minimax over the rules."""
    state = endgame("players=2", seed, max_moves=25)
    seat = state.to_act
    assert isinstance(seat, int)
    margins = {move: best_margin(state.apply(move), seat) for move in state.legal_actions()}
    assert seed not in CLOSE_ENDGAMES or len({*margins.values()}) > 1
    chosen = GAME.engine(GAME.levels[-1]).choose(state, Limit(simulations=3000), Random(1)).action
    assert margins[chosen] == max(margins.values())
