"""Compiled parts of the training. Nothing imports this module at run time: see `train`."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_cached
from tripot.engine.rng import random_below
from tripot.games.trigon.board import GRID
from tripot.games.trigon.kernel.available_moves import AvailableMoves, restore_available_moves
from tripot.games.trigon.kernel.compact_bits import new_compact_bits
from tripot.games.trigon.kernel.distances import STOCK_FEATURES, CellWorkspace, new_cell_workspace
from tripot.games.trigon.kernel.dtypes import Float64Array, Int16Array, Int32Array, Int64Array, Uint64Array
from tripot.games.trigon.kernel.features import (
    FEATURE_COUNT,
    compute_cell_features,
    compute_cell_weights,
    move_features,
    move_logit,
    stage,
    team_mask,
)
from tripot.games.trigon.kernel.history import History, append_history
from tripot.games.trigon.kernel.local_moves import PlayoutState, new_playout_state
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.opening import prune_opening_moves
from tripot.games.trigon.kernel.params import PlayoutParams, SearchParams
from tripot.games.trigon.kernel.placement_bits import init_placement_bits, new_placement_bits
from tripot.games.trigon.kernel.playout import run_playout
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    GAME_OVER,
    Position,
    clone,
    copy_into,
    final_score,
    place_piece,
)
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.tables import MAX_MOVES
from tripot.games.trigon.kernel.training_params import SELF_PLAY_PARAMS
from tripot.games.trigon.kernel.value import (
    TABLE_ROWS,
    ValueTable,
    game_phase,
    predict_scores,
    value_features,
)

UNLIMITED_MOVES: Final = 400  # more than a game has


# --- Sampling moves from the policy ---------------------------------------------------------------


class MoveBuffer(NamedTuple):
    """Candidate moves, int32[MAX_MOVES], and their logits or probabilities, float64[MAX_MOVES]."""

    moves: Int32Array
    weights: Float64Array


@njit_cached
def _new_move_buffer() -> MoveBuffer:
    """Return a buffer for the moves of one position."""
    return MoveBuffer(np.zeros(MAX_MOVES, np.int32), np.zeros(MAX_MOVES, np.float64))


@njit_cached
def _sample_index(probabilities: Float64Array, count: int, rng: Uint64Array) -> int:
    """Return an index, drawn by its probability: `probabilities` is float64[count] or longer."""
    remaining = random_below(rng, 1 << 30) / (1 << 30)
    for index in range(count):
        remaining -= probabilities[index]
        if remaining <= 0:
            return index
    return count - 1


@njit_cached
def _sample_softmax(logits: Float64Array, count: int, rng: Uint64Array) -> int:
    """Return an index, drawn from the softmax of the logits, which are replaced by the probabilities.

    `logits` is float64[count] or longer.
    """
    best, total = -1e9, 0.0
    for index in range(count):
        best = max(best, logits[index])
    for index in range(count):
        logits[index] = np.exp(logits[index] - best)
        total += logits[index]
    for index in range(count):
        logits[index] /= total
    return _sample_index(logits, count, rng)


@njit_cached
def _candidate_logits(
    position: Position,
    colour: int,
    teams: Int64Array,
    policy: Float64Array,
    workspace: CellWorkspace,
    buffer: MoveBuffer,
) -> int:
    """Write the moves of a colour that are worth searching and their logits; return their number."""
    count = prune_opening_moves(position, colour, legal_moves(position, colour), buffer.moves)
    weights, team = policy[stage(position, colour)], team_mask(colour, teams)
    compute_cell_features(position, colour, team, workspace)
    compute_cell_weights(position, colour, team, weights, workspace)
    for index in range(count):
        logit = move_logit(position, team, buffer.moves[index], weights, workspace)
        buffer.weights[index] = SELF_PLAY_PARAMS.sharpness * logit
    return count


@njit_cached
def _sample_opening(
    position: Position,
    teams: Int64Array,
    policy: Float64Array,
    plies: int,
    workspace: CellWorkspace,
    history: History,
    buffer: MoveBuffer,
    rng: Uint64Array,
) -> int:
    """Play some moves sampled from the policy, and return the colour to move then, or GAME_OVER."""
    blocked, turn = 0, 0
    history.length[0] = history.root_length[0] = 0
    while blocked != ALL_COLOURS:
        if not blocked >> turn & 1:
            if plies == 0:
                return turn
            if not len(legal_moves(position, turn)):
                blocked |= 1 << turn
                position.blocked[0] = blocked
            else:
                count = _candidate_logits(position, turn, teams, policy, workspace, buffer)
                move = buffer.moves[_sample_softmax(buffer.weights, count, rng)]
                place_piece(position, turn, move)
                append_history(history, turn, move)
                plies -= 1
        turn = (turn + 1) & 3
    return GAME_OVER


# --- Training the value table ---------------------------------------------------------------------


class ValueModel(NamedTuple):
    """A value table in training; the first index is the phase of the game.

    weights        float64[PHASE_COUNT, WEIGHT_COUNT]
    squares        float64[PHASE_COUNT, WEIGHT_COUNT], sum of squared gradients (Adagrad)
    square_errors  float64[PHASE_COUNT], sum of the squared errors of the predictions
    sample_counts  float64[PHASE_COUNT], how many predictions were made
    """

    weights: Float64Array
    squares: Float64Array
    square_errors: Float64Array
    sample_counts: Float64Array


class SampleBuffer(NamedTuple):
    """Features of the sampled positions of one playout; the first index is the sample.

    rows       int16[samples, 4, GRID], table rows by colour
    row_count  int64[samples]
    stock      float64[samples, 4, STOCK_FEATURES]
    phase      int64[samples]
    """

    rows: Int16Array
    row_count: Int64Array
    stock: Float64Array
    phase: Int64Array


@njit_cached
def _adagrad_step(
    weights: Float64Array,
    squares: Float64Array,
    rows: Int16Array,
    stock: Float64Array,
    score: float,
    rate: float,
) -> float:
    """Move the prediction of a score towards the score, and return the prediction before.

    The step of a weight shrinks with the sum of its squared gradients (Adagrad; Duchi et al. 2011).
    """
    predicted = 0.0
    for row in rows:
        predicted += weights[row]
    for index in range(STOCK_FEATURES):
        predicted += weights[TABLE_ROWS + index] * stock[index]
    error = score - predicted
    for row in rows:
        squares[row] += error * error
        weights[row] += rate * error / (np.sqrt(squares[row]) + 1)
    for index in range(STOCK_FEATURES):
        gradient = error * stock[index]
        squares[TABLE_ROWS + index] += gradient * gradient
        weights[TABLE_ROWS + index] += rate * gradient / (np.sqrt(squares[TABLE_ROWS + index]) + 1)
    return predicted


@njit_cached
def _collect_samples(
    position: Position,
    available: AvailableMoves,
    turn: int,
    teams: Int64Array,
    params: PlayoutParams,
    state: PlayoutState,
    samples: SampleBuffer,
    workspace: CellWorkspace,
    rng: Uint64Array,
) -> int:
    """Play a game to its end, and return how many positions on the way were sampled."""
    count, colour = 0, turn
    while colour != GAME_OVER:
        if count < SELF_PLAY_PARAMS.samples_per_playout:
            samples.row_count[count] = value_features(
                position, colour, workspace, samples.rows[count], samples.stock[count]
            )
            samples.phase[count] = game_phase(position)
            count += 1
        moves = (
            1 + random_below(rng, SELF_PLAY_PARAMS.max_sample_gap)
            if count < SELF_PLAY_PARAMS.samples_per_playout
            else UNLIMITED_MOVES
        )
        colour = run_playout(position, available, colour, teams, params, state, moves, rng)
    return count


@njit_cached
def _fit_samples(
    final: Position, samples: SampleBuffer, first: int, end: int, rate: float, model: ValueModel
) -> None:
    """Train the table with the samples of a playout, given its final position."""
    for sample in range(first, end):
        phase = samples.phase[sample]
        for colour in range(4):
            score = final_score(final, colour)
            rows = samples.rows[sample, colour, : samples.row_count[sample]]
            predicted = _adagrad_step(
                model.weights[phase], model.squares[phase], rows, samples.stock[sample, colour], score, rate
            )
            model.square_errors[phase] += (score - predicted) ** 2
            model.sample_counts[phase] += 1


@njit_cached
def train_values(
    start: Position,
    teams: Int64Array,
    policy: Float64Array,
    params: PlayoutParams,
    games: int,
    rate: float,
    rng: Uint64Array,
    model: ValueModel,
) -> None:
    """Train the value table with some games: an opening sampled from the policy, then several playouts."""
    position, work, state, workspace = clone(start), clone(start), new_playout_state(), new_cell_workspace()
    compact, buffer = new_compact_bits(), _new_move_buffer()
    root_moves = AvailableMoves(new_placement_bits(), compact)
    available = AvailableMoves(new_placement_bits(), compact)
    samples = SampleBuffer(
        np.zeros((SELF_PLAY_PARAMS.samples_per_playout, 4, GRID), np.int16),
        np.zeros(SELF_PLAY_PARAMS.samples_per_playout, np.int64),
        np.zeros((SELF_PLAY_PARAMS.samples_per_playout, 4, STOCK_FEATURES), np.float64),
        np.zeros(SELF_PLAY_PARAMS.samples_per_playout, np.int64),
    )
    for _ in range(games):
        copy_into(start, position)
        plies = random_below(rng, SELF_PLAY_PARAMS.max_opening_plies)
        turn = _sample_opening(position, teams, policy, plies, workspace, state.history, buffer, rng)
        if turn == GAME_OVER:
            continue
        init_placement_bits(position, root_moves.bits)
        opening_length = state.history.length[0]
        for playout in range(SELF_PLAY_PARAMS.playouts_per_game):
            copy_into(position, work)
            restore_available_moves(position, root_moves, available)
            state.history.length[0] = opening_length
            count = _collect_samples(work, available, turn, teams, params, state, samples, workspace, rng)
            first = 1 if playout else 0  # the first position is the same for all playouts
            _fit_samples(work, samples, first, count, rate, model)


# --- Training the policy --------------------------------------------------------------------------


class NormalEquations(NamedTuple):
    """Sums of a linear regression, by stage of the game: products of features, and of features and values.

    products  float64[STAGE_COUNT, FEATURE_COUNT, FEATURE_COUNT]
    sums      float64[STAGE_COUNT, FEATURE_COUNT]
    """

    products: Float64Array
    sums: Float64Array


class MoveSamples(NamedTuple):
    """Features of some moves of one position, and the rewards that the value table predicts after them.

    features  float64[moves_per_sample, FEATURE_COUNT]
    values    float64[moves_per_sample]
    """

    features: Float64Array
    values: Float64Array


@njit_cached
def _sample_moves(
    position: Position,
    colour: int,
    teams: Int64Array,
    value: ValueTable,
    params: SearchParams,
    buffer: MoveBuffer,
    count: int,
    workspace: CellWorkspace,
    samples: MoveSamples,
    rng: Uint64Array,
) -> None:
    """Sample moves of a position, half of them uniformly and half by their probabilities in the buffer."""
    work, value_workspace, team = clone(position), new_cell_workspace(), team_mask(colour, teams)
    scores, rewards = np.zeros(4, np.float64), np.zeros(4, np.float64)
    win_shares = np.zeros(4, np.float64)
    for sample in range(SELF_PLAY_PARAMS.moves_per_sample):
        index = random_below(rng, count) if sample & 1 else _sample_index(buffer.weights, count, rng)
        move = buffer.moves[np.int64(index)]
        move_features(position, colour, team, move, workspace, samples.features[sample])
        copy_into(position, work)
        place_piece(work, colour, move)
        score_error = predict_scores(work, (colour + 1) & 3, value, value_workspace, scores)
        compute_rewards(scores, ALL_COLOURS, teams, score_error, params, rewards, win_shares)
        samples.values[sample] = rewards[colour]


@njit_cached
def _add_normal_equations(samples: MoveSamples, game_stage: int, equations: NormalEquations) -> None:
    """Add the samples of one position, centred so that only differences between its moves count."""
    features, values = samples.features, samples.values
    for feature in range(FEATURE_COUNT):
        features[:, feature] -= features[:, feature].mean()
    values -= values.mean()
    for sample in range(SELF_PLAY_PARAMS.moves_per_sample):
        for feature in range(FEATURE_COUNT):
            if features[sample, feature] != 0:
                equations.sums[game_stage, feature] += features[sample, feature] * values[sample]
                equations.products[game_stage, feature] += features[sample, feature] * features[sample]


@njit_cached
def accumulate_policy_stats(
    start: Position,
    teams: Int64Array,
    policy: Float64Array,
    value: ValueTable,
    params: SearchParams,
    games: int,
    rng: Uint64Array,
    equations: NormalEquations,
) -> None:
    """Add the moves of some games, sampled from the policy, to the regression of values on move features."""
    position, workspace, buffer = clone(start), new_cell_workspace(), _new_move_buffer()
    samples = MoveSamples(
        np.zeros((SELF_PLAY_PARAMS.moves_per_sample, FEATURE_COUNT), np.float64),
        np.zeros(SELF_PLAY_PARAMS.moves_per_sample, np.float64),
    )
    for _ in range(games):
        copy_into(start, position)
        blocked, turn = 0, 0
        while blocked != ALL_COLOURS:
            if blocked >> turn & 1:
                turn = (turn + 1) & 3
                continue
            if not len(legal_moves(position, turn)):
                blocked |= 1 << turn
                position.blocked[0] = blocked
                continue
            count = _candidate_logits(position, turn, teams, policy, workspace, buffer)
            chosen = _sample_softmax(buffer.weights, count, rng)
            if (
                count >= SELF_PLAY_PARAMS.min_compared_moves
                and random_below(rng, SELF_PLAY_PARAMS.sample_interval) == 0
            ):
                _sample_moves(position, turn, teams, value, params, buffer, count, workspace, samples, rng)
                _add_normal_equations(samples, stage(position, turn), equations)
            place_piece(position, turn, buffer.moves[chosen])
            turn = (turn + 1) & 3
