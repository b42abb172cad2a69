"""Legal moves from the placement trie, kept up to date in the lists of a position.

The endgame solver, training and the analysis of one position use these lists. Simulations do not: they use
the bit sets of `available_moves`.
"""

from __future__ import annotations

from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.kernel.dtypes import Int32Array, Uint32Array, u64
from tripot.games.trigon.kernel.position import ATTACH, FORBIDDEN, LISTED, OCCUPIED, Position, add_start_cells
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    ANCHOR_MASK,
    COVERED_OFFSETS_6,
    END_OF_OFFSETS,
    FLAT_OFFSETS,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    TRIE_CELL,
    TRIE_MOVE,
    TRIE_NODES,
    TRIE_PIECE,
    TRIE_SKIP,
    TRIE_SUBTREE_PIECES,
)


@njit_inline
def covered_flags(cell_flags: Uint32Array, shape: int, anchor: int) -> int:
    """Return the union of the flags of the cells that a move covers, without a loop."""
    offsets = COVERED_OFFSETS_6[u64(shape)]
    flags = cell_flags[u64(anchor + offsets[0])] | cell_flags[u64(anchor + offsets[1])]
    flags |= cell_flags[u64(anchor + offsets[2])] | cell_flags[u64(anchor + offsets[3])]
    flags |= cell_flags[u64(anchor + offsets[4])] | cell_flags[u64(anchor + offsets[5])]
    return int(flags)


@njit_no_nrt
def has_flat_contact(position: Position, colour: int, move: int) -> bool:
    """Whether a straight side of the piece would touch a corner of its own colour (TR-10)."""
    shape, anchor = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    index = 0
    while FLAT_OFFSETS[shape, index] != END_OF_OFFSETS:
        if position.cell_flags[anchor + FLAT_OFFSETS[shape, index]] & OCCUPIED << colour:
            return True
        index += 1
    return False


@njit_inline
def is_still_legal(position: Position, colour: int, move: int) -> bool:
    """Whether a move that was legal earlier is legal now.

    Attach cells are never lost, so they are not checked.
    """
    shape, anchor = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    if not position.pieces_left[colour] >> PIECE_OF_SHAPE[u64(shape)] & 1:
        return False
    if covered_flags(position.cell_flags, shape, anchor) & FORBIDDEN << colour:
        return False
    return not (position.corners_only[0] and has_flat_contact(position, colour, move))


@njit_inline
def is_legal(position: Position, colour: int, move: int) -> bool:
    """Whether a colour may play a move (TR-2, TR-3, TR-10)."""
    attached = covered_flags(position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK) & ATTACH << colour
    return attached != 0 and is_still_legal(position, colour, move)


@njit_no_nrt
def extend_move_list(position: Position, colour: int) -> None:
    """Add the moves through attach cells that were added since the last call.

    A scanned cell is flagged LISTED and treated as forbidden by later walks: its moves are in the list
    already, so none is added twice.
    """
    cell_flags, moves, pieces_left = position.cell_flags, position.moves[colour], position.pieces_left[colour]
    count, stop = position.move_count[colour], (FORBIDDEN | LISTED) << colour
    for index in range(position.attach_scanned[colour], position.attach_count[colour]):
        cell = int(position.attach_cells[colour, index])
        up, node = cell & 1, 0
        cells, skip, pieces = TRIE_CELL[up], TRIE_SKIP[up], TRIE_PIECE[up]
        subtree_pieces = TRIE_SUBTREE_PIECES[up]
        while node < TRIE_NODES:
            flags = cell_flags[u64(cell + cells[u64(node)])]
            if flags & stop or not pieces_left & subtree_pieces[u64(node)]:
                node = int(skip[u64(node)])
                continue
            if pieces_left >> pieces[u64(node)] & 1:
                move = TRIE_MOVE[up, node] + cell
                if not (position.corners_only[0] and has_flat_contact(position, colour, move)):
                    moves[u64(count)] = move
                    count += 1
            node += 1
        cell_flags[cell] |= LISTED << colour
    position.move_count[colour] = count
    position.attach_scanned[colour] = position.attach_count[colour]


@njit_cached
def legal_moves(position: Position, colour: int) -> Int32Array:
    """Return the legal moves of a colour, each once, in no particular order: a view of `Position.moves`."""
    moves: Int32Array = position.moves[colour]
    if position.pieces_left[colour] == ALL_PIECES:
        add_start_cells(position, colour)
    count = 0
    for index in range(position.move_count[colour]):
        if is_still_legal(position, colour, moves[u64(index)]):
            moves[u64(count)] = moves[u64(index)]
            count += 1
    position.move_count[colour] = count
    extend_move_list(position, colour)
    return moves[: position.move_count[colour]]
