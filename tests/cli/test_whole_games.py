"""A person plays each kind of game to its end, in a terminal of 80 by 24 without colours, against bots."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.screens import HEIGHT, variants
from tests.cli.terminal_emulator import TerminalEmulator

import tripot
from tripot.cli.console import outcome_text
from tripot.cli.terminal_game import MAX_DRAWN_ACTIONS
from tripot.game import CHANCE, AnyGame, AnyState, Options
from tripot.record import Record

WIDTH = 80
LAST_ACTIONS = 14  # a game begins with so many actions left of a random one
TIMEOUT = 60.0  # seconds without output after which a game is taken for stuck: engines may have to compile
QUESTION = re.compile(r"(> |: |\] )$")
EXTRA_INPUTS = ("hint", "help", "", "nonsense", "list", "rules 3")


class Terminal:
    """A command in a pseudo-terminal, and what its screen shows."""

    def __init__(self, arguments: list[str]) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.screen, self.output = TerminalEmulator(WIDTH), b""
        self.descriptor, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name not in ("LINES", "COLUMNS")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tripot", *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env=environment | {"NO_COLOR": "1", "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(child)

    def wait_for_question(self) -> bool:
        """Return True once the command asks for an input, or False if it has ended."""
        while True:
            ready, _, _ = select.select([self.descriptor], [], [], TIMEOUT)
            assert ready, f"nothing happens after:\n{self.screen.text}"
            try:
                output = os.read(self.descriptor, 65536)
            except OSError:  # Linux reports the end of the command so
                return False
            if not output:
                return False
            self.output += output
            text, self.output = _complete_text(self.output)
            self.screen.write(text)
            line = "".join(self.screen.lines[self.screen.row])
            if QUESTION.search(line) and not select.select([self.descriptor], [], [], 0)[0]:
                return True

    def type(self, text: str) -> None:
        """Type a line."""
        os.write(self.descriptor, f"{text}\n".encode())

    def close(self) -> None:
        """End the command."""
        self.process.kill()
        self.process.wait()
        os.close(self.descriptor)


def _complete_text(output: bytes) -> tuple[str, bytes]:
    """Return the text of an output without a character or control sequence that is not complete, and that."""
    end = len(output)
    for start in range(max(0, end - 16), end):
        if output[start] == 0x1B and not re.match(rb"\x1b(\[[?\d;]*[A-Za-z]|[=>])", output[start:]):
            return output[:start].decode(), output[start:]
    for cut in range(4):
        try:
            return output[: end - cut].decode(), output[end - cut :]
        except UnicodeDecodeError:
            continue
    raise AssertionError(f"not UTF-8: {output!r}")


def late_position(options: Options, game: AnyGame) -> AnyState:
    """A position near the end of a random game, with a person to act."""
    rng, states = Random(1), [game.initial_state(options)]
    while (actor := states[-1].to_act) is not None:
        state = states[-1]
        action = state.sample_chance(rng) if actor is CHANCE else rng.choice(state.legal_actions())
        states.append(state.apply(action))
    late = states[max(0, len(states) - 1 - LAST_ACTIONS) :]
    return next(state for state in late if isinstance(state.to_act, int))


def kinds() -> Iterator[Any]:
    """Each game with each number of players, and each option of the smallest number with another choice."""
    for game in tripot.list_games():
        schema = {entry["name"]: entry["choices"] for entry in game.Options.schema()}
        for players in schema["players"]:
            first, *others = variants(game, int(players))
            names = {str(each).split()[-1].partition("=")[0]: each for each in reversed(others)}
            for options in [first, *(names.values() if players == schema["players"][0] else ())]:
                yield pytest.param(game, options, id=f"{game.key}-{players}-{options}")


@pytest.mark.kernel
@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(("game", "options"), [*kinds()])
def test_a_person_plays_to_the_end(game: AnyGame, options: Options, tmp_path: Path) -> None:
    rng = Random(2)
    play_to_the_end(
        game,
        late_position(options, game),
        tmp_path / "game.txt",
        EXTRA_INPUTS,
        lambda state: [str(rng.choice(state.legal_actions()))],
    )


@pytest.mark.kernel
@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
def test_a_person_plays_a_whole_game_by_short_texts(game: AnyGame, tmp_path: Path) -> None:
    """From the first move, with the short texts and numbers that the terminal explains."""
    start, rng = game.initial_state(), Random(1)
    while start.to_act is CHANCE:
        start = start.apply(start.sample_chance(rng))
    short_moves = play_to_the_end(
        game, start, tmp_path / "game.txt", (), lambda state: short_inputs(state, rng)
    )
    assert short_moves > 5 or not start.draw_pieces()


def short_inputs(state: AnyState, rng: Random) -> list[str]:
    """What to type for a random move: a short text, and the number of its drawing if it may mean several.

    The short text is a piece and a cell, where there are pieces to choose from, or else the last word.
    """
    action = rng.choice(state.offered_actions())
    if state.draw_pieces():
        piece, _, place = str(action).partition("@")
        text = f"{piece} {re.split('[^a-z0-9]', place)[0]}"
    else:
        text = str(action).rpartition(" ")[2]
    matches = state.matching_actions(text)
    if len(matches) == 1:
        return [text]
    if action in matches and len(matches) <= MAX_DRAWN_ACTIONS and state.draw_pieces():
        return [text, str(matches.index(action) + 1)]
    return [str(action)]


def play_to_the_end(
    game: AnyGame,
    start: AnyState,
    file: Path,
    extra_inputs: Sequence[str],
    inputs_of: Callable[[AnyState], list[str]],
) -> int:
    """Play a game against bots, and check every screen; return how many moves of the person were short."""
    seats = ["bot1"] * start.options.players
    assert isinstance(start.to_act, int)
    seats[start.to_act] = "Ann"
    arguments = ["play", game.key, "--from", start.to_text(), "--seats", ",".join(seats)]
    arguments += ["--save", str(file), "--seed", "1", "--simulations", "5"]
    pending, short_moves = [*extra_inputs], 0
    with closing(Terminal(arguments)) as terminal:
        while terminal.wait_for_question():
            check(terminal.screen.text)
            question = "".join(terminal.screen.lines[terminal.screen.row])
            if not question.endswith("> "):
                terminal.type("")
                continue
            if not pending:
                state = Record.load(file).final_state if file.exists() else start
                pending = inputs_of(state)
                short_moves += pending[0] not in map(str, state.legal_actions())
            terminal.type(pending.pop(0))
        assert terminal.process.wait() == 0
        check(terminal.screen.text)
    outcome = Record.load(file).outcome
    assert outcome is not None, terminal.screen.text
    assert outcome_text(game, outcome) in " ".join(terminal.screen.text.split())
    return short_moves


def check(screen: str) -> None:
    lines = screen.split("\n")
    assert len(lines) <= HEIGHT, screen
    assert max(map(len, lines)) <= WIDTH, screen
