"""RAVE: a move that was played later in a simulation also counts for the same move played now.

Rapid action value estimation (Gelly and Silver 2011). The weight of an occurrence falls linearly with its
distance: 1 for a move that was played at once, almost 0 for the last move of the simulation.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tripot.engine.jit import njit_inline
from tripot.games.trigon.kernel.dtypes import ONE, Int8Array, Uint64Array, u64
from tripot.games.trigon.kernel.history import History
from tripot.games.trigon.kernel.placement_masks import WORD_BITS
from tripot.games.trigon.kernel.tables import SHAPE_SHIFT
from tripot.games.trigon.kernel.tree import Tree

BLOOM_WORDS: Final = 64
"""Words of the filter of a colour, a power of 2, which Numba compiles as a constant. A colour plays at most
22 moves, so a filter of 4096 bits lets one of 190 other moves pass. Chosen, not tuned."""

BLOOM_BITS: Final = BLOOM_WORDS * WORD_BITS


class PlayedMoves(NamedTuple):
    """The moves of one simulation, by colour, as a Bloom filter with one hash function.

    Most of a node's hundreds of children were not played. The filter rejects them with one bit test.

    bloom       uint64[4, BLOOM_WORDS]
    last_index  int8[4, BLOOM_BITS], for a set bit: index in the history of the last move with that bit
    """

    bloom: Uint64Array
    last_index: Int8Array


@njit_inline
def _bloom_bit(move: int) -> int:
    """Return the bit of a move in the filter, 0 to BLOOM_BITS - 1."""
    return (move ^ move >> SHAPE_SHIFT) & (BLOOM_BITS - 1)


@njit_inline
def collect_played_moves(history: History, played: PlayedMoves) -> None:
    """Fill the filter with the moves of the current simulation."""
    for colour in range(4):
        for word in range(BLOOM_WORDS):
            played.bloom[colour, word] = 0
    for index in range(history.root_length[0], history.length[0]):
        mover, bit = history.colours[index], u64(_bloom_bit(history.moves[index]))
        played.bloom[mover, bit >> u64(6)] |= ONE << (bit & u64(WORD_BITS - 1))
        played.last_index[mover, bit] = index


@njit_inline
def update_rave(
    tree: Tree, node: int, depth: int, history: History, played: PlayedMoves, reward: float
) -> None:
    """Update the RAVE statistics of a node's children. `reward` is that of the colour to move.

    `depth` is the number of moves between the root and the node.
    """
    mover = tree.to_move[node]
    bloom = played.bloom[mover]
    depth += history.root_length[0]
    slope = 1.0 / (history.length[0] - depth + 1)
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        move = tree.move[u64(child)]
        bit = u64(_bloom_bit(move))
        if bloom[bit >> u64(6)] >> (bit & u64(WORD_BITS - 1)) & ONE:
            index = played.last_index[mover, bit]
            if depth <= index and history.moves[index] == move:
                weight = 1.0 - (index - depth) * slope
                tree.rave_visits[child] += weight
                tree.rave_value_sum[child] += weight * reward
