"""Policy features: a linear model of how good a move is before any search.

A cell has six features, each in one of seven buckets: the distances of the nearest opponent, of the second
nearest, of a teammate and of the colour itself, the distance from the centre, and the number of open
neighbours. The features of a move are its piece, the features of the cells that it covers, those of the cells
that it makes attach cells, and four counts of what it blocks. The weights depend on the stage of the game,
and the weighted sum is the logit of the move. It predicts the value of the position after the move (see
`train`).

Logits are computed from per-cell sums, so that a move costs only a few additions.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.bits import popcount
from tripot.engine.jit import njit_cached, njit_inline, njit_no_nrt
from tripot.games.trigon.board import WIDTH
from tripot.games.trigon.kernel.distances import (
    CELL_FEATURES,
    UNREACHABLE,
    CellWorkspace,
    by_distance,
    compute_distances,
    row_step,
)
from tripot.games.trigon.kernel.dtypes import Float64Array, Int16Array, Int32Array, Int64Array, u64
from tripot.games.trigon.kernel.moves import covered_flags
from tripot.games.trigon.kernel.params import FEATURE_PARAMS
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ATTACH,
    ATTACH_SHIFT,
    FORBIDDEN,
    OCCUPIED_SHIFT,
    Position,
)
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    ANCHOR_MASK,
    COVERED_OFFSETS,
    EDGE_OFFSETS,
    END_OF_OFFSETS,
    PADDED_CELLS,
    PIECE_COUNT,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    START_CELLS,
    VERTEX_OFFSETS,
)

# --- Features of a cell ---------------------------------------------------------------------------

OPPONENT, SECOND_OPPONENT, TEAMMATE, OWN_DISTANCE, CENTRE, OPEN_NEIGHBOURS = range(CELL_FEATURES)
BUCKETS: Final = FEATURE_PARAMS.distance_buckets[-1] + 1  # per feature
JUST_ATTACHED: Final = 0  # distance of an opponent whose last piece made the cell an attach cell
DISTANCE_BUCKET: Final = by_distance(FEATURE_PARAMS.distance_buckets)
CELL_FEATURE_COLUMNS: Final = CELL_FEATURES * BUCKETS

# Coordinates of the cells; the unit is the side of a triangle.
CELL_X: Final = np.arange(PADDED_CELLS, dtype=np.int64) % WIDTH * np.float64(0.5)
CELL_Y: Final = np.arange(PADDED_CELLS, dtype=np.int64) // WIDTH * np.sqrt(np.float64(3)) / 2
CENTRE_DISTANCE: Final = np.hypot(CELL_X - CELL_X[START_CELLS].mean(), CELL_Y - CELL_Y[START_CELLS].mean())
CENTRE_BUCKET: Final = np.minimum(BUCKETS - 1, CENTRE_DISTANCE / FEATURE_PARAMS.centre_bucket_width).astype(
    np.int64
)

# --- Features of a move ---------------------------------------------------------------------------

# Columns of a weight vector: pieces, cells covered, cells attached, and four single features.
COVER_COLUMN: Final = PIECE_COUNT
ATTACH_COLUMN: Final = COVER_COLUMN + CELL_FEATURE_COLUMNS
BLOCKS_TWO_OPPONENTS, OWN_ATTACH_LOST, OPPONENT_EDGE, OPPONENT_ATTACH_EDGE = range(
    ATTACH_COLUMN + CELL_FEATURE_COLUMNS, ATTACH_COLUMN + CELL_FEATURE_COLUMNS + 4
)
FEATURE_COUNT: Final = ATTACH_COLUMN + CELL_FEATURE_COLUMNS + 4

STAGE_COUNT: Final = FEATURE_PARAMS.stage_by_pieces[-1] + 1
STAGE_OF: Final = np.full(PIECE_COUNT + 1, STAGE_COUNT - 1, np.int64)
"""int64[PIECE_COUNT + 1]: the stage of the game by the number of pieces that the colour has placed."""

STAGE_OF[: len(FEATURE_PARAMS.stage_by_pieces)] = FEATURE_PARAMS.stage_by_pieces


@njit_no_nrt
def placed_count(position: Position, colour: int) -> int:
    """Return how many pieces a colour has placed."""
    return PIECE_COUNT - popcount(u64(position.pieces_left[colour]))


@njit_no_nrt
def stage(position: Position, colour: int) -> int:
    """Return the stage of the game for a colour, 0 to STAGE_COUNT - 1."""
    return int(STAGE_OF[placed_count(position, colour)])


@njit_no_nrt
def team_mask(colour: int, teams: Int64Array) -> int:
    """Return the bit set of the colours in the team of a colour.

    `teams` is int64[4]: the team of each colour.
    """
    team = 0
    for other in range(4):
        if teams[other] == teams[colour]:
            team |= 1 << other
    return team


@njit_no_nrt
def compute_cell_features(position: Position, colour: int, team: int, workspace: CellWorkspace) -> None:
    """Compute the features of every cell that is open to the colour to move."""
    distances, features = workspace.distances, workspace.features
    for other in range(4):
        compute_distances(position, other, workspace)
        if not team >> other & 1 and position.pieces_left[other] != ALL_PIECES:
            for index in range(position.last_attach_start[other], position.attach_count[other]):
                attach_cell = position.attach_cells[other, index]
                if distances[other, attach_cell] == 1:
                    distances[other, attach_cell] = JUST_ATTACHED
    forbidden = FORBIDDEN << colour
    for index in range(workspace.cell_count[0]):
        cell = int(workspace.cells[u64(index)])
        if position.cell_flags[u64(cell)] & forbidden:
            continue
        nearest, second, teammate = _nearest_others(workspace, cell, colour, team)
        open_neighbours = 0
        for step in (-1, 1, row_step(cell)):
            open_neighbours += not position.cell_flags[cell + step] & forbidden
        features[cell, OPPONENT] = DISTANCE_BUCKET[nearest]
        features[cell, SECOND_OPPONENT] = DISTANCE_BUCKET[second]
        features[cell, TEAMMATE] = DISTANCE_BUCKET[teammate]
        features[cell, OWN_DISTANCE] = DISTANCE_BUCKET[distances[colour, cell]]
        features[cell, CENTRE] = CENTRE_BUCKET[cell]
        features[cell, OPEN_NEIGHBOURS] = open_neighbours


@njit_inline
def _nearest_others(workspace: CellWorkspace, cell: int, colour: int, team: int) -> tuple[int, int, int]:
    """Return the distances of the nearest and second nearest opponent and of the nearest teammate."""
    nearest, second, teammate = UNREACHABLE, UNREACHABLE, UNREACHABLE
    for other in range(4):
        distance = int(workspace.distances[other, cell])
        if not team >> other & 1:
            if distance < nearest:
                nearest, second = distance, nearest
            elif distance < second:
                second = distance
        elif other != colour and distance < teammate:
            teammate = distance
    return nearest, second, teammate


@njit_no_nrt
def compute_cell_weights(
    position: Position, colour: int, team: int, weights: Float64Array, workspace: CellWorkspace
) -> None:
    """Compute what each cell adds to the logit of a move that covers it, attaches to it or lies next to it.

    `weights` is the float64[FEATURE_COUNT] vector of the colour's stage; the cell features must be computed.
    """
    forbidden, attach, opponents = FORBIDDEN << colour, ATTACH << colour, ALL_COLOURS & ~team
    for index in range(workspace.cell_count[0]):
        cell = int(workspace.cells[u64(index)])
        flags, cover, gain, edge = int(position.cell_flags[cell]), 0.0, 0.0, 0.0
        if not flags & forbidden:
            for feature in range(CELL_FEATURES):
                column = feature * BUCKETS + workspace.features[u64(cell), u64(feature)]
                cover += weights[u64(COVER_COLUMN + column)]
                gain += weights[u64(ATTACH_COLUMN + column)]
            if flags & attach:
                gain, edge = 0.0, weights[OWN_ATTACH_LOST]
        if flags >> OCCUPIED_SHIFT & opponents:
            edge += weights[OPPONENT_EDGE]
        if flags >> ATTACH_SHIFT & ~flags & opponents:
            edge += weights[OPPONENT_ATTACH_EDGE]
        workspace.cover_weight[cell] = cover
        workspace.attach_weight[cell] = gain
        workspace.edge_weight[cell] = edge


@njit_inline
def _sum_at(values: Float64Array, anchor: int, offsets: Int16Array, total: float) -> float:
    """Return `total` plus the values of the cells at some offsets from an anchor."""
    index = 0
    while offsets[u64(index)] != END_OF_OFFSETS:
        total += values[u64(anchor + offsets[u64(index)])]
        index += 1
    return total


@njit_inline
def move_logit(
    position: Position, team: int, move: int, weights: Float64Array, workspace: CellWorkspace
) -> float:
    """Return the logit of a move; the cell weights must be computed."""
    shape, anchor = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    cover = _sum_at(
        workspace.cover_weight, anchor, COVERED_OFFSETS[shape], float(weights[PIECE_OF_SHAPE[shape]])
    )
    gain = _sum_at(workspace.attach_weight, anchor, VERTEX_OFFSETS[shape], 0.0)
    edge = _sum_at(workspace.edge_weight, anchor, EDGE_OFFSETS[shape], 0.0)
    total = cover + gain + edge  # three sums, so that the processor can add them in parallel
    flags = covered_flags(position.cell_flags, shape, anchor)
    rivals = flags >> ATTACH_SHIFT & ALL_COLOURS & ~team
    if rivals & rivals - 1:
        total += weights[BLOCKS_TWO_OPPONENTS]
    return total


@njit_cached
def move_logits(
    position: Position,
    colour: int,
    teams: Int64Array,
    moves: Int32Array,
    weights: Float64Array,
    workspace: CellWorkspace,
) -> Float64Array:
    """Return the logits of some moves of a colour. `weights` is float64[STAGE_COUNT, FEATURE_COUNT]."""
    logits, stage_weights = np.empty(len(moves), np.float64), weights[stage(position, colour)]
    team = team_mask(colour, teams)
    compute_cell_features(position, colour, team, workspace)
    compute_cell_weights(position, colour, team, stage_weights, workspace)
    for index in range(len(moves)):
        logits[index] = move_logit(position, team, moves[index], stage_weights, workspace)
    return logits


@njit_no_nrt
def move_features(
    position: Position, colour: int, team: int, move: int, workspace: CellWorkspace, x: Float64Array
) -> None:
    """Write the feature vector of a move into `x`, float64[FEATURE_COUNT]; needs the cell features.

    Training uses it. The search computes the same weighted sum with `move_logit`.
    """
    cell_flags, shape, anchor = position.cell_flags, move >> SHAPE_SHIFT, move & ANCHOR_MASK
    index, rivals, opponents = 0, 0, ALL_COLOURS & ~team
    x[:] = 0
    x[PIECE_OF_SHAPE[shape]] = 1
    while COVERED_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = anchor + COVERED_OFFSETS[shape, index]
        for feature in range(CELL_FEATURES):
            x[COVER_COLUMN + feature * BUCKETS + workspace.features[cell, feature]] += 1
        rivals |= int(cell_flags[cell]) >> ATTACH_SHIFT
        index += 1
    rivals &= opponents
    x[BLOCKS_TWO_OPPONENTS] = rivals & rivals - 1 != 0
    index = 0
    while VERTEX_OFFSETS[shape, index] != END_OF_OFFSETS:
        cell = anchor + VERTEX_OFFSETS[shape, index]
        if not cell_flags[cell] & (FORBIDDEN | ATTACH) << colour:
            for feature in range(CELL_FEATURES):
                x[ATTACH_COLUMN + feature * BUCKETS + workspace.features[cell, feature]] += 1
        index += 1
    index = 0
    while EDGE_OFFSETS[shape, index] != END_OF_OFFSETS:
        flags = int(cell_flags[anchor + EDGE_OFFSETS[shape, index]])
        x[OWN_ATTACH_LOST] += flags >> ATTACH_SHIFT & ~flags & 1 << colour != 0
        x[OPPONENT_EDGE] += flags >> OCCUPIED_SHIFT & opponents != 0
        x[OPPONENT_ATTACH_EDGE] += flags >> ATTACH_SHIFT & ~flags & opponents != 0
        index += 1
