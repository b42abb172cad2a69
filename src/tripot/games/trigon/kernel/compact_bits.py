"""The places that are left once they are few, numbered one after the other, compiled by Numba.

From the middle of a game on, a colour has some hundred or thousand places to which it may still come. They
get a bit each, colour by colour, those with the lowest cells first: so all places through a cell are in a few
words beside each other, which the processor does at once, where `placement_bits` has a hundred here and
there.

A piece that is laid is only noted. What it took from a colour is found out when that colour is to move, and
not at all where nobody asks: on the way down a tree, or for a colour that is out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trigon.board import GRID, SHAPE_CELLS
from tripot.games.trigon.kernel.placement_bits import (
    ONE,
    WORD_BITS,
    WORDS_PER_CELL_PAIR,
    PlacementBits,
    Words,
    copy_placement_bits,
    has_placement,
    init_placement_bits,
    list_moves,
    move_of_bit,
    place_piece_bits,
)
from tripot.games.trigon.kernel.position import (
    ALL_PIECES,
    ANCHOR_MASK,
    ATTACH_COUNT,
    BLOCKED,
    CORNERS_ONLY,
    COVERED_OFFSETS,
    COVERED_OFFSETS_6,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
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
    place_piece,
    u64,
)

MAX_WORDS: Final = 1000  # from some 13 pieces on; with more it takes longer to number them than it saves
MAX_CELL_WORDS: Final = 80  # words with places through a cell: with more they are not few
SIMD_WORDS: Final = 16  # words that a loop does at a time: what is left over takes it longer
MAX_PIECE_SIZE: Final = int(SIZE_OF_PIECE.max())
WORD_CAPACITY: Final = MAX_WORDS + MAX_CELL_WORDS  # the span of a cell may end after the last word

# The rows of `CompactBits.counters`: columns are colours.
PENDING_COUNT, ATTACH_APPLIED, PIECES_APPLIED = range(3)


def _masks_around() -> Int64Array:
    """The cells around an even or an odd one, as offsets: all that touch the single triangle."""
    rows = np.zeros((2, 12), np.int64)
    for shape, (_, cells) in enumerate(SHAPE_CELLS):
        if len(cells) == 1:
            rows[cells[0] % 2] = [
                each
                for table in (EDGE_OFFSETS, VERTEX_OFFSETS)
                for each in table[shape]
                if each != END_OF_OFFSETS
            ]
    return rows


NEIGHBOUR_OFFSETS: Final = _masks_around()


class CompactBits(NamedTuple):
    """Numbered places; a word has 64 of them.

    word_count  how many words there are, none if the places are not few
    colour_start  by colour: its first word; and where the last colour ends
    cell_first_word  by colour and cell: the first word with places through it, and `cell_word_count`: how
                     many words from there
             on are in `cell_masks`, the places themselves
    piece_masks  by piece: the places of it, and `size_masks`: by size
    move     by number: the place as a move
    fits     the places whose cells are all open to their colour, which still has the piece
    meets    the places that cover a cell to which their colour attaches; those in both are its moves
    local_counts  by number: how hot the cells are that the place covers, see `playout`; nothing in between
    pending_cells  by colour: cells that were closed to it and are WAITING: `fits` still has places through
                   them
    counters  by colour: how many cells are WAITING, how many to which it attaches are JOINED in `attached`,
              and
             the STOCK of pieces of which `fits` has places
    """

    word_count: Int64Array
    colour_start: Int64Array
    cell_first_word: NDArray[np.uint16]
    cell_word_count: NDArray[np.uint16]
    cell_masks: Words
    piece_masks: Words
    size_masks: Words
    move: NDArray[np.int32]
    fits: Words
    meets: Words
    local_counts: NDArray[np.int8]
    pending_cells: NDArray[np.int16]
    counters: Int64Array


class AvailableMoves(NamedTuple):
    """What is left to the colours: as numbered places if they are few, as places if not."""

    bits: PlacementBits
    compact: CompactBits


@njit_cached
def new_compact_bits() -> CompactBits:
    """Room for numbered places."""
    return CompactBits(
        np.zeros(1, np.int64),
        np.zeros(5, np.int64),
        np.zeros((4, PADDED_CELLS), np.uint16),
        np.zeros((4, PADDED_CELLS), np.uint16),
        np.zeros((4, PADDED_CELLS, MAX_CELL_WORDS), np.uint64),
        np.zeros((len(SIZE_OF_PIECE), WORD_CAPACITY), np.uint64),
        np.zeros((MAX_PIECE_SIZE + 1, WORD_CAPACITY), np.uint64),
        np.zeros(WORD_CAPACITY * WORD_BITS, np.int32),
        np.zeros(WORD_CAPACITY, np.uint64),
        np.zeros(WORD_CAPACITY, np.uint64),
        np.zeros(WORD_CAPACITY * WORD_BITS, np.int8),
        np.zeros((4, PADDED_CELLS), np.int16),
        np.zeros((3, 4), np.int64),
    )


@njit_cached
def clone_mutable(few: CompactBits) -> CompactBits:
    """The same numbers, with room to go on from there."""
    return CompactBits(
        few.word_count,
        few.colour_start,
        few.cell_first_word,
        few.cell_word_count,
        few.cell_masks,
        few.piece_masks,
        few.size_masks,
        few.move,
        few.fits.copy(),
        few.meets.copy(),
        few.local_counts.copy(),
        few.pending_cells.copy(),
        few.counters.copy(),
    )


@njit_no_nrt
def _reachable_cells(position: Position, colour: int, seen: NDArray[np.bool_], queue: Int64Array) -> None:
    """All cells to which a colour may come, piece by piece: from where it attaches over cells open to it."""
    closed, end = FORBIDDEN << colour, 0
    for cell in range(PADDED_CELLS):
        seen[cell] = 0
    for index in range(position.counters[ATTACH_COUNT, colour]):
        cell = int(position.attach_cells[colour, index])
        if not position.cell_flags[cell] & closed and not seen[cell]:
            seen[cell], queue[end] = 1, cell
            end += 1
    at = 0
    while at < end:
        cell = queue[at]
        at += 1
        for offset in NEIGHBOUR_OFFSETS[cell & 1]:
            other = cell + offset
            if not position.cell_flags[other] & closed and not seen[other]:
                seen[other], queue[end] = 1, other
                end += 1


@njit_no_nrt
def _index_placements(
    places: PlacementBits, few: CompactBits, colour: int, seen: NDArray[np.bool_], last: Int64Array
) -> bool:
    """Number all places to which a colour may come; False if they are too many."""
    number, first, widest = few.colour_start[colour] * WORD_BITS, few.cell_first_word[colour], 0
    first[:], last[:] = WORD_CAPACITY, 0
    for word in range(MARGIN // 2 * WORDS_PER_CELL_PAIR, (MARGIN + GRID) // 2 * WORDS_PER_CELL_PAIR):
        found = places.unblocked[colour, word] & places.pieces_left[colour, word % WORDS_PER_CELL_PAIR]
        while found:
            bit = trailing_zeros(found)
            found &= found - ONE
            move = move_of_bit(word, bit)
            if not seen[move & ANCHOR_MASK]:
                continue
            at, one = number // WORD_BITS, ONE << u64(number % WORD_BITS)
            if at >= MAX_WORDS:
                return False
            if not number % WORD_BITS:
                _clear_word(few, at)
            piece = PIECE_OF_SHAPE[move >> SHAPE_SHIFT]
            few.move[number] = move
            few.piece_masks[piece, at] |= one
            few.size_masks[SIZE_OF_PIECE[piece], at] |= one
            few.fits[at] |= one
            if places.attached[colour, word] >> u64(bit) & ONE:
                few.meets[at] |= one
            for index in range(MAX_PIECE_SIZE):
                cell = (move & ANCHOR_MASK) + COVERED_OFFSETS_6[move >> SHAPE_SHIFT, index]
                first[cell], last[cell] = min(first[cell], at), max(last[cell], at)
            number += 1
    few.colour_start[colour + 1] = (number + WORD_BITS - 1) // WORD_BITS
    for cell in range(PADDED_CELLS):
        first[cell] = min(first[cell], last[cell])  # no place at all may go through it
        widest = max(widest, last[cell] - np.int64(first[cell]) + 1)
    for cell in range(
        PADDED_CELLS
    ):  # in full steps, or all alike: loops of unlike length are hard to foresee
        words = last[cell] - np.int64(first[cell]) + 1
        few.cell_word_count[colour, cell] = words + -words % (
            SIMD_WORDS if widest > SIMD_WORDS // 2 else widest
        )
    return bool(widest <= MAX_CELL_WORDS)


@njit_no_nrt
def _clear_word(few: CompactBits, word: int) -> None:
    """Begin a word."""
    few.fits[word] = few.meets[word] = 0
    for piece in range(len(SIZE_OF_PIECE)):
        few.piece_masks[piece, word] = 0
    for size in range(MAX_PIECE_SIZE + 1):
        few.size_masks[size, word] = 0


@njit_no_nrt
def _fill_cell_masks(few: CompactBits, colour: int) -> None:
    """Note the places of a colour with the cells that they go through."""
    for word in range(few.colour_start[colour], few.colour_start[colour + 1]):
        found = few.fits[word]
        while found:
            bit = trailing_zeros(found)
            found &= found - ONE
            move = few.move[word * WORD_BITS + bit]
            for index in range(MAX_PIECE_SIZE):
                cell = (move & ANCHOR_MASK) + COVERED_OFFSETS_6[move >> SHAPE_SHIFT, index]
                few.cell_masks[colour, cell, word - np.int64(few.cell_first_word[colour, cell])] |= (
                    ONE << u64(bit)
                )


@njit_cached
def build_compact_bits(position: Position, places: PlacementBits, few: CompactBits) -> None:
    """Number the places that are left if all colours have begun, and the places are few."""
    seen, queue, last = (
        np.zeros(PADDED_CELLS, np.bool_),
        np.zeros(PADDED_CELLS, np.int64),
        np.zeros(PADDED_CELLS, np.int64),
    )
    playing = position.status[IN_PLAY] & ~position.status[BLOCKED]
    few.word_count[0] = 0
    for colour in range(4):
        few.colour_start[colour + 1] = few.colour_start[colour]
        if playing >> colour & 1:
            if position.counters[PIECES_LEFT, colour] == ALL_PIECES or position.status[CORNERS_ONLY]:
                return
            _reachable_cells(position, colour, seen, queue)
            if not _index_placements(places, few, colour, seen, last):
                return
        few.counters[PENDING_COUNT, colour] = 0
        few.counters[ATTACH_APPLIED, colour] = position.counters[ATTACH_COUNT, colour]
        few.counters[PIECES_APPLIED, colour] = position.counters[PIECES_LEFT, colour]
    few.cell_masks[:] = 0
    for colour in range(4):
        _fill_cell_masks(few, colour)
    few.word_count[0] = few.colour_start[4]


def init_available_moves(position: Position, left: AvailableMoves) -> None:
    """Find all that is left in a position from nothing."""
    init_placement_bits(position, left.bits)
    build_compact_bits(position, left.bits, left.compact)


# --- Playing with what is left ----------------------------------------------------------------------


@njit_no_nrt
def restore_available_moves(position: Position, source: AvailableMoves, target: AvailableMoves) -> None:
    """Make what is left equal to what was left in a position."""
    if not source.compact.word_count[0]:
        copy_placement_bits(position, source.bits, target.bits)
        return
    for word in range(source.compact.word_count[0]):
        target.compact.fits[u64(word)] = source.compact.fits[u64(word)]
        target.compact.meets[u64(word)] = source.compact.meets[u64(word)]
    for row in range(len(source.compact.counters)):
        for colour in range(4):
            target.compact.counters[row, colour] = source.compact.counters[row, colour]


@njit_no_nrt
def play_move(position: Position, left: AvailableMoves, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, and less is left."""
    if left.compact.word_count[0]:
        _queue_forbidden_cells(position, left.compact, colour, move)
        place_piece(position, colour, move)
    else:
        place_piece_bits(position, left.bits, colour, move)


