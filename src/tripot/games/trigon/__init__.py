"""Trigon: four colours of pieces made of triangles, which touch their own colour at vertices only."""

from __future__ import annotations

from tripot import game
from tripot.game_package import InitialState, PackageGame
from tripot.games.trigon import options, rules, text
from tripot.games.trigon.actions import Action


class Trigon(PackageGame[Action, rules.State]):
    """TR-1 to TR-12: one to four players."""

    version = 1
    Options = options.Options
    levels = range(1, 14)
    initial_state = InitialState(options.Options, rules.initial_state)

    def gtp_dialect(self, options: game.Options) -> game.GtpDialect:
        assert isinstance(options, self.Options)
        return text.gtp_dialect(options)


GAME = Trigon()
