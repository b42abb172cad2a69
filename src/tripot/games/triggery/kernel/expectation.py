"""Playing on with dice that nobody knows: the fewest throws alone, the race between two boards."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.triggery.kernel.clearing import (
    MAX_BOUNDS,
    _equal_to_next,
    _greedy_free_set,
    _is_duplicate_subset,
    _values_of,
    cheapest_clearing,
    max_free_set,
)
from tripot.games.triggery.kernel.turns import (
    CELLS,
    INFINITE,
    Int64Array,
    after_chain,
    cells_by_value,
    enumerate_turns,
    sum_of_values,
)

Distribution: TypeAlias = NDArray[np.float64]

# --- Solo with unknown dice ----------------------------------------------------------------------

TOP_BUDGET: Final = 24
THROW_BUDGETS: Final = np.array(
    [(first + second) * (2 if first == second else 1) for first in range(1, 7) for second in range(1, 7)],
    np.int64,
)  # TG-5: the budgets of the 36 throws
BUDGET_PROBABILITY: Final = np.bincount(THROW_BUDGETS, minlength=TOP_BUDGET + 1) / len(
    THROW_BUDGETS
)  # float64[25], by budget
PROBABILITY_AT_LEAST: Final = (
    BUDGET_PROBABILITY[::-1].cumsum()[::-1].copy()
)  # float64[25], the odds of a budget at least as large
MEAN_BUDGET: Final = float(THROW_BUDGETS.mean())
WORD: Final = (1 << 32) - 1

WAIT_WEIGHT: Final = 0.3  # how much of the wait for a throw that is large enough is lost to the other tiles
PRICE_UNIT: Final = 1000  # a throw; prices are whole numbers
MAX_EXPECTATION_TILES: Final = 18  # tiles of a bill in an outlook: the table is then 26 MB


@njit_cached
def new_xorshift32(seed: int) -> Int64Array:
    """Return the state of a xorshift32 generator for `random_budget`: int64[1], never 0."""
    random = np.empty(1, np.int64)
    random[0] = (seed * 2654435761 + 97) & WORD | 1
    for _ in range(16):
        random_budget(random)
    return random


@njit_cached
def random_budget(random: Int64Array) -> int:
    """The budget of two dice; the generator (Marsaglia's xorshift) moves on."""
    state = random[0]
    state ^= (state << 13) & WORD
    state ^= state >> 17
    state ^= (state << 5) & WORD
    random[0] = state
    return int(THROW_BUDGETS[(state >> 8) % len(THROW_BUDGETS)])


@njit_cached
def throw_costs(values: Int64Array) -> Int64Array:
    """What tiles cost in throws, roughly: int64[36]. Part of a mean throw, and the wait for a large one."""
    result = np.zeros(CELLS, np.int64)
    for cell in range(CELLS):
        reach = (
            PROBABILITY_AT_LEAST[values[cell]]
            if values[cell] <= TOP_BUDGET
            else PROBABILITY_AT_LEAST[TOP_BUDGET] / 2
        )
        result[cell] = int(PRICE_UNIT * (values[cell] / MEAN_BUDGET + WAIT_WEIGHT * (1 / reach - 1)))
    return result


@njit_cached
def greedy_turn(
    tiles: int, cells: Int64Array, values: Int64Array, worth: Int64Array, budget: int
) -> tuple[int, int]:
    """The dearest part of the bill that the budget pays, and its price: fast, to simulate with.

    `cells` are sorted by value and hold all of `tiles`; `worth` are the `throw_costs`. If nothing of the bill
    can be paid, the smallest tile is turned (TG-3).
    """
    best = np.zeros(budget + 1, np.int64)  # by what may be spent
    bought = np.zeros(budget + 1, np.int64)
    free, smallest = 0, 0
    for place in range(len(cells) - 1, -1, -1):
        tile, cost = 1 << cells[place], values[cells[place]]
        if tiles & tile == 0:
            continue
        if cost <= budget:
            smallest = tile
        if after_chain(free | tile) == 0:
            free |= tile
            continue
        for purse in range(budget, cost - 1, -1):
            price = best[purse - cost] + worth[cells[place]]
            if price > best[purse]:
                best[purse], bought[purse] = price, bought[purse - cost] | tile
    return bought[budget] if bought[budget] else smallest, best[budget]


@njit_cached
def expected_throws(costs: Int64Array) -> NDArray[np.float32]:
    """The throws that a bill takes on average, paid as well as can be.

    float32[2 ** len(costs), TOP_BUDGET + 1]. Bit i of the row says whether cost i (sorted, none above
    TOP_BUDGET) is still to be paid; odd parts are not filled in. The column is what is left of the
    budget of this throw; column 0 is before a throw.
    """
    table = np.zeros((1 << len(costs), TOP_BUDGET + 1), np.float32)
    twins = _equal_to_next(costs)
    for part in range(1, len(table)):
        if _is_duplicate_subset(part, twins):
            continue
        for purse in range(TOP_BUDGET + 1):
            table[part, purse] = INFINITE
        smallest = TOP_BUDGET
        for item in range(len(costs) - 1, -1, -1):
            rest = part ^ 1 << item
            if part >> item & 1 and not _is_duplicate_subset(rest, twins):
                smallest = costs[item]
                for purse in range(smallest, TOP_BUDGET + 1):
                    table[part, purse] = min(table[part, purse], table[rest, purse - smallest])
        throws = 1.0
        for purse in range(smallest, TOP_BUDGET + 1):
            throws += BUDGET_PROBABILITY[purse] * table[part, purse]
        for purse in range(smallest):  # a throw that pays for nothing changes nothing
            table[part, purse] = throws / PROBABILITY_AT_LEAST[smallest]
    return table


@njit_cached
def plan_turn(tiles: int, values: Int64Array, budget: int) -> int:
    """The tiles to pay for, to clear the board in the fewest throws on average.

    The bill of the largest free set is paid by its `expected_throws`. If some turn lowers the price of the
    bill further than paying any part of it could, then a diagonal has got its chance: a bargain, taken if the
    outlook is better too. One turn in a thousand is; it may save several throws, or clear the board.
    """
    tiles = after_chain(tiles)
    worth = throw_costs(values)
    free, price, _, _ = max_free_set(tiles, worth, np.empty(0, np.int64), MAX_BOUNDS)
    price -= greedy_turn(tiles, cells_by_value(tiles, values), values, worth, budget)[1]
    paid, throws = _pay_subset(tiles & ~free, values, budget)
    all_paid, all_left, _ = enumerate_turns(tiles, values, budget, MAX_BOUNDS)
    bargain = -1
    for index in range(len(all_paid)):
        left = all_left[index]
        cells = cells_by_value(left, values)
        lowered = sum_of_values(left & ~_greedy_free_set(0, cells, len(cells), True), worth)
        if lowered < price:
            price, bargain = lowered, index
    if bargain >= 0:
        left = all_left[bargain]
        cells = cells_by_value(left, values)
        bill = left & ~_greedy_free_set(0, cells, len(cells), True)
        if _pay_subset(bill, values, 0)[1] < throws:
            return int(all_paid[bargain])
    return _spend_rest(tiles, values, budget, paid)


@njit_cached
def _pay_subset(bill: int, values: Int64Array, budget: int) -> tuple[int, float]:
    """The part of a bill to pay with a budget, and the throws expected after that.

    A tile that no throw pays for is left to hope, and the smallest of a very long bill to `_spend_rest`.
    """
    cells = cells_by_value(bill, values)
    end = len(cells)
    while end > 0 and values[cells[end - 1]] > TOP_BUDGET:
        end -= 1
    cells = cells[max(0, end - MAX_EXPECTATION_TILES) : end]
    costs = _values_of(cells, values)
    return _best_subset(expected_throws(costs), costs, cells, min(budget, TOP_BUDGET))


@njit_cached
def _best_subset(
    table: NDArray[np.float32], costs: Int64Array, cells: Int64Array, purse: int
) -> tuple[int, float]:
    """The tiles to pay for, and what is promised, by a table laid out as in `expected_throws`."""
    twins = _equal_to_next(costs)
    part, paid = len(table) - 1, 0
    promised = table[part, purse]
    item = len(costs) - 1
    while item >= 0:
        rest = part ^ 1 << item
        payable = part >> item & 1 and costs[item] <= purse and not _is_duplicate_subset(rest, twins)
        if payable and table[rest, purse - costs[item]] == promised:
            part = rest
            purse -= costs[item]
            paid |= 1 << cells[item]
            item = len(costs)
        item -= 1
    return paid, float(promised)


@njit_cached
def _spend_rest(tiles: int, values: Int64Array, budget: int, paid: int) -> int:
    """Spend what is left on the largest tiles that it pays for: turning more never hurts."""
    purse = budget - sum_of_values(paid, values)
    left = after_chain(tiles & ~paid)
    cells = cells_by_value(tiles, values)
    for place in range(len(cells) - 1, -1, -1):
        tile = 1 << cells[place]
        if left & tile and values[cells[place]] <= purse:
            purse -= values[cells[place]]
            paid |= tile
            left = after_chain(left ^ tile)
    return paid


# --- Races ---------------------------------------------------------------------------------------

MAX_THROWS: Final = 80  # throws looked ahead; few boards take longer
MAX_RACE_TILES: Final = 11  # tiles of a bill for which every risk is weighed
NEGLIGIBLE: Final = 1e-4  # odds that a race takes for nothing


@njit_cached
def finish_distribution(tiles: int, values: Int64Array, games: int, seed: int) -> Distribution:
    """The odds to clear the board with the 1st, 2nd, ... throw from now: float64[HORIZON + 1], by simulation.

    Entry 0 is 1 for a clear board, else 0. Games that last beyond HORIZON are counted there.
    """
    odds = np.zeros(MAX_THROWS + 1, np.float64)
    random = new_xorshift32(seed)
    worth = throw_costs(values)
    start = after_chain(tiles)
    cells = cells_by_value(start, values)
    for _ in range(games):
        left, throws = start, 0
        while left and throws < MAX_THROWS:
            left = after_chain(left & ~greedy_turn(left, cells, values, worth, random_budget(random))[0])
            throws += 1
        odds[throws] += 1 / games
    return odds


@njit_cached
def race_win_probability(mine: Distribution, theirs: Distribution) -> float:
    """The chance to finish first of the side that plays next, from the `finish_distribution` of both."""
    chance, busy = mine[0], 1.0
    for throws in range(1, MAX_THROWS + 1):
        busy -= theirs[throws - 1]
        chance += mine[throws] * busy
    return float(chance)


@njit_cached
def race_turn(tiles: int, values: Int64Array, budget: int, theirs: Distribution) -> int:
    """The tiles to pay for, to have the largest chance of finishing first against a rival's
    `finish_distribution`.

    Near the end every risk is weighed exactly: who is behind must hope for the one good throw. Before
    that, the fewest throws on average are the best chance.
    """
    tiles = after_chain(tiles)
    needed, paid, _ = cheapest_clearing(tiles, values, MAX_BOUNDS)
    if needed <= budget:
        return paid
    free, _, _, _ = max_free_set(tiles, throw_costs(values), np.empty(0, np.int64), MAX_BOUNDS)
    cells = cells_by_value(tiles & ~free, values)
    costs = _values_of(cells, values)
    if len(costs) > MAX_RACE_TILES or costs[-1] > TOP_BUDGET:
        return plan_turn(tiles, values, budget)
    paid, _ = _best_subset(race_table(costs, theirs), costs, cells, min(budget, TOP_BUDGET))
    return _spend_rest(tiles, values, budget, paid)


@njit_cached
def race_table(costs: Int64Array, theirs: Distribution) -> NDArray[np.float32]:
    """The chance to finish first in the middle of a throw, laid out as in `expected_throws`.

    It is worked out backwards, from the last throw at which the rival may be busy to this one; the rival
    has had as many throws as lie between.
    """
    table = np.zeros((1 << len(costs), TOP_BUDGET + 1), np.float32)
    later = np.zeros(len(table), np.float32)  # the chance before the next throw
    twins = _equal_to_next(costs)
    busy = 1 - np.cumsum(theirs)
    for throws in range(MAX_THROWS, -1, -1):
        if throws and busy[throws] < NEGLIGIBLE:
            continue
        for purse in range(TOP_BUDGET + 1):
            table[0, purse] = busy[throws]
        for part in range(1, len(table)):
            if _is_duplicate_subset(part, twins):
                continue
            for purse in range(TOP_BUDGET + 1):
                table[part, purse] = later[part]
            for item in range(len(costs)):
                rest = part ^ 1 << item
                if part >> item & 1 and not _is_duplicate_subset(rest, twins):
                    for purse in range(costs[item], TOP_BUDGET + 1):
                        table[part, purse] = max(table[part, purse], table[rest, purse - costs[item]])
            chance = 0.0
            for purse in range(TOP_BUDGET + 1):
                chance += BUDGET_PROBABILITY[purse] * table[part, purse]
            later[part] = chance
    return table
