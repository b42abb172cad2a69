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

BYTES_1, BYTES_2, BYTES_3 = (array(types.uint8, dimensions) for dimensions in (1, 2, 3))
INTS_1, INTS_2, INTS_3 = (array(types.int32, dimensions) for dimensions in (1, 2, 3))
LONGS_1: Final = array(INT64, 1)
FLOATS_1, FLOATS_2 = (array(FLOAT64, dimensions) for dimensions in (1, 2))
COUNTS: Final = named_tuple(tuple, INT64, INT64)
WORDS_1: Final = array(types.uint64, 1)

MOVES: Final = named_tuple(Moves, INTS_1, INTS_1)
MOVES_BY_PLY: Final = named_tuple(Moves, INTS_2, INTS_2)
WORKSPACE: Final = named_tuple(Workspace, INTS_3, BYTES_3, LONGS_1, LONGS_1)
POSITION: Final = named_tuple(
    GamePosition, BYTES_1, BYTES_2, INTS_1, BYTES_1, LONGS_1, LONGS_1, LONGS_1, LONGS_1, WORDS_1
)
PLAYOUT_BUFFERS: Final = named_tuple(PlayoutBuffers, POSITION, POSITION, WORKSPACE, MOVES, FLOATS_1, INTS_1)
SIMULATION_SUMS: Final = named_tuple(SimulationSums, FLOATS_1, FLOATS_1, FLOATS_2)
SEARCH_FRAMES: Final = named_tuple(SearchFrames, *[LONGS_1] * len(SearchFrames._fields))
ENDGAME_BUFFERS: Final = named_tuple(EndgameBuffers, POSITION, WORKSPACE, SEARCH_FRAMES, MOVES_BY_PLY)

ENTRY_POINTS: Final = (
    EntryPoint(seed_rng, (WORDS_1, INT64), NONE),
    EntryPoint(move_size, (INT64,), INT64),
    EntryPoint(move_cell, (INT64, INT64), INT64),
    EntryPoint(move_value, (INT64, INT64), INT64),
    EntryPoint(move_joker, (INT64,), INT64),
    EntryPoint(generate_moves, (BYTES_1, BYTES_1, WORKSPACE, MOVES), INT64),
    EntryPoint(evaluate_moves, (POSITION, FLOATS_1, WORKSPACE, MOVES, FLOATS_1), COUNTS),
    EntryPoint(subtract_replies, (POSITION, FLOATS_1, WORKSPACE, MOVES, INT64, FLOATS_1), NONE),
    EntryPoint(win_probability, (FLOAT64, INT64), FLOAT64),
    EntryPoint(
        simulate_moves,
        (
            POSITION,
            BYTES_1,
            MOVES,
            INT64,
            INT64,
            FLOATS_1,
            PLAYOUT_BUFFERS,
            SIMULATION_SUMS,
        ),
        NONE,
    ),
    EntryPoint(
        endgame_gains,
        (POSITION, INT64, INT64, BYTES_2, ENDGAME_BUFFERS, INTS_1, INTS_1),
        NONE,
    ),
)
