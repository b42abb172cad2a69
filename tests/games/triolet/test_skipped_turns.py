"""Turns that are skipped, which the terminal reports (TO-11)."""

from __future__ import annotations

from tests.random_games import check_skipped_turns

from tripot.games.triolet import GAME
from tripot.games.triolet.rules import State


def test_TO_11_only_seats_that_cannot_place_are_skipped() -> None:  # noqa: N802
    start = GAME.initial_state(players=2)
    assert sum(check_skipped_turns(start, seed, State.can_place) for seed in range(8))
