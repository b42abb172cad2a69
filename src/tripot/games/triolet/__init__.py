"""Triolet: numbers cross like words; two in a line make at most fifteen, and three exactly fifteen."""

from __future__ import annotations

from tripot.game_package import InitialState, PackageGame
from tripot.games.triolet import options, rules
from tripot.games.triolet.actions import Action


class Triolet(PackageGame[Action, rules.State]):
    """TO-1 to TO-12: two, three or four players, each for themselves."""

    version = 1
    Options = options.Options
    levels = range(1, 8)
    initial_state = InitialState(options.Options, rules.initial_state)


GAME = Triolet()
