"""The layouts in which the tests of the page play a few moves: no luck can end such a game too soon."""

from __future__ import annotations

import pytest
from tests.e2e.trippples.game_helpers import QUIET_POSITION
from tests.e2e.trippples.test_board import VARIANTS

import tripot
from tripot.game import AnyState

GAME = tripot.get_game("trippples")


def in_turn(state: AnyState, plies: int) -> set[AnyState]:
    """Follow every line of play: the two move in turn, and no move may be announced as a freeze."""
    reached = {state}
    for ply in range(plies):
        assert {each.to_act for each in reached} == {ply % 2}
        moves = [(each, move) for each in reached for move in each.legal_actions()]
        assert not any(move.freeze for _, move in moves)
        reached = {each.apply(move) for each, move in moves}
    return reached


def test_whatever_the_two_play_they_move_in_turn_and_nothing_is_over() -> None:
    """With tiles at random about one game in a hundred was frozen after two or three moves (TP-8), and in one
    of seven somebody was passed over at once (TP-4): a test that clicked on a square then waited in vain.
    """
    after = in_turn(GAME.parse_state(QUIET_POSITION), 8)
    assert {each.to_act for each in after} == {0}


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_the_variants_four_moves_are_certain(variant: str) -> None:
    in_turn(GAME.initial_state(GAME.Options.parse(VARIANTS[variant])), 4)
