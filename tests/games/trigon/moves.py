"""What the tests of Trigon share."""

from __future__ import annotations

from tripot.games.trigon.actions import Place
from tripot.games.trigon.rules import State


def placements(state: State) -> list[Place]:
    """The legal moves of a game, all of which are placements; only in a figure can a piece be lifted."""
    moves = [move for move in state.legal_actions() if isinstance(move, Place)]
    assert len(moves) == len(state.legal_actions())
    return moves
