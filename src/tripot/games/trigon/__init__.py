"""Trigon: four colours of triangles that touch their own only at the points, and figures to tile."""

from __future__ import annotations

from tripot import game
from tripot.games.trigon import actions, rules
from tripot.games.trigon.text import dialect, load, read


class Trigon(game.Game[actions.Action]):
    """TR-1 to TR-12: one to four players."""

    key = "trigon"
    title = "Trigon"
    version = 1
    Options = actions.Options
    levels = range(1, 10)
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
        from tripot.games.trigon.engine import Trigonist

        return Trigonist(level)

    def dialect(self, options: game.Options) -> game.Dialect:
        assert isinstance(options, actions.Options)
        return dialect(options)


GAME = Trigon()
