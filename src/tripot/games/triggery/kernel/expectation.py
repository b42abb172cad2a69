"""Turns with unknown dice: the fewest expected throws alone, and the best chance in a race.

Both use dynamic programming over the subsets of the paid set (`kernel/clearing.py`): once it is divided from
the free set, a board is a list of costs, and only the costs still to be paid matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.triggery.kernel.chains import after_chain
from tripot.games.triggery.kernel.clearing import (
    cheapest_clearing,
    equal_to_next,
    greedy_free_set,
    is_duplicate_subset,
    max_free_set,
)
from tripot.games.triggery.kernel.params import SearchParams
from tripot.games.triggery.kernel.playout import greedy_turn, throw_costs
from tripot.games.triggery.kernel.tables import (
    BUDGET_PROBABILITY,
    INFINITE,
    MAX_BUDGET,
    MAX_THROWS,
    PROBABILITY_AT_LEAST,
    Distribution,
    Int64Array,
    cells_by_value,
    sum_of_values,
    values_of,
)
from tripot.games.triggery.kernel.turns import enumerate_turns


class PlannedTurn(NamedTuple):
    """The cells to pay for in a turn, and whether the searches behind it ended before their limit."""

    paid: int
    complete: bool


class _SubsetPayment(NamedTuple):
    """The part of a paid set to pay for now, and the table's value of that: throws, or a probability."""

    paid: int
    value: float


# --- The fewest expected throws ----------------------------------------------------------------------


@njit_cached
def expected_throws(costs: Int64Array) -> NDArray[np.float32]:
    """Return how many throws a set of costs takes on average, if it is paid optimally.

    costs   int64[n], sorted, none above MAX_BUDGET
    result  float32[2 ** n, MAX_BUDGET + 1]. Bit i of the first index means that cost i is still to be paid;
            duplicate subsets are not filled in. The second index is what is left of the budget of the current
            throw; 0 is the value before a throw.
    """
    table = np.zeros((1 << len(costs), MAX_BUDGET + 1), np.float32)
    equal = equal_to_next(costs)
    for subset in range(1, len(table)):
        if is_duplicate_subset(subset, equal):
            continue
        for budget_left in range(MAX_BUDGET + 1):
            table[subset, budget_left] = INFINITE
        smallest = MAX_BUDGET
        for item in range(len(costs) - 1, -1, -1):
            rest = subset ^ 1 << item
            if subset >> item & 1 and not is_duplicate_subset(rest, equal):
                smallest = costs[item]
                for budget_left in range(smallest, MAX_BUDGET + 1):
                    table[subset, budget_left] = min(
                        table[subset, budget_left], table[rest, budget_left - smallest]
                    )
        throws = 1.0
        for budget in range(smallest, MAX_BUDGET + 1):
            throws += BUDGET_PROBABILITY[budget] * table[subset, budget]
        for budget_left in range(smallest):  # a throw that pays for nothing changes nothing
            table[subset, budget_left] = throws / PROBABILITY_AT_LEAST[smallest]
    return table


@njit_cached
def plan_turn(tiles: int, tile_values: Int64Array, budget: int, params: SearchParams) -> PlannedTurn:
    """Choose the tiles to pay for, so that the board is cleared in the fewest throws on average.

    Normally a part of the cheapest paid set is paid, by its `expected_throws`. One turn in a thousand is
    better without it: it lowers the throw costs of the whole board further than paying any part of the set
    could, because a diagonal then gives its bonus. Such a turn is taken if its expected throws are fewer too.
    It may save several throws, or clear the board.
    """
    tiles = after_chain(tiles)
    weights = throw_costs(tile_values, params.wait_weight)
    free = max_free_set(tiles, weights, np.empty(0, np.int64), params.max_bounds)
    cells = cells_by_value(tiles, tile_values)
    cost = free.length - greedy_turn(tiles, cells, tile_values, weights, budget).cost
    planned = _pay_subset(tiles & ~free.cells, tile_values, budget, params.max_expectation_tiles)
    turns = enumerate_turns(tiles, tile_values, budget, params.max_bounds)
    cheapest = -1
    for index in range(len(turns.paid)):
        lowered = sum_of_values(_greedy_paid_set(turns.remaining[index], tile_values), weights)
        if lowered < cost:
            cost, cheapest = lowered, index
    complete = free.proven and turns.complete
    if cheapest >= 0:
        paid_set = _greedy_paid_set(turns.remaining[cheapest], tile_values)
        if _pay_subset(paid_set, tile_values, 0, params.max_expectation_tiles).value < planned.value:
            return PlannedTurn(turns.paid[cheapest], complete)
    return PlannedTurn(_spend_rest(tiles, tile_values, budget, planned.paid), complete)


@njit_cached
def _greedy_paid_set(tiles: int, tile_values: Int64Array) -> int:
    """Return the tiles that the greedy free set leaves to be paid for."""
    cells = cells_by_value(tiles, tile_values)
    return tiles & ~greedy_free_set(0, cells, len(cells), True)


