"""The options of Tally, dealing and taking."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game
from tripot.game import option


@dataclass(frozen=True)
class Options(game.Options):
    players: int = option(2, 2, clause="TY-1")
    heap: int = option(5, 5, 7, clause="TY-2")


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
