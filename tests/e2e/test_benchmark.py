"""The benchmark of the page, briefly: every game is opened, handled and played in."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from bench import page as benchmark
from playwright.sync_api import Page

import tripot


@pytest.mark.parametrize("key", [game.key for game in tripot.list_games()])
@pytest.mark.parametrize("place", benchmark.PLACES)
def test_interactions_are_measured(
    open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch, key: str, place: str
) -> None:
    """`make bench` takes many minutes, so it was not noticed that a field had another name.

    Without a single interaction the result was 0 ms, which is within the target.
    """
    monkeypatch.setattr(benchmark, "SLOWER", 1)
    monkeypatch.setattr(benchmark, "MOVES", 1)
    name, longest = benchmark.measure(open_page(fresh=True), key, benchmark.PLACES[place])
    assert name.startswith(("pointer", "mouse", "key", "click", "touch"))
    assert longest > 0
