"""Fixtures and command-line options of all tests."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
from typer.testing import Result

import tripot
import tripot.games
from tripot.game import AnyGame

collect_ignore = ["toy"]  # games that tests drop in: not importable where they lie


NUMBERS = count()


@pytest.fixture(autouse=True)
def isolated_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that a test plays are saved in its own folder, never in that of a user.

    The folder is made when a game is saved. `tmp_path` would make one for each of some thousand tests.
    """
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path_factory.getbasetemp() / f"home-{next(NUMBERS)}"))


TOYS = str(Path(__file__).parent / "toy")
TOY_MODULES: dict[str, ModuleType] = {}  # kept for the next test, since importing them takes a while


@pytest.fixture
def toy_game() -> Iterator[AnyGame]:
    """The toy game, found like any other once its folder is there."""
    tripot.games.__path__.append(TOYS)
    sys.modules.update(TOY_MODULES)
    yield tripot.get_game("tally")
    tripot.games.__path__.remove(TOYS)
    for name in [name for name in sys.modules if name.startswith("tripot.games.tally")]:
        TOY_MODULES[name] = sys.modules.pop(name)


@pytest.fixture
def run_cli() -> Callable[..., Result]:
    """Return a function that runs a command with input lines; an exception fails the test."""

    def run_command(*words: object, lines: str | bytes = "", code: int = 0) -> Result:
        from typer.testing import CliRunner

        from tripot.cli import app

        result = CliRunner().invoke(app, [str(word) for word in words], input=lines)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return run_command
