"""The options of Triolet."""

from __future__ import annotations

from dataclasses import dataclass

from tripot import game
from tripot.game import option


@dataclass(frozen=True)
class Options(game.Options):
    """The booklet offers no variants, only a choice of two, three or four players."""

    players: int = option(2, 2, 3, 4, clause="TO-1")
