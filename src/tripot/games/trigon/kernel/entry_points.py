"""The kernels that Python calls, with explicit signatures, for compiling ahead of time.

All other kernels are called by these only. A target without a compiler at run time, such as WebAssembly,
compiles exactly this list: `entry.function.compile(entry.signature)`. The tests check that the engine calls
kernels with these signatures and no others. Array shapes are in the docstrings of the types.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from numba.core import types as numba_types

from tripot.engine.rng import seed_rng
from tripot.games.trigon.kernel import (
    compact_bits,
    distances,
    endgame,
    exact_cover,
    features,
    history,
    local_moves,
    moves,
    params,
    placement_bits,
    position,
    prediction,
    rave,
    search,
    tree,
    workspace,
)
from tripot.games.trigon.kernel.available_moves import AvailableMoves

Type = Any
types: Any = numba_types  # Numba ships no types

INT, FLOAT, VOID = types.int64, types.float64, types.void


def _array(dtype: Type, dimensions: int = 1) -> Type:
    """A writable, C-contiguous array."""
    return types.Array(dtype, dimensions, "C")


def _struct(cls: type, *fields: Type) -> Type:
    """A NamedTuple, with the types of its fields in order."""
    names: tuple[str, ...] = cls._fields  # type: ignore[attr-defined]  # every NamedTuple has it
    assert len(fields) == len(names), cls
    is_uniform = len({*fields}) == 1
    return types.NamedUniTuple(fields[0], len(fields), cls) if is_uniform else types.NamedTuple(fields, cls)


INTS = _array(types.int64)
INT8S, INT16S, INT32S = _array(types.int8), _array(types.int16), _array(types.int32)
WORDS, WORDS_2D = _array(types.uint64), _array(types.uint64, 2)
FLOATS, FLOATS_2D, FLOATS_32 = _array(FLOAT), _array(FLOAT, 2), _array(types.float32)
VALUE_TABLE = _array(types.float32, 2)


def _position(extra: int = 0) -> Type:
    """A position, or a stack of positions, whose arrays have one dimension more."""
    return _struct(
        position.Position,
        _array(types.uint32, 1 + extra),
        _array(types.int16, 2 + extra),
        _array(types.int32, 2 + extra),
        *[_array(types.int64, 1 + extra)] * 10,
    )


POSITION = _position()
PLACEMENT_BITS = _struct(
    placement_bits.PlacementBits, WORDS_2D, WORDS_2D, _array(types.uint16, 2), INTS, WORDS_2D, WORDS
)
COMPACT_BITS = _struct(
    compact_bits.CompactBits,
    INTS,
    INTS,
    _array(types.uint16, 2),
    _array(types.uint16, 2),
    _array(types.uint64, 3),
    WORDS_2D,
    WORDS_2D,
    INT32S,
    WORDS,
    WORDS,
    INT8S,
    _array(types.int16, 2),
    INTS,
    INTS,
    INTS,
)
AVAILABLE_MOVES = _struct(AvailableMoves, PLACEMENT_BITS, COMPACT_BITS)
CELL_WORKSPACE = _struct(
    distances.CellWorkspace,
    INT16S,
    INTS,
    _array(types.uint8, 2),
    INT16S,
    _array(types.int8, 2),
    FLOATS,
    FLOATS,
    FLOATS,
    _array(types.int16, 2),
    FLOATS_2D,
)
HISTORY = _struct(history.History, INTS, INTS, INTS, INTS)
PLAYOUT_STATE = _struct(local_moves.PlayoutState, HISTORY, INTS, INTS, INT32S, INT8S)
SEARCH_PARAMS = _struct(params.SearchParams, *[FLOAT] * 4, INT, FLOAT, FLOAT, INT, INT, FLOAT, FLOAT, FLOAT)
PLAYOUT_PARAMS = _struct(params.PlayoutParams, *[INT] * 5)
TREE = _struct(
    tree.Tree,
    INT32S,
    FLOATS_32,
    FLOATS_32,
    INT32S,
    INT32S,
    INT8S,
    INT8S,
    INT32S,
    FLOATS_32,
    INT32S,
    FLOATS_32,
    FLOATS_32,
    FLOATS_32,
    INTS,
    INTS,
    INTS,
    _struct(tree.RootStats, FLOATS, FLOATS_2D, FLOATS_2D),
)
SEARCH_CONTEXT = _struct(
    workspace.SearchContext,
    TREE,
    INT,
    POSITION,
    AVAILABLE_MOVES,
    INT,
    INTS,
    FLOATS_2D,
    VALUE_TABLE,
    SEARCH_PARAMS,
    PLAYOUT_PARAMS,
)
SEARCH_WORKSPACE = _struct(
    workspace.SearchWorkspace,
    POSITION,
    AVAILABLE_MOVES,
    POSITION,
    PLAYOUT_STATE,
    INTS,
    _struct(rave.PlayedMoves, WORDS_2D, _array(types.int8, 2)),
    INT32S,
    FLOATS,
    FLOATS_32,
    _struct(workspace.SimulationOutcome, FLOATS, FLOATS, FLOATS),
    CELL_WORKSPACE,
)
ENDGAME_RESULT = _struct(endgame.EndgameResult, FLOATS_2D, FLOATS_2D, FLOATS_2D)
ENDGAME_STACK = _struct(
    endgame.EndgameStack, _position(1), INTS, INTS, ENDGAME_RESULT, ENDGAME_RESULT, ENDGAME_RESULT
)
EXACT_COVER = _struct(
    exact_cover.ExactCover,
    INT16S,
    _array(types.int16, 2),
    INTS,
    INT32S,
    INTS,
    _array(types.int16, 2),
    INTS,
    _array(types.uint8),
    INTS,
    INT16S,
    INTS,
    INTS,
    INT32S,
    *[INTS] * 7,
)


class EntryPoint(NamedTuple):
    """A kernel that Python calls, its return type and the types of its arguments."""

    function: Callable[..., Any]
    returns: Type
    arguments: tuple[Type, ...]

    @property
    def signature(self) -> Type:
        """The Numba signature."""
        return self.returns(*self.arguments)


ENTRY_POINTS: tuple[EntryPoint, ...] = (
    EntryPoint(seed_rng, VOID, (WORDS, INT)),
    EntryPoint(position.clone, POSITION, (POSITION,)),
    EntryPoint(position.place_piece, VOID, (POSITION, INT, INT)),
    EntryPoint(moves.legal_moves, INT32S, (POSITION, INT)),
    EntryPoint(placement_bits.new_placement_bits, PLACEMENT_BITS, ()),
    EntryPoint(placement_bits.init_placement_bits, VOID, (POSITION, PLACEMENT_BITS)),
    EntryPoint(compact_bits.new_compact_bits, COMPACT_BITS, ()),
    EntryPoint(compact_bits.clone_mutable, COMPACT_BITS, (COMPACT_BITS,)),
    EntryPoint(compact_bits.build_compact_bits, VOID, (POSITION, PLACEMENT_BITS, COMPACT_BITS)),
    EntryPoint(distances.new_cell_workspace, CELL_WORKSPACE, ()),
    EntryPoint(distances.compute_distances, INT, (POSITION, INT, CELL_WORKSPACE)),
    EntryPoint(distances.restrict_to_open_cells, VOID, (POSITION, CELL_WORKSPACE)),
    EntryPoint(features.move_logits, FLOATS, (POSITION, INT, INTS, INT32S, FLOATS_2D, CELL_WORKSPACE)),
    EntryPoint(
        prediction.predict_outcomes,
        types.Tuple((FLOATS, FLOATS_2D)),
        (POSITION, INT, INTS, INT32S, VALUE_TABLE, SEARCH_PARAMS, CELL_WORKSPACE),
    ),
    EntryPoint(local_moves.new_playout_state, PLAYOUT_STATE, ()),
    EntryPoint(tree.reset_tree, VOID, (TREE,)),
    EntryPoint(search.run_simulations, VOID, (SEARCH_CONTEXT, SEARCH_WORKSPACE, INT, WORDS, INT)),
    EntryPoint(endgame.solve_endgame, INT, (POSITION, INT, INTS, SEARCH_PARAMS, INT, ENDGAME_STACK)),
    EntryPoint(exact_cover.search_steps, INT, (EXACT_COVER, INT, WORDS)),
)
