"""`tripot match` with other programs, equal time, and matches that were stopped."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from typer.testing import Result

from tripot.arena.contestants import ContestantError, parse_contestant
from tripot.arena.match_store import TimeUsage
from tripot.cli import match
from tripot.cli.match import GameResult, ScheduledGame, next_time_limit, play_game
from tripot.game import AnyGame
from tripot.record import Record

Run = Callable[..., Result]
Interrupted = Callable[[int], AbstractContextManager[None]]
HEAPER = shlex.join([sys.executable, str(Path(__file__).parents[1] / "external" / "gtp_tally.py")])


def engine(game: AnyGame) -> str:
    return shlex.join([sys.executable, "-m", "tripot", "engine", game.key])


# --- Sides -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("1", "tripot:level=1,seconds=0.1"),
        ("level=1", "tripot:level=1,seconds=0.1"),
        ("level=1,seconds=2", "tripot:level=1,seconds=2.0"),
        ("tripot:seconds=1", "tripot:level=2,seconds=1.0"),
        ("tripot:mean=1", "tripot:level=2,mean=1.0"),
        ("tripot:simulations=9,level=1,threads=3", "tripot:level=1,seconds=0.1,simulations=9,threads=3"),
        ("tripot:1", "tripot:level=1,seconds=0.1"),
        ("engine:./mine --fast", "engine,seconds=0.1:./mine --fast"),
        ("engine,level=1,seconds=3:a b:c", "engine,level=1,seconds=3.0:a b:c"),
        ("engine,mean=3:a b:c", "engine,mean=3.0:a b:c"),
        ("gtp:prog --level 5", "gtp:prog --level 5"),
    ],
)
def test_sides_are_read_and_written_in_full(toy: AnyGame, text: str, full: str) -> None:
    side = parse_contestant(toy, text, 0.1, None)
    assert str(side) == full
    assert parse_contestant(toy, str(side), 0.1, None) == side


def test_a_side_in_seconds_does_not_count_the_simulations_of_the_match(toy: AnyGame) -> None:
    assert parse_contestant(toy, "1", 0.1, 50).simulations == 50
    assert parse_contestant(toy, "tripot:seconds=1", 0.1, 50).simulations is None
    assert parse_contestant(toy, "tripot:mean=1", 0.1, 50).simulations is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9", "not 9"),
        ("tripot:level=x", "not x"),
        ("tripot:depth=3", "'depth' is no setting"),
        ("tripot:seconds=0", "seconds is a number"),
        ("tripot:mean=x", "mean is a number"),
        ("tripot:mean=1,seconds=2", "not both"),
        ("gtp,seconds=1:prog", "its own options"),
        ("chess:prog", "is no side"),
        ("", "is no setting"),
    ],
)
def test_what_is_no_side_is_said(toy: AnyGame, text: str, said: str) -> None:
    with pytest.raises(ContestantError, match=said):
        parse_contestant(toy, text, 0.1, None)


def test_an_engine_with_one_thread_gets_no_more(run: Run, toy: AnyGame) -> None:
    said = run("match", toy.key, "--a", "tripot:threads=2", "--b", 1, code=2).stderr
    assert "threads=2: this engine has but one" in said


# --- Other programs ----------------------------------------------------------------------------


def test_a_match_against_a_gtp_program_is_checked_on_the_way(run: Run, toy: AnyGame, tmp_path: Path) -> None:
    words = ("match", toy.key, "--a", 2, "--b", f"gtp:{HEAPER}", "--games", 4, "--seed", 1, "--players", 2)
    shown = run(*words, "-o", "heap=7", "--check", "--records", tmp_path).output
    assert "level 2 against Heaper 1 5, seed 1" in shown
    assert "4 games: " in shown
    assert "A, level 2: " in shown
    assert "B, Heaper 1 5: " in shown
    records = [Record.load(path) for path in sorted(tmp_path.glob("*.txt"))]
    assert [record.seats[0] for record in records] == ["level 2", "Heaper 1 5"] * 2
    assert all(str(record.options) == "heap=7" for record in records)


@pytest.mark.kernel
def test_two_programs_play_each_other_and_several_games_at_once(run: Run, game: AnyGame) -> None:
    side = f"engine,level=1:{engine(game)}"
    shown = run(
        "match", game.key, "--a", side, "--b", 1, "--games", 2, "--jobs", 2, "--simulations", 1
    ).output
    assert "2 games: " in shown


@pytest.mark.kernel
def test_an_engine_as_a_process_plays_like_the_engine_itself(game: AnyGame) -> None:
    sides = (
        parse_contestant(game, "1", 0.1, 1),
        parse_contestant(game, f"engine,level=2:{engine(game)}", 0.1, 1),
    )
    fixture = ScheduledGame(game.key, "", sides, 0, 5)
    try:
        games = [play_game(fixture) for _ in range(2)]
    finally:
        match.close_contestants()
    assert games[0].record == games[1].record, "seeded by the match"
    assert games[0].time_usage[1].moves > 0


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("blind", "these alone: take 3"),
        ("4", "plays take 4, which is not allowed"),
        ("pass", "passes, but can play"),
        ("end", "no more of this"),
    ],
)
def test_a_program_that_goes_wrong_ends_the_match_with_the_score_so_far(
    run: Run, toy: AnyGame, fault: str, said: str
) -> None:
    """The seed matters: in some games the program is asked only where what it overlooks is not allowed."""
    side = f"gtp:{HEAPER} {fault}"
    result = run("match", toy.key, "--a", 1, "--b", side, "--check", "--seed", 4, code=2)
    assert "0 games: " in result.stdout
    assert said in result.stderr


def test_a_program_may_resign(run: Run, toy: AnyGame) -> None:
    shown = run("match", toy.key, "--a", 1, "--b", f"gtp:{HEAPER} resign", "--games", 2).output
    assert "2 games: 2 won" in shown


@pytest.mark.kernel
def test_what_cannot_be_checked_is_said(run: Run, toy: AnyGame, game: AnyGame) -> None:
    blind = f"gtp:{HEAPER} no all_legal"
    assert "does not tell" in run("match", toy.key, "--a", 1, "--b", blind, "--check", code=2).stderr
    assert "neither side" in run("match", toy.key, "--a", 1, "--b", 2, "--check", code=2).stderr
    assert "no GTP programs for" in run("match", game.key, "--a", 1, "--b", "gtp:x", code=2).stderr


# --- Equal time --------------------------------------------------------------------------------


def test_a_side_gets_the_mean_of_the_other_and_makes_up_for_what_it_had() -> None:
    assert next_time_limit(TimeUsage(), TimeUsage(), given=0.5) == 0.5
    assert next_time_limit(TimeUsage(10, 2.0, 2.0), TimeUsage(10, 2.0), given=9) == pytest.approx(0.2)
    assert next_time_limit(TimeUsage(10, 2.2, 2.2), TimeUsage(10, 2.0), given=9) == pytest.approx(0.18), (
        "had too much"
    )
    assert next_time_limit(TimeUsage(10, 1.8, 3.6), TimeUsage(10, 2.0), given=9) == pytest.approx(0.44), (
        "uses but half"
    )
    assert next_time_limit(TimeUsage(10, 99.0, 99.0), TimeUsage(10, 2.0), given=9) == pytest.approx(0.1), (
        "never below half"
    )


def test_an_engine_that_uses_a_part_of_its_time_soon_has_the_mean_of_the_other() -> None:
    a, b = TimeUsage(), TimeUsage()
    for _ in range(60):
        seconds = next_time_limit(a, b, given=3.0)
        a += TimeUsage(20, 20 * 0.7 * seconds, 20 * seconds)
        b += TimeUsage(20, 20 * 0.25)
    assert a.mean == pytest.approx(b.mean, rel=0.02)


def test_equal_time_is_set_from_game_to_game(run: Run, toy: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def played(fixture: ScheduledGame) -> GameResult:
        given.append(fixture.contestants[0].seconds)
        slow = TimeUsage(10, 10 * 0.4, 1.0)
        return GameResult(
            1.0, play_game(fixture).record, (TimeUsage(10, 10 * given[-1], 10 * given[-1]), slow)
        )

    monkeypatch.setattr(match, "play_game", played)
    shown = run("match", toy.key, "--a", "tripot:seconds=0.5", "--b", 1, "--games", 4, "--equal").output
    assert given == pytest.approx([0.5, 0.3, 0.4, 0.4])
    assert "A, level 2: 0.400 s a move over 40 moves" in shown
    assert "B, level 1: 0.400 s a move over 40 moves" in shown


def test_equal_time_needs_a_clock_to_set(run: Run, toy: AnyGame) -> None:
    counted = ("match", toy.key, "--a", "tripot:simulations=5", "--b", 1, "--equal")
    assert "needs a limit in seconds" in run(*counted, code=2).stderr
    assert (
        "--jobs must be 1" in run("match", toy.key, "--a", 1, "--b", 1, "--equal", "--jobs", 2, code=2).stderr
    )


# --- Going on with a match ---------------------------------------------------------------------


@pytest.fixture
def stopped(run: Run, toy: AnyGame, tmp_path: Path, interrupted: Interrupted) -> tuple[object, ...]:
    """A match of six games that Ctrl-C stopped in the fourth."""
    words = ("match", toy.key, "--a", 2, "--b", 1, "--games", 6, "--records", tmp_path / "games")
    with interrupted(3):
        assert "3 games: " in run(*words, "--seed", 4).output
    return words


def texts(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]


def test_a_match_that_was_stopped_goes_on(
    run: Run, toy: AnyGame, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    before = texts(tmp_path / "games")
    shown = run(*stopped).output
    assert "seed 4" in shown, "the seed is that of the match"
    assert "3 of these games were there already" in shown
    assert "6 games: " in shown
    run(*stopped[:-1], tmp_path / "whole", "--seed", 4)
    assert texts(tmp_path / "games")[:3] == before
    assert len(texts(tmp_path / "games")) == len(texts(tmp_path / "whole")) == 6
    times = json.loads((tmp_path / "games" / "match.json").read_text("utf-8"))["paces"]
    assert [*times] == ["0", "1", "2", "3", "4", "5"]


def test_a_finished_match_is_only_counted_and_may_be_made_longer(
    run: Run, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    first, second = run(*stopped).output, run(*stopped).output
    assert second.replace("6 of these", "3 of these") == first
    assert "8 games: " in run(*stopped, "--games", 8).output


def test_a_match_goes_on_with_the_same_fixture_only(
    run: Run, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    for other, said in (
        (("--a", 1), "holds another match: a 'tripot:level=2,seconds=0.1', not"),
        (("--seed", 5), "seed 4, not 5"),
        (("-o", "heap=7"), "options '', not 'heap=7'"),
        (("--equal",), "equal_time False, not True"),
    ):
        assert said in run(*stopped, *other, code=2).stderr


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seats: level 2, level 1", "seats: level 2, Ann", "other players than in this match"),
        ("take", "grab", "cannot read"),
        ("", "", "is not what the seed of this match deals"),
    ],
)
def test_a_record_that_is_not_of_this_match_is_refused(
    run: Run, tmp_path: Path, stopped: tuple[object, ...], old: str, new: str, said: str
) -> None:
    path = tmp_path / "games" / "0001.txt"
    text = path.read_text("utf-8").replace(old, new)
    if not old:
        text = (tmp_path / "games" / "0003.txt").read_text("utf-8")
    path.write_text(text, "utf-8")
    assert said in run(*stopped, code=2).stderr


def test_a_game_that_is_not_over_is_not_counted(
    run: Run, toy: AnyGame, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    path = tmp_path / "games" / "0001.txt"
    record = Record.load(path)
    Record(toy, record.options, record.seats, "", record.actions[:-1]).save(path)
    assert "the game is not finished" in run(*stopped, code=2).stderr


def test_a_folder_of_other_records_or_a_broken_one_is_left_alone(
    run: Run, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    about = tmp_path / "games" / "match.json"
    about.write_text("{}", "utf-8")
    assert "cannot be read" in run(*stopped, code=2).stderr
    about.unlink()
    assert "not the games of a match" in run(*stopped, code=2).stderr
    assert len(texts(tmp_path / "games")) == 3
