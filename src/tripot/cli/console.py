"""Printing and prompting, the same in every command.

Rich leaves colours out if the output is not a terminal, so commands need not care.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from tripot import i18n
from tripot.game import (
    CHANCE,
    Action,
    AnyGame,
    AnyState,
    Candidate,
    Chance,
    DistanceMap,
    Outcome,
    Seat,
    StyledRows,
)

if TYPE_CHECKING:
    from rich.progress import Progress

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def _lacks_colours() -> bool:
    """Return whether terminfo knows the terminal as one without colours; Rich takes a vt100 for one with."""
    environ = os.environ
    if not console.is_terminal or any(environ.get(name) for name in ("COLORTERM", "FORCE_COLOR")):
        return False
    try:
        import curses
    except ImportError:  # not on every system
        return False
    try:
        curses.setupterm(environ.get("TERM", "dumb"), console.file.fileno())
    except (OSError, curses.error):  # the terminal is not known: Rich decides
        return False
    return curses.tigetnum("colors") < ANSI_COLOURS


ANSI_COLOURS = 8
"""The colours of the simplest terminal that has any."""

if _lacks_colours():
    for each in (console, errors):
        each._color_system, each.no_color = None, True
if console.is_dumb_terminal:  # Rich takes every dumb terminal for one of 80 by 25
    console._width, console._height = shutil.get_terminal_size()

MAX_INLINE_ACTIONS = 12
"""If there are at most this many legal actions, they are listed in the prompt."""

MAX_LISTED_ACTIONS = 240
"""The maximum length of a list of actions; a longer one would scroll the board away."""


class QuitError(Exception):
    """The user wants to quit: the end of the input, Ctrl-C, or a word for it."""


def ask(prompt: str, leave: str | None = None) -> str:
    """Return a line of input without surrounding spaces; raise `QuitError` if it is the `leave` word.

    Input from a pipe is echoed, so that the output is a complete log. Bytes that are not UTF-8 are replaced.
    """
    if isinstance(sys.stdin, TextIOWrapper) and sys.stdin.errors != "replace":  # possible once only
        sys.stdin.reconfigure(errors="replace")
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - importing it enables the arrow keys
    *lines, rest = wrap(prompt, console.width) if console.is_terminal and prompt else [prompt]
    for line in lines:  # the terminal would break words
        console.print(line, markup=False)
    try:
        text = input(f"{rest} " if lines else prompt).strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        raise QuitError from None
    if not sys.stdin.isatty():
        console.print(text, markup=False)
    if text == leave:
        raise QuitError
    return text


def forget_inputs() -> None:
    """Clear what the Up arrow shows, so that the next person does not see what was typed before."""
    if readline := sys.modules.get("readline"):
        readline.clear_history()


CLEAR_SCROLLBACK = "\x1b[3J"
"""Clears the lines that were scrolled out of sight, into which some terminals put those that are cleared."""


def forget_screen() -> None:
    """Clear the screen and what can be scrolled back to, so that the next person does not see it."""
    if console.is_dumb_terminal:
        console.print("\n" * console.height)
    elif console.is_terminal:
        console.clear()
        console.file.write(CLEAR_SCROLLBACK)
        console.file.flush()


ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


def confirm(prompt: str) -> bool:
    """Ask a question until the answer is yes or no, and return whether it is yes."""
    answer = ask(f"{prompt}[y/n] ").lower()
    while answer not in ANSWERS:
        answer = ask("Please answer yes or no: ").lower()
    return ANSWERS[answer]


LINES_BELOW_BOARD = 5
"""Lines needed below the board: the last actions, the prompt, the choices, a note and the input."""


def board_rows(
    state: AnyState, distance_maps: Sequence[DistanceMap] = (), lines_below: int = LINES_BELOW_BOARD
) -> StyledRows:
    """Return the drawing of a position, or of a map, that suits the window.

    The large drawing is used where it always fits, so that a window shows one layout. A map needs no colours,
    but only as much of what follows it is shown as there is room for.
    """
    full = state.draw_terminal_map(distance_maps)
    lines = console.height - lines_below if console.is_terminal else None
    fits = width_of(full) <= console.width and (lines is None or len(full) <= lines)
    if fits and (distance_maps or suits_large(full)):
        return full
    if distance_maps and lines is not None and width_of(full) <= console.width:
        lowest = state.draw_compact(console.width, 0)
        return full[: max(lines, len(lowest) + 1)]  # the board, and what the marks of the map mean
    return state.draw_compact(console.width, lines)


def suits_large(full: StyledRows) -> bool:
    """Return whether the window suits large drawings: it has room below, and colours to show choices."""
    has_colour = console.is_terminal and console.color_system is not None and not console.no_color
    return has_colour and width_of(full) <= console.width and len(full) <= console.height - LINES_BELOW_BOARD


def lowest_height(state: AnyState, distance_maps: Sequence[DistanceMap] = ()) -> int:
    """Return the lines of the lowest drawing of a position in the layout of the window."""
    full = state.draw_terminal()
    if not distance_maps and suits_large(full):
        return len(full)
    return len(board_rows(state, distance_maps, console.height))


def width_of(rows: StyledRows) -> int:
    """Return the columns of a drawing, without spaces at the ends of its lines."""
    return max(cell_len("".join(text for text, _ in row).rstrip()) for row in rows)


def print_pages(print_content: Callable[[], None], ending: str = "Enter shows the board again.") -> str:
    """Print a long text page by page, each in place of the board; all at once if this is no terminal.

    Return what was typed instead of going on, or an empty text.
    """
    if not console.is_terminal:
        print_content()
        return ""
    with console.capture() as capture:
        print_content()
    lines = [*capture.get().rstrip("\n").split("\n"), ending]
    per_page = max(1, console.height - 2)  # below are a question and the next input
    for start in range(0, len(lines), per_page):
        console.clear()
        console.print(Text.from_ansi("\n".join(lines[start : start + per_page])))
        if start + per_page < len(lines) and (text := ask("Enter for more, q to stop: ")):
            return "" if text == "q" else text
    return ""


def print_board(state: AnyState, distance_maps: Sequence[DistanceMap] = ()) -> None:
    """Print a position, or a map of it; a window that is too narrow for it gets a message instead."""
    print_rows(board_rows(state, distance_maps))


def print_rows(rows: StyledRows) -> None:
    """Print a drawing, or the width that it needs if the window is narrower."""
    if (width := width_of(rows)) > console.width:
        message = f"The board needs {width} columns, and this window has {console.width}: please widen it."
        console.print(message, style="bold")
        return
    drawing = Text("\n").join(Text.assemble(*row) for row in rows)
    if not console.is_terminal:
        drawing = Text("\n".join(line.rstrip() for line in drawing.plain.split("\n")))
    console.print(drawing, no_wrap=True, overflow="crop", crop=True)


def print_prompt(game: AnyGame, state: AnyState, label: str = "") -> None:
    """Print the actor and the prompt, then the legal actions, on the same line if they fit."""
    for text in prompt_texts(game, state, label):
        console.print(text)


def prompt_texts(game: AnyGame, state: AnyState, label: str = "") -> list[Text]:
    """Return the actor and the prompt, and the legal actions, in the same text if they fit into one line."""
    actor = label or actor_name(game, state.to_act)
    prompt = Text.assemble((f"{actor}: ", "bold"), i18n.render(game, state.prompt))
    offered = numbered_actions(state.offered_actions())
    joined = Text("  ").join([prompt, offered])
    if line_count(joined) == line_count(prompt):
        return [joined]
    return [prompt, offered]


def line_count(text: Text) -> int:
    """Return how many lines a text takes in the window."""
    return len(text.wrap(console, console.width))


def numbered_actions(offered: Sequence[Action]) -> Text:
    """Return the offered actions with their numbers, or only their count if they are too many for a line."""
    line = Text("  ").join(
        Text.assemble((str(number), "dim"), f" {action}") for number, action in enumerate(offered, 1)
    )
    if len(offered) > MAX_INLINE_ACTIONS or line.cell_len > console.width:
        return Text(f"({len(offered)} actions: list shows them)", style="dim")
    return line


def print_actions(game: AnyGame, state: AnyState, beginning: str = "") -> None:
    """Print the offered actions that begin with a text, with their numbers and effects."""
    legal = [
        (number, action)
        for number, action in enumerate(state.offered_actions(), 1)
        if str(action).startswith(beginning)
    ]
    if not legal:
        console.print(f"Nothing in the list begins with {beginning!r}.", markup=False)
        print_announcements(game, state)
        return
    effects = [
        " ".join(i18n.render(game, effect) for effect in state.preview(action).effects)
        for _, action in legal[:MAX_LISTED_ACTIONS]
    ]
    texts = [
        Text.assemble((f"{number:>3}", "dim"), f" {action}  ", (effect, "italic"))
        for (number, action), effect in zip(legal, effects, strict=False)
    ]
    if any(effects) and len(texts) <= MAX_INLINE_ACTIONS:
        console.print(Text("\n").join(texts))
    else:
        from rich.columns import Columns  # imported here, because only this branch needs it

        console.print(Columns(texts))
    if len(legal) > MAX_LISTED_ACTIONS:
        console.print(f"... and {len(legal) - MAX_LISTED_ACTIONS} more; list BEGINNING shows fewer.")
    print_announcements(game, state)


def print_drawings(drawings: Sequence[tuple[str, tuple[str, ...]]]) -> None:
    """Print small drawings next to each other, each with its name above it."""
    width = 2 + max(len(line) for name, lines in drawings for line in (name, *lines))
    height = max(len(lines) for _, lines in drawings)
    per_row = max(1, console.width // width)
    for start in range(0, len(drawings), per_row):
        row = drawings[start : start + per_row]
        console.print("".join(f"{name:<{width}}" for name, _ in row).rstrip(), style="bold", markup=False)
        for line in range(height):
            texts = (f"{lines[line] if line < len(lines) else '':<{width}}" for _, lines in row)
            if text := "".join(texts).rstrip():
                console.print(text, markup=False)


def print_announcements(game: AnyGame, state: AnyState) -> None:
    """Print how to play what is not offered because the player has to notice it."""
    for announcement in state.announcements:
        console.print(i18n.render(game, announcement), style="dim", markup=False)


def actor_name(game: AnyGame, actor: Seat | Chance | None) -> str:
    """Return the name of an actor, for a heading."""
    return (
        {CHANCE: "Chance", None: "The end"}[actor]
        if not isinstance(actor, int)
        else i18n.seat_name(game, actor)
    )


def capitalised(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def outcome_text(game: AnyGame, outcome: Outcome) -> str:
    """Return how a game ended: the reason as a sentence, then winners and scores if it does not name them."""
    reason = i18n.render(game, outcome.reason)
    winners = [i18n.seat_name(game, seat) for seat in outcome.winners]
    sentences = [reason]
    if not winners and "draw" not in reason.lower():
        sentences.append("A draw.")
    if len(winners) < len(outcome.scores) and any(name not in reason for name in winners):
        sentences.append(f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}.")
    if outcome.has_points:
        scores = (f"{i18n.seat_name(game, seat)} {score}" for seat, score in enumerate(outcome.scores))
        sentences.append(f"Scores: {', '.join(scores)}.")
        sentences += team_totals_text(game, outcome)
    return " ".join(sentences)


def team_totals_text(game: AnyGame, outcome: Outcome) -> list[str]:
    """Return the total of each team as a sentence, or nothing if every seat plays for itself."""
    if len(outcome.team_scores) in (1, len(outcome.scores)):
        return []
    totals = []
    for team, total in enumerate(outcome.team_scores):
        members = [i18n.seat_name(game, seat) for seat, own in enumerate(outcome.teams) if own == team]
        totals.append(f"{' and '.join(members)} {total}")
    return [f"Totals: {', '.join(totals)}."]


def expected_text(candidate: Candidate, view: AnyState) -> str:
    """Return the win rate and score lead of a candidate, such as `62% +7 points`.

    The text is empty if they are unknown, if there is no opponent, or if the game counts no points.
    """
    if candidate.expected is None or not isinstance(view.to_act, int):
        return ""
    lead = candidate.expected.score_lead(view.to_act, view.teams)
    return "" if lead is None else f"{candidate.expected.win_rate:4.0%} {lead_text(lead)}"


def lead_text(lead: float) -> str:
    """Return a score lead as text, rounded.

    >>> lead_text(6.6), lead_text(-1.2), lead_text(-0.3)
    ('+7 points', '-1 point', '+0 points')
    """
    points = round(lead)
    return f"{points:+} {'point' if abs(points) == 1 else 'points'}"


def scores_text(game: AnyGame, candidate: Candidate) -> str:
    """Return the expected final scores of all seats; empty if unknown."""
    scores = candidate.expected.scores if candidate.expected else ()
    return ", ".join(f"{i18n.seat_name(game, seat)} {score:.0f}" for seat, score in enumerate(scores))


def joined_while_fitting(beginning: str, parts: Sequence[str], separator: str, width: int | None) -> str:
    """Return as many parts as fit into a line, at least one, and `…` if some are left out.

    >>> joined_while_fitting("Then:", ["a1", "b2", "c3"], " ", 12)
    'Then: a1 …'
    >>> joined_while_fitting("Then:", ["a1", "b2", "c3"], " ", None)
    'Then: a1 b2 c3'
    """
    for count in range(len(parts), 1, -1):
        rest = "" if count == len(parts) else f"{separator}…"
        text = f"{beginning} {separator.join(parts[:count])}{rest}"
        if width is None or cell_len(text) <= width:
            return text
    return f"{beginning} {parts[0]}" + (f"{separator}…" if len(parts) > 1 else "")


def pv_text(candidate: Candidate) -> str:
    """Return the principal variation, which begins with the action itself."""
    return " ".join(str(action) for action in candidate.pv or (candidate.action,))


def shortened(text: str, width: int = 24) -> str:
    """Return a text cut to a width."""
    return text if len(text) <= width else text[: width - 1] + "…"


def progress_bar() -> Progress:
    """Return a progress bar with a count, on stderr; it is disabled outside a terminal."""
    # Imported here, because most commands show no bar and it is the largest part of Rich.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
