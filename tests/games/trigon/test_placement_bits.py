"""Places as bits: whatever is laid, the same moves are left as by the rules, and as if found from nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.moves import placements

from tripot.games.trigon.kernel import placement_bits
from tripot.games.trigon.kernel.placement_bits import PlacementBits
from tripot.games.trigon.kernel.position import (
    ALL_PIECES,
    BLOCKED,
    MAX_MOVES,
    PIECES_LEFT,
    Position,
    clone,
    encode_move,
    from_state,
    is_legal,
)
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

VARIANTS = [
    "",
    "contact=corners",
    "players=3",
    "players=2",
    "players=2 contact=corners start=free",
    "teams=on",
]


def begun(text: str, rng: Random) -> State:
    state = initial_state(Options.parse(text))
    return state if isinstance(state.to_act, int) else state.apply(state.sample_chance(rng))


def found(position: Position) -> PlacementBits:
    places = placement_bits.new_placement_bits()
    placement_bits.init_placement_bits(position, places)
    return places


def moves_of(position: Position, places: PlacementBits, colour: int) -> list[int]:
    if position.counters[PIECES_LEFT, colour] == ALL_PIECES:
        placement_bits.attach_start_placements(position, places, colour)
    into = np.zeros(MAX_MOVES, np.int32)
    moves: list[int] = into[: placement_bits.list_moves(places, colour, into)].tolist()
    assert placement_bits.has_placement(places, colour) == bool(moves)
    return moves


@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_left_are_those_of_the_rules_all_through_a_game(text: str) -> None:
    rng = Random(text)
    state = begun(text, rng)
    position = from_state(state)
    places, ply = found(position), 0
    while state.to_act is not None:
        moves = moves_of(position, places, state.turn)
        assert len(moves) == len({*moves})
        legal = [encode_move(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        if ply % 5 == 0:
            afresh = found(position)
            for colour in state.in_play:
                if not state.blocked >> colour & 1:
                    expected = moves_of(position, afresh, colour)
                    assert {*moves_of(position, places, colour)} == {*expected}
        move = rng.choice(legal)
        placement_bits.place_piece_bits(position, places, state.turn, move)
        state, ply = state.apply(state.legal_actions()[legal.index(move)]), ply + 1
        position.status[BLOCKED] = state.blocked


@pytest.mark.parametrize("text", VARIANTS)
def test_a_copy_goes_on_by_itself(text: str) -> None:
    """Into used room: nothing of what was there before is left."""
    rng, target = Random(text), placement_bits.new_placement_bits()
    for _ in range(3):
        state = begun(text, rng)
        for _ in range(rng.randrange(40)):
            if len(legal := state.legal_actions()) and state.to_act is not None:
                state = state.apply(rng.choice(legal))
        if state.to_act is None:
            continue
        position = from_state(state)
        places = found(position)
        before = moves_of(position, places, state.turn)
        placement_bits.copy_placement_bits(position, places, target)
        assert moves_of(position, target, state.turn) == before
        copy = clone(position)
        placement_bits.place_piece_bits(copy, target, state.turn, before[0])
        assert moves_of(position, places, state.turn) == before


@pytest.mark.parametrize("text", VARIANTS)
def test_single_moves_are_allowed_exactly_if_they_are_left(text: str) -> None:
    rng = Random(text)
    state = begun(text, rng)
    for _ in range(14):
        state = state.apply(rng.choice(state.legal_actions()))
    position = from_state(state)
    places = found(position)
    lists = {colour: {*moves_of(position, places, colour)} for colour in state.in_play}
    for colour, legal in lists.items():
        for move in set().union(*lists.values()):
            assert is_legal(position, colour, move) == (move in legal)
