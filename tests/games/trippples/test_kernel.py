"""The kernels against the rules: moves, tables of whole layouts, TP-7, and the four-player game.

Boards of a few squares, with neutral tiles everywhere else, are small enough to play out every game by the
wording of TP-7, and to solve the four-player game in plain Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice, product
from random import Random

import numpy as np
import pytest
from bench._server_process import HANG

from tripot.game import CHANCE
from tripot.games.trippples import GAME, perfect_play
from tripot.games.trippples.actions import Move
from tripot.games.trippples.board import (
    ARROW_TILES,
    HOME_TILE,
    NEIGHBOURS,
    NEUTRAL,
    SQUARE_INDEX,
    TILES_BY_NAME,
    is_arrow,
)
from tripot.games.trippples.kernel import solver, teams
from tripot.games.trippples.kernel.repetition import repetition_ranks
from tripot.games.trippples.kernel.tables import (
    FROZEN,
    POSITIONS,
    WON,
    Int16Array,
    Layout,
    moves,
    pack_layout,
)
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

RULE_SETS = [
    Options(neutral=neutral, corners=corners, finish=finish)
    for neutral, corners, finish in product(("closed", "wild"), ("corner", "inset"), ("corner", "centre"))
]
every_rule_set = pytest.mark.parametrize("options", RULE_SETS, ids=lambda options: str(options) or "plain")
SMALL = Options(finish="centre")  # the finishes are side by side, so a few squares make a game
SMALL_UNCALLED = Options(finish="centre", freeze=False)


def laid(options: Options, seed: int) -> bytes:
    """The tiles of a random layout."""
    state, rng = GAME.initial_state(options), Random(seed)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state.tiles


def walled(options: Options, arrows: dict[int, int]) -> bytes:
    """A board with arrow tiles on a few squares and neutral ones all around."""
    tiles = dict.fromkeys(range(64), NEUTRAL) | dict.fromkeys(sum(options.homes, ()), HOME_TILE) | arrows
    return bytes(tiles[square] for square in range(64))


def small(options: Options, size: int, rng: Random) -> bytes:
    """A walled board of some squares around the finishes, at random."""
    homes = sum(options.homes, ())
    squares: list[int] = []
    while len(squares) < size:
        square = rng.choice(NEIGHBOURS[rng.choice([*options.homes[1], *squares])])
        if square >= 0 and square not in (*homes, *squares):
            squares.append(square)
    return walled(options, {square: rng.choice(ARROW_TILES) for square in squares})


def squares_of(tiles: bytes, options: Options) -> list[list[int]]:
    """Where the pawn of each seat can be."""
    usual = [
        square for square, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)
    ]
    return [[*usual, options.homes[0][seat % 2]] for seat in range(4)]


def states(tiles: bytes, options: Options) -> Iterator[State]:
    """Every two-player position in which the seat to move can."""
    squares = squares_of(tiles, options)
    for square, round_, turn in product(squares[0], squares[1], (0, 1)):
        state = State(options, tiles, bytes((square, round_)), turn)
        if square != round_ and state.target_squares(turn):
            yield state


def number(state: State) -> int:
    return state.turn * 4096 + state.pawns[0] * 64 + state.pawns[1]


def ended(after: State) -> int:
    """The kernel's code of the state after a move."""
    if after.outcome is None:
        return number(after)
    return WON if after.outcome.reason.clause == "TP-5" else FROZEN


# --- Moves and tables ----------------------------------------------------------------------------


@every_rule_set
@pytest.mark.parametrize(
    ("seed", "every"), [(0, 3), *(pytest.param(seed, 1, marks=pytest.mark.soak) for seed in (0, 1))]
)
def test_kernel_and_rules_have_the_same_moves_in_every_position(
    options: Options, seed: int, every: int
) -> None:
    """In every third position of one layout; `make soak` takes all positions of two."""
    tiles = laid(options, seed)
    layout = pack_layout(tiles, options)
    for state in islice(states(tiles, options), 0, None, every):
        squares, after = moves(layout, number(state))
        assert [*squares] == state.target_squares(state.turn), state.to_text()
        assert [*after] == [ended(state.after_move_without_history(square)) for square in squares], (
            state.to_text()
        )


