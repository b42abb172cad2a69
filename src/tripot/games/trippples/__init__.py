"""Trippples: two pawns, each moved by the arrows under the other."""

from __future__ import annotations

from tripot import game
from tripot.game_start import InitialState
from tripot.games.trippples import actions, rules
from tripot.games.trippples.text import parse_action, parse_state


class Trippples(game.Game[actions.Action]):
    """TP-1 to TP-13: two players, or four in two teams."""

    key = "trippples"
    title = "Trippples"
    version = 1
    Options = actions.Options
    levels = range(1, 6)
    draw_clause = "TP-9"
    initial_state = InitialState(actions.Options, rules.initial_state)

    def parse_action(self, text: str) -> actions.Action:
        return parse_action(text)

    def parse_state(self, text: str) -> rules.State:
        return parse_state(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.trippples.engine import TrippplesEngine

        return TrippplesEngine(level)


GAME = Trippples()
