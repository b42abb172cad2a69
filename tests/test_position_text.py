"""The parsers of position texts that all games share."""

from __future__ import annotations

import re

import pytest

from tripot.game import OptionError, Options, ParseError
from tripot.position_text import parse_grid, parse_name, parse_number, parse_seat, parse_words


def test_words_are_boards_names_and_values() -> None:
    words = parse_words("toy 1,2 3=4 turn=2 players=2", "toy", min_boards=2)
    assert words.boards == ("1,2", "3=4"), "a word of the board may contain ="
    assert (words["turn"], words["missing"]) == ("2", "")
    assert words.options(Options, ["turn"]) == Options(players=2)
    with pytest.raises(OptionError):
        words.options(Options, [])


def test_optional_boards_end_at_the_first_named_word() -> None:
    assert parse_words("toy a turn=1", "toy", 1, 2).boards == ("a",)
    assert parse_words("toy a b turn=1", "toy", 1, 2).boards == ("a", "b")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a position of this game is `toy BOARD [BOARD] name=value ...`"),
        ("toy", "a position of this game is"),
        ("tally a", "a position of this game is"),
        ("toy a b c", "'c' is not of the form name=value"),
        ("toy a turn=", "'turn=' is not of the form name=value"),
        ("toy a turn=1 turn=1", "turn is given twice"),
    ],
)
def test_unreadable_words_are_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=f": {re.escape(reason)}"):
        parse_words(text, "toy", 1, 2)


def test_an_error_names_the_whole_text() -> None:
    error = parse_words("toy turn=9", "toy").error("there is no seat 9")
    assert (error.text, error.reason) == ("toy turn=9", "there is no seat 9")
    with pytest.raises(ParseError, match="'x' is not a side"):
        parse_name("x", {"blue": 0}, "move x", "a side")


@pytest.mark.parametrize("digits", ["", "-1", "8", "1.0", "٣", "0000001"])
def test_a_number_has_ascii_digits_and_a_maximum(digits: str) -> None:
    assert parse_number("7", 7, "text") == 7
    with pytest.raises(ParseError, match="is not a number from 0 to 7"):
        parse_number(digits, 7, "text")


def test_seats_are_counted_from_one_in_texts() -> None:
    assert parse_seat("2", 2, "text") == 1
    for digits in ("0", "3", "02"):
        with pytest.raises(ParseError, match="seats are 1 to 2"):
            parse_seat(digits, 2, "text")


def test_a_grid_is_square() -> None:
    assert parse_grid("a,b/c,d", 2, "text") == [["a", "b"], ["c", "d"]]
    for board in ("a,b", "a,b/c", "a,b/c,d/e,f"):
        with pytest.raises(ParseError, match="2 rows"):
            parse_grid(board, 2, "text")
