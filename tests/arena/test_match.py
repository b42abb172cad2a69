"""Matches and ladders as library functions, as a notebook or a script calls them."""

from __future__ import annotations

import ast
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from bench._server_process import HANG

import tripot.arena
import tripot.external
from tripot.arena import (
    ContestantError,
    LadderConfig,
    LadderFailedError,
    MatchConfig,
    MatchFailedError,
    MatchProgress,
    Sprt,
    game_runner,
    play_ladder,
    play_match,
)
from tripot.arena.contestants import BuiltinContestant
from tripot.arena.game_runner import GameResult, ScheduledGame, play_game
from tripot.arena.match import MatchConfigError
from tripot.arena.match_store import MatchStore
from tripot.external.process import EngineProcessError
from tripot.game import AnyGame, OptionError, TripotError
from tripot.record import Record


def match_of(toy_game: AnyGame, **settings: object) -> MatchConfig:
    config = MatchConfig(toy_game.key, a="2", b="1", games=4, simulations=1, seed=3)
    return replace(config, **settings)  # type: ignore[arg-type]  # passed on as they came


def test_a_match_returns_score_records_and_time_usage(toy_game: AnyGame) -> None:
    result = play_match(match_of(toy_game))
    assert result.names == ("level 2", "level 1")
    assert len(result.score.game_points) == len(result.records) == 4
    assert all(isinstance(record, Record) and record.outcome for record in result.records)
    assert all(usage.moves > 0 for usage in result.time_usage)
    assert result.stop_reason == "complete"
    assert result.config.seed == 3
    assert result.sprt is None


def test_a_match_prints_nothing(toy_game: AnyGame, capfd: pytest.CaptureFixture[str]) -> None:
    play_match(match_of(toy_game))
    assert capfd.readouterr() == ("", "")


def test_the_same_seed_gives_the_same_games_and_a_random_one_is_reported(toy_game: AnyGame) -> None:
    one, two = play_match(match_of(toy_game)), play_match(match_of(toy_game))
    assert one.records == two.records
    drawn = play_match(match_of(toy_game, seed=None))
    assert drawn.config.seed is not None
    assert play_match(drawn.config).records == drawn.records


def test_progress_is_reported_before_the_first_game_and_after_each_one(toy_game: AnyGame) -> None:
    reports: list[MatchProgress] = []
    play_match(match_of(toy_game), on_progress=reports.append)
    assert [(report.games_done, report.games_total) for report in reports] == [(n, 4) for n in range(5)]
    assert [len(report.result.games) for report in reports] == [*range(5)]


def test_no_bot_is_left_open_after_a_game(toy_game: AnyGame) -> None:
    """A search tree may have several hundred megabytes, and a ladder has many contestants."""
    scheduled = ScheduledGame(toy_game.key, "", match_of(toy_game).contestants, 0, 5)
    play_game(scheduled)
    contestants = game_runner.contestants_of(scheduled)
    try:
        assert [vars(contestant)["bots"] for contestant in contestants] == [{}, {}]
    finally:
        game_runner.close_contestants()


