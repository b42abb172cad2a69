"""The command `play`: a game in the terminal, new, from a position, or resumed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import date
from itertools import count
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

import tripot
from tripot.cli.arguments import (
    OptionalGameKey,
    OptionTexts,
    Players,
    SecondsPerMove,
    Seed,
    Simulations,
    load_record,
    make_rngs,
    parse_options,
    parse_position,
    parse_seats,
)
from tripot.cli.console import console
from tripot.cli.info import levels_table, options_table
from tripot.cli.terminal_game import TerminalGame
from tripot.game import CHANCE, Action, AnyGame, Limit, TripotError
from tripot.record import Record
from tripot.table import Table


class StartOptionsError(TripotError):
    """Options that say how a game begins contradict each other."""


class CommandWithGameOptions(TyperCommand):
    """A command whose help ends with the options and levels of the game that is named, or of all games."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Store the arguments, because the help is printed before they are parsed."""
        ctx.meta["arguments"] = list(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        games = tripot.list_games()
        for game in [game for game in games if game.key in ctx.meta["arguments"]] or games:
            console.print(options_table(game))
            console.print()
            console.print(levels_table(game))
            console.print()


@dataclass(frozen=True, slots=True)
class PlayConfig:
    """How a game in the terminal begins and is played. Contradictory settings raise an error.

    game            the game
    seats           players in playing order, as `parse_seats` reads them; empty for one person against bots
    options         options of the game as `name=value` texts
    position        text of the position to begin with; empty for the initial state
    resume          record of the game to resume
    same_chance_as  record of a game whose start and chance outcomes are used again
    save            file in which the game is saved; None for a new one in the default folder
    seed            seed of chance and engines; None for a random one
    limit           limit of an engine per move
    real_dice       whether chance outcomes are typed in
    """

    game: AnyGame
    seats: str
    options: tuple[str, ...]
    position: str
    resume: Path | None
    same_chance_as: Path | None
    save: Path | None
    seed: int | None
    limit: Limit
    real_dice: bool

    def __post_init__(self) -> None:
        if self.resume and (self.options or self.position):
            raise StartOptionsError(
                "--resume: a saved game has its own options and position; leave out -o, --players and --from"
            )
        if self.same_chance_as and (self.resume or self.options or self.position):
            raise StartOptionsError(
                "--same-chance-as: the record has its own options and start; "
                "leave out -o, --players, --from and --resume"
            )
        if self.position and self.options:
            raise StartOptionsError("--from: a position has its own options; leave out -o and --players")
        if self.save and self.save.exists() and not (self.resume and self.save.samefile(self.resume)):
            raise StartOptionsError(
                f"--save: {self.save} exists already; choose another file, or resume it with --resume"
            )


def play(  # noqa: PLR0913 - Typer makes an argument or flag of each parameter
    game_key: OptionalGameKey = "",
    seats: Annotated[
        str,
        typer.Option(
            metavar="PLAYER,PLAYER...",
            help="Players in playing order: `bot3` is the computer at level 3, other names are people. "
            "By default you begin, against bots.",
            show_default=False,
        ),
    ] = "",
    players: Players = None,
    option: OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    position: Annotated[
        str, typer.Option("--from", metavar="POSITION", help="Begin with this position.", show_default=False)
    ] = "",
    resume: Annotated[
        Path | None,
        typer.Option(metavar="RECORD", exists=True, dir_okay=False, help="Continue a saved game."),
    ] = None,
    same_chance_as: Annotated[
        Path | None,
        typer.Option(
            metavar="RECORD",
            exists=True,
            dir_okay=False,
            help="Use the boards, dice and draws of a game again.",
        ),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", dir_okay=False, help="Save the game there, after every move."),
    ] = None,
    seed: Seed = None,
    seconds: SecondsPerMove = 1.0,
    simulations: Simulations = None,
    real_dice: Annotated[
        bool, typer.Option("--real-dice", help="Type in the results of real dice, draws and shuffles.")
    ] = False,
) -> None:
    """Play a game, against the computer or with others at this screen."""
    record = resume or same_chance_as
    if not game_key and not record:
        raise StartOptionsError(
            "which game? Give its key, such as `tripot play KEY`; `tripot games` lists them"
        )
    config = PlayConfig(
        game=tripot.get_game(game_key) if game_key or not record else load_record(record).game,
        seats=seats,
        options=(*option, *([f"players={players}"] if players is not None else [])),
        position=position,
        resume=resume,
        same_chance_as=same_chance_as,
        save=save,
        seed=seed,
        limit=Limit(seconds=seconds, simulations=simulations),
        real_dice=real_dice,
    )
    run(config)


def run(config: PlayConfig) -> None:
    """Play a game in the terminal."""
    rngs = make_rngs(config.seed)
    replayed_chance: list[Action] = []
    if config.resume:
        record = _load_record(config.game, config.resume)
        names = config.seats or ",".join(record.seats)
        table = Table.resume(record, parse_seats(config.game, names, record.options.players))
    elif config.same_chance_as:
        record = _load_record(config.game, config.same_chance_as)
        names = config.seats or ",".join(record.seats)
        players = parse_seats(config.game, names, record.options.players)
        states = zip(record.states(), record.actions, strict=False)
        outcomes = [action for state, action in states if state.to_act is CHANCE]
        start, replayed_chance = config.game.repeat_chance(record.initial_state(), outcomes)
        position = start.to_text() if record.position else ""
        table = Table(config.game, start.options, players, position, date.today().isoformat())
    else:
        table = _new_table(config, rngs[0])
    file = config.save or config.resume or new_save_path(config.game, table.date)
    terminal_game = TerminalGame(table, file, config.limit, rngs, config.real_dice)
    terminal_game.replayed_chance = replayed_chance
    terminal_game.run()


def _new_table(config: PlayConfig, chance: Random) -> Table:
    """Return a new table; unless an option gives the number of players, the seats do."""
    game, position = config.game, config.position
    if position:
        # A game needs a full state, so what the position does not show is drawn at random.
        state = parse_position(position, game).determinize(chance)
        options, position = state.options, state.to_text()
    else:
        texts = list(config.options)
        if config.seats and not any(text.startswith("players=") for text in texts):
            texts.append(f"players={len(config.seats.split(','))}")
        options = parse_options(game, texts)
    players = parse_seats(game, config.seats, options.players)
    return Table(game, options, players, position, date.today().isoformat())


def _load_record(game: AnyGame, file: Path) -> Record:
    record = load_record(file)
    if record.game is not game:
        raise StartOptionsError(f"{file} is a record of {record.game.title}, not of {game.title}")
    return record


def saves_dir() -> Path:
    """Return the folder of games that are saved without a file name; TRIPOT_HOME changes it."""
    return Path(os.environ.get("TRIPOT_HOME") or typer.get_app_dir("tripot")) / "games"


def new_save_path(game: AnyGame, today: str) -> Path:
    """Return a file in `saves_dir` that does not exist yet."""
    paths = (saves_dir() / f"{game.key}-{today}-{number}.txt" for number in count(1))
    return next(path for path in paths if not path.exists())
