"""Constant tables of `placement_bits`: the bit of each placement, and the masks that a placed piece applies.

Two neighbouring cells, an even one and the odd one after it, share three 64-bit words with one bit per shape
that has its anchor there. The effect of a piece on the placements around it is the same wherever it is
placed. It is therefore stored once per shape, as masks for the words around the word of its anchor.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.games.trigon.board import SHAPE_CELLS
from tripot.games.trigon.kernel.dtypes import ONE, Int16Array, Int64Array, Uint64Array
from tripot.games.trigon.kernel.tables import (
    COVERED_OFFSETS,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    FLAT_OFFSETS,
    PADDED_CELLS,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
    VERTEX_OFFSETS,
)

WORDS_PER_CELL_PAIR: Final = 3  # two for the even cell, one for the odd cell
WORD_BITS: Final = 64
WORD_COUNT: Final = PADDED_CELLS // 2 * WORDS_PER_CELL_PAIR

REFERENCE_CELL: Final = PADDED_CELLS // 4 * 2  # an even cell in the middle of the board, for building masks
REFERENCE_WORD: Final = REFERENCE_CELL // 2 * WORDS_PER_CELL_PAIR


# --- One bit per placement ------------------------------------------------------------------------


class BitLayout(NamedTuple):
    """The bit of each shape within the three words of a pair of cells. Larger pieces have lower bits.

    word   int64[shapes], the word of a shape, 0 to 2
    bit    int64[shapes], its bit in that word
    move   int64[3, 64], the move of a bit, minus the number of the even cell
    """

    word: Int64Array
    bit: Int64Array
    move: Int64Array


def _assign_bits() -> BitLayout:
    layout = BitLayout(
        word=np.zeros(len(SHAPE_CELLS), np.int64),
        bit=np.zeros(len(SHAPE_CELLS), np.int64),
        move=np.zeros((WORDS_PER_CELL_PAIR, WORD_BITS), np.int64),
    )
    for odd in range(2):
        shapes = [shape for shape, (_, cells) in enumerate(SHAPE_CELLS) if cells[0] % 2 == odd]
        shapes.sort(key=lambda shape: -SIZE_OF_PIECE[PIECE_OF_SHAPE[shape]])
        for index, shape in enumerate(shapes):
            word, bit = 2 * odd + index // WORD_BITS, index % WORD_BITS
            layout.word[shape], layout.bit[shape] = word, bit
            layout.move[word, bit] = (shape << SHAPE_SHIFT) + odd
    return layout


_LAYOUT: Final = _assign_bits()
WORD_OF_SHAPE: Final = _LAYOUT.word
BIT_OF_SHAPE: Final = _LAYOUT.bit
MOVE_OF_BIT: Final = _LAYOUT.move


def _piece_bits() -> Uint64Array:
    """Return uint64[pieces, 3]: the bits of a piece's shapes."""
    masks = np.zeros((len(SIZE_OF_PIECE), WORDS_PER_CELL_PAIR), np.uint64)
    for shape, piece in enumerate(PIECE_OF_SHAPE):
        masks[piece, WORD_OF_SHAPE[shape]] |= ONE << np.uint64(BIT_OF_SHAPE[shape])
    return masks


PIECE_BITS: Final = _piece_bits()
SIZE_BITS: Final = np.array(  # uint64[7, 3], by size in triangles
    [np.bitwise_or.reduce(PIECE_BITS[size == SIZE_OF_PIECE]) for size in range(SIZE_OF_PIECE.max() + 1)],
    np.uint64,
)
ALL_BITS: Final = np.bitwise_or.reduce(PIECE_BITS)  # uint64[3]


# --- Masks around a placed piece ------------------------------------------------------------------


class SparseMasks(NamedTuple):
    """Masks in compressed sparse row (CSR) form. Row r has the entries `start[r]` to `start[r + 1] - 1`.

    start  int64[rows + 1]
    word   int64[entries], index of the word, relative to the word of the anchor's pair of cells
    mask   uint64[entries]
    """

    start: Int64Array
    word: Int64Array
    mask: Uint64Array


