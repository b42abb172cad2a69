"""The engine's end of the engine protocol, without a process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tripot
from tripot.external.protocol import parse_candidate
from tripot.external.server import EngineServer
from tripot.game import (
    Analysis,
    AnyGame,
    AnyState,
    Candidate,
    DistanceMap,
    Engine,
    ExpectedOutcome,
    Limit,
    ParseError,
    Rng,
)

START = "tally 5 1,0 0,0 1 heap=5"
COMMANDS = ("hello", "option", "new", "position", "go", "analyse", "stop", "help", "")
WORDS = (
    "start",
    "level",
    "seed",
    "threads",
    "seconds",
    "simulations",
    "top",
    "1",
    "-1",
    "1e9",
    "nan",
    "|",
    "x",
)


class EndlessEngine(Engine):
    """Searches until it is stopped, and reports its best action; analysing fails."""

    def __init__(self) -> None:
        super().__init__()
        self.threads = 1

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        first, last = view.legal_actions()[0], view.legal_actions()[-1]
        limit.on_best(Candidate(first, 0.25, (first, first)))
        while not limit.should_stop():
            limit.on_progress(0.5)
        return Candidate(last, 1.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        raise ZeroDivisionError("a bug")


class FixedEngine(Engine):
    """Returns the same candidates with expected outcomes and distance maps."""

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        best = self._analyse(view, limit, rng).candidates[0]
        limit.on_best(best)
        return best

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        one, *_, three = view.legal_actions()
        best = Candidate(three, 0.25, (three, one), expected=ExpectedOutcome(0.625, (3.5, -2.0)))
        distance_maps = (DistanceMap("white", {"a1": 1, "a2": 2}), DistanceMap("black", {"a2": 1}))
        return Analysis((best, Candidate(one, -0.5)), distance_maps=distance_maps)


@pytest.fixture
def answers() -> list[str]:
    return []


@pytest.fixture
def ask(toy_game: AnyGame, answers: list[str]) -> Callable[..., list[str]]:
    """Return a function that sends a line to an engine of the toy game and returns its answer."""
    session = EngineServer(toy_game, answers.append)

    def send(line: str, stopped: Callable[[], bool] = lambda: False) -> list[str]:
        answers.clear()
        session.handle(line, stopped)
        return [*answers]

    send.session = session  # type: ignore[attr-defined]  # for tests that look inside
    return send


def test_every_engine_of_a_session_is_closed(toy_game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine may hold threads or a process. A session left the old one open at each option and `new`."""
    opened, closed = list[Engine](), list[Engine]()

    class CountedEngine(FixedEngine):
        def __init__(self, level: int) -> None:
            super().__init__()
            opened.append(self)

        def close(self) -> None:
            closed.append(self)

    monkeypatch.setattr(toy_game, "engine", CountedEngine)
    with closing(EngineServer(toy_game, lambda _: None)) as session:
        for line in ("option level 1", "new", "quit"):
            session.handle(line)
        assert len(opened) == 3
        assert closed == opened[:-1]
    assert closed == opened


def test_hello_reports_name_game_and_options(ask: Any) -> None:
    lines = ask("hello")
    assert lines[:2] == ["protocol 2", "name tripot"]
    assert f"version {tripot.__version__}" in lines
    assert "game tally 1" in lines
    assert "option level from 1 to 2 now 2" in lines
    assert "option seed from 0 to 1000000000 now -" in lines
    assert not any("threads" in line for line in lines), "this engine uses one thread"
    assert lines[-1] == "ok"


def test_a_position_may_be_followed_by_actions(ask: Any) -> None:
    assert ask(f"position {START}") == ["ok"]
    assert ask("go") == ["best take 3 value +1.000 win_rate 0.500 scores 0.0,0.0 pv take 3"]
    assert ask(f"position {START} | take 3") == ["ok"]
    assert ask("go simulations 1") == ["best take 2 value +1.000 win_rate 0.500 scores 3.0,0.0 pv take 2"]


def test_a_position_may_be_the_initial_one_with_options(ask: Any) -> None:
    assert ask("position start heap=7 | deal 1,2 | take 3 | take 3") == ["ok"]
    assert ask("go") == ["best take 1 value +1.000 win_rate 0.500 scores 3.0,3.0 pv take 1"]


def test_analysis_ranks_the_actions_best_first(ask: Any) -> None:
    ask(f"position {START}")
    assert ask("analyse top 2") == [
        "candidate 1 take 3 value +1.000 win_rate 0.500 scores 0.0,0.0 pv take 3",
        "candidate 2 take 2 value +0.667 win_rate 0.500 scores 0.0,0.0 pv take 2",
        "ok 3 actions",
    ]


def test_expected_outcomes_and_distance_maps_are_sent_and_parsed(ask: Any) -> None:
    ask.session.engine = FixedEngine()
    ask(f"position {START}")
    best = "take 3 value +0.250 win_rate 0.625 scores 3.5,-2.0 pv take 3 | take 1"
    assert ask("go") == [f"info best {best}", f"best {best}"]
    assert ask("analyse") == [
        "distances white a1=1 a2=2",
        "distances black a2=1",
        f"candidate 1 {best}",
        "candidate 2 take 1 value -0.500 pv take 1",
        "ok 2 actions",
    ]
    candidate = parse_candidate(best)
    assert candidate.expected == ExpectedOutcome(0.625, (3.5, -2.0))
    assert (candidate.action, candidate.value, candidate.pv) == ("take 3", 0.25, ("take 3", "take 1"))


