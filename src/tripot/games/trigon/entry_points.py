"""The kernels of Trigon that Python calls, with the types of their arguments and results."""

from __future__ import annotations

from typing import Final

from tripot.engine.entry_points import FLOAT64, INT64, NONE, EntryPoint, Type, array, named_tuple, types
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

INT64_1D = array(types.int64)
UINT8_2D, UINT16_2D = (array(dtype, 2) for dtype in (types.uint8, types.uint16))
INT8_2D, INT16_2D = (array(dtype, 2) for dtype in (types.int8, types.int16))
INT8_1D, INT16_1D, INT32_1D = array(types.int8), array(types.int16), array(types.int32)
UINT64_1D, UINT64_2D = array(types.uint64), array(types.uint64, 2)
FLOAT64_1D, FLOAT64_2D, FLOAT32_1D = array(FLOAT64), array(FLOAT64, 2), array(types.float32)
VALUE_TABLE = array(types.float32, 2)


def _position(extra: int = 0) -> Type:
    """A position, or a stack of positions, whose arrays have one dimension more."""
    return named_tuple(
        position.Position,
        array(types.uint32, 1 + extra),
        array(types.int16, 2 + extra),
        array(types.int32, 2 + extra),
        *[array(types.int64, 1 + extra)] * 10,
    )


def _number(value: float) -> Type:
    """The type of a parameter, from its default."""
    return FLOAT64 if isinstance(value, float) else INT64


POSITION = _position()
PLACEMENT_BITS = named_tuple(
    placement_bits.PlacementBits, UINT64_2D, UINT64_2D, UINT16_2D, INT64_1D, UINT64_2D, UINT64_1D
)
COMPACT_BITS = named_tuple(
    compact_bits.CompactBits,
    INT64_1D,
    INT64_1D,
    UINT16_2D,
    UINT16_2D,
    array(types.uint64, 3),
    UINT64_2D,
    UINT64_2D,
    INT32_1D,
    UINT64_1D,
    UINT64_1D,
    INT8_1D,
    INT16_2D,
    INT64_1D,
    INT64_1D,
    INT64_1D,
)
AVAILABLE_MOVES = named_tuple(AvailableMoves, PLACEMENT_BITS, COMPACT_BITS)
CELL_WORKSPACE = named_tuple(
    distances.CellWorkspace,
    INT16_1D,
    INT64_1D,
    UINT8_2D,
    INT16_1D,
    INT8_2D,
    *[FLOAT64_1D] * 3,
    INT16_2D,
    FLOAT64_2D,
)
HISTORY = named_tuple(history.History, INT64_1D, INT64_1D, INT64_1D, INT64_1D)
PLAYOUT_STATE = named_tuple(local_moves.PlayoutState, HISTORY, INT64_1D, INT64_1D, INT32_1D, INT8_1D)
SEARCH_PARAMS = named_tuple(params.SearchParams, *map(_number, params.SEARCH_PARAMS))
PLAYOUT_PARAMS = named_tuple(params.PlayoutParams, *map(_number, params.PLAYOUT_PARAMS))
TREE = named_tuple(
    tree.Tree,
    INT32_1D,
    FLOAT32_1D,
    FLOAT32_1D,
    INT32_1D,
    INT32_1D,
    INT8_1D,
    INT8_1D,
    INT32_1D,
    FLOAT32_1D,
    INT32_1D,
    FLOAT32_1D,
    FLOAT32_1D,
    FLOAT32_1D,
    INT64_1D,
    INT64_1D,
    INT64_1D,
    named_tuple(tree.RootStats, FLOAT64_1D, FLOAT64_2D, FLOAT64_2D),
)
SEARCH_CONTEXT = named_tuple(
    workspace.SearchContext,
    TREE,
    INT64,
    POSITION,
    AVAILABLE_MOVES,
    INT64,
    INT64_1D,
    FLOAT64_2D,
    VALUE_TABLE,
    SEARCH_PARAMS,
    PLAYOUT_PARAMS,
)
SEARCH_WORKSPACE = named_tuple(
    workspace.SearchWorkspace,
    POSITION,
    AVAILABLE_MOVES,
    POSITION,
    PLAYOUT_STATE,
    INT64_1D,
    named_tuple(rave.PlayedMoves, UINT64_2D, INT8_2D),
    INT32_1D,
    FLOAT64_1D,
    FLOAT32_1D,
    named_tuple(workspace.SimulationOutcome, FLOAT64_1D, FLOAT64_1D, FLOAT64_1D),
    CELL_WORKSPACE,
)
ENDGAME_RESULT = named_tuple(endgame.EndgameResult, FLOAT64_2D, FLOAT64_2D, FLOAT64_2D)
ENDGAME_STACK = named_tuple(
    endgame.EndgameStack, _position(1), INT64_1D, INT64_1D, ENDGAME_RESULT, ENDGAME_RESULT, ENDGAME_RESULT
)
EXACT_COVER = named_tuple(
    exact_cover.ExactCover,
    INT16_1D,
    INT16_2D,
    INT64_1D,
    INT32_1D,
    INT64_1D,
    INT16_2D,
    INT64_1D,
    array(types.uint8),
    INT64_1D,
    INT16_1D,
    INT64_1D,
    INT64_1D,
    INT32_1D,
    *[INT64_1D] * 7,
)


