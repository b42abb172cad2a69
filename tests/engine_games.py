"""Games between levels of the built-in engines, for the tests of the engines."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from tripot.game import CHANCE, AnyGame, AnyState, Limit

S = TypeVar("S", bound=AnyState)


def play_levels(game: AnyGame, state: S, levels: Sequence[int], limit: Limit, seed: int) -> S:
    """Play a game to its end, and return the last state; each seat has a level.

    Chance has a generator of its own, so that all levels get the same dice and draws.
    """
    chance, engine_rng = Random(seed), Random(seed + 1)
    while state.to_act is not None:
        if state.to_act is CHANCE:
            action = state.sample_chance(chance)
        else:
            view = state.view(state.to_act)
            action = game.engine(levels[state.to_act]).choose(view, limit, engine_rng).action
        state = state.apply(action)
    return state
