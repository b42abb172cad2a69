"""The arguments of the search: what it is about, and the buffers of each thread."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.games.trigon.kernel.available_moves import AvailableMoves, clone_for_playing
from tripot.games.trigon.kernel.distances import CellWorkspace, new_cell_workspace
from tripot.games.trigon.kernel.dtypes import Float32Array, Float64Array, Int32Array, Int64Array
from tripot.games.trigon.kernel.local_moves import PlayoutState, new_playout_state
from tripot.games.trigon.kernel.params import PlayoutParams, SearchParams
from tripot.games.trigon.kernel.position import Position, clone
from tripot.games.trigon.kernel.rave import BLOOM_BITS, BLOOM_WORDS, PlayedMoves
from tripot.games.trigon.kernel.tables import MAX_MOVES
from tripot.games.trigon.kernel.tree import Tree
from tripot.games.trigon.kernel.value import ValueTable

MAX_DEPTH: Final = 96  # moves from the root; a game has at most 88


class SearchContext(NamedTuple):
    """What a search is about; the threads share it, and only the tree changes.

    tree             the search tree
    root             its node for the root position
    root_position    the position
    root_moves       its available moves
    turn             the colour to move in it
    teams            int64[4], the team of each colour
    policy_weights   float64[STAGE_COUNT, FEATURE_COUNT] (`features`)
    value_weights    float32[PHASE_COUNT, WEIGHT_COUNT] (`value`)
    params           parameters of the search
    playout_params   parameters of the playout policy
    """

    tree: Tree
    root: int
    root_position: Position
    root_moves: AvailableMoves
    turn: int
    teams: Int64Array
    policy_weights: Float64Array
    value_weights: ValueTable
    params: SearchParams
    playout_params: PlayoutParams


class SimulationOutcome(NamedTuple):
    """The result of one simulation, by colour; all float64[4]. `scores` may be predicted."""

    scores: Float64Array
    rewards: Float64Array
    win_shares: Float64Array


class SearchWorkspace(NamedTuple):
    """Buffers of one thread.

    position        the position of the simulation
    available       its available moves
    child_position  the position after one more move, for evaluating root moves
    playout_state   history, reply table and buffers of playouts
    path            int64[MAX_DEPTH + 2], the nodes of the simulation, from the root
    played          the moves of the simulation, for RAVE
    moves           int32[MAX_MOVES], the moves of a node that is expanded
    logits          float64[MAX_MOVES], their logits
    child_scores    float32[MAX_MOVES], PUCT scores of the children of a node
    outcome         the result of the simulation
    cell_workspace  buffers of features and value
    """

    position: Position
    available: AvailableMoves
    child_position: Position
    playout_state: PlayoutState
    path: Int64Array
    played: PlayedMoves
    moves: Int32Array
    logits: Float64Array
    child_scores: Float32Array
    outcome: SimulationOutcome
    cell_workspace: CellWorkspace


def new_workspace(position: Position, root_moves: AvailableMoves) -> SearchWorkspace:
    """Return the buffers of one thread; the numbering of `root_moves` is shared."""
    return SearchWorkspace(
        position=clone(position),
        available=clone_for_playing(root_moves),
        child_position=clone(position),
        playout_state=new_playout_state(),
        path=np.zeros(MAX_DEPTH + 2, np.int64),
        played=PlayedMoves(np.zeros((4, BLOOM_WORDS), np.uint64), np.zeros((4, BLOOM_BITS), np.int8)),
        moves=np.zeros(MAX_MOVES, np.int32),
        logits=np.zeros(MAX_MOVES, np.float64),
        child_scores=np.zeros(MAX_MOVES, np.float32),
        outcome=SimulationOutcome(np.zeros(4, np.float64), np.zeros(4, np.float64), np.zeros(4, np.float64)),
        cell_workspace=new_cell_workspace(),
    )
