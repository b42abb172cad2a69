"""Triggery over flat arrays: chains and exact turns, compiled by Numba for the engine.

A set of tiles is one number of 36 bits; a cell is row * 6 + column, counted from the top left. `values`
is int64[36], the number on each cell; where a star or a turned tile lies it is never read. Most of the
functions look at the open numbers only: stars cost nothing and are turned once the numbers are gone.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached

Int64Array: TypeAlias = NDArray[np.int64]


# --- The board in bits ---------------------------------------------------------------------------

SIZE: Final = 6
CELLS: Final = SIZE * SIZE
HALF: Final = SIZE // 2
TOP_ROW: Final = (1 << SIZE) - 1  # the top row; times a set of rows (by their first cells): those rows
LEFT_COLUMN: Final = sum(
    1 << SIZE * row for row in range(SIZE)
)  # the left column; times a set of columns: those
TOP_HALF: Final = (1 << SIZE * HALF) - 1
LEFT_HALF: Final = LEFT_COLUMN * ((1 << HALF) - 1)
MAIN_DIAGONAL: Final = sum(1 << (SIZE + 1) * step for step in range(SIZE))  # the diagonal from the top left
ANTI_DIAGONAL: Final = sum(
    1 << (SIZE - 1) * step for step in range(1, SIZE + 1)
)  # the one from the bottom left
BOARD: Final = (1 << CELLS) - 1

# The 14 lines: rows from the top, columns from the left, the falling and the rising diagonal.
LINES: Final = np.array(
    [TOP_ROW << SIZE * row for row in range(SIZE)]
    + [LEFT_COLUMN << column for column in range(SIZE)]
    + [MAIN_DIAGONAL, ANTI_DIAGONAL],
    np.int64,
)
REASON_STAR: Final = len(LINES)  # what turned a tile, if no line did: TG-4
REASON_PAID: Final = REASON_STAR + 1  # or TG-3
INFINITE: Final = 2**31 - 1  # more than any sum of numbers, and longer than any plan


@njit_cached
def popcount(tiles: int) -> int:
    """How many tiles a set has."""
    found = 0
    while tiles:
        tiles &= tiles - 1
        found += 1
    return found


@njit_cached
def sum_of_values(tiles: int, values: Int64Array) -> int:
    """The sum of the numbers of a set."""
    points = 0
    for cell in range(CELLS):
        if tiles >> cell & 1:
            points += values[cell]
    return points


@njit_cached
def cells_by_value(tiles: int, values: Int64Array) -> Int64Array:
    """The cells of a set, the smallest number first."""
    cells = np.empty(CELLS, np.int64)
    found = 0
    for cell in range(CELLS):
        if tiles >> cell & 1:
            place = found
            while place > 0 and values[cells[place - 1]] > values[cell]:
                cells[place] = cells[place - 1]
                place -= 1
            cells[place] = cell
            found += 1
    return cells[:found]


# --- Chains --------------------------------------------------------------------------------------


@njit_cached
def _single_tile_lines(tiles: int) -> int:
    """The rows and columns with exactly one tile: all their cells.

    Each direction is folded in two, then in three: a line has one tile if some part has one, and
    neither two parts nor two halves have one together.
    """
    first, second = tiles & TOP_HALF, tiles >> SIZE * HALF
    some, both = first | second, first & second
    next_one, next_two = some >> SIZE, some >> 2 * SIZE
    crowded = both | both >> SIZE | both >> 2 * SIZE | some & next_one | some & next_two | next_one & next_two
    columns = (some | next_one | next_two) & ~crowded & TOP_ROW

    first, second = tiles & LEFT_HALF, tiles >> HALF & LEFT_HALF
    some, both = first | second, first & second
    next_one, next_two = some >> 1, some >> 2
    crowded = both | both >> 1 | both >> 2 | some & next_one | some & next_two | next_one & next_two
    rows = (some | next_one | next_two) & ~crowded & LEFT_COLUMN
    return columns * LEFT_COLUMN | rows * TOP_ROW


@njit_cached
def after_chain(tiles: int) -> int:
    """TG-6: the open numbers that are left when every bonus has been taken."""
    while tiles:
        alone = _single_tile_lines(tiles)
        diagonal = tiles & MAIN_DIAGONAL
        if diagonal & (diagonal - 1) == 0:
            alone |= diagonal
        diagonal = tiles & ANTI_DIAGONAL
        if diagonal & (diagonal - 1) == 0:
            alone |= diagonal
        if alone & tiles == 0:
            return tiles
        tiles &= ~alone
    return tiles


@njit_cached
def free_stars(tiles: int) -> int:
    """TG-4: the cells in whose row and column no number is open."""
    columns = tiles | tiles >> SIZE * HALF
    columns = (columns | columns >> SIZE | columns >> 2 * SIZE) & TOP_ROW
    rows = tiles & LEFT_HALF | tiles >> HALF & LEFT_HALF
    rows = (rows | rows >> 1 | rows >> 2) & LEFT_COLUMN
    return BOARD & ~(columns * LEFT_COLUMN | rows * TOP_ROW)


@njit_cached
def after_chain_and_stars(face_up: int, numbers: int, stars: int) -> int:
    """TG-4, TG-6: what is still face up when every bonus and every star has been taken."""
    tiles = after_chain(face_up & numbers)
    return tiles | face_up & stars & ~free_stars(tiles)


@njit_cached
def chain(
    face_up: int, numbers: int, stars: int, values: Int64Array, paid: int
) -> tuple[Int64Array, Int64Array]:
    """A turn tile by tile: the cells in the order they are turned, and what turned each.

    That is the number of a line, BY_PAYING or BY_STAR. Tiles are paid the cheapest first, and each is
    followed by its bonuses; a tile that the chain reaches first is not paid for. Stars come last.
    """
    cells, reasons = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    turned = 0
    tiles = face_up & numbers
    to_pay = cells_by_value(tiles & paid, values)
    for payment in range(-1, len(to_pay)):  # -1: the bonuses that wait before anything is paid
        if payment >= 0 and tiles >> to_pay[payment] & 1:
            cells[turned], reasons[turned] = to_pay[payment], REASON_PAID
            tiles ^= 1 << to_pay[payment]
            turned += 1
        line = 0
        while line < len(LINES):
            last = tiles & LINES[line]
            line += 1
            if last and last & (last - 1) == 0:
                cells[turned], reasons[turned] = popcount(last - 1), line - 1
                tiles ^= last
                turned += 1
                line = 0
    freed = face_up & stars & free_stars(tiles)
    for cell in range(CELLS):
        if freed >> cell & 1:
            cells[turned], reasons[turned] = cell, REASON_STAR
            turned += 1
    return cells[:turned], reasons[:turned]


# --- One turn ------------------------------------------------------------------------------------


@njit_cached
def enumerate_turns(
    tiles: int, values: Int64Array, budget: int, limit: int
) -> tuple[Int64Array, Int64Array, bool]:
    """TG-3: what can be paid for, what the chain then leaves open, and whether the list is complete.

    Only turns after which nothing more can be paid for, since turning more never hurts. Tiles are paid
    the cheapest first, and one that the chain has turned meanwhile is passed over: the turn without it
    ends the same for less. The list is broken off after `limit` payments.
    """
    cells = cells_by_value(tiles, values)
    paid, left = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    found, looks = 0, 0
    # By depth, that is by how many tiles have been paid for:
    places = np.zeros(CELLS + 1, np.int64)  # where in `cells` to go on
    purses = np.zeros(CELLS + 1, np.int64)
    payments = np.zeros(CELLS + 1, np.int64)
    ends = np.zeros(CELLS + 1, np.int64)
    depth, arrived = 0, True
    purses[0], ends[0] = budget, after_chain(tiles)
    while depth >= 0 and looks <= limit:
        if arrived and _cheapest(ends[depth], cells, values) > purses[depth]:
            if found == len(paid):
                paid, left = _grown(paid), _grown(left)
            paid[found], left[found] = payments[depth], ends[depth]
            found += 1
        place = places[depth]
        arrived = False
        if place == len(cells) or values[cells[place]] > purses[depth]:
            depth -= 1
            continue
        places[depth] += 1
        tile = 1 << cells[place]
        if ends[depth] & tile:
            looks += 1
            depth += 1
            arrived = True
            places[depth] = place + 1
            purses[depth] = purses[depth - 1] - values[cells[place]]
            payments[depth] = payments[depth - 1] | tile
            ends[depth] = after_chain(ends[depth - 1] ^ tile)
    return paid[:found], left[:found], depth < 0


@njit_cached
def _cheapest(tiles: int, cells: Int64Array, values: Int64Array) -> int:
    """The smallest number of a set, NEVER if it is empty; `cells` are sorted by value and hold all of it."""
    for place in range(len(cells)):
        if tiles >> cells[place] & 1:
            return int(values[cells[place]])
    return INFINITE


@njit_cached
def _grown(array: Int64Array) -> Int64Array:
    longer = np.empty(2 * len(array), np.int64)
    longer[: len(array)] = array
    return longer


@njit_cached
def best_turn(
    face_up: int, numbers: int, stars: int, values: Int64Array, budget: int, limit: int
) -> tuple[int, int, bool]:
    """TG-13: the turn that turns most tiles, then most points, then costs least.

    Answers with the tiles to pay for, what stays face up, and whether all turns were looked at. A full
    board takes ten thousand payments or so; only bags with very many small numbers reach a `limit`.
    """
    all_paid, all_left, complete = enumerate_turns(face_up & numbers, values, budget, limit)
    best_paid, best_left = 0, face_up
    most_tiles, most_points, least_paid = -1, 0, 0
    for index in range(len(all_paid)):
        left = all_left[index] | face_up & stars & ~free_stars(all_left[index])
        tiles = popcount(face_up ^ left)
        if tiles < most_tiles:
            continue
        points, paid = (
            sum_of_values((face_up ^ left) & numbers, values),
            sum_of_values(all_paid[index], values),
        )
        if tiles > most_tiles or points > most_points or (points == most_points and paid < least_paid):
            best_paid, best_left = all_paid[index], left
            most_tiles, most_points, least_paid = tiles, points, paid
    return best_paid, best_left, complete
