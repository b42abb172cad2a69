"""Everything that a game in the terminal shows fits into 80 by 24, and into 60 columns, without colours."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import pytest
from rich.color import ColorSystem
from rich.text import Text
from tests.cli.fixed_engines import FixedValueEngine
from tests.cli.screens import CASES, HEIGHT, Screens, table_after, variants
from tests.cli.terminal_emulator import TerminalEmulator

import tripot
from tripot import i18n
from tripot.cli.console import board_rows, console
from tripot.cli.game_screen import GameScreen
from tripot.game import AnyGame
from tripot.table import Player, Table

GAME_WITHOUT_POINTS = next(game for game in tripot.list_games() if game.draw_clause)

QUESTIONS = (
    "",
    "hint",
    "hint map",
    "help",
    "list",
    "rules",
    "nonsense",
    "?",
    "list x",
    "resign",
    "draw",
    "undo",
)


def questions_and_moves(table: Table, moves: int) -> Iterator[str]:
    """At each of some turns, every question, an action that is illegal, and then a legal one."""
    rng = Random(5)
    for turn in range(moves):
        if not isinstance(table.to_act, int):
            return
        for question in QUESTIONS[:: 1 if turn == 0 else 5]:
            yield question
            if question in ("resign", "draw"):
                yield "no"
            if question in ("rules", "list"):
                yield "q"
        if isinstance(table.to_act, int):
            yield f"{rng.choice(table.actions)}"
            yield str(rng.choice(table.state.legal_actions()))


def check(shown: list[tuple[str, str]], columns: int) -> None:
    previous = ""
    for screen, text in shown:
        lines = screen.split("\n")
        problem = f"{len(lines)} lines of {max(map(len, lines))}, after {previous!r}:\n{screen}"
        assert len(lines) <= HEIGHT, problem
        assert max(map(len, lines)) <= columns, problem
        previous = text


@pytest.mark.kernel
@pytest.mark.long
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize(("game", "players"), CASES, ids=lambda each: getattr(each, "key", each))
def test_every_screen_fits(screens: Screens, game: AnyGame, players: int, columns: int) -> None:
    """A hint once had 31 lines, so the upper half of the board was out of sight."""
    for options in variants(game, players):
        print(f"{game.key} {options}")
        for share in (0.0, 0.5, 0.97):
            table = table_after(game, options, share)
            check(screens(table, questions_and_moves(table, 3), columns), columns)


@pytest.mark.kernel
def test_the_board_stays_on_the_screen_of_a_hint(screens: Screens) -> None:
    """Also on that of a hint with a map, whose legend takes a line more: the note once replaced the board."""
    maps = 0
    for game in tripot.list_games():
        table = table_after(game, game.Options.parse("players=2"), 0.3)
        height = len(table.view_for(0).view.draw_compact(80, 0))
        for screen, text in screens(table, iter(["", "hint", "hint map", "help", "quit"]), 80)[1:]:
            lines = screen.split("\n")
            if text == "quit":
                assert "Enter        show the board again" in screen
            else:
                assert len(lines) > height, screen
            maps += "territory:" in screen
    assert maps


@pytest.mark.parametrize("columns", [80, 60])
def test_skipped_turns_are_shown_with_the_result_and_with_the_turns_of_bots(
    screens: Screens, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """They were shown only before the next turn of a person, who may never act again."""
    game = GAME_WITHOUT_POINTS
    options = game.Options.parse("players=2")
    monkeypatch.setattr(
        type(game.initial_state()),
        "skipped_by",
        lambda state, _: (1,) if isinstance(state.to_act, int) else (),
    )
    monkeypatch.setattr(type(game), "engine", lambda *_: FixedValueEngine(0.0))
    said = f"{i18n.seat_name(game, 1)} cannot play and is skipped."
    notes = []
    show_board = GameScreen.show_board

    def noted(self: GameScreen, seat: int | None, note: Text | None = None, *rest: Any) -> None:
        notes.append((self.table.to_act, note.plain if note else ""))
        show_board(self, seat, note, *rest)

    monkeypatch.setattr(GameScreen, "show_board", noted)
    table = Table(game, options, [Player("Ann"), Player("bot", level=1)])
    shown = screens(table, (str(table.state.offered_actions()[0]) for _ in count()), columns)
    assert table.outcome
    assert said in " ".join(shown[-1][0].split())
    assert shown[-1][0].count("is skipped") == 1
    assert {note.count(said) for actor, note in notes if actor == 1} == {1}
    assert all(len(screen.split("\n")) <= HEIGHT for screen, _ in shown)


def screen_in(
    screens: Screens, monkeypatch: pytest.MonkeyPatch, game: AnyGame, columns: int, lines: int
) -> str:
    """A screen of a game of two people in a window of this size."""
    monkeypatch.setattr("tests.cli.screens.HEIGHT", lines)
    screen = screens(table_after(game, game.Options.parse("players=2"), 0.3), iter([""]), columns)[-1][0]
    assert len(screen.split("\n")) <= lines, screen
    return screen


@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
@pytest.mark.parametrize("lines", [10, 15])
def test_a_window_that_is_too_low_gets_the_height_that_is_needed(
    screens: Screens, monkeypatch: pytest.MonkeyPatch, game: AnyGame, lines: int
) -> None:
    """The upper rows of the board were scrolled out of sight, or those of the player below."""
    screen = " ".join(screen_in(screens, monkeypatch, game, 60, lines).split())
    needed = int(screen.partition("The board needs ")[2].split()[0])
    assert f"The board needs {needed} lines, and this window has {lines}: please make it higher." in screen
    assert "(Annabel): " in screen or "(Bartholomew): " in screen, "the prompt stays"
    assert "The board needs" not in screen_in(screens, monkeypatch, game, 60, needed)


def test_a_line_of_the_prompt_stays_where_there_is_no_room_for_all(
    screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In 60 by 20 only the name before the input was left of it."""
    screen = screen_in(screens, monkeypatch, GAME_WITHOUT_POINTS, 60, 20)
    assert "(Annabel): " in screen or "(Bartholomew): " in screen


