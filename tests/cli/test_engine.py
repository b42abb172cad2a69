"""`tripot engine`: the process, and the session in the documentation."""

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
from tripot.external.client import ProtocolEngine
from tripot.external.process import EngineProcessError
from tripot.external.server import EngineServer
from tripot.game import CHANCE, Analysis, AnyGame, AnyState, Candidate, Engine, Limit, Rng

Run = Callable[..., Result]
DOCUMENT = Path(__file__).parents[2] / "docs" / "engine" / "protocol.md"


def command(game: AnyGame) -> str:
    return shlex.join([sys.executable, "-m", "tripot", "engine", game.key])


@pytest.mark.kernel
def test_the_session_in_the_documentation_is_reproduced(run_cli: Run) -> None:
    shown = DOCUMENT.read_text("utf-8")
    example = re.search(r"    \$ tripot engine (\S+)\n((?:    [<>] .*\n)+)", shown)
    assert example
    session = [line[4:] for line in example[2].splitlines()]
    commands = "".join(line[2:] + "\n" for line in session if line.startswith("> "))
    answers = run_cli("engine", example[1], lines=commands).stdout.splitlines()
    version = f"version {tripot.__version__}"
    assert answers == [re.sub(r"^version .*", version, line[2:]) for line in session if line.startswith("< ")]


@pytest.mark.kernel
def test_the_documentation_names_every_command(run_cli: Run, game: AnyGame) -> None:
    _, *commands = run_cli("engine", game.key, lines="help\n").stdout.split()
    shown = DOCUMENT.read_text("utf-8")
    assert [name for name in commands if f"`{name}" not in shown] == []


@pytest.mark.kernel
@pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in tripot.list_games()])
def test_every_game_is_played_by_the_protocol(run_cli: Run, game: AnyGame) -> None:
    rng, state = Random(2), game.initial_state(game.Options())
    while state.to_act is CHANCE:
        state = state.apply(state.sample_chance(rng))
    assert isinstance(state.to_act, int)
    position = state.view(state.to_act).to_text()
    commands = f"option seed 1\nposition {position}\ngo simulations 5\nanalyse simulations 5 top 3\n"
    answers = run_cli("engine", game.key, lines=commands).stdout.splitlines()
    best = next(line for line in answers if line.startswith("best "))
    assert game.parse_action(best.removeprefix("best ").split(" value ")[0]) in state.legal_actions()
    assert answers[-1] == f"ok {len(state.legal_actions())} actions"


@pytest.mark.kernel
def test_the_end_of_the_input_ends_the_session_after_all_answers(run_cli: Run, game: AnyGame) -> None:
    assert run_cli("engine", game.key, lines="hello").stdout.splitlines()[-1] == "ok"
    assert run_cli("engine", game.key, lines="quit\nhello\n").stdout.splitlines() == ["ok"]


@pytest.mark.kernel
def test_invalid_bytes_are_an_unknown_command(run_cli: Run, game: AnyGame) -> None:
    result = CliRunner().invoke(app, ["engine", game.key], input=b"\xff\xfe\nquit\n")
    first, last = result.stdout.splitlines()
    assert first.startswith("error unknown command")
    assert last == "ok"


# --- Stopping a search -------------------------------------------------------------------------


class EndlessEngine(Engine):
    """Searches until it is stopped."""

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        limit.on_best(Candidate(view.legal_actions()[0], 0.0))
        while not limit.should_stop():
            limit.on_progress(0.5)
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


class LineStream(TextIOBase):
    """A stream of lines that a test sends one by one."""

    def __init__(self) -> None:
        self.lines: SimpleQueue[str] = SimpleQueue()

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # lines as text, not bytes
        return iter(self.lines.get, "")


@pytest.mark.parametrize("search", ["go seconds 3600", "analyse seconds 3600"])
def test_stop_ends_a_running_search(toy_game: AnyGame, search: str) -> None:
    stream, answers = LineStream(), list[str]()

    def send(line: str) -> None:
        answers.append(line)
        if line.startswith("info best"):
            stream.lines.put("stop\n")
        if line.startswith(("best", "ok 1")):
            stream.lines.put("")

    session: Any = EngineServer(toy_game, send)
    session.engine = EndlessEngine()
    for line in ("position start | deal 1,2\n", f"{search}\n"):
        stream.lines.put(line)
    serve(session, stream)  # type: ignore[arg-type]  # it only iterates over lines
    assert answers[-1].startswith(("best take 1", "ok 1 actions"))


def test_stop_right_after_go_is_not_lost_and_does_not_stop_the_next_search(toy_game: AnyGame) -> None:
    stream, answers = LineStream(), list[str]()

    def send(line: str) -> None:
        answers.append(line)
        if answers.count("info best take 1 value +0.000 pv take 1") == 2 and "stopped" not in answers:
            answers.append("stopped")  # the second search is running: the first stop did not end it
            stream.lines.put("stop\n")
            stream.lines.put("")

    session: Any = EngineServer(toy_game, send)
    session.engine = EndlessEngine()
    for line in ("position start | deal 1,2\n", "go\n", "stop\n", "go\n"):
        stream.lines.put(line)
    serve(session, stream)  # type: ignore[arg-type]  # it only iterates over lines
    assert sum(line.startswith("best ") for line in answers) == 2


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
        with pytest.raises(EngineProcessError, match=r"refused 'option level 99': invalid level '99'"):
            program.send_command("option level 99")


@pytest.mark.kernel
def test_an_engine_of_another_game_is_refused(game: AnyGame, toy_game: AnyGame) -> None:
    with pytest.raises(EngineProcessError, match=f"plays {game.key} 1, not tally 1"):
        ProtocolEngine(command(game), toy_game)
