"""The board of Trippples: squares, directions, tiles, and the home squares.

Squares are numbered from a1 = 0 along the rows to h8 = 63. A direction is a bit in code, and in texts the
key that lies in that direction on a numeric keypad:

    8 | q . . . . . . o      Q  square's start      7 8 9      NW N NE
    7 | . . . . . . . .      q  square's finish     4   6      W     E
    6 | . . . . . . . .      O  round's start       1 2 3      SW S SE
    5 | . . . N N . . .      o  round's finish
    4 | . . . N N . . .      N  neutral zone        so `268` is the tile with arrows
    3 | . . . . . . . .                             to the south, the east and the north
    2 | . . . . . . . .
    1 | O . . . . . . Q
        a b c d e f g h

A tile is one byte. An arrow tile is the mask of its three directions, so it has exactly three bits set. The
other kinds have at most one bit set and cannot be confused with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, TypeAlias

SQUARES: Final = 64
FILES: Final = "abcdefgh"
SQUARE_NAMES: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
SQUARE_INDEX: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}

# Clockwise from the north: the step in files and ranks, the key of the keypad, and the arrow.
DIRECTION_STEPS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
KEYPAD_KEYS: Final = "89632147"
ARROWS: Final = "↑↗→↘↓↙←↖"
ALL_DIRECTIONS: Final = 0b11111111

# What lies on a square. An arrow tile is the mask of its directions.
NO_TILE: Final = 0  # no tile yet
NEUTRAL: Final = 1
HOME_TILE: Final = 2  # a start or a finish; which one follows from the square
HIDDEN_TILE: Final = 4  # on a view: a tile that lies face down
ARROW_TILES: Final = tuple(sorted(sum(1 << bit for bit in bits) for bits in combinations(range(8), 3)))
NEUTRAL_TILES: Final = 4
CENTRE: Final = tuple(SQUARE_INDEX[name] for name in ("d4", "e4", "d5", "e5"))
AROUND_CENTRE: Final = tuple(SQUARE_INDEX[name] for name in ("c3", "f3", "c6", "f6"))


def _neighbours(square: int) -> tuple[int, ...]:
    file, rank = square % 8, square // 8
    return tuple(
        (rank + up) * 8 + file + right if 0 <= file + right < 8 and 0 <= rank + up < 8 else -1
        for right, up in DIRECTION_STEPS
    )


NEIGHBOURS: Final = tuple(_neighbours(square) for square in range(SQUARES))
"""By square and direction: the adjacent square, or -1 if it would be off the board."""


@cache
def tile_name(tile: int) -> str:
    """The name of a tile: the keys of its directions in ascending order, or `N` if it is neutral."""
    if tile == NEUTRAL:
        return "N"
    return "".join(sorted(key for bit, key in enumerate(KEYPAD_KEYS) if tile >> bit & 1))


TILES_BY_NAME: Final[dict[str, int]] = {tile_name(tile): tile for tile in (NEUTRAL, *ARROW_TILES)}

Homes: TypeAlias = tuple[tuple[int, int], tuple[int, int]]
"""The start squares and the finish squares, square's first."""


@cache
def home_squares(inset: bool, centre: bool) -> Homes:
    """TP-1, TP-10, TP-12: the start squares and the finish squares, square's first.

    `inset` moves all of them one square inwards along the diagonal. `centre` moves each finish along its
    diagonal to the centre square of the far half.
    """
    starts, finishes = ("g2", "b2") if inset else ("h1", "a1"), ("b7", "g7") if inset else ("a8", "h8")
    if centre:
        finishes = ("d5", "e5")
    return (
        (SQUARE_INDEX[starts[0]], SQUARE_INDEX[starts[1]]),
        (SQUARE_INDEX[finishes[0]], SQUARE_INDEX[finishes[1]]),
    )


def is_arrow(tile: int) -> bool:
    """Whether a tile is an arrow tile."""
    return tile.bit_count() == 3


# --- Where a pawn may go on a layout -----------------------------------------------------------


def allowed_directions(tiles: bytes, here: int, opponents: Iterable[int]) -> int:
    """TP-2: the directions of the arrow tiles under the opponents' pawns, or all if there is no such tile.

    TP-6: from a neutral square all directions are allowed.
    """
    if tiles[here] == NEUTRAL:
        return ALL_DIRECTIONS
    shown = 0
    for square in opponents:
        shown |= tiles[square] if is_arrow(tiles[square]) else 0
    return shown or ALL_DIRECTIONS


@lru_cache(maxsize=64)
def enterable_squares(tiles: bytes, homes: Homes, wild: bool, side: int) -> frozenset[int]:
    """TP-3: the squares that a side's pawns may enter if no pawn stands there."""
    starts, finishes = homes
    barred = {*starts, *finishes} - {finishes[side]}
    if not wild:
        barred.update(square for square, tile in enumerate(tiles) if tile == NEUTRAL)
    return frozenset(range(SQUARES)) - barred


def squares_in_directions(here: int, directions: int, enterable: frozenset[int]) -> list[int]:
    """The enterable squares that are one step away in one of the directions of a mask."""
    return [
        square for bit, square in enumerate(NEIGHBOURS[here]) if directions >> bit & 1 and square in enterable
    ]
