"""Triggery: turn over all the tiles of a board by the dice, and let chains do the rest."""

from __future__ import annotations

from tripot import game
from tripot.games.triggery import actions, rules
from tripot.games.triggery.text import load, read


class Triggery(game.Game[actions.Action]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    key = "triggery"
    title = "Triggery"
    version = 1
    Options = actions.Options
    levels = range(1, 6)
    agreement = None

    def start(self, options: game.Options) -> rules.State:
        if not isinstance(options, actions.Options):
            raise TypeError(f"the options of {self.title} are needed, not {options!r}")
        return rules.start(options)

    def read(self, text: str) -> actions.Action:
        return read(text)

    def load(self, text: str) -> rules.State:
        return load(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.triggery.engine import Triggerer

        return Triggerer(level)


GAME = Triggery()
