"""Triolet: pairs and trios of numbers that cross like words, and three in a line make fifteen."""

from __future__ import annotations

from tripot import game
from tripot.games.triolet import actions, rules
from tripot.games.triolet.text import load, read


class Triolet(game.Game[actions.Action]):
    """TO-1 to TO-12: two, three or four players, each for themselves."""

    key = "triolet"
    title = "Triolet"
    version = 1
    Options = actions.Options
    levels = range(1, 5)
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
        from tripot.games.triolet.engine import Trioler

        return Trioler(level)


GAME = Triolet()
