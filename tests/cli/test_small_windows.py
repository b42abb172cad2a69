"""Windows that are narrow, low or without colours; records without the name of their game; clean endings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.fixed_engines import FixedValueEngine
from tests.random_games import random_states
from typer.testing import Result

import tripot
from tripot import i18n
from tripot.cli import console
from tripot.game import AnyGame
from tripot.record import Record

Run = Callable[..., Result]
GAMES = tripot.list_games()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("players", ["2", "4"])
def test_every_board_fits_into_80_by_24_and_into_60_columns(game: AnyGame, players: str) -> None:
    """Boards were once cropped at the right edge, or scrolled out of the window."""
    choices = next(entry["choices"] for entry in game.Options.schema() if entry["name"] == "players")
    if players not in choices:
        pytest.skip(f"not a game for {players}")
    states = random_states(game.initial_state(game.Options.parse({"players": players})), seed=1)
    for state in states[:: max(1, len(states) // 20)]:
        for columns in (80, 60):
            rows = state.draw_compact(columns, 24 - console.LINES_BELOW_BOARD)
            assert console.width_of(rows) <= columns
            assert len(rows) <= 20, "the prompt and the input need the rest"


def test_a_window_that_is_too_narrow_gets_a_message(
    run_cli: Run, game: AnyGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.console, "_width", 40)
    shown = run_cli("play", game.key, "--seats", "a,b", "--seed", 1).output
    assert "The board needs 51 columns, and this window has 40" in " ".join(shown.split())


def test_squares_that_may_be_entered_and_borders_are_visible_without_colours(
    run_cli: Run, game: AnyGame
) -> None:
    """Only the background told them, so NO_COLOR, dumb terminals and pipes showed nothing."""
    shown = run_cli("play", game.key, "--seats", "a,b", "--seed", 1).output
    assert shown.count("[") == 3
    assert shown.count("  +-----+") == 9


# --- Records and players -------------------------------------------------------------------------


def test_a_record_is_resumed_and_solved_without_the_name_of_its_game(
    run_cli: Run, game: AnyGame, played_record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.txt"
    played_record.save(file)
    assert "tripot replay" in run_cli("play", "--resume", file).output
    assert "the game is over" in run_cli("solve", file, code=2).stderr
    assert "the game is over" in run_cli("solve", game.key, file, code=2).stderr
    unfinished = replace(played_record, actions=played_record.actions[:-4])
    unfinished.save(file)
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedValueEngine(0.5))
    position = unfinished.final_state.to_text()
    shown = {run_cli("solve", *words).output for words in ((file,), (game.key, file), (game.key, position))}
    assert len(shown) == 1
    assert i18n.render(game, unfinished.final_state.prompt) in " ".join(shown.pop().split())
    assert "which game?" in run_cli("play", code=2).stderr


def test_players_gives_the_number_of_players_in_play_too(run_cli: Run, game: AnyGame, tmp_path: Path) -> None:
    file = tmp_path / "four.txt"
    lines = "1\nquit\n"
    run_cli("play", game.key, "--players", 4, "--seats", "a,b,c,d", "--save", file, "--seed", 1, lines=lines)
    assert Record.load(file).options.players == 4


# --- Output that cannot show boards, and Ctrl-C ----------------------------------------------------


def test_output_that_is_not_utf_8_gets_one_line(game: AnyGame) -> None:
    command = [sys.executable, "-m", "tripot", "play", game.key, "--seats", "a,b", "--seed", "1"]
    ended = subprocess.run(
        command,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "the output has the encoding ascii" in ended.stderr


def test_ctrl_c_while_modules_are_imported_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n", "utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "tripot", "games"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        128 + signal.SIGINT,
        "",
        "tripot: interrupted\n",
    )


INTERRUPTED_IMPORT = """
import signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored in a background process

class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
sys.argv = {arguments!r}
from tripot.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["tripot.game", "tripot.games", "tripot.cli.solve", "numpy"])
def test_ctrl_c_in_a_command_gets_one_line(game: AnyGame, played_record: Record, module: str) -> None:
    """Typer ended the command without a word, also while its module or numpy was imported.

    While the package itself was imported, there was a traceback.
    """
    position = next(state for state in played_record.states() if isinstance(state.to_act, int)).to_text()
    code = INTERRUPTED_IMPORT.format(module=module, arguments=["tripot", "solve", game.key, position])
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, capture_output=True, check=False, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        128 + signal.SIGINT,
        "",
        "tripot: interrupted\n",
    )
