"""What a position of Trigon promises each colour, at a glance, compiled by Numba.

From the cells that a colour attaches to, a walk over cells open to it tells how far each cell is from
it. Cells nearer to one colour than to all others are its ground. A few such numbers, weighed by how
far the colour is, foretell its score; the weights are learned from games.
"""

from __future__ import annotations

from typing import Final, NamedTuple

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
    OUT,
    SIZE,
    Numbers,
    Position,
    attach_starts,
)
from tripot.search.compiled import compiled

Floats = NDArray[np.float64]

FAR: Final = 100  # more steps than there are
REACH: Final = 12  # steps that are looked at: the ground of about two pieces
# What is looked at of a colour.
ONE, LEFTOVER, LARGE, SMALL, ATTACHED, GROUND, SHARED, REACHED, FILLED, CLOSE, TURNS = range(11)
SIGNS: Final = 11
UNSURE: Final = SIGNS  # after the weights of the signs: how far off the score usually is
PHASES: Final = 12  # by its pieces on the board, two a phase


class Glance(NamedTuple):
    """Room to work in: distances by colour and cell, a queue, and the signs of each colour."""

    steps: NDArray[np.uint8]
    queue: NDArray[np.int16]
    signs: Floats
    phase: Numbers


def glance() -> Glance:
    """Such room."""
    return Glance(
        np.zeros((4, CELLS), np.uint8),
        np.zeros(CELLS, np.int16),
        np.zeros((4, SIGNS), np.float64),
        np.zeros(4, np.int64),
    )


@compiled
def look(position: Position, turn: int, room: Glance) -> None:
    """The signs of every colour in play, and how far it is."""
    marks, tally, steps, queue, signs = position.marks, position.tally, room.steps, room.queue, room.signs
    gone = position.rules[OUT] | ~position.rules[IN_PLAY]
    signs[:] = 0
    for colour in range(4):
        far = steps[colour]
        far[MARGIN : MARGIN + GRID] = FAR
        if not position.rules[IN_PLAY] >> colour & 1:
            continue
        left, number, lost = tally[LEFT, colour], 0, 0
        for piece in range(len(SIZE)):
            if left >> piece & 1:
                number += 1
                lost += SIZE[piece]
                signs[colour, LARGE] += SIZE[piece] == 6
                signs[colour, SMALL] += SIZE[piece] <= 3
        signs[colour, ONE], signs[colour, LEFTOVER] = 1, lost
        signs[colour, TURNS] = (colour - turn) & 3
        room.phase[colour] = min(PHASES - 1, (len(SIZE) - number) // 2)
        if gone >> colour & 1 or not left:
            continue
        if left == ALL:
            attach_starts(position, colour)
        end, closed = 0, CLOSED << colour
        for index in range(tally[NUMBER, colour]):
            cell = position.attach[colour, index]
            if not marks[cell] & closed:
                far[cell] = 1
                queue[end] = cell
                end += 1
        signs[colour, ATTACHED] = min(end, 20)
        begin = 0
        while begin < end:
            cell = int(queue[begin])
            begin += 1
            there = far[cell] + 1
            if there > REACH:
                break
            for step in (-1, 1, -WIDTH if cell & 1 else WIDTH):
                if far[cell + step] == FAR and not marks[cell + step] & closed:
                    far[cell + step] = there
                    queue[end] = cell + step
                    end += 1
        signs[colour, REACHED] = end
    for cell in range(MARGIN, MARGIN + GRID):
        best, second, owner = FAR, FAR, -1
        for colour in range(4):
            there = int(steps[colour, cell])
            if there < best:
                best, second, owner = there, best, colour
            elif there < second:
                second = there
        if owner < 0:
            continue
        if best < second:
            signs[owner, GROUND] += 1
            if best <= 6:
                signs[owner, CLOSE] += 1
        else:
            for colour in range(4):
                if steps[colour, cell] == best:
                    signs[colour, SHARED] += 1
    for colour in range(4):
        room_for = 0.7 * signs[colour, GROUND] + 0.35 * signs[colour, SHARED]
        signs[colour, FILLED] = min(signs[colour, LEFTOVER], room_for)


@compiled
def foretold(position: Position, turn: int, weights: Floats, room: Glance, scores: Floats) -> float:
    """The score that each colour may expect; how far off that may be, for a colour."""
    look(position, turn, room)
    unsure, number = 0.0, 0
    for colour in range(4):
        scores[colour] = 0.0
        if position.rules[IN_PLAY] >> colour & 1:
            own = weights[room.phase[colour]]
            for sign in range(SIGNS):
                scores[colour] += own[sign] * room.signs[colour, sign]
            unsure += own[UNSURE]
            number += 1
    return unsure / number
