"""Trigon: four colours of triangles that touch their own only at the points, and figures to tile."""

from __future__ import annotations

from tripot import game
from tripot.game_start import InitialState
from tripot.games.trigon import actions, rules
from tripot.games.trigon.text import gtp_dialect, parse_action, parse_state


class Trigon(game.Game[actions.Action]):
    """TR-1 to TR-12: one to four players."""

    key = "trigon"
    title = "Trigon"
    version = 1
    Options = actions.Options
    levels = range(1, 10)
    draw_clause = None
    initial_state = InitialState(actions.Options, rules.initial_state)

    def parse_action(self, text: str) -> actions.Action:
        return parse_action(text)

    def parse_state(self, text: str) -> rules.State:
        return parse_state(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.trigon.engine import TrigonEngine

        return TrigonEngine(level)

    def gtp_dialect(self, options: game.Options) -> game.GtpDialect:
        assert isinstance(options, actions.Options)
        return gtp_dialect(options)


GAME = Trigon()