def check_tables(options: Options, seed: int, freeze_wins: bool) -> None:
    tiles = laid(options, seed)
    plain = np.zeros(POSITIONS, np.int16)
    for (square, round_, turn), plies in perfect_play.solve.__wrapped__(tiles, options, freeze_wins).items():
        plain[turn * 4096 + square * 64 + round_] = plies
    fast = solver.solve(pack_layout(tiles, options), freeze_wins)
    assert fast.dtype == np.int16
    assert not np.flatnonzero(plain != fast).size, (options, seed, freeze_wins)


@pytest.mark.parametrize("freeze_wins", [False, True])
@every_rule_set
def test_the_solver_agrees_with_the_plain_one(options: Options, freeze_wins: bool) -> None:
    for seed in range(2):
        check_tables(options, seed, freeze_wins)


@pytest.mark.soak
@pytest.mark.parametrize("freeze_wins", [False, True])
@every_rule_set
@pytest.mark.parametrize("tenth", range(10))
def test_the_solver_agrees_with_the_plain_one_on_50_layouts(
    options: Options, tenth: int, freeze_wins: bool
) -> None:
    for seed in range(5 * tenth, 5 * tenth + 5):
        check_tables(options, 100 + seed, freeze_wins)


def test_tp_8_who_can_freeze_is_never_lost_without_calling_it() -> None:
    freezes = 0
    for options, seed in product(RULE_SETS, range(4)):
        layout = pack_layout(laid(options, seed), options)
        base, play = solver.solve(layout, freeze_wins=False), solver.solve(layout, freeze_wins=True)
        assert (play[base > 0] > 0).all()
        assert (play[base < 0] < 0).all()
        for position in np.flatnonzero(play == 1).tolist():
            if FROZEN in moves(layout, position)[1]:
                assert base[position] >= 0
                freezes += 1
    assert freezes


def test_the_kernel_works_without_the_compiler() -> None:
    options = Options(neutral="wild", finish="centre")
    layout = pack_layout(laid(options, 1), options)
    base, play = solver.solve(layout, freeze_wins=False), solver.solve(layout, freeze_wins=True)
    tables = np.concatenate((base, play, repetition_ranks(layout, base, play)))
    program = (
        "import sys, numpy as np\n"
        "from tripot.games.trippples.kernel.repetition import repetition_ranks\n"
        "from tripot.games.trippples.kernel.solver import solve\n"
        "from tripot.games.trippples.kernel.tables import pack_layout\n"
        "from tripot.games.trippples.options import Options\n"
        f"layout = pack_layout({laid(options, 1)!r}, Options(neutral='wild', finish='centre'))\n"
        "base, play = solve(layout, freeze_wins=False), solve(layout, freeze_wins=True)\n"
        "tables = np.concatenate((base, play, repetition_ranks(layout, base, play)))\n"
        "sys.stdout.buffer.write(tables.tobytes())\n"
    )
    plainly = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        check=True,
        timeout=HANG,
    )
    assert plainly.stdout == tables.tobytes()


# --- TP-7 ----------------------------------------------------------------------------------------


class TooLongError(Exception):
    """A position has more histories than a test can play out."""


def by_the_letter(state: State, known: dict[State, int], max_states: int) -> int:
    """The result to the seat to move, 1, 0 or -1, by playing out every game with its history."""
    if state not in known:
        if len(known) > max_states:
            raise TooLongError
        best = -1
        for move in state.legal_actions():
            after = state.apply(move)
            if after.outcome:
                value = after.outcome.scores[state.turn]
            else:
                value = by_the_letter(after, known, max_states) * (1 if after.turn == state.turn else -1)
            best = max(best, value)
            if best == 1:
                break
        known[state] = best
    return known[state]


def tables(tiles: bytes, options: Options) -> tuple[Layout, Int16Array, Int16Array, Int16Array]:
    layout = pack_layout(tiles, options)
    base = solver.solve(layout, freeze_wins=False)
    play = solver.solve(layout, freeze_wins=True) if options.freeze else base
    return layout, base, play, repetition_ranks(layout, base, play)


