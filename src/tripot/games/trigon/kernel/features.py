"""What a move of Trigon looks like before anything is searched, compiled by Numba.

How far is each cell from each colour, in steps over cells open to it? That, the middle of the board and
the room around a cell make its signs. A move is its piece, the signs of the cells that it covers, those
of the cells to which it newly attaches, and what it closes beside it. Each counts with a weight, which
depends on how far the colour is; so, once a table of the cells is made, a move is a few look-ups.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trigon.board import GRID, WIDTH
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ALL_PIECES,
    ANCHOR_MASK,
    ATTACH,
    ATTACH_COUNT,
    BLOCKED,
    COVERED_OFFSETS,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    FORBIDDEN,
    IN_PLAY,
    LAST_ATTACH_START,
    MARGIN,
    PADDED_CELLS,
    PIECE_OF_SHAPE,
    PIECES_LEFT,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
    START_CELLS,
    VERTEX_OFFSETS,
    Int64Array,
    Position,
    add_start_cells,
    covered_flags,
    u64,
)

Floats = NDArray[np.float64]

PIECE_COUNT: Final = len(SIZE_OF_PIECE)
UNREACHABLE: Final = 100  # more steps than there are
MAX_DISTANCE: Final = 12  # steps that are looked at: the ground of about two pieces
JUST_ATTACHED: Final = 0  # instead of 1 step: attached to by the colour's last piece

# The signs of a cell: how far the nearest foe is, the second, a mate, the colour itself, the middle, and
# how many of the cells beside it are open. Each has a few grades.
DISTANCE_BUCKET: Final = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * (UNREACHABLE - 8)], np.int64)  # by steps
BUCKETS: Final = 7
OPPONENT, SECOND_OPPONENT, TEAMMATE, OWN_DISTANCE, CENTRE, OPEN_NEIGHBOURS = range(6)
CELL_FEATURES: Final = 6
CELL_FEATURE_COLUMNS: Final = CELL_FEATURES * BUCKETS

# The numbers of a move: its piece, signs of cells covered and attached to, and single ones.
COVER_COLUMN: Final = PIECE_COUNT
ATTACH_COLUMN: Final = COVER_COLUMN + CELL_FEATURE_COLUMNS
BLOCKS_TWO_OPPONENTS, OWN_ATTACH_LOST, OPPONENT_EDGE, OPPONENT_ATTACH_EDGE = range(
    ATTACH_COLUMN + CELL_FEATURE_COLUMNS, ATTACH_COLUMN + CELL_FEATURE_COLUMNS + 4
)
FEATURE_COUNT: Final = ATTACH_COLUMN + CELL_FEATURE_COLUMNS + 4
STAGE_COUNT: Final = 7
STAGE_OF: Final = np.array([0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, *[6] * (PIECE_COUNT - 12)], np.int64)


# Where the cells are, in sides of a triangle.
CELL_X: Final = np.arange(PADDED_CELLS) % WIDTH * 0.5
CELL_Y: Final = np.arange(PADDED_CELLS) // WIDTH * np.sqrt(3) / 2

CENTRE_DISTANCE: Final = np.hypot(
    CELL_X - CELL_X[START_CELLS].mean(), CELL_Y - CELL_Y[START_CELLS].mean()
)  # from the middle
START_DISTANCE: Final = np.hypot(
    CELL_X[START_CELLS, None] - CELL_X, CELL_Y[START_CELLS, None] - CELL_Y
)  # each cell from each start
CENTRE_BUCKET: Final = np.minimum(BUCKETS - 1, CENTRE_DISTANCE / 1.4).astype(np.int64)

# Openings: by the number of a colour's pieces on the board, how large its next one has to be at least, and
# how much farther from the middle than need be the first may stay. (Only the first: soon after it the best
# move is often one that shuts a foe in.)
MIN_OPENING_SIZE: Final = np.array([6, 6, 6, 6, 5, 4, 4, 3, 3, *[1] * (PIECE_COUNT - 8)], np.int64)
OPENING_SLACK: Final = 0.5


class CellWorkspace(NamedTuple):
    """Room to work in.

    cells    the cells to look at, so many as `cell_count` says: all, or what is left of a position
             (`restrict_to_open_cells`)
    distances  by colour and cell: how far the colour is from it
    queue    cells on the way
    features  by cell: its six signs
    cover_weight  by cell: what covering it counts, `attach_weight`: attaching to it, and `edge_weight`: lying
                  beside it
    value_rows  by colour: rows of a table of values, and `stock_features`: numbers of its stock (see `value`)
    """

    cells: NDArray[np.int16]
    cell_count: Int64Array
    distances: NDArray[np.uint8]
    queue: NDArray[np.int16]
    features: NDArray[np.int8]
    cover_weight: Floats
    attach_weight: Floats
    edge_weight: Floats
    value_rows: NDArray[np.int16]
    stock_features: Floats


@njit_cached
def new_cell_workspace() -> CellWorkspace:
    """Such room."""
    return CellWorkspace(
        np.arange(MARGIN, MARGIN + GRID).astype(np.int16),
        np.full(1, GRID),
        np.full((4, PADDED_CELLS), UNREACHABLE, np.uint8),
        np.zeros(PADDED_CELLS, np.int16),
        np.zeros((PADDED_CELLS, CELL_FEATURES), np.int8),
        np.zeros(PADDED_CELLS),
        np.zeros(PADDED_CELLS),
        np.zeros(PADDED_CELLS),
        np.zeros((4, GRID), np.int16),
        np.zeros((4, 16)),
    )


@njit_no_nrt
def restrict_to_open_cells(position: Position, room: CellWorkspace) -> None:
    """Look only at cells that are open to a colour, and at those beside them, from a position on."""
    number = 0
    for cell in range(MARGIN, MARGIN + GRID):
        closed = int(position.cell_flags[cell])
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            closed &= int(position.cell_flags[cell + step])
        if closed & ALL_COLOURS != ALL_COLOURS:
            room.cells[number] = cell
            number += 1
    room.cell_count[0] = number
    room.cover_weight[:], room.attach_weight[:], room.edge_weight[:] = 0.0, 0.0, 0.0


@njit_no_nrt
def placed_count(position: Position, colour: int) -> int:
    """How many pieces of a colour lie on the board."""
    left, number = position.counters[PIECES_LEFT, colour], PIECE_COUNT
    while left:
        left &= left - 1
        number -= 1
    return number


@njit_no_nrt
def stage(position: Position, colour: int) -> int:
    """How far a colour is: by the number of its pieces on the board."""
    return int(STAGE_OF[placed_count(position, colour)])


@njit_no_nrt
def team_mask(colour: int, sides: Int64Array) -> int:
    """The set of the colours of a side."""
    friends = 0
    for each in range(4):
        if sides[each] == sides[colour]:
            friends |= 1 << each
    return friends


@njit_no_nrt
def compute_distances(position: Position, colour: int, room: CellWorkspace) -> int:
    """How far a colour is from every cell; how many it reaches."""
    marks, tally, far, queue = position.cell_flags, position.counters, room.distances[colour], room.queue
    far[MARGIN : MARGIN + GRID] = UNREACHABLE
    if (position.status[BLOCKED] | ~position.status[IN_PLAY]) >> colour & 1 or not tally[PIECES_LEFT, colour]:
        return 0
    if tally[PIECES_LEFT, colour] == ALL_PIECES:
        add_start_cells(position, colour)
    end, closed = 0, FORBIDDEN << colour
    for index in range(tally[ATTACH_COUNT, colour]):
        cell = position.attach_cells[colour, index]
        if not marks[cell] & closed:
            far[cell] = 1
            queue[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = int(queue[u64(begin)])
        begin += 1
        there = far[u64(cell)] + 1
        if there > MAX_DISTANCE:
            break
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            beside = u64(cell + step)
            if far[beside] == UNREACHABLE and not marks[beside] & closed:
                far[beside] = there
                queue[u64(end)] = cell + step
                end += 1
    return end


@njit_no_nrt
def compute_cell_features(position: Position, colour: int, friends: int, room: CellWorkspace) -> None:
    """The signs of every cell, for a colour to move."""
    steps, signs, tally = room.distances, room.features, position.counters
    for each in range(4):
        compute_distances(position, each, room)
        if not friends >> each & 1 and tally[PIECES_LEFT, each] != ALL_PIECES:
            for index in range(tally[LAST_ATTACH_START, each], tally[ATTACH_COUNT, each]):
                cell = position.attach_cells[each, index]
                if steps[each, cell] == 1:
                    steps[each, cell] = JUST_ATTACHED
    closed = FORBIDDEN << colour
    for index in range(room.cell_count[0]):
        cell = int(room.cells[u64(index)])
        if position.cell_flags[u64(cell)] & closed:
            continue
        foe, second, mate = UNREACHABLE, UNREACHABLE, UNREACHABLE
        for each in range(4):
            there = int(steps[each, cell])
            if not friends >> each & 1:
                if there < foe:
                    foe, second = there, foe
                elif there < second:
                    second = there
            elif each != colour and there < mate:
                mate = there
        free = 0
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            free += not position.cell_flags[cell + step] & closed
        signs[cell, OPPONENT], signs[cell, SECOND_OPPONENT] = DISTANCE_BUCKET[foe], DISTANCE_BUCKET[second]
        signs[cell, TEAMMATE], signs[cell, OWN_DISTANCE] = (
            DISTANCE_BUCKET[mate],
            DISTANCE_BUCKET[steps[colour, cell]],
        )
        signs[cell, CENTRE], signs[cell, OPEN_NEIGHBOURS] = CENTRE_BUCKET[cell], free


@njit_no_nrt
def compute_cell_weights(
    position: Position, colour: int, friends: int, weights: Floats, room: CellWorkspace
) -> None:
    """What covering each cell counts, attaching to it and lying beside it, by its signs."""
    closed, touch, foes = FORBIDDEN << colour, ATTACH << colour, 0xF & ~friends
    for index in range(room.cell_count[0]):
        cell = int(room.cells[u64(index)])
        mark, cover, gain, aside = int(position.cell_flags[cell]), 0.0, 0.0, 0.0
        if not mark & closed:
            for kind in range(CELL_FEATURES):
                sign = kind * BUCKETS + room.features[u64(cell), u64(kind)]
                cover += weights[u64(COVER_COLUMN + sign)]
                gain += weights[u64(ATTACH_COLUMN + sign)]
            if mark & touch:
                gain, aside = 0.0, weights[OWN_ATTACH_LOST]
        if mark >> 12 & foes:
            aside += weights[OPPONENT_EDGE]
        if mark >> 4 & ~mark & foes:
            aside += weights[OPPONENT_ATTACH_EDGE]
        room.cover_weight[cell], room.attach_weight[cell], room.edge_weight[cell] = cover, gain, aside


@njit_no_nrt
def move_logit(position: Position, friends: int, move: int, weights: Floats, room: CellWorkspace) -> float:
    """What the weights make of a move, the cells being weighed."""
    shape, lowest, index = move >> SHAPE_SHIFT, move & ANCHOR_MASK, 0
    cover, gain, aside = (
        float(weights[PIECE_OF_SHAPE[shape]]),
        0.0,
        0.0,
    )  # apart, so that they can be added up at once
    covers, touches, beside = COVERED_OFFSETS[shape], VERTEX_OFFSETS[shape], EDGE_OFFSETS[shape]
    while covers[u64(index)] != END_OF_OFFSETS:
        cover += room.cover_weight[u64(lowest + covers[u64(index)])]
        index += 1
    index = 0
    while touches[u64(index)] != END_OF_OFFSETS:
        gain += room.attach_weight[u64(lowest + touches[u64(index)])]
        index += 1
    index = 0
    while beside[u64(index)] != END_OF_OFFSETS:
        aside += room.edge_weight[u64(lowest + beside[u64(index)])]
        index += 1
    total = cover + gain + aside
    marked = covered_flags(position.cell_flags, shape, lowest)
    rivals = marked >> 4 & 0xF & ~friends
    if rivals & rivals - 1:
        total += weights[BLOCKS_TWO_OPPONENTS]
    return total


@njit_no_nrt
def move_features(
    position: Position, colour: int, friends: int, move: int, room: CellWorkspace, x: Floats
) -> None:
    """The numbers of a move, into `x`; the position is surveyed."""
    marks, shape, lowest = position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK
    index, rivals, foes = 0, 0, 0xF & ~friends
    x[:] = 0
    x[PIECE_OF_SHAPE[shape]] = 1
    while COVERED_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = lowest + COVERED_OFFSETS[shape, index]
        mark = int(marks[cell])
        for kind in range(CELL_FEATURES):
            x[COVER_COLUMN + kind * BUCKETS + room.features[cell, kind]] += 1
        rivals |= mark >> 4
        index += 1
    rivals &= foes
    x[BLOCKS_TWO_OPPONENTS] = rivals & rivals - 1 != 0
    index = 0
    while VERTEX_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = lowest + VERTEX_OFFSETS[shape, index]
        if not marks[cell] & (FORBIDDEN | ATTACH) << colour:
            for kind in range(CELL_FEATURES):
                x[ATTACH_COLUMN + kind * BUCKETS + room.features[cell, kind]] += 1
        index += 1
    index = 0
    while EDGE_OFFSETS[shape, index] != END_OF_OFFSETS:
        mark = int(marks[lowest + EDGE_OFFSETS[shape, index]])
        x[OWN_ATTACH_LOST] += mark >> 4 & ~mark & 1 << colour != 0
        x[OPPONENT_EDGE] += mark >> 12 & foes != 0
        x[OPPONENT_ATTACH_EDGE] += mark >> 4 & ~mark & foes != 0
        index += 1


@njit_no_nrt
def _farthest_start(position: Position, colour: int) -> int:
    """Where a colour should start: far from all that lies."""
    best, chosen = -1.0, 0
    for start in range(len(START_CELLS)):
        if not position.cell_flags[START_CELLS[start]] & ATTACH << colour:
            continue
        near = 100.0
        for cell in range(MARGIN, MARGIN + GRID):
            if position.cell_flags[cell] >> 12:
                near = min(near, START_DISTANCE[start, cell])
        if near > best:
            best, chosen = near, start
    return int(START_CELLS[chosen])


@njit_no_nrt
def _opening_distance(move: int, start: int) -> float:
    """How far from the middle a move stays; 100 if it does not cover the start that it should."""
    shape, lowest, near, index, there = move >> SHAPE_SHIFT, move & ANCHOR_MASK, 100.0, 0, False
    while COVERED_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = lowest + COVERED_OFFSETS[shape, index]
        near = min(near, CENTRE_DISTANCE[cell])
        there = there or cell == start
        index += 1
    return near if there else 100.0


@njit_no_nrt
def prune_opening_moves(
    position: Position, colour: int, moves: NDArray[np.int32], into: NDArray[np.int32]
) -> int:
    """Those of some moves that are worth a thought; in openings large ones, at first to the middle."""
    lying, largest, number = placed_count(position, colour), 0, 0
    for move in moves:
        largest = max(largest, SIZE_OF_PIECE[PIECE_OF_SHAPE[move >> SHAPE_SHIFT]])
    least = min(largest, MIN_OPENING_SIZE[lying])
    for move in moves:
        if SIZE_OF_PIECE[PIECE_OF_SHAPE[move >> SHAPE_SHIFT]] >= least:
            into[number] = move
            number += 1
    if lying:
        return number
    start, nearest, kept = _farthest_start(position, colour), 100.0, 0
    for index in range(number):
        nearest = min(nearest, _opening_distance(into[index], start))
    for index in range(number):
        if _opening_distance(into[index], start) <= nearest + OPENING_SLACK:
            into[kept] = into[index]
            kept += 1
    return kept


@njit_cached
def move_logits(
    position: Position,
    colour: int,
    sides: Int64Array,
    moves: NDArray[np.int32],
    weights: Floats,
    room: CellWorkspace,
) -> Floats:
    """What the weights make of some moves."""
    found, own = np.empty(len(moves), np.float64), weights[stage(position, colour)]
    friends = team_mask(colour, sides)
    compute_cell_features(position, colour, friends, room)
    compute_cell_weights(position, colour, friends, own, room)
    for index in range(len(moves)):
        found[index] = move_logit(position, friends, moves[index], own, room)
    return found
