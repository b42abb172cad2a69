"""The random number generator of the kernels: xorshift64, whose state is an array of one word.

Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003; shifts 13, 7, 17.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import i64, njit_no_nrt

WARM_UP_STEPS: Final = 16  # small seeds differ in few bits; these steps spread them over the word


def new_rng(seed: int) -> NDArray[np.uint64]:
    """Return the state of a generator: uint64[1], never 0."""
    state = np.empty(1, np.uint64)
    seed_rng(state, seed)
    return state


@njit_no_nrt
def seed_rng(state: NDArray[np.uint64], seed: int) -> None:
    """Restart a generator with a seed from 0 to 2^63 - 1."""
    state[0] = np.uint64(seed) << np.uint64(1) | np.uint64(1)
    for _ in range(WARM_UP_STEPS):
        random_below(state, i64(2))


@njit_no_nrt
def random_below(state: NDArray[np.uint64], below: int) -> int:
    """Return a random integer from 0 to `below - 1`, for `below` up to 2^32.

    The result is the high half of a product (Lemire 2019), which is faster than a remainder.
    """
    x = state[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    state[0] = x
    return int(np.int64((x >> np.uint64(32)) * np.uint64(below) >> np.uint64(32)))  # signed when compiled
