"""Training: fits the parameters of `value.py` by self-play. Nothing imports this module at run time.

    python -m tripot.games.triolet.kernel.train

prints the leave values and the fitted fields of `ValueParams`, in about a minute. Both players choose moves
by equity. The value of a leave is how much more than an average turn the next turn of that player scores.
Leaves that are rare are shrunk towards the sum of the values of their tokens.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_cached
from tripot.engine.rng import random_below, seed_rng
from tripot.games.triolet.board import HIDDEN_TOKEN, JOKER, RACK_SIZE, SET_ASIDE
from tripot.games.triolet.kernel.playout import PlayoutBuffers, new_playout_buffers, run_playout
from tripot.games.triolet.kernel.position import (
    GamePosition,
    bag_left,
    count_tokens_off_board,
    draw,
)
from tripot.games.triolet.kernel.tables import EMPTY_SLOT, TOKENS_IN_ALL, Float64Array
from tripot.games.triolet.kernel.value import TOKEN_KINDS, UNKNOWN_LEAVE, expected_reply

MAX_TURNS: Final = 200  # more than any game has


class TrainingParams(NamedTuple):
    """The numbers of the training. Numba compiles the fields as constants. All are chosen, not tuned."""

    games: int = 40_000
    """Games per round."""

    rounds: int = 3
    """Each plays with the leave values of the one before; the first with none."""

    shrinkage: float = 200.0
    """A leave that was seen this often has weight 1/2, as has the sum over its tokens."""

    min_bag: int = 2 * RACK_SIZE
    """With this many tokens in the bag or fewer, a turn says little about a leave, and is not counted."""


TRAINING_PARAMS: Final = TrainingParams()


class SelfPlaySums(NamedTuple):
    """What self-play adds up. The fields after the first two are single numbers, float64[1]."""

    leave_gain_sum: Float64Array
    """Points of the next turn by `leave_index` of what was kept, float64[UNKNOWN_LEAVE + 1]."""
    leave_count: Float64Array
    """How many turns these are, of the same shape."""
    squared_lead_error: Float64Array
    """Squares of how much a lead still changed, over all turns with tokens in the bag."""
    tokens_left: Float64Array
    """Tokens in the bag and on the racks, over the same turns."""
    points_after: Float64Array
    """Points that both seats still scored, over the same turns."""
    reply_sum: Float64Array
    """What `expected_reply` predicted for a turn."""
    gain_sum: Float64Array
    """What that turn scored."""
    reply_squares: Float64Array
    reply_gain_sum: Float64Array
    """The sum of the products of the two."""
    turn_count: Float64Array
    """How many turns have such an expectation."""


def new_self_play_sums() -> SelfPlaySums:
    """Allocate sums that are zero."""
    leaves = (np.zeros(UNKNOWN_LEAVE + 1, np.float64) for _ in range(2))
    return SelfPlaySums(*leaves, *(np.zeros(1, np.float64) for _ in SelfPlaySums._fields[2:]))


# --- Self-play -----------------------------------------------------------------------------------


@njit_cached
def start_game(position: GamePosition, seed: int) -> None:
    """Set up a new game (TO-1): a shuffled bag without the tokens set aside, and full racks."""
    position.grid[:] = 0
    position.racks[:] = EMPTY_SLOT
    position.scores[:] = 0
    position.turn[0] = position.pass_count[0] = 0
    seed_rng(position.rng, seed)
    count = 0
    for token in range(len(TOKENS_IN_ALL)):
        for _ in range(TOKENS_IN_ALL[token]):
            position.bag[count] = token
            count += 1
    for last in range(count - 1, 0, -1):
        other = random_below(position.rng, last + 1)
        position.bag[last], position.bag[other] = position.bag[other], position.bag[last]
    position.bag_head[0], position.bag_end[0] = 0, count - SET_ASIDE
    for seat in range(len(position.racks)):
        draw(position, position.racks[seat])


@njit_cached
def unseen_tokens(position: GamePosition, seat: int) -> Float64Array:
    """Return how many tokens of each kind a seat has not seen, float64[17]."""
    counts = np.empty(len(TOKENS_IN_ALL), np.int64)
    count_tokens_off_board(position.grid, counts)
    for token in position.racks[seat]:
        if token <= JOKER:
            counts[token] -= 1
    return counts.astype(np.float64)


@njit_cached
def _add_turn(sums: SelfPlaySums, leave: int, gain: float, reply: float) -> None:
    """Add what a turn scored after a leave; `reply` is what was expected of it, or negative if unknown."""
    sums.leave_gain_sum[leave] += gain
    sums.leave_count[leave] += 1
    if reply >= 0:
        sums.reply_sum[0] += reply
        sums.gain_sum[0] += gain
        sums.reply_squares[0] += reply * reply
        sums.reply_gain_sum[0] += reply * gain
        sums.turn_count[0] += 1


@njit_cached
def _add_history(sums: SelfPlaySums, history: Float64Array, position: GamePosition) -> None:
    """Add what followed each turn of a finished game. A row is lead, total score, and tokens left."""
    final_lead = position.scores[0] - position.scores[1]
    final_total = position.scores[0] + position.scores[1]
    for lead, total, tokens in history:
        if tokens:
            sums.squared_lead_error[0] += (final_lead - lead) ** 2
            sums.tokens_left[0] += tokens
            sums.points_after[0] += final_total - total


@njit_cached
def accumulate_self_play(
    games: int, seed: int, leaves: Float64Array, buffers: PlayoutBuffers, sums: SelfPlaySums
) -> None:
    """Play two-player games with `leaves`, an array like LEAVE_VALUES, and add up statistics of them."""
    position, leaves_kept = buffers.playout, buffers.leaves_kept
    leaves_before = np.zeros(2, np.int32)
    history = np.zeros((MAX_TURNS, 3), np.float64)
    for game in range(games):
        start_game(position, seed + game)
        leaves_before[:] = UNKNOWN_LEAVE
        reply = -1.0
        for turn in range(MAX_TURNS):
            seat, bag = position.turn[0], bag_left(position)
            score = position.scores[seat]
            history[turn, 0] = position.scores[0] - position.scores[1]
            history[turn, 1] = position.scores[0] + position.scores[1]
            history[turn, 2] = bag + 2 * RACK_SIZE if bag else 0
            is_over = run_playout(
                position, 1, leaves, buffers.workspace, buffers.moves, buffers.values, leaves_kept
            )
            if is_over:
                _add_history(sums, history[: turn + 1], position)
                break
            _add_turn(sums, leaves_before[seat], position.scores[seat] - score, reply)
            if bag > TRAINING_PARAMS.min_bag:
                leaves_before[seat] = leaves_kept[seat]
                reply = expected_reply(
                    position.grid, unseen_tokens(position, seat), buffers.workspace.anchors
                )
            else:
                leaves_before[seat] = UNKNOWN_LEAVE
                reply = -1.0


# --- Fitting -------------------------------------------------------------------------------------


def smooth(sums: Float64Array, counts: Float64Array) -> Float64Array:
    """Return mean values of leaves, [TOKEN_KINDS, TOKEN_KINDS]; rare pairs shrink towards an additive model.

    The additive value of a pair is the sum of its tokens' values alone, plus the mean error of that over the
    pairs that are frequent.
    """
    single = sums[:, HIDDEN_TOKEN] / (counts[:, HIDDEN_TOKEN] + TRAINING_PARAMS.shrinkage)
    additive = single[:, None] + single[None, :]
    additive[:, HIDDEN_TOKEN] = 0.0
    is_frequent = counts > TRAINING_PARAMS.shrinkage
    is_frequent[:, HIDDEN_TOKEN] = False
    error = sums[is_frequent] / counts[is_frequent] - additive[is_frequent]
    additive[:, :HIDDEN_TOKEN] += error.mean()
    smoothed: Float64Array = (sums + TRAINING_PARAMS.shrinkage * additive) / (
        counts + TRAINING_PARAMS.shrinkage
    )
    return smoothed


def fit_leaves(
    games: int = TRAINING_PARAMS.games, rounds: int = TRAINING_PARAMS.rounds, seed: int = 1
) -> tuple[Float64Array, SelfPlaySums]:
    """Return the leave values by `leave_index`, and the sums of the last round."""
    leaves = np.zeros(UNKNOWN_LEAVE + 1, np.float64)
    buffers = new_playout_buffers(players=2, seed=0)
    shape = TOKEN_KINDS, TOKEN_KINDS
    for number in range(rounds):
        sums = new_self_play_sums()
        accumulate_self_play(games, seed + number * games, leaves, buffers, sums)
        gains, counts = sums.leave_gain_sum[:UNKNOWN_LEAVE], sums.leave_count[:UNKNOWN_LEAVE]
        mean = gains.sum() / counts.sum()
        leaves[:UNKNOWN_LEAVE] = smooth((gains - mean * counts).reshape(shape), counts.reshape(shape)).ravel()
    return leaves, sums


def fit_params(sums: SelfPlaySums) -> dict[str, float]:
    """Return the fitted fields of `ValueParams` by name."""
    turns = sums.turn_count[0]
    reply, gain = sums.reply_sum[0] / turns, sums.gain_sum[0] / turns
    covariance = sums.reply_gain_sum[0] / turns - reply * gain
    variance = sums.reply_squares[0] / turns - reply * reply
    return {
        "reply_weight": round(float(covariance / variance), 2),
        "tempo": round(float(gain) / 2, 1),
        "lead_std": round(float(sums.squared_lead_error[0] / sums.tokens_left[0]) ** 0.5, 1),
        "points_per_token": round(float(sums.points_after[0] / sums.tokens_left[0]), 1),
    }


def main() -> None:
    """Print the numbers in the form in which `value.py` has them."""
    leaves, sums = fit_leaves()
    rows = leaves[:UNKNOWN_LEAVE].reshape(TOKEN_KINDS, TOKEN_KINDS).round().astype(int)
    for higher in range(TOKEN_KINDS):
        print(f"    {tuple(rows[: higher + 1, higher].tolist())},")
    for name, number in fit_params(sums).items():
        print(f"{name}={number},")


if __name__ == "__main__":
    main()
