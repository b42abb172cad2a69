"""Arguments that several commands share, and their parsing."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

import tripot
from tripot import i18n
from tripot.game import AnyGame, AnyState, IllegalActionError, Options, TripotError
from tripot.games import keys

# Not imported above: a command that shows a position needs neither records nor tables.
if TYPE_CHECKING:
    from tripot.record import Record
    from tripot.table import Player


GameKey = Annotated[
    str, typer.Argument(metavar="GAME", help="Key of the game: see `tripot games`.", autocompletion=keys)
]
OptionalGameKey = Annotated[
    str,
    typer.Argument(
        metavar="[GAME]", help="Key of the game: see `tripot games`. A record names it.", autocompletion=keys
    ),
]
OptionTexts = Annotated[
    list[str],
    typer.Option(
        "-o", "--option", metavar="NAME=VALUE", help="Option of the game; may be given several times."
    ),
]
Position = Annotated[
    list[str],
    typer.Argument(
        metavar="POSITION", help="Text of a position, quoted or not, as `show` prints it, or a record file."
    ),
]
RecordFile = Annotated[
    Path,
    typer.Argument(metavar="RECORD", exists=True, dir_okay=False, help="Record file, as `play` saves it."),
]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="Seed of dice, draws and engines; random if not given.")
]
SecondsPerMove = Annotated[
    float, typer.Option("--seconds", metavar="SECONDS", min=0.01, help="Time limit of an engine per move.")
]
Simulations = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Limit engines by simulations instead: same moves on every machine."
    ),
]
Games = Annotated[int, typer.Option(metavar="N", min=1, help="Number of games, rounded up to whole pairs.")]
Players = Annotated[int | None, typer.Option(metavar="N", help="Short for -o players=N.")]
Jobs = Annotated[int, typer.Option(metavar="N", min=1, help="Number of games played at once.")]
RecordsFolder = Annotated[
    Path | None,
    typer.Option(metavar="DIR", file_okay=False, help="Store every game there, and resume from there."),
]


class SeatsError(TripotError):
    """The players given for the seats do not fit the game."""


def make_rngs(seed: int | None) -> tuple[Random, Random]:
    """Return the generator of chance and that of the engines.

    They are separate, so that a longer search never changes the dice.
    """
    if seed is None:
        return Random(), Random()
    return Random(f"chance {seed} "), Random(f"engines {seed} ")


def parse_options(game: AnyGame, texts: list[str], players: int | None = None) -> Options:
    """Return the options from `name=value` texts; the number of players may be given separately."""
    return game.Options.parse(" ".join(texts + ([f"players={players}"] if players is not None else [])))


class NoSuchFileError(TripotError):
    """A text looks like the path of a file, and there is none."""


def parse_position(text: str, game: AnyGame | None = None) -> AnyState:
    """Return the position of a text; if the game is given, its key may be left out of the text."""
    full_text = f"{game.key} {text}" if game and text.split(maxsplit=1)[:1] != [game.key] else text
    try:
        return game.parse_state(full_text) if game else tripot.parse_state(full_text)
    except TripotError:
        check_is_no_path(text)
        raise


def default_level(game: AnyGame) -> int:
    """Return the level of a bot for which none is given."""
    return game.levels[len(game.levels) // 2]


def parse_player(game: AnyGame, name: str) -> Player:
    """Return the player of a name: `bot` or `bot3` is an engine at a level, any other name a person.

    Records call a bot `level 3`, so a record alone tells which players were bots. If it was played when the
    game had more levels, the top level stands for those that are missing now.
    """
    from tripot.table import Player, existing_level

    bot = re.fullmatch(r"bot(\d*)|level (\d+)", name)
    if not bot:
        return Player(name)
    level = existing_level(game, int(bot[2])) if bot[2] else int(bot[1] or default_level(game))
    if level not in game.levels:
        raise SeatsError(
            f"invalid player {name!r}: {game.title} has the levels {game.levels[0]} to {game.levels[-1]}"
        )
    return Player(f"level {level}", level=level)


def parse_seats(game: AnyGame, text: str, players: int) -> list[Player]:
    """Return the players of `me,bot3`, in playing order; an empty text is one person against bots."""
    names = [name.strip() for name in text.split(",")] if text else ["me"] + ["bot"] * (players - 1)
    if len(names) != players:
        raise SeatsError(f"invalid seats {text!r}: expected {players} players, got {len(names)}")
    return [parse_player(game, name) for name in names]


def check_is_no_path(text: str) -> None:
    """Raise `NoSuchFileError` for a text that is rather the path of a file than a position or a game."""
    if re.match(r"~|\.{0,2}/", text) or re.search(r"\.[a-z]\w{0,4}$", text, re.IGNORECASE):
        raise NoSuchFileError(f"there is no file {text!r}")


def existing_file(text: str) -> Path | None:
    """Return the file of that name, or None if there is none."""
    try:
        path = Path(text).expanduser()
        return path if path.is_file() else None
    except OSError:  # the text of a position may be too long for a file name
        return None


class RecordFileError(TripotError):
    """A file does not hold a valid record."""


def load_record(path: Path) -> Record:
    """Return the record in a file; an illegal action in it is explained by a sentence and its clause."""
    from tripot.record import Record, RecordError

    try:
        return Record.load(path)
    except RecordError as error:
        message, cause = str(error), error.__cause__
        if isinstance(cause, IllegalActionError):
            key = re.search(r"^game: *(\S+)", path.read_text("utf-8"), re.MULTILINE)
            assert key, "an action is checked only after the game was found"
            sentence = i18n.render(tripot.get_game(key[1]), cause.fact)
            message = f"line {error.line}: {sentence} ({cause.fact.clause})"
        raise RecordFileError(f"{path}: {message}") from error


class NoSeatToActError(TripotError):
    """In a position no seat is to act, so it cannot be analysed."""


def view_to_act(game: AnyGame, state: AnyState, text: str = "") -> AnyState:
    """Return the position as the seat to act sees it.

    Chance outcomes that are certain, such as known dice, are applied first. The text from which the position
    was read tells which of its words were carried out, since what follows them leaves no choice.
    """
    while len(outcomes := state.chance_outcomes()) == 1:
        state = state.apply(outcomes[0][0])
    if not isinstance(state.to_act, int):
        prompt = i18n.render(game, state.prompt)
        done = _words_carried_out(state, text)
        problem = f"chance acts first ({prompt.removesuffix('.')}); add its outcome"
        if state.to_act is None:
            problem = "the game is over"
        elif done:
            problem = (
                f"{done} leaves no choice, and then chance acts: {prompt} `tripot show` prints where it leads"
            )
        raise NoSeatToActError(f"no seat is to act in this position: {problem}")
    return state.view(state.to_act)


def _words_carried_out(state: AnyState, text: str) -> str:
    """Return the `name=value` words of a position, except its options, that no longer hold in the state."""
    options = {entry["name"] for entry in type(state.options).schema()}
    remaining = {*state.to_text().split()}
    words = (word for word in text.split() if "=" in word and word.partition("=")[0] not in options)
    return " ".join(word for word in words if word not in remaining)
