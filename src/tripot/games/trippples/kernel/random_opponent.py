"""Values of drawn positions against an opponent who moves at random, by value iteration (Bellman 1957).

Nearly all layouts are drawn from the start. Among drawn moves the engine prefers those after which an
imperfect opponent goes wrong most often, and these values measure that.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trippples.kernel.params import RANDOM_OPPONENT_PARAMS
from tripot.games.trippples.kernel.tables import (
    FROZEN,
    MAX_SUCCESSORS,
    POSITIONS,
    TURN_SHIFT,
    Int16Array,
    Layout,
    is_position,
    list_successors,
)


@njit_cached
def values_against_random(
    layout: Layout, play: Int16Array, ranks: Int16Array, side: int
) -> NDArray[np.float64]:
    """Return the values of all positions to a side, float64[8192], -1.0 to 1.0.

    They are 1.0 where the side wins by `play` (`solve`) or by `ranks` (`repetition_ranks`), and -1.0 where it
    loses. In drawn positions the side takes its best move, and all moves of the opponent are equally likely.
    """
    values = np.zeros(POSITIONS, np.float64)
    is_drawn = np.zeros(POSITIONS, np.bool_)
    successors = np.empty(MAX_SUCCESSORS, np.int16)
    for position in range(POSITIONS):
        result = play[position] if play[position] else ranks[position]
        if result:
            values[position] = 1.0 if (result > 0) == (position >> TURN_SHIFT == side) else -1.0
        else:
            is_drawn[position] = is_position(layout, position)
    for _ in range(RANDOM_OPPONENT_PARAMS.max_sweeps):
        largest_change = 0.0
        for position in range(POSITIONS):
            if is_drawn[position]:
                previous = values[position]
                value = _backup(layout, position, values, side, successors)
                values[position] = RANDOM_OPPONENT_PARAMS.discount * value
                largest_change = max(largest_change, abs(values[position] - previous))
        if largest_change < RANDOM_OPPONENT_PARAMS.tolerance:
            break
    return values


@njit_no_nrt
def _backup(
    layout: Layout, position: int, values: NDArray[np.float64], side: int, successors: Int16Array
) -> float:
    """Return the largest value of the successors on the side's own turn, and their mean on the other's.

    `values` is float64[8192]; `successors`, int16[8], is a buffer.
    """
    total, best = 0.0, -1.0
    count = list_successors(layout, position, successors)
    for index in range(count):
        after = successors[index]
        value = float(values[after]) if after != FROZEN else 0.0
        total += value
        best = max(best, value)
    return best if position >> TURN_SHIFT == side else total / max(1, count)
