"""Turns that are skipped, which the terminal reports (TO-11)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.games.skipped_turns import check_skips_are_said
from tests.random_games import check_skipped_turns
from typer.testing import Result

from tripot.games.triolet import GAME
from tripot.games.triolet.rules import State

Run = Callable[..., Result]


def test_TO_11_only_seats_that_cannot_place_are_skipped() -> None:
    start = GAME.initial_state(players=2)
    assert sum(check_skipped_turns(start, seed, State.can_place) for seed in range(8))


@pytest.mark.parametrize("options", ["players=2", "players=3"])
def test_TO_11_each_skipped_turn_is_said_in_words(run_cli: Run, options: str) -> None:
    check_skips_are_said(run_cli, GAME, options, 3)
