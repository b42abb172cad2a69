"""Pruning of opening moves by two heuristics, which a short search would not find by itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.board import GRID
from tripot.games.trigon.kernel.dtypes import Int32Array
from tripot.games.trigon.kernel.features import CELL_X, CELL_Y, CENTRE_DISTANCE, placed_count
from tripot.games.trigon.kernel.params import OPENING_PARAMS
from tripot.games.trigon.kernel.position import ATTACH, OCCUPIED_SHIFT, Position
from tripot.games.trigon.kernel.tables import (
    ANCHOR_MASK,
    COVERED_OFFSETS,
    END_OF_OFFSETS,
    MARGIN,
    PIECE_COUNT,
    SHAPE_SHIFT,
    SIZE_OF_SHAPE,
    START_CELLS,
)

MIN_OPENING_SIZE: Final = np.ones(PIECE_COUNT + 1, np.int64)
MIN_OPENING_SIZE[: len(OPENING_PARAMS.min_sizes)] = OPENING_PARAMS.min_sizes
FARTHEST: Final = 100.0  # in sides of triangles; farther than any cell of the board
START_DISTANCE: Final = np.hypot(  # float64[starts, PADDED_CELLS]
    CELL_X[START_CELLS, None] - CELL_X, CELL_Y[START_CELLS, None] - CELL_Y, dtype=np.float64
)


@njit_no_nrt
def _farthest_start(position: Position, colour: int) -> int:
    """Return the start cell, of those open to the colour, that is farthest from all pieces."""
    best, chosen = -1.0, 0
    for start in range(len(START_CELLS)):
        if not position.cell_flags[START_CELLS[start]] & ATTACH << colour:
            continue
        nearest = FARTHEST
        for cell in range(MARGIN, MARGIN + GRID):
            if position.cell_flags[cell] >> OCCUPIED_SHIFT:
                nearest = min(nearest, START_DISTANCE[start, cell])
        if nearest > best:
            best, chosen = nearest, start
    return int(START_CELLS[chosen])


@njit_no_nrt
def _opening_distance(move: int, start: int) -> float:
    """Return how far from the centre a move stays, in triangle sides; FARTHEST if the start stays free."""
    shape, anchor, nearest, index, covers_start = move >> SHAPE_SHIFT, move & ANCHOR_MASK, FARTHEST, 0, False
    while COVERED_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = anchor + COVERED_OFFSETS[shape, index]
        nearest = min(nearest, CENTRE_DISTANCE[cell])
        covers_start = covers_start or cell == start
        index += 1
    return nearest if covers_start else FARTHEST


@njit_no_nrt
def prune_opening_moves(position: Position, colour: int, moves: Int32Array, into: Int32Array) -> int:
    """Write the moves that are worth searching into an array, and return their number, which is never 0.

    Early moves use large pieces. A colour's first move also starts far from all pieces, towards the centre.
    `into` may be the array of the moves itself.
    """
    placed, largest, count = placed_count(position, colour), 0, 0
    for move in moves:
        largest = max(largest, SIZE_OF_SHAPE[move >> SHAPE_SHIFT])
    minimum = min(largest, MIN_OPENING_SIZE[placed])
    for move in moves:
        if SIZE_OF_SHAPE[move >> SHAPE_SHIFT] >= minimum:
            into[count] = move
            count += 1
    if placed:
        return count
    start, nearest, kept = _farthest_start(position, colour), FARTHEST, 0
    for index in range(count):
        nearest = min(nearest, _opening_distance(into[index], start))
    for index in range(count):
        if _opening_distance(into[index], start) <= nearest + OPENING_PARAMS.slack:
            into[kept] = into[index]
            kept += 1
    return kept
