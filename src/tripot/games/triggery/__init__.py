"""Triggery: turn over all tiles of a board with the points of the dice; chains of bonuses are free."""

from __future__ import annotations

from dataclasses import replace

from tripot import game
from tripot.game_package import InitialState, PackageGame
from tripot.games.triggery import options, rules
from tripot.games.triggery.actions import Action, Throw, dice_name


class Triggery(PackageGame[Action, rules.State]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    version = 1
    Options = options.Options
    levels = range(1, 6)
    initial_state = InitialState(options.Options, rules.initial_state)

    def repeat_chance(
        self, options: game.Options, outcomes: list[Action]
    ) -> tuple[game.Options, list[Action]]:
        """TG-12: a player alone knows the dice of the record, and may reject a throw."""
        assert isinstance(options, self.Options)
        throws = [outcome for outcome in outcomes if isinstance(outcome, Throw)]
        if not options.solo or options.dice or not throws:
            return options, outcomes
        dice = ",".join(dice_name(throw.dice) for throw in throws)
        return replace(options, dice=dice), [each for each in outcomes if not isinstance(each, Throw)]


GAME = Triggery()
