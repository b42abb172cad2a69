"""Triggery: turn over all tiles of a board with the points of the dice; chains of bonuses are free."""

from __future__ import annotations

from tripot.game_package import InitialState, PackageGame
from tripot.games.triggery import options, rules
from tripot.games.triggery.actions import Action


class Triggery(PackageGame[Action, rules.State]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    version = 1
    Options = options.Options
    levels = range(1, 6)
    initial_state = InitialState(options.Options, rules.initial_state)


GAME = Triggery()
