"""The kernels of Triggery that Python calls, with the types of their arguments and results.

Integers, sets of cells included, are int64, also on machines whose native integer has 32 bits.
"""

from __future__ import annotations

from typing import Final

from tripot.engine import rng
from tripot.engine.entry_points import BOOL, FLOAT64, INT64, NONE, EntryPoint, array, named_tuple, types
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS, SearchParams

INT64_1D: Final = array(INT64)
UINT64_1D: Final = array(types.uint64)
INT64_2D: Final = array(INT64, 2)
FLOAT64_1D: Final = array(FLOAT64)
STATISTICS: Final = named_tuple(playout.BoardStatistics, INT64_1D, INT64_2D)
PARAMS: Final = named_tuple(
    SearchParams, *(FLOAT64 if isinstance(value, float) else INT64 for value in DEFAULT_PARAMS)
)
CHAIN: Final = named_tuple(chains.Chain, INT64_1D, INT64_1D)
TURN_LIST: Final = named_tuple(turns.TurnList, INT64_1D, INT64_1D, BOOL)
BEST_TURN: Final = named_tuple(turns.BestTurn, INT64, INT64, BOOL)
CLEARING_COST: Final = named_tuple(clearing.ClearingCost, INT64, INT64, BOOL)
THROW_PLAN: Final = named_tuple(clearing.ThrowPlan, INT64_1D, *[INT64] * 4, BOOL)
PLANNED_TURN: Final = named_tuple(expectation.PlannedTurn, INT64, BOOL)
GREEDY_TURN: Final = named_tuple(playout.GreedyTurn, INT64, INT64)

ENTRY_POINTS: Final = (
    # state, seed
    EntryPoint(rng.seed_rng, (UINT64_1D, INT64), NONE),
    # tiles, tile_values
    EntryPoint(tables.sum_of_values, (INT64, INT64_1D), INT64),
    EntryPoint(tables.cells_by_value, (INT64, INT64_1D), INT64_1D),
    # tiles
    EntryPoint(chains.after_chain, (INT64,), INT64),
    EntryPoint(chains.free_stars, (INT64,), INT64),
    # face_up, number_cells, star_cells, tile_values, paid
    EntryPoint(chains.chain, (INT64, INT64, INT64, INT64_1D, INT64), CHAIN),
    # tiles, tile_values, budget, limit
    EntryPoint(turns.enumerate_turns, (INT64, INT64_1D, INT64, INT64), TURN_LIST),
    # face_up, number_cells, star_cells, tile_values, budget, limit
    EntryPoint(turns.best_turn, (INT64, INT64, INT64, INT64_1D, INT64, INT64), BEST_TURN),
    # tiles, tile_values, limit
    EntryPoint(clearing.cheapest_clearing, (INT64, INT64_1D, INT64), CLEARING_COST),
    # tiles, tile_values, budgets, limit, last_limit
    EntryPoint(clearing.plan_known_throws, (INT64, INT64_1D, INT64_1D, INT64, INT64), THROW_PLAN),
    # tiles, tile_values, budget, params
    EntryPoint(expectation.plan_turn, (INT64, INT64_1D, INT64, PARAMS), PLANNED_TURN),
    # tiles, tile_values, budget, rival float64[81], params
    EntryPoint(expectation.race_turn, (INT64, INT64_1D, INT64, FLOAT64_1D, PARAMS), PLANNED_TURN),
    # tile_values, wait_weight
    EntryPoint(playout.throw_costs, (INT64_1D, FLOAT64), INT64_1D),
    # tiles, cells, tile_values, weights, budget
    EntryPoint(playout.greedy_turn, (INT64, INT64_1D, INT64_1D, INT64_1D, INT64), GREEDY_TURN),
    # face_up, star_cells, tile_values, wait_weight, games, rng, statistics
    EntryPoint(playout.simulate_games, (INT64, INT64, INT64_1D, FLOAT64, INT64, UINT64_1D, STATISTICS), NONE),
    # throw_counts
    EntryPoint(playout.finish_distribution, (INT64_1D,), FLOAT64_1D),
    # first, second
    EntryPoint(playout.round_margins, (STATISTICS, STATISTICS), FLOAT64_1D),
    # first, second, lead
    EntryPoint(playout.win_rate_of_margins, (FLOAT64_1D, FLOAT64_1D, INT64), FLOAT64),
)
"""Each with the names of its arguments. Shapes: `tile_values` and `weights` are [36], `rng` is [1]."""
