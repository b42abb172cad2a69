"""Whole games: counts confirmed by another program, random play, and the kernel against the rules."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from bench._server_process import HANG
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.trigon.moves import placements
from tests.games.trigon.random_games import fill_stock, new_stock, play, random_games, random_move

import tripot
from tripot.engine.rng import new_rng
from tripot.games.trigon.actions import Place
from tripot.games.trigon.board import (
    EDGE_NEIGHBOURS,
    STARTS,
    VERTEX_NEIGHBOURS,
    all_placements,
    cells_of,
    colour_of,
    mask_of,
)
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.position import (
    clone,
    copy_into,
    decode_move,
    encode_move,
    final_score,
    from_state,
    place_piece,
)
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
GOLDEN = Path(__file__).parent / "golden"
VARIANTS = [
    Options.parse(text)
    for text in (
        "",
        "contact=corners",
        "players=3",
        "players=3 contact=corners",
        "players=2",
        "players=2 start=free",
        "players=2 contact=corners",
        "teams=on",
    )
]


def state_with_colours_drawn(options: Options, rng: Random) -> State:
    state = initial_state(options)
    return state.apply(state.sample_chance(rng)) if state.needs_colour_draw else state


def random_game(options: Options, rng: Random) -> Iterator[tuple[State, Place]]:
    """The states of a random game, each with the move made there; and the last, with its last move again."""
    state = state_with_colours_drawn(options, rng)
    while state.to_act is not None:
        move = rng.choice(placements(state))
        yield state, move
        state = state.apply(move)
    yield state, move


# --- Goldens -----------------------------------------------------------------------------------


def golden_games() -> Iterator[tuple[Options, list[tuple[int, str]], list[int]]]:
    moves: list[tuple[int, str]] = []
    for line in (GOLDEN / "legal.txt").read_text("utf-8").splitlines():
        word, _, rest = line.partition(" ")
        if word == "game":
            options, moves = Options.parse(rest), []
        elif word == "scores":
            yield options, moves, [int(score) for score in rest.split()]
        elif word != "#":
            moves.append((int(word), rest))


@pytest.mark.parametrize(("options", "moves", "scores"), [*golden_games()])
def test_counts_of_legal_moves_equal_those_of_another_program(
    options: Options, moves: list[tuple[int, str]], scores: list[int]
) -> None:
    state = initial_state(options)
    if state.needs_colour_draw:
        state = state.apply(
            GAME.parse_action("lot " + ",".join(("blue", "yellow", "red", "green")[: options.players]))
        )
    for count, move in moves:
        assert len(state.legal_actions()) == count, state.to_text()
        state = state.apply(GAME.parse_action(move))
    assert state.to_act is None
    assert [state.score(colour) for colour in state.in_play] == scores


# --- Random games ------------------------------------------------------------------------------


@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), options=st.sampled_from(VARIANTS))
def test_legal_moves_are_ordered_and_final_boards_are_valid(seed: int, options: Options) -> None:
    check_game(seed, options)


@pytest.mark.soak
@settings(max_examples=100)
@given(seed=st.integers(0, 2**32), options=st.sampled_from(VARIANTS))
def test_legal_moves_are_ordered_and_final_boards_are_valid_in_many_games(
    seed: int, options: Options
) -> None:
    check_game(seed, options)


def check_game(seed: int, options: Options) -> None:
    """Play a random game, and check the order of its legal moves and its last board."""
    for last, _ in random_game(options, Random(seed)):
        moves = [(move.piece, move.cells) for move in last.legal_actions() if isinstance(move, Place)]
        assert moves == sorted(moves), "legal moves come by piece and then by triangle"
    check_last_board(last)


def check_last_board(last: State) -> None:
    """Check a last board triangle by triangle, by other means than those that led there."""
    for colour in last.in_play:
        own_cells = last.covered(colour)
        pieces = [cells for code, cells in last.pieces_on_board.items() if colour_of(code) == colour]
        assert sum(map(len, pieces)) == own_cells.bit_count()
        assert any(cell in STARTS for cell in cells_of(own_cells))
        assert own_cells & ~last.field == 0
        for cells in pieces:
            others = own_cells & ~mask_of(cells)
            assert not any(EDGE_NEIGHBOURS[cell] & others for cell in cells)
            if others:
                assert any(VERTEX_NEIGHBOURS[cell] & others for cell in cells)
        assert last.score(colour) == own_cells.bit_count() - 110 or last.score(colour) in (15, 20)
    assert last.outcome is not None
    assert sum(last.outcome.scores) == sum(last.score(colour) for colour in last.in_play)


# --- The kernel against the rules ----------------------------------------------------------------


@cache
def encoded(placement: int) -> int:
    """The move of the kernel for a placement; it decodes to the same cells."""
    cells = all_placements().cells[placement]
    move = encode_move(cells)
    assert decode_move(move) == cells
    return move


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_the_kernel_has_the_same_moves_and_scores(options: Options, seed: int) -> None:
    """Lists kept along the game, and lists from scratch at every position; for all colours now and then."""
    rng = Random(f"{options} {seed}")
    kept = None
    for state, move in random_game(options, rng):
        kept = kept or from_state(state)
        fresh = from_state(state)
        for colour in state.in_play if state.turn < 0 or rng.random() < 0.3 else (state.turn,):
            expected = sorted(map(encoded, state.legal_placements(colour)))
            for position in (kept, fresh):
                assert sorted(legal_moves(position, colour).tolist()) == expected
                assert final_score(position, colour) == state.score(colour)
        if state.turn >= 0:
            place_piece(kept, state.turn, encode_move(move.cells))


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_random_games_over_the_kernel_are_legal_to_the_end(options: Options) -> None:
    state, stock, rng = state_with_colours_drawn(options, Random(3)), new_stock(), new_rng(7)
    position = from_state(state)
    fill_stock(position, stock)
    while state.to_act is not None:
        move = random_move(position, stock, state.turn, rng)
        play(position, stock, state.turn, move)
        state = state.apply(Place(decode_move(move)))
    for colour in state.in_play:
        assert random_move(position, stock, colour, rng) == -1
        assert final_score(position, colour) == state.score(colour)


@pytest.mark.parametrize("options", [Options(), Options(contact="corners")], ids=str)
@pytest.mark.parametrize("listed", [False, True])
def test_every_legal_move_is_drawn_equally_often(options: Options, listed: bool) -> None:
    """By guessing and from the list: a chi-square with fixed random numbers, so it never fails by luck."""
    state = next(
        s for s, _ in random_game(options, Random(2)) if s.legal_actions() and len(s.legal_actions()) < 120
    )
    position, scratch, stock, rng = from_state(state), from_state(state), new_stock(), new_rng(5)
    fill_stock(position, stock)
    if listed:
        legal_moves(position, state.turn)
    drawn: Counter[int] = Counter()
    expected = 60
    for _ in range(expected * len(state.legal_actions())):
        copy_into(position, scratch)
        drawn[random_move(scratch, stock, state.turn, rng)] += 1
    assert len(drawn) == len(state.legal_actions())
    square = sum((count - expected) ** 2 / expected for count in drawn.values())
    freedom = len(drawn) - 1
    assert abs(square - freedom) < 4 * (2 * freedom) ** 0.5


def test_random_games_end_and_repeat() -> None:
    position = from_state(state_with_colours_drawn(Options(), Random(1)))
    sums = random_games(position, 0, 200, 1)
    assert list(sums) == list(random_games(position, 0, 200, 1))
    assert 60 < sums[4] / 200 < 70
    assert all(-45 < total / 200 < -20 for total in sums[:4])


def test_a_clone_shares_no_array() -> None:
    state = state_with_colours_drawn(Options(players=2), Random(1))
    position = from_state(state)
    other = clone(position)
    place_piece(other, 0, encode_move(placements(state)[0].cells))
    assert len(legal_moves(position, 0)) == 2478
    assert len(legal_moves(other, 1)) == len(replace(state.apply(state.legal_actions()[0])).legal_actions())


WITHOUT_COMPILER = """
import warnings
from random import Random

