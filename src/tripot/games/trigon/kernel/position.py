"""The packed position of the kernels: cell flags, attach cells and pieces left; placing a piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.board import (
    COLOURS,
    GRID,
    SHAPE_CELLS,
    SINGLE_TRIANGLE,
    Cells,
    cells_of,
    colour_of,
    mask_of,
)
from tripot.games.trigon.kernel.dtypes import Int16Array, Int32Array, Int64Array, Uint32Array, u64
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    ANCHOR_MASK,
    COVERED_OFFSETS,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    FLAT_OFFSETS,
    MARGIN,
    MAX_MOVES,
    PADDED_CELLS,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
    START_CELLS,
    VERTEX_OFFSETS,
)
from tripot.games.trigon.rules import ALL_PLACED_SCORE, SINGLE_LAST_SCORE, State

GAME_OVER: Final = -1  # instead of the colour to move
FREE_STARTS, PAIRED_STARTS, SPACED_STARTS = 0, 2, 3
"""Values of `Position.start_rule`: a first piece may cover any start, or those of TR-8 or TR-7."""

# Flags of a cell: one bit per colour, `FLAG << colour`.
FORBIDDEN: Final = 0x1  # the colour may not cover the cell
ATTACH: Final = 0x10  # the cell touches a piece of the colour at a vertex, or is a start for its first piece
LISTED: Final = 0x100  # all moves through the cell are in `Position.moves`
OCCUPIED: Final = 0x1000  # a piece of the colour covers the cell
ALL_COLOURS: Final = 0xF  # a set of colours; a flag times this is the flag for all colours
ATTACH_SHIFT: Final = 4  # of the bit for colour 0
OCCUPIED_SHIFT: Final = 12
LOCAL_SHIFT: Final = 16  # above the flags: a number that `local_moves` uses during one choice


class Position(NamedTuple):
    """A position. Numba passes a NamedTuple by value, so scalars that change are arrays of length 1.

    cell_flags         uint32[PADDED_CELLS], the flags above
    attach_cells       int16[4, GRID], by colour: cells flagged ATTACH in the order in which they were added;
                       some may have become forbidden since
    moves              int32[4, MAX_MOVES], by colour: moves listed so far; some may have become illegal since
    attach_count       int64[4], by colour: length of its row of `attach_cells`
    attach_scanned     int64[4], by colour: how many of its attach cells have their moves in `moves`
    last_attach_start  int64[4], by colour: index of the first attach cell that its last piece added
    move_count         int64[4], by colour: length of its row of `moves`
    pieces_left        int64[4], by colour: bit set of the pieces not yet placed
    last_was_single    int64[4], by colour: 1 if its last piece was the single triangle (TR-6)
    start_rule         int64[1], FREE_STARTS, PAIRED_STARTS or SPACED_STARTS
    corners_only       int64[1], 1 if pieces may touch at corners only (TR-10)
    in_play            int64[1], bit set of the colours that take part
    blocked            int64[1], bit set of the colours that cannot move any more
    """

    cell_flags: Uint32Array
    attach_cells: Int16Array
    moves: Int32Array
    attach_count: Int64Array
    attach_scanned: Int64Array
    last_attach_start: Int64Array
    move_count: Int64Array
    pieces_left: Int64Array
    last_was_single: Int64Array
    start_rule: Int64Array
    corners_only: Int64Array
    in_play: Int64Array
    blocked: Int64Array


# --- Conversion -----------------------------------------------------------------------------------


def empty_position(field: int, start_rule: int, corners_only: bool, in_play: int) -> Position:
    """Return a position without pieces. `field` and `in_play` are bit sets of cells and of colours."""
    cell_flags = np.full(PADDED_CELLS, FORBIDDEN * ALL_COLOURS, np.uint32)
    for cell in cells_of(field):
        cell_flags[cell + MARGIN] = 0
    colours = len(COLOURS)
    return Position(
        cell_flags=cell_flags,
        attach_cells=np.zeros((colours, GRID), np.int16),
        moves=np.zeros((colours, MAX_MOVES), np.int32),
        attach_count=np.zeros(colours, np.int64),
        attach_scanned=np.zeros(colours, np.int64),
        last_attach_start=np.zeros(colours, np.int64),
        move_count=np.zeros(colours, np.int64),
        pieces_left=np.full(colours, ALL_PIECES, np.int64),
        last_was_single=np.zeros(colours, np.int64),
        start_rule=np.array([start_rule], np.int64),
        corners_only=np.array([corners_only], np.int64),
        in_play=np.array([in_play], np.int64),
        blocked=np.zeros(1, np.int64),
    )


_SHAPE_INDEX: Final = {
    (cells[0] % 2, *(cell - cells[0] for cell in cells)): shape
    for shape, (_, cells) in enumerate(SHAPE_CELLS)
}


def encode_move(cells: Cells) -> int:
    """Return the move that covers these cells, which must be those of a piece in ascending order."""
    shape = _SHAPE_INDEX[cells[0] % 2, *(cell - cells[0] for cell in cells)]
    return (shape << SHAPE_SHIFT) + cells[0] + MARGIN


def decode_move(move: int) -> Cells:
    """Return the cells that a move covers, in ascending order."""
    anchor = (move & ANCHOR_MASK) - MARGIN
    return tuple(
        int(offset) + anchor for offset in COVERED_OFFSETS[move >> SHAPE_SHIFT] if offset != END_OF_OFFSETS
    )


def from_state(state: State, recent_moves: Sequence[int] = ()) -> Position:
    """Return the position of a state of the rules.

    `recent_moves` are the last moves of the game, if they are known: a state does not tell in which order its
    pieces were placed, and `last_attach_start` is only meaningful for a colour's last piece.
    """
    options, start_rule = state.options, FREE_STARTS
    if options.players == 3:
        start_rule = SPACED_STARTS
    elif options.paired_starts:
        start_rule = PAIRED_STARTS
    position = empty_position(state.field, start_rule, options.corners_only, mask_of(state.in_play))
    pieces = [(colour_of(code), encode_move(cells)) for code, cells in state.pieces_on_board.items()]
    for colour, move in pieces:
        if move not in recent_moves:
            place_piece(position, colour, move)
    position.last_attach_start[:] = position.attach_count
    for colour, move in pieces:
        if move in recent_moves:
            place_piece(position, colour, move)
    for colour in range(len(COLOURS)):
        position.last_was_single[colour] = state.single_last >> colour & 1
    position.blocked[0] = state.blocked
    return position


# --- Copying --------------------------------------------------------------------------------------


@njit_cached
def clone(source: Position) -> Position:
    """Return a copy that shares no array with the source."""
    return Position(
        source.cell_flags.copy(),
        source.attach_cells.copy(),
        source.moves.copy(),
        source.attach_count.copy(),
        source.attach_scanned.copy(),
        source.last_attach_start.copy(),
        source.move_count.copy(),
        source.pieces_left.copy(),
        source.last_was_single.copy(),
        source.start_rule.copy(),
        source.corners_only.copy(),
        source.in_play.copy(),
        source.blocked.copy(),
    )


@njit_no_nrt
def copy_into(source: Position, target: Position) -> None:
    """Make `target` equal to `source`. Lists are copied up to their length only."""
    _copy_prefix(source.cell_flags, target.cell_flags, PADDED_CELLS)
    for colour in range(4):
        _copy_prefix(source.attach_cells[colour], target.attach_cells[colour], source.attach_count[colour])
        _copy_prefix(source.moves[colour], target.moves[colour], source.move_count[colour])
        target.attach_count[colour] = source.attach_count[colour]
        target.attach_scanned[colour] = source.attach_scanned[colour]
        target.last_attach_start[colour] = source.last_attach_start[colour]
        target.move_count[colour] = source.move_count[colour]
        target.pieces_left[colour] = source.pieces_left[colour]
        target.last_was_single[colour] = source.last_was_single[colour]
    target.start_rule[0] = source.start_rule[0]
    target.corners_only[0] = source.corners_only[0]
    target.in_play[0] = source.in_play[0]
    target.blocked[0] = source.blocked[0]


@njit_no_nrt
def _copy_prefix(source: Any, target: Any, length: int) -> None:
    """Copy the first `length` elements of a one-dimensional array of any type into another one."""
    for index in range(length):
        target[u64(index)] = source[u64(index)]


# --- Placing pieces -------------------------------------------------------------------------------


@njit_inline
def place_piece(position: Position, colour: int, move: int) -> None:
    """Place a piece (TR-2, TR-3, TR-10) without checking that the move is legal."""
    shape, anchor = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    if position.pieces_left[colour] == ALL_PIECES:
        clear_attach_cells(position, colour)
    _cover_cells(position.cell_flags, colour, shape, anchor)
    _forbid_cells(position.cell_flags, colour, anchor, EDGE_OFFSETS[shape])
    if position.corners_only[0]:
        _forbid_cells(position.cell_flags, colour, anchor, FLAT_OFFSETS[shape])
    _add_attach_cells(position, colour, shape, anchor)
    piece = PIECE_OF_SHAPE[shape]
    position.pieces_left[colour] &= ~(1 << piece)
    position.last_was_single[colour] = piece == SINGLE_TRIANGLE


@njit_inline
def _cover_cells(cell_flags: Uint32Array, colour: int, shape: int, anchor: int) -> None:
    """Occupy the cells of a piece and forbid them to all colours."""
    offsets, index = COVERED_OFFSETS[shape], 0
    while offsets[u64(index)] != END_OF_OFFSETS:
        cell_flags[u64(anchor + offsets[u64(index)])] = FORBIDDEN * ALL_COLOURS | OCCUPIED << colour
        index += 1


@njit_inline
def _forbid_cells(cell_flags: Uint32Array, colour: int, anchor: int, offsets: Int16Array) -> None:
    """Forbid the cells at some offsets to the colour."""
    index = 0
    while offsets[u64(index)] != END_OF_OFFSETS:
        cell_flags[u64(anchor + offsets[u64(index)])] |= FORBIDDEN << colour
        index += 1


@njit_inline
def _add_attach_cells(position: Position, colour: int, shape: int, anchor: int) -> None:
    """Add the cells that touch a new piece at a vertex, unless they are forbidden or added before."""
    cell_flags, attach_cells = position.cell_flags, position.attach_cells[colour]
    offsets, index, count = VERTEX_OFFSETS[shape], 0, position.attach_count[colour]
    position.last_attach_start[colour] = count
    while offsets[u64(index)] != END_OF_OFFSETS:
        cell = anchor + offsets[u64(index)]
        if not cell_flags[u64(cell)] & (FORBIDDEN | ATTACH) << colour:
            cell_flags[u64(cell)] |= ATTACH << colour
            attach_cells[u64(count)] = cell
            count += 1
        index += 1
    position.attach_count[colour] = count


@njit_no_nrt
def clear_attach_cells(position: Position, colour: int) -> None:
    """Remove the attach cells and the listed moves of a colour: starts count for its first piece only."""
    for index in range(position.attach_count[colour]):
        position.cell_flags[position.attach_cells[colour, index]] &= 0xFFFF ^ ((ATTACH | LISTED) << colour)
    position.attach_count[colour] = position.move_count[colour] = position.attach_scanned[colour] = 0


@njit_no_nrt
def add_start_cells(position: Position, colour: int) -> None:
    """Make the starts that a colour may cover its attach cells, before its first piece (TR-2, TR-7, TR-8)."""
    clear_attach_cells(position, colour)
    cell_flags, rule = position.cell_flags, position.start_rule[0]
    for start in range(6):
        allowed = not cell_flags[START_CELLS[start]] & FORBIDDEN << colour
        for other in range(6):
            for owner in range(4):
                if owner == colour or not cell_flags[START_CELLS[other]] & OCCUPIED << owner:
                    continue
                if rule == SPACED_STARTS and (start - other) % 2:
                    allowed = False
                if rule == PAIRED_STARTS and ((start - other) % 6 == 3) != (owner == (colour + 2) % 4):
                    allowed = False
        if allowed:
            cell_flags[START_CELLS[start]] |= ATTACH << colour
            position.attach_cells[colour, position.attach_count[colour]] = START_CELLS[start]
            position.attach_count[colour] += 1


# --- Questions ------------------------------------------------------------------------------------


@njit_inline
def cannot_move(position: Position) -> int:
    """Return the bit set of the colours that are blocked or take no part."""
    return int(position.blocked[0] | (ALL_COLOURS & ~position.in_play[0]))


@njit_no_nrt
def final_score(position: Position, colour: int) -> int:
    """Return the score of a colour in points (TR-6), as if the game ended now."""
    total = 0
    for piece in range(len(SIZE_OF_PIECE)):
        if position.pieces_left[colour] >> piece & 1:
            total -= SIZE_OF_PIECE[piece]
    if total == 0:
        total = SINGLE_LAST_SCORE if position.last_was_single[colour] else ALL_PLACED_SCORE
    return total
