"""What a game in the terminal shows: the board, the last actions, prompts, hints and the result.

In a terminal the board is redrawn in place, and notes appear below it, so that a board of 25 lines and the
prompt fit into a window of 30 lines. Elsewhere everything is printed line by line, and the board only when a
person is to act.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from rich.text import Text

from tripot import i18n
from tripot.cli.console import (
    LINES_BELOW_BOARD,
    ask,
    board_rows,
    capitalised,
    console,
    expected_text,
    outcome_text,
    print_board,
    print_prompt,
    pv_text,
    scores_text,
    shortened,
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
from tripot.table import ActionLog, Table

SHOWN_ACTIONS: Final = 6
"""How many of the last actions are shown below the board."""

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
            if console.is_terminal:
                console.clear()
            ask(f"Pass the screen to {self.label(seat)}, who presses Enter: ", leave="quit")
        self.seat_at_screen = seat

    def show_board(
        self, seat: Seat | None, note: Text | None = None, distance_maps: Sequence[DistanceMap] = ()
    ) -> None:
        """Show the board or a distance map as a seat sees it, the last actions, the prompt, and a note."""
        table_view = self.table.view_for(seat)
        if console.is_terminal:
            console.clear()
        print_board(table_view.view, distance_maps)
        note_lines = 1 + len(note.wrap(console, console.width)) if note else 0
        height = len(board_rows(table_view.view, distance_maps)) + LINES_BELOW_BOARD + note_lines
        if table_view.log and not (console.is_terminal and console.height < height - 1):
            console.print(self._last_actions(table_view.log), no_wrap=True, overflow="ellipsis")
        actor = table_view.view.to_act
        if table_view.outcome is None and (actor is CHANCE or actor in self.human_seats):
            print_prompt(self.game, table_view.view, self.label(actor) if isinstance(actor, int) else "")
        if note:
            console.print(note)

    def show_note(self, seat: Seat | None, note: Text) -> None:
        """Show a short text below the board, or as the next line outside a terminal."""
        if console.is_terminal:
            self.show_board(seat, note)
        else:
            console.print(note)

    def _last_actions(self, log: ActionLog) -> Text:
        texts = [
            f"{i18n.seat_name(self.game, seat)} {text}" if seat is not None else shortened(text)
            for seat, text in log[-SHOWN_ACTIONS:]
        ]
        while len(texts) > 1 and len(" · ".join(["…", *texts])) > console.width:
            del texts[0]  # the last action is the most important
        earlier = ["…"] if len(log) > len(texts) else []
        return Text.assemble((" · ".join([*earlier, *texts[:-1], ""]), "dim"), (texts[-1], "bold"))

    def show_hint(self, seat: Seat, view: AnyState, analysis: Analysis, show_map: bool) -> None:
        """Show the best moves of an analysis, on a distance map if wanted."""
        distance_maps = analysis.distance_maps if show_map else ()
        has_no_map = show_map and not distance_maps
        note = Text("This position has no distance map.\n" if has_no_map else "", style="green")
        count = self._hint_count(view, distance_maps)
        note.append(hint_text(self.game, view, analysis.candidates[:count]))
        if console.is_terminal:
            self.show_board(seat, note, distance_maps)
            return
        if distance_maps:
            print_board(view, distance_maps)
        console.print(note)

    def _hint_count(self, view: AnyState, distance_maps: Sequence[DistanceMap]) -> int:
        """Return how many moves of a hint fit below the board."""
        height = len(board_rows(view, distance_maps)) + LINES_BELOW_BOARD
        return MAX_HINTS if not console.is_terminal or console.height > height else 1

    def show_result(self) -> None:
        """Show the final board and the outcome."""
        outcome = self.table.outcome
        assert outcome is not None
        self.show_board(self.viewer())
        console.print(Text(outcome_text(self.game, outcome), style="bold green"))


def hint_text(game: AnyGame, view: AnyState, candidates: Sequence[Candidate]) -> str:
    """Return a hint: the best move with its expected outcome, facts and continuation, and the next best."""
    best, *others = candidates
    expected = " ".join(expected_text(best, view).split())
    if expected:
        expected = f"{expected} ({scores_text(game, best)})."
    reasons = best.facts or view.preview(best.action).effects
    facts = " ".join(i18n.render(game, fact) for fact in reasons)
    lines = [" ".join(filter(None, (f"Hint: {best.action}.", expected, facts)))]
    if len(best.pv) > 1:
        lines.append(f"Principal variation: {pv_text(best)}")
    if others:
        texts = (" ".join(f"{other.action} {expected_text(other, view)}".split()) for other in others)
        lines.append(f"Next best: {', '.join(texts)}")
    return "\n".join(lines)


def error_text(game: AnyGame, error: TripotError) -> Text:
    """Return why an input was refused, and where to read more."""
    if isinstance(error, IllegalActionError):
        sentence, clause = i18n.render(game, error.fact), error.fact.clause
        tip = f" ({clause}: type rules {clause})" if clause in i18n.clauses(game) else ""
        return Text.assemble((sentence, "red"), (tip, "dim"))
    return Text.assemble((capitalised(str(error)), "red"), (" (type help)", "dim"))
