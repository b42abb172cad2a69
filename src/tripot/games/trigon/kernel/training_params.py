"""Parameters of the training. Nothing imports this module at run time: see `train`.

All are chosen, not tuned: no experiment with them is recorded. With other values the training gives other
weights, which play differently at every level from 3 on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


@dataclass(frozen=True, slots=True)
class TrainingParams:
    """The two alternating steps: fitting the value table, and fitting the policy to it."""

    processes: int = 2  # that play the games; the weights depend on their number
    learning_rates: tuple[float, ...] = (0.3, 0.15)  # of the value table, by round, falling to 0
    games_per_batch: int = 100  # of the value table, in each process
    batches: int = 120  # of the value table, per round
    error_decay: float = 0.95  # factor per batch of the sums behind the reported error
    report_interval: int = 20  # batches between two reports
    policy_games: int = 2000  # in each process
    policy_win_weight: float = 0.5  # `SearchParams.win_weight` of the rewards that the policy predicts
    ridge_penalty: float = 3.0  # added to the diagonal of the normal equations of the policy
    seeds_per_variant: int = 1000  # distance of the seeds of the two variants
    policy_seed_offset: int = 50  # distance of the seeds of the policy from those of the value table
    round_seed_offset: int = 100  # distance of the seeds of two rounds


@dataclass(frozen=True, slots=True)
class InitialPolicyParams:
    """The policy of the games of the first round, in units of logits before `SelfPlayParams.sharpness`."""

    size_weight: float = 0.03  # per triangle of the piece: large pieces first
    blocking_weight: float = 0.015  # per covered cell near an opponent: the first two buckets of distance
    centre_weight: float = -0.007  # per bucket of distance from the centre, in the first stages
    centre_stages: int = 4  # stages (`features.STAGE_OF`) in which the centre counts


class SelfPlayParams(NamedTuple):
    """The games of the training. Numba compiles the fields as constants."""

    sharpness: float = 40.0  # inverse temperature with which moves are sampled from the policy
    max_opening_plies: int = 44  # fewer moves than this are sampled before the playouts of a game
    playouts_per_game: int = 6  # playouts from each opening
    samples_per_playout: int = 6  # positions of a playout that the value table learns from
    max_sample_gap: int = 16  # moves between two of these positions, at most
    moves_per_sample: int = 32  # moves of a position that the policy compares
    min_compared_moves: int = 4  # positions with fewer moves are not sampled
    sample_interval: int = 8  # the policy learns from one of so many positions


TRAINING_PARAMS: Final = TrainingParams()
INITIAL_POLICY_PARAMS: Final = InitialPolicyParams()
SELF_PLAY_PARAMS: Final = SelfPlayParams()
