"""Bonus chains: which tiles are flipped free of charge (TG-4, TG-6).

Flipping a tile never takes a bonus away from another tile, so the end of a chain does not depend on its
order.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached
from tripot.games.triggery.kernel.tables import (
    ANTI_DIAGONAL,
    BOARD,
    CELLS,
    HALF,
    LEFT_COLUMN,
    LEFT_HALF,
    LINES,
    MAIN_DIAGONAL,
    SIZE,
    TOP_HALF,
    TOP_ROW,
    Int64Array,
    cells_by_value,
)

REASON_STAR: Final = len(LINES)  # TG-4: the tile is a star that has become free
REASON_PAID: Final = REASON_STAR + 1  # TG-3: the tile was paid for


@njit_cached
def single_tile_lines(tiles: int) -> int:
    """Return all cells of the rows and columns that contain exactly one tile of a set.

    The six cells of a line are folded into two halves, and these into thirds. A line has exactly one tile if
    some third is occupied, no third is occupied in both halves, and no two thirds are occupied.
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
    """TG-6: return the open numbers that remain when every bonus has been taken."""
    while tiles:
        bonus = single_tile_lines(tiles)
        diagonal = tiles & MAIN_DIAGONAL
        if diagonal & (diagonal - 1) == 0:
            bonus |= diagonal
        diagonal = tiles & ANTI_DIAGONAL
        if diagonal & (diagonal - 1) == 0:
            bonus |= diagonal
        if bonus & tiles == 0:
            return tiles
        tiles &= ~bonus
    return tiles


@njit_cached
def free_stars(tiles: int) -> int:
    """TG-4: return the cells in whose row and column no number is open, given the open numbers."""
    columns = tiles | tiles >> SIZE * HALF
    columns = (columns | columns >> SIZE | columns >> 2 * SIZE) & TOP_ROW
    rows = tiles & LEFT_HALF | tiles >> HALF & LEFT_HALF
    rows = (rows | rows >> 1 | rows >> 2) & LEFT_COLUMN
    return BOARD & ~(columns * LEFT_COLUMN | rows * TOP_ROW)


class Chain(NamedTuple):
    """A turn, tile by tile.

    cells    int64[n], the cells in the order in which they are flipped
    reasons  int64[n], why each is flipped: the index of a line, REASON_PAID or REASON_STAR
    """

    cells: Int64Array
    reasons: Int64Array


@njit_cached
def chain(face_up: int, number_cells: int, star_cells: int, tile_values: Int64Array, paid: int) -> Chain:
    """List the flips of a turn in which some tiles are paid for.

    The tiles of `paid` are flipped the smallest number first, each followed by its bonuses. A tile that the
    chain reaches first is not paid for. Stars come last.
    """
    cells, reasons = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    count = 0
    tiles = face_up & number_cells
    to_pay = cells_by_value(tiles & paid, tile_values)
    for payment in range(-1, len(to_pay)):  # -1: the bonuses that are open before anything is paid
        if payment >= 0 and tiles >> to_pay[payment] & 1:
            cells[count], reasons[count] = to_pay[payment], REASON_PAID
            tiles ^= 1 << to_pay[payment]
            count += 1
        line = 0
        while line < len(LINES):
            last = tiles & LINES[line]
            line += 1
            if last and last & (last - 1) == 0:
                cells[count], reasons[count] = trailing_zeros(last), line - 1
                tiles ^= last
                count += 1
                line = 0
    stars = face_up & star_cells & free_stars(tiles)
    for cell in range(CELLS):
        if stars >> cell & 1:
            cells[count], reasons[count] = cell, REASON_STAR
            count += 1
    return Chain(cells[:count], reasons[:count])
