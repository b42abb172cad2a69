"""Playout policy: the last good reply, else the move with the highest score of size, local cells and noise.

Local moves are scored first. Usually one of them beats the upper bound of all other moves, which are then
skipped.
"""

from __future__ import annotations

from typing import Final

from tripot.engine.jit import i64, njit_inline, njit_no_nrt
from tripot.engine.rng import random_below
from tripot.games.trigon.kernel.available_moves import AvailableMoves, play_move
from tripot.games.trigon.kernel.compact_bits import apply_pending
from tripot.games.trigon.kernel.dtypes import Int64Array, Uint64Array, u64
from tripot.games.trigon.kernel.history import append_history, last_good_reply
from tripot.games.trigon.kernel.local_moves import (
    PlayoutState,
    list_local_moves,
    list_local_moves_compact,
    mark_local_cells,
    unmark_local_cells,
)
from tripot.games.trigon.kernel.params import PlayoutParams
from tripot.games.trigon.kernel.placement_bits import attach_start_placements
from tripot.games.trigon.kernel.position import ALL_COLOURS, GAME_OVER, Position, cannot_move
from tripot.games.trigon.kernel.size_sampling import MAX_NOISE, pick_by_size
from tripot.games.trigon.kernel.tables import ALL_PIECES, MAX_PIECE_SIZE, SHAPE_SHIFT, SIZE_OF_SHAPE

SCORE_SHIFT: Final = 10  # scores are fixed-point numbers: noise has 10 fractional bits


@njit_inline
def _move_noise(move: int, salt: int) -> int:
    """Return the noise of a move, 0 to MAX_NOISE: a hash of the move and the salt."""
    return move * salt >> 20 & MAX_NOISE


@njit_inline
def pick_move(
    position: Position,
    available: AvailableMoves,
    colour: int,
    opponents: int,
    params: PlayoutParams,
    state: PlayoutState,
    rng: Uint64Array,
) -> int:
    """Return the move of a playout, or -1 if there is none. `opponents` is a bit set of colours.

    A colour without pieces must be attached to its starts before (`attach_start_placements`).
    """
    size_weight, local_weight = params.size_weight << SCORE_SHIFT, params.local_weight << SCORE_SHIFT
    noise_weight, is_compact = params.noise_weight, available.compact.word_count[0] > 0
    if is_compact and not apply_pending(position, available.compact, colour):
        return -1
    local_cells = mark_local_cells(position, colour, opponents, params.local_history, state)
    best_score, best_move = i64(-1), i64(-1)
    if local_cells:
        salt = random_below(rng, 1 << 30) << 1 | 1
        if is_compact:
            count = list_local_moves_compact(position, available.compact, colour, state, local_cells)
        else:
            count = list_local_moves(position, available.bits, colour, opponents, params.local_history, state)
        for index in range(count):
            move, covered = int(state.local_moves[u64(index)]), int(state.local_counts[u64(index)])
            score = size_weight * SIZE_OF_SHAPE[u64(move >> SHAPE_SHIFT)] + local_weight * covered
            score += noise_weight * _move_noise(move, salt)
            if score > best_score:
                best_score, best_move = score, move
        unmark_local_cells(position, state, local_cells)
        if best_score >= size_weight * MAX_PIECE_SIZE + noise_weight * MAX_NOISE:
            return best_move
    return pick_by_size(available, colour, size_weight, noise_weight, best_score, best_move, rng)


@njit_no_nrt
def opponents_by_colour(in_play: int, teams: Int64Array) -> int:
    """Return the opponents of all colours: four bits per colour, lowest first."""
    opponents = 0
    for colour in range(4):
        for other in range(4):
            if teams[other] != teams[colour] and in_play >> other & 1:
                opponents |= 1 << colour * 4 + other
    return opponents


@njit_no_nrt
def run_playout(
    position: Position,
    available: AvailableMoves,
    turn: int,
    teams: Int64Array,
    params: PlayoutParams,
    state: PlayoutState,
    max_moves: int,
    rng: Uint64Array,
) -> int:
    """Play at most `max_moves` moves and return the colour to move then, or GAME_OVER."""
    blocked, opponents = cannot_move(position), opponents_by_colour(position.in_play[0], teams)
    while blocked != ALL_COLOURS:
        if not blocked >> turn & 1:
            if max_moves == 0:
                position.blocked[0] = blocked
                return turn
            max_moves -= 1
            if position.pieces_left[turn] == ALL_PIECES:
                attach_start_placements(position, available.bits, turn)
            move = -1
            if params.use_replies:
                move = last_good_reply(state.good_replies, state.history, position, turn)
            if move < 0:
                own_opponents = opponents >> turn * 4 & ALL_COLOURS
                move = pick_move(position, available, turn, own_opponents, params, state, rng)
            if move < 0:
                blocked |= 1 << turn
            else:
                play_move(position, available, turn, move)
                append_history(state.history, turn, move)
        turn = (turn + 1) & 3
    position.blocked[0] = blocked
    return GAME_OVER
