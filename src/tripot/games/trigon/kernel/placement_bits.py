"""Legal placements as bit sets over the whole board (bitboards).

Playing a move applies the masks of its shape (`placement_masks`) to about 300 words, without a branch. A
placement is legal if its bit is set in `unblocked`, in `attached` and in `pieces_left`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.board import GRID
from tripot.games.trigon.kernel.dtypes import ONE, Int32Array, Int64Array, Uint16Array, Uint64Array, u64
from tripot.games.trigon.kernel.moves import covered_flags, has_flat_contact
from tripot.games.trigon.kernel.placement_masks import (
    ALL_BITS,
    BLOCK_ALL_MASK,
    BLOCK_ALL_START,
    BLOCK_ALL_WORD,
    BLOCK_FLAT_MASK,
    BLOCK_FLAT_START,
    BLOCK_FLAT_WORD,
    BLOCK_OWN_MASK,
    BLOCK_OWN_START,
    BLOCK_OWN_WORD,
    COVERING_MASK,
    COVERING_START,
    COVERING_WORD,
    MOVE_OF_BIT,
    NEW_ATTACH_MASK,
    NEW_ATTACH_SLOT,
    NEW_ATTACH_START,
    NEW_ATTACH_WORD,
    PIECE_BITS,
    WORD_COUNT,
    WORDS_PER_CELL_PAIR,
)
from tripot.games.trigon.kernel.position import ATTACH, FORBIDDEN, Position, add_start_cells, place_piece
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    ANCHOR_MASK,
    MARGIN,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
)

FIRST_WORD: Final = MARGIN // 2 * WORDS_PER_CELL_PAIR  # no placement has its anchor outside these words
END_WORD: Final = (MARGIN + GRID) // 2 * WORDS_PER_CELL_PAIR


class PlacementBits(NamedTuple):
    """The placements of each colour.

    unblocked     uint64[4, WORD_COUNT], placements whose cells are all open to the colour
    attached      uint64[4, WORD_COUNT], placements that cover an attach cell; blocked ones may be missing
    active_words  uint16[4, WORD_COUNT], indices of the nonzero words of `attached`, in no particular order
    active_count  int64[4], how many they are
    pieces_left   uint64[4, 3], by word of a pair of cells: the shapes of the pieces not yet placed
    legal_words   uint64[WORD_COUNT], buffer: the legal moves of one colour, parallel to its `active_words`
    """

    unblocked: Uint64Array
    attached: Uint64Array
    active_words: Uint16Array
    active_count: Int64Array
    pieces_left: Uint64Array
    legal_words: Uint64Array


@njit_cached
def new_placement_bits() -> PlacementBits:
    """Return bit sets without any placement."""
    return PlacementBits(
        np.zeros((4, WORD_COUNT), np.uint64),
        np.zeros((4, WORD_COUNT), np.uint64),
        np.zeros((4, WORD_COUNT), np.uint16),
        np.zeros(4, np.int64),
        np.zeros((4, WORDS_PER_CELL_PAIR), np.uint64),
        np.zeros(WORD_COUNT, np.uint64),
    )


@njit_inline
def move_of_bit(word: int, bit: int) -> int:
    """Return the move that a bit stands for."""
    return int(MOVE_OF_BIT[u64(word) % u64(WORDS_PER_CELL_PAIR), u64(bit)]) + int(
        u64(word) // u64(WORDS_PER_CELL_PAIR) * u64(2)
    )


# --- Building and copying -------------------------------------------------------------------------


@njit_no_nrt
def _clear_attached(bits: PlacementBits, colour: int) -> None:
    """Detach all placements of a colour."""
    for index in range(bits.active_count[colour]):
        bits.attached[colour, u64(bits.active_words[colour, u64(index)])] = 0
    bits.active_count[colour] = 0


@njit_inline
def _add_attached(bits: PlacementBits, colour: int, word: int, mask: np.uint64, active_count: int) -> int:
    """Add unblocked placements of one word to `attached`, and return the new number of active words.

    There is no branch: about half of the words are new, which no branch predictor can foresee. The index is
    always written, and counts only if the word was empty before.
    """
    index = u64(word)
    before, added = bits.attached[colour, index], mask & bits.unblocked[colour, index]
    bits.attached[colour, index] = before | added
    bits.active_words[colour, u64(active_count)] = word
    return int(active_count + ((before == 0) & (added != 0)))


@njit_no_nrt
def init_placement_bits(position: Position, bits: PlacementBits) -> None:
    """Compute all placements of a position from its cell flags.

    Before a colour's first piece, `attached` stays empty: see `attach_start_placements`.
    """
    for colour in range(4):
        _clear_attached(bits, colour)
        bits.unblocked[colour] = 0
        for slot in range(WORDS_PER_CELL_PAIR):
            bits.pieces_left[colour, slot] = 0
            for piece in range(len(SIZE_OF_PIECE)):
                if position.pieces_left[colour] >> piece & 1:
                    bits.pieces_left[colour, slot] |= PIECE_BITS[piece, slot]
        for word in range(FIRST_WORD, END_WORD):
            _init_word(position, bits, colour, word)


@njit_no_nrt
def _init_word(position: Position, bits: PlacementBits, colour: int, word: int) -> None:
    """Compute the placements of one colour in one word."""
    shapes = ALL_BITS[word % WORDS_PER_CELL_PAIR]
    has_pieces = position.pieces_left[colour] != ALL_PIECES
    while shapes:
        bit = trailing_zeros(shapes)
        shapes &= shapes - ONE
        move = move_of_bit(word, bit)
        flags = covered_flags(position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK)
        if flags & FORBIDDEN << colour:
            continue
        if position.corners_only[0] and has_flat_contact(position, colour, move):
            continue
        mask = ONE << np.uint64(bit)
        bits.unblocked[colour, word] |= mask
        if flags & ATTACH << colour and has_pieces:
            bits.active_count[colour] = _add_attached(bits, colour, word, mask, bits.active_count[colour])


@njit_no_nrt
def copy_placement_bits(position: Position, source: PlacementBits, target: PlacementBits) -> None:
    """Make `target` equal to `source`, except for colours that cannot move any more in the position."""
    playing = position.in_play[0] & ~position.blocked[0]
    for colour in range(4):
        for slot in range(WORDS_PER_CELL_PAIR):
            target.pieces_left[colour, slot] = source.pieces_left[colour, slot]
        _clear_attached(target, colour)
        if not playing >> colour & 1:
            continue
        source_unblocked, target_unblocked = source.unblocked[colour], target.unblocked[colour]
        for word in range(FIRST_WORD, END_WORD):
            target_unblocked[u64(word)] = source_unblocked[u64(word)]
        target.active_count[colour] = source.active_count[colour]
        for index in range(source.active_count[colour]):
            active = source.active_words[colour, u64(index)]
            target.active_words[colour, u64(index)] = active
            target.attached[colour, u64(active)] = source.attached[colour, u64(active)]


# --- Playing --------------------------------------------------------------------------------------


@njit_inline
def place_piece_bits(position: Position, bits: PlacementBits, colour: int, move: int) -> None:
    """Place a piece in a position (TR-2, TR-3, TR-10) and update the bit sets of all colours."""
    if position.pieces_left[colour] == ALL_PIECES:
        _clear_attached(bits, colour)
    place_piece(position, colour, move)
    shape, base = move >> SHAPE_SHIFT, (move & ANCHOR_MASK) // 2 * WORDS_PER_CELL_PAIR
    _block_placements(position, bits, colour, shape, base)
    for slot in range(WORDS_PER_CELL_PAIR):
        bits.pieces_left[colour, slot] &= ~PIECE_BITS[PIECE_OF_SHAPE[u64(shape)], slot]
    active_count, pieces_left = bits.active_count[colour], bits.pieces_left[colour]
    for index in range(NEW_ATTACH_START[u64(shape)], NEW_ATTACH_START[u64(shape + 1)]):
        mask = NEW_ATTACH_MASK[u64(index)] & pieces_left[u64(NEW_ATTACH_SLOT[u64(index)])]
        active_count = _add_attached(bits, colour, base + NEW_ATTACH_WORD[u64(index)], mask, active_count)
    bits.active_count[colour] = active_count


@njit_inline
def _block_placements(position: Position, bits: PlacementBits, colour: int, shape: int, base: int) -> None:
    """Remove the placements that a piece blocks. `base` is the first word of its anchor's pair of cells."""
    a, b, c, d = bits.unblocked[0], bits.unblocked[1], bits.unblocked[2], bits.unblocked[3]
    for index in range(BLOCK_ALL_START[u64(shape)], BLOCK_ALL_START[u64(shape + 1)]):
        word, mask = u64(base + BLOCK_ALL_WORD[u64(index)]), BLOCK_ALL_MASK[u64(index)]
        a[word] &= mask
        b[word] &= mask
        c[word] &= mask
        d[word] &= mask
    own_unblocked = bits.unblocked[colour]
    for index in range(BLOCK_OWN_START[u64(shape)], BLOCK_OWN_START[u64(shape + 1)]):
        own_unblocked[u64(base + BLOCK_OWN_WORD[u64(index)])] &= BLOCK_OWN_MASK[u64(index)]
    if position.corners_only[0]:
        for index in range(BLOCK_FLAT_START[shape], BLOCK_FLAT_START[shape + 1]):
            own_unblocked[u64(base + BLOCK_FLAT_WORD[u64(index)])] &= BLOCK_FLAT_MASK[u64(index)]