warnings.simplefilter("error")

from tripot.engine.rng import new_rng
from tripot.game import Limit
from tripot.games.trigon.engine import TrigonEngine
from tripot.games.trigon.kernel import exact_cover, moves, position as kernel
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import initial_state

rng, state = Random(2), initial_state(Options(players=2, contact="corners"))
position, steps_rng = kernel.from_state(state), new_rng(3)
for turn in (0, 1, 2, 3, 0, 1):
    kernel.place_piece(position, turn, int(moves.legal_moves(position, turn)[0]))
assert len(moves.legal_moves(position, 2)) and kernel.final_score(position, 2) > -110

puzzle = initial_state(Options(players=1)).options.figure_spec
problem, _ = exact_cover.new_exact_cover(puzzle.cells, puzzle.stock)
assert exact_cover.search_steps(problem, 500, steps_rng) == exact_cover.FOUND

for _ in range(52):  # a position with few enough moves that a search does not take long
    state = state.apply(rng.choice(state.legal_actions()))
choice = TrigonEngine(10).choose(state, Limit(simulations=4), rng)
assert choice.action in state.legal_actions()
"""


def test_the_kernel_and_the_search_work_without_being_compiled() -> None:
    environment = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", WITHOUT_COMPILER], check=True, timeout=HANG, env=environment)
