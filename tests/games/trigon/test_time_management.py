"""Budgets of time and of simulations: the engine stops when it should, by a clock that the tests turn.

The clock goes on only by simulations, each as long as a test says, so nothing here depends on how fast
the machine is or what else it does.
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
from tripot.game import Engine, Limit
from tripot.games.trigon import engine as module
from tripot.games.trigon.kernel import search
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
TOP = GAME.levels[-1]
SLACK = 0.1  # of the time asked for, over it or under it
PATIENCE = 60.0  # seconds of the real clock after which a thread that waits has been forgotten

Cost = Callable[[int], float]
"""The seconds that each simulation takes, by its number in this thought."""


class Clock:
    """A clock that counts what the thread that thinks has simulated.

    A second thread helps in turn with it, a batch for a batch, so that chance decides nothing. Once the
    thought is over it finishes what it is at, which has to be waited for; `late` is how long that can take.
    """

    def __init__(self, cost: Cost, helped: bool) -> None:
        self.cost, self.helped, self.now, self.late = cost, helped, 0.0, 0.0
        self.done: Counter[bool] = Counter()  # simulations of the helper, and of the thread that thinks
        self.most = 0  # simulations in a batch of the helper
        self._simulate: Callable[..., None] = search.run_simulations
        self._thinks = threading.current_thread()
        self._turn, self._over = threading.Condition(), False
        self._batches: Counter[bool] = Counter()  # begun by the helper, and by the thread that thinks

    def simulate(self, *given: object) -> None:
        """In the place of the kernel, which is told last how many simulations it shall do."""
        number, thinks = given[-1], threading.current_thread() is self._thinks
        assert isinstance(number, int)
        with self._turn:
            assert self._turn.wait_for(lambda: self._may(thinks), PATIENCE)
            if thinks:
                self.now += sum(self.cost(self.done[True] + each) for each in range(number))
            else:
                self.most = max(self.most, number)
                self.late = max(self.late, number * self.cost(self.done[True]))
            if not self._over:
                self.done[thinks] += number
            self._batches[thinks] += 1
            self._turn.notify_all()
        self._simulate(*given)

    def _may(self, thinks: bool) -> bool:
        """Whether it is somebody's turn; when the thought is over, nobody's turn is waited for."""
        if self._over or not self.helped:
            return True
        return thinks == (self._batches[True] <= self._batches[False])

    def hear(self, part: float) -> None:
        """The progress of a thought: once all of it is done, it is over."""
        with self._turn:
            self._over = part >= 1
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
def thought(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Clock]:
    """The clock after an engine has thought about a position."""

    def think(
        cost: Cost,
        level: int | Engine = TOP,
        seconds: float = 1000.0,
        simulations: int | None = None,
        threads: int = 1,
        state: State | None = None,
        mean: bool = False,
    ) -> Clock:
        module.preload_kernels()
        clock, state = Clock(cost, threads > 1), state or position("players=2")
        engine = GAME.engine(level) if isinstance(level, int) else level
        engine.threads = threads
        with monkeypatch.context() as patch:
            patch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
            patch.setattr(module, "run_simulations", clock.simulate)
            limit = Limit(seconds, simulations, mean, on_progress=clock.hear)
            assert engine.choose(state, limit, Random(1)).action in state.legal_actions()
        return clock

    return think


Think = Callable[..., Clock]


def steady(rate: float) -> Cost:
    """So many simulations a second."""
    return lambda _number: 1 / rate


def turning(rate: float, at: int, later: float) -> Cost:
    """Another rate from some simulation on."""
    return lambda number: 1 / (rate if number < at else later)


def uneven(rate: float) -> Cost:
    """Each simulation as long as chance has it, some of them ten times as long as others."""
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
        pytest.param(1.0, turning(1000, 500, 100), id="slower"),
        pytest.param(1.0, turning(100, 50, 1500), id="faster"),
    ],
)
def test_a_thought_takes_the_time_it_is_given(
    thought: Think, variant: str, seconds: float, cost: Cost
) -> None:
    clock = thought(cost, seconds=seconds, state=position(variant))
    assert clock.now == pytest.approx(seconds, rel=SLACK)


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999])
def test_a_machine_that_is_suddenly_slow_does_not_make_it_late(thought: Think, part: float) -> None:
    """Ten times as slow, early or just before the end, when the next look at the clock is already fixed."""
    clock = thought(turning(1200, int(1200 * part), 120), seconds=1.0)
    assert clock.now == pytest.approx(1.0, rel=SLACK)


@pytest.mark.parametrize("seconds", [0.001, 0.01])
def test_there_is_a_move_however_short_the_time(thought: Think, seconds: float) -> None:
    """One simulation takes longer than the thought may: then there is but one, or few."""
    assert thought(steady(50), seconds=seconds).done[True] in (1, 2)


def test_every_thought_of_a_game_takes_its_time_though_the_tree_is_kept(thought: Think) -> None:
    engine, state = GAME.engine(TOP), position("players=2")
    for _ in range(3):
        clock = thought(steady(2000), engine, seconds=0.2, state=state)
        assert clock.now == pytest.approx(0.2, rel=SLACK)
        state = state.apply(engine.choose(state, Limit(simulations=50), Random(1)).action)


@pytest.mark.parametrize(
    ("seconds", "cost"),
    [
        pytest.param(0.2, steady(2000), id="usual"),
        pytest.param(1.0, steady(500), id="slow"),
        pytest.param(1.0, turning(1000, 500, 250), id="slower"),
    ],
)
def test_two_threads_take_no_longer_than_one(thought: Think, seconds: float, cost: Cost) -> None:
    """Even if the other has just begun a batch when the time is over."""
    clock = thought(cost, seconds=seconds, threads=2)
    assert clock.done[False] > 0, "nobody helped"
    assert clock.now >= (1 - SLACK) * seconds
    assert clock.now + clock.late <= (1 + SLACK) * seconds


def test_the_mean_time_of_a_game_is_spread_over_it_and_openings_have_most(
    thought: Think, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MIN_TIME_SHARE", 1.0)  # nothing is saved
    shares = [
        thought(steady(2000), seconds=0.2, mean=True, state=position("", moves)).now / 0.2
        for moves in (2, 44, 52)
    ]
    assert shares == pytest.approx([1.4, 0.8, 0.4], rel=SLACK)
    assert sum(module.TIME_SHARE_BY_PIECES[:20]) / 20 == pytest.approx(1.0, rel=SLACK), (
        "a colour places about twenty pieces"
    )


def test_where_time_can_be_saved_a_move_is_played_once_no_other_can_catch_up(
    thought: Think, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is saved does not change the choice; and a part of the time is spent on every move."""
    saved, usual = 0, module.MIN_TIME_SHARE
    for moves in range(30, 50, 2):
        state, rate, chosen, times = position("players=2", moves), 2000, [], []
        for least in (usual, 1.0):
            monkeypatch.setattr(module, "MIN_TIME_SHARE", least)
            engine = GAME.engine(TOP)
            assert isinstance(engine, module.TrigonEngine)
            times.append(thought(steady(rate), engine, seconds=0.5, mean=True, state=state).now)
            assert engine._memory
            chosen.append(engine._memory.best_candidate().action)
        quick, whole = times
        assert chosen[0] == chosen[1]
        assert whole * usual <= quick <= whole * (1 + SLACK)
        saved += quick < whole * (1 - SLACK)
    assert saved, "nothing was ever decided early"


