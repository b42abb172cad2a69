"""Fixtures for tests of the command: isolated files, a way to run it, and a played game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.cli.screens import Screens, play_in_terminal

import tripot
import tripot.games
from tripot.arena import game_runner
from tripot.arena.game_runner import GameResult, ScheduledGame, play_game
from tripot.cli.arguments import make_rngs
from tripot.game import AnyGame
from tripot.record import Record
from tripot.table import Player, Table

GAME = next(game for game in tripot.list_games() if game.draw_clause)


@pytest.fixture(autouse=True)
def saves_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which games are saved during a test."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Screens:
    """Return a function that plays in a terminal of 24 lines and returns each screen with its input."""
    return partial(play_in_terminal, monkeypatch, tmp_path / "game.txt")


@pytest.fixture
def game() -> AnyGame:
    """Return a game that has draws by agreement, and in which chance acts once, at the start."""
    return GAME


@pytest.fixture
def played_record(game: AnyGame) -> Record:
    """Return a whole game of two people with the chance of seed 1 and random moves."""
    chance, _ = make_rngs(1)
    table = Table(game, game.Options.parse("players=2"), [Player("Ann"), Player("Bob")], date="2026-01-31")
    rng = Random(5)
    table.run_chance(chance)
    while isinstance(table.to_act, int):
        table.act(table.to_act, rng.choice(table.state.legal_actions()))
        table.run_chance(chance)
    return table.record()


@pytest.fixture
def interrupt_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], AbstractContextManager[None]]:
    """Return a context in which Ctrl-C stops a match or ladder after a number of games."""

    @contextmanager
    def stop(after: int) -> Iterator[None]:
        remaining = iter(range(after))

        def play(scheduled: ScheduledGame) -> GameResult:
            if next(remaining, None) is None:
                raise KeyboardInterrupt
            return play_game(scheduled)

        with monkeypatch.context() as patch:
            patch.setattr(game_runner, "play_game", play)
            yield

    return stop


@pytest.fixture
def typed_moves(played_record: Record) -> list[str]:
    """Return the actions of the people of that game as text, without those of chance."""
    states = zip(played_record.states(), played_record.actions, strict=False)
    return [str(action) for state, action in states if isinstance(state.to_act, int)]
