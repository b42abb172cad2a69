"""Placement bits: after any moves, the legal moves are those of the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.kernel_helpers import started_game
from tests.games.trigon.moves import placements

from tripot.games.trigon.kernel import placement_bits
from tripot.games.trigon.kernel.moves import is_legal
from tripot.games.trigon.kernel.position import Position, clone, encode_move, from_state
from tripot.games.trigon.kernel.tables import ALL_PIECES, MAX_MOVES

VARIANTS = [
    "",
    "contact=corners",
    "players=3",
    "players=2",
    "players=2 contact=corners start=free",
    "teams=on",
]


def bits_of(position: Position) -> placement_bits.PlacementBits:
    bits = placement_bits.new_placement_bits()
    placement_bits.init_placement_bits(position, bits)
    return bits


def moves_of(position: Position, bits: placement_bits.PlacementBits, colour: int) -> list[int]:
    if position.pieces_left[colour] == ALL_PIECES:
        placement_bits.attach_start_placements(position, bits, colour)
    into = np.zeros(MAX_MOVES, np.int32)
    moves: list[int] = into[: placement_bits.list_moves(bits, colour, into)].tolist()
    assert placement_bits.has_placement(bits, colour) == bool(moves)
    return moves


@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_are_those_of_the_rules_all_through_a_game(text: str) -> None:
    rng = Random(text)
    state = started_game(text, rng)
    position = from_state(state)
    bits, ply = bits_of(position), 0
    while state.to_act is not None:
        moves = moves_of(position, bits, state.turn)
        assert len(moves) == len({*moves})
        legal = [encode_move(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        if ply % 5 == 0:
            from_scratch = bits_of(position)
            for colour in state.in_play:
                if not state.blocked >> colour & 1:
                    expected = moves_of(position, from_scratch, colour)
                    assert {*moves_of(position, bits, colour)} == {*expected}
        move = rng.choice(legal)
        placement_bits.place_piece_bits(position, bits, state.turn, move)
        state, ply = state.apply(state.legal_actions()[legal.index(move)]), ply + 1
        position.blocked[0] = state.blocked


@pytest.mark.parametrize("text", VARIANTS)
def test_a_copy_is_independent(text: str) -> None:
    """Into a used target: nothing of what was there before remains."""
    rng, target = Random(text), placement_bits.new_placement_bits()
    for _ in range(3):
        state = started_game(text, rng)
        for _ in range(rng.randrange(40)):
            if len(legal := state.legal_actions()) and state.to_act is not None:
                state = state.apply(rng.choice(legal))
        if state.to_act is None:
            continue
        position = from_state(state)
        bits = bits_of(position)
        before = moves_of(position, bits, state.turn)
        placement_bits.copy_placement_bits(position, bits, target)
        assert moves_of(position, target, state.turn) == before
        copy = clone(position)
        placement_bits.place_piece_bits(copy, target, state.turn, before[0])
        assert moves_of(position, bits, state.turn) == before


@pytest.mark.parametrize("text", VARIANTS)
def test_single_moves_are_legal_exactly_if_they_are_listed(text: str) -> None:
    rng = Random(text)
    state = started_game(text, rng)
    for _ in range(14):
        state = state.apply(rng.choice(state.legal_actions()))
    position = from_state(state)
    bits = bits_of(position)
    lists = {colour: {*moves_of(position, bits, colour)} for colour in state.in_play}
    for colour, legal in lists.items():
        for move in set().union(*lists.values()):
            assert is_legal(position, colour, move) == (move in legal)