@njit_no_nrt
def _queue_forbidden_cells(position: Position, few: CompactBits, colour: int, move: int) -> None:
    """Note which cells a move is about to close, and to whom.

    Nothing is asked of a cell: it is written down, and counts if it was open.
    """
    marks, closed, waiting = position.cell_flags, few.pending_cells, few.counters[PENDING_COUNT]
    shape, lowest = u64(move >> SHAPE_SHIFT), move & ANCHOR_MASK
    covers, aside, index = COVERED_OFFSETS[shape], EDGE_OFFSETS[shape], 0
    a, b, c, d = waiting[0], waiting[1], waiting[2], waiting[3]
    while covers[u64(index)] != END_OF_OFFSETS:
        cell = lowest + covers[u64(index)]
        mark = int(marks[u64(cell)])
        closed[0, u64(a)] = closed[1, u64(b)] = closed[2, u64(c)] = closed[3, u64(d)] = cell
        a, b, c, d = a + (~mark & 1), b + (~mark >> 1 & 1), c + (~mark >> 2 & 1), d + (~mark >> 3 & 1)
        index += 1
    waiting[0], waiting[1], waiting[2], waiting[3] = a, b, c, d
    number, index = waiting[colour], 0
    while aside[u64(index)] != END_OF_OFFSETS:
        cell = lowest + aside[u64(index)]
        closed[colour, u64(number)] = cell
        number += ~int(marks[u64(cell)]) >> colour & 1
        index += 1
    waiting[colour] = number


