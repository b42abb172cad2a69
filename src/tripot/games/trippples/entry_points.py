"""The kernels of Trippples that Python calls, with the types of their arguments and results."""

from __future__ import annotations

from typing import Final

from tripot.engine.entry_points import BOOL, FLOAT64, INT64, NONE, EntryPoint, array, named_tuple, types
from tripot.games.trippples.kernel import random_opponent, repetition, solver, tables, teams

INT16_1D: Final = array(types.int16)
INT16_2D: Final = array(types.int16, 2)
INT64_1D: Final = array(INT64)
UINT64_1D: Final = array(types.uint64)
UINT64_2D: Final = array(types.uint64, 2)
FLOAT64_1D: Final = array(FLOAT64)
BOOL_1D: Final = array(BOOL)

LAYOUT: Final = named_tuple(tables.Layout, *[INT16_1D] * 4, *[INT16_2D] * 3, INT16_1D)
"""starts, finishes, arrows, neutral; can_stand, exits, entries; neutral_entries."""

TEAM_TABLES: Final = named_tuple(teams.TeamTables, *[UINT64_2D] * 2, *[UINT64_1D] * 2, BOOL_1D)
"""by_own, by_last; stuck, undecided; dirty."""


ENTRY_POINTS: Final = (
    # tiles, starts, finishes, wild
    EntryPoint(tables.compute_layout, (INT16_1D, INT16_1D, INT16_1D, BOOL), LAYOUT),
    # layout, position
    EntryPoint(tables.moves, (LAYOUT, INT64), named_tuple(tuple, INT64_1D, INT64_1D)),
    # layout, freeze_wins
    EntryPoint(solver.solve, (LAYOUT, BOOL), INT16_1D),
    # layout, base, play
    EntryPoint(repetition.repetition_ranks, (LAYOUT, INT16_1D, INT16_1D), INT16_1D),
    # layout, play, ranks, side
    EntryPoint(random_opponent.values_against_random, (LAYOUT, INT16_1D, INT16_1D, INT64), FLOAT64_1D),
    # layout
    EntryPoint(teams.new_tables, (LAYOUT,), TEAM_TABLES),
    # tables
    EntryPoint(teams.mark_frozen, (TEAM_TABLES,), NONE),
    # layout, tables, plies, distance
    EntryPoint(teams.sweep, (LAYOUT, TEAM_TABLES, INT16_1D, INT64), INT64),
)
"""Each with the names of its arguments."""
