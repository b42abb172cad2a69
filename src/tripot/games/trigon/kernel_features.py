"""What a move of Trigon looks like before anything is searched: some numbers, compiled by Numba.

The search weighs them to know what to try first; which weights, depends on how far the colour is.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.board import STARTS, WIDTH
from tripot.games.trigon.kernel import (
    ASIDE,
    CELLS,
    CLOSED,
    COVERS,
    LEFT,
    LOWEST,
    MARGIN,
    NONE,
    PIECE,
    SHIFT,
    SIZE,
    TOUCH,
    TOUCHES,
    Position,
)
from tripot.search.compiled import compiled

PIECES: Final = len(SIZE)
# After one number for each piece:
DENIED, RIVALS, GAINED, ROOMY, USED, LOST, FRIENDLY, CENTRAL, CONTESTED, BESIDE, NEARING = range(
    PIECES, PIECES + 11
)
FEATURES: Final = PIECES + 11
STAGES: Final = 5
STAGE_OF: Final = np.array([0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, *[4] * (PIECES - 13)], np.int64)


def _distances() -> NDArray[np.float64]:
    """How far each cell is from the centre, in sides of a triangle."""
    cells = np.arange(CELLS) - MARGIN
    x, y = cells % WIDTH * 0.5, cells // WIDTH * np.sqrt(3) / 2
    starts = np.array(STARTS)
    middle = (starts % WIDTH * 0.5).mean(), (starts // WIDTH * np.sqrt(3) / 2).mean()
    distances: NDArray[np.float64] = np.hypot(x - middle[0], y - middle[1])
    return distances


DISTANCE: Final = _distances()


@compiled
def stage(position: Position, colour: int) -> int:
    """How far a colour is: by the number of its pieces on the board."""
    left, number = position.tally[LEFT, colour], 0
    while left:
        left &= left - 1
        number += 1
    return int(STAGE_OF[PIECES - number])


@compiled
def friends_of(colour: int, sides: NDArray[np.int64]) -> int:
    """The set of the colours of a side."""
    friends = 0
    for each in range(4):
        if sides[each] == sides[colour]:
            friends |= 1 << each
    return friends


@compiled
def features(position: Position, colour: int, friends: int, move: int, x: NDArray[np.float64]) -> None:
    """The numbers of a move, into `x`. `friends` is the set of the colours of its side."""
    marks, shape, lowest = position.marks, move >> SHIFT, move & LOWEST
    foes, mates = 0xF & ~friends, friends & ~(1 << colour)
    x[:] = 0
    x[PIECE[shape]] = 1
    index, rivals, near = 0, 0, 100.0
    while COVERS[shape, index] != NONE:
        cell = lowest + COVERS[shape, index]
        mark = int(marks[cell])
        open_to = mark >> 4 & ~mark  # who attaches to it and may still cover it
        if open_to & foes:
            x[DENIED] += 1
            rivals |= open_to & foes
        if open_to & mates:
            x[FRIENDLY] += 1
        if open_to >> colour & 1:
            x[USED] += 1
        near = min(near, DISTANCE[cell])
        index += 1
    x[RIVALS] = (rivals & 1) + (rivals >> 1 & 1) + (rivals >> 2 & 1) + (rivals >> 3 & 1)
    x[CENTRAL] = -near
    index = 0
    while TOUCHES[shape, index] != NONE:
        cell = lowest + TOUCHES[shape, index]
        mark = int(marks[cell])
        if not mark & (CLOSED | TOUCH) << colour:
            x[GAINED] += 1
            room = 0
            for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
                room += not marks[cell + step] & CLOSED << colour
            x[ROOMY] += room >= 2
            x[CONTESTED] += (mark >> 4 & ~mark & foes) != 0
        index += 1
    index = 0
    while ASIDE[shape, index] != NONE:
        mark = int(marks[lowest + ASIDE[shape, index]])
        x[LOST] += mark >> 4 & ~mark & 1 << colour != 0
        x[BESIDE] += mark >> 12 & foes != 0
        x[NEARING] += mark >> 4 & ~mark & foes != 0
        index += 1


@compiled
def logit(position: Position, colour: int, friends: int, move: int, weights: NDArray[np.float64]) -> float:
    """What the weights make of a move: the sum over `features`, without writing them down."""
    marks, shape, lowest = position.marks, move >> SHIFT, move & LOWEST
    foes, mates = 0xF & ~friends, friends & ~(1 << colour)
    total, index, rivals, near = float(weights[PIECE[shape]]), 0, 0, 100.0
    while COVERS[shape, index] != NONE:
        cell = lowest + COVERS[shape, index]
        mark = int(marks[cell])
        open_to = mark >> 4 & ~mark
        if open_to & 0xF:
            if open_to & foes:
                total += weights[DENIED]
                rivals |= open_to & foes
            if open_to & mates:
                total += weights[FRIENDLY]
            if open_to >> colour & 1:
                total += weights[USED]
        near = min(near, DISTANCE[cell])
        index += 1
    if rivals:
        number = (rivals & 1) + (rivals >> 1 & 1) + (rivals >> 2 & 1) + (rivals >> 3 & 1)
        total += weights[RIVALS] * number
    total -= weights[CENTRAL] * near
    index = 0
    while TOUCHES[shape, index] != NONE:
        cell = lowest + TOUCHES[shape, index]
        mark = int(marks[cell])
        if not mark & (CLOSED | TOUCH) << colour:
            total += weights[GAINED]
            room = 0
            for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
                room += not marks[cell + step] & CLOSED << colour
            if room >= 2:
                total += weights[ROOMY]
            if mark >> 4 & ~mark & foes:
                total += weights[CONTESTED]
        index += 1
    index = 0
    while ASIDE[shape, index] != NONE:
        mark = int(marks[lowest + ASIDE[shape, index]])
        if mark >> 4 & ~mark & 1 << colour:
            total += weights[LOST]
        if mark >> 12 & foes:
            total += weights[BESIDE]
        if mark >> 4 & ~mark & foes:
            total += weights[NEARING]
        index += 1
    return float(total)


@compiled
def logits(
    position: Position,
    colour: int,
    sides: NDArray[np.int64],
    moves: NDArray[np.int32],
    weights: NDArray[np.float64],
) -> NDArray[np.float64]:
    """What the weights make of some moves."""
    found, own = np.empty(len(moves), np.float64), weights[stage(position, colour)]
    friends = friends_of(colour, sides)
    for index in range(len(moves)):
        found[index] = logit(position, colour, friends, moves[index], own)
    return found
