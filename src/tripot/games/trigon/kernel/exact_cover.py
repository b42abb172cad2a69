"""The exact search for a tiling, compiled by Numba: cover every cell of a figure once with given pieces.

It chooses the cell, or the piece, with the fewest ways left, tries them, and takes back what cannot
work. Between calls it rests where it stopped, so that its caller can look at the clock.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.trigon.board import PIECE_NAMES, SHAPES, Cells, all_placements, cells_of, edge_neighbours
from tripot.games.trigon.kernel.position import (
    SIZE_OF_PIECE,
    TRIE_NODES,
    Int16Array,
    Int64Array,
    xorshift64_below,
)

FOUND, IMPOSSIBLE, UNDECIDED = 1, 0, -1
PIECE_PARITY: Final = np.array(  # by piece: how many more of its triangles point one way than the other
    [abs(sum(1 if (row + column) % 2 else -1 for row, column in shapes[0])) for shapes in SHAPES], np.int64
)


class ExactCover(NamedTuple):
    """A figure to be tiled, and the search for a tiling. Cells are numbered anew, from 0.

    Rows are the places in the figure, by piece. `block_count` counts for each row the reasons why it cannot
    be used now: its cells that are covered, and its piece if none is left. `cell_options` counts for each
    cell the rows through it that can be used, and `piece_options` those of each piece.

    piece     the piece of a row
    cells     its cells, ended by -1
    cell_row_start  where the rows through a cell begin in `cell_rows`
    cell_rows  these rows
    piece_row_start  the first row of each piece
    neighbours  the cells next to a cell, or -1
    parity  1 for a cell that points up, -1 for one that points down
    covered   whether a cell is covered
    stock     how many of each piece are left
    pool      the rows to be tried at each depth, one after another
    stack     by depth: the next entry of the pool to be tried, the end of its part, the row in use
    counters  the depth, the cells left, their tilt, and whether the search has begun
    """

    piece: Int16Array
    cells: Int16Array
    cell_row_start: Int64Array
    cell_rows: NDArray[np.int32]
    piece_row_start: Int64Array
    neighbours: Int16Array
    parity: Int64Array
    covered: NDArray[np.uint8]
    stock: Int64Array
    block_count: Int16Array
    cell_options: Int64Array
    piece_options: Int64Array
    pool: NDArray[np.int32]
    stack: Int64Array
    counters: Int64Array


DEPTH, CELLS_LEFT, TILT_LEFT, BEGUN = range(4)  # in `counters`
NEXT, END, ROW = range(3)  # in a row of `stack`


def new_exact_cover(free: int, stock: tuple[int, ...]) -> tuple[ExactCover, list[Cells]]:
    """The search for a tiling of some cells, and the cells of the board that each row covers."""
    numbers = {cell: number for number, cell in enumerate(cells_of(free))}
    every = all_placements()
    rows = [
        place for place, mask in enumerate(every.masks) if mask & free == mask and stock[every.pieces[place]]
    ]
    cells = [every.cells[place] for place in rows]
    pieces = [every.pieces[place] for place in rows]
    through: list[list[int]] = [[] for _ in numbers]
    for row, covers in enumerate(cells):
        for cell in covers:
            through[numbers[cell]].append(row)
    sizes = [len(each) for each in through]
    return (
        ExactCover(
            np.array(pieces, np.int16),
            np.array(
                [[numbers[c] for c in each] + [-1] * (7 - len(each)) for each in cells], np.int16
            ).reshape(-1, 7),
            np.cumsum([0, *sizes]),
            np.array([row for each in through for row in each], np.int32),
            np.array(
                [sum(each < piece for each in pieces) for piece in range(len(PIECE_NAMES) + 1)], np.int64
            ),
            np.array(
                [[numbers.get(each, -1) for each in edge_neighbours(cell)] for cell in numbers], np.int16
            ),
            np.array([1 if cell % 2 else -1 for cell in numbers], np.int64),
            np.zeros(len(numbers), np.uint8),
            np.array(stock, np.int64),
            np.zeros(len(rows), np.int16),
            np.array(sizes, np.int64),
            np.array([pieces.count(piece) for piece in range(len(PIECE_NAMES))], np.int64),
            np.zeros(TRIE_NODES * (sum(stock) + 1), np.int32),
            np.zeros((sum(stock) + 2, 3), np.int64),
            np.array([0, len(numbers), sum(1 if cell % 2 else -1 for cell in numbers), 0], np.int64),
        ),
        cells,
    )


def fresh_copy(problem: ExactCover) -> ExactCover:
    """The same problem, to be searched on its own; it must not have been begun."""
    changing = (
        "covered",
        "stock",
        "block_count",
        "cell_options",
        "piece_options",
        "pool",
        "stack",
        "counters",
    )
    return problem._replace(**{name: getattr(problem, name).copy() for name in changing})


@njit_cached
def _block(search: ExactCover, row: int) -> None:
    """One more reason not to use a row."""
    if search.block_count[row] == 0:
        search.piece_options[search.piece[row]] -= 1
        index = 0
        while search.cells[row, index] >= 0:
            search.cell_options[search.cells[row, index]] -= 1
            index += 1
    search.block_count[row] += 1


@njit_cached
def _unblock(search: ExactCover, row: int) -> None:
    """One reason less."""
    search.block_count[row] -= 1
    if search.block_count[row] == 0:
        search.piece_options[search.piece[row]] += 1
        index = 0
        while search.cells[row, index] >= 0:
            search.cell_options[search.cells[row, index]] += 1
            index += 1


@njit_cached
def _cover_row(search: ExactCover, row: int) -> None:
    """Use a row."""
    piece = search.piece[row]
    index = 0
    while search.cells[row, index] >= 0:
        cell = search.cells[row, index]
        search.covered[cell] = 1
        search.counters[TILT_LEFT] -= search.parity[cell]
        for at in range(search.cell_row_start[cell], search.cell_row_start[cell + 1]):
            _block(search, search.cell_rows[at])
        index += 1
    search.counters[CELLS_LEFT] -= index
    search.stock[piece] -= 1
    if search.stock[piece] == 0:
        for each in range(search.piece_row_start[piece], search.piece_row_start[piece + 1]):
            _block(search, each)


@njit_cached
def _uncover_row(search: ExactCover, row: int) -> None:
    """Take a row back."""
    piece = search.piece[row]
    if search.stock[piece] == 0:
        for each in range(search.piece_row_start[piece], search.piece_row_start[piece + 1]):
            _unblock(search, each)
    search.stock[piece] += 1
    index = 0
    while search.cells[row, index] >= 0:
        cell = search.cells[row, index]
        search.covered[cell] = 0
        search.counters[TILT_LEFT] += search.parity[cell]
        for at in range(search.cell_row_start[cell], search.cell_row_start[cell + 1]):
            _unblock(search, search.cell_rows[at])
        index += 1
    search.counters[CELLS_LEFT] += index


@njit_cached
def _is_infeasible(search: ExactCover, heap: Int16Array, seen: NDArray[np.uint8]) -> bool:
    """Whether it is plain that the cells left cannot be tiled with the pieces left.

    Each region needs a size that some of the pieces add up to, and the tilt of all cells left, those
    that point up less those that point down, has to be the sum of the pieces' tilts, each with a sign.
    """
    most = 0
    tilts = np.uint64(1) << np.uint64(31)  # a bit for each sum, zero in the middle
    sums = np.uint64(1)  # a bit for each sum of sizes below 64
    for piece in range(len(SIZE_OF_PIECE)):
        left = search.stock[piece]
        if left and search.piece_options[piece] == 0:
            return True
        most += left * PIECE_PARITY[piece]
        for _ in range(left):
            sums |= sums << np.uint64(SIZE_OF_PIECE[piece])
            tilts = tilts << np.uint64(PIECE_PARITY[piece]) | tilts >> np.uint64(PIECE_PARITY[piece])
    tilt = search.counters[TILT_LEFT]
    if abs(tilt) > most or (most < 31 and not tilts >> np.uint64(31 + tilt) & np.uint64(1)):
        return True
    seen[:] = search.covered
    for start in range(len(seen)):
        if seen[start]:
            continue
        seen[start] = 1
        heap[0] = start
        size, done = 1, 0
        while done < size:
            for index in range(3):
                cell = search.neighbours[heap[done], index]
                if cell >= 0 and not seen[cell]:
                    seen[cell] = 1
                    heap[size] = cell
                    size += 1
            done += 1
        if size == search.counters[CELLS_LEFT]:
            break
        if size < 64 and not sums >> np.uint64(size) & np.uint64(1):
            return True
    return False


@njit_cached
def _list_branches(search: ExactCover, random: NDArray[np.uint64]) -> None:
    """List the rows to be tried at this depth: those of the cell, or the single piece, with the fewest.

    Large pieces come first, in random order: the small ones are easier to place at the end.
    """
    depth, fewest, column = search.counters[DEPTH], 1 << 30, -1
    for cell in range(len(search.cell_options)):
        if not search.covered[cell] and search.cell_options[cell] < fewest:
            fewest, column = search.cell_options[cell], cell
    only = -1
    for piece in range(len(SIZE_OF_PIECE)):
        if search.stock[piece] == 1 and search.piece_options[piece] < fewest:
            fewest, only = search.piece_options[piece], piece
    begin = search.stack[depth - 1, END] if depth else 0
    end = begin
    if only >= 0:
        for row in range(search.piece_row_start[only], search.piece_row_start[only + 1]):
            if search.block_count[row] == 0:
                search.pool[end] = row
                end += 1
    else:
        for at in range(
            search.cell_row_start[column + 1] - 1, search.cell_row_start[column] - 1, -1
        ):  # rows are by piece
            row = search.cell_rows[at]
            if search.block_count[row] == 0:
                search.pool[end] = row
                end += 1
    for index in range(begin, end):  # change places with one a few further
        other = min(end - 1, index + xorshift64_below(random, 1 + (end - begin) // 4))
        search.pool[index], search.pool[other] = search.pool[other], search.pool[index]
    search.stack[depth, NEXT], search.stack[depth, END] = begin, end


@njit_cached
def search_steps(problem: ExactCover, steps: int, random: NDArray[np.uint64]) -> int:
    """Look for a tiling, from where the last call stopped, for so many steps more.

    FOUND: the rows in use up to the depth are one. IMPOSSIBLE: there is none, every way was tried.
    UNDECIDED: call again, or begin anew with other random numbers.
    """
    tally, stack = problem.counters, problem.stack
    heap = np.empty(len(problem.covered), np.int16)
    seen = np.empty(len(problem.covered), np.uint8)
    if not tally[BEGUN]:
        tally[BEGUN] = 1
        if tally[CELLS_LEFT] == 0:
            return FOUND
        if _is_infeasible(problem, heap, seen):
            return IMPOSSIBLE
        _list_branches(problem, random)
    for _ in range(steps):
        depth = tally[DEPTH]
        if stack[depth, NEXT] == stack[depth, END]:
            if depth == 0:
                return IMPOSSIBLE
            tally[DEPTH] -= 1
            _uncover_row(problem, stack[depth - 1, ROW])
            continue
        row = problem.pool[stack[depth, NEXT]]
        stack[depth, NEXT] += 1
        _cover_row(problem, row)
        stack[depth, ROW] = row
        if tally[CELLS_LEFT] == 0:
            tally[DEPTH] += 1
            return FOUND
        if _is_infeasible(problem, heap, seen):
            _uncover_row(problem, row)
            continue
        tally[DEPTH] += 1
        _list_branches(problem, random)
    return UNDECIDED
