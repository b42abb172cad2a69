"""Numbered places, once they are few: whatever is laid, the same moves are left as by the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.moves import placements

from tripot.games.trigon.actions import Options
from tripot.games.trigon.kernel import compact_bits, placement_bits
from tripot.games.trigon.kernel import position as position_module
from tripot.games.trigon.kernel.compact_bits import Left
from tripot.games.trigon.rules import State, start

VARIANTS = ["", "players=3", "players=2", "players=2 start=free", "teams=on"]


def begun(text: str, rng: Random, moves: int) -> State:
    state = start(Options.read(text))
    state = state if isinstance(state.to_act, int) else state.apply(state.deal(rng))
    for _ in range(moves):
        if state.to_act is not None:
            state = state.apply(rng.choice(state.legal()))
    return state


def left_on(position: position_module.Position) -> Left:
    left = Left(placement_bits.no_places(), compact_bits.no_few())
    compact_bits.read_left(position, left)
    return left


def once_few(state: State, rng: Random) -> tuple[State, position_module.Position, Left]:
    """Play on until there are few places."""
    while state.to_act is not None:
        position = position_module.pack(state)
        if (left := left_on(position)).few.used[0]:
            return state, position, left
        state = state.apply(rng.choice(state.legal()))
    pytest.fail("there were never few")


def moves_of(position: position_module.Position, left: Left, colour: int) -> list[int]:
    into = np.zeros(position_module.MOST_MOVES, np.int32)
    moves: list[int] = into[: compact_bits.moves_left(position, left, colour, into)].tolist()
    assert compact_bits.can_play(position, left, colour) == bool(moves)
    return moves


@pytest.mark.parametrize("lying", [20, 30, 40])
@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_left_are_those_of_the_rules_to_the_end_of_a_game(text: str, lying: int) -> None:
    rng = Random(f"{text} {lying}")
    state, position, left = once_few(begun(text, rng, lying), rng)
    while state.to_act is not None:
        moves = moves_of(position, left, state.turn)
        assert len(moves) == len({*moves})
        legal = [position_module.encode(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        for colour in state.in_play:
            if not state.out >> colour & 1:
                own = {*moves_of(position, left, colour)}
                assert own == {
                    int(each) for each in position_module.legal(position_module.copied(position), colour)
                }
                assert all(
                    position_module.playable(position, colour, move) == (move in own) for move in legal
                )
        move = rng.choice(legal)
        compact_bits.take(position, left, state.turn, move)
        state = state.apply(state.legal()[legal.index(move)])


@pytest.mark.parametrize("text", VARIANTS)
def test_one_can_go_back_to_where_they_were_numbered(text: str) -> None:
    """As simulations do, in room of their own."""
    rng = Random(text)
    state, position, left = once_few(begun(text, rng, 30), rng)
    room = Left(placement_bits.no_places(), compact_bits.beside(left.few))
    before = [moves_of(position, left, colour) for colour in range(4)]
    for _ in range(3):
        compact_bits.go_back(position, left, room)
        assert [moves_of(position, room, colour) for colour in range(4)] == before
        after = position_module.copied(position)
        compact_bits.take(after, room, state.turn, rng.choice(before[state.turn]))
        assert moves_of(after, room, state.turn) != before[state.turn]
    assert [moves_of(position, left, colour) for colour in range(4)] == before


@pytest.mark.parametrize("text", VARIANTS)
def test_several_pieces_may_be_laid_before_anybody_asks_for_moves(text: str) -> None:
    """As on the way down a tree: what they closed waits, each cell once for a colour to which it was open."""
    rng = Random(text)
    state, position, left = once_few(begun(text, rng, 30), rng)
    while state.to_act is not None:
        for _ in range(rng.randrange(1, 9)):
            if state.to_act is not None:
                action = rng.choice(placements(state))
                compact_bits.take(position, left, state.turn, position_module.encode(action.cells))
                state = state.apply(action)
        for colour in state.in_play:
            waiting = left.few.closed[colour, : left.few.tally[compact_bits.WAITING, colour]]
            assert len(waiting) == len({*waiting.tolist()})
            if not state.out >> colour & 1:
                legal = {
                    int(each) for each in position_module.legal(position_module.copied(position), colour)
                }
                assert {*moves_of(position, left, colour)} == legal


@pytest.mark.parametrize(("text", "moves"), [("", 3), ("players=2", 6), ("contact=corners", 50)])
def test_they_are_not_few_in_openings_nor_where_only_corners_may_touch(text: str, moves: int) -> None:
    assert not left_on(position_module.pack(begun(text, Random(1), moves))).few.used[0]
