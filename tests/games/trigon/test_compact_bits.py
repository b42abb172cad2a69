"""Numbered places, once they are few: whatever is laid, the same moves are left as by the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.moves import placements

from tripot.games.trigon.kernel import compact_bits, placement_bits
from tripot.games.trigon.kernel import position as position_module
from tripot.games.trigon.kernel.compact_bits import AvailableMoves
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

VARIANTS = ["", "players=3", "players=2", "players=2 start=free", "teams=on"]


def begun(text: str, rng: Random, moves: int) -> State:
    state = initial_state(Options.parse(text))
    state = state if isinstance(state.to_act, int) else state.apply(state.sample_chance(rng))
    for _ in range(moves):
        if state.to_act is not None:
            state = state.apply(rng.choice(state.legal_actions()))
    return state


def left_on(position: position_module.Position) -> AvailableMoves:
    left = AvailableMoves(placement_bits.new_placement_bits(), compact_bits.new_compact_bits())
    compact_bits.init_available_moves(position, left)
    return left


def once_few(state: State, rng: Random) -> tuple[State, position_module.Position, AvailableMoves]:
    """Play on until there are few places."""
    while state.to_act is not None:
        position = position_module.from_state(state)
        if (left := left_on(position)).compact.word_count[0]:
            return state, position, left
        state = state.apply(rng.choice(state.legal_actions()))
    pytest.fail("there were never few")


def moves_of(position: position_module.Position, left: AvailableMoves, colour: int) -> list[int]:
    into = np.zeros(position_module.MAX_MOVES, np.int32)
    moves: list[int] = into[: compact_bits.list_available_moves(position, left, colour, into)].tolist()
    assert compact_bits.has_moves(position, left, colour) == bool(moves)
    return moves


@pytest.mark.parametrize("lying", [20, 30, 40])
@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_left_are_those_of_the_rules_to_the_end_of_a_game(text: str, lying: int) -> None:
    rng = Random(f"{text} {lying}")
    state, position, left = once_few(begun(text, rng, lying), rng)
    while state.to_act is not None:
        moves = moves_of(position, left, state.turn)
        assert len(moves) == len({*moves})
        legal = [position_module.encode_move(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        for colour in state.in_play:
            if not state.blocked >> colour & 1:
                own = {*moves_of(position, left, colour)}
                assert own == {
                    int(each) for each in position_module.legal_moves(position_module.clone(position), colour)
                }
                assert all(
                    position_module.is_legal(position, colour, move) == (move in own) for move in legal
                )
        move = rng.choice(legal)
        compact_bits.play_move(position, left, state.turn, move)
        state = state.apply(state.legal_actions()[legal.index(move)])


@pytest.mark.parametrize("text", VARIANTS)
def test_one_can_go_back_to_where_they_were_numbered(text: str) -> None:
    """As simulations do, in room of their own."""
    rng = Random(text)
    state, position, left = once_few(begun(text, rng, 30), rng)
    room = AvailableMoves(placement_bits.new_placement_bits(), compact_bits.clone_mutable(left.compact))
    before = [moves_of(position, left, colour) for colour in range(4)]
    for _ in range(3):
        compact_bits.restore_available_moves(position, left, room)
        assert [moves_of(position, room, colour) for colour in range(4)] == before
        after = position_module.clone(position)
        compact_bits.play_move(after, room, state.turn, rng.choice(before[state.turn]))
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
                compact_bits.play_move(position, left, state.turn, position_module.encode_move(action.cells))
                state = state.apply(action)
        for colour in state.in_play:
            waiting = left.compact.pending_cells[
                colour, : left.compact.counters[compact_bits.PENDING_COUNT, colour]
            ]
            assert len(waiting) == len({*waiting.tolist()})
            if not state.blocked >> colour & 1:
                legal = {
                    int(each) for each in position_module.legal_moves(position_module.clone(position), colour)
                }
                assert {*moves_of(position, left, colour)} == legal


@pytest.mark.parametrize(("text", "moves"), [("", 3), ("players=2", 6), ("contact=corners", 50)])
def test_they_are_not_few_in_openings_nor_where_only_corners_may_touch(text: str, moves: int) -> None:
    assert not left_on(position_module.from_state(begun(text, Random(1), moves))).compact.word_count[0]
