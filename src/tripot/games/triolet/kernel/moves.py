"""Move generation: all placements of a rack with their points.

The method is that of Appel and Jacobson, "The World's Fastest Scrabble Program" (Communications of the ACM
31 (5), 1988), without a dictionary. An anchor is a free cell next to a token (`anchors.py`); every placement
covers one. Legality and points of all placements follow from what is known of the anchors.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_inline, njit_no_nrt
from tripot.games.triolet.board import (
    ALL_VALUES,
    HIDDEN_TOKEN,
    JOKER,
    MAX_LINE,
    RACK_SIZE,
    TRIO_SUM,
)
from tripot.games.triolet.kernel.anchors import (
    ADJOINING_COUNT,
    ADJOINING_POINTS,
    ADJOINING_SUM,
    CROSS_SET,
    Anchors,
    closes_block,
    compute_anchors,
    is_anchor,
)
from tripot.games.triolet.kernel.tables import (
    CELL_MASK,
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
    Float64Array,
    Int32Array,
    Int64Array,
    Uint8Array,
)
from tripot.games.triolet.scoring import TRIO_POINTS, TRIOLET_BONUS

MAX_MOVES: Final = 8192  # moves of one position; a rack with a joker has some hundreds


class Moves(NamedTuple):
    """Moves in parallel arrays; functions that fill them return how many there are."""

    codes: Int32Array
    """Move codes (see `tables.py`), int32[n]."""
    points: Int32Array
    """Points that each move scores, int32[n]."""


class Workspace(NamedTuple):
    """Arrays that kernels overwrite at each call, allocated once."""

    anchors: Anchors
    arrangements: Uint8Array
    """The ways to take tokens from the rack in order, uint8[3, 6, 3]: by size - 1, index, and token."""
    arrangement_counts: Int64Array
    """How many arrangements there are, int64[3]: by size - 1."""
    token_counts: Int64Array
    """Tokens that are not on the board, int64[17]: by kind."""


class MoveGenerator(NamedTuple):
    """All that the generator needs to know of one position."""

    grid: Uint8Array
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
def argmax(array: Int32Array | Float64Array, start: int, end: int) -> int:
    """Return the index of the first maximum of array[start:end]. NumPy's needs reference counting."""
    best = start
    for index in range(start + 1, end):
        if array[index] > array[best]:
            best = index
    return best


# --- Lines ---------------------------------------------------------------------------------------


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
#
# The functions below are inlined, because they are called for every placement that is tried. As calls they
# took 10 to 90% more time, since each call passes the arrays of the generator on the stack.


class CellCheck(NamedTuple):
    """What the cells of a placement alone decide."""

    is_possible: bool
    """Whether all cells are free and accept some value on the rack."""
    is_connected: bool
    """Whether a cell is an anchor; on an empty board every cell counts as one."""
    closes_trios: bool
    """Whether every crossing line becomes a trio, as in a 3×3 block."""


@njit_inline
def _check_cells(generator: MoveGenerator, first: int, step: int, size: int, cross: int) -> CellCheck:
    """Check the cells of a placement, which are `step` apart; `cross` is the direction across it."""
    grid, anchors = generator.grid, generator.anchors
    is_connected, closes_trios = generator.token_count == 0, True
    for index in range(size):
        cell = first + index * step
        if grid[cell] or not IS_ON_BOARD[cell] or not anchors[CROSS_SET, cross, cell] & generator.held_values:
            return CellCheck(False, False, False)
        is_connected = is_connected or is_anchor(anchors, cell)
        closes_trios = closes_trios and anchors[ADJOINING_COUNT, cross, cell] == 2
    return CellCheck(True, is_connected, closes_trios)


@njit_inline
def _is_legal_line(
    generator: MoveGenerator, line: Line, cells: CellCheck, first: int, step: int, size: int
) -> bool:
    """Return whether a placement is legal whatever its values are (TO-2, TO-3, TO-9)."""
    token_count, last = generator.token_count, first + (size - 1) * step
    if not cells.is_connected or line.length > MAX_LINE or line.remaining_sum < 0:
        return False
    if token_count == 0 and not (first <= CENTRE_INDEX <= last and (CENTRE_INDEX - first) % step == 0):
        return False
    may_close_block = token_count + size == 4 or (line.length == MAX_LINE and cells.closes_trios)
    return not (may_close_block and closes_block(generator.grid, token_count, first, step, size))


