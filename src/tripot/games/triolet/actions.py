"""The actions of Triolet, each with its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from tripot import game
from tripot.game import Seat
from tripot.game_package import is_index
from tripot.games.triolet.board import SIZE, token_name

ROW_NAMES: Final = 26  # A to Z; rows from P on are off the board
MAX_COLUMNS: Final = 99  # with names of two digits


class PlacedToken(NamedTuple):
    """A token on its square: `H8=5`, or `H8=J7` for a joker that stands for 7.

    Rows and columns are counted from 0. They may be off the board, and a joker may lack its value (-1),
    so that the rules can refuse such an action with a clause.
    """

    row: int
    column: int
    value: int
    joker: bool = False

    @property
    def square(self) -> int:
        """The number of the square, if it is on the board."""
        return self.row * SIZE + self.column

    @property
    def name(self) -> str:
        """The name of the square."""
        return f"{chr(ord('A') + self.row)}{self.column + 1}"

    def __str__(self) -> str:
        value = str(self.value) if self.value >= 0 else ""
        return f"{self.name}={'J' if self.joker else ''}{value}"


@dataclass(frozen=True, slots=True)
class Place(game.Action):
    """A player places one to three tokens, in the order of their squares: `H8=5 H9=J7`."""

    tokens: tuple[PlacedToken, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(sorted(self.tokens)))

    def __str__(self) -> str:
        return " ".join(map(str, self.tokens))


@dataclass(frozen=True, slots=True)
class Exchange(game.Action):
    """A player exchanges tokens of the rack for as many from the bag: `exchange 3,5`."""

    tokens: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", bytes(sorted(self.tokens)))

    def __str__(self) -> str:
        return f"exchange {tokens_text(self.tokens)}"


@dataclass(frozen=True, slots=True)
class DrawFirstSeat(game.Action):
    """Chance draws the seat that begins: `lots 2`."""

    seat: Seat

    def __str__(self) -> str:
        return f"lots {self.seat + 1}"


@dataclass(frozen=True, slots=True)
class DrawTokens(game.Action):
    """Chance draws tokens for the rack of a seat: `draw 1 0,5,J`."""

    seat: Seat
    tokens: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", bytes(sorted(self.tokens)))

    def __str__(self) -> str:
        return f"draw {self.seat + 1} {tokens_text(self.tokens)}"


Action: TypeAlias = Place | Exchange | DrawFirstSeat | DrawTokens


def is_well_formed(action: Action) -> bool:
    """Whether seats and tokens are numbers, and squares have names, on the board or not."""
    match action:
        case Place(tokens):
            return isinstance(tokens, tuple) and all(map(_is_placed_token, tokens))
        case Exchange(tokens):
            return isinstance(tokens, bytes)
        case DrawFirstSeat(seat):
            return isinstance(seat, int)
        case DrawTokens(seat, tokens):
            return isinstance(seat, int) and isinstance(tokens, bytes)


def _is_placed_token(token: object) -> bool:
    return (
        isinstance(token, PlacedToken)
        and is_index(token.row, ROW_NAMES)
        and is_index(token.column, MAX_COLUMNS)
        and isinstance(token.value, int)
        and isinstance(token.joker, bool)
    )


def tokens_text(tokens: bytes) -> str:
    """Tokens, separated by commas; `-` if there are none."""
    return ",".join(map(token_name, tokens)) or "-"
