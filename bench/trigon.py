"""Trigon: random games and lists of moves against the plain rules, loading, and the library of figures."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random
from statistics import fmean, median

from bench import Report, seconds
from tripot.external.gtp import GtpEngine
from tripot.game import Limit
from tripot.games.trigon import engine
from tripot.games.trigon.actions import Action, DrawColours
from tripot.games.trigon.board import PIECE_SIZES
from tripot.games.trigon.figures import library, library_figure
from tripot.games.trigon.kernel import exact_cover
from tripot.games.trigon.kernel import tiling as tiling_module
from tripot.games.trigon.kernel.position import clone, copy_into, from_state, legal_moves, random_games
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state
from tripot.games.trigon.text import gtp_dialect

GAMES_A_SECOND = 8_000
LISTS_A_SECOND = 5_000
LOAD_SECONDS = 0.3
MEDIAN_SECONDS = 10.0
GAMES = 2_000
MIDDLE = range(20, 44)  # plies of a game that lasts about 65
PEER = "TRIPOT_TEST_PENTOBI"  # names a program that speaks GTP and tells how often it tried each move
PEER_ARGUMENTS = "--game trigon_2 --level {} --nobook --noresign --quiet"
PEER_LEVELS = (5, 7)  # the longer it thinks, the more of a simulation is in its tree, which is faster
# From which ply on, or how many before the end, and how many times the peer's rate is aimed at there.
PHASES = {"opening": (4, 4), "middle": (32, 4), "end": (-12, 2)}
PLIES = 4  # of each phase, in each of some games
SEARCHED = 3
THINK = 0.5
LOADING = (
    "import time, tripot; began = time.perf_counter(); from tripot.games.trigon import board; "
    "board.places(); print(time.perf_counter() - began)"
)


def run(report: Report) -> None:
    empty = initial_state(Options()).apply(DrawColours((0, 1, 2, 3)))
    for work in report.each((measure_games, measure_lists), "Random games and lists of moves"):
        work(report, empty)
    measure_search(report)
    measure_loading(report)
    measure_figures(report)


def random_game(state: State, rng: Random) -> list[State]:
    states = [state]
    while states[-1].to_act is not None:
        states.append(states[-1].apply(rng.choice(states[-1].legal_actions())))
    return states


def measure_games(report: Report, empty: State) -> None:
    position = from_state(empty)
    random_games(position, 0, 1, 1)
    fast = seconds(random_games, position, 0, GAMES, 2) / GAMES
    plain = seconds(random_game, empty, Random(1), times=5)
    report.compare("random game of four", plain, fast, 1_000)
    rate = 1 / fast
    report.add_target(
        "random games of four", f"{rate:,.0f}/s", f"≥ {GAMES_A_SECOND:,}/s", rate >= GAMES_A_SECOND
    )


def measure_lists(report: Report, empty: State) -> None:
    """All moves of the colour to play, from nothing but the pieces that lie."""
    states = [random_game(empty, Random(seed))[ply] for seed, ply in enumerate(MIDDLE)]
    plain = fmean(seconds(lambda each: sorted(each.legal_placements(each.turn)), state) for state in states)
    positions = [(from_state(state), state.turn) for state in states]
    scratch = clone(positions[0][0])

    def list_all(times: int) -> None:
        for _ in range(times):
            for position, turn in positions:
                copy_into(position, scratch)
                legal_moves(scratch, turn)

    list_all(1)
    fast = seconds(list_all, 100) / 100 / len(positions)
    report.compare("legal moves in mid-game", plain, fast, 50)
    rate = 1 / fast
    report.add_target(
        "lists of legal moves", f"{rate:,.0f}/s", f"≥ {LISTS_A_SECOND:,}/s", rate >= LISTS_A_SECOND
    )


def searched_game(seed: int) -> tuple[list[State], list[Action]]:
    """A game for two of the engine against itself."""
    state, player, rng = (
        initial_state(Options.parse("players=2 start=free")),
        engine.TrigonEngine(6),
        Random(seed),
    )
    states, actions = [state], list[Action]()
    while state.to_act is not None:
        actions.append(player.choose(state, Limit(simulations=100), rng).action)
        state = state.apply(actions[-1])
        states.append(state)
    return states, actions


def measure_search(report: Report) -> None:
    """Simulations a second of the search for two, beside those of the peer if there is one."""
    games = [searched_game(seed) for seed in report.each(range(SEARCHED), "Games to search in")]
    command, search = os.environ.get(PEER), engine.TreeSearch()
    if not command:
        for phase, (ply, _) in PHASES.items():
            ours = [
                rate(search, states[at], THINK) for states, actions in games for at in plies(ply, actions)
            ]
            report.add_time(f"a simulation in the {phase}; {PEER} names no peer", 1 / fmean(ours))
        return
    for level in PEER_LEVELS:
        peer = GtpEngine(f"{command} {PEER_ARGUMENTS.format(level)}", gtp_dialect(games[0][0][0].options))
        for phase, (ply, times) in PHASES.items():
            ours, theirs = list[float](), list[float]()
            for states, actions in report.each(games, f"Simulations in the {phase} beside level {level}"):
                for at in plies(ply, actions):
                    simulations, took = peer_search(peer, states[: at + 1], actions[:at])
                    theirs.append(simulations / took)
                    ours.append(rate(search, states[at], took))
            ratio = fmean(ours) / fmean(theirs)
            said = f"{fmean(ours):,.0f}/s, {ratio:.1f} times level {level}'s {fmean(theirs):,.0f}/s"
            report.add_target(f"simulations in the {phase}", said, f"≥ {times} times", ratio >= times)
        peer.close()


def plies(ply: int, actions: list[Action]) -> range:
    """Some plies of a game, the last one first.

    In this order no search can go on with the tree of the one before. The peer counts what it kept as done:
    near the end it seemed to make millions of simulations a second, which it had made before.
    """
    first = ply % len(actions)
    return range(first + PLIES - 1, first - 1, -1)


def rate(search: engine.TreeSearch, state: State, seconds: float) -> float:
    """How many simulations a second we make in a state, all that goes before them included."""
    began = time.monotonic()
    search.set_position(state)
    return search.run(Limit(seconds=seconds), None, Random(1), began) / seconds


def peer_search(peer: GtpEngine, states: list[State], actions: list[Action]) -> tuple[float, float]:
    """How many simulations the peer makes in the last of some states, and in how many seconds."""
    peer.new_game()
    peer.send_actions(states, actions)
    began = time.perf_counter()
    peer.send_command(f"reg_genmove {peer.dialect.colour_of(states[-1])}")
    took = time.perf_counter() - began
    return sum(float(line.split()[0]) for line in peer.send_command("move_values").splitlines()), took


def measure_loading(report: Report) -> None:
    took = min(float(subprocess.check_output([sys.executable, "-c", LOADING])) for _ in range(3))
    report.add_target("board, pieces, places", f"{took:.2f} s", f"< {LOAD_SECONDS} s", took < LOAD_SECONDS)


def measure_figures(report: Report) -> None:
    """Every figure for one colour, solved from nothing; one that takes too long counts as that long."""
    figures = [name for name in library() if library_figure(name).stock == (1,) * len(PIECE_SIZES)]
    tiling_module.find_tiling(initial_state(Options(players=1)), Limit(), Random(0))
    took, found = [], 0
    for name in report.each(figures, "Figures"):
        began = time.perf_counter()
        tiling = tiling_module.find_tiling(
            initial_state(Options(players=1, figure=name)), Limit(seconds=2 * MEDIAN_SECONDS), Random(1)
        )
        took.append(time.perf_counter() - began)
        found += tiling.result == exact_cover.FOUND
    what = f"{len(figures)} figures, {found} solved: median"
    report.add_target(
        what, f"{median(took):.2f} s", f"< {MEDIAN_SECONDS:.0f} s", median(took) < MEDIAN_SECONDS
    )
    report.add_time("the slowest figure", max(took))
