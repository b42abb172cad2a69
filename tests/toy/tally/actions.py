"""The actions of Tally: dealing and taking."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game


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
