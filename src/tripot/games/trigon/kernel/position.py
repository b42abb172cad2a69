"""The moves of Trigon over flat arrays, and random games, compiled by Numba.

Cells are numbered as in `board.py`, six rows higher: six rows of cells that are always closed lie
below and above the board, and the two empty columns lie between the rows, so that no shape that is
followed from triangle to triangle ever leaves the arrays. A move is one number: a shape, shifted, and
the lowest cell that it covers; a shape is a piece in one of its orientations, 155 in all.

All places through a cell are kept as a tree, once for triangles that point up and once for those that
point down: each node adds one triangle next to those before it. A walk through it stops wherever a
triangle is closed, so it meets exactly the pieces that fit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trigon.board import (
    COLOURS,
    EDGE_NEIGHBOURS,
    GRID,
    PIECE_NAMES,
    PIECE_SIZES,
    SHAPE_CELLS,
    SINGLE_TRIANGLE,
    STARTS,
    VERTEX_NEIGHBOURS,
    WIDTH,
    Cells,
    cells_of,
    colour_of,
    connected_order,
    flat_vertex_cells,
    mask_of,
)
from tripot.games.trigon.rules import ALL_PLACED_SCORE, SINGLE_LAST_SCORE, State

Int16Array: TypeAlias = NDArray[np.int16]
Int64Array: TypeAlias = NDArray[np.int64]


# --- The board and the pieces as tables ---------------------------------------------------------

MARGIN: Final = 6 * WIDTH  # the closed rows below the board; even, so odd cells still point up
PADDED_CELLS: Final = GRID + 2 * MARGIN
SHAPE_SHIFT: Final = 11  # a move is its shape, shifted so far, and its lowest cell
ANCHOR_MASK: Final = (1 << SHAPE_SHIFT) - 1
ALL_PIECES: Final = (1 << len(PIECE_NAMES)) - 1  # a set of pieces


def _padded_rows(rows: list[list[int]], empty: int) -> Int16Array:
    """Rows of unequal length as one array, each followed by `empty`."""
    width = max(map(len, rows)) + 1
    return np.array([row + [empty] * (width - len(row)) for row in rows], np.int16)


END_OF_OFFSETS: Final = 30_000  # ends a list of offsets
u64 = np.uint64  # around an index where speed counts: without a sign, Numba need not ask for it
PIECE_OF_SHAPE: Final = np.array([piece for piece, _ in SHAPE_CELLS], np.int64)  # by shape
SIZE_OF_PIECE: Final = np.array(PIECE_SIZES, np.int64)  # by piece


def _offsets(near: Callable[[Cells], set[int]]) -> Int16Array:
    """Of each shape: cells that have to do with it, as offsets from its lowest cell."""
    return _padded_rows(
        [sorted(cell - cells[0] for cell in near(cells)) for _, cells in SHAPE_CELLS], END_OF_OFFSETS
    )


def _edge_cells(cells: Cells) -> set[int]:
    return {each for cell in cells for each in cells_of(EDGE_NEIGHBOURS[cell])} - {*cells}


def _vertex_cells(cells: Cells) -> set[int]:
    return (
        {each for cell in cells for each in cells_of(VERTEX_NEIGHBOURS[cell])} - {*cells} - _edge_cells(cells)
    )


COVERED_OFFSETS: Final = _offsets(lambda cells: {*cells})
COVERED_OFFSETS_6: Final = np.where(
    COVERED_OFFSETS[:, :6] == END_OF_OFFSETS, 0, COVERED_OFFSETS[:, :6]
).astype(np.int64)  # always six, some twice
VERTEX_OFFSETS: Final = _offsets(_vertex_cells)  # cells that meet the shape at a point only
EDGE_OFFSETS: Final = _offsets(_edge_cells)  # cells that share a side with it
FLAT_OFFSETS: Final = _offsets(lambda cells: {*cells_of(flat_vertex_cells(cells))})  # TR-10


def _placement_trie() -> tuple[Any, ...]:
    """The arrays below, of both ways a triangle can point."""
    nodes: list[list[tuple[int, int, int, int]]] = [[], []]
    leaves: list[list[tuple[int, int, list[int]]]] = [[], []]
    for up in range(2):
        ends: dict[tuple[int, ...], tuple[int, int]] = {}
        for shape, (piece, cells) in enumerate(SHAPE_CELLS):
            for anchor in cells:
                if anchor % 2 == up:
                    path = tuple(cell - anchor for cell in connected_order(cells, anchor))
                    ends[path] = (shape << SHAPE_SHIFT) + cells[0] - anchor, piece
        paths = sorted(ends)  # a path comes before its branches, and they follow at once
        for index, path in enumerate(paths):
            branches = sum(each[: len(path)] == path for each in paths)
            nodes[up].append((path[-1], index + branches, *ends[path]))
        leaves[up] = sorted((piece, move, [*path]) for path, (move, piece) in ends.items())
    tables = np.array(nodes, np.int32)
    first = [sum(piece < each for piece, _, _ in leaves[0]) for each in range(len(PIECE_NAMES) + 1)]
    below = [[mask_of({*side[at : side[at, 1], 3]}) for at in range(len(side))] for side in tables]
    return (
        *(np.ascontiguousarray(tables[:, :, column]) for column in range(4)),
        np.array(below, np.int32),
        np.array(first, np.int64),
        np.array([[move for _, move, _ in side] for side in leaves], np.int32),
        np.array([_padded_rows([path for _, _, path in side], END_OF_OFFSETS) for side in leaves], np.int16),
    )


# Nodes: the triangle each adds, the node to go on with where that is closed, and as all triangles up
# to there are a place, its move, less the number of the cell, and its piece; and the pieces of a node and
# of all its branches. Leaves are the same places by piece, FIRST_LEAF on: their moves, and all their
# triangles, each next to one before.
TRIE_CELL, TRIE_SKIP, TRIE_MOVE, TRIE_PIECE, TRIE_SUBTREE_PIECES, FIRST_LEAF, LEAF_MOVE, LEAF_CELLS = (
    _placement_trie()
)
TRIE_NODES: Final = len(TRIE_CELL[0])


# --- Positions ----------------------------------------------------------------------------------

FREE_STARTS, SPACED_STARTS, PAIRED_STARTS = 0, 3, 2  # which starts a first piece may cover: any, TR-7, TR-8
MAX_MOVES: Final = 1 << 15  # more than there are places: no list of moves ever overflows
START_CELLS: Final = np.array([cell + MARGIN for cell in STARTS], np.int64)

# What is marked on a cell, a bit a colour: shift CLOSED & co. by the colour.
FORBIDDEN: Final = 0x1  # the colour may not cover it
ATTACH: Final = 0x10  # it attaches to a piece of the colour, or is a start for its first piece
LISTED: Final = 0x100  # all moves through it are in the colour's list
OCCUPIED: Final = 0x1000  # the colour lies on it
LOCAL_SHIFT: Final = 16  # not a bit a colour but a number, shifted so far: see `playout`
ALL_COLOURS: Final = 0xF  # times a mark: for all colours

# The rows of `counters`: columns are colours.
ATTACH_COUNT, PIECES_LEFT, LEAF_COUNT, MOVE_COUNT, ATTACH_SCANNED, LAST_WAS_SINGLE, LAST_ATTACH_START = range(
    7
)
# The entries of `status`.
START_RULE, CORNERS_ONLY, IN_PLAY, BLOCKED = range(4)


class Position(NamedTuple):
    """A position. Rows of the lists are colours.

    cell_flags  by cell: the marks above
    attach_cells  the cells marked TOUCH, in the order in which they were found, some closed since
    leaves   the leaves of the pieces still to place
    moves    the moves found so far, some illegal since
    counters  by colour: NUMBER of cells in `attach_cells`, the set of pieces LEFT, how many leaves are HELD,
              how
             many moves are KNOWN, how many cells of `attach_cells` they come FROM, whether the last
             piece IS_SINGLE, and from where on `attach_cells` is of its LATEST piece
    status  the rule for STARTING, whether only CORNERS may touch (TR-10), the colours IN_PLAY and OUT
    """

    cell_flags: NDArray[np.uint32]
    attach_cells: Int16Array
    leaves: Int16Array
    moves: NDArray[np.int32]
    counters: Int64Array
    status: Int64Array


def empty_position(field: int, starting: int, corners_only: bool, in_play: int) -> Position:
    """A board on which nothing lies yet."""
    marks = np.full(PADDED_CELLS, FORBIDDEN * ALL_COLOURS, np.uint32)
    for cell in cells_of(field):
        marks[cell + MARGIN] = 0
    colours = len(COLOURS)
    tally = np.zeros((7, colours), np.int64)
    tally[PIECES_LEFT], tally[LEAF_COUNT] = ALL_PIECES, TRIE_NODES
    return Position(
        marks,
        np.zeros((colours, GRID), np.int16),
        np.repeat(np.arange(TRIE_NODES, dtype=np.int16)[None], colours, 0),
        np.zeros((colours, MAX_MOVES), np.int32),
        tally,
        np.array([starting, corners_only, in_play, 0], np.int64),
    )


_SHAPE_INDEX: Final = {
    (cells[0] % 2, *(cell - cells[0] for cell in cells)): shape
    for shape, (_, cells) in enumerate(SHAPE_CELLS)
}


def encode_move(cells: Cells) -> int:
    """The move that covers some cells."""
    shape = _SHAPE_INDEX[cells[0] % 2, *(cell - cells[0] for cell in cells)]
    return (shape << SHAPE_SHIFT) + cells[0] + MARGIN


def decode_move(move: int) -> Cells:
    """The cells that a move covers."""
    lowest = (move & ANCHOR_MASK) - MARGIN
    return tuple(
        int(offset) + lowest for offset in COVERED_OFFSETS[move >> SHAPE_SHIFT] if offset != END_OF_OFFSETS
    )


def from_state(state: State, lately: Sequence[int] = ()) -> Position:
    """A game's position for the functions below; `lately` are the last pieces, if that is known."""
    options, starting = state.options, FREE_STARTS
    if options.players == 3:
        starting = SPACED_STARTS
    elif options.paired_starts:
        starting = PAIRED_STARTS
    position = empty_position(state.field, starting, options.corners_only, mask_of(state.in_play))
    pieces = [(colour_of(code), encode_move(cells)) for code, cells in state.pieces_on_board.items()]
    for colour, move in pieces:
        if move not in lately:
            place_piece(position, colour, move)
    position.counters[LAST_ATTACH_START] = position.counters[
        ATTACH_COUNT
    ]  # a state does not tell which piece was the last
    for colour, move in pieces:
        if move in lately:
            place_piece(position, colour, move)
    for colour in range(len(COLOURS)):
        position.counters[LAST_WAS_SINGLE, colour] = state.single_last >> colour & 1
    position.status[BLOCKED] = state.blocked
    return position


