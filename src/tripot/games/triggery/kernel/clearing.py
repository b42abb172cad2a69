"""What it takes to clear a board: the cheapest bill, and exact plans for a known row of throws.

Two facts carry all of it.

1. Turning more never hurts, and the end of a chain depends only on what was paid for. So to clear a
   board is to split its open numbers in two: a BILL, which is paid in any order over any throws, and a
   FREE set, which chains away when the bill is paid: `chain_end(free) == 0`.
2. A free set needs a line for each of its tiles. Rows and columns alone free the sets without a closed
   circuit (take cells for edges between rows and columns: the forests), and each diagonal at most one
   tile more. "A forest and a tile of each diagonal" is a matroid: the largest tiles, taken one by one as
   long as the set `is_independent`, leave a bill whose largest tile, second largest tile and so on are as
   small as in any other, so no bill is easier to pay, whatever the dice. It is a little too generous, since
   the other tiles of the diagonal must be turned in time; a short search settles that exactly.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.triggery.kernel.turns import (
    ANTI_DIAGONAL,
    CELLS,
    INFINITE,
    MAIN_DIAGONAL,
    Int64Array,
    _single_tile_lines,
    after_chain,
    cells_by_value,
    popcount,
    sum_of_values,
)

# --- The bill ------------------------------------------------------------------------------------

MAX_BOUNDS: Final = 1 << 14  # bounds, or payments, looked at in search of a better bill: a tenth of a second


@njit_cached
def _cycles(tiles: int) -> int:
    """What rows and columns alone leave open."""
    while tiles:
        alone = _single_tile_lines(tiles) & tiles
        if alone == 0:
            return tiles
        tiles ^= alone
    return tiles


@njit_cached
def is_independent(tiles: int) -> bool:
    """Whether a set is a forest without some one tile of each diagonal. Every free set is."""
    knot = _cycles(tiles)
    falling = knot & MAIN_DIAGONAL
    while True:
        tile = falling & -falling  # none, if none is left
        if _is_independent_anti(_cycles(knot ^ tile)):
            return True
        falling ^= tile
        if falling == 0:
            return False


@njit_cached
def _is_independent_anti(knot: int) -> bool:
    """Whether a knot of circuits comes undone without some one tile of the rising diagonal."""
    rising = knot & ANTI_DIAGONAL
    while rising:
        tile = rising & -rising
        if _cycles(knot ^ tile) == 0:
            return True
        rising ^= tile
    return knot == 0


@njit_cached
def _greedy_free_set(free: int, cells: Int64Array, places: int, exactly: bool) -> int:
    """Add the largest of `cells[:places]` (sorted) to a free set, one by one, as long as it stays one.

    Exactly: `after_chain` is 0. Otherwise: it `is_independent`, and no free set that starts like this one
    leaves a smaller bill.
    """
    for place in range(places - 1, -1, -1):
        grown = free | 1 << cells[place]
        if after_chain(grown) == 0 or (not exactly and is_independent(grown)):
            free = grown
    return free


@njit_cached
def max_free_set(
    tiles: int, weights: Int64Array, budgets: Int64Array, limit: int
) -> tuple[int, int, int, bool]:
    """The free set with the shortest bill: the set, the length, the least it could be, and whether proven.

    weights  int64[36], what the bill adds up: the numbers, or their prices
    budgets  the throws that pay it; none: the length is the plain sum (see `payment_length`)

    Branch and bound, the largest tile first: free if it can be, else on the bill. The bound is the bill of
    the largest set that `is_independent`. After `limit` bounds the proof is given up.
    """
    cells = cells_by_value(tiles, weights)
    best_free = _greedy_free_set(0, cells, len(cells), True)
    best = payment_length(tiles & ~best_free, weights, budgets, INFINITE)
    free = _greedy_free_set(0, cells, len(cells), False)
    least = best if free == best_free else payment_length(tiles & ~free, weights, budgets, INFINITE)
    bounds = 0
    # By depth, that is by how many tiles have been set free:
    chosen = np.zeros(CELLS + 1, np.int64)
    places = np.zeros(CELLS + 1, np.int64)  # how many of `cells` are still to be decided
    tried = np.zeros(CELLS + 1, np.bool_)  # whether the next of them has been tried as free
    depth = 0
    places[0] = len(cells)
    while depth >= 0 and bounds < limit and best > least:
        if places[depth] == 0:  # the latest bound was the bill of this very set
            depth -= 1
            continue
        grown = chosen[depth] | 1 << cells[places[depth] - 1]
        if not tried[depth]:
            tried[depth] = True
            if after_chain(grown) == 0:
                depth += 1
                chosen[depth], places[depth], tried[depth] = grown, places[depth - 1] - 1, False
            continue
        places[depth] -= 1
        tried[depth] = False
        if is_independent(grown):  # else the bound is the same without this tile
            bounds += 1
            free = _greedy_free_set(chosen[depth], cells, places[depth], False)
            length = payment_length(tiles & ~free, weights, budgets, best)
            if length < best and after_chain(free) == 0:
                best, best_free = length, free
            if length >= best:
                depth -= 1
    proven = depth < 0 or best <= least
    return best_free, best, best if proven else least, proven


@njit_cached
def cheapest_clearing(tiles: int, values: Int64Array, limit: int) -> tuple[int, int, bool]:
    """TG-12: the smallest budget that clears the board, the tiles it pays for, and whether that is proven."""
    tiles = after_chain(tiles)
    free, budget, _, proven = max_free_set(tiles, values, np.empty(0, np.int64), limit)
    return budget, tiles & ~free, proven


# --- Solo with a known row of throws -------------------------------------------------------------

SPENT_BITS: Final = 16  # the length of a payment: whole throws before the last << 16 | points in the last
SPENT_MASK: Final = (1 << SPENT_BITS) - 1
MAX_PAID_TILES: Final = 25  # 36 numbers less the 11 that rows and columns always free; more is never needed


class ThrowPlan(NamedTuple):
    """TG-12: how a known row of throws clears a board.

    payments      int64[throws], the tiles to pay for with each throw
    throws        how many it takes; 0 if nothing is to be paid, or if no plan was found
    points        what the last throw must pay; the throws before it count in full
    least_throws  no plan takes fewer; more than the row has if it is too short
    least_points  no plan of `least_throws` needs fewer points in the last
    proven        nothing is better than this plan, or there is none
    """

    payments: Int64Array
    throws: int
    points: int
    least_throws: int
    least_points: int
    proven: bool


@njit_cached
def plan_known_throws(tiles: int, values: Int64Array, budgets: Int64Array, limit: int) -> ThrowPlan:
    """TG-12: the fewest throws of a known row that clear the board, then the fewest points.

    Fewer throws are fewer points too, since all before the last count in full. The `limit` is on the
    bounds of `max_free_set`, which take some milliseconds each, seconds if 25 tiles must be paid.
    """
    tiles = after_chain(tiles)
    payments = np.zeros(len(budgets), np.int64)
    if tiles == 0 or len(budgets) == 0:
        return ThrowPlan(payments[:0], 0, 0, 1 if tiles else 0, 0, True)
    free, length, least, proven = max_free_set(tiles, values, budgets, limit)
    least_throws, least_points = (least >> SPENT_BITS) + 1, least & SPENT_MASK
    if least == INFINITE:
        least_throws, least_points = len(budgets) + 1, 0
    if length == INFINITE:
        return ThrowPlan(payments[:0], 0, 0, least_throws, least_points, proven)
    _assign_payments(tiles & ~free, values, budgets, payments)
    throws, points = 0, 0
    while tiles:
        paid = payments[throws] & tiles
        if paid == 0:  # the plan could wait here, but who can turn a tile must (TG-3)
            smallest = cells_by_value(tiles, values)[0]
            paid = 1 << smallest if values[smallest] <= budgets[throws] else 0
        points = sum_of_values(paid, values)
        if after_chain(tiles & ~paid) == 0:
            needed, cheapest, _ = cheapest_clearing(tiles, values, MAX_BOUNDS)
            if needed < points:
                points, paid = needed, cheapest
        payments[throws] = paid
        tiles = after_chain(tiles & ~paid)
        throws += 1
    return ThrowPlan(payments[:throws], throws, points, least_throws, least_points, proven)


@njit_cached
def payment_length(bill: int, weights: Int64Array, budgets: Int64Array, enough: int) -> int:
    """How long a row of throws takes to pay a bill, in the way of SPENT_BITS; without throws, its sum.

    A length of `enough` or more need not be exact: it says that the bill takes no less.
    """
    rest = sum_of_values(bill, weights)
    if len(budgets) == 0:
        return rest
    for index in range(len(budgets)):
        if rest <= budgets[index]:
            shortest = index << SPENT_BITS | rest
            if shortest >= enough or popcount(bill) > MAX_PAID_TILES:
                return max(shortest, enough)
            return int(payment_table(_values_of(cells_by_value(bill, weights), weights), budgets)[-1])
        rest -= budgets[index]
    return INFINITE


@njit_cached
def _values_of(cells: Int64Array, values: Int64Array) -> Int64Array:
    costs = np.empty(len(cells), np.int64)
    for place in range(len(cells)):
        costs[place] = values[cells[place]]
    return costs


@njit_cached
def _equal_to_next(costs: Int64Array) -> int:
    """The costs that the next one equals."""
    found = 0
    for item in range(len(costs) - 1):
        if costs[item] == costs[item + 1]:
            found |= 1 << item
    return found


@njit_cached
def _is_duplicate_subset(part: int, twins: int) -> bool:
    """Whether a part has one of two equal costs, and not the later one: that part does for both."""
    return part & ~(part >> 1) & twins != 0


@njit_cached
def payment_table(costs: Int64Array, budgets: Int64Array) -> NDArray[np.int32]:
    """The shortest payment, by a row of throws, of every part of a bill: int32[2 ** len(costs)].

    Bit i of an index says whether the part has cost i (sorted); odd parts are left at NEVER. The shortest
    payment of a part is that of the part without one of its costs, and then this cost, by the same throw
    or the next that has room: to go on from, a shorter payment is never worse than a longer one.
    """
    table = np.full(1 << len(costs), INFINITE, np.int32)
    table[0] = 0
    twins = _equal_to_next(costs)
    for part in range(1, len(table)):
        if not _is_duplicate_subset(part, twins):
            for item in range(len(costs)):
                if part >> item & 1:
                    table[part] = min(table[part], _add_cost(table[part ^ 1 << item], costs[item], budgets))
    return table


@njit_cached
def _add_cost(length: int, cost: int, budgets: Int64Array) -> int:
    """The length of a payment after one more cost."""
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
def _assign_payments(bill: int, values: Int64Array, budgets: Int64Array, payments: Int64Array) -> None:
    """Write into `payments` which tiles each throw pays for: the table of `payment_table` read backwards."""
    cells = cells_by_value(bill, values)
    costs = _values_of(cells, values)
    table = payment_table(costs, budgets)
    part = len(table) - 1
    while part:
        for item in range(len(costs)):
            rest = part ^ 1 << item
            if part >> item & 1 and _add_cost(table[rest], costs[item], budgets) == table[part]:
                payments[table[part] >> SPENT_BITS] |= 1 << cells[item]
                part = rest
                break
