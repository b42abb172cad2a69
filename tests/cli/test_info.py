"""`tripot` itself: help and version; `games`, `rules` and `warm`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from bench._server_process import HANG
from typer.testing import Result

import tripot
from tripot import i18n
from tripot.cli import COMMANDS
from tripot.game import AnyGame

Run = Callable[..., Result]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run_cli: Run, command: str) -> None:
    shown = run_cli(command, "--help").output
    assert f"Example: tripot {command}" in shown


def test_help_lists_every_command(run_cli: Run) -> None:
    shown = run_cli("--help").output
    assert all(command in shown for command in COMMANDS)


def test_help_of_play_describes_every_option_of_the_game(run_cli: Run, game: AnyGame) -> None:
    flat = " ".join(run_cli("play", game.key, "--help").output.split())
    for entry in game.Options.schema():
        assert entry["name"] in flat
        assert f"({entry['clause']})" in flat
        assert all(choice in flat for choice in entry["choices"])


def test_help_of_play_is_about_the_game_asked_for_or_about_all(
    run_cli: Run, game: AnyGame, toy_game: AnyGame
) -> None:
    assert f"Options of {toy_game.title}" not in run_cli("play", game.key, "--help").output
    shown = run_cli("play", "--help").output
    assert f"Options of {toy_game.title}" in shown
    assert f"Options of {game.title}" in shown


def test_version(run_cli: Run) -> None:
    assert run_cli("--version").output == f"tripot {tripot.__version__}\n"


def test_python_m_tripot_is_the_command() -> None:
    command = [sys.executable, "-m", "tripot", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG)
    assert done.stdout == f"tripot {tripot.__version__}\n"


def test_games_lists_keys_titles_seats_levels_and_options(
    run_cli: Run, game: AnyGame, toy_game: AnyGame
) -> None:
    shown = run_cli("games").output
    for listed in (game, toy_game):
        line = next(line for line in shown.splitlines() if line.startswith(listed.key))
        assert listed.title in line
        assert f"{listed.levels[0]}-{listed.levels[-1]}" in line


@pytest.mark.parametrize("command", ["play", "rules", "solve"])
def test_an_unknown_game_gets_one_line_that_lists_all_games(
    run_cli: Run, game: AnyGame, command: str
) -> None:
    words = [command, "nonsense", *(["x"] if command == "solve" else [])]
    result = run_cli(*words, code=2)
    assert result.stderr.startswith("tripot: there is no game called 'nonsense'")
    assert game.key in result.stderr


def test_rules_prints_the_rulebook(run_cli: Run, game: AnyGame) -> None:
    shown = run_cli("rules", game.key).output
    assert all(number in shown for number in i18n.clauses(game))


def test_rules_accepts_a_clause_in_any_spelling(run_cli: Run, game: AnyGame) -> None:
    number, text = list(i18n.clauses(game).items())[2]
    outputs = {
        run_cli("rules", game.key, n).output for n in (number, number.lower(), number.rpartition("-")[2])
    }
    assert len(outputs) == 1
    assert outputs.pop().startswith(number)
    assert text


def test_rules_in_another_language(run_cli: Run, game: AnyGame) -> None:
    for language in i18n.languages(game):
        assert run_cli("rules", game.key, "--lang", language).output


def test_rules_lists_clauses_and_languages_after_an_unknown_one(run_cli: Run, game: AnyGame) -> None:
    first = next(iter(i18n.clauses(game)))
    assert first in run_cli("rules", game.key, "ZZ-9", code=2).stderr
    assert "en" in run_cli("rules", game.key, "--lang", "tlh", code=2).stderr


@pytest.mark.kernel
def test_warm_compiles_a_game(run_cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them: `make setup`, which comes before the tests, compiles all."""
    games = tripot.list_games()[:1]
    monkeypatch.setattr(tripot, "list_games", lambda: games)
    assert f"Ready: {', '.join(game.title for game in games)}." in run_cli("warm").output