def check_by_the_letter(options: Options, sizes: range, boards: int, max_states: int) -> None:
    """Compare results on random boards: on all with a win by repetition, and on some others."""
    rng = Random(7)
    winners: list[int] = []
    for size in sizes:
        for board in range(boards):
            tiles = small(options, size, rng)
            _, _, play, indirect = tables(tiles, options)
            if not indirect.any() and board % 8:
                continue
            for state in states(tiles, options):
                plies, rank = play[number(state)], indirect[number(state)]
                assert not (plies and rank)
                try:
                    verdict = by_the_letter(state, {}, max_states)
                except TooLongError:
                    continue
                assert verdict == np.sign(plies or rank), state.to_text()
                if rank:
                    winners.append(state.turn if rank > 0 else 1 - state.turn)
    assert min(winners.count(0), winners.count(1)) > 20


@pytest.mark.parametrize("options", [SMALL, SMALL_UNCALLED], ids=str)
def test_tp_7_indirect_wins_are_those_of_all_games_played_out(options: Options) -> None:
    check_by_the_letter(options, range(4, 7), boards=100, max_states=300)


@pytest.mark.soak
@pytest.mark.parametrize("options", [SMALL, SMALL_UNCALLED], ids=str)
def test_tp_7_indirect_wins_are_those_of_all_games_played_out_on_larger_boards(options: Options) -> None:
    check_by_the_letter(options, range(5, 9), boards=200, max_states=2000)


def verdicts(
    options: Options, arrows: dict[str, str], square: str, round_: str, turn: int
) -> tuple[int, int]:
    """The result by the kernel, and by playing out every game."""
    tiles = walled(options, {SQUARE_INDEX[name]: TILES_BY_NAME[tile] for name, tile in arrows.items()})
    state = State(options, tiles, bytes((SQUARE_INDEX[square], SQUARE_INDEX[round_])), turn)
    _, _, play, indirect = tables(tiles, options)
    return int(np.sign(play[number(state)] or indirect[number(state)])), by_the_letter(state, {}, 1000)


