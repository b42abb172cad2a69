"""The engine's side of our protocol, without a process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tripot
from tripot.external.protocol import EngineServer, parse_candidate
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


class Thinker(Engine):
    """Thinks until it is stopped, and tells what it finds."""

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


class Seer(Engine):
    """Knows how often it wins, by how much, and who can come where."""

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        best = self._analyse(view, limit, rng).candidates[0]
        limit.on_best(best)
        return best

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        one, *_, three = view.legal_actions()
        best = Candidate(three, 0.25, (three, one), expected=ExpectedOutcome(0.625, (3.5, -2.0)))
        reach = (DistanceMap("white", {"a1": 1, "a2": 2}), DistanceMap("black", {"a2": 1}))
        return Analysis((best, Candidate(one, -0.5)), distance_maps=reach)


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def ask(toy: AnyGame, heard: list[str]) -> Callable[..., list[str]]:
    """A line to an engine of the toy game, and the lines it answers with."""
    session = EngineServer(toy, heard.append)

    def asked(line: str, stopped: Callable[[], bool] = lambda: False) -> list[str]:
        heard.clear()
        session.handle(line, stopped)
        return [*heard]

    asked.session = session  # type: ignore[attr-defined]  # for tests that look inside
    return asked


def test_hello_tells_who_is_there_and_what_can_be_set(ask: Any) -> None:
    said = ask("hello")
    assert said[:2] == ["protocol 1", "name tripot"]
    assert f"version {tripot.__version__}" in said
    assert "game tally 1" in said
    assert "option level from 1 to 2 now 2" in said
    assert "option seed from 0 to 1000000000 now -" in said
    assert not any("threads" in line for line in said), "this engine has but one"
    assert said[-1] == "ok"


def test_a_position_is_a_view_and_perhaps_actions_after_it(ask: Any) -> None:
    assert ask(f"position {START}") == ["ok"]
    assert ask("go") == ["best take 3 value +1.000 line take 3"]
    assert ask(f"position {START} | take 3") == ["ok"]
    assert ask("go simulations 1") == ["best take 2 value +1.000 line take 2"]


def test_a_position_may_be_the_start_with_options(ask: Any) -> None:
    assert ask("position start heap=7 | deal 1,2 | take 3 | take 3") == ["ok"]
    assert ask("go") == ["best take 1 value +1.000 line take 1"]


def test_analysis_ranks_the_actions_best_first(ask: Any) -> None:
    ask(f"position {START}")
    assert ask("analyse top 2") == [
        "choice 1 take 3 value +1.000 line take 3",
        "choice 2 take 2 value +0.667 line take 2",
        "ok 3 actions",
    ]


def test_what_an_engine_foresees_is_told_with_every_choice_and_read_back(ask: Any) -> None:
    ask.session.engine = Seer()
    ask(f"position {START}")
    said = "take 3 value +0.250 wins 0.625 scores 3.5,-2.0 line take 3 | take 1"
    assert ask("go") == [f"info best {said}", f"best {said}"]
    assert ask("analyse") == [
        "reach white a1=1 a2=2",
        "reach black a2=1",
        f"choice 1 {said}",
        "choice 2 take 1 value -0.500 line take 1",
        "ok 2 actions",
    ]
    read = parse_candidate(said)
    assert read.expected == ExpectedOutcome(0.625, (3.5, -2.0))
    assert (read.action, read.value, read.pv) == ("take 3", 0.25, ("take 3", "take 1"))


def test_words_of_a_choice_that_are_new_are_skipped() -> None:
    read = parse_candidate("take 3 value +0.250 depth 12 wins 1.000 scores 4.0 line take 3")
    assert read == Candidate("take 3", 0.25, ("take 3",), expected=ExpectedOutcome(1.0, (4.0,)))
    assert parse_candidate("take 3 value +0.250 wins 1.000 line take 3").expected is None


@pytest.mark.parametrize(
    "text", ["take 3", "take 3 value 1 line take 3", "x value +0.1 wins many scores 1,2 line x"]
)
def test_what_is_no_choice_is_refused(text: str) -> None:
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
    ("line", "said"),
    [
        ("dance", "no such command: dance; there are hello"),
        ("go", "there is no position yet"),
        ("position", "a position is needed"),
        ("position tally what", "not a position"),
        ("position start heap=6", "choose one of"),
        (f"position {START} | jump", "take 1, take 2 or take 3"),
        (f"position {START} | take 4", "(TY-2)"),
        ("option", "no such option"),
        ("option level 3", "level is a whole number from 1 to 2, not '3'"),
        ("option threads 2", "no such option: 'threads'"),
        ("option seed -1", "seed is a whole number"),
    ],
)
def test_bad_input_is_one_line_that_says_so(ask: Any, line: str, said: str) -> None:
    (answer,) = ask(line)
    assert answer.startswith("error ")
    assert said in answer


@pytest.mark.parametrize(
    "limits",
    [
        "seconds",
        "seconds nan",
        "seconds 0",
        "seconds 1e9",
        "mean 0",
        "seconds 1 mean 1",
        "depth 3",
        "simulations 0",
        "seconds 1 seconds 1",
    ],
)
def test_bad_limits_are_refused(ask: Any, limits: str) -> None:
    ask(f"position {START}")
    assert ask(f"go {limits}")[0].startswith("error ")


def test_nobody_moves_when_chance_acts_or_the_game_is_over(ask: Any) -> None:
    ask("position start")
    assert ask("go") == ["error nobody is to move here: chance acts first"]
    ask("position start | deal 1,2 | take 3 | take 2")
    assert ask("go") == ["error nobody is to move here: the game is over"]


def test_an_error_changes_nothing(ask: Any) -> None:
    ask(f"position {START}")
    for line in ("position nonsense", f"position {START} | take 3 | take 3", "option level 9"):
        ask(line)
    assert ask("go") == ["best take 3 value +1.000 line take 3"]


def test_a_stop_ends_the_thought_with_what_there_is(ask: Any) -> None:
    ask.session.engine = Thinker()
    ask(f"position {START}")
    assert ask("go seconds 3600", lambda: True) == [
        "info best take 1 value +0.250 line take 1 | take 1",
        "best take 3 value +1.000 line take 3",
    ]


@pytest.mark.parametrize(("asked", "mean"), [("seconds 3", False), ("mean 3", True)])
def test_seconds_are_for_the_move_or_the_mean_of_a_game(ask: Any, asked: str, mean: bool) -> None:
    limits = list[Limit]()

    class Listener(Thinker):
        def _choose(self, view: Any, limit: Limit, rng: Any) -> Candidate:
            limits.append(limit)
            return super()._choose(view, limit, rng)

    ask.session.engine = Listener()
    ask(f"position {START}")
    ask(f"go {asked}", lambda: True)
    assert [(limit.seconds, limit.average) for limit in limits] == [(3.0, mean)]


def test_progress_is_told_while_it_thinks(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tripot.external.protocol.INFO_INTERVAL", 0.0)
    ask.session.engine = Thinker()
    ask(f"position {START}")
    answers = iter([False, False, True])
    _, *infos, _ = ask("go seconds 3600", lambda: next(answers))
    assert [line.split(" seconds ")[0] for line in infos] == ["info done 0.50"] * 2


def test_threads_can_be_set_where_the_engine_has_them(ask: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr(type(ask.session.game), "engine", lambda *_: Thinker())
    ask("new")
    assert "option threads from 1 to 4 now 1" in ask("hello")
    assert ask("option threads 3") == ["ok"]
    assert ask.session.engine.threads == 3
    assert "not '5'" in ask("option threads 5")[0]


def test_an_engine_that_fails_is_an_error_and_not_the_end(
    ask: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ask.session.engine = Thinker()
    ask(f"position {START}")
    assert ask("analyse") == ["error the engine failed: ZeroDivisionError('a bug')"]
    assert "Traceback" in capsys.readouterr().err
    assert ask("hello")[-1] == "ok"


def test_an_idle_stop_and_an_empty_line_are_not_answered(ask: Any) -> None:
    assert ask("stop") == ask("") == ask("  ") == []


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(st.lists(st.lists(st.sampled_from(COMMANDS + WORDS) | st.text(max_size=8), max_size=5), max_size=6))
def test_whatever_is_typed_every_command_has_one_last_line(ask: Any, lines: list[list[str]]) -> None:
    for words in lines:
        line = " ".join(words).replace("\n", " ")
        said = ask(line)
        silent = not line.strip() or line.split()[0] == "stop"
        assert [each.split()[0] in ("ok", "best", "error") for each in said] == [False] * (len(said) - 1) + [
            True
        ] * (not silent)
        assert not any("engine failed" in each for each in said), said
