"""What the board allows on a cell: anchors with their cross-sets, and forbidden blocks.

An anchor is a free cell next to a token. For each anchor and direction the move generator knows how many
tokens a new one would join, their sum and points, and which values fit (the cross-set).
"""

from __future__ import annotations

from typing import TypeAlias

from tripot.engine.jit import njit_no_nrt
from tripot.games.triolet.board import ALL_VALUES, IS_JOKER, TRIO_SUM
from tripot.games.triolet.kernel.tables import (
    FIRST_CELL,
    IS_ON_BOARD,
    LAST_CELL,
    WIDTH,
    Int32Array,
    Uint8Array,
)

Anchors: TypeAlias = Int32Array
"""What a token on each free cell would join, int32[4, 2, GRID_SIZE]: a structure of arrays.

The first index is one of the constants below, the second the direction. It is one array because four arrays
in a tuple make each call of a kernel slower, and the generator makes hundreds of calls per position.

ADJOINING_COUNT   number of tokens joined
ADJOINING_SUM     sum of their values
ADJOINING_POINTS  sum of their points; a joker has none
CROSS_SET         the values that TO-3 allows there, as bits
"""
ADJOINING_COUNT, ADJOINING_SUM, ADJOINING_POINTS, CROSS_SET = range(4)


@njit_no_nrt
def compute_anchors(grid: Uint8Array, anchors: Anchors) -> int:
    """Fill in the anchors of a board (TO-3), and return how many tokens are on it."""
    token_count = 0
    anchors[:CROSS_SET] = 0
    anchors[CROSS_SET] = ALL_VALUES
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        if grid[cell]:
            token_count += 1
        if grid[cell] or not IS_ON_BOARD[cell]:
            continue
        for direction in range(2):
            step = WIDTH if direction else 1
            if not grid[cell - step] and not grid[cell + step]:
                continue
            count = total = points = 0
            for side in (-step, step):
                neighbour = cell + side
                while grid[neighbour]:
                    content = int(grid[neighbour])
                    count += 1
                    total += content % IS_JOKER - 1
                    points += content - 1 if content < IS_JOKER else 0
                    neighbour += side
            anchors[ADJOINING_COUNT, direction, cell] = count
            anchors[ADJOINING_SUM, direction, cell] = total
            anchors[ADJOINING_POINTS, direction, cell] = points
            if count == 1:
                anchors[CROSS_SET, direction, cell] = (1 << TRIO_SUM - total + 1) - 1
            elif count == 2 and total <= TRIO_SUM:
                anchors[CROSS_SET, direction, cell] = 1 << TRIO_SUM - total
            else:
                anchors[CROSS_SET, direction, cell] = 0
    return token_count


@njit_no_nrt
def is_anchor(anchors: Anchors, cell: int) -> bool:
    """Return whether a free cell has a token next to it."""
    return bool(anchors[ADJOINING_COUNT, 0, cell] or anchors[ADJOINING_COUNT, 1, cell])


# --- Blocks --------------------------------------------------------------------------------------


@njit_no_nrt
def closes_block(grid: Uint8Array, token_count: int, first: int, step: int, size: int) -> bool:
    """Return whether a placement closes a forbidden block (TO-9).

    The cells are free and `step` apart. With the fourth token of the game a 2×2 block is forbidden, and
    always a 3×3 block. The grid is unchanged afterwards.
    """
    for index in range(size):
        grid[first + index * step] = 1
    is_closed = False
    if token_count + size == 4:
        for corner in (first, first - 1, first - WIDTH, first - WIDTH - 1):
            is_closed = is_closed or _is_full_block(grid, corner, 2)
    corner = first
    while grid[corner - 1]:
        corner -= 1
    while grid[corner - WIDTH]:
        corner -= WIDTH
    is_closed = is_closed or _is_full_block(grid, corner, 3)
    for index in range(size):
        grid[first + index * step] = 0
    return is_closed


@njit_no_nrt
def _is_full_block(grid: Uint8Array, corner: int, side: int) -> bool:
    """Return whether all cells of a square block have tokens, given its top left cell."""
    for row in range(side):
        for column in range(side):
            if not grid[corner + row * WIDTH + column]:
                return False
    return True
