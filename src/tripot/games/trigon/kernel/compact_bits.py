"""Legal placements renumbered densely and updated lazily, once few placements remain.

From the middle of a game on, only some hundred to some thousand placements are still reachable. Each gets an
index, colour by colour, in the order of the anchors. All placements through one cell then lie in a few
adjacent words, which SIMD instructions process together; `placement_bits` spreads them over about a hundred
words.

Playing a move only queues the cells that it forbids. The queue of a colour is applied when the colour is to
move, and never on the way down the tree or for a colour that is blocked.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.kernel.dtypes import (
    ONE,
    BoolArray,
    Int8Array,
    Int16Array,
    Int32Array,
    Int64Array,
    Uint16Array,
    Uint64Array,
    u64,
)
from tripot.games.trigon.kernel.params import COMPACT_BITS_PARAMS
from tripot.games.trigon.kernel.placement_bits import END_WORD, FIRST_WORD, PlacementBits, move_of_bit
from tripot.games.trigon.kernel.placement_masks import WORD_BITS, WORDS_PER_CELL_PAIR
from tripot.games.trigon.kernel.position import FORBIDDEN, Position
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    ANCHOR_MASK,
    COVERED_OFFSETS,
    COVERED_OFFSETS_6,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    MAX_PIECE_SIZE,
    NEIGHBOUR_OFFSETS,
    PADDED_CELLS,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
)

MAX_WORDS: Final = COMPACT_BITS_PARAMS.max_words
MAX_CELL_WORDS: Final = COMPACT_BITS_PARAMS.max_cell_words
SIMD_WORDS: Final = 16  # loops over a multiple of this many words have no scalar remainder
WORD_CAPACITY: Final = MAX_WORDS + MAX_CELL_WORDS  # the rounded span of a cell may end after the last word


class CompactBits(NamedTuple):
    """Renumbered placements, 64 per word. Index i is bit i % 64 of word i // 64.

    word_count       int64[1], words in use; 0 if there are too many placements to renumber
    colour_start     int64[5], by colour: its first word; the last entry is the end of the last colour
    cell_first_word  uint16[4, PADDED_CELLS], by colour and cell: first word with placements through the cell
    cell_word_count  uint16[4, PADDED_CELLS], number of words from there on, rounded up: see `_set_cell_spans`
    cell_masks       uint64[4, PADDED_CELLS, MAX_CELL_WORDS], the placements through the cell in those words
    piece_masks      uint64[pieces, WORD_CAPACITY], the placements of a piece
    size_masks       uint64[7, WORD_CAPACITY], the placements of all pieces of a size in triangles
    move             int32[WORD_CAPACITY * 64], the move of an index
    unblocked        uint64[WORD_CAPACITY], placements of pieces not yet placed whose cells are all open
    attached         uint64[WORD_CAPACITY], placements that cover an attach cell; legal = unblocked & attached
    local_counts     int8[WORD_CAPACITY * 64], buffer of `local_moves`; all 0 between two choices
    pending_cells    int16[4, PADDED_CELLS], by colour: cells forbidden since `unblocked` was last updated
    pending_count    int64[4], by colour: how many they are
    attach_applied   int64[4], by colour: how many of its attach cells `attached` takes into account
    pieces_applied   int64[4], by colour: bit set of pieces that `unblocked` takes to be not yet placed
    """

    word_count: Int64Array
    colour_start: Int64Array
    cell_first_word: Uint16Array
    cell_word_count: Uint16Array
    cell_masks: Uint64Array
    piece_masks: Uint64Array
    size_masks: Uint64Array
    move: Int32Array
    unblocked: Uint64Array
    attached: Uint64Array
    local_counts: Int8Array
    pending_cells: Int16Array
    pending_count: Int64Array
    attach_applied: Int64Array
    pieces_applied: Int64Array


@njit_cached
def new_compact_bits() -> CompactBits:
    """Return empty arrays, not in use."""
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
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
    )


@njit_cached
def clone_mutable(compact: CompactBits) -> CompactBits:
    """Return a copy of the arrays that playing changes; the numbering itself is shared."""
    return CompactBits(
        compact.word_count,
        compact.colour_start,
        compact.cell_first_word,
        compact.cell_word_count,
        compact.cell_masks,
        compact.piece_masks,
        compact.size_masks,
        compact.move,
        compact.unblocked.copy(),
        compact.attached.copy(),
        compact.local_counts.copy(),
        compact.pending_cells.copy(),
        compact.pending_count.copy(),
        compact.attach_applied.copy(),
        compact.pieces_applied.copy(),
    )


# --- Numbering ------------------------------------------------------------------------------------


@njit_cached
def build_compact_bits(position: Position, bits: PlacementBits, compact: CompactBits) -> None:
    """Number the reachable placements, if all colours have begun and there are few enough.

    Otherwise `word_count` is 0. Corner contact (TR-10) is not supported: it depends on more than the cells
    that a placement covers.
    """
    reachable, queue = np.zeros(PADDED_CELLS, np.bool_), np.zeros(PADDED_CELLS, np.int64)
    last_word = np.zeros(PADDED_CELLS, np.int64)
    playing = position.in_play[0] & ~position.blocked[0]
    compact.word_count[0] = 0
    for colour in range(4):
        compact.colour_start[colour + 1] = compact.colour_start[colour]
        if playing >> colour & 1:
            if position.pieces_left[colour] == ALL_PIECES or position.corners_only[0]:
                return
            _find_reachable_cells(position, colour, reachable, queue)
            if not _assign_indices(bits, compact, colour, reachable, last_word):
                return
            if not _set_cell_spans(compact, colour, last_word):
                return
        compact.pending_count[colour] = 0
        compact.attach_applied[colour] = position.attach_count[colour]
        compact.pieces_applied[colour] = position.pieces_left[colour]
    compact.cell_masks[:] = 0
    for colour in range(4):
        _fill_cell_masks(compact, colour)
    compact.word_count[0] = compact.colour_start[4]


@njit_no_nrt
def _find_reachable_cells(position: Position, colour: int, reachable: BoolArray, queue: Int64Array) -> None:
    """Mark the cells that a colour may still cover: breadth-first search from its attach cells."""
    forbidden, end = FORBIDDEN << colour, 0
    for cell in range(PADDED_CELLS):
        reachable[cell] = 0
    for index in range(position.attach_count[colour]):
        cell = int(position.attach_cells[colour, index])
        if not position.cell_flags[cell] & forbidden and not reachable[cell]:
            reachable[cell], queue[end] = 1, cell
            end += 1
    begin = 0
    while begin < end:
        cell = queue[begin]
        begin += 1
        for offset in NEIGHBOUR_OFFSETS[cell & 1]:
            neighbour = cell + offset
            if not position.cell_flags[neighbour] & forbidden and not reachable[neighbour]:
                reachable[neighbour], queue[end] = 1, neighbour
                end += 1


@njit_no_nrt
def _assign_indices(
    bits: PlacementBits, compact: CompactBits, colour: int, reachable: BoolArray, last_word: Int64Array
) -> bool:
    """Give every reachable placement of a colour an index; False if there are too many.

    Also notes the first and the last word with placements through each cell.
    """
    number, first_word = compact.colour_start[colour] * WORD_BITS, compact.cell_first_word[colour]
    first_word[:], last_word[:] = WORD_CAPACITY, 0
    for bits_word in range(FIRST_WORD, END_WORD):
        candidates = bits.unblocked[colour, bits_word]
        candidates &= bits.pieces_left[colour, bits_word % WORDS_PER_CELL_PAIR]
        while candidates:
            bit = trailing_zeros(candidates)
            candidates &= candidates - ONE
            move = move_of_bit(bits_word, bit)
            if not reachable[move & ANCHOR_MASK]:
                continue
            word = number // WORD_BITS
            if word >= MAX_WORDS:
                return False
            is_attached = bits.attached[colour, bits_word] >> u64(bit) & ONE
            _add_placement(compact, number, move, is_attached != 0)
            for index in range(MAX_PIECE_SIZE):
                cell = (move & ANCHOR_MASK) + COVERED_OFFSETS_6[move >> SHAPE_SHIFT, index]
                first_word[cell], last_word[cell] = min(first_word[cell], word), max(last_word[cell], word)
            number += 1
    compact.colour_start[colour + 1] = (number + WORD_BITS - 1) // WORD_BITS
    return True


@njit_no_nrt
def _add_placement(compact: CompactBits, number: int, move: int, is_attached: bool) -> None:
    """Store the placement with this index."""
    word, mask, piece = (
        number // WORD_BITS,
        ONE << u64(number % WORD_BITS),
        PIECE_OF_SHAPE[move >> SHAPE_SHIFT],
    )
    if not number % WORD_BITS:
        _clear_word(compact, word)
    compact.move[number] = move
    compact.piece_masks[piece, word] |= mask
    compact.size_masks[SIZE_OF_PIECE[piece], word] |= mask
    compact.unblocked[word] |= mask
    if is_attached:
        compact.attached[word] |= mask


@njit_no_nrt
def _clear_word(compact: CompactBits, word: int) -> None:
    """Remove all placements of a word."""
    compact.unblocked[word] = compact.attached[word] = 0
    for piece in range(len(SIZE_OF_PIECE)):
        compact.piece_masks[piece, word] = 0
    for size in range(MAX_PIECE_SIZE + 1):
        compact.size_masks[size, word] = 0


@njit_no_nrt
def _set_cell_spans(compact: CompactBits, colour: int, last_word: Int64Array) -> bool:
    """Set how many words each cell spans; False if a cell spans too many.

    Spans are rounded up, to full SIMD steps or all to the same length. Loops of varying length are
    mispredicted at almost every cell, which costs more than the additional words.
    """
    first_word, widest = compact.cell_first_word[colour], 0
    for cell in range(PADDED_CELLS):
        first_word[cell] = min(first_word[cell], last_word[cell])  # a cell without placements
        widest = max(widest, last_word[cell] - np.int64(first_word[cell]) + 1)
    step = SIMD_WORDS if widest > SIMD_WORDS // 2 else widest
    for cell in range(PADDED_CELLS):
        words = last_word[cell] - np.int64(first_word[cell]) + 1
        compact.cell_word_count[colour, cell] = words + -words % step
    return bool(widest <= MAX_CELL_WORDS)


@njit_no_nrt
def _fill_cell_masks(compact: CompactBits, colour: int) -> None:
    """Set the masks of the placements through each cell."""
    for word in range(compact.colour_start[colour], compact.colour_start[colour + 1]):
        placements = compact.unblocked[word]
        while placements:
            bit = trailing_zeros(placements)
            placements &= placements - ONE
            move = compact.move[word * WORD_BITS + bit]
            for index in range(MAX_PIECE_SIZE):
                cell = (move & ANCHOR_MASK) + COVERED_OFFSETS_6[move >> SHAPE_SHIFT, index]
                cell_word = word - np.int64(compact.cell_first_word[colour, cell])
                compact.cell_masks[colour, cell, cell_word] |= ONE << u64(bit)


# --- Lazy updates ---------------------------------------------------------------------------------


@njit_inline
def queue_forbidden_cells(position: Position, compact: CompactBits, colour: int, move: int) -> None:
    """Queue the cells that a move is about to forbid, for each colour to which they are open.

    There is no branch: a cell is always written, and counts only if it was open.
    """
    cell_flags, pending, counts = position.cell_flags, compact.pending_cells, compact.pending_count
    shape, anchor = u64(move >> SHAPE_SHIFT), move & ANCHOR_MASK
    covered, edges, index = COVERED_OFFSETS[shape], EDGE_OFFSETS[shape], 0
    a, b, c, d = counts[0], counts[1], counts[2], counts[3]
    while covered[u64(index)] != END_OF_OFFSETS:
        cell = anchor + covered[u64(index)]
        flags = int(cell_flags[u64(cell)])
        pending[0, u64(a)] = pending[1, u64(b)] = pending[2, u64(c)] = pending[3, u64(d)] = cell
        a, b, c, d = a + (~flags & 1), b + (~flags >> 1 & 1), c + (~flags >> 2 & 1), d + (~flags >> 3 & 1)
        index += 1
    counts[0], counts[1], counts[2], counts[3] = a, b, c, d
    count, index = counts[colour], 0
    while edges[u64(index)] != END_OF_OFFSETS:
        cell = anchor + edges[u64(index)]
        pending[colour, u64(count)] = cell
        count += ~int(cell_flags[u64(cell)]) >> colour & 1
        index += 1
    counts[colour] = count


@njit_inline
def apply_pending(position: Position, compact: CompactBits, colour: int) -> bool:
    """Bring the placements of a colour up to date, and return whether it has a legal move."""
    unblocked, attached, pending = compact.unblocked, compact.attached, compact.pending_cells[colour]
    first_word, word_count = compact.cell_first_word[colour], compact.cell_word_count[colour]
    cell_masks, start, end = (
        compact.cell_masks[colour],
        compact.colour_start[colour],
        compact.colour_start[colour + 1],
    )
    for index in range(compact.pending_count[colour]):
        cell = u64(pending[u64(index)])
        first, masks = u64(first_word[cell]), cell_masks[cell]
        for word in range(word_count[cell]):
            unblocked[first + u64(word)] &= ~masks[u64(word)]
    compact.pending_count[colour] = 0
    placed = compact.pieces_applied[colour] & ~position.pieces_left[colour]
    while placed:
        masks = compact.piece_masks[u64(trailing_zeros(u64(placed)))]
        for word in range(start, end):
            unblocked[u64(word)] &= ~masks[u64(word)]
        placed &= placed - 1
    compact.pieces_applied[colour] = position.pieces_left[colour]
    for index in range(compact.attach_applied[colour], position.attach_count[colour]):
        cell = u64(position.attach_cells[colour, u64(index)])
        first, masks = u64(first_word[cell]), cell_masks[cell]
        for word in range(word_count[cell]):
            attached[first + u64(word)] |= masks[u64(word)]
    compact.attach_applied[colour] = position.attach_count[colour]
    legal = u64(0)
    for word in range(start, end):
        legal |= unblocked[u64(word)] & attached[u64(word)]
    return bool(legal != 0)


@njit_no_nrt
def list_compact_moves(compact: CompactBits, colour: int, into: Int32Array) -> int:
    """Write the legal moves of a colour, which must be up to date, into an array; return their number."""
    count = 0
    for word in range(compact.colour_start[colour], compact.colour_start[colour + 1]):
        legal = compact.unblocked[u64(word)] & compact.attached[u64(word)]
        while legal:
            into[u64(count)] = compact.move[u64(word * WORD_BITS + trailing_zeros(legal))]
            legal &= legal - ONE
            count += 1
    return count
