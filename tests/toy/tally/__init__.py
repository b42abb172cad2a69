"""Tally, a toy: take one to three from a heap; each seat holds a secret card that counts at the end."""

from __future__ import annotations

from tripot import game
from tripot.game_start import InitialState
from tripot.games.tally import actions, rules
from tripot.games.tally.text import gtp_dialect, parse_action, parse_state


class Tally(game.Game[actions.Action]):
    """TY-1 to TY-3."""

    key = "tally"
    title = "Tally"
    version = 1
    Options = actions.Options
    levels = range(1, 3)
    draw_clause = None
    initial_state = InitialState(actions.Options, rules.initial_state)

    def parse_action(self, text: str) -> actions.Action:
        return parse_action(text)

    def parse_state(self, text: str) -> rules.State:
        return parse_state(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.tally.engine import Tallier

        return Tallier(level)

    def gtp_dialect(self, options: game.Options) -> game.GtpDialect:
        assert isinstance(options, actions.Options)
        return gtp_dialect(options)


GAME = Tally()
