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

from tripot.engine.jit import compiled, lean
from tripot.games.trigon.board import (
    COLOURS,
    GRID,
    ORIENTED,
    PIECES,
    POINTS,
    SIDES,
    SINGLE,
    SIZES,
    STARTS,
    WIDTH,
    Cells,
    bits,
    flat_points,
    in_order,
    members,
)
from tripot.games.trigon.rules import ALL_PLACED, SINGLE_LAST, State, colour_of

Shorts: TypeAlias = NDArray[np.int16]
Numbers: TypeAlias = NDArray[np.int64]


# --- The board and the pieces as tables ---------------------------------------------------------

MARGIN: Final = 6 * WIDTH  # the closed rows below the board; even, so odd cells still point up
CELLS: Final = GRID + 2 * MARGIN
SHIFT: Final = 11  # a move is its shape, shifted so far, and its lowest cell
LOWEST: Final = (1 << SHIFT) - 1
ALL: Final = (1 << len(PIECES)) - 1  # a set of pieces


def _table(rows: list[list[int]], empty: int) -> Shorts:
    """Rows of unequal length as one array, each followed by `empty`."""
    width = max(map(len, rows)) + 1
    return np.array([row + [empty] * (width - len(row)) for row in rows], np.int16)


NONE: Final = 30_000  # ends a list of offsets
nth = np.uint64  # around an index where speed counts: without a sign, Numba need not ask for it
PIECE: Final = np.array([piece for piece, _ in ORIENTED], np.int64)  # by shape
SIZE: Final = np.array(SIZES, np.int64)  # by piece


def _offsets(near: Callable[[Cells], set[int]]) -> Shorts:
    """Of each shape: cells that have to do with it, as offsets from its lowest cell."""
    return _table([sorted(cell - cells[0] for cell in near(cells)) for _, cells in ORIENTED], NONE)


def _sides(cells: Cells) -> set[int]:
    return {each for cell in cells for each in members(SIDES[cell])} - {*cells}


def _points(cells: Cells) -> set[int]:
    return {each for cell in cells for each in members(POINTS[cell])} - {*cells} - _sides(cells)


COVERS: Final = _offsets(lambda cells: {*cells})
SIX: Final = np.where(COVERS[:, :6] == NONE, 0, COVERS[:, :6]).astype(np.int64)  # always six, some twice
TOUCHES: Final = _offsets(_points)  # cells that meet the shape at a point only
ASIDE: Final = _offsets(_sides)  # cells that share a side with it
FLAT: Final = _offsets(lambda cells: {*members(flat_points(cells))})  # TR-10


def _tree() -> tuple[Any, ...]:
    """The arrays below, of both ways a triangle can point."""
    nodes: list[list[tuple[int, int, int, int]]] = [[], []]
    leaves: list[list[tuple[int, int, list[int]]]] = [[], []]
    for up in range(2):
        ends: dict[tuple[int, ...], tuple[int, int]] = {}
        for shape, (piece, cells) in enumerate(ORIENTED):
            for anchor in cells:
                if anchor % 2 == up:
                    path = tuple(cell - anchor for cell in in_order(cells, anchor))
                    ends[path] = (shape << SHIFT) + cells[0] - anchor, piece
        paths = sorted(ends)  # a path comes before its branches, and they follow at once
        for index, path in enumerate(paths):
            branches = sum(each[: len(path)] == path for each in paths)
            nodes[up].append((path[-1], index + branches, *ends[path]))
        leaves[up] = sorted((piece, move, [*path]) for path, (move, piece) in ends.items())
    tables = np.array(nodes, np.int32)
    first = [sum(piece < each for piece, _, _ in leaves[0]) for each in range(len(PIECES) + 1)]
    below = [[bits({*side[at : side[at, 1], 3]}) for at in range(len(side))] for side in tables]
    return (
        *(np.ascontiguousarray(tables[:, :, column]) for column in range(4)),
        np.array(below, np.int32),
        np.array(first, np.int64),
        np.array([[move for _, move, _ in side] for side in leaves], np.int32),
        np.array([_table([path for _, _, path in side], NONE) for side in leaves], np.int16),
    )


