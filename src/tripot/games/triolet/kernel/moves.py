"""Move generation: all placements of a rack with their points.

The method is that of Appel and Jacobson, "The World's Fastest Scrabble Program" (Communications of the ACM
31 (5), 1988), without a dictionary. An anchor is a free cell next to a token; every placement covers one.
For each anchor and direction the generator knows how many tokens a new one would join, their sum and points,
and which values fit (the cross-set). Legality and points of all placements follow from these numbers.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.games.triolet.board import (
    ALL_VALUES,
    HIDDEN_TOKEN,
    IS_JOKER,
    JOKER,
    MAX_LINE,
    RACK_SIZE,
    TRIO_SUM,
)
from tripot.games.triolet.kernel.tables import (
    CENTRE_INDEX,
    DIRECTION_SHIFT,
    FIRST_CELL,
    GRID_SIZE,
    IS_ON_BOARD,
    JOKER_SHIFT,
    KIND_SHIFT,
    KIND_STRIDE,
    KIND_TOKENS,
    LAST_CELL,
    MAX_ORDERS,
    MULTIPLIER,
    ONE,
    SLOT_ORDER_COUNTS,
    SLOT_ORDERS,
    SPLIT_TWO,
    THREE,
    TOKENS_IN_ALL,
    TWO,
    VALUES_SHIFT,
    WIDTH,
    Bytes,
    Floats,
    Ints,
    Longs,
)
from tripot.games.triolet.scoring import TRIO_POINTS, TRIOLET_BONUS

MAX_MOVES: Final = 8192  # moves of one position; a rack with a joker has some hundreds

Anchors: TypeAlias = Ints
"""What a token on each free cell would join, int32[4, 2, GRID_SIZE]: a structure of arrays.

The first index is one of the constants below, the second the direction. It is one array because four arrays
in a tuple make each call of a kernel slower, and the generator makes hundreds of calls per position.

ADJOINING_COUNT   number of tokens joined
ADJOINING_SUM     sum of their values
ADJOINING_POINTS  sum of their points; a joker has none
CROSS_SET         the values that TO-3 allows there, as bits
"""
ADJOINING_COUNT, ADJOINING_SUM, ADJOINING_POINTS, CROSS_SET = range(4)


class Moves(NamedTuple):
    """Moves in parallel arrays; functions that fill them return how many there are."""

    codes: Ints
    """Move codes (see `tables.py`), int32[n]."""
    points: Ints
    """Points that each move scores, int32[n]."""


class Workspace(NamedTuple):
    """Arrays that kernels overwrite at each call, allocated once."""

    anchors: Anchors
    arrangements: Bytes
    """The ways to take tokens from the rack in order, uint8[3, 6, 3]: by size - 1, index, and token."""
    arrangement_counts: Longs
    """How many arrangements there are, int64[3]: by size - 1."""
    token_counts: Longs
    """Tokens that are not on the board, int64[17]: by kind."""


class MoveGenerator(NamedTuple):
    """All that the generator needs to know of one position."""

    grid: Bytes
    token_count: int
    """Tokens on the board."""
    held_values: int
    """The values on the rack, as bits; all of them with a joker."""
    anchors: Anchors
    moves: Moves


class Line(NamedTuple):
    """The line that a placement extends or makes."""

    length: int
    """Number of tokens, the new ones included."""
    remaining_sum: int
    """What the adjoining tokens leave of the trio's total of 15."""
    adjoining_points: int


def new_workspace() -> Workspace:
    """Allocate the arrays of a move generator."""
    return Workspace(
        np.zeros((4, 2, GRID_SIZE), np.int32),
        np.zeros((RACK_SIZE, MAX_ORDERS, RACK_SIZE), np.uint8),
        np.zeros(RACK_SIZE, np.int64),
        np.zeros(len(TOKENS_IN_ALL), np.int64),
    )


def new_moves() -> Moves:
    """Allocate arrays for the moves of a position."""
    return Moves(np.zeros(MAX_MOVES, np.int32), np.zeros(MAX_MOVES, np.int32))


@njit_no_nrt
def argmax(array: Ints | Floats, start: int, end: int) -> int:
    """Return the index of the first maximum of array[start:end]. NumPy's needs Numba's memory management."""
    best = start
    for index in range(start + 1, end):
        if array[index] > array[best]:
            best = index
    return best


