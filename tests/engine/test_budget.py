"""The budget of a search, with a clock that only the tests move."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from tripot.engine import budget as budget_module
from tripot.engine.budget import INFO_INTERVAL, MIN_TIME_SHARE, Budget
from tripot.game import Candidate, Limit


@dataclass
class Clock:
    """A clock that stands still between two calls of `advance`."""

    now: float = 100.0

    def monotonic(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class Listener:
    """What a search reported."""

    shares: list[float] = field(default_factory=list)
    best: list[Candidate] = field(default_factory=list)
    stop: bool = False

    def limit(self, seconds: float = 1.0, simulations: int | None = None, average: bool = False) -> Limit:
        return Limit(seconds, simulations, average, self.shares.append, self.best.append, lambda: self.stop)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    fake = Clock()
    monkeypatch.setattr(budget_module, "time", fake)
    return fake


def test_a_simulation_limit_does_not_depend_on_time(clock: Clock) -> None:
    listener, counts = Listener(), []
    for count in Budget(listener.limit(seconds=0.0, simulations=50)).batches(16):
        clock.advance(1000)
        counts.append(count)
    assert counts == [16, 16, 16, 2]
    assert listener.shares == [0.32, 0.64, 0.96, 1.0]


def test_batches_without_a_size_add_up_to_the_simulations(clock: Clock) -> None:
    total = 0
    for count in Budget(Limit(simulations=1000)).batches():
        clock.advance(count * 0.0001)
        total += count
    assert total == 1000


def test_batches_grow_to_the_interval_of_the_clock(clock: Clock) -> None:
    counts = []
    for count in Budget(Limit(seconds=0.1)).batches():
        clock.advance(count * 0.0001)
        counts.append(count)
    assert counts[0] == 1
    assert max(counts) <= 51
    assert 990 <= sum(counts) <= 1010


def test_the_last_report_of_progress_is_1(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although time passes between two looks at the clock."""

    def ticking() -> float:
        clock.advance(0.0009)
        return clock.now

    monkeypatch.setattr(clock, "monotonic", ticking)
    listener = Listener()
    for _ in Budget(listener.limit(seconds=0.01)).batches(1):
        pass
    assert listener.shares[-1] == 1.0


def test_the_smaller_of_two_bounds_counts(clock: Clock) -> None:
    assert sum(Budget(Limit(simulations=50), max_simulations=20).batches(8)) == 20
    assert sum(Budget(Limit(simulations=20), max_simulations=50).batches(8)) == 20
    assert sum(Budget(Limit(seconds=1000.0), max_simulations=20).batches(8)) == 20
    assert [*Budget(Limit(), max_simulations=0).batches(8)] == []


def test_at_least_one_batch_is_run(clock: Clock) -> None:
    listener = Listener(stop=True)
    assert [*Budget(listener.limit(seconds=0.0)).batches(8)] == [8]


def test_a_search_stops_when_should_stop_returns_true(clock: Clock) -> None:
    listener, counts = Listener(), []
    for count in Budget(listener.limit(simulations=100)).batches(10):
        counts.append(count)
        listener.stop = len(counts) == 3
    assert counts == [10, 10, 10]


def test_the_best_candidate_is_reported_now_and_then(clock: Clock) -> None:
    listener = Listener()
    candidate: Candidate[Any] = Candidate("a1", 0.5)
    for _ in Budget(listener.limit(seconds=2.0)).batches(1, best=lambda: candidate):
        clock.advance(INFO_INTERVAL / 2)
    assert listener.best == [candidate] * 3


def test_an_average_move_gets_its_share_of_the_time(clock: Clock) -> None:
    assert Budget(Limit(seconds=2.0, average=True), time_share=1.5).seconds == 3.0
    assert Budget(Limit(seconds=2.0), time_share=1.5).seconds == 2.0


def test_only_an_average_budget_stops_early(clock: Clock) -> None:
    limit = Limit(seconds=10.0, average=True)
    average, plain = Budget(limit), Budget(replace(limit, average=False))
    for budget in (average, plain):
        assert budget.take(100) == 100
    clock.advance(10.0 * MIN_TIME_SHARE)
    assert not average.is_decided(1000)
    clock.advance(2.5)  # half of the time is spent, so that another 100 simulations are to come
    assert not average.is_decided(100)
    assert average.is_decided(101)
    assert not plain.is_decided(101)


def test_stages_share_a_budget(clock: Clock) -> None:
    listener = Listener()
    whole = Budget(listener.limit(simulations=100))
    assert [sum(stage.batches(16)) for stage in whole.stages(3)] == [34, 33, 33]
    assert whole.simulations == 100
    assert listener.shares == sorted(listener.shares)
    assert listener.shares[-1] == 1.0


def test_stages_keep_to_both_bounds_of_a_budget(clock: Clock) -> None:
    whole = Budget(Limit(simulations=100), max_simulations=10)
    assert [sum(stage.batches(16)) for stage in whole.stages(4)] == [3, 3, 2, 2]
    timed = Budget(Limit(seconds=1000.0), max_simulations=10)
    assert [sum(stage.batches(16)) for stage in timed.stages(4)] == [3, 3, 2, 2]


def test_the_progress_of_stages_goes_on_from_what_was_spent_before(clock: Clock) -> None:
    """It began again at 0, so the progress of a search that had already used a part of its budget fell."""
    listener = Listener()
    whole = Budget(listener.limit(simulations=40))
    next(whole.batches(20))
    for stage in whole.stages(2):
        for _ in stage.batches(5):
            pass
    assert listener.shares == [0.625, 0.75, 0.875, 1.0]


def test_there_are_no_more_stages_than_simulations(clock: Clock) -> None:
    listener = Listener()
    assert [sum(stage.batches(16)) for stage in Budget(listener.limit(simulations=2)).stages(4)] == [1, 1]
    assert listener.shares == [0.5, 1.0]


def test_a_slow_stage_leaves_less_time_for_the_next(clock: Clock) -> None:
    seconds = []
    for stage in Budget(Limit(seconds=3.0)).stages(3):
        seconds.append(stage.seconds)
        clock.advance(2.0)
    assert seconds == [1.0, 0.5, 0.0]


def test_threads_share_a_number_of_simulations_exactly(clock: Clock) -> None:
    """A helper thread once ran a batch more whenever the main thread was slow to stop it."""
    budget = Budget(Limit(simulations=50))
    batches = budget.batches(16)
    counts = [next(batches), budget.take(16), next(batches), budget.take(16), *batches]
    assert counts == [16, 16, 16, 2]
    assert budget.take(16) == 0
    assert budget.simulations == 50


@pytest.mark.parametrize(
    ("seconds", "simulations", "message"),
    [
        (-1.0, None, "-1.0 seconds"),
        (float("nan"), None, "nan seconds"),
        (1.0, 0, "0 simulations"),
        (1.0, -5, "-5"),
    ],
)
def test_a_limit_that_allows_nothing_is_refused(
    seconds: float, simulations: int | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Limit(seconds, simulations)


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"simulations": 1.5}, "the simulations of a limit are a whole number, not 1.5"),
        ({"simulations": True}, "are a whole number, not True"),
        ({"seconds": "1"}, "the seconds of a limit are a number such as 0.5, not '1'"),
        ({"seconds": None}, "are a number such as 0.5, not None"),
    ],
)
def test_a_limit_of_another_type_is_refused(limit: dict[str, Any], message: str) -> None:
    """A limit of 1.5 simulations was accepted, and compiled the kernels once more for floats."""
    with pytest.raises(TypeError, match=message):
        Limit(**limit)
