"""The board of Triggery: cells, lines, tiles, and the tiles that are free to turn over.

Cells are numbered from a1 = 0 along the rows to f6 = 35, in the order in which a board is filled. A set
of cells is a mask: bit 0 is a1. There are 14 lines, named as in texts:

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

NO_TILE: Final = 0  # the cell is not filled yet
MAX_NUMBER: Final = 99
STAR: Final = 100
HIDDEN_TILE: Final = 101  # on a view: a tile that is turned over
STAR_POINTS: Final = 25  # the points that an open star costs the loser (TG-8)
SIDES: Final = ("blue", "yellow")


def tile_name(tile: int) -> str:
    """The name of a tile in texts: its number, or `*` for a star."""
    return "*" if tile == STAR else str(tile)


TILES_BY_NAME: Final[dict[str, int]] = {tile_name(tile): tile for tile in (*range(1, MAX_NUMBER + 1), STAR)}

ROWS: Final = tuple(sum(1 << 6 * row + column for column in range(6)) for row in range(6))
COLUMN_MASKS: Final = tuple(sum(1 << 6 * row + column for row in range(6)) for column in range(6))
DIAGONALS: Final = (sum(1 << 7 * row for row in range(6)), sum(1 << 5 * row + 5 for row in range(6)))
LINES: Final = (*ROWS, *COLUMN_MASKS, *DIAGONALS)
"""The cells of each line: rows, columns, diagonals."""
LINE_NAMES: Final = (*"123456", *COLUMNS, "\\", "/")
LINE_NUMBERS: Final = {name: line for line, name in enumerate(LINE_NAMES)}
ROW_AND_COLUMN_MASKS: Final = tuple(ROWS[cell // 6] | COLUMN_MASKS[cell % 6] for cell in range(CELLS))
"""The row and the column of each cell, on which a star depends (TG-4)."""
LINES_OF_CELL: Final = tuple(
    sum((mask >> cell & 1) << line for line, mask in enumerate(LINES)) for cell in range(CELLS)
)
"""The lines through each cell, as a mask of lines."""


def cells_of(mask: int) -> list[int]:
    """The cells of a mask, in ascending order."""
    mask &= ALL
    cells = []
    while mask:
        cells.append((mask & -mask).bit_length() - 1)
        mask &= mask - 1
    return cells


@lru_cache(maxsize=256)
def number_mask(tiles: bytes) -> int:
    """The mask of the number tiles."""
    return sum(1 << cell for cell, tile in enumerate(tiles) if NO_TILE < tile <= MAX_NUMBER)


@lru_cache(maxsize=256)
def star_mask(tiles: bytes) -> int:
    """The mask of the stars."""
    return sum(1 << cell for cell, tile in enumerate(tiles) if tile == STAR)


def visible_tiles(tiles: bytes, face_up: int) -> bytes:
    """A board as everybody sees it: tiles that are turned over are hidden."""
    return bytes(
        tile if face_up >> cell & 1 or tile == NO_TILE else HIDDEN_TILE for cell, tile in enumerate(tiles)
    )


def open_points(tiles: bytes, face_up: int) -> int:
    """TG-8: the sum of the open numbers, plus 25 for each open star."""
    open_tiles = (tiles[cell] for cell in cells_of(face_up))
    return sum(STAR_POINTS if tile == STAR else tile for tile in open_tiles)


def fill_hidden_tiles(tiles: bytes, open_numbers: int, pool: list[int]) -> bytes:
    """A board with its hidden tiles replaced by tiles of a pool, which are removed from it.

    A star is put only where it could have been turned over (TG-4), unless only stars remain.
    """
    filled = bytearray(tiles)
    hidden = [cell for cell, tile in enumerate(tiles) if tile == HIDDEN_TILE]
    for cell in sorted(hidden, key=lambda cell: not open_numbers & ROW_AND_COLUMN_MASKS[cell]):
        can_be_star = not open_numbers & ROW_AND_COLUMN_MASKS[cell]
        filled[cell] = next((tile for tile in pool if tile != STAR or can_be_star), STAR)
        pool.remove(filled[cell])
    return bytes(filled)


def lines_of(mask: int) -> list[int]:
    """The lines of a mask of lines, in ascending order."""
    return [line for line in range(len(LINES)) if mask >> line & 1]


def closed_lines(open_numbers: int) -> int:
    """The mask of the lines without an open number."""
    return sum(1 << line for line, mask in enumerate(LINES) if not open_numbers & mask)


def line_names(mask: int) -> str:
    """The names of the lines of a mask, separated by commas."""
    return ",".join(LINE_NAMES[line] for line in lines_of(mask))


# --- Tiles that are free to turn over ----------------------------------------------------------


def is_single_bit(mask: int) -> bool:
    """Whether a mask has exactly one bit set."""
    return mask != 0 and not mask & (mask - 1)


def bonus_mask(open_numbers: int) -> int:
    """TG-6: the tiles that are the only open number of a line."""
    bonuses = 0
    for line in LINES:
        bonuses |= open_numbers & line if is_single_bit(open_numbers & line) else 0
    return bonuses


def bonus_lines(open_numbers: int) -> int:
    """TG-6: the mask of the lines that have exactly one open number."""
    return sum(1 << line for line, mask in enumerate(LINES) if is_single_bit(open_numbers & mask))


def free_star_mask(open_stars: int, open_numbers: int) -> int:
    """TG-4: the stars in whose row and column no number is open."""
    return sum(1 << cell for cell in cells_of(open_stars) if not open_numbers & ROW_AND_COLUMN_MASKS[cell])


@lru_cache(maxsize=1024)
def flip_costs(tiles: bytes, face_up: int, budget_left: int) -> Mapping[int, int]:
    """TG-3, TG-4, TG-6: the tiles that may be turned over with the remaining budget, with their costs."""
    numbers = face_up & number_mask(tiles)
    free = bonus_mask(numbers) | free_star_mask(face_up & star_mask(tiles), numbers)
    costs = {cell: 0 if free >> cell & 1 else tiles[cell] for cell in cells_of(numbers | free)}
    return {cell: cost for cell, cost in costs.items() if cost <= budget_left}


def chain(open_numbers: int, open_stars: int = 0) -> tuple[int, ...]:
    """TG-6: every bonus, and then every free star, in an order in which they can be turned over.

    The bonus of the first line comes first. Every other order leads to the same board: turning a tile
    over never removes another bonus, since it only reduces the open numbers of its lines.
    """
    order: list[int] = []
    while bonus := next((open_numbers & line for line in LINES if is_single_bit(open_numbers & line)), 0):
        order.append(bonus.bit_length() - 1)
        open_numbers ^= bonus
    return (*order, *cells_of(free_star_mask(open_stars, open_numbers)))


def cheapest_clear(tiles: bytes, open_numbers: int) -> int:
    """TG-12: the fewest points that clear these numbers.

    Every number is either paid for or a bonus, so this is a branch and bound search for the most
    valuable set of tiles that one chain clears, most valuable tiles first. Each tile of such a set is
    the last one of a line when its turn comes, so the set is linearly independent (tiles as sets of
    lines over GF(2)). The greedy choice is the most valuable independent set, so the tiles that it
    leaves out are a lower bound of the cost, and a close one.
    """
    order = sorted(cells_of(open_numbers), key=lambda cell: -tiles[cell])

    def lower_bound(index: int, basis: tuple[int, ...]) -> int:
        cost = 0
        for cell in order[index:]:
            rest = _reduced(LINES_OF_CELL[cell], basis)
            basis, cost = ((*basis, rest), cost) if rest else (basis, cost + tiles[cell])
        return cost

    def search(index: int, free: int, basis: tuple[int, ...], paid: int, best: int) -> int:
        if paid + lower_bound(index, basis) >= best:
            return best
        if index == len(order):
            return paid
        cell = order[index]
        more_free, rest = free | 1 << cell, _reduced(LINES_OF_CELL[cell], basis)
        if rest and len(chain(more_free)) == more_free.bit_count():
            best = search(index + 1, more_free, (*basis, rest), paid, best)
        return search(index + 1, free, basis, paid + tiles[cell], best)

    return search(0, 0, (), 0, sum(tiles[cell] for cell in order) + 1)


def _reduced(lines: int, basis: tuple[int, ...]) -> int:
    """A set of lines reduced by a basis over GF(2): 0 if it depends on the basis."""
    for vector in basis:
        lines = min(lines, lines ^ vector)
    return lines
