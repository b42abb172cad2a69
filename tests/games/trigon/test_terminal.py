"""Trigon in the terminal: moves by piece and place, and the totals of teams."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.games.skipped_turns import check_skips_are_said
from tests.games.trigon.test_figures import FIR, KEY
from tests.random_games import random_states
from typer.testing import Result

from tripot.cli import console
from tripot.game import Limit, Outcome, fact
from tripot.games.trigon import GAME
from tripot.games.trigon.actions import Place
from tripot.games.trigon.board import CELL_NAMES, STARTS
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


LATE = (
    "trigon"
    " blue=2@r5-s5+I4@s8-t8,t9-u9+C4@aa9,y10-aa10+P5@o7,n8-q8+I6@w9,v10-w10,u11-v11,u12+P6@z6,"
    "y7-z7,x8-z8+F@t6-v6,u7-w7+W@ad6,ab7-ad7,ab8-ac8+S@ad9-ae9,ad10-ae10,ad11-ae11+L6@aa3-ac3"
    ",z4-aa4,z5"
    " yellow=1@y15+I4@ab12-ac12,aa13-ab13+P5@j14-m14,l15+A6@l10,k11-m11,k12,m12+F@w13-y13,v14-"
    "x14+G@s13,s14-t14,r15-t15+V@e12-f12,f13-i13+W@o12-p12,o13-q13,q14+S@r10-s10,r11-s11,r12-"
    "s12+L6@n15-o15,n16-o16,m17-n17"
    " red=1@f6+2@g8-h8+I3@a9-b9,a10+I4@i9,i10-j10,j11+P5@j7-l7,j8-k8+C5@d7-e7,c8-e8+A6@e9-f9,d"
    "10-g10+G@g11-h11,g12-j12+V@l9-o9,o10-p10"
    " green=2@f4-g4+I4@i3-l3+P5@s3-t3,r4-t4+Y@y1,y2-aa2,y3-z3+F@v4-w4,v5-x5,w6+G@o1-q1,o2,q2-r"
    "2+X@j4,h5-k5,i6+W@o3-p3,n4-p4,n5+L6@q5,m6-q6"
    " turn=red"
    " players=2"
)
"""Red has pieces left that have no place."""


def test_every_place_of_a_piece_has_a_name(run_cli: Run) -> None:
    """A piece alone gave equal drawings, and `*` was said to be the piece."""
    shown = run_cli("play", "trigon", "--seats", "a,b", "--seed", 1, lines="1\nquit\n").output
    starts = {CELL_NAMES[cell] for cell in STARTS}
    assert any({*line.split()} == starts for line in shown.splitlines())
    assert "Type the number of the one you mean; * is named below it." in shown


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_the_drawings_of_a_choice_differ(share: float) -> None:
    states = [state for state in random_states(GAME.initial_state(players=2), seed=3) if state.draw_pieces()]
    state = states[int(share * len(states))]
    for piece, _ in state.draw_pieces():
        matches = state.matching_actions(piece)
        assert len({state.draw_action(action, piece) for action in matches}) == len(matches)
        for cell in {CELL_NAMES[action.cells[-1]] for action in matches[:20] if isinstance(action, Place)}:
            text = f"{piece} {cell}"
            matches = state.matching_actions(text)
            assert len({state.draw_action(action, text) for action in matches}) == len(matches)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("V", "V is on the board already. (TR-5"),
        ("P5", "P5 is on the board already. (TR-5"),
        ("V q15", "V is on the board already. (TR-5"),
        ("p5", "P5 is on the board already. (TR-5"),
        ("O", "O has no place now. (TR-5"),
        ("O q15", "O has no place now. (TR-5"),
        ("A4 q15", "A4 cannot cover q15 now."),
        ("A4 zz9", "'zz9' is not a triangle; a piece and a triangle it covers is such as V q15"),
        ("help", "PIECE CELL   the places of a piece that cover a cell"),
    ],
)
def test_a_piece_without_a_place_is_answered_as_a_piece(run_cli: Run, text: str, answer: str) -> None:
    """It was read as a triangle (`'v' is not a triangle`, `p5 shares a side`) or as a long move."""
    shown = run_cli("play", "--seats", "a,b", "trigon", "--from", LATE, lines=f"{text}\nquit\n").output
    assert answer in " ".join(shown.split()) or answer in shown


def test_a_triangle_with_many_places_asks_for_a_piece(run_cli: Run) -> None:
    """`Add a cell that it covers, such as o4 CELL` took the triangle for a piece."""
    shown = run_cli("play", "trigon", "--seats", "a,b", "--seed", 1, lines="r15\nquit\n").output
    assert "places. Add a cell that it covers, or type a piece and a cell." in " ".join(shown.split())


@pytest.mark.parametrize(("columns", "left"), [(80, "● blue 59"), (40, "●59")])
def test_a_low_window_shows_what_every_colour_has_left(columns: int, left: str) -> None:
    """Without room for all pieces there were only those of the colour to play, and no scores."""
    state = GAME.parse_state(LATE)
    expected = left.replace("59", str(state.triangles_left(0)))
    rows = ["".join(text for text, _ in row) for row in state.draw_compact(columns, 21)]
    assert len(rows) == 21
    assert rows[-1].startswith("left: ")
    assert expected in rows[-1]
    assert ">▬" in rows[-1], "the colour to play"


@pytest.mark.kernel
def test_TR_12_a_hint_lists_no_move_that_spoils_the_tiling(run_cli: Run) -> None:
    """The next best moves were not part of any tiling."""
    arguments = ("--players", 1, "--seats", "me", "--simulations", 20, "--seed", 1)
    figure = ("-o", "figure=little-triangle")
    shown = run_cli("play", "trigon", *arguments, *figure, lines="hint\nquit\n").output
    hint = " ".join(shown.split("Hint: ")[1].split("Player 1>")[0].split())
    line = hint.split("Principal variation: ")[1].split(" Next best: ")[0].split()
    assert {*hint.split("Next best: ")[1].split(", ")} <= {*line}


@pytest.mark.kernel
def test_TR_12_a_hint_without_a_tiling_recommends_nothing_or_a_lift(run_cli: Run) -> None:
    """It recommended a piece in the same breath as it said that there is no tiling."""
    arguments = ("--players", 1, "--seats", "me", "--simulations", 20, "--seed", 1)
    shown = run_cli(
        "play", "trigon", *arguments, "-o", "figure=own", "-o", f"shape={FIR}", lines="hint\nquit\n"
    )
    assert "So no move is known to be better than another." in " ".join(shown.output.split())
    start = GAME.initial_state(players=1, figure="little-triangle")
    for action in start.legal_actions():
        state = start.apply(action)
        analysis = GAME.engine(GAME.levels[-1]).analyse(state, Limit(simulations=20), Random(1))
        if fact("ENGINE", "untileable") in analysis.facts:
            best = state.hint(analysis).candidates[0]
            assert str(best.action).startswith("lift ")
            assert fact("ENGINE", "lift_helps") in best.facts
            return
    raise AssertionError("every move leaves a tiling")


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
