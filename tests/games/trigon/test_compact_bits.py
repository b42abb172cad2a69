"""Compact bits: after any moves, the available moves are those of the rules."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.kernel_helpers import available_in, started_game
from tests.games.trigon.moves import placements

from tripot.games.trigon.kernel.available_moves import (
    AvailableMoves,
    clone_for_playing,
    has_moves,
    list_available_moves,
    play_move,
    restore_available_moves,
)
from tripot.games.trigon.kernel.moves import is_legal, legal_moves
from tripot.games.trigon.kernel.position import Position, clone, encode_move, from_state
from tripot.games.trigon.kernel.tables import MAX_MOVES
from tripot.games.trigon.rules import State

VARIANTS = ["", "players=3", "players=2", "players=2 start=free", "teams=on"]


def random_game(text: str, rng: Random, moves: int) -> State:
    state = started_game(text, rng)
    for _ in range(moves):
        if state.to_act is not None:
            state = state.apply(rng.choice(state.legal_actions()))
    return state


def first_compact(state: State, rng: Random) -> tuple[State, Position, AvailableMoves]:
    """Play on until compact bits apply."""
    while state.to_act is not None:
        position = from_state(state)
        if (available := available_in(position, compact=True)).compact.word_count[0]:
            return state, position, available
        state = state.apply(rng.choice(state.legal_actions()))
    pytest.fail("compact bits never applied")


def moves_of(position: Position, available: AvailableMoves, colour: int) -> list[int]:
    into = np.zeros(MAX_MOVES, np.int32)
    moves: list[int] = into[: list_available_moves(position, available, colour, into)].tolist()
    assert has_moves(position, available, colour) == bool(moves)
    return moves


def listed(position: Position, colour: int) -> set[int]:
    return {int(move) for move in legal_moves(clone(position), colour)}


@pytest.mark.parametrize("pieces", [20, 30, 40])
@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_are_those_of_the_rules_to_the_end_of_a_game(text: str, pieces: int) -> None:
    rng = Random(f"{text} {pieces}")
    state, position, available = first_compact(random_game(text, rng, pieces), rng)
    while state.to_act is not None:
        moves = moves_of(position, available, state.turn)
        assert len(moves) == len({*moves})
        legal = [encode_move(action.cells) for action in placements(state)]
        assert {*moves} == {*legal}
        for colour in state.in_play:
            if not state.blocked >> colour & 1:
                own_moves = {*moves_of(position, available, colour)}
                assert own_moves == listed(position, colour)
                assert all(is_legal(position, colour, move) == (move in own_moves) for move in legal)
        move = rng.choice(legal)
        play_move(position, available, state.turn, move)
        state = state.apply(state.legal_actions()[legal.index(move)])


@pytest.mark.parametrize("text", VARIANTS)
def test_the_moves_of_the_root_can_be_restored(text: str) -> None:
    """As every simulation does, in a workspace of its own."""
    rng = Random(text)
    state, position, available = first_compact(random_game(text, rng, 30), rng)
    workspace = clone_for_playing(available)
    before = [moves_of(position, available, colour) for colour in range(4)]
    for _ in range(3):
        restore_available_moves(position, available, workspace)
        assert [moves_of(position, workspace, colour) for colour in range(4)] == before
        after = clone(position)
        play_move(after, workspace, state.turn, rng.choice(before[state.turn]))
        assert moves_of(after, workspace, state.turn) != before[state.turn]
    assert [moves_of(position, available, colour) for colour in range(4)] == before


@pytest.mark.parametrize("text", VARIANTS)
def test_several_moves_can_be_played_before_the_moves_are_listed(text: str) -> None:
    """As on the way down a tree: forbidden cells are queued, once for each colour to which they were open."""
    rng = Random(text)
    state, position, available = first_compact(random_game(text, rng, 30), rng)
    compact = available.compact
    while state.to_act is not None:
        for _ in range(rng.randrange(1, 9)):
            if state.to_act is not None:
                action = rng.choice(placements(state))
                play_move(position, available, state.turn, encode_move(action.cells))
                state = state.apply(action)
        for colour in state.in_play:
            pending = compact.pending_cells[colour, : compact.pending_count[colour]]
            assert len(pending) == len({*pending.tolist()})
            if not state.blocked >> colour & 1:
                assert {*moves_of(position, available, colour)} == listed(position, colour)


@pytest.mark.parametrize(("text", "moves"), [("", 3), ("players=2", 6), ("contact=corners", 50)])
def test_compact_bits_do_not_apply_to_openings_nor_to_corner_contact(text: str, moves: int) -> None:
    position = from_state(random_game(text, Random(1), moves))
    assert not available_in(position, compact=True).compact.word_count[0]
