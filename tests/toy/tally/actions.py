"""The actions of Tally: dealing and taking."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game
from tripot.game_package import are_indices
from tripot.games.tally.board import CARDS


@dataclass(frozen=True, slots=True)
class Deal(game.Action):
    cards: tuple[int, int]

    def __str__(self) -> str:
        return f"deal {self.cards[0]},{self.cards[1]}"


@dataclass(frozen=True, slots=True)
class Take(game.Action):
    count: int

    def __str__(self) -> str:
        return f"take {self.count}"


Action = Deal | Take


def is_well_formed(action: Action) -> bool:
    """Whether cards exist, and counts are numbers."""
    if isinstance(action, Deal):
        return are_indices(action.cards, max(CARDS) + 1) and len(action.cards) == 2
    return isinstance(action.count, int)
