"""Playouts: simulated games on one board with random dice, and what two boards make of a round.

A playout plays `greedy_turn` with every throw until the board is clear. Two sides never disturb each other
within a round (TG-2), so the boards are simulated independently, and a round is evaluated from the
statistics of both: each simulated game of one board is compared with each of the other.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import popcount
from tripot.engine.jit import njit_cached
from tripot.engine.rng import random_below
from tripot.games.triggery.kernel.chains import after_chain, free_stars
from tripot.games.triggery.kernel.tables import (
    CELLS,
    MAX_BOARD_POINTS,
    MAX_BUDGET,
    MAX_THROWS,
    MEAN_BUDGET,
    PROBABILITY_AT_LEAST,
    STAR_POINTS,
    THROW_BUDGETS,
    Distribution,
    Int64Array,
    cells_by_value,
    sum_of_values,
)

COST_PER_THROW: Final = 1000  # the unit of `throw_costs`: a thousandth of a throw


@njit_cached
def random_budget(rng: NDArray[np.uint64]) -> int:
    """Return the budget of a random throw of two dice. `rng` is the state of `new_rng`."""
    return int(THROW_BUDGETS[random_below(rng, len(THROW_BUDGETS))])


@njit_cached
def throw_costs(tile_values: Int64Array, wait_weight: float) -> Int64Array:
    """Estimate what paying for each tile costs, in thousandths of a throw: int64[36].

    That is its share of a mean throw, and `wait_weight` times the throws for which one waits on average until
    the budget is large enough. A tile larger than any budget counts as if half of the largest throws paid it.
    """
    costs = np.zeros(CELLS, np.int64)
    for cell in range(CELLS):
        if tile_values[cell] <= MAX_BUDGET:
            probability = PROBABILITY_AT_LEAST[tile_values[cell]]
        else:
            probability = PROBABILITY_AT_LEAST[MAX_BUDGET] / 2
        throws = tile_values[cell] / MEAN_BUDGET + wait_weight * (1 / probability - 1)
        costs[cell] = int(COST_PER_THROW * throws)
    return costs


class GreedyTurn(NamedTuple):
    """The cells that `greedy_turn` pays for, and their throw costs."""

    paid: int
    cost: int


@njit_cached
def greedy_turn(
    tiles: int, cells: Int64Array, tile_values: Int64Array, weights: Int64Array, budget: int
) -> GreedyTurn:
    """Pay for the part of the paid set with the largest throw costs: a 0-1 knapsack, fast enough for
    playouts.

    The paid set is what the greedy free set leaves. `cells` contain all of `tiles`, sorted by value;
    `weights` are the `throw_costs`. If nothing of the paid set is affordable, the smallest tile is flipped
    (TG-3).
    """
    best_cost = np.zeros(budget + 1, np.int64)  # indexed by what may be spent
    best_paid = np.zeros(budget + 1, np.int64)
    free, smallest = 0, 0
    for index in range(len(cells) - 1, -1, -1):
        tile, value = 1 << cells[index], tile_values[cells[index]]
        if tiles & tile == 0:
            continue
        if value <= budget:
            smallest = tile
        if after_chain(free | tile) == 0:
            free |= tile
            continue
        for budget_left in range(budget, value - 1, -1):
            cost = best_cost[budget_left - value] + weights[cells[index]]
            if cost > best_cost[budget_left]:
                best_cost[budget_left] = cost
                best_paid[budget_left] = best_paid[budget_left - value] | tile
    return GreedyTurn(best_paid[budget] if best_paid[budget] else smallest, best_cost[budget])


class BoardStatistics(NamedTuple):
    """The results of simulated games on one board.

    throw_counts  int64[MAX_THROWS + 1]; entry t counts the games that took exactly t throws. Longer games
                  are counted at MAX_THROWS.
    point_counts  int64[MAX_THROWS + 1, n]; entry (t, p) counts the games with p open points after t
                  throws (TG-8); n - 1 is at least the number of points that are open at first
    """

    throw_counts: Int64Array
    point_counts: Int64Array


def new_statistics(max_points: int) -> BoardStatistics:
    """Return empty statistics, for boards with at most that many open points."""
    return BoardStatistics(
        np.zeros(MAX_THROWS + 1, np.int64), np.zeros((MAX_THROWS + 1, max_points + 1), np.int64)
    )


@njit_cached
def simulate_games(
    face_up: int,
    star_cells: int,
    tile_values: Int64Array,
    wait_weight: float,
    games: int,
    rng: NDArray[np.uint64],
    statistics: BoardStatistics,
) -> None:
    """Play games to a clear board, beginning with a throw, and add their results to the statistics.

    A chain that waits on the board is taken with the first throw, so a board that clears by itself takes one.
    `rng` is the state of `new_rng`. Every throw takes one random number, so a sequence of calls gives the
    same statistics as one call with the sum of their games.
    """
    weights = throw_costs(tile_values, wait_weight)
    stars = face_up & star_cells
    numbers = face_up & ~star_cells
    points_before = sum_of_values(numbers, tile_values) + STAR_POINTS * popcount(stars)
    start = after_chain(numbers)
    start_points = sum_of_values(start, tile_values)
    cells = cells_by_value(start, tile_values)
    for _ in range(games):
        tiles, throws, points = start, 0, start_points
        statistics.point_counts[0, points_before] += 1
        if face_up and not tiles:
            throws = 1
            statistics.point_counts[1, 0] += 1
        while tiles and throws < MAX_THROWS:
            turn = greedy_turn(tiles, cells, tile_values, weights, random_budget(rng))
            remaining = after_chain(tiles & ~turn.paid)
            points -= sum_of_values(tiles ^ remaining, tile_values)
            tiles = remaining
            throws += 1
            statistics.point_counts[throws, points + star_points(tiles, stars)] += 1
        statistics.throw_counts[throws] += 1
        for later in range(throws + 1, MAX_THROWS + 1):
            statistics.point_counts[later, 0] += 1


@njit_cached
def star_points(tiles: int, stars: int) -> int:
    """TG-8: return the points of the stars that the open numbers keep open."""
    return STAR_POINTS * popcount(stars & ~free_stars(tiles))


@njit_cached
def finish_distribution(throw_counts: Int64Array) -> Distribution:
    """Return the probability to clear a board with exactly t more throws: float64[MAX_THROWS + 1].

    `throw_counts` are those of at least one simulated game. Entry 0 is 1 for a clear board, else 0.
    """
    distribution: Distribution = throw_counts / throw_counts.sum()
    return distribution


# --- The points of a round -------------------------------------------------------------------------


@njit_cached
def round_margins(first: BoardStatistics, second: BoardStatistics) -> Distribution:
    """Return the distribution of the points that a round brings (TG-8): float64[2 * MAX_BOARD_POINTS + 1].

    `first` is the side to throw next. Entry MAX_BOARD_POINTS + m is the probability that `second` loses m
    points more than `first`: positive margins are rounds that `first` wins, and one of the sides always loses
    0.
    """
    margins = np.zeros(2 * MAX_BOARD_POINTS + 1, np.float64)
    games = first.throw_counts.sum() * second.throw_counts.sum()
    for throws in range(MAX_THROWS + 1):
        # `first` clears its board with this throw; `second` has had one throw less.
        weight = first.throw_counts[throws] / games
        if weight:
            counts = second.point_counts[max(0, throws - 1)]
            for points in range(1, len(counts)):
                margins[MAX_BOARD_POINTS + points] += weight * counts[points]
        # `second` does, after as many throws of `first`. Two games that are cut off count for `first`.
        weight = second.throw_counts[throws] / games
        if weight and throws < MAX_THROWS:
            counts = first.point_counts[throws]
            for points in range(1, len(counts)):
                margins[MAX_BOARD_POINTS - points] += weight * counts[points]
    return margins


@njit_cached
def win_rate_of_margins(first: Distribution, second: Distribution, lead: int) -> float:
    """Return the probability that two independent margins and a lead add up to more than 0.

    A sum of 0 counts one half. Both distributions are laid out as in `round_margins`.
    """
    at_most = np.cumsum(second)  # entry i: the probability of a margin of at most i - MAX_BOARD_POINTS
    win_rate = 0.0
    for index in range(len(first)):
        if first[index]:
            # The second margin must exceed -(lead + first margin), that is, its index must exceed this one:
            needed = 2 * MAX_BOARD_POINTS - lead - index
            below = at_most[min(needed - 1, len(second) - 1)] if needed > 0 else 0.0
            up_to = at_most[min(needed, len(second) - 1)] if needed >= 0 else 0.0
            win_rate += first[index] * (1 - (below + up_to) / 2)
    return min(1.0, max(0.0, win_rate))
