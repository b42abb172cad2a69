"""Helpers that the tests of Triolet share."""

from __future__ import annotations

from functools import partial

from tripot import testing
from tripot.games.triolet import GAME
from tripot.games.triolet.options import Options
from tripot.games.triolet.rules import State

play = partial(testing.apply_texts, GAME)
refused = partial(testing.rejection_fact, GAME)
rejection_key = partial(testing.rejection_key, GAME)
effects = partial(testing.effect_texts, GAME)


def started_game(racks: str = "0,3,5/1,2,4", first: str = "1") -> State:
    """A game before its first move: the first seat and all racks are drawn."""
    state = play(GAME.initial_state(Options(players=racks.count("/") + 1)), f"lots {first}")
    for seat, rack in enumerate(racks.split("/"), 1):
        state = play(state, f"draw {seat} {rack}")
    return state


def legal_texts(state: State) -> list[str]:
    """The texts of the legal actions."""
    return [str(action) for action in state.legal_actions()]
