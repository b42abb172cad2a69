"""The arguments that commands share, and how they are read."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

import tripot
from tripot import i18n
from tripot.game import AnyGame, AnyState, IllegalActionError, Limit, Options, TripotError
from tripot.games import keys

# Not imported above: a command that shows a position needs neither records nor tables.
if TYPE_CHECKING:
    from tripot.record import Record
    from tripot.table import Player


GameKey = Annotated[
    str, typer.Argument(metavar="GAME", help="Its key: see `tripot games`.", autocompletion=keys)
]
OptionTexts = Annotated[
    list[str],
    typer.Option("-o", "--option", metavar="NAME=VALUE", help="How to play; may be given several times."),
]
Position = Annotated[
    list[str], typer.Argument(metavar="POSITION", help="As `show` prints it, quoted or not.")
]
RecordFile = Annotated[
    Path, typer.Argument(metavar="RECORD", exists=True, dir_okay=False, help="A file saved by `play`.")
]
Seed = Annotated[int | None, typer.Option(metavar="N", help="The same number gives the same chance.")]
SecondsPerMove = Annotated[
    float, typer.Option(metavar="SECONDS", min=0.01, help="How long an engine may think of a move.")
]
Simulations = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, help="Limit thinking by a count instead: plays the same everywhere."),
]


class SeatsError(TripotError):
    """Seats that nobody can take so."""


def make_rngs(seed: int | None, match: str = "") -> tuple[Random, Random]:
    """The generator of chance and that of the engines: thinking longer never changes the dice."""
    if seed is None:
        return Random(), Random()
    return Random(f"chance {seed} {match}"), Random(f"engines {seed} {match}")


def make_limit(think: float, simulations: int | None) -> Limit:
    """How long an engine may think of a move."""
    return Limit(seconds=think, simulations=simulations)


def parse_options(game: AnyGame, texts: list[str], players: int | None = None) -> Options:
    """The options of a game from `name=value` texts, and from the short word for the number of players."""
    return game.Options.parse(" ".join(texts + ([f"players={players}"] if players is not None else [])))


def parse_position(text: str, game: AnyGame | None = None) -> AnyState:
    """A position from its text; where the game is known its key may be left out."""
    if game and text.split(maxsplit=1)[:1] != [game.key]:
        return game.parse_state(f"{game.key} {text}")
    return game.parse_state(text) if game else tripot.parse_state(text)


def default_level(game: AnyGame) -> int:
    """The level of a bot that was not given one."""
    return game.levels[len(game.levels) // 2]


def parse_player(game: AnyGame, name: str) -> Player:
    """Who takes a seat: `bot` or `bot3` is the computer at a level, any other name a person.

    A bot is called `level 3` in records, so a record alone tells who was a bot.
    """
    from tripot.table import Player

    bot = re.fullmatch(r"bot(\d*)|level (\d+)", name)
    if not bot:
        return Player(name)
    level = int(bot[1] or bot[2] or default_level(game))
    if level not in game.levels:
        raise SeatsError(f"{game.title} has the levels {game.levels[0]} to {game.levels[-1]}, not {level}")
    return Player(f"level {level}", level=level)


def parse_seats(game: AnyGame, text: str, players: int) -> list[Player]:
    """The players from `me,bot3`, in playing order; nothing is a person against bots."""
    names = [name.strip() for name in text.split(",")] if text else ["me"] + ["bot"] * (players - 1)
    if len(names) != players:
        raise SeatsError(f"{players} seats are to be taken, not {len(names)}: {text}")
    return [parse_player(game, name) for name in names]


def existing_file(text: str) -> Path | None:
    """The file of that name, if the text can be one and there is one."""
    try:
        path = Path(text).expanduser()
        return path if path.is_file() else None
    except OSError:  # a position is too long for a file's name
        return None


class RecordFileError(TripotError):
    """A file that is no true record."""


def load_record(path: Path) -> Record:
    """The record in a file; what the rules refused in it is said in words, with its clause."""
    from tripot.record import Record, RecordError

    try:
        return Record.load(path)
    except RecordError as error:
        said, refused = str(error), error.__cause__
        if isinstance(refused, IllegalActionError):
            key = re.search(r"^game: *(\S+)", path.read_text("utf-8"), re.MULTILINE)
            assert key, "a game was found before it refused anything"
            sentence = i18n.render(tripot.get_game(key[1]), refused.fact)
            said = f"line {error.line}: {sentence} ({refused.fact.clause})"
        raise RecordFileError(f"{path}: {said}") from error


class NoSeatToActError(TripotError):
    """A position that waits for chance, or for nobody."""


def view_to_act(state: AnyState) -> AnyState:
    """What the seat to move sees; a position where nobody is to move cannot be studied.

    Chance is not waited for where it has no choice, as with dice that are known.
    """
    while len(certain := state.chance_outcomes()) == 1:
        state = state.apply(certain[0][0])
    if not isinstance(state.to_act, int):
        asked = "the game is over" if state.to_act is None else "chance acts first, so add what it brings"
        raise NoSeatToActError(f"nobody is to move here: {asked}")
    return state.view(state.to_act)
