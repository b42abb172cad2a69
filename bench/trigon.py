"""Trigon: random games and lists of moves against the plain rules, loading, and the library of figures."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random
from statistics import fmean, median

from bench import Report, seconds
from tripot.game import Limit
from tripot.games.trigon import engine, kernel, kernel_cover
from tripot.games.trigon.actions import Action, Lot, Options, library, library_figure
from tripot.games.trigon.board import SIZES
from tripot.games.trigon.notation import dialect
from tripot.games.trigon.rules import State, start
from tripot.search.gtp import GtpProgram

GAMES_A_SECOND = 8_000
LISTS_A_SECOND = 5_000
LOAD_SECONDS = 0.3
MEDIAN_SECONDS = 10.0
GAMES = 2_000
MIDDLE = range(20, 44)  # plies of a game that lasts about 65
PEER = "TRIPOT_TEST_PENTOBI"  # names a program that speaks GTP and tells how often it tried each move
PEER_ARGUMENTS = "--game trigon_2 --level 5 --nobook --noresign --quiet"
PHASES = {"opening": (4, 4), "middle": (32, 4), "end": (60, 2)}  # plies, and how many times the peer's rate
THINK = 1.0
LOADING = (
    "import time, tripot; began = time.perf_counter(); from tripot.games.trigon import board; "
    "board.places(); print(time.perf_counter() - began)"
)


def run(report: Report) -> None:
    empty = start(Options()).apply(Lot((0, 1, 2, 3)))
    for work in report.each((measure_games, measure_lists), "Random games and lists of moves"):
        work(report, empty)
    measure_search(report)
    measure_loading(report)
    measure_figures(report)


def random_game(state: State, rng: Random) -> list[State]:
    states = [state]
    while states[-1].to_act is not None:
        states.append(states[-1].apply(rng.choice(states[-1].legal())))
    return states


def measure_games(report: Report, empty: State) -> None:
    position = kernel.pack(empty)
    kernel.random_games(position, 0, 1, 1)
    fast = seconds(kernel.random_games, position, 0, GAMES, 2) / GAMES
    plain = seconds(random_game, empty, Random(1), times=5)
    report.compare("random game of four", plain, fast, 1_000)
    rate = 1 / fast
    report.judge("random games of four", f"{rate:,.0f}/s", f"≥ {GAMES_A_SECOND:,}/s", rate >= GAMES_A_SECOND)


def measure_lists(report: Report, empty: State) -> None:
    """All moves of the colour to play, from nothing but the pieces that lie."""
    states = [random_game(empty, Random(seed))[ply] for seed, ply in enumerate(MIDDLE)]
    plain = fmean(seconds(lambda each: sorted(each.open_places(each.turn)), state) for state in states)
    positions = [(kernel.pack(state), state.turn) for state in states]
    scratch = kernel.copied(positions[0][0])

    def list_all(times: int) -> None:
        for _ in range(times):
            for position, turn in positions:
                kernel.copy(position, scratch)
                kernel.legal(scratch, turn)

    list_all(1)
    fast = seconds(list_all, 100) / 100 / len(positions)
    report.compare("legal moves in mid-game", plain, fast, 50)
    rate = 1 / fast
    report.judge("lists of legal moves", f"{rate:,.0f}/s", f"≥ {LISTS_A_SECOND:,}/s", rate >= LISTS_A_SECOND)


def measure_search(report: Report) -> None:
    """Simulations a second of the search for two, beside those of the peer if there is one."""
    command, state = os.environ.get(PEER), start(Options.read("players=2 start=free"))
    peer = GtpProgram(f"{command} {PEER_ARGUMENTS}", dialect(state.options)) if command else None
    player, rng = engine.Trigonist(6), Random(1)
    if state.lot_due:
        state = state.apply(Lot((0, 1)))
    states, actions = [state], list[Action]()
    while state.to_act is not None:
        actions.append(player.choose(state, Limit(simulations=100), rng).action)
        state = state.apply(actions[-1])
        states.append(state)
    for phase, (ply, times) in PHASES.items():
        rates = []
        for at in range(ply, ply + 4):
            search = engine.Search()
            search.turn_to(states[at])
            rates.append(search.run(Limit(seconds=THINK), None, rng) / THINK)
        name = f"simulations in the {phase}"
        if not peer:
            report.tell(f"a simulation in the {phase}; {PEER} names no peer", 1 / fmean(rates))
            continue
        theirs = fmean(peer_rate(peer, states[: at + 1], actions[:at]) for at in range(ply, ply + 4))
        ratio = fmean(rates) / theirs
        said = f"{fmean(rates):,.0f}/s, {ratio:.1f} times the peer's {theirs:,.0f}/s"
        report.judge(name, said, f"≥ {times} times", ratio >= times)
    if peer:
        peer.close()


def peer_rate(peer: GtpProgram, states: list[State], actions: list[Action]) -> float:
    """How many simulations a second the peer makes in the last of some states."""
    peer.begin()
    peer.follow(states, actions)
    began = time.perf_counter()
    peer.ask(f"reg_genmove {peer.dialect.colour(states[-1])}")
    took = time.perf_counter() - began
    return sum(float(line.split()[0]) for line in peer.ask("move_values").splitlines()) / took


def measure_loading(report: Report) -> None:
    took = min(float(subprocess.check_output([sys.executable, "-c", LOADING])) for _ in range(3))
    report.judge("board, pieces, places", f"{took:.2f} s", f"< {LOAD_SECONDS} s", took < LOAD_SECONDS)


def measure_figures(report: Report) -> None:
    """Every figure for one colour, solved from nothing; one that takes too long counts as that long."""
    figures = [name for name in library() if library_figure(name).stock == (1,) * len(SIZES)]
    engine.tiling(start(Options(players=1)), Limit(), Random(0))
    took, found = [], 0
    for name in report.each(figures, "Figures"):
        began = time.perf_counter()
        tiling = engine.tiling(
            start(Options(players=1, figure=name)), Limit(seconds=2 * MEDIAN_SECONDS), Random(1)
        )
        took.append(time.perf_counter() - began)
        found += tiling.result == kernel_cover.FOUND
    what = f"{len(figures)} figures, {found} solved: median"
    report.judge(what, f"{median(took):.2f} s", f"< {MEDIAN_SECONDS:.0f} s", median(took) < MEDIAN_SECONDS)
    report.tell("the slowest figure", max(took))
