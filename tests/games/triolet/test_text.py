"""Actions and positions as text, and the texts that are refused before the rules are applied."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot.game import IllegalActionError, ParseError
from tripot.games.triolet import GAME
from tripot.games.triolet.actions import DrawFirstSeat, DrawTokens, Exchange, Place, PlacedToken
from tripot.games.triolet.board import BIS, FACTORS, JOKER
from tripot.games.triolet.options import Options
from tripot.testing import random_action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("lots 2", DrawFirstSeat(1)),
        ("draw 1 0,5,J", DrawTokens(0, bytes([0, 5, JOKER]))),
        ("exchange 3", Exchange(bytes([3]))),
        ("H8=5", Place((PlacedToken(7, 7, 5),))),
        ("H8=5 H9=J7", Place((PlacedToken(7, 7, 5), PlacedToken(7, 8, 7, joker=True)))),
        ("P20=J", Place((PlacedToken(15, 19, -1, joker=True),))),
    ],
)
def test_actions_have_one_text(text: str, action: object) -> None:
    assert GAME.parse_action(text) == action
    assert str(action) == text


@pytest.mark.parametrize(
    ("typed", "text"),
    [("H9=J7 H8=5", "H8=5 H9=J7"), ("h8=5 h9=j7", "H8=5 H9=J7"), ("exchange 5,3", "exchange 3,5")],
)
def test_the_order_of_typed_tokens_does_not_matter(typed: str, text: str) -> None:
    assert str(GAME.parse_action(typed)) == text


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "H8",
            "H8=",
            "H8=x",
            "H8=16",
            "88=5",
            "H0=5",
            "H8=5 H9",
            "H8=5,H9=3",
            "exchange",
            "exchange 16",
        ),
        *(
            "exchange ?",
            "exchange 3 5",
            "lots",
            "lots 0",
            "lots x",
            "draw 1",
            "draw x 3",
            "draw 1 ?,3",
            "pass",
        ),
    ],
)
def test_a_text_that_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        GAME.parse_action(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a position of this game"),
        ("triolet", "a position of this game"),
        ("other H8=3", "a position of this game"),
        ("triolet H8=3 turn=3", "is not a seat"),
        ("triolet H8=3 turn=1 turn=2", "turn is given twice"),
        ("triolet H8=3 word", "not of the form name=value"),
        ("triolet H8=3,H8=4", "two tokens on H8"),
        ("triolet H16=3", "cannot be on the board"),
        ("triolet H8=J", "cannot be on the board"),
        ("triolet H8=9,H9=7", "two in a line that total 16"),
        ("triolet H8=9,H9=5,H10=5", "three in a line that total 19"),
        ("triolet H8=0,H9=1,H10=2,H11=3", "a line of more than three"),
        ("triolet H9=3", "connected to H8"),
        ("triolet H8=3,A1=3", "connected to H8"),
        ("triolet H8=3,H9=4,I8=5,I9=6", "TO-9"),
        ("triolet H8=2,H9=7,H10=6,I8=9,I9=5,I10=1,J8=4,J9=3,J10=8", "TO-9"),
        ("triolet H8=15 racks=15,3,4/?,?,?", "there are 1 of the token 15, not 2"),
        ("triolet H8=3 racks=1,2,3", "2 racks are needed"),
        ("triolet H8=3 racks=1,2,3,4/?,?,?", "of at most 3"),
        ("triolet H8=3 racks=1,2,16/?,?,?", "'16' is not a token"),
        ("triolet H8=3 racks=1,2/?,?", "only the seat that played"),
        ("triolet H8=3 racks=1,2,3/?,?,?/?,? players=3 turn=2", "only the seat that played"),
        ("triolet - racks=-/?,?,? turn=1", "before the first move"),
        ("triolet - racks=1/- turn=1", "before the first move"),
        ("triolet H8=3 racks=-/- scores=0,0", "only the seat that played"),
        ("triolet H8=3 scores=1,2,3", "scores are 2"),
        ("triolet H8=3 scores=-1,2", "scores are 2"),
        ("triolet H8=3 racks=1,2/?,?,? given=3 turn=1", "exchanging tokens"),
        ("triolet H8=3 racks=1,2/?,?,? given=3,4 turn=2", "exchanging tokens"),
    ],
)
def test_impossible_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(ParseError) as error:
        GAME.parse_state(text)
    assert why in str(error.value)


def test_unknown_parts_of_a_position_may_be_omitted() -> None:
    state = GAME.parse_state("triolet H8=3")
    assert state.to_text() == "triolet H8=3 racks=?,?,?/?,?,? scores=0,0 turn=1"
    partly = GAME.parse_state("triolet H8=3 racks=0,?,J/?,?,?")
    assert {str(move)[:4] for move in partly.legal_actions()} >= {"H9=0", "H9=J"}
    assert partly.determinize(Random(1)).racks[0][0] == 0


def test_moves_from_a_hidden_rack_can_be_followed() -> None:
    """A spectator applies the actions of others to a view."""
    state = GAME.parse_state("triolet H8=3 racks=?,?,?/?,?,?")
    after = state.apply(GAME.parse_action("H9=5"))
    assert "racks=?,?/?,?,?" in after.to_text()
    assert after.scores == (8, 0)
    with pytest.raises(IllegalActionError):
        GAME.parse_state("triolet H8=15 racks=?,?,?/?,?,?").apply(GAME.parse_action("H9=J0 H10=15"))


@pytest.mark.long
@pytest.mark.soak  # test_options.py does the same in every run, with one game of each size
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32), players=st.sampled_from((2, 3, 4)))
def test_views_of_whole_games_are_parsed_back(seed: int, players: int) -> None:
    rng, state = Random(seed), GAME.initial_state(Options(players=players))
    for _ in range(400):
        for seen in (state, *(state.view(seat) for seat in range(players)), state.view(None)):
            assert GAME.parse_state(seen.to_text()) == seen
        if state.to_act is None:
            break
        state = state.apply(random_action(state, rng))


def test_a_drawing_shows_tokens_jokers_special_squares_and_racks() -> None:
    state = GAME.parse_state("triolet H8=3,H9=J12 racks=0,?,J/?,?,? scores=7,11")
    lines = ["".join(text for text, _ in row).rstrip() for row in state.draw_terminal()]
    assert lines[0].split() == [str(column) for column in range(1, 16)]
    assert lines[1].split() == ["A", *"·" * 7, "bis", *"·" * 7]
    assert lines[8].split()[8:11] == ["3", "*12", "·"]
    assert lines[16].split() == [">", "1", "0", "J", "?", "7"]
    assert lines[18].split() == ["bag", "72"]
    assert "*12" not in state._repr_svg_()
    assert "<title>H8</title>" in state._repr_svg_()


def test_the_json_of_a_view_has_what_the_page_needs() -> None:
    page = GAME.parse_state("triolet H8=3,H9=J12 racks=0,2,J/?,?,? scores=7,11").to_json()
    assert page["board"][112:115] == ["3", "J12", None]
    assert page["racks"] == [["0", "2", "J"], ["?", "?", "?"]]
    assert (page["scores"], page["bag"]) == ([7, 11], 72)
    assert page["unseen"]["0"] == 8
    assert "J" not in page["unseen"]
    assert page["doubles"][:2] == ["D8", "E5"]


@pytest.mark.parametrize(("columns", "marked"), [(80, " [·]"), (70, " [·]"), (50, "[·]")])
def test_legal_squares_are_marked_and_separated_without_colours(columns: int, marked: str) -> None:
    """The board had no borders, and nothing told where a token may be placed."""
    state = GAME.parse_state("triolet H8=3,H9=J12 racks=0,?,J/?,?,? scores=7,11")
    for seen in (state, state.view(0), state.view(1)):
        placements = [action for action in seen.legal_actions() if isinstance(action, Place)]
        legal = {token.square for action in placements for token in action.tokens}
        rows = seen.draw_compact(columns, 19)
        lines = ["".join(text for text, _ in row) for row in rows]
        assert len(lines) <= 19
        assert max(map(len, lines)) <= columns
        assert sum(line.count("[") for line in lines) == len(legal)
        assert all(line.count("|") == (16 if columns == 80 else 0) for line in lines[1:16])
        plain_legal = [square for square in legal if FACTORS[square] == 1 and square not in BIS]
        assert sum(line.count(marked) for line in lines) >= len(plain_legal)


def test_bis_is_written_in_full_where_it_is_not_in_brackets() -> None:
    """In 60 columns it was `bi`."""
    state = GAME.initial_state(players=2)
    for columns in (80, 62, 60, 47):
        shown = "\n".join("".join(text for text, _ in row) for row in state.draw_compact(columns, 20))
        assert shown.count("bis") == len(BIS)
