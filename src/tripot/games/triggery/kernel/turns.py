"""One turn: all sets of tiles that a budget can pay for, and the one that flips the most tiles (TG-13)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tripot.engine.bits import popcount
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.triggery.kernel.chains import after_chain, free_stars
from tripot.games.triggery.kernel.tables import (
    CELLS,
    INFINITE,
    STAR_POINTS,
    Int64Array,
    cells_by_value,
    sum_of_values,
)


class TurnList(NamedTuple):
    """All turns that a budget allows.

    paid       int64[n], the cells that are paid for in each turn
    remaining  int64[n], the open numbers after each turn and its chain
    complete   whether these are all turns; False if the limit was reached
    """

    paid: Int64Array
    remaining: Int64Array
    complete: bool


class BestTurn(NamedTuple):
    """TG-13: the turn that flips the most tiles.

    paid      the cells to pay for
    face_up   what stays face up after the turn, stars included
    complete  whether all turns were compared
    """

    paid: int
    face_up: int
    complete: bool


class _TurnFrames(NamedTuple):
    """The stack of a depth-first search over payments: int64[37] each, indexed by the number of paid tiles.

    next_index   the index of the next cell to consider, in the list of cells sorted by value
    paid         the cells paid for
    remaining    the open numbers after these payments and their chains
    budget_left  what is left of the budget
    """

    next_index: Int64Array
    paid: Int64Array
    remaining: Int64Array
    budget_left: Int64Array


@njit_cached
def enumerate_turns(tiles: int, tile_values: Int64Array, budget: int, limit: int) -> TurnList:
    """TG-3: list the sets of tiles that a budget can pay for, and what the chains then leave open.

    Only turns after which nothing more can be paid are listed, since flipping more is never worse. Tiles are
    paid in the order of their values. A tile that a chain has flipped already is skipped: the turn without it
    has the same end and costs less. The search ends after `limit` payments.
    """
    cells = cells_by_value(tiles, tile_values)
    frames = _TurnFrames(
        np.zeros(CELLS + 1, np.int64),
        np.zeros(CELLS + 1, np.int64),
        np.zeros(CELLS + 1, np.int64),
        np.zeros(CELLS + 1, np.int64),
    )
    frames.remaining[0], frames.budget_left[0] = after_chain(tiles), budget
    paid, remaining = np.empty(CELLS, np.int64), np.empty(CELLS, np.int64)
    count, payments, depth, is_new = 0, 0, 0, True
    while depth >= 0 and payments <= limit:
        if is_new and _smallest(frames.remaining[depth], cells, tile_values) > frames.budget_left[depth]:
            if count == len(paid):
                paid, remaining = _doubled(paid), _doubled(remaining)
            paid[count], remaining[count] = frames.paid[depth], frames.remaining[depth]
            count += 1
        index = frames.next_index[depth]
        is_new = False
        if index == len(cells) or tile_values[cells[index]] > frames.budget_left[depth]:
            depth -= 1
            continue
        frames.next_index[depth] += 1
        if frames.remaining[depth] >> cells[index] & 1:
            payments += 1
            _push_payment(frames, depth, cells[index], tile_values[cells[index]])
            depth += 1
            is_new = True
    return TurnList(paid[:count], remaining[:count], depth < 0)


@njit_no_nrt
def _push_payment(frames: _TurnFrames, depth: int, cell: int, cost: int) -> None:
    """Write the frame below `depth`: one more tile is paid for."""
    below = depth + 1
    frames.next_index[below] = frames.next_index[depth]
    frames.paid[below] = frames.paid[depth] | 1 << cell
    frames.remaining[below] = after_chain(frames.remaining[depth] ^ 1 << cell)
    frames.budget_left[below] = frames.budget_left[depth] - cost


@njit_cached
def _smallest(tiles: int, cells: Int64Array, tile_values: Int64Array) -> int:
    """Return the smallest number of a set, INFINITE if it is empty. `cells` contain it, sorted by value."""
    for index in range(len(cells)):
        if tiles >> cells[index] & 1:
            return int(tile_values[cells[index]])
    return INFINITE


@njit_cached
def _doubled(array: Int64Array) -> Int64Array:
    """Return an array of twice the length that begins with the given one."""
    longer = np.empty(2 * len(array), np.int64)
    longer[: len(array)] = array
    return longer


@njit_cached
def best_turn(
    face_up: int, number_cells: int, star_cells: int, tile_values: Int64Array, budget: int, limit: int
) -> BestTurn:
    """TG-13: find the turn that flips the most tiles, then the most points (TG-8), then costs the least.

    A full board takes about ten thousand payments. Only bags with many small numbers reach a `limit` of
    millions.
    """
    turns = enumerate_turns(face_up & number_cells, tile_values, budget, limit)
    best_paid, best_face_up = 0, face_up
    max_tiles, max_points, min_cost = -1, 0, 0
    for index in range(len(turns.paid)):
        remaining = turns.remaining[index]
        remaining |= face_up & star_cells & ~free_stars(remaining)
        flipped = face_up ^ remaining
        tile_count = popcount(flipped)
        if tile_count < max_tiles:
            continue
        points = sum_of_values(flipped & number_cells, tile_values)
        points += STAR_POINTS * popcount(flipped & star_cells)
        cost = sum_of_values(turns.paid[index], tile_values)
        if tile_count > max_tiles or points > max_points or (points == max_points and cost < min_cost):
            best_paid, best_face_up = turns.paid[index], remaining
            max_tiles, max_points, min_cost = tile_count, points, cost
    return BestTurn(best_paid, best_face_up, turns.complete)
