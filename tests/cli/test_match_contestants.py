"""`tripot match` with other programs, equal time, and resumed matches."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from typer.testing import Result

from tripot.arena import game_runner
from tripot.arena.contestants import ContestantError, parse_contestant
from tripot.arena.game_runner import GameResult, ScheduledGame, close_contestants, play_game
from tripot.arena.match import next_time_limit
from tripot.arena.match_store import TimeUsage
from tripot.external.protocol import MAX_SECONDS, MIN_SECONDS
from tripot.game import AnyGame
from tripot.record import Record

Run = Callable[..., Result]
Interrupted = Callable[[int], AbstractContextManager[None]]
TALLY_PROGRAM = shlex.join([sys.executable, str(Path(__file__).parents[1] / "external" / "gtp_tally.py")])


def engine(game: AnyGame) -> str:
    return shlex.join([sys.executable, "-m", "tripot", "engine", game.key])


# --- Contestants -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("1", "tripot:level=1,seconds=0.1"),
        ("level=1", "tripot:level=1,seconds=0.1"),
        ("level=1,seconds=2", "tripot:level=1,seconds=2.0"),
        ("tripot:seconds=1", "tripot:level=2,seconds=1.0"),
        ("tripot:average=1", "tripot:level=2,average=1.0"),
        ("tripot:simulations=9,level=1,threads=3", "tripot:level=1,seconds=0.1,simulations=9,threads=3"),
        ("tripot:1", "tripot:level=1,seconds=0.1"),
        ("engine:./mine --fast", "engine,seconds=0.1:./mine --fast"),
        ("engine,level=1,seconds=3:a b:c", "engine,level=1,seconds=3.0:a b:c"),
        ("engine,average=3:a b:c", "engine,average=3.0:a b:c"),
        ("gtp:prog --level 5", "gtp:prog --level 5"),
    ],
)
def test_contestants_are_parsed_and_written_in_full(toy_game: AnyGame, text: str, full: str) -> None:
    spec = parse_contestant(toy_game, text, 0.1, None)
    assert str(spec) == full
    assert parse_contestant(toy_game, str(spec), 0.1, None) == spec


def test_a_contestant_with_a_time_limit_ignores_the_simulations_of_the_match(toy_game: AnyGame) -> None:
    assert parse_contestant(toy_game, "1", 0.1, 50).simulations == 50
    assert parse_contestant(toy_game, "bot1", 0.1, 50) == parse_contestant(toy_game, "1", 0.1, 50)
    assert parse_contestant(toy_game, "tripot:seconds=1", 0.1, 50).simulations is None
    assert parse_contestant(toy_game, "tripot:average=1", 0.1, 50).simulations is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9", "invalid level '9'"),
        ("tripot:level=x", "invalid level 'x'"),
        ("tripot:depth=3", "unknown setting 'depth'"),
        ("tripot:seconds=0", "invalid seconds '0'"),
        ("tripot:average=x", "invalid average 'x'"),
        ("tripot:average=1,seconds=2", "not both"),
        ("gtp,seconds=1:prog", "put its options into its command"),
        ("chess:prog", "expected 3 or bot3, tripot:seconds=1"),
        ("", "unknown setting ''"),
    ],
)
def test_an_invalid_contestant_is_refused(toy_game: AnyGame, text: str, message: str) -> None:
    with pytest.raises(ContestantError, match=message):
        parse_contestant(toy_game, text, 0.1, None)


def test_threads_are_refused_for_an_engine_with_one(run_cli: Run, toy_game: AnyGame) -> None:
    message = run_cli("match", toy_game.key, "--a", "tripot:threads=2", "--b", 1, code=2).stderr
    assert "threads=2: the engine of" in message


# --- Other programs ----------------------------------------------------------------------------


def test_a_match_against_a_gtp_program_checks_its_legal_moves(
    run_cli: Run, toy_game: AnyGame, tmp_path: Path
) -> None:
    words = (
        "match",
        toy_game.key,
        "--a",
        2,
        "--b",
        f"gtp:{TALLY_PROGRAM}",
        "--games",
        4,
        "--seed",
        1,
        "--players",
        2,
    )
    shown = run_cli(*words, "-o", "heap=7", "--check-legal", "--records", tmp_path).output
    assert "level 2 against Heaper 1 5, seed 1" in shown
    assert "4 games: " in shown
    assert "A, level 2: " in shown
    assert "B, Heaper 1 5: " in shown
    records = [Record.load(path) for path in sorted(tmp_path.glob("*.txt"))]
    assert [record.seats[0] for record in records] == ["level 2", "Heaper 1 5"] * 2
    assert all(str(record.options) == "heap=7" for record in records)


@pytest.mark.kernel
def test_two_programs_play_each_other_and_several_games_at_once(run_cli: Run, game: AnyGame) -> None:
    contestant = f"engine,level=1:{engine(game)}"
    shown = run_cli(
        "match", game.key, "--a", contestant, "--b", 1, "--games", 2, "--jobs", 2, "--simulations", 1
    ).output
    assert "2 games: " in shown


@pytest.mark.kernel
def test_an_engine_as_a_process_plays_like_the_engine_itself(game: AnyGame) -> None:
    contestants = (
        parse_contestant(game, "1", 0.1, 1),
        parse_contestant(game, f"engine,level=2:{engine(game)}", 0.1, 1),
    )
    scheduled = ScheduledGame(game.key, "", contestants, 0, 5)
    try:
        games = [play_game(scheduled) for _ in range(2)]
    finally:
        close_contestants()
    assert games[0].record_text == games[1].record_text, "seeded by the match"
    assert games[0].time_usage[1].moves > 0


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("blind", "only they: take 2"),
        ("4", "plays take 4, which is illegal"),
        ("pass", "passes, but it has a legal move"),
        ("end", "no more of this"),
    ],
)
def test_a_failing_program_ends_the_match(run_cli: Run, toy_game: AnyGame, fault: str, message: str) -> None:
    """The seed matters: in some games the move that the program overlooks is never legal."""
    contestant = f"gtp:{TALLY_PROGRAM} {fault}"
    result = run_cli("match", toy_game.key, "--a", 1, "--b", contestant, "--check-legal", "--seed", 4, code=2)
    assert "seed 4" in result.stdout
    assert "score" not in result.stdout, "without a game there is none; it was 50%"
    assert message in result.stderr


def test_a_program_may_resign(run_cli: Run, toy_game: AnyGame) -> None:
    shown = run_cli(
        "match", toy_game.key, "--a", 1, "--b", f"gtp:{TALLY_PROGRAM} resign", "--games", 2
    ).output
    assert "2 games: 2 won" in shown


@pytest.mark.kernel
def test_a_legal_move_check_that_is_impossible_is_refused(
    run_cli: Run, toy_game: AnyGame, game: AnyGame
) -> None:
    blind = f"gtp:{TALLY_PROGRAM} no all_legal"
    assert (
        "has no command all_legal"
        in run_cli("match", toy_game.key, "--a", 1, "--b", blind, "--check-legal", code=2).stderr
    )
    assert (
        "needs a GTP program"
        in run_cli("match", toy_game.key, "--a", 1, "--b", 2, "--check-legal", code=2).stderr
    )
    assert "no GTP programs for" in run_cli("match", game.key, "--a", 1, "--b", "gtp:x", code=2).stderr


# --- Equal time --------------------------------------------------------------------------------


def test_equal_time_follows_the_average_of_the_opponent_and_corrects_differences() -> None:
    assert next_time_limit(TimeUsage(), TimeUsage(), initial=0.5) == 0.5
    assert next_time_limit(TimeUsage(10, 2.0, 2.0), TimeUsage(10, 2.0), initial=9) == pytest.approx(0.2)
    assert next_time_limit(TimeUsage(10, 2.2, 2.2), TimeUsage(10, 2.0), initial=9) == pytest.approx(0.18), (
        "had too much"
    )
    assert next_time_limit(TimeUsage(10, 1.8, 3.6), TimeUsage(10, 2.0), initial=9) == pytest.approx(0.44), (
        "uses but half"
    )
    assert next_time_limit(TimeUsage(10, 99.0, 99.0), TimeUsage(10, 2.0), initial=9) == pytest.approx(0.1), (
        "never below half"
    )


def test_equal_time_stays_within_the_limits_that_engines_accept() -> None:
    """Against a fast B the limit was 0.00015 s, which the engine protocol refuses: the match was aborted."""
    assert next_time_limit(TimeUsage(20, 0.1, 0.1), TimeUsage(20, 0.002), initial=0.1) == MIN_SECONDS
    assert next_time_limit(TimeUsage(1, 1e-6, 1.0), TimeUsage(1, 100.0), initial=0.1) == MAX_SECONDS


def test_equal_time_converges_for_an_engine_that_uses_a_part_of_its_time() -> None:
    a, b = TimeUsage(), TimeUsage()
    for _ in range(60):
        seconds = next_time_limit(a, b, initial=3.0)
        a += TimeUsage(20, 20 * 0.7 * seconds, 20 * seconds)
        b += TimeUsage(20, 20 * 0.25)
    assert a.seconds_per_move == pytest.approx(b.seconds_per_move, rel=0.02)


def test_equal_time_is_set_from_game_to_game(
    run_cli: Run, toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []

    def play(scheduled: ScheduledGame) -> GameResult:
        limits.append(scheduled.contestants[0].seconds)
        usage_a, usage_b = TimeUsage(10, 10 * limits[-1], 10 * limits[-1]), TimeUsage(10, 10 * 0.4, 1.0)
        return GameResult(1.0, play_game(scheduled).record_text, (usage_a, usage_b))

    monkeypatch.setattr(game_runner, "play_game", play)
    shown = run_cli(
        "match", toy_game.key, "--a", "tripot:seconds=0.5", "--b", 1, "--games", 4, "--equal-time"
    ).output
    assert limits == pytest.approx([0.5, 0.3, 0.4, 0.4])
    assert "A, level 2: 0.400 s per move over 40 moves" in shown
    assert "B, level 1: 0.400 s per move over 40 moves" in shown


def test_equal_time_needs_a_clock_to_set(run_cli: Run, toy_game: AnyGame) -> None:
    counted = ("match", toy_game.key, "--a", "tripot:simulations=5", "--b", 1, "--equal-time")
    assert "needs a time limit" in run_cli(*counted, code=2).stderr
    words = ("match", toy_game.key, "--a", 1, "--b", 1, "--equal-time", "--jobs", 2)
    assert "the number of jobs must be 1" in run_cli(*words, code=2).stderr


# --- Resumed matches ---------------------------------------------------------------------------


@pytest.fixture
def stopped(
    run_cli: Run, toy_game: AnyGame, tmp_path: Path, interrupt_after: Interrupted
) -> tuple[object, ...]:
    """A match of six games that Ctrl-C stopped in the fourth."""
    words = ("match", toy_game.key, "--a", 2, "--b", 1, "--games", 6, "--records", tmp_path / "games")
    with interrupt_after(3):
        shown = run_cli(*words, "--seed", 4, code=130).output
    assert "3 games: " in shown
    assert "The match was interrupted: repeat the command to resume it." in shown
    return words


def test_a_match_that_is_not_stored_can_be_interrupted_too(
    run_cli: Run, toy_game: AnyGame, interrupt_after: Interrupted
) -> None:
    """The exit code was 0, as if all games had been played."""
    with interrupt_after(0):
        shown = run_cli("match", toy_game.key, "--a", 2, "--b", 1, code=130).output
    assert "The match was interrupted: with --records DIR it could be resumed." in shown
    assert "score" not in shown


def texts(folder: Path) -> list[str]:
    return [path.read_text("utf-8") for path in sorted(folder.glob("*.txt"))]


def test_an_interrupted_match_is_resumed(
    run_cli: Run, toy_game: AnyGame, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    before = texts(tmp_path / "games")
    shown = run_cli(*stopped).output
    assert "seed 4" in shown, "the seed is that of the match"
    assert "3 of these games were stored already" in shown
    assert "6 games: " in shown
    run_cli(*stopped[:-1], tmp_path / "whole", "--seed", 4)
    assert texts(tmp_path / "games")[:3] == before
    assert len(texts(tmp_path / "games")) == len(texts(tmp_path / "whole")) == 6
    times = json.loads((tmp_path / "games" / "match.json").read_text("utf-8"))["time_usage"]
    assert [*times] == ["0", "1", "2", "3", "4", "5"]


def test_a_finished_match_is_counted_again_and_can_be_extended(
    run_cli: Run, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    first, second = run_cli(*stopped).output, run_cli(*stopped).output
    assert second.replace("6 of these", "3 of these") == first
    assert "8 games: " in run_cli(*stopped, "--games", 8).output


def test_only_the_same_match_is_resumed(run_cli: Run, tmp_path: Path, stopped: tuple[object, ...]) -> None:
    for change, message in (
        (("--a", 1), "holds another match: a 'tripot:level=2,seconds=0.1', not"),
        (("--seed", 5), "seed 4, not 5"),
        (("-o", "heap=7"), "options '', not 'heap=7'"),
        (("--equal-time",), "equal_time False, not True"),
    ):
        assert message in run_cli(*stopped, *change, code=2).stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seats: level 2, level 1", "seats: level 2, Ann", "other players than in this match"),
        ("take", "grab", "cannot read"),
        ("", "", "does not follow from the seed of this match"),
    ],
)
def test_a_record_that_is_not_of_this_match_is_refused(
    run_cli: Run, tmp_path: Path, stopped: tuple[object, ...], old: str, new: str, message: str
) -> None:
    path = tmp_path / "games" / "0001.txt"
    text = path.read_text("utf-8").replace(old, new)
    if not old:
        text = (tmp_path / "games" / "0003.txt").read_text("utf-8")
    path.write_text(text, "utf-8")
    assert message in run_cli(*stopped, code=2).stderr


def test_a_game_that_is_not_over_is_not_counted(
    run_cli: Run, toy_game: AnyGame, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    path = tmp_path / "games" / "0001.txt"
    record = Record.load(path)
    Record(toy_game, record.options, record.seats, "", record.actions[:-1]).save(path)
    assert "the game is not finished" in run_cli(*stopped, code=2).stderr


def test_a_folder_of_other_records_or_a_damaged_one_is_not_changed(
    run_cli: Run, tmp_path: Path, stopped: tuple[object, ...]
) -> None:
    match_file = tmp_path / "games" / "match.json"
    match_file.write_text("{}", "utf-8")
    assert "cannot read" in run_cli(*stopped, code=2).stderr
    match_file.unlink()
    assert "not the games of a match" in run_cli(*stopped, code=2).stderr
    assert len(texts(tmp_path / "games")) == 3
