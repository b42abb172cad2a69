"""The options of Tally."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game
from tripot.game import option


@dataclass(frozen=True)
class Options(game.Options):
    players: int = option(2, 2, clause="TY-1")
    heap: int = option(5, 5, 7, clause="TY-2")
