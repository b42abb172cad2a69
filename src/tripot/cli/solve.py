"""The command `solve`: analyses a position with the strongest level."""

from __future__ import annotations

from contextlib import closing
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table as Grid

import tripot
from tripot import i18n
from tripot.cli.arguments import (
    check_is_no_path,
    existing_file,
    load_record,
    parse_position,
    view_to_act,
)
from tripot.cli.compiling import compiling
from tripot.cli.console import (
    console,
    errors,
    expected_text,
    print_board,
    print_prompt,
    pv_text,
    scores_text,
)
from tripot.game import Analysis, AnyGame, AnyState, Limit, ParseError
from tripot.games import keys

if TYPE_CHECKING:
    from tripot.record import Record


def solve(
    game_key: Annotated[
        str,
        typer.Argument(
            metavar="GAME|RECORD",
            help="Key of the game: see `tripot games`. Or a record file: then its last position is solved.",
            autocompletion=keys,
        ),
    ],
    position: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="POSITION", help="Text of a position, or a record file: then its last position is solved."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.01, help="Time limit of the analysis.")
    ] = 5.0,
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Maximum number of moves in the list.")] = 20,
    show_map: Annotated[
        bool, typer.Option("--map", help="Draw the distance map instead of the board, if the game has one.")
    ] = False,
) -> None:
    """Solve a position: facts about it, and its moves from best to worst.

    `tripot solve game.txt` solves the last position of a record, which names its game.

    Any further --NAME VALUE sets the word NAME=VALUE of the position.
    """
    record = _record_argument(game_key, position or [])
    if not record:
        check_is_no_path(game_key)
    game = record.game if record else tripot.get_game(game_key)
    text = "" if record else apply_overrides(position or [])
    state = record.final_state if record else parse_position(text, game)
    view = view_to_act(game, state, text)
    analysis = analyse(game, view, seconds)
    print_board(view, analysis.distance_maps if show_map else ())
    print_prompt(game, view)
    for fact in analysis.facts:
        console.print(i18n.render(game, fact), style="bold", markup=False)
    if show_map and not analysis.distance_maps:
        console.print("This position has no distance map.", style="dim")
    best = analysis.candidates[0]
    console.print(_candidates_table(game, view, analysis, top))
    if len(analysis.candidates) > top:
        console.print(f"... and {len(analysis.candidates) - top} more; --top shows them.")
    if best.expected and best.expected.scores:
        console.print(f"Expected scores: {scores_text(game, best)}", markup=False)
    if len(best.pv) > 1:
        console.print("Principal variation: " + pv_text(best), markup=False)


def _record_argument(game_key: str, position: list[str]) -> Record | None:
    """Return the record whose file is the only argument, or follows the key of its game; None for others."""
    path = existing_file(position[0] if len(position) == 1 else "" if position else game_key)
    if path is None:
        return None
    record = load_record(path)
    if position and record.game is not tripot.get_game(game_key):
        raise ParseError(position[0], f"it is a record of {record.game.title}")
    return record


def apply_overrides(texts: list[str]) -> str:
    """Return the text of a position in which `--name value` and `--name=value` replace its words.

    >>> apply_overrides(["board turn=1 hand=268", "--turn", "2", "--dice=5-6"])
    'board hand=268 turn=2 dice=5-6'
    """
    remaining = iter(" ".join(texts).split())
    overrides: dict[str, str] = {}
    words: list[str] = []
    for word in remaining:
        if not word.startswith("--"):
            words.append(word)
            continue
        name, equals, value = word.removeprefix("--").partition("=")
        if not equals and not (value := next(remaining, "")):
            raise ParseError(word, "expected a value after it")
        overrides[name] = value
    kept = [word for word in words if word.partition("=")[0] not in overrides]
    return " ".join([*kept, *(f"{name}={value}" for name, value in overrides.items())])


def analyse(game: AnyGame, view: AnyState, seconds: float) -> Analysis:
    """Return the analysis of the strongest level; show a progress bar meanwhile."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("Solving"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    with progress as bar, compiling(game):
        task = bar.add_task("Solving", total=1.0)
        limit = Limit(seconds=seconds, on_progress=lambda share: bar.update(task, completed=share))
        with closing(game.engine(game.levels[-1])) as engine:
            return engine.analyse(view, limit, Random(0))


def _candidates_table(game: AnyGame, view: AnyState, analysis: Analysis, top: int) -> Grid:
    """Return a table of the best moves with their values, expected outcomes and facts."""
    candidates = analysis.candidates[:top]
    has_expected = any(expected_text(candidate, view) for candidate in candidates)
    grid = Grid(box=None, pad_edge=False)
    grid.add_column("", justify="right", style="dim")
    for heading in ("move", "value", *(("win rate, lead",) if has_expected else ()), "facts"):
        grid.add_column(heading, no_wrap=heading != "facts")
    for rank, candidate in enumerate(candidates, 1):
        facts = " ".join(i18n.render(game, fact) for fact in candidate.facts)
        expected = (expected_text(candidate, view) or "   -",) if has_expected else ()
        grid.add_row(str(rank), str(candidate.action), f"{candidate.value:+.2f}", *expected, facts)
    return grid