# --- Anchors -------------------------------------------------------------------------------------


@njit_no_nrt
def compute_anchors(grid: Bytes, anchors: Anchors) -> int:
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


# --- Legality ------------------------------------------------------------------------------------


@njit_no_nrt
def closes_block(grid: Bytes, token_count: int, first: int, step: int, size: int) -> bool:
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
def _is_full_block(grid: Bytes, corner: int, side: int) -> bool:
    """Return whether all cells of a square block have tokens, given its top left cell."""
    for row in range(side):
        for column in range(side):
            if not grid[corner + row * WIDTH + column]:
                return False
    return True


@njit_no_nrt
def _line_info(anchors: Anchors, first: int, last: int, direction: int, kind: int) -> Line:
    """Return the line of a placement. The line of an illegal SPLIT_TWO is longer than MAX_LINE."""
    count = int(anchors[ADJOINING_COUNT, direction, first])
    total = int(anchors[ADJOINING_SUM, direction, first])
    points = int(anchors[ADJOINING_POINTS, direction, first])
    if kind == SPLIT_TWO:  # both tokens join the one between them, and nothing else
        if count != 1 or anchors[ADJOINING_COUNT, direction, last] != 1:
            count = MAX_LINE
    elif kind != ONE:  # the first and the last token see one end of the line each
        count += anchors[ADJOINING_COUNT, direction, last]
        total += anchors[ADJOINING_SUM, direction, last]
        points += anchors[ADJOINING_POINTS, direction, last]
    return Line(KIND_TOKENS[kind] + count, TRIO_SUM - total, points)


# --- Placements and points -----------------------------------------------------------------------


@njit_no_nrt
def add_placements(
    generator: MoveGenerator, arrangements: Bytes, first: int, direction: int, kind: int, count: int
) -> int:
    """Append all legal placements of one kind from a first cell, with their points (TO-2 to TO-9).

    `arrangements` are the tokens in the order of the cells, uint8[n, 3]. Returns the new number of moves.

    It is long and has many branches because it is the innermost function. With the points in a function of
    their own, generation took 20 to 90% longer, and with the geometry alone 10 to 25%: each call passes the
    arrays of the generator on the stack.
    """
    grid, anchors, token_count = generator.grid, generator.anchors, generator.token_count
    size, cross = KIND_TOKENS[kind], 1 - direction
    step = (WIDTH if direction else 1) * KIND_STRIDE[kind]
    last = first + (size - 1) * step
    is_connected = token_count == 0
    closes_trios = True  # a 3×3 block consists of trios in both directions
    for index in range(size):
        cell = first + index * step
        if grid[cell] or not IS_ON_BOARD[cell] or not anchors[CROSS_SET, cross, cell] & generator.held_values:
            return count
        is_connected = is_connected or is_anchor(anchors, cell)
        closes_trios = closes_trios and anchors[ADJOINING_COUNT, cross, cell] == 2
    line = _line_info(anchors, first, last, direction, kind)
    if not is_connected or line.length > MAX_LINE or line.remaining_sum < 0:
        return count
    if token_count == 0 and not (first <= CENTRE_INDEX <= last and (CENTRE_INDEX - first) % step == 0):
        return count
    is_trio = line.length == MAX_LINE
    if (token_count + size == 4 or (is_trio and closes_trios)) and closes_block(
        grid, token_count, first, step, size
    ):
        return count
    for arrangement in range(len(arrangements)):
        joker = token_sum = 0  # the joker counts from 1
        for index in range(size):
            if arrangements[arrangement, index] == JOKER:
                joker = index + 1
            else:
                token_sum += int(arrangements[arrangement, index])
        gap = line.remaining_sum - token_sum  # what is left for a joker
        if gap < 0 or (is_trio and not joker and gap):
            continue
        lowest = gap if joker and is_trio else 0
        for joker_value in range(lowest, (gap if joker else lowest) + 1):
            code = first | direction << DIRECTION_SHIFT | kind << KIND_SHIFT | joker << JOKER_SHIFT
            placed_points = points = 0
            fits = True
            for index in range(size):
                cell = first + index * step
                value = joker_value if index + 1 == joker else int(arrangements[arrangement, index])
                token_points = 0 if index + 1 == joker else value
                crossing = anchors[ADJOINING_COUNT, cross, cell]
                fits = fits and anchors[CROSS_SET, cross, cell] >> value & 1
                code |= value << VALUES_SHIFT + 4 * index
                placed_points += token_points
                if crossing == 2:
                    points += TRIO_POINTS
                elif crossing == 1:
                    points += token_points + anchors[ADJOINING_POINTS, cross, cell]
                factor = MULTIPLIER[cell] - 1
                points += factor * (TRIO_POINTS if is_trio or crossing == 2 else token_points)
            if not fits or count >= MAX_MOVES:
                continue
            if is_trio:
                points += TRIO_POINTS
            elif line.length == 2 or token_count == 0:
                points += placed_points + line.adjoining_points
            if size == MAX_LINE and not joker:
                points += TRIOLET_BONUS
            generator.moves.codes[count], generator.moves.points[count] = code, points
            count += 1
    return count


