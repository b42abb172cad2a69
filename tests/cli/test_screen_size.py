"""Everything that a game in the terminal shows fits into 80 by 24, and into 60 columns, without colours."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.cli.terminal_emulator import TerminalEmulator

import tripot
from tripot.cli.console import console
from tripot.cli.terminal_game import TerminalGame
from tripot.game import CHANCE, AnyGame, Limit, OptionError, Options
from tripot.table import Player, Table

HEIGHT = 24
MAX_CHOICES = 4  # of one option: some have dozens
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


def variants(game: AnyGame, players: int) -> Iterator[Options]:
    """The default options, and each other choice of one option."""
    yield game.Options.parse(f"players={players}")
    for entry in game.Options.schema():
        for choice in entry["choices"][:MAX_CHOICES] if entry["name"] != "players" else ():
            text = f"players={players} {entry['name']}={choice}"
            try:
                options = game.Options.parse(text)
                game.initial_state(options)
            except OptionError:
                continue
            if str(options) != str(game.Options.parse(f"players={players}")):
                yield options


def table_after(game: AnyGame, options: Options, share: float) -> Table:
    """A table of people at which a share of a random game was played, with a person to act."""
    rng, names = Random(3), [Player(name) for name in ("Annabel", "Bartholomew", "Christina", "D")]
    table = Table(game, options, names[: options.players], date="2026-01-31")
    while table.to_act is not None and table.action_count < 150:
        if table.to_act is CHANCE:
            table.sample_chance(rng)
        else:
            table.act(table.to_act, rng.choice(table.state.legal_actions()))
    record, count = table.record(), round(share * table.action_count)
    again = Table(game, options, names[: options.players], date="2026-01-31")
    for action in record.actions:
        if again.to_act is CHANCE:
            again.apply_chance(action)
        elif again.action_count >= count:
            break
        else:
            assert again.to_act is not None
            again.act(again.to_act, action)
    return again


Screens = Callable[[Table, Iterator[str], int], list[tuple[str, str]]]


@pytest.fixture
def screens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Screens:
    """Return a function that plays at a table and returns each screen with an input, before and after."""

    def play(table: Table, inputs: Iterator[str], columns: int) -> list[tuple[str, str]]:
        terminal, shown = TerminalEmulator(columns), list[tuple[str, str]]()

        def answer(prompt: str = "") -> str:
            terminal.write(prompt)
            text = next(inputs, None)
            shown.append((terminal.text, "" if text is None else text))
            if text is None:
                raise EOFError
            terminal.write(f"{text}\n")
            return text

        settings: dict[str, Any] = {"_force_terminal": True, "_color_system": None, "no_color": True}
        settings |= {"_width": columns, "_height": HEIGHT, "_file": terminal}
        with monkeypatch.context() as patch:
            patch.setattr(builtins, "input", answer)
            patch.setattr("sys.stdin", type("Typed", (), {"isatty": lambda _: True})())
            for name, setting in settings.items():
                patch.setattr(console, name, setting)
            game = TerminalGame(table, tmp_path / "game.txt", Limit(simulations=30), (Random(1), Random(2)))
            if game.run():
                shown.append((terminal.text, "at the end"))
        return shown

    return play


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


CASES = [
    (game, int(players))
    for game in tripot.list_games()
    for entry in game.Options.schema()
    if entry["name"] == "players"
    for players in entry["choices"]
]


@pytest.mark.kernel
@pytest.mark.long
@pytest.mark.parametrize("columns", [80, 60])
@pytest.mark.parametrize(("game", "players"), CASES, ids=lambda each: getattr(each, "key", each))
def test_every_screen_fits(screens: Screens, game: AnyGame, players: int, columns: int) -> None:
    """A hint of Trigon had 31 lines, so the upper half of the board was out of sight."""
    for options in variants(game, players):
        print(f"{game.key} {options}")
        for share in (0.0, 0.5, 0.97):
            table = table_after(game, options, share)
            check(screens(table, questions_and_moves(table, 3), columns), columns)
