"""Triggery: turn over all tiles of a board with the points of the dice; chains of bonuses are free."""

from __future__ import annotations

from dataclasses import replace

from tripot import game
from tripot.game_package import InitialState, PackageGame
from tripot.games.triggery import options, rules
from tripot.games.triggery.actions import Action, Throw, dice_name, is_throw


class Triggery(PackageGame[Action, rules.State]):
    """TG-1 to TG-13: two sides of one or two players, or one player alone."""

    version = 2
    Options = options.Options
    levels = range(1, 6)
    initial_state = InitialState(options.Options, rules.initial_state)

    def changes_since(self, version: int, options: game.Options) -> str:
        """TG-11: in version 1, a turn by hand passed by itself if the player could do nothing."""
        assert isinstance(options, Triggery.Options)
        is_changed = version < 2 and options.by_hand
        return "a turn with bonuses by hand no longer ends by itself" if is_changed else ""

    def repeat_chance(self, start: rules.State, outcomes: list[Action]) -> tuple[rules.State, list[Action]]:
        """TG-12: a player alone knows the dice of the record, and may reject a throw.

        Known dice are counted from the first throw of the sheet, so those of the start come first. A budget
        that was set up without dice is no throw, so then the throws are repeated but stay unknown.
        """
        earlier = [*start.sheet, *([start.throw] if start.throw else [])]
        throws = [outcome.dice for outcome in outcomes if isinstance(outcome, Throw)]
        if not start.options.solo or start.options.dice or not throws or not all(map(is_throw, earlier)):
            return start, outcomes
        options = replace(start.options, dice=",".join(map(dice_name, (*earlier, *throws))))
        return replace(start, options=options), [
            outcome for outcome in outcomes if not isinstance(outcome, Throw)
        ]


GAME = Triggery()
