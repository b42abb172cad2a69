"""Trigon: random games and move lists against the plain rules, search, loading and the library of figures."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random
from statistics import fmean, median

from tests.games.trigon.random_games import random_games

from bench import Report, seconds
from tripot.engine.budget import Budget
from tripot.external.gtp import GtpEngine
from tripot.game import Limit
from tripot.games.trigon.actions import Action, DrawColours
from tripot.games.trigon.board import PIECE_SIZES
from tripot.games.trigon.engine import TrigonEngine
from tripot.games.trigon.figures import library, library_figure
from tripot.games.trigon.kernel.exact_cover import FOUND
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.position import clone, copy_into, from_state
from tripot.games.trigon.kernel.tiling import find_tiling
from tripot.games.trigon.kernel.tree_search import TreeSearch
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state
from tripot.games.trigon.text import gtp_dialect

GAMES_PER_SECOND = 8_000
LISTS_PER_SECOND = 5_000
LOAD_SECONDS = 0.3
MEDIAN_SECONDS = 10.0
GAMES = 2_000
MIDDLE = range(20, 44)  # plies of a game that lasts about 65
PENTOBI_VARIABLE = "TRIPOT_TEST_PENTOBI"  # the command of a GTP program that reports the visits of each move
PEER_ARGUMENTS = "--game trigon_2 --level {} --nobook --noresign --quiet"
PEER_LEVELS = (5, 7)  # in longer searches more of a simulation lies in the tree, which is faster
# First ply (negative: from the end), and the ratio to the peer's simulations per second that is the aim.
PHASES = {"opening": (4, 4), "middle": (32, 4), "end": (-12, 2)}
PLIES = 4  # of each phase, in each game
SEARCHED_GAMES = 3
SEARCH_SECONDS = 0.5
LOADING = (
    "import time, tripot; started = time.perf_counter(); from tripot.games.trigon import board; "
    "board.all_placements(); print(time.perf_counter() - started)"
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
        "random games of four", f"{rate:,.0f}/s", f"≥ {GAMES_PER_SECOND:,}/s", rate >= GAMES_PER_SECOND
    )


def measure_lists(report: Report, empty: State) -> None:
    """All moves of the colour to move, from scratch."""
    states = [random_game(empty, Random(seed))[ply] for seed, ply in enumerate(MIDDLE)]
    plain = fmean(seconds(lambda s: sorted(s.legal_placements(s.turn)), state) for state in states)
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
        "lists of legal moves", f"{rate:,.0f}/s", f"≥ {LISTS_PER_SECOND:,}/s", rate >= LISTS_PER_SECOND
    )


def searched_game(seed: int) -> tuple[list[State], list[Action]]:
    """A game for two players of the engine against itself."""
    state, player, rng = (
        initial_state(Options.parse("players=2 start=free")),
        TrigonEngine(10),
        Random(seed),
    )
    states, actions = [state], list[Action]()
    while state.to_act is not None:
        actions.append(player.choose(state, Limit(simulations=100), rng).action)
        state = state.apply(actions[-1])
        states.append(state)
    return states, actions


def measure_search(report: Report) -> None:
    """Simulations per second with two players, beside those of the peer if there is one."""
    games = [searched_game(seed) for seed in report.each(range(SEARCHED_GAMES), "Games to search in")]
    command, search = os.environ.get(PENTOBI_VARIABLE), TreeSearch()
    if not command:
        for phase, (ply, _) in PHASES.items():
            ours = [
                rate(search, states[index], SEARCH_SECONDS)
                for states, actions in games
                for index in plies(ply, actions)
            ]
            report.add_time(f"a simulation in the {phase}; {PENTOBI_VARIABLE} names no peer", 1 / fmean(ours))
        return
    for level in PEER_LEVELS:
        peer = GtpEngine(f"{command} {PEER_ARGUMENTS.format(level)}", gtp_dialect(games[0][0][0].options))
        for phase, (ply, times) in PHASES.items():
            ours, theirs = list[float](), list[float]()
            for states, actions in report.each(games, f"Simulations in the {phase} beside level {level}"):
                for index in plies(ply, actions):
                    simulations, took = peer_search(peer, states[: index + 1], actions[:index])
                    theirs.append(simulations / took)
                    ours.append(rate(search, states[index], took))
            ratio = fmean(ours) / fmean(theirs)
            text = f"{fmean(ours):,.0f}/s, {ratio:.1f} times level {level}'s {fmean(theirs):,.0f}/s"
            report.add_target(f"simulations in the {phase}", text, f"≥ {times} times", ratio >= times)
        peer.close()


def plies(ply: int, actions: list[Action]) -> range:
    """Some plies of a game, the last one first.

    In this order no search can reuse the tree of the search before. The peer counts reused visits as new:
    near the end of a game it seemed to run millions of simulations per second.
    """
    first = ply % len(actions)
    return range(first + PLIES - 1, first - 1, -1)


def rate(search: TreeSearch, state: State, seconds: float) -> float:
    """Our simulations per second in a state; setting the position is part of the time."""
    budget = Budget(Limit(seconds=seconds))
    search.set_position(state)
    return search.run(budget, Random(1)) / seconds


def peer_search(peer: GtpEngine, states: list[State], actions: list[Action]) -> tuple[float, float]:
    """The simulations of the peer in the last of some states, and the seconds that they took."""
    peer.new_game()
    peer.send_actions(states, actions)
    started = time.perf_counter()
    peer.send_command(f"reg_genmove {peer.dialect.colour_of(states[-1])}")
    took = time.perf_counter() - started
    return sum(float(line.split()[0]) for line in peer.send_command("move_values").splitlines()), took


def measure_loading(report: Report) -> None:
    took = min(float(subprocess.check_output([sys.executable, "-c", LOADING])) for _ in range(3))
    report.add_target(
        "board, pieces, placements", f"{took:.2f} s", f"< {LOAD_SECONDS} s", took < LOAD_SECONDS
    )


def measure_figures(report: Report) -> None:
    """Every figure for one colour; an attempt that runs out of time counts with the time that it took."""
    figures = [name for name in library() if library_figure(name).stock == (1,) * len(PIECE_SIZES)]
    find_tiling(initial_state(Options(players=1)), Budget(Limit()), Random(0))
    took, solved = [], 0
    for name in report.each(figures, "Figures"):
        started = time.perf_counter()
        budget = Budget(Limit(seconds=2 * MEDIAN_SECONDS))
        tiling = find_tiling(initial_state(Options(players=1, figure=name)), budget, Random(1))
        took.append(time.perf_counter() - started)
        solved += tiling.result == FOUND
    what = f"{len(figures)} figures, {solved} solved: median"
    report.add_target(
        what, f"{median(took):.2f} s", f"< {MEDIAN_SECONDS:.0f} s", median(took) < MEDIAN_SECONDS
    )
    report.add_time("the slowest figure", max(took))