def test_one_bot_plays_a_seat_for_a_whole_game(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine can only reuse its search tree if it is kept from move to move."""
    created: list[int] = []
    engine = type(toy_game).engine

    def recording_engine(self: AnyGame, level: int) -> object:
        created.append(level)
        return engine(self, level)

    monkeypatch.setattr(type(toy_game), "engine", recording_engine)
    play_match(match_of(toy_game))
    games = 4
    assert len(created) <= 2 * (games + 1), "one per contestant and game, and one each to compile the kernels"


def test_both_contestants_are_checked_before_kernels_are_compiled(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of a program with a misspelling was reported after a minute of compilation."""
    compiled: list[object] = []

    def record(contestant: BuiltinContestant) -> None:
        compiled.append(contestant)

    monkeypatch.setattr(BuiltinContestant, "prepare", record)
    with pytest.raises(EngineProcessError, match="cannot start"):
        play_match(match_of(toy_game, b="engine:/no/such/program"))
    assert not compiled
    play_match(match_of(toy_game))
    assert compiled


def test_a_stored_match_is_resumed_and_extended(toy_game: AnyGame, tmp_path: Path) -> None:
    first = play_match(match_of(toy_game, games=2), records=tmp_path)
    longer = play_match(match_of(toy_game, seed=None), records=tmp_path)
    assert longer.resumed_count == 2
    assert longer.records[:2] == first.records
    assert longer.records == play_match(match_of(toy_game)).records


def test_a_decided_test_ends_a_match_early(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(scheduled: ScheduledGame) -> GameResult:
        return replace(play_game(scheduled), game_points=0.0)

    monkeypatch.setattr(game_runner, "play_game", lose)
    result = play_match(match_of(toy_game, games=200, sprt=Sprt(0, 100)))
    assert result.stop_reason == "sprt"
    assert result.sprt
    assert result.sprt.decision == "H0"
    assert len(result.games) < 60
    assert len(result.games) % 2 == 0, "the test counts whole pairs"


def failing_after(games: int, error: BaseException) -> object:
    remaining = iter(range(games))

    def play(scheduled: ScheduledGame) -> GameResult:
        if next(remaining, None) is None:
            raise error
        return play_game(scheduled)

    return play


def test_ctrl_c_ends_a_match_with_the_games_so_far(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_runner, "play_game", failing_after(3, KeyboardInterrupt()))
    result = play_match(match_of(toy_game))
    assert (result.stop_reason, len(result.games)) == ("interrupted", 3)


def test_a_failure_carries_the_games_so_far(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_runner, "play_game", failing_after(1, TripotError("the program crashed")))
    with pytest.raises(MatchFailedError, match="the program crashed") as failure:
        play_match(match_of(toy_game))
    assert (failure.value.result.stop_reason, len(failure.value.result.games)) == ("failed", 1)


def test_errors_that_are_not_of_tripot_carry_the_games_so_far_too(
    toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk or a worker process that was killed once lost the result of the match."""
    monkeypatch.setattr(game_runner, "play_game", failing_after(1, OSError(28, "No space left on device")))
    with pytest.raises(MatchFailedError, match=r"OSError: .*No space left") as failure:
        play_match(match_of(toy_game))
    assert len(failure.value.result.games) == 1


def test_two_threads_play_matches_at_once(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches once shared their contestants, and the first to end closed those of the other."""
    expected, both_play, games = (
        play_match(match_of(toy_game)),
        threading.Barrier(2, timeout=HANG),
        list[int](),
    )

    def play(scheduled: ScheduledGame) -> GameResult:
        if scheduled.number == 0:
            both_play.wait()  # both matches have their contestants
        games.append(scheduled.number)
        return play_game(scheduled)

    monkeypatch.setattr(game_runner, "play_game", play)
    with ThreadPoolExecutor(2) as pool:
        results = [*pool.map(play_match, [match_of(toy_game)] * 2)]
    assert [result.records for result in results] == [expected.records] * 2
    assert sorted(games) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_missing_record_does_not_shift_the_pairs(
    toy_game: AnyGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = play_match(match_of(toy_game, games=6), records=tmp_path)
    for number in (1, 2):
        MatchStore(tmp_path).path(number).unlink()
    monkeypatch.setattr(game_runner, "play_game", failing_after(0, KeyboardInterrupt()))
    result = play_match(match_of(toy_game, games=6), records=tmp_path)
    assert result.records == tuple(whole.records[number] for number in (4, 5, 0, 3))
    assert result.single_count == 2
    assert sum(result.score.pair_counts) == 1


def test_a_ladder_returns_steps_and_ratings(toy_game: AnyGame) -> None:
    result = play_ladder(LadderConfig(toy_game.key, games=4, simulations=1, seed=3))
    (step,) = result.steps
    assert (step.lower, step.upper, len(step.score.game_points)) == (1, 2, 4)
    assert [rating.level for rating in result.ratings] == [1, 2]
    assert result.matches[0].records == play_match(match_of(toy_game, seed=3 + 2)).records
    assert result._repr_markdown_().startswith("| levels | games |")


def test_a_failed_ladder_carries_its_matches(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_runner, "play_game", failing_after(2, TripotError("out of memory")))
    with pytest.raises(LadderFailedError, match="out of memory") as failure:
        play_ladder(LadderConfig(toy_game.key, games=4, simulations=1, seed=3))
    assert len(failure.value.result.steps[0].score.game_points) == 2


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"games": 0}, MatchConfigError, "expected 1 or more"),
        ({"seconds": 0.0}, MatchConfigError, "time limit of 0 seconds"),
        ({"seconds": -1.0}, MatchConfigError, "time limit of -1 seconds"),
        ({"seconds": float("nan")}, MatchConfigError, "time limit of nan seconds"),
        ({"simulations": 0}, MatchConfigError, "number of simulations 0"),
        ({"a": "9"}, ContestantError, "invalid contestant '9'"),
        ({"options": "heap=6"}, OptionError, "heap"),
        ({"equal_time": True}, ContestantError, "needs a time limit"),
        ({"check_legal": True}, ContestantError, "needs a GTP program"),
        ({"game": "nonsense"}, TripotError, "nonsense"),
    ],
)
def test_an_invalid_configuration_is_refused_when_it_is_created(
    toy_game: AnyGame, settings: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        match_of(toy_game, **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": 3}, "invalid game 3: expected a game such as"),
        ({"a": 3.5}, "invalid contestant 3.5: expected a level such as 3"),
        ({"options": 2}, "invalid options 2: expected text such as 'players=2'"),
        ({"sprt": 50}, r"invalid sprt 50: expected Sprt\(0, 50\)"),
        ({"games": "4"}, "invalid games '4'"),
        ({"seconds": "1"}, "invalid seconds '1'"),
        ({"simulations": 1.5}, "invalid simulations 1.5"),
    ],
)
def test_a_setting_of_another_type_is_refused_with_the_remedy(
    toy_game: AnyGame, settings: dict[str, object], message: str
) -> None:
    """Some were accepted and failed with an AttributeError in the middle of the match."""
    with pytest.raises(MatchConfigError, match=message):
        match_of(toy_game, **settings)


