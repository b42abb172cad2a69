"""The kernels that the engine calls, with their signatures.

Numba compiles each kernel at its first call, for the types it is called with. Ahead-of-time compilation, to
WebAssembly for instance, needs the same types beforehand. All entry points and the types of their arguments
are listed here. Kernels that are called by other kernels only are not listed.

Integers, sets of cells included, are int64, also on machines whose native integer has 32 bits. Arrays are
C-contiguous. `SearchParams` is passed by value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numba import types

from tripot.engine import rng
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS, SearchParams

INT64: Final = types.int64
FLOAT64: Final = types.float64
INT64_ARRAY: Final = types.Array(types.int64, 1, "C")
UINT64_ARRAY: Final = types.Array(types.uint64, 1, "C")
INT64_MATRIX: Final = types.Array(types.int64, 2, "C")
FLOAT64_ARRAY: Final = types.Array(types.float64, 1, "C")
_named_tuple: Any = types.NamedTuple  # Numba ships no types
STATISTICS: Final = _named_tuple((INT64_ARRAY, INT64_MATRIX), playout.BoardStatistics)
PARAMS: Final = _named_tuple(
    tuple(FLOAT64 if isinstance(value, float) else INT64 for value in DEFAULT_PARAMS), SearchParams
)


class EntryPoint(NamedTuple):
    """A kernel, and the types of its arguments."""

    kernel: Callable[..., Any]
    arguments: tuple[types.Type, ...]


ENTRY_POINTS: Final = (
    # state, seed
    EntryPoint(rng.seed_rng, (UINT64_ARRAY, INT64)),
    # tiles, tile_values
    EntryPoint(tables.sum_of_values, (INT64, INT64_ARRAY)),
    EntryPoint(tables.cells_by_value, (INT64, INT64_ARRAY)),
    # tiles
    EntryPoint(chains.after_chain, (INT64,)),
    # face_up, number_cells, star_cells, tile_values, paid
    EntryPoint(chains.chain, (INT64, INT64, INT64, INT64_ARRAY, INT64)),
    # face_up, number_cells, star_cells, tile_values, budget, limit
    EntryPoint(turns.best_turn, (INT64, INT64, INT64, INT64_ARRAY, INT64, INT64)),
    # tiles, tile_values, limit
    EntryPoint(clearing.cheapest_clearing, (INT64, INT64_ARRAY, INT64)),
    # tiles, tile_values, budgets, limit
    EntryPoint(clearing.plan_known_throws, (INT64, INT64_ARRAY, INT64_ARRAY, INT64)),
    # tiles, tile_values, budget, params
    EntryPoint(expectation.plan_turn, (INT64, INT64_ARRAY, INT64, PARAMS)),
    # tiles, tile_values, budget, rival float64[81], params
    EntryPoint(expectation.race_turn, (INT64, INT64_ARRAY, INT64, FLOAT64_ARRAY, PARAMS)),
    # tile_values, wait_weight
    EntryPoint(playout.throw_costs, (INT64_ARRAY, FLOAT64)),
    # tiles, cells, tile_values, weights, budget
    EntryPoint(playout.greedy_turn, (INT64, INT64_ARRAY, INT64_ARRAY, INT64_ARRAY, INT64)),
    # face_up, star_cells, tile_values, wait_weight, games, rng, statistics
    EntryPoint(playout.simulate_games, (INT64, INT64, INT64_ARRAY, FLOAT64, INT64, UINT64_ARRAY, STATISTICS)),
    # throw_counts
    EntryPoint(playout.finish_distribution, (INT64_ARRAY,)),
    # first, second
    EntryPoint(playout.round_margins, (STATISTICS, STATISTICS)),
    # first, second, lead
    EntryPoint(playout.win_rate_of_margins, (FLOAT64_ARRAY, FLOAT64_ARRAY, INT64)),
)
"""Each with the names of its arguments. Shapes: `tile_values` and `weights` are [36], `rng` is [1]."""
