"""The layouts in which the tests of the page play a few moves: no luck can end such a game too soon."""

import runpy
from pathlib import Path

import pytest

import tripot

HERE = Path(__file__).parent
GAME = tripot.find("trippples")
CALM = runpy.run_path(str(HERE / "clicks.py"))["CALM"]
VARIANTS = runpy.run_path(str(HERE / "test_board.py"))["VARIANTS"]


def in_turn(state, plies):
    """Follow every line of play: the two move in turn, and no move may be announced as a freeze."""
    reached = {state}
    for ply in range(plies):
        assert {each.to_act for each in reached} == {ply % 2}
        moves = [(each, move) for each in reached for move in each.legal()]
        assert not any(move.freeze for _, move in moves)
        reached = {each.apply(move) for each, move in moves}
    return reached


def test_whatever_the_two_play_they_move_in_turn_and_nothing_is_over():
    """With tiles at random about one game in a hundred was frozen after two or three moves (TP-8), and in one
    of seven somebody was passed over at once (TP-4): a test that clicked on a square then waited in vain.
    """
    after = in_turn(GAME.load(CALM), 10)
    assert {each.to_act for each in after} == {0}


@pytest.mark.parametrize("variant", VARIANTS)
def test_in_the_variants_four_moves_are_certain(variant):
    in_turn(GAME.start(GAME.Options.read(VARIANTS[variant])), 4)
