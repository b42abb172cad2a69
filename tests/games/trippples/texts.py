"""Actions of Trippples by their texts, for tests."""

from __future__ import annotations

from functools import partial

from tripot import testing
from tripot.games.trippples import GAME

play = partial(testing.apply_texts, GAME)
"""The state after some actions."""

refusal = partial(testing.rejection_key, GAME)
"""The clause and key of the error that an action raises."""
