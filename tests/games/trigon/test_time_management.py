"""Budgets of time and of simulations: the engine stops when it should, by a simulated clock.

The clock advances only by simulations, and each takes as long as a test says. So nothing here depends on the
speed of the machine or on what else it does.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from types import SimpleNamespace

import pytest
from tests.games.trigon.moves import placements

import tripot
from tripot.engine import budget
from tripot.game import Engine, Limit
from tripot.games.trigon import engine as module
from tripot.games.trigon.kernel import search, tree_search
from tripot.games.trigon.kernel.params import TIME_PARAMS
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
TOP = GAME.levels[-1]
SLACK = 0.1  # of the time asked for, over it or under it
PATIENCE = 60.0  # seconds of the real clock after which a waiting thread counts as forgotten

Cost = Callable[[int], float]
"""The seconds that each simulation takes, by its number in this search."""


class Clock:
    """A clock that advances with the simulations of the main thread.

    A helper thread alternates with it, batch by batch, so that nothing depends on scheduling. Once the search
    is over, the helper finishes its batch, for which the engine has to wait, for `late` seconds at most.
    """

    def __init__(self, cost: Cost, helped: bool) -> None:
        self.cost, self.helped, self.now, self.late = cost, helped, 0.0, 0.0
        self.done: Counter[bool] = Counter()  # simulations; True: main thread, False: helper
        self._simulate: Callable[..., None] = search.run_simulations
        self._main_thread = threading.current_thread()
        self._turn, self._over = threading.Condition(), False
        self._batches: Counter[bool] = Counter()  # started, with the same keys
        self._is_reserved = False  # whether the budget has no simulations left for the helper

    def simulate(self, *args: object) -> None:
        """Stands in for the kernel, whose last argument is the number of simulations."""
        number, is_main = args[-1], threading.current_thread() is self._main_thread
        assert isinstance(number, int)
        with self._turn:
            assert self._turn.wait_for(lambda: self._may_run(is_main), PATIENCE)
            if is_main:
                self.now += sum(self.cost(self.done[True] + index) for index in range(number))
            else:
                self.late = max(self.late, number * self.cost(self.done[True]))
            self.done[is_main] += number
            self._batches[is_main] += 1
            self._turn.notify_all()
        self._simulate(*args)

    def _may_run(self, is_main: bool) -> bool:
        """Whether it is this thread's turn; when the search is over, no thread waits for its turn."""
        if self._over or self._is_reserved or not self.helped:
            return True
        return is_main == (self._batches[True] <= self._batches[False])

    def take(
        self, take: Callable[[budget.Budget, int], int], search_budget: budget.Budget, count: int
    ) -> int:
        """Stands in for `Budget.take`: once it grants nothing, no thread waits for the other."""
        granted = take(search_budget, count)
        if not granted:
            with self._turn:
                self._is_reserved = True
                self._turn.notify_all()
        return granted

    def on_progress(self, share: float) -> None:
        """Note that the search is over once all of its budget is spent."""
        with self._turn:
            self._over = share >= 1
            self._turn.notify_all()


@cache
def position(variant: str, moves: int = 14) -> State:
    """A position with many moves, none of them near the end; large pieces, as people play."""
    rng, state = Random(variant), initial_state(Options.parse(variant))
    if state.needs_colour_draw:
        state = state.apply(state.sample_chance(rng))
    for _ in range(moves):
        legal = placements(state)
        largest = max(len(move.cells) for move in legal)
        state = state.apply(rng.choice([move for move in legal if len(move.cells) == largest]))
    return state


