"""Triggery: turn over all the tiles of a board by the dice, and let chains do the rest."""

from __future__ import annotations

from tripot import game
from tripot.game_start import InitialState
from tripot.games.triggery import actions, rules
from tripot.games.triggery.text import parse_action, parse_state


class Triggery(game.Game[actions.Action]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    key = "triggery"
    title = "Triggery"
    version = 1
    Options = actions.Options
    levels = range(1, 6)
    draw_clause = None
    initial_state = InitialState(actions.Options, rules.initial_state)

    def parse_action(self, text: str) -> actions.Action:
        return parse_action(text)

    def parse_state(self, text: str) -> rules.State:
        return parse_state(text)

    def engine(self, level: int) -> game.Engine:
        from tripot.games.triggery.engine import TriggeryEngine

        return TriggeryEngine(level)


GAME = Triggery()
