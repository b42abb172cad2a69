"""What a position of Trigon promises each colour, at a glance, compiled by Numba.

How far is each cell from each colour, in steps over cells open to it (`kernel_features.walk`)? The four
distances, in grades, are the number of a row in a table, which tells what such a cell is worth to each
colour: a cell that only I can come to is more than one that all four are about to reach. The sum over
the board, with a few numbers of the stock, foretells the colour's score. The table is learned from games.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import lean
from tripot.games.trigon.kernel.features import FAR, Ground, placed, walk
from tripot.games.trigon.kernel.position import IN_PLAY, LEFT, OUT, SIZE, Position, nth

Floats = NDArray[np.float64]
Table = NDArray[np.float32]

GRADE: Final = np.array([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * (FAR - 9)], np.int64)  # by steps
GRADES: Final = 7
TABLE: Final = GRADES**4
NOWHERE: Final = TABLE - 1  # a cell that nobody comes to
# After the table: what is known of a colour's stock.
ONE, LEFTOVER, TURNS, STUCK, STUCK_WITH, OTHERS = 0, 7, 8, 9, 10, 11  # after ONE: pieces of each size
STOCK: Final = 14
UNSURE: Final = TABLE + STOCK  # after all weights: how far off the score usually is
WEIGHTS: Final = UNSURE + 1
PHASES: Final = 11  # by the pieces on the board, eight a phase


@lean
def describe(position: Position, turn: int, room: Ground, rows: NDArray[np.int16], stock: Floats) -> int:
    """The rows of the table of each colour's cells, how many there are, and the stocks."""
    steps, number = room.steps, 0
    for colour in range(4):
        walk(position, colour, room)
        own, left = stock[colour], position.tally[LEFT, colour]
        own[:] = 0
        own[ONE], own[TURNS] = 1, (colour - turn) & 3
        for piece in range(len(SIZE)):
            if left >> piece & 1:
                own[SIZE[piece]] += 1
                own[LEFTOVER] += SIZE[piece]
        if (position.rules[OUT] | ~position.rules[IN_PLAY]) >> colour & 1:
            own[STUCK], own[STUCK_WITH] = 1, own[LEFTOVER]
    for colour in range(4):
        for other in range(3):
            stock[colour, OTHERS + other] = stock[(colour + other + 1) & 3, LEFTOVER]
    for index in range(room.number[0]):
        cell = room.cells[nth(index)]
        a, b = GRADE[steps[0, nth(cell)]], GRADE[steps[1, nth(cell)]]
        c, d = GRADE[steps[2, nth(cell)]], GRADE[steps[3, nth(cell)]]
        row = ((a * GRADES + b) * GRADES + c) * GRADES + d
        if row != NOWHERE:
            rows[0, nth(number)] = row
            rows[1, nth(number)] = ((b * GRADES + c) * GRADES + d) * GRADES + a
            rows[2, nth(number)] = ((c * GRADES + d) * GRADES + a) * GRADES + b
            rows[3, nth(number)] = ((d * GRADES + a) * GRADES + b) * GRADES + c
            number += 1
    return number


@lean
def phase(position: Position) -> int:
    """How far the game is."""
    lying = 0
    for colour in range(4):
        lying += placed(position, colour)
    return min(PHASES - 1, lying >> 3)


@lean
def foretold(position: Position, turn: int, weights: Table, room: Ground, scores: Floats) -> float:
    """The score that each colour may expect; how far off that may be, for a colour."""
    own, rows, stock = weights[phase(position)], room.rows, room.stock
    number = describe(position, turn, room, rows, stock)
    for colour in range(4):
        total = 0.0
        for index in range(number):
            total += own[nth(rows[nth(colour), nth(index)])]
        for index in range(STOCK):
            total += own[TABLE + index] * stock[colour, index]
        scores[colour] = total if position.rules[IN_PLAY] >> colour & 1 else 0.0
    return float(own[UNSURE])
