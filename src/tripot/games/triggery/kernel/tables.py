"""The board as bits, and the budgets of the dice: types and constant tables of the kernels.

A set of cells is one integer of 36 bits. Bit `row * 6 + column` is the cell in that row and column, counted
from the top left, so bit 0 is a1 and bit 35 is f6. Sets and numbers are int64 in all kernels.

Three arguments have the same meaning everywhere:

    tile_values   int64[36], the number on each cell; not read where a star or a flipped tile lies
    number_cells  the cells that hold a number, face up or not
    star_cells    the cells that hold a star, face up or not

Most kernels look at the open numbers only: stars cost nothing and are flipped once the numbers are gone.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached

Int64Array: TypeAlias = NDArray[np.int64]
Distribution: TypeAlias = NDArray[np.float64]
"""Probabilities that sum to 1, by the index."""

# --- Cells and lines -------------------------------------------------------------------------------

SIZE: Final = 6
CELLS: Final = SIZE * SIZE
HALF: Final = SIZE // 2
BOARD: Final = (1 << CELLS) - 1
TOP_ROW: Final = (1 << SIZE) - 1
"""The top row. Multiplied by a set of cells of the left column, it gives the rows of these cells."""
LEFT_COLUMN: Final = sum(1 << SIZE * row for row in range(SIZE))
"""The left column. Multiplied by a set of cells of the top row, it gives the columns of these cells."""
TOP_HALF: Final = (1 << SIZE * HALF) - 1
LEFT_HALF: Final = LEFT_COLUMN * ((1 << HALF) - 1)
MAIN_DIAGONAL: Final = sum(1 << (SIZE + 1) * step for step in range(SIZE))  # from the top left
ANTI_DIAGONAL: Final = sum(1 << (SIZE - 1) * step for step in range(1, SIZE + 1))  # from the top right

LINES: Final = np.array(
    [TOP_ROW << SIZE * row for row in range(SIZE)]
    + [LEFT_COLUMN << column for column in range(SIZE)]
    + [MAIN_DIAGONAL, ANTI_DIAGONAL],
    np.int64,
)
"""int64[14], the cells of each line: rows from the top, columns from the left, the two diagonals."""

INFINITE: Final = 2**31 - 1  # larger than any sum of numbers and any length of a payment; fits an int32

MAX_BOARD_POINTS: Final = CELLS * 99  # TG-8: the largest number is 99, and an open star counts less
STAR_POINTS: Final = 25  # TG-8: what an open star costs the loser of a round


@njit_cached
def sum_of_values(tiles: int, tile_values: Int64Array) -> int:
    """Return the sum of the numbers on a set of cells."""
    points = 0
    while tiles:
        points += tile_values[trailing_zeros(tiles)]
        tiles &= tiles - 1
    return points


@njit_cached
def cells_by_value(tiles: int, tile_values: Int64Array) -> Int64Array:
    """Return the cells of a set, the smallest number first; equal numbers in the order of cells."""
    cells = np.empty(CELLS, np.int64)
    count = 0
    for cell in range(CELLS):
        if tiles >> cell & 1:
            index = count
            while index > 0 and tile_values[cells[index - 1]] > tile_values[cell]:
                cells[index] = cells[index - 1]
                index -= 1
            cells[index] = cell
            count += 1
    return cells[:count]


@njit_cached
def values_of(cells: Int64Array, tile_values: Int64Array) -> Int64Array:
    """Return the numbers on a list of cells, in the same order."""
    values = np.empty(len(cells), np.int64)
    for index in range(len(cells)):
        values[index] = tile_values[cells[index]]
    return values


# --- Dice ------------------------------------------------------------------------------------------

MAX_BUDGET: Final = 24
THROW_BUDGETS: Final = np.array(
    [(first + second) * (2 if first == second else 1) for first in range(1, 7) for second in range(1, 7)],
    np.int64,
)
"""int64[36], TG-5: the budgets of the 36 throws of two dice."""
BUDGET_PROBABILITY: Final = np.bincount(THROW_BUDGETS, minlength=MAX_BUDGET + 1) / len(THROW_BUDGETS)
"""float64[25], the probability of each budget."""
PROBABILITY_AT_LEAST: Final = BUDGET_PROBABILITY[::-1].cumsum()[::-1].copy()
"""float64[25], the probability of a budget at least as large as the index."""
MEAN_BUDGET: Final = float(THROW_BUDGETS.mean())

MAX_THROWS: Final = 80
"""The throws that are looked ahead. None of 6,000 playouts on 300 boards of the default bag took as many."""
