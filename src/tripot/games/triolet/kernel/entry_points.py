"""The kernels that Python calls, with the explicit type of every argument and result.

The list is for compilation ahead of time, where nothing can be compiled at the first call: each function
here is compiled for exactly one signature, and everything else in the package is called by these functions
only. Arrays are C-contiguous. They are all allocated by plain Python functions (`new_position`,
`new_workspace` and so on), and no entry point returns an array. Array shapes are documented at the
NamedTuples and functions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from numba.core import types

from tripot.games.triolet.kernel.endgame import EndgameBuffers, SearchFrames, endgame_gains
from tripot.games.triolet.kernel.moves import Moves, Workspace, generate_moves
from tripot.games.triolet.kernel.playout import PlayoutBuffers, SimulationSums, simulate_moves
from tripot.games.triolet.kernel.position import GamePosition
from tripot.games.triolet.kernel.value import evaluate_moves, subtract_replies, win_probability

Type = Any  # Numba ships no types for its types


class EntryPoint(NamedTuple):
    """A kernel with the signature for which it is compiled."""

    function: Callable[..., Any]
    arguments: tuple[Type, ...]
    result: Type


def _array(dtype: Type, dimensions: int) -> Type:
    return types.Array(dtype, dimensions, "C")


def _named_tuple(cls: type, *fields: Type) -> Type:
    return types.BaseTuple.from_types(fields, cls)  # type: ignore[no-untyped-call]  # Numba has no types


BYTES_1, BYTES_2, BYTES_3 = (_array(types.uint8, dimensions) for dimensions in (1, 2, 3))
INTS_1, INTS_2, INTS_3 = (_array(types.int32, dimensions) for dimensions in (1, 2, 3))
LONGS_1: Final = _array(types.int64, 1)
FLOATS_1, FLOATS_2 = (_array(types.float64, dimensions) for dimensions in (1, 2))
COUNTS: Final = _named_tuple(tuple, types.int64, types.int64)
WORDS_1: Final = _array(types.uint64, 1)

MOVES: Final = _named_tuple(Moves, INTS_1, INTS_1)
MOVES_BY_PLY: Final = _named_tuple(Moves, INTS_2, INTS_2)
WORKSPACE: Final = _named_tuple(Workspace, INTS_3, BYTES_3, LONGS_1, LONGS_1)
POSITION: Final = _named_tuple(
    GamePosition, BYTES_1, BYTES_2, INTS_1, BYTES_1, LONGS_1, LONGS_1, LONGS_1, LONGS_1, WORDS_1
)
PLAYOUT_BUFFERS: Final = _named_tuple(PlayoutBuffers, POSITION, POSITION, WORKSPACE, MOVES, FLOATS_1, INTS_1)
SIMULATION_SUMS: Final = _named_tuple(SimulationSums, FLOATS_1, FLOATS_1, FLOATS_2)
SEARCH_FRAMES: Final = _named_tuple(SearchFrames, *[LONGS_1] * len(SearchFrames._fields))
ENDGAME_BUFFERS: Final = _named_tuple(EndgameBuffers, POSITION, WORKSPACE, SEARCH_FRAMES, MOVES_BY_PLY)

ENTRY_POINTS: Final = (
    EntryPoint(generate_moves, (BYTES_1, BYTES_1, WORKSPACE, MOVES), types.int64),
    EntryPoint(evaluate_moves, (POSITION, FLOATS_1, WORKSPACE, MOVES, FLOATS_1), COUNTS),
    EntryPoint(subtract_replies, (POSITION, FLOATS_1, WORKSPACE, MOVES, types.int64, FLOATS_1), types.none),
    EntryPoint(win_probability, (types.float64, types.int64), types.float64),
    EntryPoint(
        simulate_moves,
        (
            POSITION,
            BYTES_1,
            MOVES,
            types.int64,
            types.int64,
            FLOATS_1,
            PLAYOUT_BUFFERS,
            SIMULATION_SUMS,
        ),
        types.none,
    ),
    EntryPoint(
        endgame_gains,
        (POSITION, types.int64, types.int64, BYTES_2, ENDGAME_BUFFERS, INTS_1, INTS_1),
        types.none,
    ),
)
