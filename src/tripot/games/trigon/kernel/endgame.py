"""Exact endgame: max^n search of all continuations, once few moves are left (Luckhardt and Irani 1986).

The search is depth-first over a stack of positions, because Numba cannot cache recursive functions. It gives
up after a number of positions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import i64, njit_cached, njit_no_nrt
from tripot.games.trigon.kernel.dtypes import Float64Array, Int64Array
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.params import ENDGAME_PARAMS, SearchParams
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    GAME_OVER,
    Position,
    cannot_move,
    copy_into,
    final_score,
    place_piece,
)
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.tables import MAX_MOVES

MAX_ENDGAME_DEPTH: Final = ENDGAME_PARAMS.max_depth
UNSOLVED: Final = -1


class EndgameResult(NamedTuple):
    """Results of several positions if all teams play their best; each is float64[positions, 4], by colour.

    rewards     what the teams maximise (`rewards`)
    win_shares  the win of the colour's team, or its share
    scores      final scores in points
    """

    rewards: Float64Array
    win_shares: Float64Array
    scores: Float64Array


class EndgameStack(NamedTuple):
    """Buffers of the search; the first index of most arrays is the depth.

    positions     the positions on the current path, stacked: `_position_at` returns one
    colour        int64[depth], the colour to move in each
    next_move     int64[depth], index of its next move to try
    best          the best result so far in each
    current       the result of the position that was searched last; one row
    root_results  the results of the moves of the first position, in the order of its legal moves
    """

    positions: Position
    colour: Int64Array
    next_move: Int64Array
    best: EndgameResult
    current: EndgameResult
    root_results: EndgameResult


def _new_results(count: int) -> EndgameResult:
    return EndgameResult(
        np.zeros((count, 4), np.float64), np.zeros((count, 4), np.float64), np.zeros((count, 4), np.float64)
    )


def new_endgame_stack(position: Position) -> EndgameStack:
    """Return empty buffers for a search from a position."""
    depths = MAX_ENDGAME_DEPTH + 1
    return EndgameStack(
        positions=Position(*(np.zeros((depths, *field.shape), field.dtype) for field in position)),
        colour=np.zeros(depths, np.int64),
        next_move=np.zeros(depths, np.int64),
        best=_new_results(depths),
        current=_new_results(1),
        root_results=_new_results(MAX_MOVES),
    )


@njit_cached
def _position_at(stack: EndgameStack, depth: int) -> Position:
    """Return the position at a depth: views of the stacked arrays."""
    positions = stack.positions
    return Position(
        positions.cell_flags[depth],
        positions.attach_cells[depth],
        positions.moves[depth],
        positions.attach_count[depth],
        positions.attach_scanned[depth],
        positions.last_attach_start[depth],
        positions.move_count[depth],
        positions.pieces_left[depth],
        positions.last_was_single[depth],
        positions.start_rule[depth],
        positions.corners_only[depth],
        positions.in_play[depth],
        positions.blocked[depth],
    )


@njit_cached
def _next_to_move(position: Position, turn: int) -> int:
    """Return the first colour from `turn` on that can move, or GAME_OVER; the others become blocked."""
    blocked = cannot_move(position)
    while blocked != ALL_COLOURS:
        if not blocked >> turn & 1:
            if len(legal_moves(position, turn)):
                break
            blocked |= 1 << turn
        turn = (turn + 1) & 3
    position.blocked[0] = blocked
    return turn if blocked != ALL_COLOURS else GAME_OVER


@njit_no_nrt
def _copy_result(source: EndgameResult, source_row: int, target: EndgameResult, target_row: int) -> None:
    """Copy one row of results into a row of others."""
    for colour in range(4):
        target.rewards[target_row, colour] = source.rewards[source_row, colour]
        target.win_shares[target_row, colour] = source.win_shares[source_row, colour]
        target.scores[target_row, colour] = source.scores[source_row, colour]


@njit_no_nrt
def _evaluate_end(position: Position, teams: Int64Array, params: SearchParams, result: EndgameResult) -> None:
    """Write the result of a finished game into row 0. `teams` is int64[4]: the team of each colour."""
    for colour in range(4):
        result.scores[0, colour] = final_score(position, colour)
    compute_rewards(
        result.scores[0],
        position.in_play[0],
        teams,
        0.0,
        params,
        result.rewards[0],
        result.win_shares[0],
    )


@njit_no_nrt
def _store_result(stack: EndgameStack, depth: int) -> None:
    """Use the current result for the position at a depth: it is that of the move tried last."""
    mover, move_index = stack.colour[depth], stack.next_move[depth] - 1
    if depth == 0:
        _copy_result(stack.current, 0, stack.root_results, move_index)
    if move_index == 0 or stack.current.rewards[0, mover] > stack.best.rewards[depth, mover]:
        _copy_result(stack.current, 0, stack.best, depth)


@njit_cached
def solve_endgame(
    start: Position,
    turn: int,
    teams: Int64Array,
    params: SearchParams,
    max_positions: int,
    stack: EndgameStack,
) -> int:
    """Compute the results of all moves of a position into `stack.root_results`.

    turn           the colour to move, or one that cannot: then the next one that can
    teams          int64[4], the team of each colour
    max_positions  when to give up

    Returns the number of positions searched, or UNSOLVED if there are more than `max_positions`.
    """
    depth, count = i64(0), 1
    root = _position_at(stack, depth)
    copy_into(start, root)
    stack.colour[0], stack.next_move[0] = _next_to_move(root, turn), 0
    while True:
        position, colour, index = _position_at(stack, depth), stack.colour[depth], stack.next_move[depth]
        if index < position.move_count[colour]:
            if depth == MAX_ENDGAME_DEPTH or count == max_positions:
                return UNSOLVED
            count += 1
            stack.next_move[depth] += 1
            child = _position_at(stack, depth + 1)
            copy_into(position, child)
            place_piece(child, colour, i64(position.moves[colour, index]))
            child_colour = _next_to_move(child, (colour + 1) & 3)
            if child_colour != GAME_OVER:
                depth += 1
                stack.colour[depth], stack.next_move[depth] = child_colour, 0
                continue
            _evaluate_end(child, teams, params, stack.current)
        elif depth:
            _copy_result(stack.best, depth, stack.current, 0)
            depth -= 1
        else:
            return count
        _store_result(stack, depth)