@pytest.fixture
def run_search(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Clock]:
    """The clock after an engine has searched a position."""

    def run(
        cost: Cost,
        level: int | Engine = TOP,
        seconds: float = 1000.0,
        simulations: int | None = None,
        threads: int = 1,
        state: State | None = None,
        average: bool = False,
    ) -> Clock:
        tree_search.preload_kernels()
        clock, state = Clock(cost, threads > 1), state or position("players=2")
        engine = GAME.engine(level) if isinstance(level, int) else level
        engine.threads = threads
        with monkeypatch.context() as patch:
            patch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: clock.now))
            patch.setattr(tree_search, "run_simulations", clock.simulate)
            take = budget.Budget.take
            patch.setattr(budget.Budget, "take", lambda owner, count: clock.take(take, owner, count))
            limit = Limit(seconds, simulations, average, on_progress=clock.on_progress)
            assert engine.choose(state, limit, Random(1)).action in state.legal_actions()
        return clock

    return run


RunSearch = Callable[..., Clock]


def steady(rate: float) -> Cost:
    """A constant number of simulations per second."""
    return lambda _number: 1 / rate


def changing(rate: float, change: int, later: float) -> Cost:
    """Another rate from one simulation on."""
    return lambda number: 1 / (rate if number < change else later)


def uneven(rate: float) -> Cost:
    """Random durations; some simulations take ten times as long as others."""
    return lambda number: Random(number).choice((0.25, 0.5, 1.0, 2.5)) / rate


# --- Time --------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["players=2", "players=3", "", "teams=on"])
@pytest.mark.parametrize(
    ("seconds", "cost"),
    [
        pytest.param(0.05, steady(9000), id="short"),
        pytest.param(0.3, steady(3000), id="usual"),
        pytest.param(2.0, steady(60), id="slow"),
        pytest.param(0.4, uneven(1500), id="uneven"),
        pytest.param(1.0, changing(1000, 500, 100), id="slower"),
        pytest.param(1.0, changing(100, 50, 1500), id="faster"),
    ],
)
def test_a_search_takes_the_time_it_is_given(
    run_search: RunSearch, variant: str, seconds: float, cost: Cost
) -> None:
    clock = run_search(cost, seconds=seconds, state=position(variant))
    assert clock.now == pytest.approx(seconds, rel=SLACK)


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999])
def test_a_machine_that_is_suddenly_slow_does_not_make_it_late(run_search: RunSearch, part: float) -> None:
    """Ten times as slow, early or just before the end, when the next batch has already started."""
    clock = run_search(changing(1200, int(1200 * part), 120), seconds=1.0)
    assert clock.now == pytest.approx(1.0, rel=SLACK)


@pytest.mark.parametrize("seconds", [0.001, 0.01])
def test_a_limit_shorter_than_a_simulation_returns_a_move(run_search: RunSearch, seconds: float) -> None:
    """One simulation takes longer than the limit: then there are only one or two."""
    assert run_search(steady(50), seconds=seconds).done[True] in (1, 2)


def test_every_search_of_a_game_takes_its_time_although_the_tree_is_kept(run_search: RunSearch) -> None:
    engine, state = GAME.engine(TOP), position("players=2")
    for _ in range(3):
        clock = run_search(steady(2000), engine, seconds=0.2, state=state)
        assert clock.now == pytest.approx(0.2, rel=SLACK)
        state = state.apply(engine.choose(state, Limit(simulations=50), Random(1)).action)


@pytest.mark.parametrize(
    ("seconds", "cost"),
    [
        pytest.param(0.2, steady(2000), id="usual"),
        pytest.param(1.0, steady(500), id="slow"),
        pytest.param(1.0, changing(1000, 500, 250), id="slower"),
    ],
)
def test_two_threads_take_no_longer_than_one(run_search: RunSearch, seconds: float, cost: Cost) -> None:
    """Even if the other has just started a batch when the time is over."""
    clock = run_search(cost, seconds=seconds, threads=2)
    assert clock.done[False] > 0, "the helper ran"
    assert clock.now >= (1 - SLACK) * seconds
    assert clock.now + clock.late <= (1 + SLACK) * seconds


def test_the_average_time_is_spread_over_a_game_and_openings_have_most(
    run_search: RunSearch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "MIN_TIME_SHARE", 1.0)  # no search ends early
    shares = [
        run_search(steady(2000), seconds=0.2, average=True, state=position("", moves)).now / 0.2
        for moves in (2, 44, 52)
    ]
    assert shares == pytest.approx([1.4, 0.8, 0.4], rel=SLACK)
    assert sum(TIME_PARAMS.share_by_pieces[:20]) / 20 == pytest.approx(1.0, rel=SLACK), (
        "a colour places about twenty pieces"
    )


