"""Turns that are skipped, which the terminal reports (TO-11)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.games.skipped_turns import dialogues_with_skips
from typer.testing import Result

from tripot.game import CHANCE
from tripot.games.triolet import GAME
from tripot.games.triolet.rules import State

Run = Callable[..., Result]


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


@pytest.mark.parametrize("options", ["players=2", "players=3"])
def test_TO_11_each_skipped_turn_is_said_in_words(run_cli: Run, options: str) -> None:  # noqa: N802
    dialogues = [*dialogues_with_skips(GAME, options, 3)]
    assert dialogues
    for arguments, lines, said in dialogues:
        assert said in " ".join(run_cli(*arguments, lines=lines).output.split())
