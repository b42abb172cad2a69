"""The places that are left to each colour, as bits, compiled by Numba.

Two cells beside each other, an even one and the odd one after it, share three words: a bit for each shape
that has its lowest cell there, large pieces first. A piece that is laid takes some places from all colours
and some from its own, which gains others. Those are masks for a few words around it, the same ones wherever
it lies: so a move is played, and all moves after it are known, in some hundred steps without any question.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trigon.board import GRID, SHAPE_CELLS
from tripot.games.trigon.kernel.position import (
    ALL_PIECES,
    ANCHOR_MASK,
    ATTACH,
    ATTACH_COUNT,
    BLOCKED,
    CORNERS_ONLY,
    COVERED_OFFSETS,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    FLAT_OFFSETS,
    FORBIDDEN,
    IN_PLAY,
    MARGIN,
    PADDED_CELLS,
    PIECE_OF_SHAPE,
    PIECES_LEFT,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
    VERTEX_OFFSETS,
    Int64Array,
    Position,
    add_start_cells,
    covered_flags,
    flat_contact,
    place_piece,
    u64,
)

Words = NDArray[np.uint64]

WORDS_PER_CELL_PAIR: Final = 3  # of words: two for an even cell, one for the odd cell after it
WORD_BITS: Final = 64
WORD_COUNT: Final = PADDED_CELLS // 2 * WORDS_PER_CELL_PAIR


# --- Tables ---------------------------------------------------------------------------------------


def _assign_bits() -> tuple[Any, ...]:
    """The kind of word and the bit of each shape, and the move of each bit, less the even cell of the two."""
    kind, bit = np.zeros(len(SHAPE_CELLS), np.int64), np.zeros(len(SHAPE_CELLS), np.int64)
    moves = np.zeros((WORDS_PER_CELL_PAIR, WORD_BITS), np.int64)
    for odd in range(2):
        same = [shape for shape, (_, cells) in enumerate(SHAPE_CELLS) if cells[0] % 2 == odd]
        same.sort(key=lambda shape: -SIZE_OF_PIECE[PIECE_OF_SHAPE[shape]])
        for at, shape in enumerate(same):
            kind[shape], bit[shape] = 2 * odd + at // WORD_BITS, at % WORD_BITS
            moves[kind[shape], bit[shape]] = (shape << SHAPE_SHIFT) + odd
    return kind, bit, moves


WORD_OF_SHAPE, BIT_OF_SHAPE, MOVE_OF_BIT = _assign_bits()
ONE: Final = np.uint64(1)


def _of_pieces() -> Words:
    """By piece and kind of word: the bits of its shapes."""
    masks = np.zeros((len(SIZE_OF_PIECE), WORDS_PER_CELL_PAIR), np.uint64)
    for shape, piece in enumerate(PIECE_OF_SHAPE):
        masks[piece, WORD_OF_SHAPE[shape]] |= ONE << np.uint64(BIT_OF_SHAPE[shape])
    return masks


PIECE_BITS: Final = _of_pieces()
SIZE_BITS: Final = np.array(
    [np.bitwise_or.reduce(PIECE_BITS[size == SIZE_OF_PIECE]) for size in range(SIZE_OF_PIECE.max() + 1)]
)
ALL_BITS: Final = np.bitwise_or.reduce(PIECE_BITS)

REFERENCE_CELL: Final = PADDED_CELLS // 4 * 2  # an even cell, far from the ends of the arrays
REFERENCE_WORD: Final = REFERENCE_CELL // 2 * WORDS_PER_CELL_PAIR


def _offsets_of(table: NDArray[np.int16], shape: int) -> list[int]:
    return [int(offset) for offset in table[shape] if offset != END_OF_OFFSETS]


def _placements_at(table: NDArray[np.int16]) -> Words:
    """All places that have to do, as a table says, with the cell in the centre or the one after it."""
    found = np.zeros((2, WORD_COUNT), np.uint64)
    for shape, (_, cells) in enumerate(SHAPE_CELLS):
        for offset in _offsets_of(table, shape):
            odd = (cells[0] + offset) % 2
            lowest = REFERENCE_CELL + odd - offset
            found[odd, lowest // 2 * WORDS_PER_CELL_PAIR + WORD_OF_SHAPE[shape]] |= ONE << np.uint64(
                BIT_OF_SHAPE[shape]
            )
    return found


def _to_csr(found: Words) -> tuple[Any, ...]:
    """The words that are not empty: where each row begins, their numbers from HOME on, and the masks."""
    rows, words = np.nonzero(found)
    begin = np.searchsorted(rows, np.arange(len(found) + 1))
    return begin.astype(np.int64), (words - REFERENCE_WORD).astype(np.int64), found[rows, words]


def _masks_around(*pairs: tuple[NDArray[np.int16], Words]) -> Words:
    """By shape: all places that go through the cells near it."""
    found = np.zeros((len(SHAPE_CELLS), WORD_COUNT), np.uint64)
    for table, through in pairs:
        for shape, (_, cells) in enumerate(SHAPE_CELLS):
            for offset in _offsets_of(table, shape):
                cell = cells[0] % 2 + offset
                found[shape] |= np.roll(through[cell % 2], cell // 2 * WORDS_PER_CELL_PAIR)
    return found


_COVERING: Final = _placements_at(COVERED_OFFSETS)
# Through a cell, even or odd.
COVERING_START, COVERING_WORD, COVERING_MASK = _to_csr(_COVERING)
# What a shape leaves to all, to its own colour alone, and to that where only corners may touch (TR-10), and
# what its colour gains.
BLOCK_ALL_START, BLOCK_ALL_WORD, BLOCK_ALL_MASK = _to_csr(_masks_around((COVERED_OFFSETS, _COVERING)))
BLOCK_OWN_START, BLOCK_OWN_WORD, OWN = _to_csr(_masks_around((EDGE_OFFSETS, _COVERING)))
BLOCK_FLAT_START, BLOCK_FLAT_WORD, BLOCK_FLAT_MASK = _to_csr(
    _masks_around((FLAT_OFFSETS, _COVERING), (COVERED_OFFSETS, _placements_at(FLAT_OFFSETS)))
)
NEW_ATTACH_START, NEW_ATTACH_WORD, NEW_ATTACH_MASK = _to_csr(_masks_around((VERTEX_OFFSETS, _COVERING)))
NEW_ATTACH_SLOT: Final = NEW_ATTACH_WORD % WORDS_PER_CELL_PAIR
BLOCK_ALL_MASK, OWN, BLOCK_FLAT_MASK = ~BLOCK_ALL_MASK, ~OWN, ~BLOCK_FLAT_MASK


# --- Places ---------------------------------------------------------------------------------------


class PlacementBits(NamedTuple):
    """What is left. Rows are colours.

    unblocked  places whose cells are all open to the colour
    attached  places that cover a cell to which it attaches; of those that do not fit only some
    active_words  the words of `attached` that are not empty, so many as `active_count` says, in no order
    pieces_left  by kind of word: the shapes of the pieces still to place
    legal_words  room for the moves of a colour, word by word as in `active_words`
    """

    unblocked: Words
    attached: Words
    active_words: NDArray[np.uint16]
    active_count: Int64Array
    pieces_left: Words
    legal_words: Words


@njit_cached
def new_placement_bits() -> PlacementBits:
    """Nothing is left to anybody."""
    return PlacementBits(
        np.zeros((4, WORD_COUNT), np.uint64),
        np.zeros((4, WORD_COUNT), np.uint64),
        np.zeros((4, WORD_COUNT), np.uint16),
        np.zeros(4, np.int64),
        np.zeros((4, WORDS_PER_CELL_PAIR), np.uint64),
        np.zeros(WORD_COUNT, np.uint64),
    )


@njit_no_nrt
def move_of_bit(word: int, bit: int) -> int:
    """The move that a bit stands for."""
    return int(MOVE_OF_BIT[u64(word) % u64(WORDS_PER_CELL_PAIR), u64(bit)]) + int(
        u64(word) // u64(WORDS_PER_CELL_PAIR) * u64(2)
    )


@njit_no_nrt
def _clear_attached(places: PlacementBits, colour: int) -> None:
    """A colour attaches to nothing."""
    for index in range(places.active_count[colour]):
        places.attached[colour, u64(places.active_words[colour, u64(index)])] = 0
    places.active_count[colour] = 0


@njit_no_nrt
def _add_attached(places: PlacementBits, colour: int, word: int, mask: np.uint64, number: int) -> int:
    """A colour attaches to cells that more places cover: those that fit count; how many words there are."""
    at = u64(word)
    before, more = places.attached[colour, at], mask & places.unblocked[colour, at]
    places.attached[colour, at] = before | more
    places.active_words[colour, u64(number)] = word
    return int(number + ((before == 0) & (more != 0)))  # not asked: the processor could only guess the answer


@njit_no_nrt
def init_placement_bits(position: Position, places: PlacementBits) -> None:
    """Find all places of a position from nothing."""
    only_corners = position.status[CORNERS_ONLY]
    for colour in range(4):
        _clear_attached(places, colour)
        places.unblocked[colour] = 0
        for kind in range(WORDS_PER_CELL_PAIR):
            places.pieces_left[colour, kind] = 0
            for piece in range(len(SIZE_OF_PIECE)):
                if position.counters[PIECES_LEFT, colour] >> piece & 1:
                    places.pieces_left[colour, kind] |= PIECE_BITS[piece, kind]
        for word in range(MARGIN // 2 * WORDS_PER_CELL_PAIR, (MARGIN + GRID) // 2 * WORDS_PER_CELL_PAIR):
            shapes = ALL_BITS[word % WORDS_PER_CELL_PAIR]
            while shapes:
                bit = trailing_zeros(shapes)
                shapes &= shapes - ONE
                move = move_of_bit(word, bit)
                marked = covered_flags(position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK)
                if marked & FORBIDDEN << colour or (only_corners and flat_contact(position, colour, move)):
                    continue
                places.unblocked[colour, word] |= ONE << np.uint64(bit)
                if marked & ATTACH << colour and position.counters[PIECES_LEFT, colour] != ALL_PIECES:
                    number = places.active_count[colour]
                    places.active_count[colour] = _add_attached(
                        places, colour, word, ONE << np.uint64(bit), number
                    )


@njit_no_nrt
def copy_placement_bits(position: Position, source: PlacementBits, target: PlacementBits) -> None:
    """Make places equal to others, but for colours that are out."""
    playing = position.status[IN_PLAY] & ~position.status[BLOCKED]
    for colour in range(4):
        for kind in range(WORDS_PER_CELL_PAIR):
            target.pieces_left[colour, kind] = source.pieces_left[colour, kind]
        _clear_attached(target, colour)
        if not playing >> colour & 1:
            continue
        fits, to = source.unblocked[colour], target.unblocked[colour]
        for word in range(MARGIN // 2 * WORDS_PER_CELL_PAIR, (MARGIN + GRID) // 2 * WORDS_PER_CELL_PAIR):
            to[u64(word)] = fits[u64(word)]
        target.active_count[colour] = source.active_count[colour]
        for index in range(source.active_count[colour]):
            word = source.active_words[colour, u64(index)]
            target.active_words[colour, u64(index)] = word
            target.attached[colour, u64(word)] = source.attached[colour, u64(word)]


@njit_no_nrt
def place_piece_bits(position: Position, places: PlacementBits, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, and others are left."""
    if position.counters[PIECES_LEFT, colour] == ALL_PIECES:
        _clear_attached(places, colour)
    place_piece(position, colour, move)
    shape, home = move >> SHAPE_SHIFT, (move & ANCHOR_MASK) // 2 * WORDS_PER_CELL_PAIR
    a, b, c, d = places.unblocked[0], places.unblocked[1], places.unblocked[2], places.unblocked[3]
    for index in range(BLOCK_ALL_START[u64(shape)], BLOCK_ALL_START[u64(shape + 1)]):
        word, mask = u64(home + BLOCK_ALL_WORD[u64(index)]), BLOCK_ALL_MASK[u64(index)]
        a[word] &= mask
        b[word] &= mask
        c[word] &= mask
        d[word] &= mask
    fits = places.unblocked[colour]
    for index in range(BLOCK_OWN_START[u64(shape)], BLOCK_OWN_START[u64(shape + 1)]):
        fits[u64(home + BLOCK_OWN_WORD[u64(index)])] &= OWN[u64(index)]
    if position.status[CORNERS_ONLY]:
        for index in range(BLOCK_FLAT_START[shape], BLOCK_FLAT_START[shape + 1]):
            fits[u64(home + BLOCK_FLAT_WORD[u64(index)])] &= BLOCK_FLAT_MASK[u64(index)]
    for kind in range(WORDS_PER_CELL_PAIR):
        places.pieces_left[colour, kind] &= ~PIECE_BITS[PIECE_OF_SHAPE[u64(shape)], kind]
    number, left = places.active_count[colour], places.pieces_left[colour]
    for index in range(NEW_ATTACH_START[u64(shape)], NEW_ATTACH_START[u64(shape + 1)]):
        mask = NEW_ATTACH_MASK[u64(index)] & left[u64(NEW_ATTACH_SLOT[u64(index)])]
        number = _add_attached(places, colour, home + NEW_ATTACH_WORD[u64(index)], mask, number)
    places.active_count[colour] = number