# Nodes: the triangle each adds, the node to go on with where that is closed, and as all triangles up
# to there are a place, its move, less the number of the cell, and its piece; and the pieces of a node and
# of all its branches. Leaves are the same places by piece, FIRST_LEAF on: their moves, and all their
# triangles, each next to one before.
ADDS, SKIP, MOVE, NODE_PIECE, BELOW, FIRST_LEAF, LEAF_MOVE, LEAF_CELLS = _tree()
NODES: Final = len(ADDS[0])


# --- Positions ----------------------------------------------------------------------------------

FREE_STARTS, SPACED_STARTS, PAIRED_STARTS = 0, 3, 2  # which starts a first piece may cover: any, TR-7, TR-8
MOST_MOVES: Final = 1 << 15  # more than there are places: no list of moves ever overflows
START_CELLS: Final = np.array([cell + MARGIN for cell in STARTS], np.int64)

# What is marked on a cell, a bit a colour: shift CLOSED & co. by the colour.
CLOSED: Final = 0x1  # the colour may not cover it
TOUCH: Final = 0x10  # it attaches to a piece of the colour, or is a start for its first piece
SEEN: Final = 0x100  # all moves through it are in the colour's list
OWN: Final = 0x1000  # the colour lies on it
HOT: Final = 16  # not a bit a colour but a number, shifted so far: see `kernel_playout`
FOR_ALL: Final = 0xF  # times a mark: for all colours

# The rows of `tally`: columns are colours.
NUMBER, LEFT, HELD, KNOWN, FROM, IS_SINGLE, LATEST = range(7)
# The entries of `rules`.
STARTING, CORNERS, IN_PLAY, OUT = range(4)


class Position(NamedTuple):
    """A position. Rows of the lists are colours.

    marks    by cell: the marks above
    attach   the cells marked TOUCH, in the order in which they were found, some closed since
    leaves   the leaves of the pieces still to place
    moves    the moves found so far, some illegal since
    tally    by colour: NUMBER of cells in `attach`, the set of pieces LEFT, how many leaves are HELD, how
             many moves are KNOWN, how many cells of `attach` they come FROM, whether the last
             piece IS_SINGLE, and from where on `attach` is of its LATEST piece
    rules    the rule for STARTING, whether only CORNERS may touch (TR-10), the colours IN_PLAY and OUT
    """

    marks: NDArray[np.uint32]
    attach: Shorts
    leaves: Shorts
    moves: NDArray[np.int32]
    tally: Numbers
    rules: Numbers


def empty(field: int, starting: int, corners_only: bool, in_play: int) -> Position:
    """A board on which nothing lies yet."""
    marks = np.full(CELLS, CLOSED * FOR_ALL, np.uint32)
    for cell in members(field):
        marks[cell + MARGIN] = 0
    colours = len(COLOURS)
    tally = np.zeros((7, colours), np.int64)
    tally[LEFT], tally[HELD] = ALL, NODES
    return Position(
        marks,
        np.zeros((colours, GRID), np.int16),
        np.repeat(np.arange(NODES, dtype=np.int16)[None], colours, 0),
        np.zeros((colours, MOST_MOVES), np.int32),
        tally,
        np.array([starting, corners_only, in_play, 0], np.int64),
    )


_SHAPES: Final = {
    (cells[0] % 2, *(cell - cells[0] for cell in cells)): shape for shape, (_, cells) in enumerate(ORIENTED)
}


def encode(cells: Cells) -> int:
    """The move that covers some cells."""
    shape = _SHAPES[cells[0] % 2, *(cell - cells[0] for cell in cells)]
    return (shape << SHIFT) + cells[0] + MARGIN


def decode(move: int) -> Cells:
    """The cells that a move covers."""
    lowest = (move & LOWEST) - MARGIN
    return tuple(int(offset) + lowest for offset in COVERS[move >> SHIFT] if offset != NONE)


