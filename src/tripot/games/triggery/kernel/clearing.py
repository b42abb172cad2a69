"""Clearing a board: the cheapest set of tiles to pay for, and exact plans for known throws.

Two facts are used throughout.

1. Flipping more is never worse, and the end of a chain depends only on what was paid for. So a way to clear a
   board divides its open numbers into a PAID SET, which can be paid in any order over any throws, and a FREE
   SET, which the chain flips once the paid set is gone: `after_chain(free) == 0`.
2. A free set needs a different line for each of its tiles. Take the cells as edges of the bipartite graph of
   rows and columns: rows and columns alone can flip exactly the sets without a cycle (the forests), and each
   diagonal at most one tile more. "A forest plus one tile of each diagonal" is a matroid (the union of a
   graphic and a partition matroid). The greedy algorithm, largest tile first, therefore leaves a paid set
   whose largest tile, second largest tile and so on are as small as in any other: no paid set is cheaper,
   whatever the throws. The matroid is slightly too large, because the other tiles of a diagonal must be
   flipped in time, so it gives a bound. A short branch and bound search finds the exact free set.

Greedy algorithm on matroids: Edmonds, "Matroids and the greedy algorithm", Mathematical Programming 1, 1971.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import popcount
from tripot.engine.jit import njit_cached
from tripot.games.triggery.kernel.chains import after_chain, single_tile_lines
from tripot.games.triggery.kernel.tables import (
    ANTI_DIAGONAL,
    CELLS,
    INFINITE,
    MAIN_DIAGONAL,
    Int64Array,
    cells_by_value,
    sum_of_values,
    values_of,
)

# --- Free sets -------------------------------------------------------------------------------------


@njit_cached
def _cycles(tiles: int) -> int:
    """Return the tiles that remain when rows and columns, but no diagonals, give their bonuses."""
    while tiles:
        bonus = single_tile_lines(tiles) & tiles
        if bonus == 0:
            return tiles
        tiles ^= bonus
    return tiles


@njit_cached
def is_independent(tiles: int) -> bool:
    """Return whether a set is a forest without at most one tile of each diagonal. Every free set is."""
    cyclic = _cycles(tiles)
    candidates = cyclic & MAIN_DIAGONAL
    while True:
        tile = candidates & -candidates  # 0 if there is none
        if _is_independent_anti(_cycles(cyclic ^ tile)):
            return True
        candidates ^= tile
        if candidates == 0:
            return False


@njit_cached
def _is_independent_anti(cyclic: int) -> bool:
    """Return whether a set of cycles becomes a forest without at most one tile of the anti-diagonal."""
    candidates = cyclic & ANTI_DIAGONAL
    while candidates:
        tile = candidates & -candidates
        if _cycles(cyclic ^ tile) == 0:
            return True
        candidates ^= tile
    return cyclic == 0


@njit_cached
def greedy_free_set(free: int, cells: Int64Array, count: int, exact: bool) -> int:
    """Add the largest of `cells[:count]`, sorted by value, to a free set as long as it stays one.

    With `exact`, the result is a free set: `after_chain` of it is 0. Otherwise it only `is_independent`, and
    no free set that extends the given one leaves a cheaper paid set: a bound.
    """
    for index in range(count - 1, -1, -1):
        extended = free | 1 << cells[index]
        if after_chain(extended) == 0 or (not exact and is_independent(extended)):
            free = extended
    return free


class FreeSet(NamedTuple):
    """The free set that leaves the cheapest paid set.

    cells         the free set
    length        the `payment_length` of the other tiles
    lower_bound   no free set leaves a shorter one
    proven        whether `length` is minimal
    """

    cells: int
    length: int
    lower_bound: int
    proven: bool


class _BranchFrames(NamedTuple):
    """The stack of the search for a free set: int64[37] each, indexed by the number of tiles set free.

    free        the tiles that were set free
    undecided   how many cells are undecided: a prefix of the list sorted by value
    has_branch  1 if the branch that sets the last undecided cell free has been searched
    """

    free: Int64Array
    undecided: Int64Array
    has_branch: Int64Array


@njit_cached
def max_free_set(tiles: int, weights: Int64Array, budgets: Int64Array, limit: int) -> FreeSet:
    """Find the free set that leaves the shortest payment, by branch and bound.

    tiles    the open numbers, after the chain
    weights  int64[36], the cost of each cell: its number, or its `throw_costs`
    budgets  int64[n], the budgets of the throws that pay, in order; with n = 0 the length of a payment is the
             sum of the weights (see `payment_length`)
    limit    the number of bounds after which the search ends without a proof

    The largest undecided tile is first set free, if it can be, and then paid for. The bound is the payment of
    the largest set that `is_independent`.
    """
    cells = cells_by_value(tiles, weights)
    bound = greedy_free_set(0, cells, len(cells), False)
    lower_bound = payment_length(tiles & ~bound, weights, budgets, INFINITE)
    if after_chain(bound) == 0:  # usual: the bound is a free set itself
        return FreeSet(bound, lower_bound, lower_bound, True)
    best = greedy_free_set(0, cells, len(cells), True)
    length = payment_length(tiles & ~best, weights, budgets, INFINITE)
    frames = _BranchFrames(
        np.zeros(CELLS + 1, np.int64), np.zeros(CELLS + 1, np.int64), np.zeros(CELLS + 1, np.int64)
    )
    frames.undecided[0] = len(cells)
    depth, bounds = 0, 0
    while depth >= 0 and bounds < limit and length > lower_bound:
        if frames.undecided[depth] == 0:  # the latest bound was the payment of this very set
            depth -= 1
            continue
        extended = frames.free[depth] | 1 << cells[frames.undecided[depth] - 1]
        if not frames.has_branch[depth]:
            depth = _enter_branch(frames, depth, extended)
            continue
        frames.undecided[depth] -= 1
        frames.has_branch[depth] = 0
        if is_independent(extended):  # otherwise the bound is the same without this tile
            bounds += 1
            bound = greedy_free_set(frames.free[depth], cells, frames.undecided[depth], False)
            bound_length = payment_length(tiles & ~bound, weights, budgets, length)
            if bound_length < length and after_chain(bound) == 0:
                length, best = bound_length, bound
            if bound_length >= length:
                depth -= 1
    proven = depth < 0 or length <= lower_bound
    return FreeSet(best, length, length if proven else lower_bound, proven)


@njit_cached
def _enter_branch(frames: _BranchFrames, depth: int, extended: int) -> int:
    """Set the last undecided tile free, if the set then is a free set; return the new depth."""
    frames.has_branch[depth] = 1
    if after_chain(extended):
        return depth
    frames.free[depth + 1] = extended
    frames.undecided[depth + 1] = frames.undecided[depth] - 1
    frames.has_branch[depth + 1] = 0
    return depth + 1


class ClearingCost(NamedTuple):
    """TG-12: the smallest budget that clears a board in one throw.

    points  the budget
    paid    the cells it pays for
    proven  whether no smaller budget clears the board
    """

    points: int
    paid: int
    proven: bool


@njit_cached
def cheapest_clearing(tiles: int, tile_values: Int64Array, limit: int) -> ClearingCost:
    """TG-12: find the smallest budget that clears the open numbers. `limit` is that of `max_free_set`."""
    tiles = after_chain(tiles)
    free = max_free_set(tiles, tile_values, np.empty(0, np.int64), limit)
    return ClearingCost(free.length, tiles & ~free.cells, free.proven)


# --- Payments over several throws --------------------------------------------------------------------

SPENT_BITS: Final = 16  # a length is: throws used up << 16 | points spent of the throw after them
SPENT_MASK: Final = (1 << SPENT_BITS) - 1
MAX_PAID_TILES: Final = 25  # 36 numbers less the 11 that rows and columns can always flip (a spanning tree)


@njit_cached
def payment_length(paid: int, weights: Int64Array, budgets: Int64Array, cutoff: int) -> int:
    """Return how far a series of throws is used up by a paid set; without throws, the sum of its weights.

    A length encodes throws and points, see SPENT_BITS, so that shorter means fewer throws, then fewer points
    of the last. Lengths of `cutoff` or more are not exact: they only mean that the payment is not shorter
    than `cutoff`. INFINITE means that the throws are not enough.
    """
    rest = sum_of_values(paid, weights)
    if len(budgets) == 0:
        return rest
    for index in range(len(budgets)):
        if rest <= budgets[index]:
            shortest = index << SPENT_BITS | rest
            if shortest >= cutoff or popcount(paid) > MAX_PAID_TILES:
                return max(shortest, cutoff)
            return int(payment_table(values_of(cells_by_value(paid, weights), weights), budgets)[-1])
        rest -= budgets[index]
    return INFINITE


@njit_cached
def equal_to_next(costs: Int64Array) -> int:
    """Return the set of the indices of costs that are equal to the next one; `costs` are sorted."""
    equal = 0
    for item in range(len(costs) - 1):
        if costs[item] == costs[item + 1]:
            equal |= 1 << item
    return equal


@njit_cached
def is_duplicate_subset(subset: int, equal: int) -> bool:
    """Return whether a subset has the first of two equal costs and not the second.

    The subset with the second instead has the same sum, so tables are filled only for that one. `equal` is
    the result of `equal_to_next`.
    """
    return subset & ~(subset >> 1) & equal != 0


@njit_cached
def payment_table(costs: Int64Array, budgets: Int64Array) -> NDArray[np.int32]:
    """Return the shortest payment of every subset of costs by a series of throws: int32[2 ** len(costs)].

    Bit i of an index means cost i; `costs` are sorted. Entries of duplicate subsets stay INFINITE. Dynamic
    programming: the shortest payment of a subset is that of the subset without one of its costs, followed by
    this cost in the same throw or in the next one that has enough left. A shorter payment of the rest is
    never worse to continue from.
    """
    table = np.full(1 << len(costs), INFINITE, np.int32)
    table[0] = 0
    equal = equal_to_next(costs)
    for subset in range(1, len(table)):
        if not is_duplicate_subset(subset, equal):
            for item in range(len(costs)):
                if subset >> item & 1:
                    length = _add_cost(table[subset ^ 1 << item], costs[item], budgets)
                    table[subset] = min(table[subset], length)
    return table


@njit_cached
def _add_cost(length: int, cost: int, budgets: Int64Array) -> int:
    """Return the length of a payment after one more cost."""
    if length == INFINITE:
        return INFINITE
    index, spent = length >> SPENT_BITS, length & SPENT_MASK
    while index < len(budgets):
        if spent + cost <= budgets[index]:
            return index << SPENT_BITS | (spent + cost)
        index += 1
        spent = 0
    return INFINITE


@njit_cached
def _assign_payments(paid: int, tile_values: Int64Array, budgets: Int64Array, payments: Int64Array) -> None:
    """Add to `payments`, int64[len(budgets)], the cells that each throw pays for in a shortest payment.

    The table of `payment_table` is followed backwards from the whole set.
    """
    cells = cells_by_value(paid, tile_values)
    costs = values_of(cells, tile_values)
    table = payment_table(costs, budgets)
    subset = len(table) - 1
    while subset:
        for item in range(len(costs)):
            rest = subset ^ 1 << item
            if subset >> item & 1 and _add_cost(table[rest], costs[item], budgets) == table[subset]:
                payments[table[subset] >> SPENT_BITS] |= 1 << cells[item]
                subset = rest
                break


# --- Plans for known throws --------------------------------------------------------------------------


class ThrowPlan(NamedTuple):
    """TG-12: how a series of known throws clears a board.

    payments    int64[throws], the cells to pay for with each throw
    throws      how many throws it takes; 0 if the board is clear, or if no plan was found
    points      what the last throw must pay; the throws before it count in full
    min_throws  no plan takes fewer throws; len(budgets) + 1 if the known throws are not enough
    min_points  no plan of `min_throws` needs fewer points of the last throw
    proven      whether no plan is better, or none exists
    """

    payments: Int64Array
    throws: int
    points: int
    min_throws: int
    min_points: int
    proven: bool


@njit_cached
def plan_known_throws(
    tiles: int, tile_values: Int64Array, budgets: Int64Array, limit: int, last_limit: int
) -> ThrowPlan:
    """TG-12: find the fewest known throws that clear the board, then the fewest points.

    Fewer throws are fewer points too, since all throws before the last count in full. `limit` is that of
    `max_free_set`, and `last_limit` that of the search for the cheapest last throw. A bound takes some
    milliseconds with 18 paid tiles, and twice as long with each further tile: seconds with MAX_PAID_TILES.
    """
    tiles = after_chain(tiles)
    payments = np.zeros(len(budgets), np.int64)
    if tiles == 0 or len(budgets) == 0:
        return ThrowPlan(payments[:0], 0, 0, 1 if tiles else 0, 0, True)
    free = max_free_set(tiles, tile_values, budgets, limit)
    min_throws, min_points = (free.lower_bound >> SPENT_BITS) + 1, free.lower_bound & SPENT_MASK
    if free.lower_bound == INFINITE:
        min_throws, min_points = len(budgets) + 1, 0
    if free.length == INFINITE:
        return ThrowPlan(payments[:0], 0, 0, min_throws, min_points, free.proven)
    _assign_payments(tiles & ~free.cells, tile_values, budgets, payments)
    throws, points = 0, 0
    while tiles:
        paid, points = _playable_payment(
            tiles, tile_values, budgets[throws], payments[throws] & tiles, last_limit
        )
        payments[throws] = paid
        tiles = after_chain(tiles & ~paid)
        throws += 1
    return ThrowPlan(payments[:throws], throws, points, min_throws, min_points, free.proven)


@njit_cached
def _playable_payment(
    tiles: int, tile_values: Int64Array, budget: int, paid: int, limit: int
) -> tuple[int, int]:
    """Return the payment of one throw of a plan, as the rules allow it, and its points.

    A plan may wait for a later throw, but a player who can flip a tile must do so (TG-3): then the smallest
    is paid. A payment that clears the board is replaced by the cheapest one that does.
    """
    if paid == 0:
        smallest = cells_by_value(tiles, tile_values)[0]
        paid = 1 << smallest if tile_values[smallest] <= budget else 0
    points = sum_of_values(paid, tile_values)
    if after_chain(tiles & ~paid) == 0:
        cheapest = cheapest_clearing(tiles, tile_values, limit)
        if cheapest.points < points:
            return cheapest.paid, cheapest.points
    return paid, points
