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

INTS = array(types.int64)
INT8S, INT16S, INT32S = array(types.int8), array(types.int16), array(types.int32)
WORDS, WORDS_2D = array(types.uint64), array(types.uint64, 2)
FLOATS, FLOATS_2D, FLOATS_32 = array(FLOAT64), array(FLOAT64, 2), array(types.float32)
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


POSITION = _position()
PLACEMENT_BITS = named_tuple(
    placement_bits.PlacementBits, WORDS_2D, WORDS_2D, array(types.uint16, 2), INTS, WORDS_2D, WORDS
)
COMPACT_BITS = named_tuple(
    compact_bits.CompactBits,
    INTS,
    INTS,
    array(types.uint16, 2),
    array(types.uint16, 2),
    array(types.uint64, 3),
    WORDS_2D,
    WORDS_2D,
    INT32S,
    WORDS,
    WORDS,
    INT8S,
    array(types.int16, 2),
    INTS,
    INTS,
    INTS,
)
AVAILABLE_MOVES = named_tuple(AvailableMoves, PLACEMENT_BITS, COMPACT_BITS)
CELL_WORKSPACE = named_tuple(
    distances.CellWorkspace,
    INT16S,
    INTS,
    array(types.uint8, 2),
    INT16S,
    array(types.int8, 2),
    FLOATS,
    FLOATS,
    FLOATS,
    array(types.int16, 2),
    FLOATS_2D,
)
HISTORY = named_tuple(history.History, INTS, INTS, INTS, INTS)
PLAYOUT_STATE = named_tuple(local_moves.PlayoutState, HISTORY, INTS, INTS, INT32S, INT8S)
SEARCH_PARAMS = named_tuple(
    params.SearchParams, *[FLOAT64] * 4, INT64, FLOAT64, FLOAT64, INT64, INT64, FLOAT64, FLOAT64, FLOAT64
)
PLAYOUT_PARAMS = named_tuple(params.PlayoutParams, *[INT64] * 5)
TREE = named_tuple(
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
    named_tuple(tree.RootStats, FLOATS, FLOATS_2D, FLOATS_2D),
)
SEARCH_CONTEXT = named_tuple(
    workspace.SearchContext,
    TREE,
    INT64,
    POSITION,
    AVAILABLE_MOVES,
    INT64,
    INTS,
    FLOATS_2D,
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
    INTS,
    named_tuple(rave.PlayedMoves, WORDS_2D, array(types.int8, 2)),
    INT32S,
    FLOATS,
    FLOATS_32,
    named_tuple(workspace.SimulationOutcome, FLOATS, FLOATS, FLOATS),
    CELL_WORKSPACE,
)
ENDGAME_RESULT = named_tuple(endgame.EndgameResult, FLOATS_2D, FLOATS_2D, FLOATS_2D)
ENDGAME_STACK = named_tuple(
    endgame.EndgameStack, _position(1), INTS, INTS, ENDGAME_RESULT, ENDGAME_RESULT, ENDGAME_RESULT
)
EXACT_COVER = named_tuple(
    exact_cover.ExactCover,
    INT16S,
    array(types.int16, 2),
    INTS,
    INT32S,
    INTS,
    array(types.int16, 2),
    INTS,
    array(types.uint8),
    INTS,
    INT16S,
    INTS,
    INTS,
    INT32S,
    *[INTS] * 7,
)


ENTRY_POINTS: Final = (
    EntryPoint(seed_rng, (WORDS, INT64), NONE),
    EntryPoint(position.clone, (POSITION,), POSITION),
    EntryPoint(position.place_piece, (POSITION, INT64, INT64), NONE),
    EntryPoint(moves.legal_moves, (POSITION, INT64), INT32S),
    EntryPoint(placement_bits.new_placement_bits, (), PLACEMENT_BITS),
    EntryPoint(placement_bits.init_placement_bits, (POSITION, PLACEMENT_BITS), NONE),
    EntryPoint(compact_bits.new_compact_bits, (), COMPACT_BITS),
    EntryPoint(compact_bits.clone_mutable, (COMPACT_BITS,), COMPACT_BITS),
    EntryPoint(compact_bits.build_compact_bits, (POSITION, PLACEMENT_BITS, COMPACT_BITS), NONE),
    EntryPoint(distances.new_cell_workspace, (), CELL_WORKSPACE),
    EntryPoint(distances.compute_distances, (POSITION, INT64, CELL_WORKSPACE), INT64),
    EntryPoint(distances.restrict_to_open_cells, (POSITION, CELL_WORKSPACE), NONE),
    EntryPoint(features.move_logits, (POSITION, INT64, INTS, INT32S, FLOATS_2D, CELL_WORKSPACE), FLOATS),
    EntryPoint(
        prediction.predict_outcomes,
        (POSITION, INT64, INTS, INT32S, VALUE_TABLE, SEARCH_PARAMS, CELL_WORKSPACE),
        named_tuple(tuple, FLOATS, FLOATS_2D),
    ),
    EntryPoint(local_moves.new_playout_state, (), PLAYOUT_STATE),
    EntryPoint(tree.reset_tree, (TREE,), NONE),
    EntryPoint(search.run_simulations, (SEARCH_CONTEXT, SEARCH_WORKSPACE, INT64, WORDS, INT64), NONE),
    EntryPoint(endgame.solve_endgame, (POSITION, INT64, INTS, SEARCH_PARAMS, INT64, ENDGAME_STACK), INT64),
    EntryPoint(exact_cover.search_steps, (EXACT_COVER, INT64, WORDS), INT64),
)
