"""Playing on with dice that nobody knows: the fewest throws alone, the race between two boards."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled
from tripot.games.triggery.kernel.clearing import (
    LONGEST_HUNT,
    _costs,
    _free_largest,
    _odd,
    _twins,
    cheapest_clearing,
    largest_free,
)
from tripot.games.triggery.kernel.turns import CELLS, NEVER, Ints, by_value, chain_end, total, turns

Odds: TypeAlias = NDArray[np.float64]

# --- Solo with unknown dice ----------------------------------------------------------------------

TOP_BUDGET: Final = 24
THROWS: Final = np.array(
    [(first + second) * (2 if first == second else 1) for first in range(1, 7) for second in range(1, 7)],
    np.int64,
)  # TG-5: the budgets of the 36 throws
ODDS: Final = np.bincount(THROWS, minlength=TOP_BUDGET + 1) / len(THROWS)  # float64[25], by budget
REACH: Final = ODDS[::-1].cumsum()[::-1].copy()  # float64[25], the odds of a budget at least as large
MEAN_BUDGET: Final = float(THROWS.mean())
WORD: Final = (1 << 32) - 1

WAITING: Final = 0.3  # how much of the wait for a throw that is large enough is lost to the other tiles
PRICE_UNIT: Final = 1000  # a throw; prices are whole numbers
LONGEST_OUTLOOK: Final = 18  # tiles of a bill in an outlook: the table is then 26 MB


@compiled
def generator(seed: int) -> Ints:
    """Random numbers for `throw`: int64[1], 32 bits that are never all 0. Each seed has its own dice."""
    random = np.empty(1, np.int64)
    random[0] = (seed * 2654435761 + 97) & WORD | 1
    for _ in range(16):
        throw(random)
    return random


@compiled
def throw(random: Ints) -> int:
    """The budget of two dice; the generator (Marsaglia's xorshift) moves on."""
    state = random[0]
    state ^= (state << 13) & WORD
    state ^= state >> 17
    state ^= (state << 5) & WORD
    random[0] = state
    return int(THROWS[(state >> 8) % len(THROWS)])


@compiled
def prices(values: Ints) -> Ints:
    """What tiles cost in throws, roughly: int64[36]. Part of a mean throw, and the wait for a large one."""
    result = np.zeros(CELLS, np.int64)
    for cell in range(CELLS):
        reach = REACH[values[cell]] if values[cell] <= TOP_BUDGET else REACH[TOP_BUDGET] / 2
        result[cell] = int(PRICE_UNIT * (values[cell] / MEAN_BUDGET + WAITING * (1 / reach - 1)))
    return result


@compiled
def quick_turn(tiles: int, cells: Ints, values: Ints, worth: Ints, budget: int) -> tuple[int, int]:
    """The dearest part of the bill that the budget pays, and its price: fast, to simulate with.

    `cells` are sorted by value and hold all of `tiles`; `worth` are the `prices`. If nothing of the bill
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
        if chain_end(free | tile) == 0:
            free |= tile
            continue
        for purse in range(budget, cost - 1, -1):
            price = best[purse - cost] + worth[cells[place]]
            if price > best[purse]:
                best[purse], bought[purse] = price, bought[purse - cost] | tile
    return bought[budget] if bought[budget] else smallest, best[budget]


@compiled
def outlook(costs: Ints) -> NDArray[np.float32]:
    """The throws that a bill takes on average, paid as well as can be.

    float32[2 ** len(costs), TOP_BUDGET + 1]. Bit i of the row says whether cost i (sorted, none above
    TOP_BUDGET) is still to be paid; odd parts are not filled in. The column is what is left of the
    budget of this throw; column 0 is before a throw.
    """
    table = np.zeros((1 << len(costs), TOP_BUDGET + 1), np.float32)
    twins = _twins(costs)
    for part in range(1, len(table)):
        if _odd(part, twins):
            continue
        for purse in range(TOP_BUDGET + 1):
            table[part, purse] = NEVER
        smallest = TOP_BUDGET
        for item in range(len(costs) - 1, -1, -1):
            rest = part ^ 1 << item
            if part >> item & 1 and not _odd(rest, twins):
                smallest = costs[item]
                for purse in range(smallest, TOP_BUDGET + 1):
                    table[part, purse] = min(table[part, purse], table[rest, purse - smallest])
        throws = 1.0
        for purse in range(smallest, TOP_BUDGET + 1):
            throws += ODDS[purse] * table[part, purse]
        for purse in range(smallest):  # a throw that pays for nothing changes nothing
            table[part, purse] = throws / REACH[smallest]
    return table


@compiled
def plan_turn(tiles: int, values: Ints, budget: int) -> int:
    """The tiles to pay for, to clear the board in the fewest throws on average.

    The bill of the largest free set is paid by its `outlook`. If some turn lowers the price of the bill
    further than paying any part of it could, then a diagonal has got its chance: a bargain, taken if the
    outlook is better too. One turn in a thousand is; it may save several throws, or clear the board.
    """
    tiles = chain_end(tiles)
    worth = prices(values)
    free, price, _, _ = largest_free(tiles, worth, np.empty(0, np.int64), LONGEST_HUNT)
    price -= quick_turn(tiles, by_value(tiles, values), values, worth, budget)[1]
    paid, throws = _pay_part(tiles & ~free, values, budget)
    all_paid, all_left, _ = turns(tiles, values, budget, LONGEST_HUNT)
    bargain = -1
    for index in range(len(all_paid)):
        left = all_left[index]
        cells = by_value(left, values)
        lowered = total(left & ~_free_largest(0, cells, len(cells), True), worth)
        if lowered < price:
            price, bargain = lowered, index
    if bargain >= 0:
        left = all_left[bargain]
        cells = by_value(left, values)
        bill = left & ~_free_largest(0, cells, len(cells), True)
        if _pay_part(bill, values, 0)[1] < throws:
            return int(all_paid[bargain])
    return _fill_up(tiles, values, budget, paid)


@compiled
def _pay_part(bill: int, values: Ints, budget: int) -> tuple[int, float]:
    """The part of a bill to pay with a budget, and the throws expected after that.

    A tile that no throw pays for is left to hope, and the smallest of a very long bill to `_fill_up`.
    """
    cells = by_value(bill, values)
    end = len(cells)
    while end > 0 and values[cells[end - 1]] > TOP_BUDGET:
        end -= 1
    cells = cells[max(0, end - LONGEST_OUTLOOK) : end]
    costs = _costs(cells, values)
    return _best_part(outlook(costs), costs, cells, min(budget, TOP_BUDGET))


@compiled
def _best_part(table: NDArray[np.float32], costs: Ints, cells: Ints, purse: int) -> tuple[int, float]:
    """The tiles to pay for, and what is promised, by a table laid out as in `outlook`."""
    twins = _twins(costs)
    part, paid = len(table) - 1, 0
    promised = table[part, purse]
    item = len(costs) - 1
    while item >= 0:
        rest = part ^ 1 << item
        payable = part >> item & 1 and costs[item] <= purse and not _odd(rest, twins)
        if payable and table[rest, purse - costs[item]] == promised:
            part = rest
            purse -= costs[item]
            paid |= 1 << cells[item]
            item = len(costs)
        item -= 1
    return paid, float(promised)


@compiled
def _fill_up(tiles: int, values: Ints, budget: int, paid: int) -> int:
    """Spend what is left on the largest tiles that it pays for: turning more never hurts."""
    purse = budget - total(paid, values)
    left = chain_end(tiles & ~paid)
    cells = by_value(tiles, values)
    for place in range(len(cells) - 1, -1, -1):
        tile = 1 << cells[place]
        if left & tile and values[cells[place]] <= purse:
            purse -= values[cells[place]]
            paid |= tile
            left = chain_end(left ^ tile)
    return paid


# --- Races ---------------------------------------------------------------------------------------

HORIZON: Final = 80  # throws looked ahead; few boards take longer
LONGEST_RACE: Final = 11  # tiles of a bill for which every risk is weighed
HARDLY: Final = 1e-4  # odds that a race takes for nothing


@compiled
def finish_odds(tiles: int, values: Ints, games: int, seed: int) -> Odds:
    """The odds to clear the board with the 1st, 2nd, ... throw from now: float64[HORIZON + 1], by simulation.

    Entry 0 is 1 for a clear board, else 0. Games that last beyond HORIZON are counted there.
    """
    odds = np.zeros(HORIZON + 1, np.float64)
    random = generator(seed)
    worth = prices(values)
    start = chain_end(tiles)
    cells = by_value(start, values)
    for _ in range(games):
        left, throws = start, 0
        while left and throws < HORIZON:
            left = chain_end(left & ~quick_turn(left, cells, values, worth, throw(random))[0])
            throws += 1
        odds[throws] += 1 / games
    return odds


@compiled
def race_value(mine: Odds, theirs: Odds) -> float:
    """The chance to finish first of the side that plays next, from the `finish_odds` of both."""
    chance, busy = mine[0], 1.0
    for throws in range(1, HORIZON + 1):
        busy -= theirs[throws - 1]
        chance += mine[throws] * busy
    return float(chance)


@compiled
def race_turn(tiles: int, values: Ints, budget: int, theirs: Odds) -> int:
    """The tiles to pay for, to have the largest chance of finishing first against a rival's `finish_odds`.

    Near the end every risk is weighed exactly: who is behind must hope for the one good throw. Before
    that, the fewest throws on average are the best chance.
    """
    tiles = chain_end(tiles)
    needed, paid, _ = cheapest_clearing(tiles, values, LONGEST_HUNT)
    if needed <= budget:
        return paid
    free, _, _, _ = largest_free(tiles, prices(values), np.empty(0, np.int64), LONGEST_HUNT)
    cells = by_value(tiles & ~free, values)
    costs = _costs(cells, values)
    if len(costs) > LONGEST_RACE or costs[-1] > TOP_BUDGET:
        return plan_turn(tiles, values, budget)
    paid, _ = _best_part(race_outlook(costs, theirs), costs, cells, min(budget, TOP_BUDGET))
    return _fill_up(tiles, values, budget, paid)


@compiled
def race_outlook(costs: Ints, theirs: Odds) -> NDArray[np.float32]:
    """The chance to finish first in the middle of a throw, laid out as in `outlook`.

    It is worked out backwards, from the last throw at which the rival may be busy to this one; the rival
    has had as many throws as lie between.
    """
    table = np.zeros((1 << len(costs), TOP_BUDGET + 1), np.float32)
    later = np.zeros(len(table), np.float32)  # the chance before the next throw
    twins = _twins(costs)
    busy = 1 - np.cumsum(theirs)
    for throws in range(HORIZON, -1, -1):
        if throws and busy[throws] < HARDLY:
            continue
        for purse in range(TOP_BUDGET + 1):
            table[0, purse] = busy[throws]
        for part in range(1, len(table)):
            if _odd(part, twins):
                continue
            for purse in range(TOP_BUDGET + 1):
                table[part, purse] = later[part]
            for item in range(len(costs)):
                rest = part ^ 1 << item
                if part >> item & 1 and not _odd(rest, twins):
                    for purse in range(costs[item], TOP_BUDGET + 1):
                        table[part, purse] = max(table[part, purse], table[rest, purse - costs[item]])
            chance = 0.0
            for purse in range(TOP_BUDGET + 1):
                chance += ODDS[purse] * table[part, purse]
            later[part] = chance
    return table