@njit_no_nrt
def attach_start_placements(position: Position, places: PlacementBits, colour: int) -> None:
    """TR-2, TR-7, TR-8: before its first piece, a colour attaches to the starts that it may cover."""
    add_start_cells(position, colour)
    _clear_attached(places, colour)
    for at in range(position.counters[ATTACH_COUNT, colour]):
        cell = int(position.attach_cells[colour, at])
        for index in range(COVERING_START[cell & 1], COVERING_START[(cell & 1) + 1]):
            word = cell // 2 * WORDS_PER_CELL_PAIR + COVERING_WORD[index]
            places.active_count[colour] = _add_attached(
                places, colour, word, COVERING_MASK[index], places.active_count[colour]
            )


@njit_no_nrt
def legal_in_word(places: PlacementBits, colour: int, word: int) -> np.uint64:
    """The moves of a colour in a word."""
    at = u64(word)
    left = places.pieces_left[colour, at % u64(WORDS_PER_CELL_PAIR)]
    found: np.uint64 = places.unblocked[colour, at] & places.attached[colour, at] & left
    return found


@njit_no_nrt
def has_placement(places: PlacementBits, colour: int) -> bool:
    """Whether a colour has a move."""
    for index in range(places.active_count[colour]):
        if legal_in_word(places, colour, places.active_words[colour, u64(index)]):
            return True
    return False


@njit_no_nrt
def collect_legal_words(places: PlacementBits, colour: int) -> int:
    """Find all moves of a colour, and forget the words without any; how many words have some."""
    words, kept = places.active_words[colour], 0
    for index in range(places.active_count[colour]):
        word = words[u64(index)]
        found = legal_in_word(places, colour, word)
        places.legal_words[u64(kept)], words[u64(kept)] = found, word
        if found:
            kept += 1
        else:
            places.attached[colour, u64(word)] = 0
    places.active_count[colour] = kept
    return kept


@njit_no_nrt
def list_moves(places: PlacementBits, colour: int, into: NDArray[np.int32]) -> int:
    """The legal moves of a colour; how many."""
    number = 0
    for index in range(collect_legal_words(places, colour)):
        found, word = places.legal_words[u64(index)], places.active_words[colour, u64(index)]
        while found:
            into[u64(number)] = move_of_bit(word, trailing_zeros(found))
            found &= found - ONE
            number += 1
    return number
