"""Trippples: two pawns, each moved by the arrows under the other."""

from __future__ import annotations

from tripot.game_package import InitialState, PackageGame
from tripot.games.trippples import options, rules
from tripot.games.trippples.actions import Action


class Trippples(PackageGame[Action, rules.State]):
    """TP-1 to TP-13: two players, or four in two teams."""

    version = 1
    Options = options.Options
    levels = range(1, 7)
    draw_clause = "TP-9"
    initial_state = InitialState(options.Options, rules.initial_state)

    def preload(self) -> None:
        """Judge third repetitions (TP-7) with the compiled solver."""
        self._module("engine").judge_repetitions()


GAME = Trippples()