CASES = {
    "an attacker who never has another move is not forced, and wins": (
        (SMALL_UNCALLED, {"e3": "368", "d4": "167", "e4": "379", "f4": "347"}, "f4", "d4", 0),
        -1,
    ),
    "where both are forced nobody wins": (
        (SMALL, {"c6": "467", "d6": "248", "e6": "369", "c7": "168"}, "c6", "d6", 1),
        0,
    ),
    # The defender can freeze both pawns instead of entering the core, which an earlier version missed.
    "a defender who can freeze is not in the attractor": (
        (SMALL_UNCALLED, {"c3": "268", "c4": "278", "d4": "139", "e4": "168", "f4": "246"}, "c4", "f4", 0),
        0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_tp_7_rare_cases(case: str) -> None:
    position, verdict = CASES[case]
    assert verdicts(*position) == (verdict, verdict)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "options", RULE_SETS[:1] + RULE_SETS[-1:], ids=lambda options: str(options) or "plain"
)
def test_tp_7_the_ranks_lead_the_winner_round_to_the_third_repetition(options: Options, seed: int) -> None:
    rng, tiles = Random(seed), laid(options, seed)
    layout, _, play, indirect = tables(tiles, options)
    won = [*map(int, np.flatnonzero(indirect))]
    for position in rng.sample(won, min(40, len(won))):
        state = State(options, tiles, bytes((position >> 6 & 63, position & 63)), position >> 12)
        winner = state.turn if indirect[position] > 0 else 1 - state.turn
        while state.outcome is None:
            drawn = {
                square: int(indirect[after]) * (1 if after >> 12 == winner else -1)
                for square, after in zip(*moves(layout, number(state)), strict=True)
                if after >= 0 and not play[after]
            }
            if state.turn == winner:
                square = min((square for square in drawn if drawn[square] > 0), key=drawn.__getitem__)
            else:
                assert all(rank > 0 for rank in drawn.values())
                square = rng.choice([*drawn])
            state = state.apply(Move(int(square)))
        assert state.outcome.winners == (winner,)
        assert state.outcome.reason.key == "indirect"


# --- TP-13 ---------------------------------------------------------------------------------------


def stands(pawns: tuple[int, ...], options: Options) -> bool:
    """Whether no square but a start holds two pawns."""
    standing = [pawn for pawn in pawns if pawn not in options.homes[0]]
    return len({*standing}) == len(standing)


def backed_up(state: State, after: list[State], freeze_wins: bool, plies: Callable[[State], int]) -> int:
    """The plies of a position, computed from those of its successors."""
    values = []
    for successor in after:
        if successor.outcome:
            values.append(int(freeze_wins or successor.outcome.reason.clause == "TP-5"))
        else:
            value = plies(successor) * (1 if (successor.turn - state.turn) % 2 == 0 else -1)
            values.append(value + (value > 0) - (value < 0))
    wins = [value for value in values if value > 0]
    return min(wins) if wins else 0 if 0 in values else min(values)


def plain_teams(tiles: bytes, options: Options, freeze_wins: bool) -> dict[int, int]:
    """The four-player game of a small board, solved by iterating over all positions."""
    after: dict[State, list[State]] = {}
    for pawns, turn in product(product(*squares_of(tiles, options)), range(4)):
        state = State(options, tiles, bytes(pawns), turn)
        if stands(pawns, options) and (targets := state.target_squares(turn)):
            after[state] = [state.after_move_without_history(square) for square in targets]
    plies = dict.fromkeys((state.repetition_key for state in after), 0)

    def newly() -> dict[bytes, int]:
        values = {
            state.repetition_key: backed_up(
                state, moves, freeze_wins, lambda successor: plies[successor.repetition_key]
            )
            for state, moves in after.items()
            if not plies[state.repetition_key]
        }
        return {key: value for key, value in values.items() if value}

    while decided := newly():
        plies |= decided
    return {teams.team_position(key[:4], key[4]): value for key, value in plies.items() if value}


def solve_teams(tiles: bytes, options: Options, freeze_wins: bool) -> tuple[Int16Array, list[float]]:
    """The plies of all positions of the four-player game, and the progress after each sweep."""
    team_solver, progress = teams.TeamSolver(pack_layout(tiles, options), freeze_wins), list[float]()
    while not team_solver.is_complete:
        team_solver.advance()
        progress.append(team_solver.progress)
    return team_solver._plies, progress


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("freeze_wins", [False, True])
def test_tp_13_the_team_solver_agrees_with_a_plain_one_on_small_boards(seed: int, freeze_wins: bool) -> None:
    options, rng = Options(players=4, corners="inset", finish="centre"), Random(seed)
    squares = ["c3", "d4", "e4", "f3", rng.choice(["c4", "d3", "e3", "f4"])]
    tiles = walled(options, {SQUARE_INDEX[name]: rng.choice(ARROW_TILES) for name in squares})
    fast, done = solve_teams(tiles, options, freeze_wins)
    assert {int(position): int(fast[position]) for position in np.flatnonzero(fast)} == plain_teams(
        tiles, options, freeze_wins
    )
    assert fast.min() < 0 < fast.max()
    assert done == sorted(done)
    assert done[-1] == 1.0


@pytest.mark.parametrize(
    ("text", "freeze_wins"),
    [
        ("players=4", False),
        ("players=4 neutral=wild", True),
        pytest.param("players=4 corners=inset", True, marks=pytest.mark.soak),
        pytest.param("players=4 neutral=wild corners=inset finish=centre", False, marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("tries", [200, pytest.param(600, marks=pytest.mark.soak)])
def test_tp_13_every_team_result_follows_from_its_moves(text: str, freeze_wins: bool, tries: int) -> None:
    """Distances that agree with those of all successors are correct."""
    options, rng = Options.parse(text), Random(1)
    tiles = laid(options, 1)
    plies, _ = solve_teams(tiles, options, freeze_wins)
    squares = squares_of(tiles, options)
    looked = []
    for turn in [*range(4)] * tries:
        pawns = tuple(rng.choice(choices) if rng.random() < 0.9 else choices[-1] for choices in squares)
        state = State(options, tiles, bytes(pawns), turn)
        if not stands(pawns, options) or not (targets := state.target_squares(turn)):
            continue
        after = [state.after_move_without_history(square) for square in targets]
        value = int(plies[teams.team_position(state.pawns, turn)])
        known = backed_up(
            state, after, freeze_wins, lambda there: int(plies[teams.team_position(there.pawns, there.turn)])
        )
        assert value == known, state.to_text()
        looked.append(value)
    assert min(looked) < 0 < max(looked)
