"""The command `ladder`: plays each level against the next lower one, and prints a table and a plot."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Final

import typer

import tripot
from tripot.arena import LadderConfig, LadderFailedError, LadderResult, play_ladder, plot
from tripot.arena.ladder import markdown_table
from tripot.cli import arguments
from tripot.cli.console import console
from tripot.cli.match import ProgressDisplay, exit_interrupted
from tripot.game import TripotError

LADDER_FILE_STEM: Final = "ladder"
"""The name of the files of a report, without the suffix."""


class LadderError(TripotError):
    """The levels given for a ladder cannot be read."""


def ladder(  # noqa: PLR0913 - Typer makes an argument or flag of each parameter
    game_key: arguments.GameKey,
    levels: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="Only these levels; all if not given.")
    ] = "",
    games: arguments.Games = 20,
    players: arguments.Players = None,
    option: arguments.OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    seconds: arguments.SecondsPerMove = 0.1,
    simulations: arguments.Simulations = None,
    seed: arguments.Seed = None,
    jobs: arguments.Jobs = 1,
    records: arguments.RecordsFolder = None,
    output: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            file_okay=False,
            help=f"Write {LADDER_FILE_STEM}.md and {LADDER_FILE_STEM}.svg there, a table and a plot.",
        ),
    ] = None,
) -> None:
    """Play each level against the next lower one and measure the Elo between them.

    Each step is a match of --games games. The step from level 1 to level 2 is the match --a 2 --b 1 with the
    seed of the ladder plus 2, and so on; with --records it is stored in the folder 2-1 there.
    """
    game = tripot.get_game(game_key)
    options = str(arguments.parse_options(game, option, players))
    config = LadderConfig(game_key, parse_level_range(levels), games, options, seconds, simulations, seed)
    try:
        with ProgressDisplay(game) as display:
            result = play_ladder(config, jobs=jobs, records=records, on_progress=display.update)
    except LadderFailedError as error:
        report(error.result, output)
        raise
    report(result, output)
    if result.is_interrupted:
        exit_interrupted("ladder", records)


def parse_level_range(text: str) -> tuple[int, int] | None:
    """Return the lowest and the highest level of `LOW-HIGH`; None for an empty text."""
    if not text:
        return None
    bounds = re.fullmatch(r"(\d{1,4})-(\d{1,4})", text)
    if not bounds:
        raise LadderError(f"invalid levels {text!r}: expected LOW-HIGH, for example 1-3")
    return int(bounds[1]), int(bounds[2])


def report(result: LadderResult, output: Path | None) -> None:
    """Print the table of a ladder, and write the report to a folder if one is given. No games: do nothing."""
    if not any(match.games for match in result.matches):
        return
    config, game = result.config, tripot.get_game(result.config.game)
    title = " ".join([f"{game.title}: level by level", *([f"({config.options})"] if config.options else [])])
    limit = f"{config.seconds:g} s" if config.simulations is None else f"{config.simulations} simulations"
    console.print(f"{title}, at most {limit} per move, seed {config.seed}", markup=False)
    if result.resumed_count:
        console.print(f"{result.resumed_count} of these games were stored already")
    console.print(markdown_table(result.steps), markup=False, soft_wrap=True)
    if output:
        write_report(output, result, title, f"At most {limit} per move, seed {config.seed}.")


def write_report(folder: Path, result: LadderResult, title: str, conditions: str) -> None:
    """Write a Markdown page with the table of a ladder, and its plot beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{LADDER_FILE_STEM}.svg").write_text(plot.svg(result.steps, title), "utf-8")
    page = [
        f"# {title}",
        conditions,
        markdown_table(result.steps),
        f"![The Elo of each level over the lowest one]({LADDER_FILE_STEM}.svg)",
    ]
    (folder / f"{LADDER_FILE_STEM}.md").write_text("\n\n".join(page) + "\n", "utf-8")
