"""`tripot engine`: the process, and the sitting that the papers show."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from io import TextIOBase
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner, Result

import tripot
from tripot.cli import app
from tripot.cli.engine import serve
from tripot.external.process import EngineProcessError, ProtocolEngine
from tripot.external.protocol import EngineServer
from tripot.game import CHANCE, Analysis, AnyGame, AnyState, Candidate, Engine, Limit, Rng

Run = Callable[..., Result]
PAPER = Path(__file__).parents[2] / "docs" / "engine-protocol.md"


def command(game: AnyGame) -> str:
    return shlex.join([sys.executable, "-m", "tripot", "engine", game.key])


@pytest.mark.kernel
def test_the_sitting_in_the_papers_is_true(run: Run) -> None:
    shown = PAPER.read_text("utf-8")
    begun = re.search(r"    \$ tripot engine (\S+)\n((?:    [<>] .*\n)+)", shown)
    assert begun
    sitting = [line[4:] for line in begun[2].splitlines()]
    asked = "".join(line[2:] + "\n" for line in sitting if line.startswith("> "))
    said = run("engine", begun[1], lines=asked).stdout.splitlines()
    now = f"version {tripot.__version__}"
    assert said == [re.sub(r"^version .*", now, line[2:]) for line in sitting if line.startswith("< ")]


@pytest.mark.kernel
def test_the_papers_name_every_command(run: Run, game: AnyGame) -> None:
    _, *commands = run("engine", game.key, lines="help\n").stdout.split()
    shown = PAPER.read_text("utf-8")
    assert [name for name in commands if f"`{name}" not in shown] == []


@pytest.mark.kernel
@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in tripot.list_games()])
def test_every_game_is_played_by_the_protocol(run: Run, game: AnyGame) -> None:
    rng, state = Random(2), game.initial_state(game.Options())
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    assert isinstance(state.to_act, int)
    position = state.view(state.to_act).to_text()
    asked = f"option seed 1\nposition {position}\ngo simulations 5\nanalyse simulations 5 top 3\n"
    said = run("engine", game.key, lines=asked).stdout.splitlines()
    best = next(line for line in said if line.startswith("best "))
    assert game.parse_action(best.removeprefix("best ").split(" value ")[0]) in state.legal_actions()
    assert said[-1] == f"ok {len(state.legal_actions())} actions"


@pytest.mark.kernel
def test_the_end_of_the_input_is_a_quit_after_all_is_answered(run: Run, game: AnyGame) -> None:
    assert run("engine", game.key, lines="hello").stdout.splitlines()[-1] == "ok"
    assert run("engine", game.key, lines="quit\nhello\n").stdout.splitlines() == ["ok"]


@pytest.mark.kernel
def test_bytes_that_are_no_text_are_an_error_like_any_other(run: Run, game: AnyGame) -> None:
    said = CliRunner().invoke(app, ["engine", game.key], input=b"\xff\xfe\nquit\n").stdout.splitlines()
    assert said[0].startswith("error no such command")
    assert said[-1] == "ok"


# --- A stop is heard during thought ------------------------------------------------------------


class Thinker(Engine):
    """Thinks until it is stopped."""

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        limit.on_best(Candidate(view.legal_actions()[0], 0.0))
        while not limit.should_stop():
            limit.on_progress(0.5)
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


class Typed(TextIOBase):
    """Lines that come when somebody types them."""

    def __init__(self) -> None:
        self.lines: SimpleQueue[str] = SimpleQueue()

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # lines as text, not bytes
        return iter(self.lines.get, "")


@pytest.mark.parametrize("thought", ["go seconds 3600", "analyse seconds 3600"])
def test_a_stop_is_heard_during_thought(toy: AnyGame, thought: str) -> None:
    typed, heard = Typed(), list[str]()

    def say(line: str) -> None:
        heard.append(line)
        if line.startswith("info best"):
            typed.lines.put("stop\n")
        if line.startswith(("best", "ok 1")):
            typed.lines.put("")

    session: Any = EngineServer(toy, say)
    session.engine = Thinker()
    for line in ("position start | deal 1,2\n", f"{thought}\n"):
        typed.lines.put(line)
    serve(session, typed)  # type: ignore[arg-type]  # it reads lines and asks for nothing else
    assert heard[-1].startswith(("best take 1", "ok 1 actions"))


def test_a_stop_right_after_go_is_not_lost_and_does_not_stop_the_next_one(toy: AnyGame) -> None:
    typed, heard = Typed(), list[str]()

    def say(line: str) -> None:
        heard.append(line)
        if heard.count("info best take 1 value +0.000 line take 1") == 2 and "stopped" not in heard:
            heard.append("stopped")  # the second thought is under way: the first stop was not for it
            typed.lines.put("stop\n")
            typed.lines.put("")

    session: Any = EngineServer(toy, say)
    session.engine = Thinker()
    for line in ("position start | deal 1,2\n", "go\n", "stop\n", "go\n"):
        typed.lines.put(line)
    serve(session, typed)  # type: ignore[arg-type]  # it reads lines and asks for nothing else
    assert sum(line.startswith("best ") for line in heard) == 2


# --- A process ---------------------------------------------------------------------------------


@pytest.mark.kernel
def test_a_process_is_driven_by_the_protocol(game: AnyGame) -> None:
    state, rng = game.initial_state(game.Options()), Random(1)
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    with ProtocolEngine(command(game), game) as program:
        assert program.name == f"tripot {tripot.__version__}"
        program.send_command("option level 1")
        program.send_command(f"position {state.to_text()}")
        assert game.parse_action(program.choose(Limit(seconds=0.01, simulations=1))) in state.legal_actions()
        with pytest.raises(EngineProcessError, match=r"refused 'option level 99': level is a whole number"):
            program.send_command("option level 99")


@pytest.mark.kernel
def test_an_engine_of_another_game_is_refused(game: AnyGame, toy: AnyGame) -> None:
    with pytest.raises(EngineProcessError, match=f"plays {game.key} 1, not tally 1"):
        ProtocolEngine(command(game), toy)
