"""Trippples: two pawns, each moved by the arrows under the other."""

from __future__ import annotations

from tripot.game_package import PackageGame
from tripot.games.trippples import options
from tripot.games.trippples.actions import Action
from tripot.games.trippples.rules import State


class Trippples(PackageGame[Action, State]):
    """TP-1 to TP-13: two players, or four in two teams."""

    version = 1
    Options = options.Options
    levels = range(1, 6)
    draw_clause = "TP-9"


GAME = Trippples()
