"""The compiled functions that Python code calls, with the Numba types of their arguments and results.

Other kernels are only called by these. Ahead-of-time targets, such as WebAssembly, compile this list and
nothing else, so a call with other types must not happen. Array types are written `dtype[:, ::1]`: C order,
all axes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numba.core import types as numba_types

from tripot.games.trippples.kernel import random_opponent, repetition, solver, tables, teams

types: Any = numba_types  # Numba ships no types of its own

INT16_1D: Final = types.int16[::1]
INT16_2D: Final = types.int16[:, ::1]
INT64_1D: Final = types.int64[::1]
UINT64_1D: Final = types.uint64[::1]
UINT64_2D: Final = types.uint64[:, ::1]
FLOAT64_1D: Final = types.float64[::1]
BOOL_1D: Final = types.boolean[::1]

LAYOUT: Final = types.NamedTuple([*[INT16_1D] * 4, *[INT16_2D] * 3, INT16_1D], tables.Layout)
"""starts, finishes, arrows, neutral; can_stand, exits, entries; neutral_entries."""

TEAM_TABLES: Final = types.NamedTuple([*[UINT64_2D] * 2, *[UINT64_1D] * 2, BOOL_1D], teams.TeamTables)
"""by_own, by_last; stuck, undecided; dirty."""


class EntryPoint(NamedTuple):
    """A kernel, the types of its arguments, and the type of its result. The docstrings give the shapes."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    result: Any


ENTRY_POINTS: Final = (
    EntryPoint(tables.pack, (INT16_1D, INT16_1D, INT16_1D, types.boolean), LAYOUT),
    EntryPoint(tables.moves, (LAYOUT, types.int64), types.UniTuple(INT64_1D, 2)),
    EntryPoint(solver.solve, (LAYOUT, types.boolean), INT16_1D),
    EntryPoint(repetition.repetition_ranks, (LAYOUT, INT16_1D, INT16_1D), INT16_1D),
    EntryPoint(random_opponent.values_against_random, (LAYOUT, INT16_1D, INT16_1D, types.int64), FLOAT64_1D),
    EntryPoint(teams.new_tables, (LAYOUT,), TEAM_TABLES),
    EntryPoint(teams.mark_frozen, (TEAM_TABLES,), types.none),
    EntryPoint(teams.sweep, (LAYOUT, TEAM_TABLES, INT16_1D, types.int64), types.int64),
)
