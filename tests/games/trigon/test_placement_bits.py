"""Places as bits: whatever is laid, the same moves are left as by the rules, and as if found from nothing."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.moves import placements

from tripot.games.trigon.actions import Options
from tripot.games.trigon.kernel import placement_bits
from tripot.games.trigon.kernel.placement_bits import Places
from tripot.games.trigon.kernel.position import (
    ALL,
    LEFT,
    MOST_MOVES,
    OUT,
    Position,
    copied,
    encode,
    pack,
    playable,
)
from tripot.games.trigon.rules import State, start

VARIANTS = [
    "",
    "contact=corners",
    "players=3",
    "players=2",
    "players=2 contact=corners start=free",
    "teams=on",
]


def begun(text: str, rng: Random) -> State:
    state = start(Options.read(text))
    return state if isinstance(state.to_act, int) else state.apply(state.deal(rng))


def found(position: Position) -> Places:
    places = placement_bits.no_places()
    placement_bits.read(position, places)
    return places


def moves_of(position: Position, places: Places, colour: int) -> list[int]:
    if position.tally[LEFT, colour] == ALL:
        placement_bits.start_places(position, places, colour)
    into = np.zeros(MOST_MOVES, np.int32)
    moves: list[int] = into[: placement_bits.list_moves(places, colour, into)].tolist()
    assert placement_bits.any_place(places, colour) == bool(moves)
    return moves


@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_left_are_those_of_the_rules_all_through_a_game(text: str) -> None:
    rng = Random(text)
    state = begun(text, rng)
    position = pack(state)
    places, ply = found(position), 0
    while state.to_act is not None:
        moves = moves_of(position, places, state.turn)
        assert len(moves) == len({*moves})
        legal = [encode(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        if ply % 5 == 0:
            afresh = found(position)
            for colour in state.in_play:
                if not state.out >> colour & 1:
                    expected = moves_of(position, afresh, colour)
                    assert {*moves_of(position, places, colour)} == {*expected}
        move = rng.choice(legal)
        placement_bits.lay(position, places, state.turn, move)
        state, ply = state.apply(state.legal()[legal.index(move)]), ply + 1
        position.rules[OUT] = state.out


@pytest.mark.parametrize("text", VARIANTS)
def test_a_copy_goes_on_by_itself(text: str) -> None:
    """Into used room: nothing of what was there before is left."""
    rng, target = Random(text), placement_bits.no_places()
    for _ in range(3):
        state = begun(text, rng)
        for _ in range(rng.randrange(40)):
            if len(legal := state.legal()) and state.to_act is not None:
                state = state.apply(rng.choice(legal))
        if state.to_act is None:
            continue
        position = pack(state)
        places = found(position)
        before = moves_of(position, places, state.turn)
        placement_bits.copy_places(position, places, target)
        assert moves_of(position, target, state.turn) == before
        copy = copied(position)
        placement_bits.lay(copy, target, state.turn, before[0])
        assert moves_of(position, places, state.turn) == before


@pytest.mark.parametrize("text", VARIANTS)
def test_single_moves_are_allowed_exactly_if_they_are_left(text: str) -> None:
    rng = Random(text)
    state = begun(text, rng)
    for _ in range(14):
        state = state.apply(rng.choice(state.legal()))
    position = pack(state)
    places = found(position)
    lists = {colour: {*moves_of(position, places, colour)} for colour in state.in_play}
    for colour, legal in lists.items():
        for move in set().union(*lists.values()):
            assert playable(position, colour, move) == (move in legal)
