"""`ladder`: each level of a game against the next below, as a table and as a picture."""

from __future__ import annotations

import re
from pathlib import Path
from random import randrange
from typing import Annotated

import typer

import tripot
from tripot.arena import plot
from tripot.arena.contestants import parse_contestant
from tripot.arena.ladder import LadderStep, markdown_table
from tripot.arena.match_store import MatchStore
from tripot.cli.arguments import GameKey, OptionTexts, SecondsPerMove, Seed, Simulations, parse_options
from tripot.cli.console import console
from tripot.cli.match import (
    Games,
    Jobs,
    Match,
    Players,
    Records,
    ScheduledGame,
    close_contestants,
    play_matches,
)
from tripot.game import AnyGame, TripotError

LADDER_FILE_STEM = "ladder"  # of the files that are written


class LadderError(TripotError):
    """Levels between which there is no step."""


def ladder(
    game: GameKey,
    levels: Annotated[
        str, typer.Option(metavar="LOW-HIGH", help="Only these levels; all, unless you say.")
    ] = "",
    games: Games = 20,
    players: Players = None,
    option: OptionTexts = [],  # noqa: B006 - Typer reads the default and never changes it
    think: SecondsPerMove = 0.1,
    simulations: Simulations = None,
    seed: Seed = None,
    jobs: Jobs = 1,
    records: Records = None,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            file_okay=False,
            help=f"Write {LADDER_FILE_STEM}.md and {LADDER_FILE_STEM}.svg there, a table and a picture.",
        ),
    ] = None,
) -> None:
    """Let each level play the next below: how far are they apart?

    A match a step, with as many games each. The step from level 1 to level 2 is the match --a 2 --b 1 with
    the seed 2 more than that of the ladder, and so on; with --records it is kept in a folder 2-1 there.
    """
    found = tripot.get_game(game)
    options = str(parse_options(found, option, players))
    wanted = parse_level_range(found, levels)
    steps = [(lower, lower + 1) for lower in wanted[:-1]]
    books = {upper: MatchStore(records / f"{upper}-{lower}") for lower, upper in steps} if records else {}
    if seed is None:
        before = [book.header.seed - upper for upper, book in books.items() if book.header]
        seed = before[0] if before else randrange(1_000_000)
    matches = []
    try:
        for lower, upper in steps:
            a, b = (parse_contestant(found, str(level), think, simulations) for level in (upper, lower))
            first = ScheduledGame(game, options, (a, b), 0, seed + upper)
            matches.append(Match(first, games, books.get(upper)))
        failure = play_matches(matches, jobs)
    finally:
        close_contestants()
    measured = [
        LadderStep(lower, upper, each.score) for (lower, upper), each in zip(steps, matches, strict=True)
    ]
    title = " ".join([f"{found.title}: level by level", *([f"({options})"] if options else [])])
    limit = f"{simulations} simulations" if simulations is not None else f"{think:g} s"
    console.print(f"{title}, at most {limit} a move, seed {seed}", markup=False)
    if kept := sum(each.resumed_count for each in matches):
        console.print(f"{kept} of these games were there already")
    console.print(markdown_table(measured), markup=False, soft_wrap=True)
    if into:
        write_report(into, measured, title, f"At most {limit} a move, seed {seed}.")
    if failure:
        raise failure


def parse_level_range(game: AnyGame, text: str) -> range:
    """The levels of a ladder from `LOW-HIGH`; nothing is all of them."""
    if not text:
        return game.levels
    said = re.fullmatch(r"(\d+)-(\d+)", text)
    if not said or not game.levels[0] <= int(said[1]) < int(said[2]) <= game.levels[-1]:
        least, most = game.levels[0], game.levels[-1]
        raise LadderError(
            f"--levels: {game.title} has the levels {least} to {most}; {text!r} is no part of them"
        )
    return range(int(said[1]), int(said[2]) + 1)


def write_report(folder: Path, steps: list[LadderStep], title: str, how: str) -> None:
    """A ladder as a small page, with its picture beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{LADDER_FILE_STEM}.svg").write_text(plot.svg(steps, title), "utf-8")
    page = (
        f"# {title}\n\n{how}\n\n{markdown_table(steps)}\n\n![The same as a picture]({LADDER_FILE_STEM}.svg)\n"
    )
    (folder / f"{LADDER_FILE_STEM}.md").write_text(page, "utf-8")
