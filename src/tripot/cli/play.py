"""`play`: a game in the terminal, new, from a position, or resumed."""

from __future__ import annotations

import os
from datetime import date
from itertools import count
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

import tripot
from tripot.cli.arguments import (
    GameKey,
    OptionTexts,
    SecondsPerMove,
    Seed,
    Simulations,
    load_record,
    make_limit,
    make_rngs,
    parse_options,
    parse_position,
    parse_seats,
)
from tripot.cli.console import console
from tripot.cli.info import options_table
from tripot.cli.terminal_game import TerminalGame
from tripot.game import CHANCE, AnyGame, TripotError
from tripot.record import Record
from tripot.table import Table


class StartOptionsError(TripotError):
    """Wishes that do not go together."""


class CommandWithGameOptions(TyperCommand):
    """A command whose help ends with the options of the game that it was asked for, or of all games."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Remember what was typed: help is given before arguments are read."""
        ctx.meta["typed"] = list(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        games = tripot.list_games()
        for game in [game for game in games if game.key in ctx.meta["typed"]] or games:
            console.print(options_table(game))
            console.print()


def play(
    game: GameKey,
    seats: Annotated[
        str,
        typer.Option(
            metavar="WHO,WHO...",
            help="Who plays, in playing order: `bot3` is the computer at level 3, other names are people. "
            "Without it, you begin, against bots.",
            show_default=False,
        ),
    ] = "",
    option: OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    position: Annotated[
        str, typer.Option("--from", metavar="POSITION", help="Begin there.", show_default=False)
    ] = "",
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RECORD", exists=True, dir_okay=False, help="Go on with a saved game."),
    ] = None,
    again: Annotated[
        Path | None,
        typer.Option(
            metavar="RECORD", exists=True, dir_okay=False, help="The same boards, dice and draws again."
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Keep the game there, after every move."),
    ] = None,
    seed: Seed = None,
    think: SecondsPerMove = 1.0,
    simulations: Simulations = None,
    real_dice: Annotated[
        bool, typer.Option("--real-dice", help="Type in what real dice, draws and shuffles gave.")
    ] = False,
) -> None:
    """Play a game, against the computer or with others at this screen."""
    found = tripot.get_game(game)
    if resume and (option or position):
        raise StartOptionsError("a resumed game has its options and its position: leave out -o and --from")
    if again and (resume or option or position):
        raise StartOptionsError("a game played again has its options and its start: leave out the rest")
    if position and option:
        raise StartOptionsError("a position has its own options: leave out -o")
    luck = make_rngs(seed)
    if resume:
        table = _resumed_table(found, resume, seats)
    elif again:
        record = _record(found, again)
        players = parse_seats(found, seats or ",".join(record.seats), record.options.players)
        table = Table(found, record.options, players, record.position, date.today().isoformat())
    else:
        table = _new_table(found, seats, option, position, luck[0])
    sitting = TerminalGame(
        table, _save_path(found, table.date, resume, save), make_limit(think, simulations), luck, real_dice
    )
    if again:
        states = zip(record.states(), record.actions, strict=False)
        sitting.replayed_chance = [action for state, action in states if state.to_act is CHANCE]
    sitting.run()


def _new_table(game: AnyGame, seats: str, option: list[str], position: str, chance: Random) -> Table:
    """A new table; as many play as seats are named, unless an option says how many."""
    if position:
        # What nobody knows of a position is dealt at random: it has to be something to be played.
        state = parse_position(position, game).determinize(chance)
        options, position = state.options, state.to_text()
    else:
        if seats and not any(each.startswith("players=") for each in option):
            option = [*option, f"players={len(seats.split(','))}"]
        options = parse_options(game, option)
    return Table(game, options, parse_seats(game, seats, options.players), position, date.today().isoformat())


def _resumed_table(game: AnyGame, file: Path, seats: str) -> Table:
    """The table of a record, with the same players unless others are named."""
    record = _record(game, file)
    names = seats or ",".join(record.seats)
    return Table.resume(record, parse_seats(game, names, record.options.players))


def _record(game: AnyGame, file: Path) -> Record:
    record = load_record(file)
    if record.game is not game:
        raise StartOptionsError(f"{file} is a record of {record.game.title}, not of {game.title}")
    return record


def _save_path(game: AnyGame, today: str, resume: Path | None, save: Path | None) -> Path:
    """Where the game is kept: in the file that was named, in the one that is resumed, or on the shelf."""
    if save and save.exists() and (not resume or not save.samefile(resume)):
        raise StartOptionsError(f"{save} exists already: --resume goes on with it")
    return save or resume or new_save_path(game, today)


def saves_dir() -> Path:
    """The folder of the games that nobody named a file for; TRIPOT_HOME moves it."""
    return Path(os.environ.get("TRIPOT_HOME") or typer.get_app_dir("tripot")) / "games"


def new_save_path(game: AnyGame, today: str) -> Path:
    """A file on the shelf that does not exist yet: nothing there is ever overwritten."""
    names = (saves_dir() / f"{game.key}-{today}-{number}.txt" for number in count(1))
    return next(name for name in names if not name.exists())
