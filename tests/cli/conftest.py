"""The command in a house of its own, and a toy game with secrets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner, Result

import tripot
import tripot.games
from tripot.cli import app, match
from tripot.cli.arguments import make_rngs
from tripot.cli.match import GameResult, ScheduledGame, play_game
from tripot.game import AnyGame
from tripot.record import Record
from tripot.table import Player, Table

SOME = next(game for game in tripot.list_games() if game.draw_clause)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games are kept during a test."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def run() -> Callable[..., Result]:
    """Type a command, and lines at its prompts; an exception that gets through is a failure."""

    def type_in(*words: object, lines: str = "", code: int = 0) -> Result:
        result = CliRunner().invoke(app, [str(word) for word in words], input=lines)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == code, result.output
        return result

    return type_in


@pytest.fixture
def game() -> AnyGame:
    """A game that knows every word of the prompt, draws by agreement too; chance acts once, first."""
    return SOME


@pytest.fixture
def played(game: AnyGame) -> Record:
    """A whole game of people with the chance of seed 1, who pick their moves at random."""
    chance, _ = make_rngs(1)
    table = Table(game, game.Options.parse("players=2"), [Player("Ann"), Player("Bob")], date="2026-01-31")
    picks = Random(5)
    table.run_chance(chance)
    while isinstance(table.to_act, int):
        table.act(table.to_act, picks.choice(table.state.legal_actions()))
        table.run_chance(chance)
    return table.record()


@pytest.fixture
def interrupted(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], AbstractContextManager[None]]:
    """Within this context, Ctrl-C stops a match or ladder after so many games."""

    @contextmanager
    def stop(after: int) -> Iterator[None]:
        left = iter(range(after))

        def play(fixture: ScheduledGame) -> GameResult:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return play_game(fixture)

        with monkeypatch.context() as patch:
            patch.setattr(match, "play_game", play)
            yield

    return stop


@pytest.fixture
def script(played: Record) -> list[str]:
    """What the people of that game type, chance left out."""
    states = zip(played.states(), played.actions, strict=False)
    return [str(action) for state, action in states if isinstance(state.to_act, int)]
