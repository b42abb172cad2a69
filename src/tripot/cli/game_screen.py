"""What a game in the terminal shows: the board, the last actions, prompts, hints and the result.

In a terminal the board is redrawn in place, and notes appear below it; everything fits into 80 by 24. Longer
texts, such as the rules, are shown in place of the board. Elsewhere everything is printed line by line, and
the board only when a person is to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Final

from rich.text import Text

from tripot import i18n
from tripot.cli.console import (
    ask,
    board_rows,
    capitalised,
    console,
    expected_text,
    forget_inputs,
    forget_screen,
    joined_while_fitting,
    line_count,
    lowest_height,
    outcome_text,
    print_board,
    print_rows,
    prompt_texts,
    scores_text,
)
from tripot.game import (
    CHANCE,
    Analysis,
    AnyGame,
    AnyState,
    Candidate,
    DistanceMap,
    IllegalActionError,
    Seat,
    TripotError,
)
from tripot.game_package import HINT_EXCEPTION
from tripot.table import ActionLog, Table, TableView

SHOWN_ACTIONS: Final = 6
"""How many of the last actions are shown below the board."""

MAX_CHANCE_TEXT: Final = 24
"""The longest text of a chance outcome that is shown below the board; a person cannot read a shuffle."""

MAX_HINTS: Final = 3
"""Maximum number of moves in a hint."""


class GameScreen:
    """The display of one table, which all people at this screen share."""

    def __init__(self, table: Table) -> None:
        self.table, self.game = table, table.game
        self.human_seats = [seat for seat, player in enumerate(table.players) if not player.is_bot]
        self.seat_at_screen: Seat | None = None
        """The person who looks at the screen."""

    def label(self, seat: Seat) -> str:
        """Return the names of a seat and of its player."""
        return f"{i18n.seat_name(self.game, seat)} ({self.table.players[seat].name})"

    def viewer(self) -> Seat | None:
        """Return whose view is shown while no person is to act: that of the only person, or None for all."""
        return self.human_seats[0] if len(self.human_seats) == 1 else None

    def hand_over(self, seat: Seat) -> None:
        """Ask for the next person before their view is shown, if the views of the people differ."""
        views = [self.table.state.view(human_seat) for human_seat in self.human_seats]
        if seat != self.seat_at_screen and any(one != other for one, other in combinations(views, 2)):
            forget_screen()
            forget_inputs()
            ask(f"Pass the screen to {self.label(seat)}, who presses Enter: ", leave="quit")
        self.seat_at_screen = seat

    def show_board(
        self, seat: Seat | None, note: Text | None = None, distance_maps: Sequence[DistanceMap] = ()
    ) -> None:
        """Show the board or a distance map as a seat sees it, the last actions, the prompt, and a note.

        What a window is too low for is left out: the last actions, then all but a line of the prompt, the
        prompt, and the board, in place of which there is the note or the height that is needed.
        """
        table_view = self.table.view_for(seat)
        log = self._last_actions(table_view.log)
        prompt = self._prompt(table_view)
        rows = board_rows(table_view.view, distance_maps)
        below = [*log, *prompt]
        if console.is_terminal:
            console.clear()
            for below in ([*log, *prompt], prompt, one_line(prompt), []):
                lines_below = 1 + sum(map(line_count, [*below, *([note] if note else [])]))
                rows = board_rows(table_view.view, distance_maps, lines_below)
                if len(rows) + lines_below <= console.height:
                    break
            else:
                below = [] if note else [too_low_text(len(rows) + 1), *prompt]
                rows = ()
        if rows:
            print_rows(rows)
        for text in below:
            console.print(text, no_wrap=text.no_wrap, overflow=text.overflow)
        if note:
            console.print(note)
        if note and not rows:
            console.print("Enter shows the board again.", style="dim")

    def _prompt(self, table_view: TableView) -> list[Text]:
        """Return what a person or chance has to do, and the choices; nothing while a bot is to act."""
        actor = table_view.view.to_act
        if table_view.outcome or not (actor is CHANCE or actor in self.human_seats):
            return []
        return prompt_texts(self.game, table_view.view, self.label(actor) if isinstance(actor, int) else "")

    def lines_for_note(
        self, seat: Seat | None, distance_maps: Sequence[DistanceMap] = (), *, with_prompt: bool = False
    ) -> int | None:
        """Return how many lines of a note fit below the board, and below the prompt; None for any number."""
        if not console.is_terminal:
            return None
        table_view = self.table.view_for(seat)
        lowest = lowest_height(table_view.view, distance_maps)
        prompt = sum(map(line_count, self._prompt(table_view))) if with_prompt else 0
        return console.height - lowest - prompt - 1  # for the input

    def show_note(self, seat: Seat | None, note: Text) -> None:
        """Show a short text below the board, or as the next line outside a terminal."""
        if console.is_terminal:
            self.show_board(seat, note)
        else:
            console.print(note)

    def _last_actions(self, log: ActionLog) -> list[Text]:
        """Return the last actions in a line, without what chance did if that is long, such as a shuffle."""
        texts = [
            f"{i18n.seat_name(self.game, seat)} {text}" if seat is not None else text
            for seat, text in log[-SHOWN_ACTIONS:]
            if seat is not None or len(text) <= MAX_CHANCE_TEXT
        ]
        if not texts:
            return []
        while len(texts) > 1 and len(" · ".join(["…", *texts])) > console.width:
            del texts[0]  # the last action is the most important
        earlier = ["…"] if len(log) > len(texts) else []
        earlier_text = " · ".join([*earlier, *texts[:-1], ""])
        return [Text.assemble((earlier_text, "dim"), (texts[-1], "bold"), no_wrap=True, overflow="ellipsis")]

    def show_hint(self, seat: Seat, view: AnyState, analysis: Analysis, show_map: bool) -> None:
        """Show the best moves of an analysis, on a distance map if wanted."""
        distance_maps = analysis.distance_maps if show_map else ()
        has_no_map = show_map and not distance_maps
        note = Text("This position has no distance map.\n" if has_no_map else "", style="green")
        lines = self.lines_for_note(seat, distance_maps)
        lines = None if lines is None else lines - has_no_map
        note.append(hint_text(self.game, view, analysis, lines))
        if console.is_terminal:
            self.show_board(seat, note, distance_maps)
            return
        if distance_maps:
            print_board(view, distance_maps)
        console.print(note)

    def show_result(self, skips: str, replay_command: str) -> None:
        """Show the final board, which turns were skipped, the outcome, and how to show the game again.

        The outcome comes first where there is no room for everything.
        """
        outcome = self.table.outcome
        assert outcome is not None
        parts = [Text(outcome_text(self.game, outcome), style="bold green")]
        lines = self.lines_for_note(self.viewer())
        tip = f"Show it again: {replay_command}" if replay_command else ""
        for part, position in ((Text(skips, style="green"), 0), (Text(tip, style="dim"), len(parts) + 1)):
            if part and (lines is None or sum(map(line_count, [*parts, part])) <= lines):
                parts.insert(position, part)
        self.show_board(self.viewer(), Text("\n").join(parts))


def one_line(prompt: Sequence[Text]) -> list[Text]:
    """Return as much of a prompt as fits into a line."""
    return [Text(text.plain, style="bold", no_wrap=True, overflow="ellipsis") for text in prompt[:1]]


def too_low_text(lines: int) -> Text:
    """Return the message of a window that is too low for the board with the input."""
    message = f"The board needs {lines} lines, and this window has {console.height}: please make it higher."
    return Text(message, style="bold")


MIN_HINT_PARTS: Final = 2
"""The parts of a hint that are always shown, with what it leaves to be noticed: the move and a reason."""


def hint_text(game: AnyGame, view: AnyState, analysis: Analysis, lines: int | None) -> str:
    """Return a hint: the best move with its expected outcome, reasons and continuation, and the next best.

    If that takes more than so many lines, continuation and next best moves are shortened to a line each, or
    left out, and then the last reasons. The best move and its first reason never are.
    """
    best, *others = analysis.candidates[:MAX_HINTS]
    exceptions = [fact for fact in best.facts if fact.key == HINT_EXCEPTION]
    best = replace(best, facts=tuple(fact for fact in best.facts if fact not in exceptions))
    sentences = [f"Hint: {best.action}.", *(i18n.render(game, fact) for fact in exceptions)]
    sentences += _reasons(game, view, best, analysis)
    while (
        lines is not None
        and len(sentences) > MIN_HINT_PARTS + len(exceptions)
        and line_count(Text(" ".join(sentences))) > lines
    ):
        sentences.pop()
    first = " ".join(sentences)
    other_texts = [" ".join(f"{other.action} {expected_text(other, view)}".split()) for other in others]
    more = [("Principal variation:", [str(action) for action in best.pv], " ")] if len(best.pv) > 1 else []
    more += [("Next best:", other_texts, ", ")] if others else []
    whole = [first, *(joined_while_fitting(*parts, None) for parts in more)]
    room = 0 if lines is None else lines - line_count(Text(first))
    if room < 0 or lines is None or line_count(Text("\n".join(whole))) <= lines:
        return "\n".join(whole)
    return "\n".join([first, *(joined_while_fitting(*parts, console.width) for parts in more[:room])])


def _reasons(game: AnyGame, view: AnyState, best: Candidate, analysis: Analysis) -> list[str]:
    """Return why a move is recommended, at least one sentence: its expected outcome, and what is known of it.

    If nothing is, what it does is said instead, or else how often it wins and how that was found out.
    """
    sentences = []
    if expected := " ".join(expected_text(best, view).split()):
        sentences.append(f"{expected} ({scores_text(game, best)}).")
    facts = best.facts or view.preview(best.action).effects
    if not facts and not sentences:
        facts = analysis.facts[:1]
        if best.expected and len({*view.teams}) > 1:
            sentences.append(f"Expected share of wins: {best.expected.win_rate:.0%}.")
    return [*sentences, *(i18n.render(game, fact) for fact in facts)]


def error_text(game: AnyGame, error: TripotError) -> Text:
    """Return why an input was refused, and where to read more."""
    if isinstance(error, IllegalActionError):
        sentence, clause = i18n.render(game, error.fact), error.fact.clause
        tip = f" ({clause}: type rules {clause})" if clause in i18n.clauses(game) else ""
        return Text.assemble((sentence, "red"), (tip, "dim"))
    return Text.assemble((capitalised(str(error)), "red"), (" (type help)", "dim"))
