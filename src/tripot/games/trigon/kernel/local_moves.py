"""Local moves: moves of a playout that cover attach cells which an opponent's recent move has added.

Such moves block the opponent (compare Pentobi's `PlayoutFeatures`). During one choice, the local cells carry
a number above their flags: 1, or 2 if they are attach cells of the mover as well. The local count of a move
is the sum over the cells that it covers.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_inline
from tripot.games.trigon.kernel.compact_bits import CompactBits
from tripot.games.trigon.kernel.dtypes import ONE, Int8Array, Int32Array, Int64Array, Uint32Array, u64
from tripot.games.trigon.kernel.history import MAX_HISTORY, History
from tripot.games.trigon.kernel.params import REPLY_PARAMS
from tripot.games.trigon.kernel.placement_bits import PlacementBits, move_of_bit
from tripot.games.trigon.kernel.placement_masks import (
    NEW_ATTACH_MASK,
    NEW_ATTACH_SLOT,
    NEW_ATTACH_START,
    NEW_ATTACH_WORD,
    WORD_BITS,
    WORDS_PER_CELL_PAIR,
)
from tripot.games.trigon.kernel.position import ATTACH, ATTACH_SHIFT, FORBIDDEN, LOCAL_SHIFT, Position
from tripot.games.trigon.kernel.tables import (
    ANCHOR_MASK,
    COVERED_OFFSETS_6,
    END_OF_OFFSETS,
    MAX_MOVES,
    MAX_PIECE_SIZE,
    SHAPE_SHIFT,
    SIZE_OF_SHAPE,
    VERTEX_OFFSETS,
)

FLAGS_MASK: Final = (1 << LOCAL_SHIFT) - 1  # the flags of a cell without its local number
MAX_LOCAL_CELLS: Final = 64  # more than three pieces can add


class PlayoutState(NamedTuple):
    """What playouts remember, and their buffers; each thread has its own.

    history       the moves of the simulation
    good_replies  int64[`REPLY_PARAMS.slots`], last good replies (`history`)
    local_cells   int64[MAX_LOCAL_CELLS], buffer: the local cells of one choice
    local_moves   int32[2 * MAX_MOVES], buffer: the local moves of one choice; some may occur twice
    local_counts  int8[2 * MAX_MOVES], buffer: their local counts
    """

    history: History
    good_replies: Int64Array
    local_cells: Int64Array
    local_moves: Int32Array
    local_counts: Int8Array


@njit_cached
def new_playout_state() -> PlayoutState:
    """Return an empty history and reply table."""
    return PlayoutState(
        History(
            np.zeros(MAX_HISTORY, np.int64),
            np.zeros(MAX_HISTORY, np.int64),
            np.zeros(1, np.int64),
            np.zeros(1, np.int64),
        ),
        np.zeros(REPLY_PARAMS.slots, np.int64),
        np.zeros(MAX_LOCAL_CELLS, np.int64),
        np.zeros(2 * MAX_MOVES, np.int32),
        np.zeros(2 * MAX_MOVES, np.int8),
    )


@njit_inline
def mark_local_cells(
    position: Position, colour: int, opponents: int, local_history: int, state: PlayoutState
) -> int:
    """Mark the local cells for a colour in the cell flags, and return how many there are.

    Local cells are the attach cells of the last `local_history` moves, as far as opponents played them, that
    are open to the opponent and to the colour itself.
    """
    cell_flags, history, count = position.cell_flags, state.history, 0
    for index in range(max(0, history.length[0] - local_history), history.length[0]):
        opponent = history.colours[index]
        if not opponents >> opponent & 1:
            continue
        shape, anchor = history.moves[index] >> SHAPE_SHIFT, history.moves[index] & ANCHOR_MASK
        offsets, step = VERTEX_OFFSETS[shape], 0
        while offsets[u64(step)] != END_OF_OFFSETS:
            cell = anchor + offsets[u64(step)]
            flags = int(cell_flags[u64(cell)])
            forbidden, attach = (
                flags & (FORBIDDEN << opponent | FORBIDDEN << colour),
                flags & ATTACH << opponent,
            )
            # Without a branch, which would be mispredicted: the cell is always written, and counts if it is
            # new.
            is_new = int((forbidden == 0) & (attach != 0) & (flags <= FLAGS_MASK))
            cell_flags[u64(cell)] = flags | is_new << (flags >> ATTACH_SHIFT + colour & 1) + LOCAL_SHIFT
            state.local_cells[u64(count)] = cell
            count += is_new
            step += 1
    return count


@njit_inline
def unmark_local_cells(position: Position, state: PlayoutState, cell_count: int) -> None:
    """Remove the marks of `mark_local_cells`."""
    for index in range(cell_count):
        position.cell_flags[state.local_cells[index]] &= FLAGS_MASK


@njit_inline
def local_count(cell_flags: Uint32Array, move: int) -> int:
    """Return the sum of the local numbers of the cells that a move covers."""
    shape, anchor = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    offsets = COVERED_OFFSETS_6[u64(shape)]
    # A smaller piece repeats its anchor in the six offsets: it is counted a negative number of times here.
    total = int(cell_flags[u64(anchor + offsets[0])] >> u64(LOCAL_SHIFT)) * (
        SIZE_OF_SHAPE[u64(shape)] - MAX_PIECE_SIZE + 1
    )
    for index in range(1, MAX_PIECE_SIZE):
        total += int(cell_flags[u64(anchor + offsets[u64(index)])] >> u64(LOCAL_SHIFT))
    return int(total)


@njit_inline
def list_local_moves(
    position: Position,
    bits: PlacementBits,
    colour: int,
    opponents: int,
    local_history: int,
    state: PlayoutState,
) -> int:
    """List the local moves with their counts, from placement bits, and return how many there are.

    A move that covers local cells of two pieces is listed twice.
    """
    unblocked, attached = bits.unblocked[colour], bits.attached[colour]
    pieces_left, history, count = bits.pieces_left[colour], state.history, 0
    for history_index in range(max(0, history.length[0] - local_history), history.length[0]):
        if not opponents >> history.colours[history_index] & 1:
            continue
        move = history.moves[history_index]
        shape, base = u64(move >> SHAPE_SHIFT), (move & ANCHOR_MASK) // 2 * WORDS_PER_CELL_PAIR
        for index in range(NEW_ATTACH_START[shape], NEW_ATTACH_START[shape + ONE]):
            word = base + NEW_ATTACH_WORD[u64(index)]
            legal = NEW_ATTACH_MASK[u64(index)] & unblocked[u64(word)] & attached[u64(word)]
            if legal:
                legal &= pieces_left[u64(NEW_ATTACH_SLOT[u64(index)])]
            while legal:
                local_move = move_of_bit(word, trailing_zeros(legal))
                covered = local_count(position.cell_flags, local_move)
                state.local_moves[u64(count)], state.local_counts[u64(count)] = local_move, covered
                legal &= legal - ONE
                count += covered > 0
    return count


@njit_inline
def list_local_moves_compact(
    position: Position, compact: CompactBits, colour: int, state: PlayoutState, cell_count: int
) -> int:
    """List the local moves with their counts, from compact bits, and return how many there are."""
    count, unblocked, attached = 0, compact.unblocked, compact.attached
    for index in range(cell_count):
        cell = u64(state.local_cells[u64(index)])
        first, masks = u64(compact.cell_first_word[colour, cell]), compact.cell_masks[colour, cell]
        word_count = compact.cell_word_count[colour, cell]
        any_legal, local_number = u64(0), int(position.cell_flags[cell] >> u64(LOCAL_SHIFT))
        for word in range(word_count):
            any_legal |= masks[u64(word)] & unblocked[first + u64(word)] & attached[first + u64(word)]
        if not any_legal:
            continue
        for word in range(word_count):
            legal = masks[u64(word)] & unblocked[first + u64(word)] & attached[first + u64(word)]
            while legal:
                placement = (first + u64(word)) * u64(WORD_BITS) + u64(trailing_zeros(legal))
                state.local_moves[u64(count)] = placement
                count += compact.local_counts[placement] == 0
                compact.local_counts[placement] += local_number
                legal &= legal - ONE
    for index in range(count):
        placement = u64(state.local_moves[u64(index)])
        state.local_moves[u64(index)] = compact.move[placement]
        state.local_counts[u64(index)] = compact.local_counts[placement]
        compact.local_counts[placement] = 0
    return count