@pytest.mark.parametrize("interval", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_with_an_average_limit_a_search_ends_once_no_other_move_can_catch_up(
    run_search: RunSearch, monkeypatch: pytest.MonkeyPatch, interval: int
) -> None:
    """Ending early does not change the choice, and every move gets a part of its time."""
    saved, usual = 0, budget.MIN_TIME_SHARE
    for moves in range(30, 50, interval):
        state, rate, chosen, times = position("players=2", moves), 2000, [], []
        for share in (usual, 1.0):
            monkeypatch.setattr(budget, "MIN_TIME_SHARE", share)
            engine = GAME.engine(TOP)
            assert isinstance(engine, module.TrigonEngine)
            times.append(run_search(steady(rate), engine, seconds=0.5, average=True, state=state).now)
            assert engine._tree_search
            chosen.append(engine._tree_search.best_candidate().action)
        quick, whole = times
        assert chosen[0] == chosen[1]
        assert whole * usual <= quick <= whole * (1 + SLACK)
        saved += quick < whole * (1 - SLACK)
    assert saved, "no search ended early"


# --- Simulations -------------------------------------------------------------------------------


@pytest.mark.parametrize("simulations", [1, 2, 7, 64, 501])
@pytest.mark.parametrize("rate", [30, 1000, 100_000])
def test_a_budget_of_simulations_is_kept_exactly(
    run_search: RunSearch, simulations: int, rate: float
) -> None:
    """However long it takes: seconds do not count."""
    clock = run_search(steady(rate), seconds=0.01, simulations=simulations)
    assert clock.done == {True: simulations}


@pytest.mark.parametrize("simulations", [1, 64, 501])
def test_two_threads_keep_a_budget_of_simulations_exactly(run_search: RunSearch, simulations: int) -> None:
    clock = run_search(steady(3000), simulations=simulations, threads=2)
    assert clock.done.total() == simulations


# --- Levels with a limited search ----------------------------------------------------------------


LIMITED_LEVELS = GAME.levels[:-1]


def test_a_limited_level_stops_early_or_at_its_limit(run_search: RunSearch) -> None:
    """How many simulations a level runs; 0 for levels that do not search."""
    unlimited = {level: run_search(steady(1000), level) for level in LIMITED_LEVELS}
    wanted_by_level = [clock.done[True] for clock in unlimited.values()]
    assert wanted_by_level == sorted(wanted_by_level), "a higher level runs more simulations"
    assert wanted_by_level[0] == 0 < wanted_by_level[-1]
    for level, wanted in zip(LIMITED_LEVELS, wanted_by_level, strict=True):
        assert run_search(steady(1000), level, simulations=wanted + 10).done[True] == wanted
        if wanted > 1:
            assert run_search(steady(1000), level, simulations=wanted // 2).done[True] == wanted // 2
            enough, seconds = wanted / 1000, wanted / 2000
            assert unlimited[level].now == pytest.approx(enough)
            assert run_search(steady(1000), level, seconds=1.5 * enough).now == pytest.approx(enough)
            assert run_search(steady(1000), level, seconds=seconds).now == pytest.approx(seconds, rel=SLACK)


def test_loading_the_compiled_code_is_no_part_of_the_first_run_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes a second: a first search of 0.2 s consisted of a single simulation."""
    clock, loaded, state = Clock(lambda _: 0.01, False), list[float](), position("players=2")

    def preload() -> None:
        clock.now += 1.0
        loaded.append(clock.now)

    monkeypatch.setattr(module, "preload_kernels", preload)
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(tree_search, "run_simulations", clock.simulate)
    GAME.engine(TOP).choose(state, Limit(seconds=0.2), Random(1))
    assert loaded == [1.0]
    assert clock.done[True] == pytest.approx(20, rel=SLACK)