@njit_cached
def _pay_subset(paid_set: int, tile_values: Int64Array, budget: int, max_tiles: int) -> _SubsetPayment:
    """Choose the part of a paid set to pay for with a budget; the value is the throws expected after that.

    Tiles that no throw can pay for are ignored, and so are the smallest tiles beyond `max_tiles`.
    """
    cells = cells_by_value(paid_set, tile_values)
    end = len(cells)
    while end > 0 and tile_values[cells[end - 1]] > MAX_BUDGET:
        end -= 1
    cells = cells[max(0, end - max_tiles) : end]
    costs = values_of(cells, tile_values)
    return _best_subset(expected_throws(costs), costs, cells, min(budget, MAX_BUDGET))


@njit_cached
def _best_subset(
    table: NDArray[np.float32], costs: Int64Array, cells: Int64Array, budget_left: int
) -> _SubsetPayment:
    """Follow a table laid out as in `expected_throws` from all costs: the cells to pay for, and the value."""
    equal = equal_to_next(costs)
    subset, paid = len(table) - 1, 0
    value = table[subset, budget_left]
    item = len(costs) - 1
    while item >= 0:
        rest = subset ^ 1 << item
        payable = subset >> item & 1 and costs[item] <= budget_left and not is_duplicate_subset(rest, equal)
        if payable and table[rest, budget_left - costs[item]] == value:
            subset = rest
            budget_left -= costs[item]
            paid |= 1 << cells[item]
            item = len(costs)
        item -= 1
    return _SubsetPayment(paid, float(value))


@njit_cached
def _spend_rest(tiles: int, tile_values: Int64Array, budget: int, paid: int) -> int:
    """Add the largest affordable tiles to a payment: flipping more is never worse."""
    budget_left = budget - sum_of_values(paid, tile_values)
    remaining = after_chain(tiles & ~paid)
    cells = cells_by_value(tiles, tile_values)
    for index in range(len(cells) - 1, -1, -1):
        tile = 1 << cells[index]
        if remaining & tile and tile_values[cells[index]] <= budget_left:
            budget_left -= tile_values[cells[index]]
            paid |= tile
            remaining = after_chain(remaining ^ tile)
    return paid


# --- Races -------------------------------------------------------------------------------------------


@njit_cached
def race_turn(
    tiles: int, tile_values: Int64Array, budget: int, rival: Distribution, params: SearchParams
) -> PlannedTurn:
    """Choose the tiles to pay for, so that the board is cleared before the rival's with the best chance.

    `rival` is the `finish_distribution` of the other board. Near the end the chance is computed exactly: the
    side that is behind must take risks. Before that, the fewest expected throws are the best chance.
    """
    tiles = after_chain(tiles)
    clearing = cheapest_clearing(tiles, tile_values, params.max_bounds)
    if clearing.points <= budget:
        return PlannedTurn(clearing.paid, True)
    weights = throw_costs(tile_values, params.wait_weight)
    free = max_free_set(tiles, weights, np.empty(0, np.int64), params.max_bounds)
    cells = cells_by_value(tiles & ~free.cells, tile_values)
    costs = values_of(cells, tile_values)
    if len(costs) > params.max_race_tiles or costs[-1] > MAX_BUDGET:
        turn = plan_turn(tiles, tile_values, budget, params)
        return PlannedTurn(turn.paid, turn.complete and clearing.proven)
    table = race_table(costs, rival, params.negligible)
    paid = _best_subset(table, costs, cells, min(budget, MAX_BUDGET)).paid
    return PlannedTurn(_spend_rest(tiles, tile_values, budget, paid), free.proven and clearing.proven)


@njit_cached
def race_table(costs: Int64Array, rival: Distribution, negligible: float) -> NDArray[np.float32]:
    """Return the probability to finish first within the current throw, laid out as in `expected_throws`.

    Backward induction over the throws, from the last at which the rival may be unfinished (a probability of
    at least `negligible`) to the current one. The rival has as many throws as lie in between.
    """
    table = np.zeros((1 << len(costs), MAX_BUDGET + 1), np.float32)
    before_throw = np.zeros(len(table), np.float32)  # the probability before the next throw
    equal = equal_to_next(costs)
    unfinished = 1 - np.cumsum(rival)
    for throws in range(MAX_THROWS, -1, -1):
        if throws and unfinished[throws] < negligible:
            continue
        for budget_left in range(MAX_BUDGET + 1):
            table[0, budget_left] = unfinished[throws]
        for subset in range(1, len(table)):
            if is_duplicate_subset(subset, equal):
                continue
            for budget_left in range(MAX_BUDGET + 1):
                table[subset, budget_left] = before_throw[subset]
            for item in range(len(costs)):
                rest = subset ^ 1 << item
                if subset >> item & 1 and not is_duplicate_subset(rest, equal):
                    for budget_left in range(costs[item], MAX_BUDGET + 1):
                        table[subset, budget_left] = max(
                            table[subset, budget_left], table[rest, budget_left - costs[item]]
                        )
            probability = 0.0
            for budget in range(MAX_BUDGET + 1):
                probability += BUDGET_PROBABILITY[budget] * table[subset, budget]
            before_throw[subset] = probability
    return table
