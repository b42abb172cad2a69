"""What the terminal shows and asks, the same way in every command.

Rich leaves the colours out when nobody watches (a pipe, a file), so commands print as if somebody did.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from tripot import i18n
from tripot.game import CHANCE, Action, AnyGame, AnyState, Candidate, Chance, DistanceMap, Outcome, Seat

if TYPE_CHECKING:
    from rich.progress import Progress

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)

MAX_INLINE_ACTIONS = 12
"""Up to so many legal actions are shown without being asked for."""

MAX_LISTED_ACTIONS = 240
"""So many are shown at most; more would bury the board, and a beginning narrows them down."""


class QuitRequested(Exception):
    """The person at the keyboard wants to go: the end of the input, Ctrl-C, or a word for it."""


def ask(prompt: str, leave: str | None = None) -> str:
    """A line typed by a person, without spaces around it; `QuitRequested` if it is the word for that.

    Input that comes from a pipe is echoed, so that what is printed reads like a sitting.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(ImportError):
            import readline  # noqa: F401 - the arrow keys work at the prompt
    try:
        text = input(prompt).strip()
    except (EOFError, KeyboardInterrupt):
        console.print()
        raise QuitRequested from None
    if not sys.stdin.isatty():
        console.print(text, markup=False)
    if text == leave:
        raise QuitRequested
    return text


def confirm(prompt: str) -> bool:
    """The answer to a question; anything but a yes is a no."""
    return ask(f"{prompt} [y/n] ").lower() in ("y", "yes")


def print_board(state: AnyState, reach: Sequence[DistanceMap] = ()) -> None:
    """The picture of a position, or a map of it, cut rather than wrapped where the window is too narrow."""
    picture = Text("\n").join(Text.assemble(*row) for row in state.draw_terminal_map(reach))
    if not console.is_terminal:
        picture = Text("\n".join(line.rstrip() for line in picture.plain.split("\n")))
    console.print(picture, no_wrap=True, overflow="crop", crop=True)


def print_prompt(game: AnyGame, state: AnyState, who: str = "") -> None:
    """Whose turn it is and what is asked, then the legal actions, on the same line where they fit."""
    asked = Text.assemble(
        (f"{who or actor_name(game, state.to_act)}: ", "bold"), i18n.render(game, state.prompt)
    )
    legal = numbered_actions(state.legal_actions())
    together = Text("  ").join([asked, legal])
    if len(together.wrap(console, console.width)) == len(asked.wrap(console, console.width)):
        console.print(together)
    else:
        console.print(asked)
        console.print(legal)


def numbered_actions(legal: tuple[Action, ...]) -> Text:
    """The legal actions with their numbers if they are few, else how many there are."""
    line = Text("  ").join(
        Text.assemble((str(number), "dim"), f" {each}") for number, each in enumerate(legal, 1)
    )
    if len(legal) > MAX_INLINE_ACTIONS or line.cell_len > console.width:
        return Text(f"({len(legal)} actions: list shows them)", style="dim")
    return line


def print_actions(game: AnyGame, state: AnyState, beginning: str = "") -> None:
    """The legal actions with their numbers, and what each would bring where that can be said."""
    legal = [
        (number, each)
        for number, each in enumerate(state.legal_actions(), 1)
        if str(each).startswith(beginning)
    ]
    if not legal:
        console.print(f"No legal action begins with {beginning!r}.", markup=False)
        return
    brings = [
        " ".join(i18n.render(game, each) for each in state.preview(action).effects)
        for _, action in legal[:MAX_LISTED_ACTIONS]
    ]
    texts = [
        Text.assemble((f"{number:>3}", "dim"), f" {action}  ", (brought, "italic"))
        for (number, action), brought in zip(legal, brings, strict=False)
    ]
    if any(brings) and len(texts) <= MAX_INLINE_ACTIONS:
        console.print(Text("\n").join(texts))
    else:
        from rich.columns import Columns  # not above: only this needs it

        console.print(Columns(texts))
    if len(legal) > MAX_LISTED_ACTIONS:
        console.print(f"... and {len(legal) - MAX_LISTED_ACTIONS} more; list BEGINNING shows fewer.")


def actor_name(game: AnyGame, actor: Seat | Chance | None) -> str:
    """A seat by its name; chance and the end have one too."""
    return (
        {CHANCE: "Chance", None: "The end"}[actor]
        if not isinstance(actor, int)
        else i18n.seat_name(game, actor)
    )


def capitalised(text: str) -> str:
    """A text with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]


def outcome_text(game: AnyGame, outcome: Outcome) -> str:
    """How a game ended: the catalogue's sentence, and what that leaves out of who won and the scores."""
    why = i18n.render(game, outcome.reason)
    winners = [i18n.seat_name(game, seat) for seat in outcome.winners]
    said = [why]
    if not winners and "draw" not in why.lower():
        said.append("A draw.")
    if len(winners) < len(outcome.scores) and any(name not in why for name in winners):
        said.append(f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}.")
    if not {*outcome.scores} <= {-1, 0, 1}:
        scores = (f"{i18n.seat_name(game, seat)} {score}" for seat, score in enumerate(outcome.scores))
        said.append(f"Scores: {', '.join(scores)}.")
    return " ".join(said)


def expected_text(choice: Candidate, view: AnyState) -> str:
    """How often the seat to act wins with a choice, and by how much: `62% +7 points`; or nothing."""
    if choice.expected is None or not isinstance(view.to_act, int):
        return ""
    lead = choice.expected.score_lead(view.to_act, view.teams)
    return f"{choice.expected.win_rate:4.0%} {lead_text(lead)}"


def lead_text(lead: float) -> str:
    """Points ahead or behind, rounded.

    >>> lead_text(6.6), lead_text(-1.2), lead_text(-0.3)
    ('+7 points', '-1 point', '+0 points')
    """
    points = round(lead)
    return f"{points:+} {'point' if abs(points) == 1 else 'points'}"


def scores_text(game: AnyGame, choice: Candidate) -> str:
    """The final scores that the seats may expect; or nothing."""
    scores = choice.expected.scores if choice.expected else ()
    return ", ".join(f"{i18n.seat_name(game, seat)} {score:.0f}" for seat, score in enumerate(scores))


def pv_text(choice: Candidate) -> str:
    """A likely continuation, starting with the action itself."""
    return " ".join(str(each) for each in choice.pv or (choice.action,))


def short(text: str, width: int = 24) -> str:
    """A text cut to a width."""
    return text if len(text) <= width else text[: width - 1] + "…"


def progress_bar() -> Progress:
    """A progress bar that counts; it leaves nothing behind where nobody watches."""
    # Not above: most commands show no bar, and it is the largest part of Rich.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
