"""`solve`: what the strongest engine knows of a position."""

from __future__ import annotations

from random import Random
from typing import Annotated

import typer
from rich.table import Table as Grid

import tripot
from tripot import i18n
from tripot.cli import console as console_module
from tripot.cli.arguments import GameKey, Position, parse_position, view_to_act
from tripot.cli.compiling import compiling
from tripot.cli.console import console
from tripot.game import Analysis, AnyGame, AnyState, Limit, ParseError


def solve(
    game: GameKey,
    position: Position,
    seconds: Annotated[float, typer.Option(metavar="SECONDS", min=0.01, help="How long to think.")] = 5.0,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="How many moves to list.")] = 20,
    reach: Annotated[
        bool, typer.Option("--map", help="Draw who can come where, if the game has it.")
    ] = False,
) -> None:
    """Solve a position: what is known of it, and its moves from best to worst.

    Any further --NAME VALUE puts the word NAME=VALUE into the position.
    """
    found = tripot.get_game(game)
    state = parse_position(apply_overrides(position), found)
    view = view_to_act(state)
    analysis = analyse(found, view, seconds)
    console_module.print_board(view, analysis.distance_maps if reach else ())
    console_module.print_prompt(found, view)
    for known in analysis.facts:
        console.print(i18n.render(found, known), style="bold", markup=False)
    if reach and not analysis.distance_maps:
        console.print("There is no map of reach here.", style="dim")
    best = analysis.candidates[0]
    console.print(_candidates_table(found, view, analysis, top))
    if len(analysis.candidates) > top:
        console.print(f"... and {len(analysis.candidates) - top} more: --top shows them.")
    if best.expected:
        console.print(f"Expected scores: {console_module.scores_text(found, best)}", markup=False)
    if len(best.pv) > 1:
        console.print("Main line: " + console_module.pv_text(best), markup=False)


def apply_overrides(texts: list[str]) -> str:
    """A position with what is asked about it: `--name value` and `--name=value` become its words.

    >>> apply_overrides(["board turn=1 hand=268", "--turn", "2", "--dice=5-6"])
    'board hand=268 turn=2 dice=5-6'
    """
    left = " ".join(texts).split()
    asked: dict[str, str] = {}
    plain: list[str] = []
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            plain.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if not equals:
            if not left:
                raise ParseError(word, "a value is needed after it")
            value = left.pop(0)
        asked[name] = value
    kept = [word for word in plain if word.partition("=")[0] not in asked]
    return " ".join([*kept, *(f"{name}={value}" for name, value in asked.items())])


def analyse(game: AnyGame, view: AnyState, seconds: float) -> Analysis:
    """The strongest engine's analysis, behind a progress bar."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Solving"), BarColumn(), TimeElapsedColumn())
    shown = Progress(
        *columns, console=console_module.errors, transient=True, disable=not console_module.errors.is_terminal
    )
    with shown as bar, compiling(game):
        task = bar.add_task("Solving", total=1.0)
        limit = Limit(seconds=seconds, on_progress=lambda done: bar.update(task, completed=done))
        return game.engine(game.levels[-1]).analyse(view, limit, Random(0))


def _candidates_table(game: AnyGame, view: AnyState, analysis: Analysis, top: int) -> Grid:
    """The moves from best to worst: the value is what the seat to move may expect, -1 to +1."""
    shown = analysis.candidates[:top]
    foreseen = any(choice.expected for choice in shown)
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("", justify="right", style="dim")
    for heading in ("move", "value", *(("wins, ahead by",) if foreseen else ()), "known"):
        grid.add_column(heading, no_wrap=heading != "known")
    for place, choice in enumerate(shown, 1):
        known = " ".join(i18n.render(game, each) for each in choice.facts)
        outlook = (console_module.expected_text(choice, view) or "   -",) if foreseen else ()
        grid.add_row(str(place), str(choice.action), f"{choice.value:+.2f}", *outlook, known)
    return grid
