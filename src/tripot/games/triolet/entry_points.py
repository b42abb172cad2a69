"""The kernels of Triolet that Python calls, with the types of their arguments and results.

All arrays are allocated by plain Python functions (`new_position`, `new_workspace` and so on), and no entry
point returns an array.
"""

from __future__ import annotations

from typing import Final

from tripot.engine.entry_points import FLOAT64, INT64, NONE, EntryPoint, array, named_tuple, types
from tripot.engine.rng import seed_rng
from tripot.games.triolet.kernel.endgame import EndgameBuffers, SearchFrames, endgame_gains
from tripot.games.triolet.kernel.moves import Moves, Workspace, generate_moves
from tripot.games.triolet.kernel.playout import PlayoutBuffers, SimulationSums, simulate_moves
from tripot.games.triolet.kernel.position import GamePosition
from tripot.games.triolet.kernel.tables import move_cell, move_joker, move_size, move_value
from tripot.games.triolet.kernel.value import evaluate_moves, subtract_replies, win_probability

UINT8_1D, UINT8_2D, UINT8_3D = (array(types.uint8, dimensions) for dimensions in (1, 2, 3))
INT32_1D, INT32_2D, INT32_3D = (array(types.int32, dimensions) for dimensions in (1, 2, 3))
INT64_1D: Final = array(INT64, 1)
FLOAT64_1D, FLOAT64_2D = (array(FLOAT64, dimensions) for dimensions in (1, 2))
COUNTS: Final = named_tuple(tuple, INT64, INT64)
UINT64_1D: Final = array(types.uint64, 1)

MOVES: Final = named_tuple(Moves, INT32_1D, INT32_1D)
MOVES_BY_PLY: Final = named_tuple(Moves, INT32_2D, INT32_2D)
WORKSPACE: Final = named_tuple(Workspace, INT32_3D, UINT8_3D, INT64_1D, INT64_1D)
POSITION: Final = named_tuple(
    GamePosition, UINT8_1D, UINT8_2D, INT32_1D, UINT8_1D, INT64_1D, INT64_1D, INT64_1D, INT64_1D, UINT64_1D
)
PLAYOUT_BUFFERS: Final = named_tuple(
    PlayoutBuffers, POSITION, POSITION, WORKSPACE, MOVES, FLOAT64_1D, INT32_1D
)
SIMULATION_SUMS: Final = named_tuple(SimulationSums, FLOAT64_1D, FLOAT64_1D, FLOAT64_2D)
SEARCH_FRAMES: Final = named_tuple(SearchFrames, *[INT64_1D] * len(SearchFrames._fields))
ENDGAME_BUFFERS: Final = named_tuple(EndgameBuffers, POSITION, WORKSPACE, SEARCH_FRAMES, MOVES_BY_PLY)

ENTRY_POINTS: Final = (
    # state, seed
    EntryPoint(seed_rng, (UINT64_1D, INT64), NONE),
    # code
    EntryPoint(move_size, (INT64,), INT64),
    # code, index
    EntryPoint(move_cell, (INT64, INT64), INT64),
    # code, index
    EntryPoint(move_value, (INT64, INT64), INT64),
    # code
    EntryPoint(move_joker, (INT64,), INT64),
    # grid, rack, workspace, moves
    EntryPoint(generate_moves, (UINT8_1D, UINT8_1D, WORKSPACE, MOVES), INT64),
    # position, leaves, workspace, moves, values
    EntryPoint(evaluate_moves, (POSITION, FLOAT64_1D, WORKSPACE, MOVES, FLOAT64_1D), COUNTS),
    # position, unseen, workspace, moves, count, values
    EntryPoint(subtract_replies, (POSITION, FLOAT64_1D, WORKSPACE, MOVES, INT64, FLOAT64_1D), NONE),
    # lead, tokens
    EntryPoint(win_probability, (FLOAT64, INT64), FLOAT64),
    # start, pool, candidates, determinizations, turns, leaves, buffers, sums
    EntryPoint(
        simulate_moves,
        (
            POSITION,
            UINT8_1D,
            MOVES,
            INT64,
            INT64,
            FLOAT64_1D,
            PLAYOUT_BUFFERS,
            SIMULATION_SUMS,
        ),
        NONE,
    ),
    # start, code, points, racks, buffers, gains, totals
    EntryPoint(
        endgame_gains,
        (POSITION, INT64, INT64, UINT8_2D, ENDGAME_BUFFERS, INT32_1D, INT32_1D),
        NONE,
    ),
)
"""Each with the names of its arguments."""
