"""Constant tables of the kernels: the padded board, the shapes, and the trie of placements.

A *shape* is a piece in one fixed orientation; there are 155. Cells are numbered as in `board.py`, plus
MARGIN: six rows of forbidden cells lie below and six above the board, and the two empty columns lie between
the rows. No shape that starts on the board can therefore leave the arrays, and no kernel checks bounds.

    MARGIN + GRID ...   six forbidden rows
    MARGIN ...          the board, WIDTH cells per row; odd cells point up, even cells point down
    0 ...               six forbidden rows

A *move* is one integer, `shape << SHAPE_SHIFT | anchor`. The anchor is the lowest cell that the piece covers,
and the tables below give the other cells as offsets from it. Rows of unequal length end with END_OF_OFFSETS.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np

from tripot.games.trigon.board import (
    EDGE_NEIGHBOURS,
    GRID,
    PIECE_NAMES,
    PIECE_SIZES,
    SHAPE_CELLS,
    STARTS,
    VERTEX_NEIGHBOURS,
    WIDTH,
    Cells,
    cells_of,
    connected_order,
    flat_vertex_cells,
    mask_of,
)
from tripot.games.trigon.kernel.dtypes import Int16Array, Int32Array, Int64Array

MARGIN: Final = 6 * WIDTH  # cells below the board; an even number, so that odd cells still point up
PADDED_CELLS: Final = GRID + 2 * MARGIN
SHAPE_SHIFT: Final = 11  # bits of an anchor
ANCHOR_MASK: Final = (1 << SHAPE_SHIFT) - 1
MOVE_BITS: Final = SHAPE_SHIFT + 8  # bits of a move
MAX_MOVES: Final = 1 << 15  # more than the 32,131 placements of the board: no list of moves overflows

PIECE_COUNT: Final = len(PIECE_NAMES)
ALL_PIECES: Final = (1 << PIECE_COUNT) - 1  # bit set: a colour that has placed nothing
MAX_PIECE_SIZE: Final = max(PIECE_SIZES)
START_CELLS: Final = np.array([cell + MARGIN for cell in STARTS], np.int64)

PIECE_OF_SHAPE: Final = np.array([piece for piece, _ in SHAPE_CELLS], np.int64)
SIZE_OF_PIECE: Final = np.array(PIECE_SIZES, np.int64)  # triangles
SIZE_OF_SHAPE: Final = SIZE_OF_PIECE[PIECE_OF_SHAPE]


# --- Cells around a shape -------------------------------------------------------------------------

END_OF_OFFSETS: Final = 30_000  # larger than any offset


def padded_rows(rows: list[list[int]], filler: int) -> Int16Array:
    """Return rows of unequal length as one array; each row ends with at least one `filler`."""
    width = max(map(len, rows)) + 1
    return np.array([row + [filler] * (width - len(row)) for row in rows], np.int16)


def _offsets(cells_around: Callable[[Cells], set[int]]) -> Int16Array:
    """Return for each shape the cells that `cells_around` gives, as offsets from the anchor."""
    return padded_rows(
        [sorted(cell - cells[0] for cell in cells_around(cells)) for _, cells in SHAPE_CELLS], END_OF_OFFSETS
    )


def _edge_cells(cells: Cells) -> set[int]:
    return {neighbour for cell in cells for neighbour in cells_of(EDGE_NEIGHBOURS[cell])} - {*cells}


def _vertex_cells(cells: Cells) -> set[int]:
    touching = {neighbour for cell in cells for neighbour in cells_of(VERTEX_NEIGHBOURS[cell])}
    return touching - {*cells} - _edge_cells(cells)


COVERED_OFFSETS: Final = _offsets(lambda cells: {*cells})
COVERED_OFFSETS_6: Final = np.where(
    COVERED_OFFSETS[:, :MAX_PIECE_SIZE] == END_OF_OFFSETS, 0, COVERED_OFFSETS[:, :MAX_PIECE_SIZE]
).astype(np.int64)
"""The same, always six per shape, for loops without a branch. Smaller pieces repeat the anchor."""
EDGE_OFFSETS: Final = _offsets(_edge_cells)  # cells that share an edge with the shape
VERTEX_OFFSETS: Final = _offsets(_vertex_cells)  # cells that touch the shape at a vertex only
FLAT_OFFSETS: Final = _offsets(lambda cells: {*cells_of(flat_vertex_cells(cells))})  # TR-10


def _neighbour_offsets() -> Int64Array:
    """Return the twelve cells around a cell that points down (row 0) or up (row 1), as offsets."""
    rows = np.zeros((2, 12), np.int64)
    for shape, (_, cells) in enumerate(SHAPE_CELLS):
        if len(cells) == 1:
            rows[cells[0] % 2] = [
                offset
                for table in (EDGE_OFFSETS, VERTEX_OFFSETS)
                for offset in table[shape]
                if offset != END_OF_OFFSETS
            ]
    return rows


NEIGHBOUR_OFFSETS: Final = _neighbour_offsets()


# --- The placement trie ---------------------------------------------------------------------------


class PlacementTrie(NamedTuple):
    """All placements through one cell, as a trie: row 0 for a cell that points down, row 1 for up.

    A node adds one triangle that is adjacent to those of its ancestors, so every node is a placement. Nodes
    are in depth-first order. A walk that skips the subtree of each forbidden triangle meets exactly the
    pieces that fit. All arrays have the shape [2, nodes].

    cell            int32, the triangle that the node adds, as an offset from the cell
    skip            int32, the first node after the subtree
    move            int32, the move of the placement, minus the number of the cell
    piece           int32, its piece
    subtree_pieces  int32, bit set of the pieces of the node and of its subtree
    """

    cell: Int32Array
    skip: Int32Array
    move: Int32Array
    piece: Int32Array
    subtree_pieces: Int32Array


def placements_through(up: int) -> dict[tuple[int, ...], tuple[int, int]]:
    """Return the placements through a cell that points down (0) or up (1).

    The key is the path of triangles, as offsets from the cell, each adjacent to one before it. The value is
    the move, minus the number of the cell, and the piece.
    """
    placements: dict[tuple[int, ...], tuple[int, int]] = {}
    for shape, (piece, cells) in enumerate(SHAPE_CELLS):
        for start in cells:
            if start % 2 == up:
                path = tuple(cell - start for cell in connected_order(cells, start))
                placements[path] = (shape << SHAPE_SHIFT) + cells[0] - start, piece
    return placements


def _trie_rows(up: int) -> Int32Array:
    """Return one row (cell, skip, move, piece, subtree_pieces) per node."""
    placements = placements_through(up)
    paths = sorted(placements)  # a path comes before its extensions, which follow immediately
    rows = []
    for node, path in enumerate(paths):
        subtree = [other for other in paths[node:] if other[: len(path)] == path]
        move, piece = placements[path]
        pieces = mask_of({placements[other][1] for other in subtree})
        rows.append((path[-1], node + len(subtree), move, piece, pieces))
    return np.array(rows, np.int32)


def _placement_trie() -> PlacementTrie:
    columns = np.array([_trie_rows(0), _trie_rows(1)], np.int32).transpose(2, 0, 1)
    return PlacementTrie(*(np.ascontiguousarray(column) for column in columns))


TRIE: Final = _placement_trie()
# Numba compiles module-level arrays into the code, but not those of a tuple.
TRIE_CELL: Final = TRIE.cell
TRIE_SKIP: Final = TRIE.skip
TRIE_MOVE: Final = TRIE.move
TRIE_PIECE: Final = TRIE.piece
TRIE_SUBTREE_PIECES: Final = TRIE.subtree_pieces
TRIE_NODES: Final = TRIE_CELL.shape[1]
