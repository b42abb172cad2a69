"""Training of policy and value weights from self-play. Nothing imports this module at run time.

    python -m tripot.games.trigon.kernel.train

writes `weights.npz`, with the same result every time, in six to ten minutes on two cores.

Training alternates twice between two steps, once for two teams of two colours and once for individual
players. First the value table learns to predict the final scores of playouts (stochastic gradient descent
with Adagrad). Then the policy is fitted by ridge regression: its logits predict the reward that the value
table assigns to the position after a move.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from tripot.engine.rng import new_rng
from tripot.games.trigon.board import BOARD
from tripot.games.trigon.kernel.dtypes import Float64Array, Int64Array
from tripot.games.trigon.kernel.features import BUCKETS, CENTRE, COVER_COLUMN, FEATURE_COUNT, STAGE_COUNT
from tripot.games.trigon.kernel.params import PLAYOUT_PARAMS, SEARCH_PARAMS
from tripot.games.trigon.kernel.position import ALL_COLOURS, FREE_STARTS, empty_position
from tripot.games.trigon.kernel.tables import PIECE_COUNT, SIZE_OF_PIECE
from tripot.games.trigon.kernel.train_kernels import (
    NormalEquations,
    ValueModel,
    accumulate_policy_stats,
    train_values,
)
from tripot.games.trigon.kernel.training_params import INITIAL_POLICY_PARAMS, TRAINING_PARAMS
from tripot.games.trigon.kernel.value import PHASE_COUNT, RMSE_COLUMN, WEIGHT_COUNT, ValueTable
from tripot.games.trigon.kernel.weights import FILE_NAME, Weights, array_names


def _teams(is_paired: bool) -> Int64Array:
    return np.array([0, 1, 0, 1] if is_paired else [0, 1, 2, 3], np.int64)


def initial_policy_weights() -> Float64Array:
    """Return the policy of the first round: large pieces, blocking, towards the centre."""
    params, weights = INITIAL_POLICY_PARAMS, np.zeros((STAGE_COUNT, FEATURE_COUNT), np.float64)
    weights[:, :PIECE_COUNT] = params.size_weight * SIZE_OF_PIECE
    weights[:, COVER_COLUMN : COVER_COLUMN + 2] = params.blocking_weight
    centre = COVER_COLUMN + CENTRE * BUCKETS
    weights[: params.centre_stages, centre : centre + BUCKETS] = params.centre_weight * np.arange(
        BUCKETS, dtype=np.float64
    )
    return weights


def train_values_worker(
    is_paired: bool, policy: Float64Array, weights: Float64Array, rate: float, seed: int
) -> ValueModel:
    """Train the value table in one process."""
    start, rng = empty_position(BOARD, FREE_STARTS, False, ALL_COLOURS), new_rng(seed)
    model = ValueModel(
        weights=weights.copy(),
        squares=np.zeros((PHASE_COUNT, WEIGHT_COUNT), np.float64),
        square_errors=np.zeros(PHASE_COUNT, np.float64),
        sample_counts=np.zeros(PHASE_COUNT, np.float64),
    )
    params = PLAYOUT_PARAMS._replace(use_replies=0)
    for batch in range(TRAINING_PARAMS.batches):
        batch_rate = rate * (1 - batch / TRAINING_PARAMS.batches)
        model.square_errors[:] *= TRAINING_PARAMS.error_decay
        model.sample_counts[:] *= TRAINING_PARAMS.error_decay
        train_values(
            start, _teams(is_paired), policy, params, TRAINING_PARAMS.games_per_batch, batch_rate, rng, model
        )
        if seed % TRAINING_PARAMS.processes == 0 and (batch + 1) % TRAINING_PARAMS.report_interval == 0:
            report_error(f"values, batch {batch + 1} of {TRAINING_PARAMS.batches}", model)
    return model


def root_mean_square_error(square_errors: Float64Array, sample_counts: Float64Array) -> Float64Array:
    """Return the error of the predicted scores in points, by phase."""
    return np.asarray(np.sqrt(square_errors / np.maximum(sample_counts, 1)), np.float64)


def report_error(title: str, model: ValueModel) -> None:
    """Print the error of the predicted scores in points, by phase."""
    errors = root_mean_square_error(model.square_errors, model.sample_counts)
    print(f"  {title}: error", *(f"{error:.1f}" for error in errors), flush=True)


def policy_stats_worker(
    is_paired: bool, policy: Float64Array, value: ValueTable, seed: int
) -> NormalEquations:
    """Collect the normal equations of the policy in one process."""
    start = empty_position(BOARD, FREE_STARTS, False, ALL_COLOURS)
    params = SEARCH_PARAMS._replace(win_weight=TRAINING_PARAMS.policy_win_weight)
    equations = NormalEquations(
        products=np.zeros((STAGE_COUNT, FEATURE_COUNT, FEATURE_COUNT), np.float64),
        sums=np.zeros((STAGE_COUNT, FEATURE_COUNT), np.float64),
    )
    rng = new_rng(seed)
    accumulate_policy_stats(
        start, _teams(is_paired), policy, value, params, TRAINING_PARAMS.policy_games, rng, equations
    )
    return equations


def train(is_paired: bool, pool: ProcessPoolExecutor, seed: int) -> Weights:
    """Train the weights for two teams, or for individual players."""
    policy, values = initial_policy_weights(), np.zeros((PHASE_COUNT, WEIGHT_COUNT), np.float64)
    for rate in TRAINING_PARAMS.learning_rates:
        print("two teams" if is_paired else "individual players", flush=True)
        seeds = range(seed, seed + TRAINING_PARAMS.processes)
        jobs = [pool.submit(train_values_worker, is_paired, policy, values, rate, part) for part in seeds]
        models = [job.result() for job in jobs]
        values = np.mean([model.weights for model in models], axis=0)
        values[:, RMSE_COLUMN] = root_mean_square_error(
            np.sum([model.square_errors for model in models], axis=0),
            np.sum([model.sample_counts for model in models], axis=0),
        )
        table = values.astype(np.float32)
        stats_jobs = [
            pool.submit(
                policy_stats_worker, is_paired, policy, table, part + TRAINING_PARAMS.policy_seed_offset
            )
            for part in seeds
        ]
        equations = [job.result() for job in stats_jobs]
        products = np.sum([part.products for part in equations], axis=0)
        products += TRAINING_PARAMS.ridge_penalty * np.eye(FEATURE_COUNT)
        sums = np.sum([part.sums for part in equations], axis=0)
        policy = np.linalg.solve(products, sums[:, :, None])[:, :, 0]
        seed += TRAINING_PARAMS.round_seed_offset
    return Weights(policy, table)


def main() -> None:
    """Train all weights and write the file."""
    arrays = {}
    with ProcessPoolExecutor(TRAINING_PARAMS.processes) as pool:
        for seed, is_paired in enumerate((True, False), 1):
            weights = train(is_paired, pool, TRAINING_PARAMS.seeds_per_variant * seed)
            policy, value = array_names(is_paired)
            arrays[policy], arrays[value] = weights.policy.astype(np.float32), weights.value
    np.savez_compressed(Path(__file__).with_name(FILE_NAME), allow_pickle=False, **arrays)


if __name__ == "__main__":
    main()
