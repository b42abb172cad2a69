"""Benchmarks of the Trippples solvers: whole layouts against plain Python, then the other solvers alone.

The target ratio is that of the kernel to `walk`, which asks the rules for the successors of every state. The
time of `perfect_play.solve`, which uses small tables, is shown beside it.
"""

from __future__ import annotations

from collections import deque
from itertools import product
from random import Random
from statistics import fmean

from bench import Report, seconds
from tripot.game import CHANCE
from tripot.games.trippples import GAME, perfect_play
from tripot.games.trippples.board import NEUTRAL, is_arrow
from tripot.games.trippples.kernel import solver
from tripot.games.trippples.kernel.repetition import repetition_ranks
from tripot.games.trippples.kernel.tables import pack_layout
from tripot.games.trippples.kernel.teams import TeamSolver
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

TARGET_RATIO = 800  # of the time of `walk` to that of the kernel
LAYOUTS = 5


def laid(options: Options, seed: int) -> bytes:
    """The tiles of a random layout."""
    state, rng = GAME.initial_state(options), Random(seed)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state.tiles


def run(report: Report) -> None:
    for work in report.each((solve, indirect, teams), "Compiling"):
        work(laid(Options(), 0), Options())
    for neutral, called in product(("closed", "wild"), (False, True)):
        options, plain, fast, reference = Options(neutral=neutral), [], [], []
        what = f"layout, {neutral}" + ", called" * called
        for seed in report.each(range(LAYOUTS), what):
            tiles = laid(options, seed)
            fast.append(seconds(solve, tiles, options, called, times=50))
            plain.append(seconds(walk, tiles, options, called))
            reference.append(seconds(perfect_play.solve.__wrapped__, tiles, options, called))
        report.compare(what, fmean(plain), fmean(fast), TARGET_RATIO)
        report.add_time(f"{what}, by perfect_play.solve", fmean(reference))
    for name, work, count, players in (("indirect wins", indirect, 20, 2), ("teams", teams, 3, 4)):
        for neutral in ("closed", "wild"):
            options = Options(neutral=neutral, players=players)
            what = f"{name}, {neutral}"
            boards = [laid(options, seed) for seed in range(count)]
            report.add_time(what, fmean(seconds(work, tiles, options) for tiles in report.each(boards, what)))


def solve(tiles: bytes, options: Options, called: bool = False) -> None:
    solver.solve(pack_layout(tiles, options), called)


def indirect(tiles: bytes, options: Options) -> None:
    """Includes the two tables that it needs."""
    layout = pack_layout(tiles, options)
    base, play = solver.solve(layout, freeze_wins=False), solver.solve(layout, freeze_wins=True)
    repetition_ranks(layout, base, play)


def teams(tiles: bytes, options: Options) -> None:
    team_solver = TeamSolver(pack_layout(tiles, options), freeze_wins=True)
    while not team_solver.is_complete:
        team_solver.advance()


def walk(tiles: bytes, options: Options, called: bool = False) -> dict[bytes, int]:
    """The table of `perfect_play.solve`, computed by asking the rules for the state after every move."""
    plies: dict[bytes, int] = {}
    open_moves: dict[bytes, int] = {}
    before: dict[bytes, list[State]] = {}
    known: deque[bytes] = deque()
    starts = options.homes[0]
    squares = [
        square for square, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)
    ]
    for here, there, turn in product((*squares, starts[0]), (*squares, starts[1]), (0, 1)):
        state = State(options, tiles, bytes((here, there)), turn)
        targets = state.target_squares(turn) if here != there else []
        if not targets:
            continue
        plies[state.repetition_key], open_moves[state.repetition_key] = 0, len(targets)
        for square in targets:
            after = state.after_move_without_history(square)
            if after.outcome is None:
                before.setdefault(after.repetition_key, []).append(state)
            elif not plies[state.repetition_key] and (called or after.outcome.reason.clause == "TP-5"):
                plies[state.repetition_key] = 1
                known.append(state.repetition_key)
    while known:
        key = known.popleft()
        for state in before.get(key, ()):
            if plies[state.repetition_key]:
                continue
            wins = (plies[key] > 0) == (key[-1] == state.turn)
            open_moves[state.repetition_key] -= not wins
            if wins or not open_moves[state.repetition_key]:
                plies[state.repetition_key] = (1 if wins else -1) * (abs(plies[key]) + 1)
                known.append(state.repetition_key)
    return plies
