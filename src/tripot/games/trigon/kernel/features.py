"""What a move of Trigon looks like before anything is searched, compiled by Numba.

How far is each cell from each colour, in steps over cells open to it? That, the middle of the board and
the room around a cell make its signs. A move is its piece, the signs of the cells that it covers, those
of the cells to which it newly attaches, and what it closes beside it. Each counts with a weight, which
depends on how far the colour is; so, once a table of the cells is made, a move is a few look-ups.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled, lean
from tripot.games.trigon.board import GRID, WIDTH
from tripot.games.trigon.kernel.position import (
    ALL,
    ASIDE,
    CELLS,
    CLOSED,
    COVERS,
    FOR_ALL,
    IN_PLAY,
    LATEST,
    LEFT,
    LOWEST,
    MARGIN,
    NONE,
    NUMBER,
    OUT,
    PIECE,
    SHIFT,
    SIZE,
    START_CELLS,
    TOUCH,
    TOUCHES,
    Numbers,
    Position,
    attach_starts,
    covered,
    nth,
)

Floats = NDArray[np.float64]

PIECES: Final = len(SIZE)
FAR: Final = 100  # more steps than there are
REACH: Final = 12  # steps that are looked at: the ground of about two pieces
LATELY: Final = 0  # instead of 1 step: attached to by the colour's last piece

# The signs of a cell: how far the nearest foe is, the second, a mate, the colour itself, the middle, and
# how many of the cells beside it are open. Each has a few grades.
GRADE: Final = np.array([0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * (FAR - 8)], np.int64)  # by steps
GRADES: Final = 7
FOE, SECOND, MATE, SELF, MIDDLE, ROOM = range(6)
KINDS: Final = 6
SIGNS: Final = KINDS * GRADES

# The numbers of a move: its piece, signs of cells covered and attached to, and single ones.
COVER: Final = PIECES
GAIN: Final = COVER + SIGNS
RIVALS, LOST, BESIDE, NEARING = range(GAIN + SIGNS, GAIN + SIGNS + 4)
FEATURES: Final = GAIN + SIGNS + 4
STAGES: Final = 7
STAGE_OF: Final = np.array([0, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, *[6] * (PIECES - 12)], np.int64)


# Where the cells are, in sides of a triangle.
X: Final = np.arange(CELLS) % WIDTH * 0.5
Y: Final = np.arange(CELLS) // WIDTH * np.sqrt(3) / 2

DISTANCE: Final = np.hypot(X - X[START_CELLS].mean(), Y - Y[START_CELLS].mean())  # from the middle
APART: Final = np.hypot(X[START_CELLS, None] - X, Y[START_CELLS, None] - Y)  # each cell from each start
MIDDLE_OF: Final = np.minimum(GRADES - 1, DISTANCE / 1.4).astype(np.int64)

# Openings: by the number of a colour's pieces on the board, how large its next one has to be at least, and
# how much farther from the middle than need be the first may stay. (Only the first: soon after it the best
# move is often one that shuts a foe in.)
LEAST_SIZE: Final = np.array([6, 6, 6, 6, 5, 4, 4, 3, 3, *[1] * (PIECES - 8)], np.int64)
STRAY: Final = 0.5


class Ground(NamedTuple):
    """Room to work in.

    cells    the cells to look at, so many as `number` says: all, or what is left of a position (`narrow`)
    steps    by colour and cell: how far the colour is from it
    queue    cells on the way
    signs    by cell: its six signs
    cover    by cell: what covering it counts, `gain`: attaching to it, and `aside`: lying beside it
    rows     by colour: rows of a table of values, and `stock`: numbers of its stock (see `kernel_value`)
    """

    cells: NDArray[np.int16]
    number: Numbers
    steps: NDArray[np.uint8]
    queue: NDArray[np.int16]
    signs: NDArray[np.int8]
    cover: Floats
    gain: Floats
    aside: Floats
    rows: NDArray[np.int16]
    stock: Floats


@compiled
def ground() -> Ground:
    """Such room."""
    return Ground(
        np.arange(MARGIN, MARGIN + GRID).astype(np.int16),
        np.full(1, GRID),
        np.full((4, CELLS), FAR, np.uint8),
        np.zeros(CELLS, np.int16),
        np.zeros((CELLS, KINDS), np.int8),
        np.zeros(CELLS),
        np.zeros(CELLS),
        np.zeros(CELLS),
        np.zeros((4, GRID), np.int16),
        np.zeros((4, 16)),
    )


@lean
def narrow(position: Position, room: Ground) -> None:
    """Look only at cells that are open to a colour, and at those beside them, from a position on."""
    number = 0
    for cell in range(MARGIN, MARGIN + GRID):
        closed = int(position.marks[cell])
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            closed &= int(position.marks[cell + step])
        if closed & FOR_ALL != FOR_ALL:
            room.cells[number] = cell
            number += 1
    room.number[0] = number
    room.cover[:], room.gain[:], room.aside[:] = 0.0, 0.0, 0.0


@lean
def placed(position: Position, colour: int) -> int:
    """How many pieces of a colour lie on the board."""
    left, number = position.tally[LEFT, colour], PIECES
    while left:
        left &= left - 1
        number -= 1
    return number


@lean
def stage(position: Position, colour: int) -> int:
    """How far a colour is: by the number of its pieces on the board."""
    return int(STAGE_OF[placed(position, colour)])


@lean
def friends_of(colour: int, sides: Numbers) -> int:
    """The set of the colours of a side."""
    friends = 0
    for each in range(4):
        if sides[each] == sides[colour]:
            friends |= 1 << each
    return friends


@lean
def walk(position: Position, colour: int, room: Ground) -> int:
    """How far a colour is from every cell; how many it reaches."""
    marks, tally, far, queue = position.marks, position.tally, room.steps[colour], room.queue
    far[MARGIN : MARGIN + GRID] = FAR
    if (position.rules[OUT] | ~position.rules[IN_PLAY]) >> colour & 1 or not tally[LEFT, colour]:
        return 0
    if tally[LEFT, colour] == ALL:
        attach_starts(position, colour)
    end, closed = 0, CLOSED << colour
    for index in range(tally[NUMBER, colour]):
        cell = position.attach[colour, index]
        if not marks[cell] & closed:
            far[cell] = 1
            queue[end] = cell
            end += 1
    begin = 0
    while begin < end:
        cell = int(queue[nth(begin)])
        begin += 1
        there = far[nth(cell)] + 1
        if there > REACH:
            break
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            beside = nth(cell + step)
            if far[beside] == FAR and not marks[beside] & closed:
                far[beside] = there
                queue[nth(end)] = cell + step
                end += 1
    return end


@lean
def survey(position: Position, colour: int, friends: int, room: Ground) -> None:
    """The signs of every cell, for a colour to move."""
    steps, signs, tally = room.steps, room.signs, position.tally
    for each in range(4):
        walk(position, each, room)
        if not friends >> each & 1 and tally[LEFT, each] != ALL:
            for index in range(tally[LATEST, each], tally[NUMBER, each]):
                cell = position.attach[each, index]
                if steps[each, cell] == 1:
                    steps[each, cell] = LATELY
    closed = CLOSED << colour
    for index in range(room.number[0]):
        cell = int(room.cells[nth(index)])
        if position.marks[nth(cell)] & closed:
            continue
        foe, second, mate = FAR, FAR, FAR
        for each in range(4):
            there = int(steps[each, cell])
            if not friends >> each & 1:
                if there < foe:
                    foe, second = there, foe
                elif there < second:
                    second = there
            elif each != colour and there < mate:
                mate = there
        free = 0
        for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
            free += not position.marks[cell + step] & closed
        signs[cell, FOE], signs[cell, SECOND] = GRADE[foe], GRADE[second]
        signs[cell, MATE], signs[cell, SELF] = GRADE[mate], GRADE[steps[colour, cell]]
        signs[cell, MIDDLE], signs[cell, ROOM] = MIDDLE_OF[cell], free


@lean
def weigh(position: Position, colour: int, friends: int, weights: Floats, room: Ground) -> None:
    """What covering each cell counts, attaching to it and lying beside it, by its signs."""
    closed, touch, foes = CLOSED << colour, TOUCH << colour, 0xF & ~friends
    for index in range(room.number[0]):
        cell = int(room.cells[nth(index)])
        mark, cover, gain, aside = int(position.marks[cell]), 0.0, 0.0, 0.0
        if not mark & closed:
            for kind in range(KINDS):
                sign = kind * GRADES + room.signs[nth(cell), nth(kind)]
                cover += weights[nth(COVER + sign)]
                gain += weights[nth(GAIN + sign)]
            if mark & touch:
                gain, aside = 0.0, weights[LOST]
        if mark >> 12 & foes:
            aside += weights[BESIDE]
        if mark >> 4 & ~mark & foes:
            aside += weights[NEARING]
        room.cover[cell], room.gain[cell], room.aside[cell] = cover, gain, aside


@lean
def logit(position: Position, friends: int, move: int, weights: Floats, room: Ground) -> float:
    """What the weights make of a move, the cells being weighed."""
    shape, lowest, index = move >> SHIFT, move & LOWEST, 0
    cover, gain, aside = float(weights[PIECE[shape]]), 0.0, 0.0  # apart, so that they can be added up at once
    covers, touches, beside = COVERS[shape], TOUCHES[shape], ASIDE[shape]
    while covers[nth(index)] != NONE:
        cover += room.cover[nth(lowest + covers[nth(index)])]
        index += 1
    index = 0
    while touches[nth(index)] != NONE:
        gain += room.gain[nth(lowest + touches[nth(index)])]
        index += 1
    index = 0
    while beside[nth(index)] != NONE:
        aside += room.aside[nth(lowest + beside[nth(index)])]
        index += 1
    total = cover + gain + aside
    marked = covered(position.marks, shape, lowest)
    rivals = marked >> 4 & 0xF & ~friends
    if rivals & rivals - 1:
        total += weights[RIVALS]
    return total


@lean
def features(position: Position, colour: int, friends: int, move: int, room: Ground, x: Floats) -> None:
    """The numbers of a move, into `x`; the position is surveyed."""
    marks, shape, lowest = position.marks, move >> SHIFT, move & LOWEST
    index, rivals, foes = 0, 0, 0xF & ~friends
    x[:] = 0
    x[PIECE[shape]] = 1
    while COVERS[shape, index] != NONE:
        cell = lowest + COVERS[shape, index]
        mark = int(marks[cell])
        for kind in range(KINDS):
            x[COVER + kind * GRADES + room.signs[cell, kind]] += 1
        rivals |= mark >> 4
        index += 1
    rivals &= foes
    x[RIVALS] = rivals & rivals - 1 != 0
    index = 0
    while TOUCHES[shape, index] != NONE:
        cell = lowest + TOUCHES[shape, index]
        if not marks[cell] & (CLOSED | TOUCH) << colour:
            for kind in range(KINDS):
                x[GAIN + kind * GRADES + room.signs[cell, kind]] += 1
        index += 1
    index = 0
    while ASIDE[shape, index] != NONE:
        mark = int(marks[lowest + ASIDE[shape, index]])
        x[LOST] += mark >> 4 & ~mark & 1 << colour != 0
        x[BESIDE] += mark >> 12 & foes != 0
        x[NEARING] += mark >> 4 & ~mark & foes != 0
        index += 1


@lean
def _farthest_start(position: Position, colour: int) -> int:
    """Where a colour should start: far from all that lies."""
    best, chosen = -1.0, 0
    for start in range(len(START_CELLS)):
        if not position.marks[START_CELLS[start]] & TOUCH << colour:
            continue
        near = 100.0
        for cell in range(MARGIN, MARGIN + GRID):
            if position.marks[cell] >> 12:
                near = min(near, APART[start, cell])
        if near > best:
            best, chosen = near, start
    return int(START_CELLS[chosen])


@lean
def _opens(move: int, start: int) -> float:
    """How far from the middle a move stays; 100 if it does not cover the start that it should."""
    shape, lowest, near, index, there = move >> SHIFT, move & LOWEST, 100.0, 0, False
    while COVERS[shape, index] != NONE:
        cell = lowest + COVERS[shape, index]
        near = min(near, DISTANCE[cell])
        there = there or cell == start
        index += 1
    return near if there else 100.0


@lean
def sift(position: Position, colour: int, moves: NDArray[np.int32], into: NDArray[np.int32]) -> int:
    """Those of some moves that are worth a thought; in openings large ones, at first to the middle."""
    lying, largest, number = placed(position, colour), 0, 0
    for move in moves:
        largest = max(largest, SIZE[PIECE[move >> SHIFT]])
    least = min(largest, LEAST_SIZE[lying])
    for move in moves:
        if SIZE[PIECE[move >> SHIFT]] >= least:
            into[number] = move
            number += 1
    if lying:
        return number
    start, nearest, kept = _farthest_start(position, colour), 100.0, 0
    for index in range(number):
        nearest = min(nearest, _opens(into[index], start))
    for index in range(number):
        if _opens(into[index], start) <= nearest + STRAY:
            into[kept] = into[index]
            kept += 1
    return kept


@compiled
def logits(
    position: Position,
    colour: int,
    sides: Numbers,
    moves: NDArray[np.int32],
    weights: Floats,
    room: Ground,
) -> Floats:
    """What the weights make of some moves."""
    found, own = np.empty(len(moves), np.float64), weights[stage(position, colour)]
    friends = friends_of(colour, sides)
    survey(position, colour, friends, room)
    weigh(position, colour, friends, own, room)
    for index in range(len(moves)):
        found[index] = logit(position, friends, moves[index], own, room)
    return found