@njit_inline
def _joker_and_sum(arrangement: Uint8Array, size: int) -> tuple[int, int]:
    """Return which token is a joker, counted from 1, or 0; and the sum of the other tokens."""
    joker = token_sum = 0
    for index in range(size):
        if arrangement[index] == JOKER:
            joker = index + 1
        else:
            token_sum += int(arrangement[index])
    return joker, token_sum


@njit_inline
def _line_points(line: Line, token_count: int, size: int, joker: int, placed_points: int) -> int:
    """Return the points of the line itself (TO-4) and of a triolet (TO-5)."""
    points = 0
    if line.length == MAX_LINE:
        points += TRIO_POINTS
    elif line.length == 2 or token_count == 0:
        points += placed_points + line.adjoining_points
    if size == MAX_LINE and not joker:
        points += TRIOLET_BONUS
    return points


@njit_inline
def _add_placement(
    generator: MoveGenerator,
    line: Line,
    arrangement: Uint8Array,
    joker: int,
    joker_value: int,
    code: int,
    count: int,
) -> int:
    """Append one placement with its points (TO-4 to TO-6), unless a crossing line forbids a value (TO-3).

    `code` has the first cell, the direction and the kind. Returns the new number of moves.
    """
    anchors, kind, first = generator.anchors, code >> KIND_SHIFT & 3, code & CELL_MASK
    direction = code >> DIRECTION_SHIFT & 1
    size, cross = KIND_TOKENS[kind], 1 - direction
    step = (WIDTH if direction else 1) * KIND_STRIDE[kind]
    code |= joker << JOKER_SHIFT
    placed_points = points = 0
    for index in range(size):
        cell = first + index * step
        value = joker_value if index + 1 == joker else int(arrangement[index])
        token_points = 0 if index + 1 == joker else value
        crossing = anchors[ADJOINING_COUNT, cross, cell]
        if not anchors[CROSS_SET, cross, cell] >> value & 1:
            return count
        code |= value << VALUES_SHIFT + 4 * index
        placed_points += token_points
        if crossing == 2:
            points += TRIO_POINTS
        elif crossing == 1:
            points += token_points + anchors[ADJOINING_POINTS, cross, cell]
        factor = MULTIPLIER[cell] - 1
        points += factor * (TRIO_POINTS if line.length == MAX_LINE or crossing == 2 else token_points)
    if count >= MAX_MOVES:
        return count
    points += _line_points(line, generator.token_count, size, joker, placed_points)
    generator.moves.codes[count], generator.moves.points[count] = code, points
    return count + 1


@njit_no_nrt
def add_placements(
    generator: MoveGenerator, arrangements: Uint8Array, first: int, direction: int, kind: int, count: int
) -> int:
    """Append all legal placements of one kind from a first cell, with their points (TO-2 to TO-9).

    `arrangements` are the tokens in the order of the cells, uint8[n, 3]. Returns the new number of moves.
    """
    size, cross = KIND_TOKENS[kind], 1 - direction
    step = (WIDTH if direction else 1) * KIND_STRIDE[kind]
    cells = _check_cells(generator, first, step, size, cross)
    if not cells.is_possible:
        return count
    line = _line_info(generator.anchors, first, first + (size - 1) * step, direction, kind)
    if not _is_legal_line(generator, line, cells, first, step, size):
        return count
    code = first | direction << DIRECTION_SHIFT | kind << KIND_SHIFT
    is_trio = line.length == MAX_LINE
    for index in range(len(arrangements)):
        joker, token_sum = _joker_and_sum(arrangements[index], size)
        gap = line.remaining_sum - token_sum  # what is left for a joker
        if gap < 0 or (is_trio and not joker and gap):
            continue
        lowest = gap if joker and is_trio else 0
        for joker_value in range(lowest, (gap if joker else lowest) + 1):
            count = _add_placement(generator, line, arrangements[index], joker, joker_value, code, count)
    return count


# --- Generation ----------------------------------------------------------------------------------


@njit_no_nrt
def rack_arrangements(rack: Uint8Array, workspace: Workspace) -> int:
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
def _free_cells_before(grid: Uint8Array, anchors: Anchors, cell: int, step: int) -> int:
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
def generate_moves(grid: Uint8Array, rack: Uint8Array, workspace: Workspace, moves: Moves) -> int:
    """List every placement of a rack with its points, and return how many there are.

    Their order is deterministic, but has no meaning. The workspace keeps the anchors of the board.
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
