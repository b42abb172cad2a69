"""What may be chosen before a game of Triolet, what may be done in it, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tripot import game
from tripot.game import Fact, Seat, fact, option
from tripot.games.triolet.board import (
    FACTORS,
    IS_JOKER,
    MAX_LINE,
    SIZE,
    SQUARE_NAMES,
    lines,
    points_of,
    token_name,
)


@dataclass(frozen=True)
class Options(game.Options):
    """The booklet knows one way to play, for two, three or four."""

    players: int = option(2, 2, 3, 4, clause="TO-1")


class PlacedToken(NamedTuple):
    """A token on its square: `H8=5`, or `H8=J7` for a joker that stands for 7.

    Rows and columns count from 0 and need not be on the board, and a joker may lack its value (-1):
    whatever a person can write down is an action, so that the rules refuse it with a clause.
    """

    row: int
    column: int
    value: int
    joker: bool = False

    @property
    def square(self) -> int:
        """The number of the square, where it is on the board."""
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
    """A player places one to three tokens: `H8=5 H9=J7`, in the order of the squares."""

    tokens: tuple[PlacedToken, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", tuple(sorted(self.tokens)))

    def __str__(self) -> str:
        return " ".join(map(str, self.tokens))


@dataclass(frozen=True, slots=True)
class Exchange(game.Action):
    """A player gives up tokens of the rack for as many from the bag: `exchange 3,5`."""

    tokens: bytes

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", bytes(sorted(self.tokens)))

    def __str__(self) -> str:
        return f"exchange {tokens_text(self.tokens)}"


@dataclass(frozen=True, slots=True)
class DrawFirstSeat(game.Action):
    """Chance decides who begins: `lots 2`."""

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


def tokens_text(tokens: bytes) -> str:
    """Tokens with commas between; `-` for none."""
    return ",".join(map(token_name, tokens)) or "-"


def square_names(squares: tuple[int, ...]) -> str:
    """The names of squares, with spaces between."""
    return " ".join(SQUARE_NAMES[square] for square in squares)


# --- What a placement brings -------------------------------------------------------------------


TRIO_POINTS = 30  # TO-4: 15, and a bonus of 15
TRIOLET_BONUS = 50


class ScoredSet(NamedTuple):
    """A pair or a trio with its points. `special` is the square of it that multiplies, or -1."""

    squares: tuple[int, ...]
    points: int
    special: int = -1


class PlacementResult(NamedTuple):
    """What a legal placement brings: the board after it, its sets with their points, and the bonus."""

    cells: bytes
    sets: tuple[ScoredSet, ...]
    bonus: int

    @property
    def points(self) -> int:
        """The total of the move."""
        return sum(each.points for each in self.sets) + self.bonus

    def facts(self) -> Iterator[Fact]:
        """The breakdown: every set, the bonus, the total."""
        for squares, points, special in self.sets:
            trio = len(squares) == MAX_LINE
            factor = FACTORS[special] if special >= 0 else 1
            tokens = ["J" if self.cells[each] >= IS_JOKER else str(self.cells[each] - 1) for each in squares]
            if special >= 0 and not trio:
                tokens[squares.index(special)] += f"×{factor}"
            values = {"tokens": ("-" if trio else "+").join(tokens), "squares": square_names(squares)}
            key = "trio" if trio else "pair"
            if factor == 1:
                yield fact("TO-4", key, **values, points=points)
            else:
                yield fact("TO-6", key, **values, factor=factor, points=points)
        if self.bonus:
            yield fact("TO-5", "bonus", points=self.bonus)
        yield fact("TO-4", "total", points=self.points)


def scored_sets(cells: bytes, squares: tuple[int, ...]) -> Iterator[ScoredSet]:
    """TO-4, TO-6: every set that has a new token, each once, with its points."""
    found = lines(cells, squares) or [squares]  # nothing is lone but the first token of the game
    special = next((square for square in squares if FACTORS[square] > 1), -1)
    over = [each for each in found if special in each]
    multiplied = max(over, key=len, default=None)  # a trio if there is one; only once in any case
    for each in found:
        here = special if each is multiplied else -1
        factor = FACTORS[special] if each is multiplied else 1
        if len(each) == MAX_LINE:
            yield ScoredSet(each, TRIO_POINTS * factor, here)
        else:
            own = [points_of(cells[square]) * (factor if square == here else 1) for square in each]
            yield ScoredSet(each, sum(own), here)
