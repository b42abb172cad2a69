"""The commands `show`, `replay` and `verify`: print positions, and print or check records."""

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
    QuitError,
    actor_name,
    ask,
    console,
    errors,
    outcome_text,
    print_board,
    print_prompt,
    shortened,
)
from tripot.game import AnyGame, AnyState, Outcome

if TYPE_CHECKING:
    from tripot.record import Record


def show(
    position: Position,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write the board as SVG.")] = None,
) -> None:
    """Show a position, or the last one of a record, and its legal actions."""
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
        console.print(f"The board was written to {svg}.", markup=False, soft_wrap=True)


def print_position(game: AnyGame, state: AnyState, outcome: Outcome | None) -> None:
    """Print a board, and below it the prompt or the outcome."""
    print_board(state)
    if outcome:
        console.print(outcome_text(game, outcome), markup=False)
    else:
        print_prompt(game, state)


def replay(
    file: RecordFile,
    everything: Annotated[bool, typer.Option("--all", help="Print every position without waiting.")] = False,
) -> None:
    """Show a record step by step.

    Enter goes forward, b goes back, a number jumps to that step, q quits.
    """
    record = load_record(file)
    states, steps = list(record.states()), _step_texts(record)
    step, last = 0, len(steps) - 1
    while True:
        if console.is_terminal and not everything:
            console.clear()
        print_position(record.game, states[step], record.outcome if step == last else None)
        console.print(f"{step}/{last}  {steps[step]}", style="bold", markup=False, soft_wrap=True)
        if everything and step == last:
            return
        try:
            step = step + 1 if everything else _ask_step(step, last)
        except QuitError:
            return


def _step_texts(record: Record) -> list[str]:
    """Return the action that led to each position of a record; the players for the first one."""
    texts = [", ".join(record.seats)]
    for state, action in zip(record.states(), record.actions, strict=False):
        texts.append(f"{actor_name(record.game, state.to_act)}: {shortened(str(action), 60)}")
    return texts


def _ask_step(step: int, last: int) -> int:
    """Ask for the next step to show."""
    while True:
        match ask("Enter forward, b back, a number, q: ", leave="q"):
            case "" if step < last:
                return step + 1
            case "b" if step > 0:
                return step - 1
            case "" | "b":
                console.print("There are no more steps in that direction.")
            case number if number.isdecimal() and int(number) <= last:
                return int(number)
            case other:
                console.print(f"Invalid step {other!r}: expected 0 to {last}.", markup=False)


def verify(
    files: Annotated[list[Path], typer.Argument(metavar="RECORD...", exists=True, dir_okay=False)],
) -> None:
    """Check records against the rules.

    If a record has the seed of its chance outcomes, they are drawn again and compared. Prints OK and the
    result of each record, or the first invalid line and the reason; then the exit code is 1.
    """
    from tripot import fairness  # imported here, because `show` does not need it

    invalid_count = 0
    for file in files:
        try:
            record = load_record(file)
            draws = fairness.verify_chance(record) if record.seed else 0
        except (RecordFileError, fairness.ChanceMismatchError) as error:
            message = str(error) if isinstance(error, RecordFileError) else f"{file}: {error}"
            errors.print(message, markup=False, soft_wrap=True)
            invalid_count += 1
            continue
        result = str(record.outcome) if record.outcome else "unfinished"
        console.print(f"{file}: OK, {len(record.actions)} actions, {result}", markup=False, soft_wrap=True)
        if record.seed:
            commitment = fairness.commitment(record.seed)
            message = (
                f"  chance drawn again from the seed: {draws} draws, all match the commitment {commitment}"
            )
            console.print(message, soft_wrap=True)
    if invalid_count:
        raise typer.Exit(1)
