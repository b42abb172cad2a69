"""Static prediction of how the game ends after a move, without any search."""

from __future__ import annotations

import numpy as np

from tripot.engine.jit import njit_cached
from tripot.games.trigon.kernel.distances import CellWorkspace
from tripot.games.trigon.kernel.dtypes import Float64Array, Int32Array, Int64Array
from tripot.games.trigon.kernel.params import SearchParams
from tripot.games.trigon.kernel.position import Position, clone, copy_into, final_score, place_piece
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.value import ValueTable, predict_scores
from tripot.games.trigon.rules import SINGLE_LAST_SCORE


@njit_cached
def predict_outcomes(
    position: Position,
    colour: int,
    teams: Int64Array,
    moves: Int32Array,
    value_weights: ValueTable,
    params: SearchParams,
    workspace: CellWorkspace,
) -> tuple[Float64Array, Float64Array]:
    """Predict the outcome after each of some moves of a colour.

    teams          int64[4], the team of each colour
    moves          int32[moves]
    value_weights  float32[PHASE_COUNT, WEIGHT_COUNT] (`value`)
    workspace      buffers

    Returns the win share of the colour's team, float64[moves], and the scores of all colours in points,
    float64[moves, 4]. Scores are limited to what is possible: no colour ends with less than it has now.
    """
    child, win_shares = clone(position), np.zeros(4, np.float64)
    wins, scores = np.zeros(len(moves), np.float64), np.zeros((len(moves), 4), np.float64)
    rewards = np.zeros(4, np.float64)
    for index in range(len(moves)):
        copy_into(position, child)
        place_piece(child, colour, moves[index])
        score_error = predict_scores(child, (colour + 1) & 3, value_weights, workspace, scores[index])
        for other in range(4):
            score = max(scores[index, other], float(final_score(child, other)))
            scores[index, other] = min(score, float(SINGLE_LAST_SCORE))
        compute_rewards(scores[index], position.in_play[0], teams, score_error, params, rewards, win_shares)
        wins[index] = win_shares[colour]
    return wins, scores