# --- Generation ----------------------------------------------------------------------------------


@njit_no_nrt
def rack_arrangements(rack: Bytes, workspace: Workspace) -> int:
    """List every different way to take one, two or three tokens in order; return the values held, as bits.

    Triples only if they can total 15, and never two jokers (TO-8). Hidden tokens are left out.
    """
    token_count = held_values = 0
    for token in rack:
        if token < HIDDEN_TOKEN:
            token_count += 1
            held_values |= ALL_VALUES if token == JOKER else 1 << int(token)
    pattern = token_count << 2 | int(rack[0] == rack[1]) | int(rack[1] == rack[2]) << 1
    for size in range(1, RACK_SIZE + 1):
        count = 0
        for order in range(SLOT_ORDER_COUNTS[pattern, size - 1]):
            total = jokers = 0
            for index in range(size):
                token = int(rack[SLOT_ORDERS[pattern, size - 1, order, index]])
                workspace.arrangements[size - 1, count, index] = token
                jokers += token == JOKER
                total += 0 if token == JOKER else token
            is_complete = size == MAX_LINE and not jokers
            if jokers <= 1 and (total == TRIO_SUM if is_complete else total <= TRIO_SUM):
                count += 1
        workspace.arrangement_counts[size - 1] = count
    return held_values


@njit_no_nrt
def _free_cells_before(grid: Bytes, anchors: Anchors, cell: int, step: int) -> int:
    """Return how many cells before an anchor, at most two, a placement through it may also cover.

    They are free and no anchors: a placement over an earlier anchor is generated from that one.
    """
    count = 0
    while count < MAX_LINE - 1:
        before = cell - (count + 1) * step
        if grid[before] or not IS_ON_BOARD[before] or is_anchor(anchors, before):
            break
        count += 1
    return count


@njit_no_nrt
def generate_moves(grid: Bytes, rack: Bytes, workspace: Workspace, moves: Moves) -> int:
    """List every placement of a rack with its points, and return how many there are.

    They are in no special order, but always in the same. The workspace keeps the anchors of the board.
    """
    anchors, counts = workspace.anchors, workspace.arrangement_counts
    token_count = compute_anchors(grid, anchors)
    held_values = rack_arrangements(rack, workspace)
    generator = MoveGenerator(grid, token_count, held_values, anchors, moves)
    singles = workspace.arrangements[0, : counts[0]]
    pairs = workspace.arrangements[1, : counts[1]]
    triples = workspace.arrangements[2, : counts[2]]
    count = 0
    for cell in range(FIRST_CELL, LAST_CELL + 1):
        if grid[cell] or not IS_ON_BOARD[cell]:
            continue
        if not is_anchor(anchors, cell) and (token_count or cell != CENTRE_INDEX):
            continue
        count = add_placements(generator, singles, cell, 0, ONE, count)
        for direction in range(2):
            step = WIDTH if direction else 1
            for before in range(_free_cells_before(grid, anchors, cell, step) + 1):
                first = cell - before * step
                if grid[first + step]:
                    continue
                if len(pairs) and before < 2:
                    count = add_placements(generator, pairs, first, direction, TWO, count)
                if len(triples) and not grid[first + 2 * step]:
                    count = add_placements(generator, triples, first, direction, THREE, count)
            if len(pairs) and grid[cell + step]:
                count = add_placements(generator, pairs, cell, direction, SPLIT_TWO, count)
    return count
