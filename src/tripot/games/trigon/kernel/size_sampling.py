"""Choosing among the moves that are not local, for which only size and noise count.

The score of such a move is its size plus uniform noise. Instead of drawing noise for hundreds of moves, one
draw per size gives the maximum of the noise of all moves of that size (inverse transform sampling: the
maximum of n uniform numbers is the n-th root of one). The move itself is then drawn uniformly: it is the k-th
set bit of the bit sets, found by counting bits (rank and select).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.bits import popcount, trailing_zeros
from tripot.engine.jit import njit_inline
from tripot.engine.rng import random_below
from tripot.games.trigon.kernel.available_moves import AvailableMoves
from tripot.games.trigon.kernel.compact_bits import SIMD_WORDS, CompactBits
from tripot.games.trigon.kernel.dtypes import ONE, Uint64Array, u64
from tripot.games.trigon.kernel.placement_bits import PlacementBits, collect_legal_words, move_of_bit
from tripot.games.trigon.kernel.placement_masks import SIZE_BITS, WORD_BITS, WORDS_PER_CELL_PAIR
from tripot.games.trigon.kernel.tables import MAX_PIECE_SIZE

MAX_NOISE: Final = 1023  # noise is an integer from 0 to this

# Tables instead of a logarithm and a power, which Numba compiles as constants. Sizes are chosen, not tuned.

LOG_STEPS: Final = 256
"""Steps of a table per unit of a logarithm: neighbouring entries differ by 4 of MAX_NOISE at most."""

NEG_LOG_STEPS: Final = MAX_NOISE + 1
"""Uniform random numbers that are told apart: as many as there are values of the noise."""

NEG_LOG_TABLE: Final = (
    -LOG_STEPS * np.log((np.arange(NEG_LOG_STEPS, dtype=np.int64) + 0.5) / NEG_LOG_STEPS)
).astype(np.float32)
"""float32[NEG_LOG_STEPS]: -log(u) in units of 1 / LOG_STEPS, by the uniform random number u."""

NOISE_QUANTILE_TABLE: Final = (
    (MAX_NOISE * np.exp(-(np.arange(NEG_LOG_TABLE.max() + 1, dtype=np.float64) + 0.5) / LOG_STEPS))
    .round()
    .astype(np.int16)
)
"""int16[1953], as many as -log(u) has values: MAX_NOISE * exp(-x / LOG_STEPS), by x."""


@njit_inline
def _max_noise(count: int, rng: Uint64Array) -> int:
    """Return the maximum of `count` uniform random numbers from 0 to MAX_NOISE."""
    neg_log = NEG_LOG_TABLE[u64(random_below(rng, len(NEG_LOG_TABLE)))]
    return int(NOISE_QUANTILE_TABLE[u64(neg_log / np.float32(count))])


@njit_inline
def pick_by_size(
    available: AvailableMoves,
    colour: int,
    size_weight: int,
    noise_weight: int,
    best_score: int,
    best_move: int,
    rng: Uint64Array,
) -> int:
    """Return a move whose size and noise score more than `best_score`, else `best_move`."""
    is_compact, best_size, best_count = available.compact.word_count[0] > 0, 0, 0
    words = 0 if is_compact else collect_legal_words(available.bits, colour)
    for size in range(MAX_PIECE_SIZE, 0, -1):
        if best_score >= size_weight * size + noise_weight * MAX_NOISE:
            break
        count = (
            _count_by_size_compact(available.compact, colour, size)
            if is_compact
            else _count_by_size(available.bits, colour, words, size)
        )
        if count:
            score = size_weight * size + noise_weight * _max_noise(count, rng)
            if score > best_score:
                best_score, best_size, best_count = score, size, count
    if not best_count:
        return best_move
    rank = random_below(rng, best_count)
    return (
        _select_by_size_compact(available.compact, colour, best_size, rank)
        if is_compact
        else _select_by_size(available.bits, colour, words, best_size, rank)
    )


# --- Rank and select in placement bits ------------------------------------------------------------


@njit_inline
def _count_by_size(bits: PlacementBits, colour: int, words: int, size: int) -> int:
    """Return the number of moves of a size in the first `words` legal words."""
    count, masks, active_words = 0, SIZE_BITS[size], bits.active_words[colour]
    for index in range(words):
        slot = active_words[u64(index)] % u64(WORDS_PER_CELL_PAIR)
        count += popcount(bits.legal_words[u64(index)] & masks[slot])
    return count


@njit_inline
def _select_by_size(bits: PlacementBits, colour: int, words: int, size: int, rank: int) -> int:
    """Return the move with this rank, from 0, among those that `_count_by_size` counts."""
    masks, active_words = SIZE_BITS[size], bits.active_words[colour]
    for index in range(words):
        word = active_words[u64(index)]
        legal = bits.legal_words[u64(index)] & masks[word % u64(WORDS_PER_CELL_PAIR)]
        count = popcount(legal)
        if rank < count:
            return move_of_bit(word, _select_bit(legal, rank))
        rank -= count
    return -1


# --- Rank and select in compact bits --------------------------------------------------------------


@njit_inline
def _count_by_size_compact(compact: CompactBits, colour: int, size: int) -> int:
    """Return the number of moves of a size that a colour has."""
    start, end = compact.colour_start[colour], compact.colour_start[colour + 1]
    return _count_words_by_size(compact, compact.size_masks[u64(size)], start, end)


@njit_inline
def _select_by_size_compact(compact: CompactBits, colour: int, size: int, rank: int) -> int:
    """Return the move with this rank, from 0, among those that `_count_by_size_compact` counts.

    Blocks of SIMD_WORDS words are skipped first, then words, then bits.
    """
    masks = compact.size_masks[u64(size)]
    word, end = compact.colour_start[colour], compact.colour_start[colour + 1]
    while end - word > SIMD_WORDS:
        count = _count_words_by_size(compact, masks, word, word + SIMD_WORDS)
        if rank < count:
            break
        rank -= count
        word += SIMD_WORDS
    while True:
        legal = compact.unblocked[u64(word)] & compact.attached[u64(word)] & masks[u64(word)]
        count = popcount(legal)
        if rank < count:
            return int(compact.move[u64(word * WORD_BITS + _select_bit(legal, rank))])
        rank -= count
        word += 1


@njit_inline
def _count_words_by_size(compact: CompactBits, masks: Uint64Array, start: int, end: int) -> int:
    """Return the number of legal moves that the masks select in some words."""
    count, unblocked, attached = 0, compact.unblocked, compact.attached
    for word in range(start, end):
        count += popcount(unblocked[u64(word)] & attached[u64(word)] & masks[u64(word)])
    return count


@njit_inline
def _select_bit(word: np.uint64, rank: int) -> int:
    """Return the index of the set bit with this rank, from 0."""
    for _ in range(rank):
        word &= word - ONE
    return trailing_zeros(word)
