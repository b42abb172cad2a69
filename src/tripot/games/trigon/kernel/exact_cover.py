"""Exact cover (Knuth, "Dancing Links", 2000): cover every cell of a figure once with given pieces.

Algorithm X over arrays: it branches on the cell, or on the piece of which one is left, with the fewest
options, and prunes with sizes of regions and a parity argument. The search stops after a number of steps and
can be continued, so that the caller can look at the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import i64, njit_cached, njit_no_nrt
from tripot.engine.rng import random_below
from tripot.games.trigon.board import GRID, SHAPES, Cells, all_placements, cells_of, edge_neighbours
from tripot.games.trigon.kernel.dtypes import ONE, Int16Array, Int32Array, Int64Array, Uint8Array, Uint64Array
from tripot.games.trigon.kernel.tables import (
    PIECE_COUNT,
    SIZE_OF_PIECE,
    TRIE_NODES,
    padded_rows,
)

FOUND, IMPOSSIBLE, UNDECIDED = 1, 0, -1

PIECE_PARITY: Final = np.array(
    [abs(sum(1 if (row + column) % 2 else -1 for row, column in shapes[0])) for shapes in SHAPES], np.int64
)
"""By piece: how many more of its triangles point one way than the other."""

MAX_COUNTED_SIZE: Final = 64  # bits of a word: larger regions are not checked
PARITY_ZERO: Final = 31  # the bit that stands for a sum of 0


class ExactCover(NamedTuple):
    """A figure to be tiled, and the state of the search. Cells are renumbered from 0.

    A row is a placement in the figure; rows are ordered by piece.

    piece            int16[rows], its piece
    cells            int16[rows, 7], its cells, ended by -1
    cell_row_start   int64[cells + 1], where the rows through a cell start in `cell_rows`
    cell_rows        int32[...], these rows
    piece_row_start  int64[pieces + 1], the first row of each piece
    neighbours       int16[cells, 3], edge neighbours of a cell, or -1
    parity           int64[cells], 1 for a cell that points up, -1 for one that points down

    covered          uint8[cells], 1 if the cell is covered
    stock            int64[pieces], how many of each piece are left
    block_count      int16[rows], reasons why a row cannot be used: covered cells, or no such piece left
    cell_options     int64[cells], usable rows through a cell
    piece_options    int64[pieces], usable rows of a piece
    pool             int32[...], the rows to be tried at each depth, one list after another
    next_entry       int64[depths], the next entry of the pool to be tried at each depth
    end_entry        int64[depths], the end of its list
    row_in_use       int64[depths], the row that is in use
    depth            int64[1], how many rows are in use
    cells_left       int64[1], cells not yet covered
    parity_left      int64[1], sum of their parities
    has_started      int64[1], 1 after the first step
    """

    piece: Int16Array
    cells: Int16Array
    cell_row_start: Int64Array
    cell_rows: Int32Array
    piece_row_start: Int64Array
    neighbours: Int16Array
    parity: Int64Array
    covered: Uint8Array
    stock: Int64Array
    block_count: Int16Array
    cell_options: Int64Array
    piece_options: Int64Array
    pool: Int32Array
    next_entry: Int64Array
    end_entry: Int64Array
    row_in_use: Int64Array
    depth: Int64Array
    cells_left: Int64Array
    parity_left: Int64Array
    has_started: Int64Array


MUTABLE_FIELDS: Final = ExactCover._fields[ExactCover._fields.index("covered") :]


# --- Construction ---------------------------------------------------------------------------------


class OutOfTimeError(Exception):
    """The time is over before a problem has been set up."""


@cache
def _placement_cells() -> Int16Array:
    """Return the board cells of each placement: int16[32131, 7], ended by -1."""
    return padded_rows([list(cells) for cells in all_placements().cells], -1)


def new_exact_cover(
    free: int, stock: tuple[int, ...], should_stop: Callable[[], bool] = lambda: False
) -> tuple[ExactCover, list[Cells]]:
    """Return the problem of tiling a bit set of cells, and the board cells that each row covers.

    `stock` has the number of pieces of each kind. The largest figures take milliseconds, so `should_stop` is
    asked first, and again once the placements are chosen; if it returns True, `OutOfTimeError` is raised.
    """
    if should_stop():
        raise OutOfTimeError
    index_of = {cell: index for index, cell in enumerate(cells_of(free))}
    every = all_placements()
    placement_cells, placement_pieces = _placement_cells(), np.frombuffer(every.pieces, np.uint8)
    cell_index = np.full(GRID + 1, -1, np.int16)  # the last entry is that of the filler -1
    cell_index[[*index_of]] = np.arange(len(index_of), dtype=np.int16)
    is_inside = (cell_index[placement_cells] >= 0) | (placement_cells < 0)
    placements = np.flatnonzero(is_inside.all(axis=1) & (np.array(stock) > 0)[placement_pieces])
    if should_stop():
        raise OutOfTimeError
    rows = cell_index[placement_cells[placements]]
    pieces = placement_pieces[placements].astype(np.int16)
    row_of_entry, column_of_entry = np.nonzero(rows >= 0)
    cell_of_entry = rows[row_of_entry, column_of_entry]
    options = np.bincount(cell_of_entry, minlength=len(index_of)).astype(np.int64)
    parity = np.array([1 if cell % 2 else -1 for cell in index_of], np.int64)
    depths = sum(stock) + 2
    problem = ExactCover(
        piece=pieces,
        cells=rows,
        cell_row_start=np.concatenate([np.zeros(1, np.int64), np.cumsum(options)]),
        cell_rows=row_of_entry[np.argsort(cell_of_entry, kind="stable")].astype(np.int32),
        piece_row_start=np.searchsorted(pieces, np.arange(PIECE_COUNT + 1, dtype=np.int64)).astype(np.int64),
        neighbours=np.array(
            [[index_of.get(near, -1) for near in edge_neighbours(cell)] for cell in index_of], np.int16
        ).reshape(-1, 3),
        parity=parity,
        covered=np.zeros(len(index_of), np.uint8),
        stock=np.array(stock, np.int64),
        block_count=np.zeros(len(rows), np.int16),
        cell_options=options,
        piece_options=np.bincount(pieces, minlength=PIECE_COUNT).astype(np.int64),
        pool=np.zeros(TRIE_NODES * depths, np.int32),
        next_entry=np.zeros(depths, np.int64),
        end_entry=np.zeros(depths, np.int64),
        row_in_use=np.zeros(depths, np.int64),
        depth=np.zeros(1, np.int64),
        cells_left=np.array([len(index_of)], np.int64),
        parity_left=np.array([parity.sum()], np.int64),
        has_started=np.zeros(1, np.int64),
    )
    return problem, [every.cells[placement] for placement in placements.tolist()]


def fresh_copy(problem: ExactCover) -> ExactCover:
    """Return the same problem with its own search state; its search must not have started."""
    return problem._replace(**{name: getattr(problem, name).copy() for name in MUTABLE_FIELDS})


def tiling_rows(problem: ExactCover) -> list[int]:
    """Return the rows in use: after FOUND, they are a tiling."""
    return [int(row) for row in problem.row_in_use[: problem.depth[0]]]


# --- Cover and uncover ----------------------------------------------------------------------------


@njit_no_nrt
def _block(problem: ExactCover, row: int) -> None:
    """Add a reason why a row cannot be used."""
    if problem.block_count[row] == 0:
        problem.piece_options[problem.piece[row]] -= 1
        index = 0
        while problem.cells[row, index] >= 0:
            problem.cell_options[problem.cells[row, index]] -= 1
            index += 1
    problem.block_count[row] += 1


@njit_no_nrt
def _unblock(problem: ExactCover, row: int) -> None:
    """Remove a reason why a row cannot be used."""
    problem.block_count[row] -= 1
    if problem.block_count[row] == 0:
        problem.piece_options[problem.piece[row]] += 1
        index = 0
        while problem.cells[row, index] >= 0:
            problem.cell_options[problem.cells[row, index]] += 1
            index += 1


@njit_no_nrt
def _cover_row(problem: ExactCover, row: int) -> None:
    """Use a row: cover its cells and take its piece from the stock."""
    piece, index = problem.piece[row], 0
    while problem.cells[row, index] >= 0:
        cell = problem.cells[row, index]
        problem.covered[cell] = 1
        problem.parity_left[0] -= problem.parity[cell]
        for entry in range(problem.cell_row_start[cell], problem.cell_row_start[cell + 1]):
            _block(problem, i64(problem.cell_rows[entry]))
        index += 1
    problem.cells_left[0] -= index
    problem.stock[piece] -= 1
    if problem.stock[piece] == 0:
        for other in range(problem.piece_row_start[piece], problem.piece_row_start[piece + 1]):
            _block(problem, other)


@njit_no_nrt
def _uncover_row(problem: ExactCover, row: int) -> None:
    """Undo `_cover_row`."""
    piece, index = problem.piece[row], 0
    if problem.stock[piece] == 0:
        for other in range(problem.piece_row_start[piece], problem.piece_row_start[piece + 1]):
            _unblock(problem, other)
    problem.stock[piece] += 1
    while problem.cells[row, index] >= 0:
        cell = problem.cells[row, index]
        problem.covered[cell] = 0
        problem.parity_left[0] += problem.parity[cell]
        for entry in range(problem.cell_row_start[cell], problem.cell_row_start[cell + 1]):
            _unblock(problem, i64(problem.cell_rows[entry]))
        index += 1
    problem.cells_left[0] += index


# --- Pruning --------------------------------------------------------------------------------------


@njit_no_nrt
def _is_infeasible(problem: ExactCover, queue: Int16Array, seen: Uint8Array) -> bool:
    """Whether the cells left certainly cannot be tiled with the pieces left. The arrays are buffers."""
    return (
        _has_unplaceable_piece(problem)
        or _has_wrong_parity(problem)
        or _has_wrong_region(problem, queue, seen)
    )


@njit_no_nrt
def _has_unplaceable_piece(problem: ExactCover) -> bool:
    """Whether a piece is left that fits nowhere. All pieces have to be used."""
    is_unplaceable = False
    for piece in range(PIECE_COUNT):
        is_unplaceable |= problem.stock[piece] > 0 and problem.piece_options[piece] == 0
    return is_unplaceable


@njit_no_nrt
def _has_wrong_parity(problem: ExactCover) -> bool:
    """Whether the parity of the cells left is no sum of the parities of the pieces left, each with a sign."""
    largest, sums = 0, ONE << np.uint64(PARITY_ZERO)  # a set of sums, as bits
    for piece in range(PIECE_COUNT):
        parity = PIECE_PARITY[piece]
        largest += problem.stock[piece] * parity
        for _ in range(problem.stock[piece]):
            sums = sums << np.uint64(parity) | sums >> np.uint64(parity)
    needed = problem.parity_left[0]
    if abs(needed) > largest:
        return True
    return bool(largest < PARITY_ZERO and not sums >> np.uint64(PARITY_ZERO + needed) & ONE)


@njit_no_nrt
def _has_wrong_region(problem: ExactCover, queue: Int16Array, seen: Uint8Array) -> bool:
    """Whether the size of a connected region of the cells left is no sum of sizes of the pieces left."""
    sums = ONE  # a set of sums below MAX_COUNTED_SIZE, as bits
    for piece in range(PIECE_COUNT):
        for _ in range(problem.stock[piece]):
            sums |= sums << np.uint64(SIZE_OF_PIECE[piece])
    for cell in range(len(seen)):
        seen[cell] = problem.covered[cell]
    for start in range(len(seen)):
        if seen[start]:
            continue
        seen[start] = 1
        queue[0] = start
        size, begin = 1, 0
        while begin < size:
            for index in range(3):
                neighbour = problem.neighbours[queue[begin], index]
                if neighbour >= 0 and not seen[neighbour]:
                    seen[neighbour] = 1
                    queue[size] = neighbour
                    size += 1
            begin += 1
        if size == problem.cells_left[0]:
            break
        if size < MAX_COUNTED_SIZE and not sums >> np.uint64(size) & ONE:
            return True
    return False


# --- Search ---------------------------------------------------------------------------------------


@njit_no_nrt
def _list_branches(problem: ExactCover, rng: Uint64Array) -> None:
    """List the rows to be tried: those of the cell, or of the single piece, with the fewest options.

    Large pieces come first, roughly and in random order: small ones are easier to place at the end.
    """
    depth, fewest, best_cell, best_piece = problem.depth[0], 1 << 30, -1, -1
    for cell in range(len(problem.cell_options)):
        if not problem.covered[cell] and problem.cell_options[cell] < fewest:
            fewest, best_cell = problem.cell_options[cell], cell
    for piece in range(PIECE_COUNT):
        if problem.stock[piece] == 1 and problem.piece_options[piece] < fewest:
            fewest, best_piece = problem.piece_options[piece], piece
    begin = problem.end_entry[depth - 1] if depth else 0
    end = begin
    if best_piece >= 0:
        for row in range(problem.piece_row_start[best_piece], problem.piece_row_start[best_piece + 1]):
            if problem.block_count[row] == 0:
                problem.pool[end] = row
                end += 1
    else:
        first, last = problem.cell_row_start[best_cell], problem.cell_row_start[best_cell + 1] - 1
        for entry in range(last, first - 1, -1):  # rows are ordered by piece, the large ones last
            row = problem.cell_rows[entry]
            if problem.block_count[row] == 0:
                problem.pool[end] = row
                end += 1
    for index in range(begin, end):
        other = min(end - 1, index + random_below(rng, 1 + (end - begin) // 4))
        problem.pool[index], problem.pool[other] = problem.pool[other], problem.pool[index]
    problem.next_entry[depth], problem.end_entry[depth] = begin, end


@njit_cached
def search_steps(problem: ExactCover, steps: int, rng: Uint64Array) -> int:
    """Continue the search for some steps. `rng` is the state of a generator, uint64[1] (`engine.rng`).

    FOUND: the rows in use are a tiling (`tiling_rows`). IMPOSSIBLE: all branches were tried, there is none.
    UNDECIDED: call again, or start again with other random numbers.
    """
    queue = np.empty(len(problem.covered), np.int16)
    seen = np.empty(len(problem.covered), np.uint8)
    next_entry, end_entry = problem.next_entry, problem.end_entry
    if not problem.has_started[0]:
        problem.has_started[0] = 1
        if problem.cells_left[0] == 0:
            return FOUND
        if _is_infeasible(problem, queue, seen):
            return IMPOSSIBLE
        _list_branches(problem, rng)
    for _ in range(steps):
        depth = problem.depth[0]
        if next_entry[depth] == end_entry[depth]:
            if depth == 0:
                return IMPOSSIBLE
            problem.depth[0] -= 1
            _uncover_row(problem, problem.row_in_use[depth - 1])
            continue
        row = i64(problem.pool[next_entry[depth]])
        next_entry[depth] += 1
        _cover_row(problem, row)
        problem.row_in_use[depth] = row
        if problem.cells_left[0] == 0:
            problem.depth[0] += 1
            return FOUND
        if _is_infeasible(problem, queue, seen):
            _uncover_row(problem, row)
            continue
        problem.depth[0] += 1
        _list_branches(problem, rng)
    return UNDECIDED