def pack(state: State, lately: Sequence[int] = ()) -> Position:
    """A game's position for the functions below; `lately` are the last pieces, if that is known."""
    options, starting = state.options, FREE_STARTS
    if options.players == 3:
        starting = SPACED_STARTS
    elif options.paired_starts:
        starting = PAIRED_STARTS
    position = empty(state.field, starting, options.corners, bits(state.in_play))
    pieces = [(colour_of(code), encode(cells)) for code, cells in state.pieces_on.items()]
    for colour, move in pieces:
        if move not in lately:
            put(position, colour, move)
    position.tally[LATEST] = position.tally[NUMBER]  # a state does not tell which piece was the last
    for colour, move in pieces:
        if move in lately:
            put(position, colour, move)
    for colour in range(len(COLOURS)):
        position.tally[IS_SINGLE, colour] = state.singles >> colour & 1
    position.rules[OUT] = state.out
    return position


@compiled
def copied(source: Position) -> Position:
    """Another position just like it."""
    return Position(
        source.marks.copy(),
        source.attach.copy(),
        source.leaves.copy(),
        source.moves.copy(),
        source.tally.copy(),
        source.rules.copy(),
    )


@lean
def copy(source: Position, target: Position) -> None:
    """Make a position equal to another, as far as its lists are filled."""
    _copy_some(source.marks, target.marks, CELLS)
    _copy_some(source.rules, target.rules, len(source.rules))
    for row in range(len(source.tally)):
        _copy_some(source.tally[row], target.tally[row], len(COLOURS))
    for colour in range(4):
        _copy_some(source.attach[colour], target.attach[colour], source.tally[NUMBER, colour])
        _copy_some(source.leaves[colour], target.leaves[colour], source.tally[HELD, colour])
        _copy_some(source.moves[colour], target.moves[colour], source.tally[KNOWN, colour])


@lean
def _copy_some(source: Any, target: Any, number: int) -> None:
    for index in range(number):
        target[nth(index)] = source[nth(index)]


