"""The menu of `tripot` without a command: a few questions with default answers, then a game."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Final

import tripot
from tripot.cli.arguments import default_level, load_record, make_rngs, parse_seats
from tripot.cli.console import QuitError, ask, console
from tripot.cli.info import levels_table
from tripot.cli.play import new_save_path, saves_dir
from tripot.cli.terminal_game import TerminalGame
from tripot.game import AnyGame, Limit, TripotError
from tripot.table import Table

DEFAULT_SECONDS: Final = 1.0
"""Time limit of a bot per move."""


def menu() -> None:
    """Play one game after the other, until the user quits."""
    console.print(f"[bold]Tripot {tripot.__version__}[/], four board games.")
    console.print("Enter takes the answer in brackets, q quits.")
    try:
        while True:
            table, file = _resumed_table() or _new_table()
            if not TerminalGame(table, file, Limit(seconds=DEFAULT_SECONDS), make_rngs(None)).run():
                return
            ask("Enter for another game, q to quit: ", leave="q")
    except QuitError:
        console.print("Goodbye.")


def _resumed_table() -> tuple[Table, Path] | None:
    """Return the last saved game if it is unfinished and the user wants to resume it."""
    files = sorted(saves_dir().glob("*.txt"), key=lambda file: file.stat().st_mtime)
    try:
        record = load_record(files[-1]) if files else None
    except TripotError:
        return None  # not a record, or one of another version of the rules
    if not record or record.outcome:
        return None
    summary = f"{record.game.title}, {' against '.join(record.seats)}, {len(record.actions)} actions"
    if _ask_choice("There is an unfinished game.", ["begin a new one", f"resume it ({summary})"]) == 0:
        return None
    players = parse_seats(record.game, ",".join(record.seats), record.options.players)
    return Table.resume(record, players), files[-1]


def _new_table() -> tuple[Table, Path]:
    """Ask for a game, the number of players and who they are; other options keep their defaults."""
    games = tripot.list_games()
    game = games[_ask_choice("Which game?", [game.title for game in games])]
    console.print(f"\n[bold]{game.title}[/]")
    entry = next(entry for entry in game.Options.schema() if entry["name"] == "players")
    counts = entry["choices"]
    players = int(_ask_number(f"How many players, {' or '.join(counts)}?", counts, entry["default"]))
    seats = _seats(game, players)
    console.print(f"Variants: tripot play {game.key} --help", style="dim", markup=False)
    today, options = date.today().isoformat(), game.Options.parse({"players": str(players)})
    return Table(game, options, parse_seats(game, seats, players), date=today), new_save_path(game, today)


def _seats(game: AnyGame, players: int) -> str:
    """Ask who plays, and return it in the format of `--seats`."""
    others = players - 1
    answers = [
        "you begin, against the computer",
        "the computer begins",
        "people only, at this screen",
        "watch the computer",
    ]
    choice = _ask_choice("Who plays?", answers if others else ["you", "the computer"])
    if not others:
        return "me" if choice == 0 else _ask_bot(game)
    if choice == 2:
        return ",".join(f"player {number}" for number in range(1, players + 1))
    bot = _ask_bot(game)
    names = {0: ["me", *[bot] * others], 1: [bot, "me", *[bot] * (others - 1)], 3: [bot] * players}
    return ",".join(names[choice])


def _ask_bot(game: AnyGame) -> str:
    """Say how the levels play, ask for one, and return the name of that bot."""
    console.print(levels_table(game))
    levels = [str(level) for level in game.levels]
    question = f"Which level, {levels[0]} (easy) to {levels[-1]} (strong)?"
    return f"bot{_ask_number(question, levels, str(default_level(game)))}"


def _ask_number(question: str, numbers: list[str], default: str) -> str:
    """Ask for one of several numbers; if there is only one, return it without asking."""
    if len(numbers) == 1:
        return numbers[0]
    prompt = f"{question} [{default}] ".lstrip()
    while (answer := ask(prompt, leave="q") or default) not in numbers:
        console.print(f"Please type {', '.join(numbers[:-1])} or {numbers[-1]}.")
    return answer


def _ask_choice(question: str, answers: list[str]) -> int:
    """Ask for an answer by its number, and return its index; if there is only one, do not ask."""
    if len(answers) == 1:
        return 0
    console.print(f"\n[bold]{question}[/]")
    for number, answer in enumerate(answers, 1):
        console.print(f"  {number}  {answer}", markup=False)
    return int(_ask_number("", [str(number) for number in range(1, len(answers) + 1)], "1")) - 1
