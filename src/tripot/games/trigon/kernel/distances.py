"""Distance maps: how many steps over open cells each colour is away from each cell."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.board import GRID, WIDTH
from tripot.games.trigon.kernel.dtypes import (
    Float64Array,
    Int8Array,
    Int16Array,
    Int64Array,
    Uint8Array,
    u64,
)
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    FORBIDDEN,
    Position,
    add_start_cells,
    cannot_move,
)
from tripot.games.trigon.kernel.tables import ALL_PIECES, MARGIN, PADDED_CELLS

UNREACHABLE: Final = 100  # a distance larger than any that occurs
MAX_DISTANCE: Final = 12  # steps; beyond the length of two pieces, distances say little. Chosen, not tuned
CELL_FEATURES: Final = 6
STOCK_FEATURES: Final = 14


def by_distance(buckets: tuple[int, ...]) -> Int64Array:
    """Return int64[UNREACHABLE + 1]: the bucket of each distance; the last one has all that are larger."""
    table = np.full(UNREACHABLE + 1, buckets[-1], np.int64)
    table[: len(buckets)] = buckets
    return table


class CellWorkspace(NamedTuple):
    """Buffers for one position at a time; each thread has its own.

    cells           int16[GRID], the cells to look at: all, or see `restrict_to_open_cells`
    cell_count      int64[1], how many they are
    distances       uint8[4, PADDED_CELLS], by colour and cell: steps, from 1, or UNREACHABLE
    queue           int16[PADDED_CELLS], of the breadth-first search
    features        int8[PADDED_CELLS, CELL_FEATURES], bucket of each cell feature (`features`)
    cover_weight    float64[PADDED_CELLS], logit for covering a cell
    attach_weight   float64[PADDED_CELLS], logit for making it an attach cell
    edge_weight     float64[PADDED_CELLS], logit for lying next to it
    value_rows      int16[4, GRID], by colour: rows of the value table (`value`)
    stock_features  float64[4, STOCK_FEATURES], by colour: features of its pieces (`value`)
    """

    cells: Int16Array
    cell_count: Int64Array
    distances: Uint8Array
    queue: Int16Array
    features: Int8Array
    cover_weight: Float64Array
    attach_weight: Float64Array
    edge_weight: Float64Array
    value_rows: Int16Array
    stock_features: Float64Array


@njit_cached
def new_cell_workspace() -> CellWorkspace:
    """Return buffers that look at all cells."""
    return CellWorkspace(
        np.arange(MARGIN, MARGIN + GRID, dtype=np.int16),
        np.full(1, GRID, np.int64),
        np.full((4, PADDED_CELLS), UNREACHABLE, np.uint8),
        np.zeros(PADDED_CELLS, np.int16),
        np.zeros((PADDED_CELLS, CELL_FEATURES), np.int8),
        np.zeros(PADDED_CELLS, np.float64),
        np.zeros(PADDED_CELLS, np.float64),
        np.zeros(PADDED_CELLS, np.float64),
        np.zeros((4, GRID), np.int16),
        np.zeros((4, STOCK_FEATURES), np.float64),
    )


@njit_inline
def row_step(cell: int) -> int:
    """Return the step to the edge neighbour in another row; the other two neighbours are -1 and +1 away."""
    return -WIDTH if cell & 1 else WIDTH


@njit_no_nrt
def restrict_to_open_cells(position: Position, workspace: CellWorkspace) -> None:
    """Look only at cells that are open to a colour or next to such a cell, from this position on.

    The other cells can never be covered again, and every feature of them is constant.
    """
    count = 0
    for cell in range(MARGIN, MARGIN + GRID):
        forbidden = int(position.cell_flags[cell])
        for step in (-1, 1, row_step(cell)):
            forbidden &= int(position.cell_flags[cell + step])
        if forbidden & ALL_COLOURS != ALL_COLOURS:
            workspace.cells[count] = cell
            count += 1
    workspace.cell_count[0] = count
    workspace.cover_weight[:], workspace.attach_weight[:], workspace.edge_weight[:] = 0.0, 0.0, 0.0


@njit_no_nrt
def compute_distances(position: Position, colour: int, workspace: CellWorkspace) -> int:
    """Compute the distances of a colour by breadth-first search, and return how many cells it reaches.

    Attach cells are one step away. A colour that cannot move any more reaches nothing.
    """
    cell_flags, distances, queue = position.cell_flags, workspace.distances[colour], workspace.queue
    distances[MARGIN : MARGIN + GRID] = UNREACHABLE
    if cannot_move(position) >> colour & 1 or not position.pieces_left[colour]:
        return 0
    if position.pieces_left[colour] == ALL_PIECES:
        add_start_cells(position, colour)
    end, forbidden = 0, FORBIDDEN << colour
    for index in range(position.attach_count[colour]):
        cell = position.attach_cells[colour, index]
        if not cell_flags[cell] & forbidden:
            distances[cell] = 1
            queue[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = int(queue[u64(begin)])
        begin += 1
        distance = distances[u64(cell)] + 1
        if distance > MAX_DISTANCE:
            break
        for step in (-1, 1, row_step(cell)):
            neighbour = u64(cell + step)
            if distances[neighbour] == UNREACHABLE and not cell_flags[neighbour] & forbidden:
                distances[neighbour] = distance
                queue[u64(end)] = cell + step
                end += 1
    return end
