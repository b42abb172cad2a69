"""The JSON of a view of Tally."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tripot import game

if TYPE_CHECKING:
    from tripot.games.tally.rules import State


class View(game.View):
    """What the page needs to show a position and to offer its legal actions."""

    heap: int
    """The number of counters on the heap."""

    cards: list[int]
    """The card of each seat, 0 if it is hidden; empty before the deal."""

    taken: list[int]
    """The number of counters that each seat has taken."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    return {
        "heap": state.heap,
        "cards": list(state.cards),
        "taken": list(state.taken),
        "legal": [str(action) for action in state.legal_actions()],
    }
