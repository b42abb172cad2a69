"""The parts of parsing that position texts of all games share.

A position is one line: the key of its game, the words of the board if the game has any, then
`name=value` words in any order. Some of these names belong to the position, the others are options of
the game.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tripot.game import Options, ParseError, Seat

T = TypeVar("T")
O = TypeVar("O", bound=Options)  # noqa: E741 - the type of a game's options


@dataclass(frozen=True, slots=True)
class PositionWords:
    """A position text, split into words.

    text    the whole text, for error messages
    boards  the words of the board
    named   the values of the `name=value` words by name
    """

    text: str
    boards: tuple[str, ...]
    named: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        """The value of a name, or an empty text if it is not given."""
        return self.named.get(name, "")

    def options(self, options_class: type[O], position_names: Collection[str]) -> O:
        """Parse the options: all named words except those that belong to the position."""
        return options_class.parse(
            {name: value for name, value in self.named.items() if name not in position_names}
        )

    def error(self, reason: str) -> ParseError:
        """An error about this text, to be raised."""
        return ParseError(self.text, reason)


def parse_words(text: str, key: str, min_boards: int = 0, max_boards: int | None = None) -> PositionWords:
    """Split the position text of a game; by default it has exactly `min_boards` words of the board.

    >>> parse_words("toy 7 turn=2", "toy", min_boards=1)
    PositionWords(text='toy 7 turn=2', boards=('7',), named={'turn': '2'})
    """
    max_boards = min_boards if max_boards is None else max_boards
    first, *words = text.split() or [""]
    board_count = min_boards
    while board_count < min(max_boards, len(words)) and "=" not in words[board_count]:
        board_count += 1
    if first != key or len(words) < min_boards:
        usage = [key, *["BOARD"] * min_boards, *["[BOARD]"] * (max_boards - min_boards), "name=value ..."]
        raise ParseError(text, f"a position of this game is `{' '.join(usage)}`")
    named: dict[str, str] = {}
    for word in words[board_count:]:
        name, equals, value = word.partition("=")
        if not equals or not value:
            raise ParseError(text, f"{word!r} is not of the form name=value")
        if name in named:
            raise ParseError(text, f"{name} is given twice")
        named[name] = value
    return PositionWords(text, tuple(words[:board_count]), named)


def parse_name(name: str, meanings: Mapping[str, T], text: str, expected: str) -> T:
    """What a name means; the error says what was expected.

    >>> parse_name("b", {"a": 0, "b": 1}, "move b", "a column; columns are a and b")
    1
    """
    if name not in meanings:
        raise ParseError(text, f"{name!r} is not {expected}")
    return meanings[name]


def parse_number(digits: str, maximum: int, text: str) -> int:
    """A number from 0 to `maximum`, in ASCII digits."""
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 6 and int(digits) <= maximum):
        raise ParseError(text, f"{digits!r} is not a number from 0 to {maximum}")
    return int(digits)


def parse_seat(digits: str, seats: int, text: str) -> Seat:
    """A seat, counted from 1 in texts."""
    names = {str(seat + 1): seat for seat in range(seats)}
    return parse_name(digits, names, text, f"a seat; seats are 1 to {seats}")


def parse_grid(board: str, size: int, text: str) -> list[list[str]]:
    """The cells of a square board, by row: rows are separated by `/`, cells by commas."""
    rows = [row.split(",") for row in board.split("/")]
    if [len(row) for row in rows] != [size] * size:
        raise ParseError(
            text, f"a board has {size} rows, separated by /, of {size} cells, separated by commas"
        )
    return rows
