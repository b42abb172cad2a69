"""Games as attributes of `tripot`, and what type checkers know of them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mypy import api
from tools import write_stub

import tripot
from tripot.game import AnyGame, OptionError
from tripot.record import Record

ROOT = Path(__file__).parent.parent
TYPES = 5  # of each game, that type checkers are asked for
GAMES = [pytest.param(game, id=game.key) for game in tripot.list_games()]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_an_attribute_and_takes_options_by_name(game: AnyGame) -> None:
    assert getattr(tripot, game.key) is game
    assert game.key in dir(tripot)
    assert game.initial_state(players=2) == game.initial_state(game.Options(players=2))


def test_a_fifth_game_is_an_attribute_too(toy_game: AnyGame) -> None:
    assert getattr(tripot, toy_game.key) is toy_game


def test_other_attributes_do_not_exist() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        tripot.chess  # type: ignore[attr-defined]  # noqa: B018 - that is the point
    assert not hasattr(tripot, "chess")


@pytest.mark.parametrize("game", GAMES)
def test_options_of_another_game_are_refused(game: AnyGame, toy_game: AnyGame) -> None:
    with pytest.raises(TypeError, match="is not an object of"):
        game.initial_state(toy_game.Options())
    with pytest.raises(TypeError):
        game.initial_state(heap=3)
    with pytest.raises(TypeError, match="not both"):
        game.initial_state(game.Options(players=2), players=2)


@pytest.mark.parametrize("game", GAMES)
def test_options_given_as_text_are_refused_with_the_remedy(game: AnyGame) -> None:
    """The messages were "option players=2: choose one of 2, 4" and "option players=players=2: ..."."""
    with pytest.raises(OptionError, match=r"option players=2: give the value itself and not its text, or "):
        game.initial_state(players="2")
    with pytest.raises(
        TypeError, match=r"'players=2' is text; initial_state\(Options.parse\('players=2'\)\)"
    ):
        game.initial_state("players=2")
    with pytest.raises(OptionError, match=r"^option foo: no such option; there are players"):
        game.Options.parse("foo")


@pytest.mark.parametrize("value", [None, 3, b"take 1"])
def test_only_text_is_parsed(toy_game: AnyGame, value: Any) -> None:
    """None raised an AttributeError without a word about the argument."""
    readers: list[Callable[[Any], object]] = [
        toy_game.parse_action,
        toy_game.parse_state,
        tripot.parse_state,
        Record.parse,
    ]
    for read in readers:
        with pytest.raises(TypeError, match=rf"the text of an? \w+ is needed, not {value!r}"):
            read(value)


def test_only_games_and_the_functions_of_the_module_are_listed() -> None:
    names = [name for name in dir(tripot) if not name.startswith("_")]
    modules = {name for name in names if isinstance(getattr(tripot, name), ModuleType)}
    assert {*names} - modules == {*tripot.__all__, *(game.key for game in tripot.list_games())}


def test_the_stub_lists_all_games() -> None:
    stub = Path(tripot.__file__).with_suffix(".pyi")
    assert stub.read_text("utf-8") == write_stub.stub_text(), "run `python tools/write_stub.py`"


def program_with_mistakes(folder: Path) -> Path:
    """A program that asks for five types of each game, and makes two mistakes with each."""
    program = folder / "program.py"
    lines = ["from random import Random", "import tripot", "from tripot.bot import Bot"]
    lines += ["from tripot.game import Limit", "limit, rng = Limit(), Random(1)"]
    for game in tripot.list_games():
        lines += [
            f"reveal_type(tripot.{game.key}.initial_state(players=2))",
            f"reveal_type(tripot.{game.key}.initial_state(players=2).options)",
            f"reveal_type(tripot.{game.key}.parse_action('x'))",
            f"{game.key}_view = tripot.{game.key}.initial_state(players=2)",
            f"reveal_type(tripot.{game.key}.engine(1).choose({game.key}_view, limit, rng).action)",
            f"reveal_type(Bot(tripot.{game.key}, level=1, seat=0).analyse(limit, rng).candidates[0].pv[0])",
            f"tripot.{game.key}.initial_state(players='two')",
            f"tripot.{game.key}.initial_state(plyers=2)",
        ]
    program.write_text("\n".join(lines), "utf-8")
    return program


@pytest.mark.long
def test_mypy_knows_the_options_states_and_actions_of_each_game(tmp_path: Path) -> None:
    program = program_with_mistakes(tmp_path)
    own_cache = str(ROOT / "build" / "mypy-games")  # `make check` runs mypy at the same time
    report, _, _ = api.run(["--strict", "--no-error-summary", "--cache-dir", own_cache, str(program)])
    notes = [line for line in report.splitlines() if "note: Revealed" in line]
    errors = [line for line in report.splitlines() if " error: " in line]
    games = tripot.list_games()
    assert len(notes) == TYPES * len(games), report
    for game, revealed in zip(games, zip(*[iter(notes)] * TYPES, strict=True), strict=True):
        state, options, *actions = revealed
        assert f"tripot.games.{game.key}.rules.State" in state
        assert f"tripot.games.{game.key}" in options
        assert "Options" in options
        for action in actions:
            assert f"tripot.games.{game.key}.actions" in action
    assert len(errors) == 2 * len(games), report


@pytest.mark.long
def test_pyright_knows_the_options_states_and_actions_of_each_game(tmp_path: Path) -> None:
    program_with_mistakes(tmp_path)
    settings = {"extraPaths": [str(ROOT / "src")], "typeCheckingMode": "standard"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), "utf-8")
    command = [
        "-m",
        "basedpyright",
        "--project",
        str(tmp_path),
        "--pythonpath",
        sys.executable,
        "--outputjson",
    ]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    diagnostics = json.loads(done.stdout)["generalDiagnostics"]
    rules = Counter(diagnostic.get("rule", diagnostic["severity"]) for diagnostic in diagnostics)
    keys = [game.key for game in tripot.list_games()]
    assert rules == {
        "information": TYPES * len(keys),
        "reportArgumentType": len(keys),
        "reportCallIssue": len(keys),
    }, diagnostics
    revealed = [each["message"] for each in diagnostics if each["severity"] == "information"]
    assert revealed[::TYPES] == [
        f'Type of "tripot.{key}.initial_state(players=2)" is "State"' for key in keys
    ]
