"""`tripot match`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from tripot.arena import game_runner
from tripot.arena.contestants import parse_contestant
from tripot.arena.game_runner import GameResult, ScheduledGame, play_game
from tripot.game import CHANCE, AnyGame
from tripot.record import Record

Run = Callable[..., Result]
QUICK = ("--seconds", "0.01", "--simulations", 1)


def test_a_match_prints_score_interval_and_elo(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("match", toy_game.key, "--a", 2, "--b", 1, "--games", 40, "--seed", 1).output
    assert "level 2 against level 1, seed 1" in shown
    assert "40 games: " in shown
    assert "95% interval" in shown
    assert "Elo +" in shown


def test_equal_games_are_no_difference(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli("match", toy_game.key, "--a", 2, "--b", 2, "--games", 10, "--seed", 1).output
    assert "score 50.0%" in shown, "the same level with exchanged seats and equal chance"
    assert "Elo +0" in shown


def test_games_are_played_in_whole_pairs(run_cli: Run, toy_game: AnyGame) -> None:
    assert "4 games: " in run_cli("match", toy_game.key, "--a", 1, "--b", 1, "--games", 3).output


@pytest.mark.kernel
def test_the_games_of_a_pair_have_the_same_chance_and_exchanged_seats(game: AnyGame) -> None:
    contestants = parse_contestant(game, "2", 0.01, 1), parse_contestant(game, "1", 0.01, 1)
    games = [play_game(ScheduledGame(game.key, "", contestants, number, 7)).record for number in range(3)]
    chance = [
        [str(a) for s, a in zip(record.states(), record.actions, strict=False) if s.to_act is CHANCE]
        for record in games
    ]
    assert chance[0] == chance[1] != chance[2]
    assert [record.seats for record in games] == [
        ("level 2", "level 1"),
        ("level 1", "level 2"),
        ("level 2", "level 1"),
    ]


@pytest.mark.kernel
def test_records_replay_and_several_jobs_play_the_same_match(
    run_cli: Run, game: AnyGame, tmp_path: Path
) -> None:
    match = ["match", game.key, "--a", 2, "--b", 1, "--games", 2, "--seed", 3, *QUICK]
    for jobs in (1, 2):
        run_cli(*match, "--jobs", jobs, "--records", tmp_path / str(jobs))
    one, two = (sorted((tmp_path / jobs).glob("*.txt")) for jobs in "12")
    assert [Record.load(file).outcome is not None for file in one] == [True, True]
    assert [file.read_text("utf-8") for file in one] == [file.read_text("utf-8") for file in two]


def test_options_are_those_of_the_game(run_cli: Run, toy_game: AnyGame) -> None:
    run_cli("match", toy_game.key, "--a", 1, "--b", 2, "--games", 2, "-o", "heap=7")
    assert "no such option" in run_cli("match", toy_game.key, "--a", 1, "--b", 2, "-o", "x=7", code=2).stderr


def test_levels_are_those_of_the_game(run_cli: Run, toy_game: AnyGame) -> None:
    assert "invalid level '9'" in run_cli("match", toy_game.key, "--a", 9, "--b", 2, code=2).stderr


# --- The sequential test -----------------------------------------------------------------------


@pytest.fixture
def won_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let A win every game."""

    def play(scheduled: ScheduledGame) -> GameResult:
        return replace(play_game(scheduled), game_points=1.0)

    monkeypatch.setattr(game_runner, "play_game", play)


def test_a_match_stops_as_soon_as_the_test_is_decided(
    run_cli: Run, toy_game: AnyGame, won_games: None
) -> None:
    words = ("match", toy_game.key, "--a", 2, "--b", 1, "--games", 400, "--seed", 1)
    shown = run_cli(*words, "--sprt", 0, 100).output
    played = int(shown.split(" games: ")[0].split()[-1])
    assert 2 < played < 60
    assert "H1 accepted (Elo +100), stopped early" in shown
    shown = run_cli(*words[:-3], 4, "--seed", 1, "--sprt", 0, 100).output
    assert "4 games: " in shown
    assert "not decided" in shown


def test_the_error_probabilities_of_the_test_can_be_set(
    run_cli: Run, toy_game: AnyGame, won_games: None
) -> None:
    words = ("match", toy_game.key, "--a", 2, "--b", 1, "--games", 400, "--seed", 1, "--sprt", 0, 100)
    strict = run_cli(*words, "--alpha", 0.01, "--beta", 0.01).output
    assert "(-4.60 to +4.60)" in strict
    assert "expected ELO0 < ELO1" in run_cli(*words[:-2], 5, 5, code=2).stderr
    assert "invalid SPRT alpha" in run_cli(*words, "--alpha", 2, code=2).stderr
