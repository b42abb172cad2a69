"""Value table: predicts the final score of each colour from the distances of the cells (an n-tuple network).

The four distances of a cell, quantised to seven buckets each, select one of 7^4 rows of a table. The row says
what such a cell is worth to a colour: a cell that only this colour reaches is worth more than one that all
four are about to reach. The prediction is the sum over all cells plus a linear term of the pieces left. The
table is trained from self-play (`train`). One prediction takes 3 to 10 microseconds.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.kernel.distances import (
    STOCK_FEATURES,
    CellWorkspace,
    by_distance,
    compute_distances,
)
from tripot.games.trigon.kernel.dtypes import Float32Array, Float64Array, Int16Array, u64
from tripot.games.trigon.kernel.features import placed_count
from tripot.games.trigon.kernel.params import VALUE_PARAMS
from tripot.games.trigon.kernel.position import Position, cannot_move
from tripot.games.trigon.kernel.tables import PIECE_COUNT, SIZE_OF_PIECE

ValueTable: TypeAlias = Float32Array
"""float32[PHASE_COUNT, WEIGHT_COUNT]: table rows, stock weights and error, by phase of the game."""

VALUE_BUCKET: Final = by_distance(VALUE_PARAMS.distance_buckets)
VALUE_BUCKETS: Final = VALUE_PARAMS.distance_buckets[-1] + 1
TABLE_ROWS: Final = VALUE_BUCKETS**4
UNREACHED_ROW: Final = TABLE_ROWS - 1  # a cell that no colour reaches; its weight is 0
RMSE_COLUMN: Final = TABLE_ROWS + STOCK_FEATURES  # root-mean-square error of the prediction, in points
WEIGHT_COUNT: Final = RMSE_COLUMN + 1
PHASE_COUNT: Final = 4 * PIECE_COUNT // VALUE_PARAMS.pieces_per_phase  # of the four colours

# Stock features of a colour. Columns 1 to 6 count its pieces of that many triangles.
BIAS: Final = 0
TRIANGLES_LEFT: Final = 7
TURN_DISTANCE: Final = 8  # colours that move before it, 0 to 3
IS_BLOCKED: Final = 9
BLOCKED_TRIANGLES: Final = 10  # its triangles left if it is blocked, else 0
OTHERS_TRIANGLES: Final = 11  # three columns: triangles left of the next three colours


@njit_no_nrt
def value_features(
    position: Position, turn: int, workspace: CellWorkspace, rows: Int16Array, stock: Float64Array
) -> int:
    """Compute the features of all colours, and return the number of table rows per colour.

    rows   int16[4, GRID], out: by colour, the table rows of the cells that some colour reaches
    stock  float64[4, STOCK_FEATURES], out: by colour, the features of its pieces
    """
    distances, count = workspace.distances, 0
    for colour in range(4):
        compute_distances(position, colour, workspace)
        _compute_stock(position, colour, turn, stock[colour])
    for colour in range(4):
        for other in range(3):
            stock[colour, OTHERS_TRIANGLES + other] = stock[(colour + other + 1) & 3, TRIANGLES_LEFT]
    for index in range(workspace.cell_count[0]):
        cell = workspace.cells[u64(index)]
        a, b = VALUE_BUCKET[distances[0, u64(cell)]], VALUE_BUCKET[distances[1, u64(cell)]]
        c, d = VALUE_BUCKET[distances[2, u64(cell)]], VALUE_BUCKET[distances[3, u64(cell)]]
        row = ((a * VALUE_BUCKETS + b) * VALUE_BUCKETS + c) * VALUE_BUCKETS + d
        if row != UNREACHED_ROW:
            rows[0, u64(count)] = row
            rows[1, u64(count)] = ((b * VALUE_BUCKETS + c) * VALUE_BUCKETS + d) * VALUE_BUCKETS + a
            rows[2, u64(count)] = ((c * VALUE_BUCKETS + d) * VALUE_BUCKETS + a) * VALUE_BUCKETS + b
            rows[3, u64(count)] = ((d * VALUE_BUCKETS + a) * VALUE_BUCKETS + b) * VALUE_BUCKETS + c
            count += 1
    return count


@njit_no_nrt
def _compute_stock(position: Position, colour: int, turn: int, stock: Float64Array) -> None:
    """Compute the stock features of a colour, except those of the other colours."""
    stock[:] = 0
    stock[BIAS], stock[TURN_DISTANCE] = 1, (colour - turn) & 3
    for piece in range(len(SIZE_OF_PIECE)):
        if position.pieces_left[colour] >> piece & 1:
            stock[SIZE_OF_PIECE[piece]] += 1
            stock[TRIANGLES_LEFT] += SIZE_OF_PIECE[piece]
    if cannot_move(position) >> colour & 1:
        stock[IS_BLOCKED], stock[BLOCKED_TRIANGLES] = 1, stock[TRIANGLES_LEFT]


@njit_no_nrt
def game_phase(position: Position) -> int:
    """Return the phase of the game, 0 to PHASE_COUNT - 1, by the number of pieces on the board."""
    placed = 0
    for colour in range(4):
        placed += placed_count(position, colour)
    return min(PHASE_COUNT - 1, placed // VALUE_PARAMS.pieces_per_phase)


@njit_no_nrt
def predict_scores(
    position: Position, turn: int, weights: ValueTable, workspace: CellWorkspace, scores: Float64Array
) -> float:
    """Predict the final score of each colour into `scores`, float64[4]; return the usual error in points."""
    phase_weights, rows, stock = weights[game_phase(position)], workspace.value_rows, workspace.stock_features
    count = value_features(position, turn, workspace, rows, stock)
    for colour in range(4):
        total = 0.0
        for index in range(count):
            total += phase_weights[u64(rows[u64(colour), u64(index)])]
        for index in range(STOCK_FEATURES):
            total += phase_weights[TABLE_ROWS + index] * stock[colour, index]
        scores[colour] = total if position.in_play[0] >> colour & 1 else 0.0
    return float(phase_weights[RMSE_COLUMN])
