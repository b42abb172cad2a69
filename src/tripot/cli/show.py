"""`show`, `replay` and `verify`: positions and records, looked at and checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import tripot
from tripot.cli.arguments import (
    Position,
    RecordFile,
    RecordFileError,
    existing_file,
    load_record,
    parse_position,
)
from tripot.cli.console import (
    QuitRequested,
    actor_name,
    ask,
    console,
    errors,
    outcome_text,
    print_board,
    print_prompt,
    short,
)
from tripot.game import AnyGame, AnyState, Outcome

if TYPE_CHECKING:
    from tripot.record import Record


def show(
    position: Position,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the picture as SVG.")] = None,
) -> None:
    """Show a position, or the last one of a record, and what can be played."""
    text = " ".join(position)
    path = existing_file(text)
    if path:
        record = load_record(path)
        game, state, outcome = record.game, record.final_state, record.outcome
    else:
        state = parse_position(text)
        game, outcome = tripot.get_game(text.split()[0]), state.outcome
    print_position(game, state, outcome)
    console.print(state.to_text(), style="dim", markup=False, soft_wrap=True)
    if svg:
        svg.write_text(state._repr_svg_(), encoding="utf-8")
        console.print(f"The picture is in {svg}.", markup=False, soft_wrap=True)


def print_position(game: AnyGame, state: AnyState, outcome: Outcome | None) -> None:
    """A board with what is to be said below it."""
    print_board(state)
    if outcome:
        console.print(outcome_text(game, outcome), markup=False)
    else:
        print_prompt(game, state)


def replay(
    file: RecordFile,
    everything: Annotated[bool, typer.Option("--all", help="Print every position without waiting.")] = False,
) -> None:
    """Go through a record step by step.

    Enter goes forward, b back, a number jumps there, q leaves.
    """
    record = load_record(file)
    states, steps = list(record.states()), _step_texts(record)
    at = 0
    while True:
        last = at == len(steps) - 1
        if console.is_terminal and not everything:
            console.clear()
        print_position(record.game, states[at], record.outcome if last else None)
        console.print(f"{at}/{len(steps) - 1}  {steps[at]}", style="bold", markup=False, soft_wrap=True)
        if everything and last:
            return
        at += 1
        if not everything:
            try:
                at = _ask_step(at - 1, len(steps) - 1)
            except QuitRequested:
                return


def _step_texts(record: Record) -> list[str]:
    """What led to each position of a record, for people."""
    said = [", ".join(record.seats)]
    for state, action in zip(record.states(), record.actions, strict=False):
        said.append(f"{actor_name(record.game, state.to_act)}: {short(str(action), 60)}")
    return said


def _ask_step(at: int, last: int) -> int:
    """Where to go from a step."""
    while True:
        match ask("Enter forward, b back, a number, q: ", leave="q"):
            case "" if at < last:
                return at + 1
            case "b" if at > 0:
                return at - 1
            case "" | "b":
                console.print("There is nothing further that way.")
            case number if number.isdecimal() and int(number) <= last:
                return int(number)
            case other:
                console.print(f"{other!r} is no step: 0 to {last}.", markup=False)


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="RECORD...", exists=True, dir_okay=False)],
) -> None:
    """Check records against the rules.

    Where the seed of all chance is in the record, everything is drawn again and compared. Says OK and
    the result, or the line that is wrong and why; then the exit code is 1.
    """
    from tripot import fairness  # not above: `show` does not need it

    wrong = 0
    for file in files:
        try:
            record = load_record(file)
            draws = fairness.verify_chance(record) if record.seed else 0
        except (RecordFileError, fairness.ChanceMismatchError) as error:
            said = str(error) if isinstance(error, RecordFileError) else f"{file}: {error}"
            errors.print(said, markup=False, soft_wrap=True)
            wrong += 1
            continue
        result = str(record.outcome) if record.outcome else "unfinished"
        console.print(f"{file}: OK, {len(record.actions)} actions, {result}", markup=False, soft_wrap=True)
        if record.seed:
            promise = fairness.commitment(record.seed)
            said = f"  chance drawn again from the seed: {draws} draws, all as promised by {promise}"
            console.print(said, soft_wrap=True)
    if wrong:
        raise typer.Exit(1)
