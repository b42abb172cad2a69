"""The moves available to each colour during a simulation: compact bits where they apply, else bits."""

from __future__ import annotations

from typing import NamedTuple

from tripot.engine.jit import njit_inline, njit_no_nrt
from tripot.games.trigon.kernel.compact_bits import (
    CompactBits,
    apply_pending,
    build_compact_bits,
    clone_mutable,
    list_compact_moves,
    new_compact_bits,
    queue_forbidden_cells,
)
from tripot.games.trigon.kernel.dtypes import Int32Array, u64
from tripot.games.trigon.kernel.placement_bits import (
    PlacementBits,
    attach_start_placements,
    copy_placement_bits,
    has_placement,
    init_placement_bits,
    list_moves,
    new_placement_bits,
    place_piece_bits,
)
from tripot.games.trigon.kernel.position import ALL_COLOURS, GAME_OVER, Position, cannot_move, place_piece
from tripot.games.trigon.kernel.tables import ALL_PIECES


class AvailableMoves(NamedTuple):
    """Both representations.

    `compact` is used if its `word_count` is not 0, and then `bits` is not updated.
    """

    bits: PlacementBits
    compact: CompactBits


def new_available_moves() -> AvailableMoves:
    """Return both representations, empty."""
    return AvailableMoves(new_placement_bits(), new_compact_bits())


def clone_for_playing(available: AvailableMoves) -> AvailableMoves:
    """Return a workspace for `restore_available_moves`, which shares the numbering of the compact bits."""
    return AvailableMoves(new_placement_bits(), clone_mutable(available.compact))


def init_available_moves(position: Position, available: AvailableMoves) -> None:
    """Compute the available moves of a position from its cell flags."""
    init_placement_bits(position, available.bits)
    build_compact_bits(position, available.bits, available.compact)


@njit_inline
def restore_available_moves(position: Position, source: AvailableMoves, target: AvailableMoves) -> None:
    """Set `target`, a clone of `source`, to the moves of `source`, which are those of the position."""
    if not source.compact.word_count[0]:
        copy_placement_bits(position, source.bits, target.bits)
        return
    for word in range(source.compact.word_count[0]):
        target.compact.unblocked[u64(word)] = source.compact.unblocked[u64(word)]
        target.compact.attached[u64(word)] = source.compact.attached[u64(word)]
    for colour in range(4):
        target.compact.pending_count[colour] = source.compact.pending_count[colour]
        target.compact.attach_applied[colour] = source.compact.attach_applied[colour]
        target.compact.pieces_applied[colour] = source.compact.pieces_applied[colour]


@njit_inline
def play_move(position: Position, available: AvailableMoves, colour: int, move: int) -> None:
    """Place a piece (TR-2, TR-3, TR-10) in the position and update the available moves."""
    if available.compact.word_count[0]:
        queue_forbidden_cells(position, available.compact, colour, move)
        place_piece(position, colour, move)
    else:
        place_piece_bits(position, available.bits, colour, move)


@njit_inline
def has_moves(position: Position, available: AvailableMoves, colour: int) -> bool:
    """Whether a colour has a legal move."""
    if available.compact.word_count[0]:
        return apply_pending(position, available.compact, colour)
    return has_placement(available.bits, colour)


@njit_no_nrt
def list_available_moves(position: Position, available: AvailableMoves, colour: int, into: Int32Array) -> int:
    """Write the legal moves of a colour into an array and return their number."""
    if not available.compact.word_count[0]:
        return list_moves(available.bits, colour, into)
    apply_pending(position, available.compact, colour)
    return list_compact_moves(available.compact, colour, into)


@njit_no_nrt
def next_to_move(position: Position, available: AvailableMoves, turn: int) -> int:
    """Return the first colour from `turn` on that can move, or GAME_OVER; the others become blocked."""
    blocked = cannot_move(position)
    while blocked != ALL_COLOURS:
        if not blocked >> turn & 1:
            if position.pieces_left[turn] == ALL_PIECES:
                attach_start_placements(position, available.bits, turn)
            if has_moves(position, available, turn):
                break
            blocked |= 1 << turn
        turn = (turn + 1) & 3
    position.blocked[0] = blocked
    return turn if blocked != ALL_COLOURS else GAME_OVER
