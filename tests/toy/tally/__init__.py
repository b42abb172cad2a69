"""Tally, a toy: take one to three from a heap; each seat holds a secret card that counts at the end."""

from __future__ import annotations

from tripot import game
from tripot.game_package import InitialState, PackageGame
from tripot.games.tally import options, rules, text
from tripot.games.tally.actions import Action


class Tally(PackageGame[Action, rules.State]):
    """TY-1 to TY-3."""

    version = 1
    Options = options.Options
    levels = range(1, 3)
    initial_state = InitialState(options.Options, rules.initial_state)

    def gtp_dialect(self, options: game.Options) -> game.GtpDialect:
        assert isinstance(options, self.Options)
        return text.gtp_dialect(options)


GAME = Tally()
