"""Tally, a toy: take one to three from a heap; each seat holds a secret card that counts at the end."""

from __future__ import annotations

from tripot import game
from tripot.games.tally import actions, rules
from tripot.games.tally.text import dialect, load, read


class Tally(game.Game[actions.Action]):
    """TY-1 to TY-3."""

    key = "tally"
    title = "Tally"
    version = 1
    Options = actions.Options
    levels = range(1, 3)
    agreement = None

    def start(self, options: game.Options) -> rules.State:
        assert isinstance(options, actions.Options)
        return rules.State(options, heap=options.heap)

    def read(self, text: str) -> actions.Action:
        return read(text)

    def load(self, text: str) -> rules.State:
        return load(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.tally.engine import Tallier

        return Tallier(level)

    def dialect(self, options: game.Options) -> game.Dialect:
        assert isinstance(options, actions.Options)
        return dialect(options)


GAME = Tally()
