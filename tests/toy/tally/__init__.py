"""Tally, a toy: take one to three from a heap; each seat holds a secret card that counts at the end."""

from __future__ import annotations

from tripot import game
from tripot.game_package import PackageGame
from tripot.games.tally import options, text
from tripot.games.tally.actions import Action
from tripot.games.tally.rules import State


class Tally(PackageGame[Action, State]):
    """TY-1 to TY-3."""

    version = 1
    Options = options.Options
    levels = range(1, 3)

    def gtp_dialect(self, options: game.Options) -> game.GtpDialect:
        assert isinstance(options, self.Options)
        return text.gtp_dialect(options)


GAME = Tally()
