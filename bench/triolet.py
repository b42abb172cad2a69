"""Triolet: move generation against the plain rules, and whole games by equity."""

from __future__ import annotations

from random import Random

import numpy as np

from bench import Report, seconds
from tripot.engine.jit import njit_cached
from tripot.game import CHANCE
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import Action, Place
from tripot.games.triolet.board import JOKER
from tripot.games.triolet.kernel import train
from tripot.games.triolet.kernel.moves import Moves, Workspace, generate_moves, new_moves, new_workspace
from tripot.games.triolet.kernel.playout import new_playout_buffers
from tripot.games.triolet.kernel.tables import Uint8Array, to_grid, to_rack
from tripot.games.triolet.kernel.value import LEAVE_VALUES
from tripot.games.triolet.options import Options
from tripot.games.triolet.placement import placements
from tripot.games.triolet.rules import State
from tripot.games.triolet.scoring import score_placement

POSITIONS = 200
MIN_GENERATIONS_PER_SECOND = 20_000
MIDDLE = range(25, 56)  # tokens on the board


def run(report: Report) -> None:
    for jokers in (False, True):
        measure_generation(report, jokers)
    measure_games(report)


def positions(jokers: bool) -> list[tuple[bytes, bytes]]:
    """Return boards and racks from the middle of games of random placements."""
    sample: list[tuple[bytes, bytes]] = []
    rng = Random(1)
    while len(sample) < POSITIONS:
        state = GAME.initial_state(Options())
        while state.to_act is not None and len(sample) < POSITIONS:
            if state.to_act is CHANCE:
                state = state.apply(state.sample_chance(rng))
                continue
            rack = state.racks[state.to_act]
            if len(state.cells) - state.cells.count(0) in MIDDLE and (JOKER in rack) == jokers:
                sample.append((state.cells, rack))
            state = state.apply(random_placement(state, rng))
    return sample


def random_placement(state: State, rng: Random) -> Action:
    legal = state.legal_actions()
    places = [action for action in legal if isinstance(action, Place)]
    return rng.choice(places or legal)


def measure_generation(report: Report, jokers: bool) -> None:
    """Compare with the plain rules, without their caches."""
    sample = positions(jokers)
    grids = np.array([to_grid(cells) for cells, _ in sample])
    racks = np.array([to_rack(rack) for _, rack in sample])
    workspace, moves = new_workspace(), new_moves()
    count = generate_all(grids, racks, workspace, moves)
    assert count == sum(len(plain(*position)) for position in sample)
    fast = seconds(generate_all, grids, racks, workspace, moves, times=50) / len(sample)
    slow = seconds(lambda: [plain(*position) for position in sample]) / len(sample)
    what = f"placements of a rack {'with a' if jokers else 'without'} joker"
    report.compare(what, slow, fast, 100)
    if not jokers:
        figure, bar = f"{1 / fast:,.0f}/s", f"≥ {MIN_GENERATIONS_PER_SECOND:,}/s"
        report.add_target("lists of placements", figure, bar, 1 / fast >= MIN_GENERATIONS_PER_SECOND)


def plain(cells: bytes, rack: bytes) -> list[int]:
    places = placements.__wrapped__(cells, rack)
    return [score_placement.__wrapped__(cells, place.tokens).points for place in places]


@njit_cached
def generate_all(grids: Uint8Array, racks: Uint8Array, workspace: Workspace, moves: Moves) -> int:
    """Generate the moves of many positions in compiled code; the sum keeps the calls from being removed."""
    count = 0
    for index in range(len(grids)):
        count += generate_moves(grids[index], racks[index], workspace, moves)
    return count


def measure_games(report: Report) -> None:
    """Whole games of two in which moves are chosen by equity."""
    buffers, sums = new_playout_buffers(players=2, seed=0), train.new_self_play_sums()

    def play(games: int) -> None:
        train.accumulate_self_play(games, 1, LEAVE_VALUES, buffers, sums)

    play(1)
    report.add_time("a whole game by equity", seconds(play, 1000) / 1000)