def test_the_scrollback_is_cleared_when_the_screen_is_handed_over(
    screens: Screens, monkeypatch: pytest.MonkeyPatch, toy_game: AnyGame
) -> None:
    """Some terminals put there what is cleared, so the other person's cards could be scrolled back to."""
    written: list[str] = []

    def write(_: TerminalEmulator, text: str) -> int:
        written.append(text)
        return len(text)

    monkeypatch.setattr(TerminalEmulator, "write", write)
    table = Table(toy_game, toy_game.Options.parse("players=2"), [Player("Ann"), Player("Bob")])
    table.run_chance(Random(1))
    screens(table, iter(["", "take 2", ""]), 80)
    handed_over = "".join(written).split("Pass the screen to")[:-1]
    assert len(handed_over) == 2
    assert all(text.endswith("\x1b[2J\x1b[H\x1b[3J") for text in handed_over)


@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
def test_a_window_with_colours_shows_one_layout(monkeypatch: pytest.MonkeyPatch, game: AnyGame) -> None:
    """After a refused input the compact board was shown, and the large one again after the next."""
    settings = {
        "_force_terminal": True,
        "_color_system": ColorSystem.STANDARD,
        "no_color": False,
        "_width": 80,
    }
    for name, setting in settings.items():
        monkeypatch.setattr(console, name, setting)
    table = table_after(game, game.Options.parse("players=2"), 0.3)
    assert isinstance(table.to_act, int)
    view, layouts = table.view_for(table.to_act).view, set()
    for height in range(20, 40):
        monkeypatch.setattr(console, "_height", height)
        is_large = {board_rows(view, (), lines)[:8] == view.draw_terminal()[:8] for lines in range(1, 6)}
        assert len(is_large) == 1, height
        room = GameScreen(table).lines_for_note(table.to_act)
        assert room is not None
        if room > 0:
            is_large_with_note = board_rows(view, (), 1 + room)[:8] == view.draw_terminal()[:8]
            assert {is_large_with_note} == is_large, height
        layouts |= is_large
    assert True in layouts, "a high window shows the large board"


COLOUR_PROGRAM = "from tripot.cli.console import console; print(console.color_system, console.no_color)"


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
@pytest.mark.parametrize(
    ("term", "shown"), [("vt100", "None True"), ("dumb", "None True"), ("xterm-256color", "256 False")]
)
def test_a_terminal_without_colours_is_taken_for_one(term: str, shown: str) -> None:
    """A vt100 was sent colours, and so got a board without borders."""
    import pty

    descriptor, child = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if not re.search("COLOR|TTY_", name)} | {
        "TERM": term
    }
    subprocess.run(
        [sys.executable, "-c", COLOUR_PROGRAM], stdout=child, stdin=child, env=environment, check=True
    )
    os.close(child)
    assert os.read(descriptor, 100).decode().strip() == shown
    os.close(descriptor)


def test_a_question_is_asked_again_until_the_answer_is_yes_or_no(
    screens: Screens, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`accept` counted as no, without a word."""
    game = GAME_WITHOUT_POINTS
    monkeypatch.setattr("tests.cli.screens.HEIGHT", 30)
    table = table_after(game, game.Options.parse("players=2"), 0.5)
    shown = screens(table, iter(["draw", "accept", "yes"]), 80)
    assert "Please answer yes or no" in shown[2][0]
    assert table.outcome


def test_a_question_is_broken_between_words(
    screens: Screens, monkeypatch: pytest.MonkeyPatch, toy_game: AnyGame
) -> None:
    """The terminal broke words that did not fit into the line."""
    table = Table(toy_game, toy_game.Options.parse("players=2"), [Player("Annabel"), Player("Bartholomew")])
    table.run_chance(Random(1))
    screen = screens(table, iter([]), 40)[0][0]
    assert [line.strip() for line in screen.split("\n")] == [
        "Pass the screen to First (Annabel), who",
        "presses Enter:",
    ]
