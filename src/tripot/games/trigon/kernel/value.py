"""What a position of Trigon promises each colour, at a glance, compiled by Numba.

How far is each cell from each colour, in steps over cells open to it (`features.compute_distances`)? The four
distances, in grades, are the number of a row in a table, which tells what such a cell is worth to each
colour: a cell that only I can come to is more than one that all four are about to reach. The sum over
the board, with a few numbers of the stock, foretells the colour's score. The table is learned from games.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.kernel.features import UNREACHABLE, CellWorkspace, compute_distances, placed_count
from tripot.games.trigon.kernel.position import BLOCKED, IN_PLAY, PIECES_LEFT, SIZE_OF_PIECE, Position, u64

Floats = NDArray[np.float64]
ValueTable = NDArray[np.float32]

VALUE_BUCKET: Final = np.array([0, 0, 1, 2, 3, 4, 4, 5, 5, 5, *[6] * (UNREACHABLE - 9)], np.int64)  # by steps
VALUE_BUCKETS: Final = 7
TABLE_ROWS: Final = VALUE_BUCKETS**4
UNREACHED_ROW: Final = TABLE_ROWS - 1  # a cell that nobody comes to
# After the table: what is known of a colour's stock.
BIAS, TRIANGLES_LEFT, TURN_DISTANCE, IS_BLOCKED, BLOCKED_TRIANGLES, OTHERS_TRIANGLES = (
    0,
    7,
    8,
    9,
    10,
    11,
)  # after ONE: pieces of each size
STOCK_FEATURES: Final = 14
RMSE_COLUMN: Final = TABLE_ROWS + STOCK_FEATURES  # after all weights: how far off the score usually is
WEIGHT_COUNT: Final = RMSE_COLUMN + 1
PHASE_COUNT: Final = 11  # by the pieces on the board, eight a phase


@njit_no_nrt
def value_features(
    position: Position, turn: int, room: CellWorkspace, rows: NDArray[np.int16], stock: Floats
) -> int:
    """The rows of the table of each colour's cells, how many there are, and the stocks."""
    steps, number = room.distances, 0
    for colour in range(4):
        compute_distances(position, colour, room)
        own, left = stock[colour], position.counters[PIECES_LEFT, colour]
        own[:] = 0
        own[BIAS], own[TURN_DISTANCE] = 1, (colour - turn) & 3
        for piece in range(len(SIZE_OF_PIECE)):
            if left >> piece & 1:
                own[SIZE_OF_PIECE[piece]] += 1
                own[TRIANGLES_LEFT] += SIZE_OF_PIECE[piece]
        if (position.status[BLOCKED] | ~position.status[IN_PLAY]) >> colour & 1:
            own[IS_BLOCKED], own[BLOCKED_TRIANGLES] = 1, own[TRIANGLES_LEFT]
    for colour in range(4):
        for other in range(3):
            stock[colour, OTHERS_TRIANGLES + other] = stock[(colour + other + 1) & 3, TRIANGLES_LEFT]
    for index in range(room.cell_count[0]):
        cell = room.cells[u64(index)]
        a, b = VALUE_BUCKET[steps[0, u64(cell)]], VALUE_BUCKET[steps[1, u64(cell)]]
        c, d = VALUE_BUCKET[steps[2, u64(cell)]], VALUE_BUCKET[steps[3, u64(cell)]]
        row = ((a * VALUE_BUCKETS + b) * VALUE_BUCKETS + c) * VALUE_BUCKETS + d
        if row != UNREACHED_ROW:
            rows[0, u64(number)] = row
            rows[1, u64(number)] = ((b * VALUE_BUCKETS + c) * VALUE_BUCKETS + d) * VALUE_BUCKETS + a
            rows[2, u64(number)] = ((c * VALUE_BUCKETS + d) * VALUE_BUCKETS + a) * VALUE_BUCKETS + b
            rows[3, u64(number)] = ((d * VALUE_BUCKETS + a) * VALUE_BUCKETS + b) * VALUE_BUCKETS + c
            number += 1
    return number


@njit_no_nrt
def game_phase(position: Position) -> int:
    """How far the game is."""
    lying = 0
    for colour in range(4):
        lying += placed_count(position, colour)
    return min(PHASE_COUNT - 1, lying >> 3)


@njit_no_nrt
def predict_scores(
    position: Position, turn: int, weights: ValueTable, room: CellWorkspace, scores: Floats
) -> float:
    """The score that each colour may expect; how far off that may be, for a colour."""
    own, rows, stock = weights[game_phase(position)], room.value_rows, room.stock_features
    number = value_features(position, turn, room, rows, stock)
    for colour in range(4):
        total = 0.0
        for index in range(number):
            total += own[u64(rows[u64(colour), u64(index)])]
        for index in range(STOCK_FEATURES):
            total += own[TABLE_ROWS + index] * stock[colour, index]
        scores[colour] = total if position.status[IN_PLAY] >> colour & 1 else 0.0
    return float(own[RMSE_COLUMN])