@njit_no_nrt
def apply_pending(position: Position, few: CompactBits, colour: int) -> bool:
    """Find out which moves a colour has, those in `fits` and `attached`; whether there are any."""
    fits, meets, closed, tally = few.fits, few.meets, few.pending_cells[colour], few.counters
    first, span, through = few.cell_first_word[colour], few.cell_word_count[colour], few.cell_masks[colour]
    for index in range(tally[PENDING_COUNT, colour]):
        cell = u64(closed[u64(index)])
        begin, row = u64(first[cell]), through[cell]
        for word in range(span[cell]):
            fits[begin + u64(word)] &= ~row[u64(word)]
    tally[PENDING_COUNT, colour] = 0
    used = tally[PIECES_APPLIED, colour] & ~position.counters[PIECES_LEFT, colour]
    while used:
        row = few.piece_masks[u64(trailing_zeros(u64(used)))]
        for word in range(few.colour_start[colour], few.colour_start[colour + 1]):
            fits[u64(word)] &= ~row[u64(word)]
        used &= used - 1
    tally[PIECES_APPLIED, colour] = position.counters[PIECES_LEFT, colour]
    for index in range(tally[ATTACH_APPLIED, colour], position.counters[ATTACH_COUNT, colour]):
        cell = u64(position.attach_cells[colour, u64(index)])
        begin, row = u64(first[cell]), through[cell]
        for word in range(span[cell]):
            meets[begin + u64(word)] |= row[u64(word)]
    tally[ATTACH_APPLIED, colour] = position.counters[ATTACH_COUNT, colour]
    moves = u64(0)
    for word in range(few.colour_start[colour], few.colour_start[colour + 1]):
        moves |= fits[u64(word)] & meets[u64(word)]
    return bool(moves != 0)


@njit_no_nrt
def has_moves(position: Position, left: AvailableMoves, colour: int) -> bool:
    """Whether a colour may play anything."""
    if left.compact.word_count[0]:
        return apply_pending(position, left.compact, colour)
    return has_placement(left.bits, colour)


@njit_no_nrt
def list_available_moves(
    position: Position, left: AvailableMoves, colour: int, into: NDArray[np.int32]
) -> int:
    """The legal moves of a colour; how many."""
    few, number = left.compact, 0
    if not few.word_count[0]:
        return list_moves(left.bits, colour, into)
    apply_pending(position, few, colour)
    for word in range(few.colour_start[colour], few.colour_start[colour + 1]):
        found = few.fits[u64(word)] & few.meets[u64(word)]
        while found:
            into[u64(number)] = few.move[u64(word * WORD_BITS + trailing_zeros(found))]
            found &= found - ONE
            number += 1
    return number
