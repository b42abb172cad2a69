"""`tripot solve` with problems of Triggery."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.games.triggery.positions import DEAR, LADDER, board_text
from typer.testing import Result

Run = Callable[..., Result]

pytestmark = pytest.mark.kernel


@pytest.mark.parametrize(
    ("boards", "bonus"),
    [
        (DEAR, "automatic"),
        (DEAR, "by-hand"),
        (f"{DEAR}|{LADDER}", "automatic"),
        (f"{DEAR}|{LADDER}", "by-hand"),
    ],
)
def test_a_budget_with_which_nothing_can_be_turned_has_the_answer_0(
    run_cli: Run, boards: str, bonus: str
) -> None:
    """The command said that nobody is to move."""
    position = " ".join(map(board_text, boards.split("|")))
    arguments = (position, "--budget", 3, "--bonus", bonus, "--seconds", 0.1)
    shown = run_cli("solve", "triggery", *arguments).output
    assert "Best turn: 0 tiles, 0 points, for 0." in shown
    assert "Proven: nothing better exists." in shown
    assert "1 done" in shown
    assert "reject" not in shown, "there is no known throw"
    solo = "|" not in boards
    assert ("win rate, lead" in shown) != solo, "a player alone has neither"


def test_a_plan_that_pays_for_nothing_says_so(run_cli: Run) -> None:
    """It read `pay for .`."""
    arguments = (board_text(DEAR), "--dice", "1-2,6-6", "--throw", "1-2", "--seconds", 0.1)
    shown = run_cli("solve", "triggery", *arguments).output
    assert "Throw 1 (3): pay for nothing." in shown
    assert "pay for ." not in shown
    assert "Nothing can be turned with 3: say that you are done, or reject the throw." in " ".join(
        shown.split()
    )


def test_dice_that_do_not_clear_the_board_have_no_plan(run_cli: Run) -> None:
    """Nothing is said of payments where there is no plan."""
    arguments = (board_text(DEAR), "--dice", "1-2,1-2", "--throw", "1-2", "--seconds", 0.1)
    shown = run_cli("solve", "triggery", *arguments).output
    assert "These 2 throws do not clear the board: proven." in shown
    assert "pay for" not in shown


def test_a_throw_that_clears_the_board_by_itself_is_said_to_leave_no_choice(run_cli: Run) -> None:
    """The command asked to add the outcome of chance, although the throw was given."""
    boards = f"{board_text('a1:*')} {board_text(LADDER)}"
    arguments = (boards, "--side", "blue", "--throw", "1-2")
    said = " ".join(run_cli("solve", "triggery", *arguments, code=2).stderr.split())
    assert "side=blue throw=1-2 leaves no choice, and then chance acts: Blue throws the dice" in said
    assert "add its outcome" not in said
    shown = run_cli("show", "triggery", boards, "side=blue", "throw=1-2").output
    assert "won 1" in shown
