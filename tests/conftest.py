"""What every test may rely on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tripot
import tripot.games
from tripot.game import AnyGame

collect_ignore = ["toy"]  # games that tests drop in: not importable where they lie


@pytest.fixture(autouse=True)
def isolated_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a test plays are saved in its own folder, never in that of a user."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path / "home"))


@pytest.fixture
def toy_game() -> Iterator[AnyGame]:
    """The toy game, found like any other once its folder is there."""
    toys = str(Path(__file__).parent / "toy")
    tripot.games.__path__.append(toys)
    yield tripot.get_game("tally")
    tripot.games.__path__.remove(toys)
    for name in [name for name in sys.modules if name.startswith("tripot.games.tally")]:
        del sys.modules[name]
