"""Actions of Trippples by their texts, for tests."""

from __future__ import annotations

from functools import partial

from tripot import testing
from tripot.games.trippples import GAME
from tripot.games.trippples.rules import State

play = partial(testing.apply_texts, GAME)
"""The state after some actions."""


def effects(state: State, text: str) -> list[str]:
    """The clause and key of each effect that an action would have."""
    return [f"{fact.clause} {fact.key}" for fact in state.preview(GAME.parse_action(text)).effects]


rejection_key = partial(testing.rejection_key, GAME)
"""The clause and key of the error that an action raises."""
