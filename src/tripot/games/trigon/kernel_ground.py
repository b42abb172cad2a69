"""The ground that colours hold, compiled by Numba: what a move is worth at a glance."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.board import GRID, WIDTH
from tripot.games.trigon.kernel import (
    ALL,
    CELLS,
    CLOSED,
    IN_PLAY,
    LEFT,
    MARGIN,
    NUMBER,
    PIECE,
    SHIFT,
    SIZE,
    Numbers,
    Position,
    attach_starts,
    copied,
    copy,
    put,
)
from tripot.search.compiled import compiled

WEIGHT: Final = 10.0  # of a triangle placed, in triangles of ground


@compiled
def _territories(position: Position, counts: Numbers, distance: Numbers, queue: Numbers) -> None:
    """Count for each colour the cells that it is nearest to, going from what it attaches to over cells

    that are open to it. `distance` and `queue` are room to work in.
    """
    counts[:] = 0
    distance[:] = 0
    for colour in range(4):
        if not position.rules[IN_PLAY] >> colour & 1:
            continue
        if position.tally[LEFT, colour] == ALL:
            attach_starts(position, colour)
        end = 0
        for index in range(position.tally[NUMBER, colour]):
            cell = position.attach[colour, index]
            if not position.marks[cell] & CLOSED << colour and position.tally[LEFT, colour]:
                distance[colour, cell] = 1
                queue[end] = cell
                end += 1
        begin = 0
        while begin < end:
            cell = queue[begin]
            begin += 1
            for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
                if not distance[colour, cell + step] and not position.marks[cell + step] & CLOSED << colour:
                    distance[colour, cell + step] = distance[colour, cell] + 1
                    queue[end] = cell + step
                    end += 1
    for cell in range(MARGIN, MARGIN + GRID):
        nearest, best = -1, CELLS
        for colour in range(4):
            there = distance[colour, cell]
            if there and there <= best:
                nearest, best = colour if there < best else -1, there
        if nearest >= 0:
            counts[nearest] += 1


@compiled
def judge(position: Position, colour: int, friends: int, moves: NDArray[np.int32]) -> NDArray[np.float64]:
    """What each move is worth at a glance: triangles placed, and the ground held after it.

    `friends` is the set of colours that play together with this one, itself among them.
    """
    values = np.empty(len(moves), np.float64)
    after, counts = copied(position), np.zeros(4, np.int64)
    distance, queue = np.zeros((4, CELLS), np.int64), np.zeros(CELLS, np.int64)
    others = position.rules[IN_PLAY] & ~friends
    rivals = max(1, (others & 1) + (others >> 1 & 1) + (others >> 2 & 1) + (others >> 3 & 1))
    for index in range(len(moves)):
        copy(position, after)
        put(after, colour, moves[index])
        _territories(after, counts, distance, queue)
        ground = 0.0
        for each in range(4):
            if friends >> each & 1:
                ground += counts[each]
            elif others >> each & 1:
                ground -= counts[each] / rivals
        values[index] = SIZE[PIECE[moves[index] >> SHIFT]] * WEIGHT + ground
    return values