# --- Simulations -------------------------------------------------------------------------------


@pytest.mark.parametrize("simulations", [1, 2, 7, 64, 501])
@pytest.mark.parametrize("rate", [30, 1000, 100_000])
def test_a_budget_of_simulations_is_kept_exactly(thought: Think, simulations: int, rate: float) -> None:
    """However long it takes: seconds do not count then."""
    clock = thought(steady(rate), seconds=0.01, simulations=simulations)
    assert clock.done == {True: simulations}


@pytest.mark.parametrize("simulations", [1, 64, 501])
def test_with_two_threads_a_budget_of_simulations_is_kept_to_what_they_are_at(
    thought: Think, simulations: int
) -> None:
    """One batch of the helper is not counted yet when the last is begun, and one more is begun during it."""
    clock = thought(steady(3000), simulations=simulations, threads=2)
    assert simulations <= clock.done.total() <= simulations + 2 * clock.most


# --- Levels that think only so far --------------------------------------------------------------


@pytest.fixture(params=GAME.levels[:-1])
def limited(request: pytest.FixtureRequest, thought: Think) -> tuple[int, int]:
    """A level, and how many simulations it wants; nothing for levels that do not search."""
    level: int = request.param
    return level, thought(steady(1000), level).done[True]


def test_a_limited_level_stops_early_or_when_it_is_told(thought: Think, limited: tuple[int, int]) -> None:
    level, wanted = limited
    assert thought(steady(1000), level, simulations=wanted + 10).done[True] == wanted
    if wanted > 1:
        assert thought(steady(1000), level, simulations=wanted // 2).done[True] == wanted // 2
        enough, seconds = wanted / 1000, wanted / 2000
        assert thought(steady(1000), level).now == pytest.approx(enough)
        assert thought(steady(1000), level, seconds=1.5 * enough).now == pytest.approx(enough)
        assert thought(steady(1000), level, seconds=seconds).now == pytest.approx(seconds, rel=SLACK)


def test_a_higher_level_thinks_further(thought: Think) -> None:
    wanted = [thought(steady(1000), level).done[True] for level in GAME.levels[:-1]]
    assert wanted == sorted(wanted)
    assert wanted[0] == 0 < wanted[-1]


def test_loading_the_compiled_code_is_no_part_of_the_first_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes a second: a first thought of 0.2 s came to a single simulation."""
    clock, loaded, state = Clock(lambda _: 0.01, False), list[float](), position("players=2")

    def load() -> None:
        clock.now += 1.0
        loaded.append(clock.now)

    monkeypatch.setattr(module, "preload_kernels", load)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(module, "run_simulations", clock.simulate)
    GAME.engine(TOP).choose(state, Limit(seconds=0.2), Random(1))
    assert loaded == [1.0]
    assert clock.done[True] == pytest.approx(20, rel=SLACK)