@lean
def put(position: Position, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, legal or not."""
    marks, tally = position.marks, position.tally
    shape, lowest = move >> SHIFT, move & LOWEST
    if tally[LEFT, colour] == ALL:
        _detach(position, colour)
    covers, aside, touches = COVERS[shape], ASIDE[shape], TOUCHES[shape]
    index = 0
    while covers[nth(index)] != NONE:
        marks[nth(lowest + covers[nth(index)])] = CLOSED * FOR_ALL | OWN << colour
        index += 1
    index = 0
    while aside[nth(index)] != NONE:
        marks[nth(lowest + aside[nth(index)])] |= CLOSED << colour
        index += 1
    if position.rules[CORNERS]:
        index = 0
        while FLAT[shape, index] != NONE:
            marks[lowest + FLAT[shape, index]] |= CLOSED << colour
            index += 1
    count = tally[LATEST, colour] = tally[NUMBER, colour]
    attach, index = position.attach[colour], 0
    while touches[nth(index)] != NONE:
        cell = lowest + touches[nth(index)]
        if not marks[nth(cell)] & (CLOSED | TOUCH) << colour:
            marks[nth(cell)] |= TOUCH << colour
            attach[nth(count)] = cell
            count += 1
        index += 1
    tally[NUMBER, colour] = count
    piece = PIECE[shape]
    tally[LEFT, colour] &= ~(1 << piece)
    tally[IS_SINGLE, colour] = piece == SINGLE
    if not tally[HELD, colour]:
        return
    leaves = position.leaves[colour]
    begin, gone = 0, FIRST_LEAF[piece + 1] - FIRST_LEAF[piece]
    while leaves[begin] < FIRST_LEAF[piece]:
        begin += 1
    tally[HELD, colour] -= gone
    for index in range(begin, tally[HELD, colour]):
        leaves[index] = leaves[index + gone]


@lean
def _detach(position: Position, colour: int) -> None:
    """Forget what a colour attached to and its moves: starts count for the first piece only."""
    for index in range(position.tally[NUMBER, colour]):
        position.marks[position.attach[colour, index]] &= 0xFFFF ^ ((TOUCH | SEEN) << colour)
    position.tally[NUMBER, colour] = position.tally[KNOWN, colour] = position.tally[FROM, colour] = 0


@lean
def attach_starts(position: Position, colour: int) -> None:
    """TR-2, TR-7, TR-8: before its first piece, a colour attaches to the starts that it may cover."""
    _detach(position, colour)
    marks, rule = position.marks, position.rules[STARTING]
    for index in range(6):
        allowed = not marks[START_CELLS[index]] & CLOSED << colour
        for other in range(6):
            for taker in range(4):
                if taker == colour or not marks[START_CELLS[other]] & OWN << taker:
                    continue
                if rule == SPACED_STARTS and (index - other) % 2:
                    allowed = False
                if rule == PAIRED_STARTS and ((index - other) % 6 == 3) != (taker == (colour + 2) % 4):
                    allowed = False
        if allowed:
            marks[START_CELLS[index]] |= TOUCH << colour
            position.attach[colour, position.tally[NUMBER, colour]] = START_CELLS[index]
            position.tally[NUMBER, colour] += 1


# --- Moves --------------------------------------------------------------------------------------


@lean
def flat_contact(position: Position, colour: int, move: int) -> bool:
    """TR-10: whether a straight side of a piece laid so would touch a corner of its own colour."""
    shape, lowest = move >> SHIFT, move & LOWEST
    index = 0
    while FLAT[shape, index] != NONE:
        if position.marks[lowest + FLAT[shape, index]] & OWN << colour:
            return True
        index += 1
    return False


@lean
def covered(marks: NDArray[np.uint32], shape: int, lowest: int) -> int:
    """All marks of the cells that a move covers; without a loop, since nothing is asked more often."""
    six = SIX[nth(shape)]
    marked = marks[nth(lowest + six[0])] | marks[nth(lowest + six[1])] | marks[nth(lowest + six[2])]
    marked |= marks[nth(lowest + six[3])] | marks[nth(lowest + six[4])] | marks[nth(lowest + six[5])]
    return int(marked)


@lean
def _fits(position: Position, colour: int, move: int) -> bool:
    """Whether a move that was legal still is."""
    shape, lowest = move >> SHIFT, move & LOWEST
    if not position.tally[LEFT, colour] >> PIECE[nth(shape)] & 1:
        return False
    if covered(position.marks, shape, lowest) & CLOSED << colour:
        return False
    return not (position.rules[CORNERS] and flat_contact(position, colour, move))


@lean
def playable(position: Position, colour: int, move: int) -> bool:
    """TR-2, TR-3, TR-10: whether a colour may play a move."""
    attached = covered(position.marks, move >> SHIFT, move & LOWEST) & TOUCH << colour
    return attached != 0 and _fits(position, colour, move)


@lean
def extend(position: Position, colour: int) -> None:
    """Add to the moves known those through cells that began to attach since the last time.

    No move through a cell seen before is new, or it would be known.
    """
    marks, moves, tally = position.marks, position.moves[colour], position.tally
    count, left, only_corners = tally[KNOWN, colour], tally[LEFT, colour], position.rules[CORNERS]
    stop = (CLOSED | SEEN) << colour
    for index in range(tally[FROM, colour], tally[NUMBER, colour]):
        cell = int(position.attach[colour, index])
        up, node = cell & 1, 0
        adds, skip, below, pieces = ADDS[up], SKIP[up], BELOW[up], NODE_PIECE[up]
        while node < NODES:
            if marks[nth(cell + adds[nth(node)])] & stop or not left & below[nth(node)]:
                node = int(skip[nth(node)])
                continue
            if left >> pieces[nth(node)] & 1:
                move = MOVE[up, node] + cell
                if not (only_corners and flat_contact(position, colour, move)):
                    moves[nth(count)] = move
                    count += 1
            node += 1
        marks[cell] |= SEEN << colour
    tally[KNOWN, colour] = count
    tally[FROM, colour] = tally[NUMBER, colour]


@compiled
def legal(position: Position, colour: int) -> NDArray[np.int32]:
    """The legal moves of a colour, each once, in no useful order: kept up to date, not found anew."""
    moves: NDArray[np.int32] = position.moves[colour]
    if position.tally[LEFT, colour] == ALL:
        attach_starts(position, colour)
    count = 0
    for index in range(position.tally[KNOWN, colour]):
        if _fits(position, colour, moves[nth(index)]):
            moves[nth(count)] = moves[nth(index)]
            count += 1
    position.tally[KNOWN, colour] = count
    extend(position, colour)
    return moves[: position.tally[KNOWN, colour]]


# --- Random games -------------------------------------------------------------------------------

TRIES: Final = 128  # how often a random move is guessed before all moves are listed


@lean
def random_number(random: NDArray[np.uint64], below: int) -> int:
    """A random number from 0 on (xorshift, and the high half of a product instead of a remainder)."""
    x = random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    random[0] = x
    return int(np.int64((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32)))  # signed when compiled


@compiled
def seeded(seed: int) -> NDArray[np.uint64]:
    """Where random numbers come from."""
    random = np.array([seed * 2 + 1], np.uint64)
    for _ in range(16):  # small seeds differ in few bits
        random_number(random, 2)
    return random


@lean
def draw(position: Position, colour: int, random: NDArray[np.uint64]) -> int:
    """A random legal move, all equally likely, or -1 if there is none.

    First by guessing: a cell to attach to, a leaf that covers it. A move that covers several such
    cells is guessed as many times as often, and so it is taken that much more seldom. Once guessing
    has failed the board is full enough for listing to be quick.
    """
    marks, tally = position.marks, position.tally
    if tally[LEFT, colour] == ALL:
        attach_starts(position, colour)
    count, held = tally[NUMBER, colour], tally[HELD, colour]
    if not count or not held:
        return -1
    closed, touch, move = CLOSED << colour, TOUCH << colour, -1
    for _ in range(0 if tally[FROM, colour] else TRIES):
        index = random_number(random, count)
        cell = int(position.attach[colour, index])
        if marks[cell] & closed:
            if count == 1:
                break
            count -= 1
            position.attach[colour, index] = position.attach[colour, count]
            tally[NUMBER, colour] = count
            continue
        leaf, up = position.leaves[colour, random_number(random, held)], cell & 1
        times, index = 1, 1
        while LEAF_CELLS[up, leaf, index] != NONE:
            mark = marks[cell + LEAF_CELLS[up, leaf, index]]
            if mark & closed:
                times = 0
                break
            times += (mark & touch) != 0
            index += 1
        if times == 0 or (times > 1 and random_number(random, times)):
            continue
        move = int(LEAF_MOVE[up, leaf]) + cell
        if not (position.rules[CORNERS] and flat_contact(position, colour, move)):
            return move
    extend(position, colour)
    count = tally[KNOWN, colour]
    while count:
        index = random_number(random, count)
        move = int(position.moves[colour, index])
        if _fits(position, colour, move):
            break
        count -= 1
        position.moves[colour, index] = position.moves[colour, count]
    tally[KNOWN, colour] = count
    return move if count else -1


@lean
def play_out(position: Position, turn: int, random: NDArray[np.uint64]) -> int:
    """Play a game to its end at random; how many pieces were placed. `score` tells the rest."""
    placed = 0
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    while out != FOR_ALL:
        if not out >> turn & 1:
            move = draw(position, turn, random)
            if move < 0:
                out |= 1 << turn
            else:
                put(position, turn, move)
                placed += 1
        turn = (turn + 1) & 3
    position.rules[OUT] = position.rules[IN_PLAY]
    return placed


@lean
def score(position: Position, colour: int) -> int:
    """TR-6: the score of a colour."""
    total = 0
    for piece in range(len(SIZE)):
        if position.tally[LEFT, colour] >> piece & 1:
            total -= SIZE[piece]
    if total == 0:
        total = SINGLE_LAST if position.tally[IS_SINGLE, colour] else ALL_PLACED
    return total


@compiled
def random_games(start: Position, turn: int, count: int, seed: int) -> Numbers:
    """The sum of each colour's scores over random games, and the number of pieces placed in all."""
    random, sums, position = seeded(seed), np.zeros(5, np.int64), copied(start)
    for _ in range(count):
        copy(start, position)
        sums[4] += play_out(position, turn, random)
        for colour in range(4):
            sums[colour] += score(position, colour)
    return sums
