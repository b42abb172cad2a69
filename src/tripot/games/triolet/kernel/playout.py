"""Determinized playouts: moves are tried in sampled positions that agree with a view.

A determinization deals the unseen tokens to the hidden racks and the bag at random. All moves are tried in
the same determinizations (common random numbers), which reduces the variance of their differences. After each
move some turns are played by equity, and the lead is then evaluated. Scrabble programs call this simulation
(Sheppard, "World-championship-caliber Scrabble", Artificial Intelligence 134, 2002).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.engine.rng import random_below
from tripot.games.triolet.board import HIDDEN_TOKEN, RACK_SIZE
from tripot.games.triolet.kernel.moves import Moves, Workspace, argmax, new_moves, new_workspace
from tripot.games.triolet.kernel.position import (
    GamePosition,
    bag_left,
    copy_into,
    draw,
    is_dead,
    new_position,
    play_move,
    score_end,
    tokens_left,
    used_slots,
)
from tripot.games.triolet.kernel.tables import EMPTY_SLOT, Float64Array, Int32Array, Uint8Array
from tripot.games.triolet.kernel.value import (
    UNKNOWN_LEAVE,
    VALUE_PARAMS,
    evaluate_moves,
    leave_index,
    new_values,
    win_probability,
)


class PlayoutBuffers(NamedTuple):
    """Positions and arrays that playouts overwrite.

    The generators of the two positions continue from one call to the next, so results do not depend on how
    many determinizations one call simulates.
    """

    determinization: GamePosition
    """The sampled position."""
    playout: GamePosition
    """The position that is played on."""
    workspace: Workspace
    moves: Moves
    values: Float64Array
    leaves_kept: Int32Array
    """The `leave_index` of what each seat kept at its last move, int32[players]."""


class SimulationSums(NamedTuple):
    """Sums over all determinizations, by move."""

    win_probability: Float64Array
    """float64[moves]."""
    lead: Float64Array
    """Points ahead of the best other seat, float64[moves]."""
    scores: Float64Array
    """Expected final scores, float64[moves, players]."""


def new_playout_buffers(players: int, seed: int) -> PlayoutBuffers:
    """Allocate the buffers, and seed their generators."""
    return PlayoutBuffers(
        determinization=new_position(players, seed),
        playout=new_position(players, seed + 1),
        workspace=new_workspace(),
        moves=new_moves(),
        values=new_values(),
        leaves_kept=np.zeros(players, np.int32),
    )


def new_simulation_sums(moves: int, players: int) -> SimulationSums:
    """Allocate sums that are zero."""
    return SimulationSums(
        np.zeros(moves, np.float64), np.zeros(moves, np.float64), np.zeros((moves, players), np.float64)
    )


@njit_no_nrt
def run_playout(
    position: GamePosition,
    turns: int,
    leaves: Float64Array,
    workspace: Workspace,
    moves: Moves,
    values: Float64Array,
    leaves_kept: Int32Array,
) -> bool:
    """Play some turns, each the move with the highest equity; return whether the game is over.

    A move after a bis square belongs to the same turn.
    """
    seats, turn = len(position.racks), 0
    while turn < turns:
        seat = position.turn[0]
        count, placements = evaluate_moves(position, leaves, workspace, moves, values)
        if not placements:
            position.pass_count[0] += 1
            if position.pass_count[0] >= seats and (not count or is_dead(position, workspace)):
                score_end(position, -1)
                return True
            if not count:
                position.turn[0] = (seat + 1) % seats
                turn += 1
                continue
        best = argmax(values, 0, count)
        code = moves.codes[best]
        leaves_kept[seat] = leave_index(position.racks[seat], used_slots(position.racks[seat], code))
        turn += not play_move(position, code, moves.points[best])
        if position.racks[seat, 0] == EMPTY_SLOT:
            score_end(position, seat)
            return True
    return False


@njit_no_nrt
def determinize(start: GamePosition, pool: Uint8Array, target: GamePosition) -> None:
    """Sample a full position: deal the pool of unseen tokens, which is shuffled, to hidden racks and bag."""
    copy_into(start, target)
    for last in range(len(pool) - 1, 0, -1):
        other = random_below(target.rng, last + 1)
        pool[last], pool[other] = pool[other], pool[last]
    dealt = 0
    for seat in range(len(target.racks)):
        for slot in range(RACK_SIZE):
            if target.racks[seat, slot] == HIDDEN_TOKEN:
                target.racks[seat, slot] = pool[dealt]
                dealt += 1
        draw(target, target.racks[seat])  # this only sorts: the rack is full or the bag is empty
    for index in range(bag_left(start)):
        target.bag[start.bag_head[0] + index] = pool[dealt + index]


@njit_no_nrt
def _lead_after(
    position: GamePosition, seat: int, is_over: bool, leaves: Float64Array, leaves_kept: Int32Array
) -> float:
    """Return how many points a seat is ahead of the best other one at the end of a playout.

    Unless the game is over, the leaves count, and so does being the next to play.
    """
    best_other = -1e9
    for other in range(len(position.racks)):
        if other != seat:
            best_other = max(best_other, position.scores[other] + leaves[leaves_kept[other]])
    lead = position.scores[seat] + leaves[leaves_kept[seat]] - best_other
    if not is_over:
        lead += VALUE_PARAMS.tempo if position.turn[0] == seat else -VALUE_PARAMS.tempo
    return lead  # type: ignore[no-any-return]  # a NumPy scalar


@njit_no_nrt
def _add_expected_scores(
    position: GamePosition, tokens: int, leaves: Float64Array, leaves_kept: Int32Array, sums: Float64Array
) -> None:
    """Add the expected final score of each seat to `sums`, float64[players].

    `tokens` are those that can still be placed, 0 if the game is over. Each seat is taken to score an equal
    part of what they bring; `tempo` is what the seat to play gains on another one.
    """
    seats = len(position.racks)
    for seat in range(seats):
        expected = position.scores[seat] + leaves[leaves_kept[seat]]
        if tokens:
            expected += VALUE_PARAMS.points_per_token * tokens / seats
            expected += (0.5 if position.turn[0] == seat else -0.5) * VALUE_PARAMS.tempo
        sums[seat] += expected


@njit_no_nrt
def _simulate_move(code: int, points: int, turns: int, leaves: Float64Array, buffers: PlayoutBuffers) -> bool:
    """Play a move and some turns after it from the current determinization; return whether the game is
    over."""
    position, leaves_kept = buffers.playout, buffers.leaves_kept
    copy_into(buffers.determinization, position)
    seat = position.turn[0]
    leaves_kept[:] = UNKNOWN_LEAVE
    leaves_kept[seat] = leave_index(position.racks[seat], used_slots(position.racks[seat], code))
    plays_again = play_move(position, code, points)
    is_over = bool(position.racks[seat, 0] == EMPTY_SLOT)
    if is_over:
        score_end(position, seat)
    else:
        is_over = run_playout(
            position,
            turns + plays_again,
            leaves,
            buffers.workspace,
            buffers.moves,
            buffers.values,
            leaves_kept,
        )
    if is_over or not bag_left(position):
        leaves_kept[:] = UNKNOWN_LEAVE
    return is_over


@njit_no_nrt
def simulate_moves(
    start: GamePosition,
    pool: Uint8Array,
    candidates: Moves,
    determinizations: int,
    turns: int,
    leaves: Float64Array,
    buffers: PlayoutBuffers,
    sums: SimulationSums,
) -> None:
    """Add up the results of playouts of some moves over many determinizations.

    start             the position; hidden tokens are HIDDEN_TOKEN, and the content of the bag is ignored
    pool              the unseen tokens, uint8[n]: at least those of the bag and the hidden slots
    candidates        the moves to try
    determinizations  how many positions to sample
    turns             how many turns to play after each move
    leaves            an array like LEAVE_VALUES
    """
    seat = start.turn[0]
    for _ in range(determinizations):
        determinize(start, pool, buffers.determinization)
        for index in range(len(candidates.codes)):
            is_over = _simulate_move(
                candidates.codes[index], candidates.points[index], turns, leaves, buffers
            )
            tokens = 0 if is_over else tokens_left(buffers.playout)
            lead = _lead_after(buffers.playout, seat, is_over, leaves, buffers.leaves_kept)
            sums.win_probability[index] += win_probability(lead, tokens)
            sums.lead[index] += lead
            _add_expected_scores(buffers.playout, tokens, leaves, buffers.leaves_kept, sums.scores[index])
