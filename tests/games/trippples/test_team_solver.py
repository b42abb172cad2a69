"""The solutions of the four-player game, which all engines of a process share."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from threading import Thread

import pytest

from tripot.engine import budget
from tripot.game import Analysis, Candidate, Limit
from tripot.games.trippples import GAME
from tripot.games.trippples.board import ARROW_TILES, HOME_TILE, NEUTRAL, SQUARE_INDEX
from tripot.games.trippples.kernel import team_tablebase, teams
from tripot.games.trippples.kernel.team_tablebase import TeamSolverCache
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

OPTIONS = Options(players=4, corners="inset", finish="centre")


def small_board(seed: int) -> State:
    """A position on a board of five arrow tiles around the finishes: a few sweeps solve it."""
    rng = Random(seed)
    tiles = dict.fromkeys(range(64), NEUTRAL) | dict.fromkeys(sum(OPTIONS.homes, ()), HOME_TILE)
    for name in ("c3", "d4", "e4", "f3", "d3"):
        tiles[SQUARE_INDEX[name]] = rng.choice(ARROW_TILES)
    pawns = bytes(OPTIONS.homes[0][seat % 2] for seat in range(4))
    state = State(OPTIONS, bytes(tiles[square] for square in range(64)), pawns).resolved(first=0)
    assert state.outcome is None
    return state


def analyse(state: State, seconds: float = 1000.0, **limit: Callable[..., object]) -> Analysis:
    return GAME.engine(6).analyse(state, Limit(seconds, **limit), Random(0))  # type: ignore[arg-type]  # by name


@pytest.fixture
def sweeps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The distances of all sweeps that any solver makes from now on."""
    distances: list[int] = []
    sweep = teams.sweep

    def recorded(layout: object, tables: object, plies: object, distance: int) -> int:
        distances.append(distance)
        return sweep(layout, tables, plies, distance)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(teams, "sweep", recorded)
    return distances


class Interruption:
    """A progress callback: at its first call, another thread runs an analysis to its end."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.analyses: list[Analysis] = []

    def __call__(self, _share: float) -> None:
        if not self.analyses:
            thread = Thread(target=lambda: self.analyses.append(analyse(self.state)))
            thread.start()
            thread.join()


def test_two_threads_that_need_one_solution_compute_it_once(sweeps: list[int]) -> None:
    """There was no lock: each thread solved the layout, and one could clear what the other was to read."""
    state = small_board(1)
    other = Interruption(state)
    analysis = analyse(state, on_progress=other)
    assert analysis == other.analyses[0]
    assert len(sweeps) > 2
    assert sweeps == [*range(1, len(sweeps) + 1)]


def test_a_thread_keeps_its_solution_while_another_replaces_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(team_tablebase, "TEAM_SOLVERS", TeamSolverCache(max_bytes=1))
    first, second = small_board(2), small_board(3)
    expected = analyse(first), analyse(second)
    other = Interruption(second)
    assert analyse(first, on_progress=other) == expected[0]
    assert other.analyses == [expected[1]]


def test_two_games_in_turn_solve_their_layouts_once(sweeps: list[int]) -> None:
    """Their engines once dropped each other's solution at every move."""
    first, second = small_board(6), small_board(7)
    analyse(first)
    analyse(second)
    solved = len(sweeps)
    analyse(first)
    analyse(second)
    assert len(sweeps) == solved


def test_the_memory_of_all_solvers_is_bounded() -> None:
    one = TeamSolverCache(max_bytes=0).get(small_board(1).tiles, OPTIONS).memory_bytes
    cache = TeamSolverCache(max_bytes=2 * one)
    solvers = [cache.get(small_board(seed).tiles, OPTIONS) for seed in (1, 2, 1, 3)]
    assert solvers[0] is solvers[2], "the one used last is kept"
    assert cache.memory_bytes == 2 * one
    assert cache.get(small_board(2).tiles, OPTIONS) is not solvers[1], "the one used longest ago was dropped"


def test_a_stop_ends_the_solution_after_a_sweep_and_the_next_search_continues_it(sweeps: list[int]) -> None:
    state = small_board(4)
    analysis = analyse(state, should_stop=lambda: True)
    assert sweeps == [1]
    assert {candidate.action for candidate in analysis.candidates} == {*state.legal_actions()}
    assert [(known.key, dict(known.values)) for known in analysis.facts] == [("searched", {"plies": 1})]
    shares: list[float] = []
    analysis = analyse(state, on_progress=shares.append)
    assert sweeps == [*range(1, len(sweeps) + 1)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert analysis.facts[0].key.startswith("team_")


def test_the_solution_ends_with_the_seconds_and_the_next_search_continues_it(sweeps: list[int]) -> None:
    """It went on to its end, so 0.05 s per move were exceeded by up to 3 s at the first move of a game."""
    state = small_board(8)
    shares: list[float] = []
    for number in (1, 2):
        analysis = analyse(state, seconds=0.0, on_progress=shares.append)
        assert sweeps == [*range(1, number + 1)]
        assert [(known.key, dict(known.values)) for known in analysis.facts] == [
            ("searched", {"plies": number})
        ]
        assert {candidate.action for candidate in analysis.candidates} == {*state.legal_actions()}
    assert shares == [1.0, 1.0]
    assert analyse(state).facts[0].key.startswith("team_")


def test_the_best_move_so_far_is_reported_while_the_team_game_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(budget, "INFO_INTERVAL", 0.0)
    state = small_board(5)
    best: list[Candidate] = []
    analysis = analyse(state, on_best=best.append)
    assert len(best) > 2
    assert best[-1].action == analysis.candidates[0].action
