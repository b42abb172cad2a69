"""Triolet: pairs and trios of numbers that cross like words, and three in a line make fifteen."""

from __future__ import annotations

from tripot import game
from tripot.game_start import InitialState
from tripot.games.triolet import actions, rules
from tripot.games.triolet.text import parse_action, parse_state


class Triolet(game.Game[actions.Action]):
    """TO-1 to TO-12: two, three or four players, each for themselves."""

    key = "triolet"
    title = "Triolet"
    version = 1
    Options = actions.Options
    levels = range(1, 5)
    draw_clause = None
    initial_state = InitialState(actions.Options, rules.initial_state)

    def parse_action(self, text: str) -> actions.Action:
        return parse_action(text)

    def parse_state(self, text: str) -> rules.State:
        return parse_state(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.triolet.engine import TrioletEngine

        return TrioletEngine(level)


GAME = Triolet()