def _to_csr(masks: Uint64Array) -> SparseMasks:
    """Return the nonzero words of masks that were built around REFERENCE_CELL."""
    rows, words = np.nonzero(masks)
    start = np.searchsorted(rows, np.arange(len(masks) + 1, dtype=np.int64))
    return SparseMasks(start.astype(np.int64), (words - REFERENCE_WORD).astype(np.int64), masks[rows, words])


def _offsets_of(table: Int16Array, shape: int) -> list[int]:
    return [int(offset) for offset in table[shape] if offset != END_OF_OFFSETS]


def _placements_at(table: Int16Array) -> Uint64Array:
    """Return uint64[2, WORD_COUNT]: placements that have the reference cell, or the next, in the table."""
    masks = np.zeros((2, WORD_COUNT), np.uint64)
    for shape, (_, cells) in enumerate(SHAPE_CELLS):
        for offset in _offsets_of(table, shape):
            odd = (cells[0] + offset) % 2
            anchor = REFERENCE_CELL + odd - offset
            word = anchor // 2 * WORDS_PER_CELL_PAIR + WORD_OF_SHAPE[shape]
            masks[odd, word] |= ONE << np.uint64(BIT_OF_SHAPE[shape])
    return masks


def _masks_around(*pairs: tuple[Int16Array, Uint64Array]) -> Uint64Array:
    """Return uint64[shapes, WORD_COUNT]: for each pair, the placements at the cells that a table gives."""
    masks = np.zeros((len(SHAPE_CELLS), WORD_COUNT), np.uint64)
    for table, placements in pairs:
        for shape, (_, cells) in enumerate(SHAPE_CELLS):
            for offset in _offsets_of(table, shape):
                cell = cells[0] % 2 + offset
                masks[shape] |= np.roll(placements[cell % 2], cell // 2 * WORDS_PER_CELL_PAIR)
    return masks


_COVERING_BITS: Final = _placements_at(COVERED_OFFSETS)
_COVERING: Final = _to_csr(_COVERING_BITS)
_BLOCK_ALL: Final = _to_csr(_masks_around((COVERED_OFFSETS, _COVERING_BITS)))
_BLOCK_OWN: Final = _to_csr(_masks_around((EDGE_OFFSETS, _COVERING_BITS)))
_BLOCK_FLAT: Final = _to_csr(
    _masks_around((FLAT_OFFSETS, _COVERING_BITS), (COVERED_OFFSETS, _placements_at(FLAT_OFFSETS)))
)
_NEW_ATTACH: Final = _to_csr(_masks_around((VERTEX_OFFSETS, _COVERING_BITS)))

# Placements that cover a cell; row 0 for even cells, row 1 for odd cells.
COVERING_START, COVERING_WORD, COVERING_MASK = _COVERING
# By shape: placements that stay possible for all colours after it was placed, and for its own colour, ...
BLOCK_ALL_START, BLOCK_ALL_WORD, BLOCK_ALL_MASK = _BLOCK_ALL._replace(mask=~_BLOCK_ALL.mask)
BLOCK_OWN_START, BLOCK_OWN_WORD, BLOCK_OWN_MASK = _BLOCK_OWN._replace(mask=~_BLOCK_OWN.mask)
# ... and for its own colour where pieces may touch at corners only (TR-10).
BLOCK_FLAT_START, BLOCK_FLAT_WORD, BLOCK_FLAT_MASK = _BLOCK_FLAT._replace(mask=~_BLOCK_FLAT.mask)
# By shape: placements that it makes reachable for its own colour, and the word of each entry modulo 3.
NEW_ATTACH_START, NEW_ATTACH_WORD, NEW_ATTACH_MASK = _NEW_ATTACH
NEW_ATTACH_SLOT: Final = NEW_ATTACH_WORD % WORDS_PER_CELL_PAIR
