"""The search tree as flat arrays. A node is an index; the children of a node are consecutive."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.kernel.dtypes import (
    Float32Array,
    Float64Array,
    Int8Array,
    Int32Array,
    Int64Array,
)
from tripot.games.trigon.kernel.tables import MAX_MOVES

UNEXPANDED: Final = -1  # value of `Tree.first_child`


class RootStats(NamedTuple):
    """How the simulations ended that started with each move of the root, in the order of its children.

    simulations  float64[MAX_MOVES], how many
    wins         float64[MAX_MOVES, 4], by colour: sum of the win shares of its team
    scores       float64[MAX_MOVES, 4], by colour: sum of its final scores in points
    """

    simulations: Float64Array
    wins: Float64Array
    scores: Float64Array


class Tree(NamedTuple):
    """Arrays over nodes, 46 bytes per node. Node 0 is the first root.

    move             int32, the move that leads to the node
    prior            float32, policy probability of the move among its siblings
    prior_value      float32, predicted reward minus that of the best sibling, at most 0
    first_child      int32, the first child, or UNEXPANDED; other threads treat it as the flag that the
                     children are complete
    child_count      int32
    to_move          int8, the colour to move after the node, or GAME_OVER
    blocked          int8, bit set of the colours that cannot move after the node
    visits           int32, simulations through the node
    value_sum        float32, sum of the rewards of the colour that made the move
    child_visits     int32, simulations that went on to a child
    child_value_sum  float32, sum of the rewards of the colour to move in them
    rave_visits      float32, RAVE statistics: weighted number of simulations through the parent in which this
                     move was played later
    rave_value_sum   float32, weighted sum of their rewards

    next_node        int64[threads], the next free node of each thread
    node_limit       int64[threads], where its part of the arrays ends
    evaluated_root   int64[1], the node whose children have prior values from the value table
    root_stats       statistics of the root's children
    """

    move: Int32Array
    prior: Float32Array
    prior_value: Float32Array
    first_child: Int32Array
    child_count: Int32Array
    to_move: Int8Array
    blocked: Int8Array
    visits: Int32Array
    value_sum: Float32Array
    child_visits: Int32Array
    child_value_sum: Float32Array
    rave_visits: Float32Array
    rave_value_sum: Float32Array
    next_node: Int64Array
    node_limit: Int64Array
    evaluated_root: Int64Array
    root_stats: RootStats


def new_tree(node_count: int, threads: int = 1) -> Tree:
    """Return an empty tree with room for some nodes, divided equally between threads."""
    tree = Tree(
        move=np.zeros(node_count, np.int32),
        prior=np.zeros(node_count, np.float32),
        prior_value=np.zeros(node_count, np.float32),
        first_child=np.zeros(node_count, np.int32),
        child_count=np.zeros(node_count, np.int32),
        to_move=np.zeros(node_count, np.int8),
        blocked=np.zeros(node_count, np.int8),
        visits=np.zeros(node_count, np.int32),
        value_sum=np.zeros(node_count, np.float32),
        child_visits=np.zeros(node_count, np.int32),
        child_value_sum=np.zeros(node_count, np.float32),
        rave_visits=np.zeros(node_count, np.float32),
        rave_value_sum=np.zeros(node_count, np.float32),
        next_node=np.zeros(threads, np.int64),
        node_limit=np.array([node_count * (thread + 1) // threads for thread in range(threads)], np.int64),
        evaluated_root=np.zeros(1, np.int64),
        root_stats=RootStats(
            simulations=np.zeros(MAX_MOVES, np.float64),
            wins=np.zeros((MAX_MOVES, 4), np.float64),
            scores=np.zeros((MAX_MOVES, 4), np.float64),
        ),
    )
    reset_tree(tree)
    return tree


@njit_no_nrt
def reset_tree(tree: Tree) -> None:
    """Remove all nodes except node 0, which becomes an unexpanded root."""
    for thread in range(len(tree.next_node)):
        tree.next_node[thread] = tree.node_limit[thread - 1] if thread else 1
    tree.first_child[0], tree.child_count[0], tree.child_value_sum[0] = UNEXPANDED, 0, 0.0
    tree.visits[0] = tree.child_visits[0] = 0
    tree.evaluated_root[0] = UNEXPANDED


def reset_root_stats(tree: Tree) -> None:
    """Clear the statistics of the root's children, for a new root."""
    for sums in tree.root_stats:
        sums[:] = 0.0
