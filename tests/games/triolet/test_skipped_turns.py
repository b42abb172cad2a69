"""Turns that are skipped, which the terminal reports (TO-11)."""

from __future__ import annotations

from random import Random

from tripot.game import CHANCE
from tripot.games.triolet import GAME
from tripot.games.triolet.rules import State


def test_TO_11_only_seats_that_cannot_place_are_skipped() -> None:  # noqa: N802
    skipped_turns = 0
    for seed in range(8):
        rng, state = Random(seed), GAME.initial_state(players=2)
        while state.to_act is not None:
            legal = state.legal_actions()
            action = state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(legal)
            skipped, state = state.skipped_by(action), state.apply(action)
            assert isinstance(state, State)
            assert not any(state.can_place(seat) for seat in skipped)
            assert not skipped or state.to_act not in skipped
            skipped_turns += len(skipped)
    assert skipped_turns
