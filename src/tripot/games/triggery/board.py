"""The board of Triggery: cells, lines, tiles, and what goes free.

Cells are numbered from a1 = 0 along the rows to f6 = 35, the way a board is filled. A set of cells is
a mask: bit 0 is a1. There are 14 lines, named as on paper:

        a  b  c  d  e  f         1 to 6   the rows, from the top
    1   \\  .  .  .  .  /         a to f   the columns, from the left
    2   .  \\  .  .  /  .         \\        the diagonal from a1 to f6
    3   .  .  \\  /  .  .         /        the diagonal from f1 to a6
    4   .  .  /  \\  .  .
    5   .  /  .  .  \\  .
    6   /  .  .  .  .  \\

A tile is one byte: its number, or one of the codes below.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

CELLS: Final = 36
COLUMNS: Final = "abcdef"
CELL_NAMES: Final = tuple(f"{column}{row}" for row in range(1, 7) for column in COLUMNS)
CELL_INDEX: Final = {name: cell for cell, name in enumerate(CELL_NAMES)}
ALL: Final = (1 << CELLS) - 1

NO_TILE: Final = 0  # no tile yet
MAX_NUMBER: Final = 99
STAR: Final = 100
HIDDEN_TILE: Final = 101  # on a view: what lies under a turned tile
SIDES: Final = ("blue", "yellow")

ROWS: Final = tuple(sum(1 << 6 * row + column for column in range(6)) for row in range(6))
COLUMN_MASKS: Final = tuple(sum(1 << 6 * row + column for row in range(6)) for column in range(6))
DIAGONALS: Final = (sum(1 << 7 * row for row in range(6)), sum(1 << 5 * row + 5 for row in range(6)))
LINES: Final = (*ROWS, *COLUMN_MASKS, *DIAGONALS)
"""The cells of each line: rows, columns, diagonals."""
LINE_NAMES: Final = (*"123456", *COLUMNS, "\\", "/")
LINE_NUMBERS: Final = {name: line for line, name in enumerate(LINE_NAMES)}
ROW_AND_COLUMN_MASKS: Final = tuple(ROWS[cell // 6] | COLUMN_MASKS[cell % 6] for cell in range(CELLS))
"""The row and the column of each cell: where a star looks (TG-4)."""
LINES_OF_CELL: Final = tuple(
    sum((mask >> cell & 1) << line for line, mask in enumerate(LINES)) for cell in range(CELLS)
)
"""The lines of each cell, as a mask of lines."""


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, in order."""
    mask &= ALL
    found = []
    while mask:
        found.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return found


@lru_cache(maxsize=256)
def number_mask(tiles: bytes) -> int:
    """The mask of the number tiles."""
    return sum(1 << cell for cell, tile in enumerate(tiles) if NO_TILE < tile <= MAX_NUMBER)


@lru_cache(maxsize=256)
def star_mask(tiles: bytes) -> int:
    """The mask of the stars."""
    return sum(1 << cell for cell, tile in enumerate(tiles) if tile == STAR)


def visible_tiles(tiles: bytes, up: int) -> bytes:
    """A board as all see it: what lies under a turned tile is hidden."""
    return bytes(
        tile if up >> cell & 1 or tile == NO_TILE else HIDDEN_TILE for cell, tile in enumerate(tiles)
    )


def lines_of(mask: int) -> list[int]:
    """The lines of a mask of lines, in order."""
    return [line for line in range(len(LINES)) if mask >> line & 1]


def line_names(mask: int) -> str:
    """The names of the lines of a mask."""
    return ",".join(LINE_NAMES[line] for line in lines_of(mask))


# --- What is free ------------------------------------------------------------------------------


def is_single_bit(tiles: int) -> bool:
    """Whether a mask has exactly one tile."""
    return tiles != 0 and not tiles & (tiles - 1)


def bonus_mask(open_numbers: int) -> int:
    """TG-6: the tiles that are the only open number of a line."""
    found = 0
    for line in LINES:
        found |= open_numbers & line if is_single_bit(open_numbers & line) else 0
    return found


def free_star_mask(open_stars: int, open_numbers: int) -> int:
    """TG-4: the stars in whose row and column no number is open."""
    return sum(1 << cell for cell in cells_of(open_stars) if not open_numbers & ROW_AND_COLUMN_MASKS[cell])


@lru_cache(maxsize=1024)
def flip_costs(tiles: bytes, up: int, left: int) -> Mapping[int, int]:
    """TG-3, TG-4, TG-6: each open tile that may be turned with what is left, and its price, in order."""
    number = up & number_mask(tiles)
    free = bonus_mask(number) | free_star_mask(up & star_mask(tiles), number)
    price = {cell: 0 if free >> cell & 1 else tiles[cell] for cell in cells_of(number | free)}
    return {cell: cost for cell, cost in price.items() if cost <= left}


def chain(open_numbers: int, open_stars: int = 0) -> tuple[int, ...]:
    """TG-6: every bonus, and then every free star, in an order in which they can be turned.

    The bonus of the first line comes first. Any other order ends the same: turning a tile never
    takes a bonus away from another one, it only leaves fewer open numbers in the lines.
    """
    order: list[int] = []
    while bonus := next((open_numbers & line for line in LINES if is_single_bit(open_numbers & line)), 0):
        order.append(bonus.bit_length() - 1)
        open_numbers ^= bonus
    return (*order, *cells_of(free_star_mask(open_stars, open_numbers)))


def cheapest_clear(tiles: bytes, open_numbers: int) -> int:
    """TG-12: the fewest points that clear these numbers.

    What is not paid for goes by bonuses, so this looks for the dearest set of tiles that a chain takes
    whole, dear tiles first. Each tile of such a set is, when its time comes, the last one of a line,
    so the set is independent (tiles as sets of lines, added modulo 2). Among independent sets the
    greedy choice is the dearest; what it leaves out bounds the cost from below, and closely.
    """
    order = sorted(cells_of(open_numbers), key=lambda cell: -tiles[cell])

    def lower_bound(place: int, basis: tuple[int, ...]) -> int:
        points = 0
        for cell in order[place:]:
            rest = reduced(LINES_OF_CELL[cell], basis)
            basis, points = ((*basis, rest), points) if rest else (basis, points + tiles[cell])
        return points

    def search(place: int, kept: int, basis: tuple[int, ...], paid: int, best: int) -> int:
        if paid + lower_bound(place, basis) >= best:
            return best
        if place == len(order):
            return paid
        cell, more = order[place], kept | 1 << order[place]
        rest = reduced(LINES_OF_CELL[cell], basis)
        if rest and len(chain(more)) == more.bit_count():
            best = search(place + 1, more, (*basis, rest), paid, best)
        return search(place + 1, kept, basis, paid + tiles[cell], best)

    def reduced(lines: int, basis: tuple[int, ...]) -> int:
        for each in basis:
            lines = min(lines, lines ^ each)
        return lines

    return search(0, 0, (), 0, sum(tiles[cell] for cell in order) + 1)
