"""Actions and positions as text, and drawings."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

from tripot.game import DistanceMap, OptionError, ParseError
from tripot.games.trigon import GAME
from tripot.games.trigon.actions import DrawColours, Lift, Pass, Place
from tripot.games.trigon.board import COLUMNS, NO_COLOUR, parse_cells
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state


def played(options: Options, seed: int, plies: int) -> State:
    rng, state = Random(seed), initial_state(options)
    for _ in range(plies):
        if state.to_act is not None:
            state = state.apply(
                state.sample_chance(rng) if state.needs_colour_draw else rng.choice(state.legal_actions())
            )
    return state


def test_a_move_names_its_piece_and_its_triangles() -> None:
    place = Place(parse_cells("q15-r15,n16-q16"))
    assert str(place) == "V@q15-r15,n16-q16"
    for text in ("V@q15-r15,n16-q16", "n16-q16,r15,q15", "v@Q15-R15,N16-Q16"):
        assert GAME.parse_action(text) == place
    assert GAME.parse_action("lift V@q15-r15,n16-q16") == Lift(place.cells)
    assert GAME.parse_action("lot red,blue") == DrawColours((2, 0))
    assert GAME.parse_action("pass") == Pass()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a move is"),
        ("V @q15", "a move is"),
        ("V@", "not a triangle"),
        ("V", "not a triangle"),
        ("q99", "not a triangle"),
        ("I6@q15-r15,n16-q16", "is V, not 'I6'"),
        ("q15-x15", "no piece has the shape"),
        ("r10,r9", "no piece has the shape"),
        ("r15,r15", "twice"),
        ("lot pink,blue", "not a colour"),
        ("lift", "not a triangle"),
    ],
)
def test_a_text_that_is_not_a_move_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        GAME.parse_action(text)


@pytest.mark.long
@pytest.mark.parametrize(
    "options",
    [
        "",
        "contact=corners",
        "players=2",
        "players=3",
        "teams=on start=free",
        "players=1",
        "players=1 figure=heart",
        "players=1 figure=own shape=p9-u9,q10-s10 pieces=I6,I3",
    ],
)
def test_positions_of_whole_games_are_parsed_back(options: str) -> None:
    for plies in (0, 1, 5, 30, 90):
        state = played(Options.parse(options), seed=plies, plies=plies)
        assert GAME.parse_state(state.to_text()) == state


def test_a_position_can_be_typed_in_short() -> None:
    state = GAME.parse_state("trigon blue=1@r15 yellow=1@z12 players=2")
    assert (state.turn, len(state.legal_actions())) == (
        0,
        len(GAME.parse_state("trigon blue=1@r15 players=2").legal_actions()),
    )
    assert GAME.parse_state("trigon") == initial_state(Options())
    assert GAME.parse_state("trigon turn=red").to_act == 2
    assert GAME.parse_state("trigon blue=1@r15").colours == bytes(range(4))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("trippet blue=1@r15", "a position of this game"),
        ("trigon blue", "not of the form name=value"),
        ("trigon blue=1@r15 blue=1@r4", "blue is given twice"),
        ("trigon blue=2@r15", "is 1, not '2'"),
        ("trigon blue=1@r15+1@r4", "no further piece"),
        ("trigon blue=1@h18", "not played on"),
        ("trigon players=3 blue=2@z12-aa12+I6@ae9-aj9", "not played on"),
        ("trigon blue=1@r15 red=2@r15-s15", "two pieces cover r15"),
        ("trigon blue=1@r15+2@r14-s14", "share a side"),
        ("trigon blue=1@r14", "no starting triangle"),
        ("trigon blue=1@r15+2@r4-s4", "not connected"),
        ("trigon blue=1@r15+I3@q16-s16 contact=corners", "straight side"),
        ("trigon players=3 green=1@r15", "green is not played"),
        ("trigon turn=pink", "not a colour"),
        ("trigon players=3 turn=green", "green is not played"),
        ("trigon colours=red,red,blue,green", "cannot have drawn"),
        ("trigon players=2 colours=blue,red", "only three or four"),
        ("trigon out=blue", "blue is not out"),
        ("trigon last=blue", "not placed all pieces"),
        ("trigon players=1 turn=blue", "a figure has no turns"),
        ("trigon players=1 blue=1@r8", "no further piece"),
    ],
)
def test_an_impossible_position_is_unreadable(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        GAME.parse_state(text)
    with pytest.raises(OptionError):
        GAME.parse_state("trigon players=7")


def test_the_terminal_board_is_narrow_and_shows_marks_starts_and_attach_points() -> None:
    state = initial_state(Options(players=2))
    assert str(state).count("*") == 6
    state = state.apply(GAME.parse_action("V@q15-r15,n16-q16"))
    assert (str(state).count("*"), str(state).count("●")) == (4, 6 + 1)
    state = played(Options(), seed=3, plies=30)
    picture = str(state).splitlines()
    assert len(picture) == 18 + 2 + 4
    assert max(map(len, picture)) <= 80
    for mark in "●○▬✚·>":
        assert mark in str(state)
    assert str(played(Options(players=3), seed=3, plies=99)).count("x") == 1 + 3  # a column, and who is out


def test_a_map_in_the_terminal_has_the_letter_of_the_nearest_colour_on_every_cell() -> None:
    state = GAME.parse_state("trigon blue=I6@q15-v15 yellow=1@z7 red=1@r4 green=1@j7 turn=blue")
    maps = [
        DistanceMap("blue", {"p14": 1, "q13": 2, "r13": 7, "s13": 9}),
        DistanceMap("yellow", {"q13": 2, "s13": 3}),
        DistanceMap("red", {}),
        DistanceMap("green", {"r13": 8}),
    ]
    rows = ["".join(text for text, _ in row).rstrip() for row in state.draw_terminal_map(maps)]

    def shown(column: str, row: int) -> str:
        return rows[18 - row][4 + 2 * COLUMNS.index(column)]

    assert shown("p", 14) == "B", "one piece gets there"
    assert shown("r", 13) == "b", "it takes two"
    assert (shown("q", 13), shown("s", 13)) == ("=", "Y")
    assert "territory: B blue 2  Y yellow 1  R red 0  G green 0  = shared 1" in "\n".join(rows)
    assert "●" in rows[3], "pieces are shown as ever"
    assert state.draw_terminal_map([]) == state.draw_terminal()


def test_the_terminal_shows_a_figure_alone() -> None:
    picture = str(initial_state(Options(players=1, figure="little-triangle")))
    assert [line[:2] for line in picture.splitlines()[:4]] == ["11", "10", " 9", " 8"]
    assert picture.splitlines()[-1].split() == ["I5", "L5", "P6"]


def test_drawings_are_well_formed_svg() -> None:
    states = [played(Options(), 4, 99), played(Options(players=3), 4, 20), initial_state(Options(players=1))]
    pictures = [state._repr_svg_() for state in states]
    for picture in pictures:
        assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert pictures[0].count("<title>") == len(states[0].pieces_on_board)


def test_json_has_what_the_page_needs() -> None:
    page = played(Options(), seed=1, plies=20).to_json()
    assert [page["turn"]] in page["colours"]
    assert len(page["pieces"]) == 19
    assert page["scores"].keys() == page["pieces_left"].keys() == {"blue", "yellow", "red", "green"}
    assert all("@" in text for text in page["legal"])
    over = played(Options(players=2), seed=1, plies=200)
    assert over.turn == NO_COLOUR
    assert over.to_json()["turn"] is None
