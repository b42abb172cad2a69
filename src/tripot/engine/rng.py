"""Random number generators for kernels. The state of each is an array of one word, changed in place.

There are three because seeded play depends on them: a search with a given seed must choose the same move in
every version. New kernels use xorshift64.

xorshift64   Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003; shifts 13, 7, 17
xorshift32   the same paper; shifts 13, 17, 5
lcg64        linear congruential generator with Knuth's MMIX multiplier; the low 33 bits are discarded
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt

WARM_UP_STEPS: Final = 16  # small seeds differ in few bits; these steps spread them over the word
WORD32: Final = (1 << 32) - 1


@njit_cached
def new_xorshift64(seed: int) -> NDArray[np.uint64]:
    """Return the state of a xorshift64 generator: uint64[1], never 0."""
    state = np.array([seed * 2 + 1], np.uint64)
    for _ in range(WARM_UP_STEPS):
        xorshift64_below(state, 2)
    return state


@njit_no_nrt
def xorshift64_below(state: NDArray[np.uint64], below: int) -> int:
    """Return a random integer from 0 to `below - 1`, for `below` up to 2^32.

    The result is the high half of a product (Lemire 2019), which is faster than a remainder.
    """
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return int(np.int64((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32)))  # signed when compiled


@njit_cached
def new_xorshift32(seed: int) -> NDArray[np.int64]:
    """Return the state of a xorshift32 generator: int64[1] with a 32-bit value, never 0."""
    state = np.empty(1, np.int64)
    state[0] = (seed * 2654435761 + 97) & WORD32 | 1
    for _ in range(WARM_UP_STEPS):
        xorshift32_below(state, 1)
    return state


@njit_cached
def xorshift32_below(state: NDArray[np.int64], below: int) -> int:
    """Return a random integer from 0 to `below - 1`, for `below` up to 2^24."""
    x = state[0]
    x ^= (x << 13) & WORD32
    x ^= x >> 17
    x ^= (x << 5) & WORD32
    state[0] = x
    return int((x >> 8) % below)


@njit_cached
def lcg64_below(state: NDArray[np.uint64], below: int) -> int:
    """Return a random integer from 0 to `below - 1`, for `below` up to 2^31. The state is uint64[1]."""
    state[0] = state[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return int(state[0] >> np.uint64(33)) % below