def test_unknown_fields_of_a_candidate_are_ignored() -> None:
    candidate = parse_candidate("take 3 value +0.250 depth 12 win_rate 1.000 scores 4.0 pv take 3")
    expected: Candidate[Any] = Candidate("take 3", 0.25, ("take 3",), expected=ExpectedOutcome(1.0, (4.0,)))
    assert candidate == expected
    assert parse_candidate("take 3 value +0.250 win_rate 1.000 pv take 3").expected == ExpectedOutcome(
        1.0, ()
    )
    assert parse_candidate("take 3 value +0.250 pv take 3").expected is None


@pytest.mark.parametrize(
    "text", ["take 3", "take 3 value 1 pv take 3", "x value +0.1 win_rate many scores 1,2 pv x"]
)
def test_text_that_is_no_candidate_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_candidate(text)


def test_a_seed_makes_a_weak_level_repeat_itself(ask: Any) -> None:
    ask("option level 1")
    games = []
    for _ in range(2):
        assert ask("option seed 7") == ["ok"]
        ask(f"position {START}")
        games.append([ask("go") for _ in range(12)])
    assert games[0] == games[1]
    assert len({answer for (answer,) in games[0]}) > 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("dance", "unknown command 'dance': expected one of hello"),
        ("go", "there is no position yet"),
        ("position", "the position is missing"),
        ("position tally what", "not a position"),
        ("position start heap=6", "choose one of"),
        (f"position {START} | jump", "take 1, take 2 or take 3"),
        (f"position {START} | take 4", "(TY-2)"),
        ("option", "unknown option"),
        ("option level 3", "invalid level '3': expected a whole number from 1 to 2"),
        ("option threads 2", "unknown option 'threads'"),
        ("option seed -1", "invalid seed"),
    ],
)
def test_an_invalid_command_is_answered_with_one_error_line(ask: Any, line: str, message: str) -> None:
    (answer,) = ask(line)
    assert answer.startswith("error ")
    assert message in answer


@pytest.mark.parametrize(
    "limits",
    [
        "seconds",
        "seconds nan",
        "seconds 0",
        "seconds 1e9",
        "average 0",
        "seconds 1 average 1",
        "depth 3",
        "simulations 0",
        "seconds 1 seconds 1",
    ],
)
def test_invalid_limits_are_refused(ask: Any, limits: str) -> None:
    ask(f"position {START}")
    assert ask(f"go {limits}")[0].startswith("error ")


def test_a_search_needs_a_seat_to_act(ask: Any) -> None:
    ask("position start")
    assert ask("go") == ["error no seat is to act in this position: chance acts first"]
    ask("position start | deal 1,2 | take 3 | take 2")
    assert ask("go") == ["error no seat is to act in this position: the game is over"]


def test_an_error_does_not_change_the_session(ask: Any) -> None:
    ask(f"position {START}")
    for line in ("position nonsense", f"position {START} | take 3 | take 3", "option level 9"):
        ask(line)
    assert ask("go") == ["best take 3 value +1.000 win_rate 0.500 scores 0.0,0.0 pv take 3"]


def test_stop_ends_a_search_with_its_best_action(ask: Any) -> None:
    ask.session.engine = EndlessEngine()
    ask(f"position {START}")
    assert ask("go seconds 3600", lambda: True) == [
        "info best take 1 value +0.250 pv take 1 | take 1",
        "best take 3 value +1.000 pv take 3",
    ]


@pytest.mark.parametrize(("arguments", "average"), [("seconds 3", False), ("average 3", True)])
def test_seconds_are_for_one_move_or_the_average_of_a_game(ask: Any, arguments: str, average: bool) -> None:
    limits = list[Limit]()

    class RecordingEngine(EndlessEngine):
        def _choose(self, view: Any, limit: Limit, rng: Any) -> Candidate:
            limits.append(limit)
            return super()._choose(view, limit, rng)

    ask.session.engine = RecordingEngine()
    ask(f"position {START}")
    ask(f"go {arguments}", lambda: True)
    assert [(limit.seconds, limit.average) for limit in limits] == [(3.0, average)]


def test_progress_is_reported_during_a_search(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tripot.external.server.INFO_INTERVAL", 0.0)
    ask.session.engine = EndlessEngine()
    ask(f"position {START}")
    stops = iter([False, False, True])
    _, *infos, _ = ask("go seconds 3600", lambda: next(stops))
    assert [line.split(" seconds ")[0] for line in infos] == ["info done 0.50"] * 2


def test_threads_are_an_option_of_engines_that_use_several(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr(type(ask.session.game), "engine", lambda *_: EndlessEngine())
    ask("new")
    assert "option threads from 1 to 4 now 1" in ask("hello")
    assert ask("option threads 3") == ["ok"]
    assert ask.session.engine.threads == 3
    assert "invalid threads '5'" in ask("option threads 5")[0]


def test_a_failing_engine_does_not_end_the_session(ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    ask.session.engine = EndlessEngine()
    ask(f"position {START}")
    assert ask("analyse") == ["error the engine failed: ZeroDivisionError('a bug')"]
    assert "Traceback" in capsys.readouterr().err
    assert ask("hello")[-1] == "ok"


def test_stop_without_a_search_and_empty_lines_are_not_answered(ask: Any) -> None:
    assert ask("stop") == ask("") == ask("  ") == []


@pytest.mark.long
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(COMMANDS + WORDS) | st.text(max_size=8), max_size=5), max_size=6))
def test_every_command_has_exactly_one_last_line(ask: Any, lines: list[list[str]]) -> None:
    for words in lines:
        line = " ".join(words).replace("\n", " ")
        answer = ask(line)
        is_silent = not line.strip() or line.split()[0] == "stop"
        is_last = [text.split()[0] in ("ok", "best", "error") for text in answer]
        assert is_last == [False] * (len(answer) - 1) + [True] * (not is_silent)
        assert not any("engine failed" in text for text in answer), answer
