"""The last moves of a game of Trigon, exactly, compiled by Numba.

All ways in which a game can go on are tried, every side going for its own reward. That is possible once
few moves are left; before, the search gives up after a number of positions.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled
from tripot.games.trigon.kernel.playout import OVER
from tripot.games.trigon.kernel.position import (
    FOR_ALL,
    IN_PLAY,
    KNOWN,
    OUT,
    Numbers,
    Position,
    copy,
    legal,
    put,
    score,
)
from tripot.games.trigon.kernel.search import rewards

Floats = NDArray[np.float64]

DEEPEST: Final = 24  # moves ahead
WON, SCORES = 4, 8  # in a result, after the rewards of the colours: their share of the win, and their scores
RESULT: Final = 12
UNSETTLED: Final = -1


class Stack(NamedTuple):
    """Room to work in.

    ahead   all positions on the way, one behind the other in the same arrays: `_at` takes one out
    colour  who is to move in each, and which move comes next: `following`
    best    the best result of a position so far, and `found`: that of each move of the first one
    """

    ahead: Position
    colour: Numbers
    following: Numbers
    best: Floats
    found: Floats


def stack(position: Position) -> Stack:
    """Such room, for positions like this one."""
    return Stack(
        Position(*(np.zeros((DEEPEST + 1, *part.shape), part.dtype) for part in position)),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros(DEEPEST + 1, np.int64),
        np.zeros((DEEPEST + 1, RESULT)),
        np.zeros((position.moves.shape[1], RESULT)),
    )


@compiled
def _at(room: Stack, depth: int) -> Position:
    """The position so many moves ahead."""
    return Position(
        room.ahead.marks[depth],
        room.ahead.attach[depth],
        room.ahead.leaves[depth],
        room.ahead.moves[depth],
        room.ahead.tally[depth],
        room.ahead.rules[depth],
    )


@compiled
def _to_move(position: Position, turn: int) -> int:
    """The colour that moves next, from `turn` on, or OVER; who cannot is out from now on."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    while out != FOR_ALL:
        if not out >> turn & 1:
            if len(legal(position, turn)):
                break
            out |= 1 << turn
        turn = (turn + 1) & 3
    position.rules[OUT] = out
    return turn if out != FOR_ALL else OVER


@compiled
def settle(start: Position, turn: int, sides: Numbers, settings: Floats, most: int, room: Stack) -> int:
    """The results of all moves of a position into `found`, in the order of its list of legal moves.

    How many positions that took, or UNSETTLED if there are more than `most`.
    """
    result, scores, got, won = np.zeros(RESULT), np.zeros(4), np.zeros(4), np.zeros(4)
    copy(start, _at(room, 0))
    room.colour[0], room.following[0] = _to_move(_at(room, 0), turn), 0
    depth, number = 0, 1
    while True:
        position, colour, index = _at(room, depth), room.colour[depth], room.following[depth]
        if index < position.tally[KNOWN, colour]:
            if depth == DEEPEST or number == most:
                return UNSETTLED
            number += 1
            room.following[depth] += 1
            ahead = _at(room, depth + 1)
            copy(position, ahead)
            put(ahead, colour, position.moves[colour, index])
            following = _to_move(ahead, (colour + 1) & 3)
            if following != OVER:
                depth += 1
                room.colour[depth], room.following[depth] = following, 0
                continue
            for each in range(4):
                scores[each] = score(ahead, each)
            rewards(scores, ahead.rules[IN_PLAY], sides, 0.0, settings, got, won)
            result[:WON], result[WON:SCORES], result[SCORES:] = got, won, scores
        elif depth:
            result[:] = room.best[depth]
            depth -= 1
        else:
            return number
        mover, tried = room.colour[depth], room.following[depth]
        if depth == 0:
            room.found[tried - 1] = result
        if tried == 1 or result[mover] > room.best[depth, mover]:
            room.best[depth] = result
