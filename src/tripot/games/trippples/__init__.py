"""Trippples: two pawns, each moved by the arrows under the other."""

from __future__ import annotations

from tripot import game
from tripot.games.trippples import actions, rules
from tripot.games.trippples.text import load, read


class Trippples(game.Game[actions.Action]):
    """TP-1 to TP-13: two players, or four in two teams."""

    key = "trippples"
    title = "Trippples"
    version = 1
    Options = actions.Options
    levels = range(1, 6)
    agreement = "TP-9"

    def start(self, options: game.Options) -> rules.State:
        if not isinstance(options, actions.Options):
            raise TypeError(f"the options of {self.title} are needed, not {options!r}")
        return rules.start(options)

    def read(self, text: str) -> actions.Action:
        return read(text)

    def load(self, text: str) -> rules.State:
        return load(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.trippples.engine import Trippler

        return Trippler(level)


GAME = Trippples()