ENTRY_POINTS: Final = (
    # state, seed
    EntryPoint(seed_rng, (UINT64_1D, INT64), NONE),
    # source
    EntryPoint(position.clone, (POSITION,), POSITION),
    # position, colour, move
    EntryPoint(position.place_piece, (POSITION, INT64, INT64), NONE),
    # position, colour
    EntryPoint(moves.legal_moves, (POSITION, INT64), INT32_1D),
    EntryPoint(placement_bits.new_placement_bits, (), PLACEMENT_BITS),
    # position, bits
    EntryPoint(placement_bits.init_placement_bits, (POSITION, PLACEMENT_BITS), NONE),
    EntryPoint(compact_bits.new_compact_bits, (), COMPACT_BITS),
    # compact
    EntryPoint(compact_bits.clone_mutable, (COMPACT_BITS,), COMPACT_BITS),
    # position, bits, compact
    EntryPoint(compact_bits.build_compact_bits, (POSITION, PLACEMENT_BITS, COMPACT_BITS), NONE),
    EntryPoint(distances.new_cell_workspace, (), CELL_WORKSPACE),
    # position, colour, workspace
    EntryPoint(distances.compute_distances, (POSITION, INT64, CELL_WORKSPACE), INT64),
    # position, workspace
    EntryPoint(distances.restrict_to_open_cells, (POSITION, CELL_WORKSPACE), NONE),
    # position, colour, teams, moves, weights, workspace
    EntryPoint(
        features.move_logits, (POSITION, INT64, INT64_1D, INT32_1D, FLOAT64_2D, CELL_WORKSPACE), FLOAT64_1D
    ),
    # position, colour, teams, moves, value_weights, params, workspace
    EntryPoint(
        prediction.predict_outcomes,
        (POSITION, INT64, INT64_1D, INT32_1D, VALUE_TABLE, SEARCH_PARAMS, CELL_WORKSPACE),
        named_tuple(tuple, FLOAT64_1D, FLOAT64_2D),
    ),
    EntryPoint(local_moves.new_playout_state, (), PLAYOUT_STATE),
    # tree
    EntryPoint(tree.reset_tree, (TREE,), NONE),
    # context, workspace, thread, rng, count
    EntryPoint(search.run_simulations, (SEARCH_CONTEXT, SEARCH_WORKSPACE, INT64, UINT64_1D, INT64), NONE),
    # start, turn, teams, params, max_positions, stack
    EntryPoint(
        endgame.solve_endgame, (POSITION, INT64, INT64_1D, SEARCH_PARAMS, INT64, ENDGAME_STACK), INT64
    ),
    # problem, steps, rng
    EntryPoint(exact_cover.search_steps, (EXACT_COVER, INT64, UINT64_1D), INT64),
)
"""Each with the names of its arguments."""
