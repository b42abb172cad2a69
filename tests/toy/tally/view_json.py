"""The JSON of a view of Tally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tripot.games.tally.rules import State


def view_json(state: State) -> dict[str, Any]:
    return {
        "heap": state.heap,
        "cards": list(state.cards),
        "legal": [str(action) for action in state.legal_actions()],
    }