@njit_no_nrt
def attach_start_placements(position: Position, bits: PlacementBits, colour: int) -> None:
    """Attach a colour without pieces to the starts that it may cover (TR-2, TR-7, TR-8)."""
    add_start_cells(position, colour)
    _clear_attached(bits, colour)
    for attach_index in range(position.attach_count[colour]):
        cell = int(position.attach_cells[colour, attach_index])
        for index in range(COVERING_START[cell & 1], COVERING_START[(cell & 1) + 1]):
            word = cell // 2 * WORDS_PER_CELL_PAIR + COVERING_WORD[index]
            bits.active_count[colour] = _add_attached(
                bits, colour, word, COVERING_MASK[index], bits.active_count[colour]
            )


# --- Legal moves ----------------------------------------------------------------------------------


@njit_inline
def legal_in_word(bits: PlacementBits, colour: int, word: int) -> np.uint64:
    """Return the legal moves of a colour in one word."""
    index = u64(word)
    pieces_left = bits.pieces_left[colour, index % u64(WORDS_PER_CELL_PAIR)]
    legal: np.uint64 = bits.unblocked[colour, index] & bits.attached[colour, index] & pieces_left
    return legal


@njit_no_nrt
def has_placement(bits: PlacementBits, colour: int) -> bool:
    """Whether a colour has a legal move."""
    for index in range(bits.active_count[colour]):
        if legal_in_word(bits, colour, bits.active_words[colour, u64(index)]):
            return True
    return False


@njit_inline
def collect_legal_words(bits: PlacementBits, colour: int) -> int:
    """Fill `legal_words`, drop active words without a legal move, and return the number of active words."""
    words, kept = bits.active_words[colour], 0
    for index in range(bits.active_count[colour]):
        word = words[u64(index)]
        legal = legal_in_word(bits, colour, word)
        bits.legal_words[u64(kept)], words[u64(kept)] = legal, word
        if legal:
            kept += 1
        else:
            bits.attached[colour, u64(word)] = 0
    bits.active_count[colour] = kept
    return kept


@njit_no_nrt
def list_moves(bits: PlacementBits, colour: int, into: Int32Array) -> int:
    """Write the legal moves of a colour into an array and return their number."""
    count = 0
    for index in range(collect_legal_words(bits, colour)):
        legal, word = bits.legal_words[u64(index)], bits.active_words[colour, u64(index)]
        while legal:
            into[u64(count)] = move_of_bit(word, trailing_zeros(legal))
            legal &= legal - ONE
            count += 1
    return count
