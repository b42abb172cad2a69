"""Random games of every kind, for tests of what must hold in all their states."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeVar

from tripot.game import AnyState, Seat
from tripot.testing import random_action

S = TypeVar("S", bound=AnyState)


def random_states(start: S, seed: int) -> list[S]:
    """Return all states of a random game, with the first and the last one."""
    rng, states = Random(seed), [start]
    while states[-1].to_act is not None:
        states.append(states[-1].apply(random_action(states[-1], rng)))
    return states


def check_skipped_turns(start: S, seed: int, can_act: Callable[[S, Seat], object]) -> int:
    """Play a random game in which only seats that cannot act may be skipped; return how many were."""
    rng, state, skipped_turns = Random(seed), start, 0
    while state.to_act is not None:
        action = random_action(state, rng)
        skipped, state = state.skipped_by(action), state.apply(action)
        assert not any(can_act(state, seat) for seat in skipped)
        assert not skipped or state.to_act not in skipped
        skipped_turns += len(skipped)
    return skipped_turns
