"""The solvers of Trippples: whole layouts against the plain solver of the rules, then the rest."""

from __future__ import annotations

from itertools import product
from random import Random
from statistics import fmean

from bench import Report, seconds
from tripot.game import CHANCE
from tripot.games.trippples import GAME, kernel, kernel_teams, rules
from tripot.games.trippples.actions import Options

BAR = 800  # times as fast as the plain solver
LAYOUTS = 5


def laid(options: Options, seed: int) -> bytes:
    state, rng = GAME.start(options), Random(seed)
    while state.to_act is CHANCE:
        state = state.apply(state.deal(rng))
    return state.tiles


def run(report: Report) -> None:
    for work in report.each((solve, indirect, teams), "Compiling"):
        work(laid(Options(), 0), Options())
    for neutral, called in product(("closed", "wild"), (False, True)):
        options, plain, fast = Options(neutral=neutral), [], []
        what = f"layout, {neutral}" + ", called" * called
        for seed in report.each(range(LAYOUTS), what):
            tiles = laid(options, seed)
            fast.append(seconds(solve, tiles, options, called, times=50))
            plain.append(seconds(rules.solve.__wrapped__, tiles, options, called))
        report.compare(what, fmean(plain), fmean(fast), BAR)
    for name, work, count, players in (("indirect wins", indirect, 20, 2), ("teams", teams, 3, 4)):
        for neutral in ("closed", "wild"):
            options = Options(neutral=neutral, players=players)
            what = f"{name}, {neutral}"
            boards = [laid(options, seed) for seed in range(count)]
            report.tell(what, fmean(seconds(work, tiles, options) for tiles in report.each(boards, what)))


def solve(tiles: bytes, options: Options, called: bool = False) -> None:
    kernel.solve(kernel.pack(tiles, options), called)


def indirect(tiles: bytes, options: Options) -> None:
    """With the two tables that it needs."""
    layout = kernel.pack(tiles, options)
    base, play = kernel.solve(layout, called=False), kernel.solve(layout, called=True)
    kernel.indirect(layout, base, play)


def teams(tiles: bytes, options: Options) -> None:
    kernel_teams.solve_teams(kernel.pack(tiles, options), called=True)
