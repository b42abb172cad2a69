"""`tripot ladder`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import Result

from tripot.game import AnyGame
from tripot.record import Record

Run = Callable[..., Result]
Interrupted = Callable[[int], AbstractContextManager[None]]


def row(shown: str, step: str) -> list[str]:
    """The cells of a step."""
    (line,) = (line for line in shown.splitlines() if line.startswith(f"| {step} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_step_is_the_match_between_its_levels(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("ladder", toy_game.key, "--games", 10, "--seed", 5).output
    assert f"{toy_game.title}: level by level, at most 0.1 s per move, seed 5" in shown
    _, games, results, score, elo, over = row(shown, "2 - 1")
    assert games == "10"
    assert elo == over
    alone = run_cli("match", toy_game.key, "--a", 2, "--b", 1, "--games", 10, "--seed", 5 + 2).output
    won, drawn, lost = results.split(", ")
    assert f"10 games: {won} won, {drawn} drawn, {lost} lost" in alone
    assert f"score {score.partition(' ')[0]}, 95% interval" in alone


@pytest.mark.kernel
def test_a_real_ladder_is_written_as_a_table_and_a_plot(run_cli: Run, game: AnyGame, tmp_path: Path) -> None:
    words = ("ladder", game.key, "--levels", "1-3", "--games", 2, "--simulations", 1, "--seed", 1)
    shown = run_cli(
        *words, "--jobs", 2, "--records", tmp_path / "games", "--output", tmp_path / "steps"
    ).output
    for step, seats in (("2-1", {"level 2", "level 1"}), ("3-2", {"level 3", "level 2"})):
        records = [Record.load(path) for path in sorted((tmp_path / "games" / step).glob("*.txt"))]
        assert len(records) == 2
        assert all({*record.seats} == seats and record.outcome for record in records)
        assert row(shown, step.replace("-", " - "))[1] == "2"
    page = (tmp_path / "steps" / "ladder.md").read_text("utf-8")
    assert page.startswith(
        f"# {game.title}: level by level\n\nAt most 1 simulations per move, seed 1.\n\n| levels |"
    )
    assert all(line in page for line in shown.splitlines()[1:])
    assert "](ladder.svg)" in page
    root = ElementTree.parse(tmp_path / "steps" / "ladder.svg").getroot()
    assert len([*root.iter("{http://www.w3.org/2000/svg}circle")]) == 3


@pytest.fixture
def stopped(run_cli: Run, game: AnyGame, tmp_path: Path, interrupt_after: Interrupted) -> tuple[object, ...]:
    """A ladder of two steps, four games each, that Ctrl-C stopped in the sixth of them."""
    words = ("ladder", game.key, "--levels", "1-3", "--games", 4, "--simulations", 1, "--records", tmp_path)
    with interrupt_after(5):
        shown = run_cli(*words, "--seed", 0, code=130).output
    assert "The ladder was interrupted: repeat the command to resume it." in shown
    assert [row(shown, step)[1] for step in ("2 - 1", "3 - 2")] == ["3", "2"], "a pair of each in turn"
    return words


@pytest.mark.kernel
def test_an_interrupted_ladder_is_resumed(run_cli: Run, stopped: tuple[object, ...]) -> None:
    shown = run_cli(*stopped).output
    assert "seed 0" in shown, "the seed is that of the ladder"
    assert "5 of these games were stored already" in shown
    assert [row(shown, step)[1] for step in ("2 - 1", "3 - 2")] == ["4", "4"]
    whole = run_cli(*stopped[:-2], "--seed", 0).output
    assert shown.splitlines()[2:] == whole.splitlines()[1:], "as if it had never been stopped"


@pytest.mark.kernel
def test_a_ladder_is_resumed_with_the_same_seed_only(run_cli: Run, stopped: tuple[object, ...]) -> None:
    assert "seed 2, not 3" in run_cli(*stopped, "--seed", 1, code=2).stderr


def test_options_are_those_of_the_game_and_named(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("ladder", toy_game.key, "--games", 2, "-o", "heap=7", "--simulations", 3).output
    assert f"{toy_game.title}: level by level (heap=7), at most 3 simulations per move" in shown
    assert "no such option" in run_cli("ladder", toy_game.key, "-o", "x=7", code=2).stderr


@pytest.mark.parametrize("levels", ["2", "2-1", "1-1", "0-2", "1-9", "a-b", "-"])
def test_invalid_level_ranges_are_refused(run_cli: Run, toy_game: AnyGame, levels: str) -> None:
    message = run_cli("ladder", toy_game.key, f"--levels={levels}", code=2).stderr
    assert f"invalid levels {levels}:" in message or f"invalid levels {levels!r}:" in message
