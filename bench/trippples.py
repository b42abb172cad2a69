"""The solvers of Trippples: whole layouts against a plain walk through the rules, then the rest.

The bar is against `walk`, which asks the rules for every successor, state by state. The rules' own
judge of TP-7 keeps short tables and is told beside it.
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
from tripot.games.trippples.kernel.teams import solve_teams
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

BAR = 800  # times as fast as the walk
LAYOUTS = 5


def laid(options: Options, seed: int) -> bytes:
    state, rng = GAME.initial_state(options), Random(seed)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    return state.tiles


def run(report: Report) -> None:
    for work in report.each((solve, indirect, teams), "Compiling"):
        work(laid(Options(), 0), Options())
    for neutral, called in product(("closed", "wild"), (False, True)):
        options, plain, fast, judge = Options(neutral=neutral), [], [], []
        what = f"layout, {neutral}" + ", called" * called
        for seed in report.each(range(LAYOUTS), what):
            tiles = laid(options, seed)
            fast.append(seconds(solve, tiles, options, called, times=50))
            plain.append(seconds(walk, tiles, options, called))
            judge.append(seconds(perfect_play.solve.__wrapped__, tiles, options, called))
        report.compare(what, fmean(plain), fmean(fast), BAR)
        report.add_time(f"{what}, by the judge of TP-7", fmean(judge))
    for name, work, count, players in (("indirect wins", indirect, 20, 2), ("teams", teams, 3, 4)):
        for neutral in ("closed", "wild"):
            options = Options(neutral=neutral, players=players)
            what = f"{name}, {neutral}"
            boards = [laid(options, seed) for seed in range(count)]
            report.add_time(what, fmean(seconds(work, tiles, options) for tiles in report.each(boards, what)))


def solve(tiles: bytes, options: Options, called: bool = False) -> None:
    solver.solve(solver.pack_layout(tiles, options), called)


def indirect(tiles: bytes, options: Options) -> None:
    """With the two tables that it needs."""
    layout = solver.pack_layout(tiles, options)
    base, play = solver.solve(layout, called=False), solver.solve(layout, called=True)
    solver.repetition_ranks(layout, base, play)


def teams(tiles: bytes, options: Options) -> None:
    solve_teams(solver.pack_layout(tiles, options), called=True)


def walk(tiles: bytes, options: Options, called: bool = False) -> dict[bytes, int]:
    """What `perfect_play.solve` says, found by asking the rules for the state after every move."""
    plies: dict[bytes, int] = {}
    open_moves: dict[bytes, int] = {}
    before: dict[bytes, list[State]] = {}
    known: deque[bytes] = deque()
    starts = options.homes[0]
    squares = [at for at, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)]
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
