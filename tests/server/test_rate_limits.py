"""Limits of what one key may use in a window, without a server."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tripot.server.errors import RequestError
from tripot.server.rate_limits import WindowLimit


@pytest.fixture
def pass_time(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let seconds of the monotonic clock pass."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def advance(seconds: float) -> None:
        now[0] += seconds

    return advance


def test_a_window_ends_although_the_wall_clock_steps_back(
    pass_time: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a step back by a day, an address that had reached a limit was refused for a day."""
    limit = WindowLimit("new games", 2, 60)
    limit.count("ann")
    limit.count("ann")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    pass_time(59.5)
    with pytest.raises(RequestError) as refusal:
        limit.count("ann")
    assert refusal.value.retry_after == 1
    pass_time(0.5)
    limit.count("ann")


def test_keys_are_counted_apart_and_forgotten(pass_time: Callable[[float], None]) -> None:
    limit = WindowLimit("requests", 1, 10)
    limit.count("ann")
    pass_time(5)
    limit.count("bob")
    pass_time(5)
    limit.count("ann")
    with pytest.raises(RequestError):
        limit.count("bob")
    pass_time(10)
    limit.check("eve")
    assert not limit._windows, "memory is bounded by the uses of one window"


def test_a_use_that_does_not_fit_counts_nothing(pass_time: Callable[[float], None]) -> None:
    limit = WindowLimit("questions", 1.5, 600)
    limit.count("ann", 1.0)
    for _ in range(2):
        with pytest.raises(RequestError):
            limit.count("ann", 0.6)
    limit.count("ann", 0.5)
