"""`tripot` alone: the menu."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import tripot
from tripot.game import AnyGame
from tripot.record import Record

Run = Callable[..., Result]


@pytest.fixture
def choose(game: AnyGame) -> str:
    """What to type for the game, which is asked only where there are several."""
    several = tripot.list_games()
    return f"{several.index(game) + 1}\n" if len(several) > 1 else ""


@pytest.mark.kernel
def test_enter_at_every_question_starts_a_game_against_the_computer(
    run_cli: Run, game: AnyGame, saves_home: Path, choose: str
) -> None:
    shown = run_cli(lines=f"{choose}\n\n\n1\n").output
    (file,) = saves_home.rglob("*.txt")
    record = Record.load(file)
    assert record.game is game
    assert record.seats == ("me", f"level {game.levels[len(game.levels) // 2]}")
    assert f"tripot play {game.key} --help" in shown


@pytest.mark.parametrize("lines", ["", "q\n", "\nq\n", "\n\nq\n", "\n1\nq\n"])
def test_q_or_the_end_of_the_input_quits(run_cli: Run, choose: str, lines: str) -> None:
    assert run_cli(lines=choose + lines).output.endswith("Goodbye.\n")


def test_an_invalid_answer_is_asked_again(run_cli: Run, choose: str) -> None:
    shown = run_cli(lines=f"{choose}77\n\nsure\n1\n99\nq\n").output
    assert shown.count("Please type") == 3


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("answer", "seats"), [("2\n1\n", ("level 1", "me")), ("3\n", ("player 1", "player 2"))]
)
def test_the_computer_may_begin(
    run_cli: Run, saves_home: Path, choose: str, answer: str, seats: tuple[str, ...]
) -> None:
    run_cli(lines=f"{choose}\n{answer}1\n")
    (file,) = saves_home.rglob("*.txt")
    assert Record.load(file).seats == seats


def test_an_unfinished_game_can_be_resumed(run_cli: Run, saves_home: Path, choose: str) -> None:
    run_cli(lines=f"{choose}\n3\n1\n")
    shown = run_cli(lines="2\n1\n").output
    assert "There is an unfinished game." in shown
    (file,) = saves_home.rglob("*.txt")
    assert len(Record.load(file).actions) >= 2


def test_after_a_game_the_menu_offers_another(run_cli: Run, saves_home: Path, choose: str) -> None:
    once = f"{choose}\n3\nresign\ny\n"
    shown = run_cli(lines=f"{once}\n{once}q\n").output
    assert shown.count("Enter for another game") == 2
    assert len(list(saves_home.rglob("*.txt"))) == 2


def test_a_file_that_is_no_record_is_ignored(run_cli: Run, saves_home: Path) -> None:
    (saves_home / "games").mkdir(parents=True)
    (saves_home / "games" / "letter.txt").write_text("Dear Ann,\n", encoding="utf-8")
    assert "unfinished" not in run_cli(lines="q\n").output


def test_several_games_are_offered_by_title(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli(lines="q\n").output
    assert toy_game in tripot.list_games()
    assert all(f"{number}  {game.title}" in shown for number, game in enumerate(tripot.list_games(), 1))
