"""Trigon in the terminal: moves by piece and place, and the totals of teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.games.skipped_turns import check_skips_are_said
from tests.games.trigon.test_figures import FIR, KEY
from typer.testing import Result

from tripot.cli import console
from tripot.game import Outcome, fact
from tripot.games.trigon import GAME
from tripot.record import Record

Run = Callable[..., Result]


def test_a_piece_and_a_cell_are_enough_to_choose_a_placement(run_cli: Run, tmp_path: Path) -> None:
    """A first move was once to be found in a list of 2,478."""
    file = tmp_path / "game.txt"
    lines = "list\nV\nI3 r15\n2\n1 z7\nquit\n"
    shown = run_cli("play", "trigon", "--seats", "a,b", "--seed", 1, "--save", file, lines=lines).output
    assert "Type a piece, or a piece and a cell that it covers." in shown
    assert "places. Add a cell that it covers, such as V CELL." in shown
    assert "^v^" in shown
    assert "Type the number of the one you mean; * is r15." in shown
    first, second = Record.load(file).actions[-2:]
    assert str(first).startswith("I3@")
    assert str(second) == "1@z7"


def test_the_totals_of_teams_are_shown_at_the_end() -> None:
    outcome = Outcome((-3, -9, -4, -8), (0, 1, 0, 1), fact("TR-6", "over"), ())
    assert console.team_totals_text(GAME, outcome) == [
        "Totals: Player 1 and Player 3 -7, Player 2 and Player 4 -17."
    ]
    assert not console.team_totals_text(GAME, Outcome((-3, -9), (0, 1), outcome.reason))


def test_scores_of_1_and_0_are_shown_if_they_are_points() -> None:
    reason = fact("TR-6", "end")
    assert "Scores: Player 1 1, Player 2 0." in console.outcome_text(GAME, Outcome((1, 0), (0, 1), reason))
    resigned = Outcome((-1, 1), (0, 1), fact("TABLE", "resign", seat=0), has_points=False)
    assert "Scores" not in console.outcome_text(GAME, resigned)


@pytest.mark.kernel
@pytest.mark.parametrize(
    ("options", "fact"),
    [
        (["figure=little-triangle"], "There is a tiling. Pieces still to place: 3."),
        (["figure=own", f"shape={FIR}"], "There is no tiling from here"),
        (["figure=own", f"shape={KEY}"], "Not known: the time was too short. Steps tried: 40000."),
    ],
)
def test_TR_12_a_hint_for_a_figure_says_what_is_known(run_cli: Run, options: list[str], fact: str) -> None:
    """Facts of the analysis were left out of hints, so that "no tiling" and "unknown" were never shown."""
    texts = [text for option in options for text in ("-o", option)]
    arguments = ("--players", 1, "--seats", "me", "--simulations", 20, "--seed", 1, *texts)
    shown = run_cli("play", "trigon", *arguments, lines="hint\nquit\n").output
    assert fact in " ".join(shown.split("Hint: ")[1].split())


@pytest.mark.parametrize("options", ["players=2", "players=3", "players=4", "players=4 teams=on"])
def test_TR_5_each_skipped_turn_is_said_in_words(run_cli: Run, options: str) -> None:
    """It was said once, when the colour could not play for the first time."""
    check_skips_are_said(run_cli, GAME, options, 4)
