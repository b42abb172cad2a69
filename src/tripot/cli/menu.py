"""`tripot` alone: a few questions, each with an answer for Enter, and the game begins."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import tripot
from tripot.cli.arguments import default_level, load_record, make_limit, make_rngs, parse_seats
from tripot.cli.console import QuitRequested, ask, console
from tripot.cli.play import new_save_path, saves_dir
from tripot.cli.terminal_game import TerminalGame
from tripot.game import AnyGame, TripotError
from tripot.table import Table

DEFAULT_SECONDS = 1.0


def menu() -> None:
    """Games one after the other, until somebody has had enough."""
    console.print(f"[bold]Tripot {tripot.__version__}[/], a house of board games.")
    console.print("Enter takes the answer in brackets, q leaves.")
    try:
        while True:
            table, file = _resumed() or _begun()
            if not TerminalGame(table, file, make_limit(DEFAULT_SECONDS, None), make_rngs(None)).run():
                return
            ask("Enter for another game, q to leave: ", leave="q")
    except QuitRequested:
        console.print("Goodbye.")


def _resumed() -> tuple[Table, Path] | None:
    """The last game that was left before its end, if somebody wants to go on with it."""
    files = sorted(saves_dir().glob("*.txt"), key=lambda file: file.stat().st_mtime)
    try:
        record = load_record(files[-1]) if files else None
    except TripotError:
        return None  # not one of ours, or of other rules
    if not record or record.outcome:
        return None
    last = f"{record.game.title}, {' against '.join(record.seats)}, {len(record.actions)} actions"
    if _ask_choice("There is an unfinished game.", ["begin a new one", f"go on with it ({last})"]) == 0:
        return None
    players = parse_seats(record.game, ",".join(record.seats), record.options.players)
    return Table.resume(record, players), files[-1]


def _begun() -> tuple[Table, Path]:
    """A new game as the answers want it; what is not asked for is the default."""
    games = tripot.list_games()
    game = games[_ask_choice("Which game?", [game.title for game in games])]
    console.print(f"\n[bold]{game.title}[/]")
    form = next(entry for entry in game.Options.schema() if entry["name"] == "players")
    counts = form["choices"]
    players = int(_ask_number(f"How many play, {' or '.join(counts)}?", counts, form["default"]))
    seats = _seats(game, players)
    console.print(f"Variants: tripot play {game.key} --help", style="dim", markup=False)
    today, options = date.today().isoformat(), game.Options.parse({"players": str(players)})
    return Table(game, options, parse_seats(game, seats, players), date=today), new_save_path(game, today)


def _seats(game: AnyGame, players: int) -> str:
    """Who plays, as `--seats` wants it."""
    others = players - 1
    answers = [
        "you begin, against the computer",
        "the computer begins",
        "people only, at this screen",
        "watch the computer",
    ]
    who = _ask_choice("Who plays?", answers if others else ["you", "the computer"])
    if not others:
        return "me" if who == 0 else _bot_turn(game)
    if who == 2:
        return ",".join(f"player {number}" for number in range(1, players + 1))
    bot = _bot_turn(game)
    return ",".join([["me", *[bot] * others], [bot, "me", *[bot] * (others - 1)], [], [bot] * players][who])


def _bot_turn(game: AnyGame) -> str:
    levels = [str(level) for level in game.levels]
    asked = f"Which level, {levels[0]} (easy) to {levels[-1]} (strong)?"
    return f"bot{_ask_number(asked, levels, str(default_level(game)))}"


def _ask_number(question: str, numbers: list[str], usual: str) -> str:
    """One of a few numbers; where there is only one, nobody is asked."""
    if len(numbers) == 1:
        return numbers[0]
    prompt = f"{question} [{usual}] ".lstrip()
    while (typed := ask(prompt, leave="q") or usual) not in numbers:
        console.print(f"Please type {', '.join(numbers[:-1])} or {numbers[-1]}.")
    return typed


def _ask_choice(question: str, answers: list[str]) -> int:
    """The place of the answer that was picked by its number; an only one goes without saying."""
    if len(answers) == 1:
        return 0
    console.print(f"\n[bold]{question}[/]")
    for number, answer in enumerate(answers, 1):
        console.print(f"  {number}  {answer}", markup=False)
    return int(_ask_number("", [str(number) for number in range(1, len(answers) + 1)], "1")) - 1