@njit_cached
def clone(source: Position) -> Position:
    """Another position just like it."""
    return Position(
        source.cell_flags.copy(),
        source.attach_cells.copy(),
        source.leaves.copy(),
        source.moves.copy(),
        source.counters.copy(),
        source.status.copy(),
    )


@njit_no_nrt
def copy_into(source: Position, target: Position) -> None:
    """Make a position equal to another, as far as its lists are filled."""
    _copy_prefix(source.cell_flags, target.cell_flags, PADDED_CELLS)
    _copy_prefix(source.status, target.status, len(source.status))
    for row in range(len(source.counters)):
        _copy_prefix(source.counters[row], target.counters[row], len(COLOURS))
    for colour in range(4):
        _copy_prefix(
            source.attach_cells[colour], target.attach_cells[colour], source.counters[ATTACH_COUNT, colour]
        )
        _copy_prefix(source.leaves[colour], target.leaves[colour], source.counters[LEAF_COUNT, colour])
        _copy_prefix(source.moves[colour], target.moves[colour], source.counters[MOVE_COUNT, colour])


@njit_no_nrt
def _copy_prefix(source: Any, target: Any, number: int) -> None:
    for index in range(number):
        target[u64(index)] = source[u64(index)]


@njit_no_nrt
def place_piece(position: Position, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, legal or not."""
    marks, tally = position.cell_flags, position.counters
    shape, lowest = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    if tally[PIECES_LEFT, colour] == ALL_PIECES:
        _clear_attach_cells(position, colour)
    covers, aside, touches = COVERED_OFFSETS[shape], EDGE_OFFSETS[shape], VERTEX_OFFSETS[shape]
    index = 0
    while covers[u64(index)] != END_OF_OFFSETS:
        marks[u64(lowest + covers[u64(index)])] = FORBIDDEN * ALL_COLOURS | OCCUPIED << colour
        index += 1
    index = 0
    while aside[u64(index)] != END_OF_OFFSETS:
        marks[u64(lowest + aside[u64(index)])] |= FORBIDDEN << colour
        index += 1
    if position.status[CORNERS_ONLY]:
        index = 0
        while FLAT_OFFSETS[shape, index] != END_OF_OFFSETS:
            marks[lowest + FLAT_OFFSETS[shape, index]] |= FORBIDDEN << colour
            index += 1
    count = tally[LAST_ATTACH_START, colour] = tally[ATTACH_COUNT, colour]
    attach, index = position.attach_cells[colour], 0
    while touches[u64(index)] != END_OF_OFFSETS:
        cell = lowest + touches[u64(index)]
        if not marks[u64(cell)] & (FORBIDDEN | ATTACH) << colour:
            marks[u64(cell)] |= ATTACH << colour
            attach[u64(count)] = cell
            count += 1
        index += 1
    tally[ATTACH_COUNT, colour] = count
    piece = PIECE_OF_SHAPE[shape]
    tally[PIECES_LEFT, colour] &= ~(1 << piece)
    tally[LAST_WAS_SINGLE, colour] = piece == SINGLE_TRIANGLE
    if not tally[LEAF_COUNT, colour]:
        return
    leaves = position.leaves[colour]
    begin, gone = 0, FIRST_LEAF[piece + 1] - FIRST_LEAF[piece]
    while leaves[begin] < FIRST_LEAF[piece]:
        begin += 1
    tally[LEAF_COUNT, colour] -= gone
    for index in range(begin, tally[LEAF_COUNT, colour]):
        leaves[index] = leaves[index + gone]


@njit_no_nrt
def _clear_attach_cells(position: Position, colour: int) -> None:
    """Forget what a colour attached to and its moves: starts count for the first piece only."""
    for index in range(position.counters[ATTACH_COUNT, colour]):
        position.cell_flags[position.attach_cells[colour, index]] &= 0xFFFF ^ ((ATTACH | LISTED) << colour)
    position.counters[ATTACH_COUNT, colour] = position.counters[MOVE_COUNT, colour] = position.counters[
        ATTACH_SCANNED, colour
    ] = 0


@njit_no_nrt
def add_start_cells(position: Position, colour: int) -> None:
    """TR-2, TR-7, TR-8: before its first piece, a colour attaches to the starts that it may cover."""
    _clear_attach_cells(position, colour)
    marks, rule = position.cell_flags, position.status[START_RULE]
    for index in range(6):
        allowed = not marks[START_CELLS[index]] & FORBIDDEN << colour
        for other in range(6):
            for taker in range(4):
                if taker == colour or not marks[START_CELLS[other]] & OCCUPIED << taker:
                    continue
                if rule == SPACED_STARTS and (index - other) % 2:
                    allowed = False
                if rule == PAIRED_STARTS and ((index - other) % 6 == 3) != (taker == (colour + 2) % 4):
                    allowed = False
        if allowed:
            marks[START_CELLS[index]] |= ATTACH << colour
            position.attach_cells[colour, position.counters[ATTACH_COUNT, colour]] = START_CELLS[index]
            position.counters[ATTACH_COUNT, colour] += 1


# --- Moves --------------------------------------------------------------------------------------


@njit_no_nrt
def flat_contact(position: Position, colour: int, move: int) -> bool:
    """TR-10: whether a straight side of a piece laid so would touch a corner of its own colour."""
    shape, lowest = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    index = 0
    while FLAT_OFFSETS[shape, index] != END_OF_OFFSETS:
        if position.cell_flags[lowest + FLAT_OFFSETS[shape, index]] & OCCUPIED << colour:
            return True
        index += 1
    return False


@njit_no_nrt
def covered_flags(marks: NDArray[np.uint32], shape: int, lowest: int) -> int:
    """All marks of the cells that a move covers; without a loop, since nothing is asked more often."""
    six = COVERED_OFFSETS_6[u64(shape)]
    marked = marks[u64(lowest + six[0])] | marks[u64(lowest + six[1])] | marks[u64(lowest + six[2])]
    marked |= marks[u64(lowest + six[3])] | marks[u64(lowest + six[4])] | marks[u64(lowest + six[5])]
    return int(marked)


@njit_no_nrt
def _still_legal(position: Position, colour: int, move: int) -> bool:
    """Whether a move that was legal still is."""
    shape, lowest = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    if not position.counters[PIECES_LEFT, colour] >> PIECE_OF_SHAPE[u64(shape)] & 1:
        return False
    if covered_flags(position.cell_flags, shape, lowest) & FORBIDDEN << colour:
        return False
    return not (position.status[CORNERS_ONLY] and flat_contact(position, colour, move))


@njit_no_nrt
def is_legal(position: Position, colour: int, move: int) -> bool:
    """TR-2, TR-3, TR-10: whether a colour may play a move."""
    attached = covered_flags(position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK) & ATTACH << colour
    return attached != 0 and _still_legal(position, colour, move)


@njit_no_nrt
def extend_move_list(position: Position, colour: int) -> None:
    """Add to the moves known those through cells that began to attach since the last time.

    No move through a cell seen before is new, or it would be known.
    """
    marks, moves, tally = position.cell_flags, position.moves[colour], position.counters
    count, left, only_corners = (
        tally[MOVE_COUNT, colour],
        tally[PIECES_LEFT, colour],
        position.status[CORNERS_ONLY],
    )
    stop = (FORBIDDEN | LISTED) << colour
    for index in range(tally[ATTACH_SCANNED, colour], tally[ATTACH_COUNT, colour]):
        cell = int(position.attach_cells[colour, index])
        up, node = cell & 1, 0
        adds, skip, below, pieces = TRIE_CELL[up], TRIE_SKIP[up], TRIE_SUBTREE_PIECES[up], TRIE_PIECE[up]
        while node < TRIE_NODES:
            if marks[u64(cell + adds[u64(node)])] & stop or not left & below[u64(node)]:
                node = int(skip[u64(node)])
                continue
            if left >> pieces[u64(node)] & 1:
                move = TRIE_MOVE[up, node] + cell
                if not (only_corners and flat_contact(position, colour, move)):
                    moves[u64(count)] = move
                    count += 1
            node += 1
        marks[cell] |= LISTED << colour
    tally[MOVE_COUNT, colour] = count
    tally[ATTACH_SCANNED, colour] = tally[ATTACH_COUNT, colour]


@njit_cached
def legal_moves(position: Position, colour: int) -> NDArray[np.int32]:
    """The legal moves of a colour, each once, in no useful order: kept up to date, not found anew."""
    moves: NDArray[np.int32] = position.moves[colour]
    if position.counters[PIECES_LEFT, colour] == ALL_PIECES:
        add_start_cells(position, colour)
    count = 0
    for index in range(position.counters[MOVE_COUNT, colour]):
        if _still_legal(position, colour, moves[u64(index)]):
            moves[u64(count)] = moves[u64(index)]
            count += 1
    position.counters[MOVE_COUNT, colour] = count
    extend_move_list(position, colour)
    return moves[: position.counters[MOVE_COUNT, colour]]


# --- Random games -------------------------------------------------------------------------------

MAX_GUESSES: Final = 128  # how often a random move is guessed before all moves are listed


@njit_no_nrt
def xorshift64_below(random: NDArray[np.uint64], below: int) -> int:
    """A random number from 0 on (xorshift, and the high half of a product instead of a remainder)."""
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return int(np.int64((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32)))  # signed when compiled


@njit_cached
def new_xorshift64(seed: int) -> NDArray[np.uint64]:
    """Where random numbers come from."""
    random = np.array([seed * 2 + 1], np.uint64)
    for _ in range(16):  # small seeds differ in few bits
        xorshift64_below(random, 2)
    return random


@njit_no_nrt
def random_move(position: Position, colour: int, random: NDArray[np.uint64]) -> int:
    """A random legal move, all equally likely, or -1 if there is none.

    First by guessing: a cell to attach to, a leaf that covers it. A move that covers several such
    cells is guessed as many times as often, and so it is taken that much more seldom. Once guessing
    has failed the board is full enough for listing to be quick.
    """
    marks, tally = position.cell_flags, position.counters
    if tally[PIECES_LEFT, colour] == ALL_PIECES:
        add_start_cells(position, colour)
    count, held = tally[ATTACH_COUNT, colour], tally[LEAF_COUNT, colour]
    if not count or not held:
        return -1
    closed, touch, move = FORBIDDEN << colour, ATTACH << colour, -1
    for _ in range(0 if tally[ATTACH_SCANNED, colour] else MAX_GUESSES):
        index = xorshift64_below(random, count)
        cell = int(position.attach_cells[colour, index])
        if marks[cell] & closed:
            if count == 1:
                break
            count -= 1
            position.attach_cells[colour, index] = position.attach_cells[colour, count]
            tally[ATTACH_COUNT, colour] = count
            continue
        leaf, up = position.leaves[colour, xorshift64_below(random, held)], cell & 1
        times, index = 1, 1
        while LEAF_CELLS[up, leaf, index] != END_OF_OFFSETS:
            mark = marks[cell + LEAF_CELLS[up, leaf, index]]
            if mark & closed:
                times = 0
                break
            times += (mark & touch) != 0
            index += 1
        if times == 0 or (times > 1 and xorshift64_below(random, times)):
            continue
        move = int(LEAF_MOVE[up, leaf]) + cell
        if not (position.status[CORNERS_ONLY] and flat_contact(position, colour, move)):
            return move
    extend_move_list(position, colour)
    count = tally[MOVE_COUNT, colour]
    while count:
        index = xorshift64_below(random, count)
        move = int(position.moves[colour, index])
        if _still_legal(position, colour, move):
            break
        count -= 1
        position.moves[colour, index] = position.moves[colour, count]
    tally[MOVE_COUNT, colour] = count
    return move if count else -1


@njit_no_nrt
def random_playout(position: Position, turn: int, random: NDArray[np.uint64]) -> int:
    """Play a game to its end at random; how many pieces were placed. `final_score` tells the rest."""
    placed = 0
    out = position.status[BLOCKED] | (ALL_COLOURS & ~position.status[IN_PLAY])
    while out != ALL_COLOURS:
        if not out >> turn & 1:
            move = random_move(position, turn, random)
            if move < 0:
                out |= 1 << turn
            else:
                place_piece(position, turn, move)
                placed += 1
        turn = (turn + 1) & 3
    position.status[BLOCKED] = position.status[IN_PLAY]
    return placed


@njit_no_nrt
def final_score(position: Position, colour: int) -> int:
    """TR-6: the score of a colour."""
    total = 0
    for piece in range(len(SIZE_OF_PIECE)):
        if position.counters[PIECES_LEFT, colour] >> piece & 1:
            total -= SIZE_OF_PIECE[piece]
    if total == 0:
        total = SINGLE_LAST_SCORE if position.counters[LAST_WAS_SINGLE, colour] else ALL_PLACED_SCORE
    return total


@njit_cached
def random_games(start: Position, turn: int, count: int, seed: int) -> Int64Array:
    """The sum of each colour's scores over random games, and the number of pieces placed in all."""
    random, sums, position = new_xorshift64(seed), np.zeros(5, np.int64), clone(start)
    for _ in range(count):
        copy_into(start, position)
        sums[4] += random_playout(position, turn, random)
        for colour in range(4):
            sums[colour] += final_score(position, colour)
    return sums
