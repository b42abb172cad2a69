"""The last moves of a game of Trigon, exactly, compiled by Numba.

All ways in which a game can go on are tried, every side going for its own reward. That is possible once
few moves are left; before, the search gives up after a number of positions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.trigon.kernel.playout import GAME_OVER
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    BLOCKED,
    IN_PLAY,
    MOVE_COUNT,
    Int64Array,
    Position,
    copy_into,
    final_score,
    legal_moves,
    place_piece,
)
from tripot.games.trigon.kernel.search import compute_rewards

Floats = NDArray[np.float64]

DEEPEST: Final = 24  # moves ahead
WIN_OFFSET, SCORE_OFFSET = (
    4,
    8,
)  # in a result, after the rewards of the colours: their share of the win, and their scores
RESULT_SIZE: Final = 12
UNSOLVED: Final = -1


class EndgameStack(NamedTuple):
    """Room to work in.

    positions  all positions on the way, one behind the other in the same arrays: `_position_at` takes one out
    colour  who is to move in each, and which move comes next: `next_move`
    best    the best result of a position so far, and `root_results`: that of each move of the first one
    """

    positions: Position
    colour: Int64Array
    next_move: Int64Array
    best: Floats
    root_results: Floats


def new_endgame_stack(position: Position) -> EndgameStack:
    """Such room, for positions like this one."""
    return EndgameStack(
        Position(*(np.zeros((DEEPEST + 1, *part.shape), part.dtype) for part in position)),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST + 1, RESULT_SIZE)),
        np.zeros((position.moves.shape[1], RESULT_SIZE)),
    )


@njit_cached
def _position_at(room: EndgameStack, depth: int) -> Position:
    """The position so many moves ahead."""
    return Position(
        room.positions.cell_flags[depth],
        room.positions.attach_cells[depth],
        room.positions.leaves[depth],
        room.positions.moves[depth],
        room.positions.counters[depth],
        room.positions.status[depth],
    )


@njit_cached
def _next_to_move(position: Position, turn: int) -> int:
    """The colour that moves next, from `turn` on, or OVER; who cannot is out from now on."""
    out = position.status[BLOCKED] | (ALL_COLOURS & ~position.status[IN_PLAY])
    while out != ALL_COLOURS:
        if not out >> turn & 1:
            if len(legal_moves(position, turn)):
                break
            out |= 1 << turn
        turn = (turn + 1) & 3
    position.status[BLOCKED] = out
    return turn if out != ALL_COLOURS else GAME_OVER


@njit_cached
def solve_endgame(
    start: Position, turn: int, sides: Int64Array, settings: Floats, most: int, room: EndgameStack
) -> int:
    """The results of all moves of a position into `root_results`, in the order of its list of legal moves.

    How many positions that took, or UNSETTLED if there are more than `most`.
    """
    result, scores, got, won = np.zeros(RESULT_SIZE), np.zeros(4), np.zeros(4), np.zeros(4)
    copy_into(start, _position_at(room, 0))
    room.colour[0], room.next_move[0] = _next_to_move(_position_at(room, 0), turn), 0
    depth, number = 0, 1
    while True:
        position, colour, index = _position_at(room, depth), room.colour[depth], room.next_move[depth]
        if index < position.counters[MOVE_COUNT, colour]:
            if depth == DEEPEST or number == most:
                return UNSOLVED
            number += 1
            room.next_move[depth] += 1
            ahead = _position_at(room, depth + 1)
            copy_into(position, ahead)
            place_piece(ahead, colour, position.moves[colour, index])
            following = _next_to_move(ahead, (colour + 1) & 3)
            if following != GAME_OVER:
                depth += 1
                room.colour[depth], room.next_move[depth] = following, 0
                continue
            for each in range(4):
                scores[each] = final_score(ahead, each)
            compute_rewards(scores, ahead.status[IN_PLAY], sides, 0.0, settings, got, won)
            result[:WIN_OFFSET], result[WIN_OFFSET:SCORE_OFFSET], result[SCORE_OFFSET:] = got, won, scores
        elif depth:
            result[:] = room.best[depth]
            depth -= 1
        else:
            return number
        mover, tried = room.colour[depth], room.next_move[depth]
        if depth == 0:
            room.root_results[tried - 1] = result
        if tried == 1 or result[mover] > room.best[depth, mover]:
            room.best[depth] = result
