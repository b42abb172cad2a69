"""The commands `games` and `rules`: information about the games."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table as Grid

import tripot
from tripot import i18n
from tripot.cli.arguments import GameKey
from tripot.cli.console import console
from tripot.game import AnyGame, TripotError


class UnknownClauseError(TripotError):
    """The rulebook has no clause with that number."""


def games() -> None:
    """List the games: their keys, seats and options, and how each level of the computer plays."""
    grid = Grid(box=None, pad_edge=False)
    for heading in ("key", "title", "seats", "levels", "options"):
        grid.add_column(heading, no_wrap=heading != "options")
    for game in tripot.list_games():
        schema = {entry["name"]: entry for entry in game.Options.schema()}
        seats = " or ".join(schema.pop("players")["choices"])
        grid.add_row(game.key, game.title, seats, f"{game.levels[0]}-{game.levels[-1]}", ", ".join(schema))
    console.print(grid)
    for game in tripot.list_games():
        console.print()
        console.print(levels_table(game))


def levels_table(game: AnyGame) -> Grid:
    """Return every level of a game with its name and how it plays."""
    grid = Grid(box=None, pad_edge=False, title=f"Levels of {game.title}", title_justify="left")
    for heading in ("level", "name", "how it plays"):
        grid.add_column(heading, no_wrap=heading != "how it plays")
    for level in game.levels:
        grid.add_row(str(level), i18n.level_name(game, level), i18n.level_description(game, level))
    return grid


def options_table(game: AnyGame) -> Grid:
    """Return every option of a game with its choices, the default marked with a star, and its meaning."""
    grid = Grid(box=None, pad_edge=False, title=f"Options of {game.title}", title_justify="left")
    for heading in ("-o", "choices (* default)", "meaning"):
        grid.add_column(heading)
    for entry in game.Options.schema():
        choices = [f"{choice}*" if choice == entry["default"] else choice for choice in entry["choices"]]
        meaning = f"{i18n.option_description(game, entry['name'])} ({entry['clause']})"
        grid.add_row(entry["name"], " ".join(choices) or "any text", meaning)
    return grid


def rules(
    game_key: GameKey,
    clause: Annotated[
        str, typer.Argument(metavar="[CLAUSE]", help="Number of a clause.", show_default=False)
    ] = "",
    lang: Annotated[str, typer.Option(metavar="LANGUAGE", help="Language of the rulebook.")] = "en",
) -> None:
    """Print the rules of a game, or one clause of them."""
    print_rules(tripot.get_game(game_key), clause, lang)


def print_rules(game: AnyGame, clause: str, language: str = "en") -> None:
    """Print the rulebook, or one clause: `TP-3`, `tp-3` and `3` select the same one."""
    from rich.markdown import Markdown  # imported here, because few commands need it and it is slow

    if not clause:
        console.print(Markdown(i18n.rulebook(game, language)))
        return
    clauses = i18n.clauses(game, language)
    for number, text in clauses.items():
        if clause.upper() in (number, number.rpartition("-")[2]):
            heading = next(
                line for line in i18n.rulebook(game, language).splitlines() if number in line.split()
            )
            console.print(Markdown(f"**{heading.lstrip('# ')}**\n\n{text}"))
            return
    raise UnknownClauseError(f"{game.title} has no clause {clause}; its clauses are {', '.join(clauses)}")
