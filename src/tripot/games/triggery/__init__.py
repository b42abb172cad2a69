"""Triggery: turn over all tiles of a board with the points of the dice; chains of bonuses are free."""

from __future__ import annotations

from tripot.game_package import PackageGame
from tripot.games.triggery import options
from tripot.games.triggery.actions import Action
from tripot.games.triggery.rules import State


class Triggery(PackageGame[Action, State]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    version = 1
    Options = options.Options
    levels = range(1, 6)


GAME = Triggery()