def test_games_levels_options_and_tests_may_be_given_as_objects(toy_game: AnyGame) -> None:
    options = toy_game.Options.parse("heap=7")
    config = MatchConfig(toy_game, a=2, b=1, options=options, sprt=(0, 50))
    assert config == MatchConfig(toy_game.key, "2", "1", options="heap=7", sprt=Sprt(0, 50))
    assert LadderConfig(toy_game, options=options) == LadderConfig(toy_game.key, options="heap=7")
    with pytest.raises(MatchConfigError, match=r"invalid levels 3: .* such as \(1, 3\)"):
        LadderConfig(toy_game, levels=3)  # type: ignore[arg-type]  # that is the point


@pytest.mark.parametrize("jobs", [0, -1, "2"])
def test_at_least_one_game_is_played_at_once(toy_game: AnyGame, jobs: int) -> None:
    with pytest.raises(MatchConfigError, match=f"invalid number of jobs {jobs!r}: expected 1 or more"):
        play_match(match_of(toy_game), jobs=jobs)
    with pytest.raises(MatchConfigError, match="invalid number of jobs"):
        play_ladder(LadderConfig(toy_game), jobs=jobs)


def test_the_folder_of_records_may_be_text(toy_game: AnyGame, tmp_path: Path) -> None:
    """A text raised TypeError after the kernels had been compiled."""
    play_match(match_of(toy_game), records=str(tmp_path / "match"))
    assert (tmp_path / "match" / "0004.txt").exists()
    play_ladder(LadderConfig(toy_game, games=2, simulations=1), records=str(tmp_path / "ladder"))
    assert (tmp_path / "ladder" / "2-1" / "0002.txt").exists()


def test_the_arena_and_external_engines_import_no_command_and_no_server() -> None:
    for package in (tripot.arena, tripot.external):
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                assert not [
                    name for name in names if name.startswith(("tripot.cli", "tripot.server", "rich"))
                ]
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    assert node.func.id != "print", path
