"""The generators of the kernels against their definitions in plain integers."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tripot.engine.rng import (
    WARM_UP_STEPS,
    lcg64_below,
    new_xorshift32,
    new_xorshift64,
    xorshift32_below,
    xorshift64_below,
)

SEEDS = (0, 1, 12345, (1 << 32) - 1)
WORD32, WORD64 = (1 << 32) - 1, (1 << 64) - 1


def xorshift(x: int, shifts: tuple[int, int, int], word: int) -> int:
    left, right, last = shifts
    x ^= (x << left) & word
    x ^= x >> right
    return x ^ (x << last) & word


@pytest.mark.parametrize("seed", SEEDS)
def test_xorshift64_follows_its_definition(seed: int) -> None:
    state, expected = new_xorshift64(seed), seed * 2 + 1
    for _ in range(WARM_UP_STEPS):
        expected = xorshift(expected, (13, 7, 17), WORD64)
    for _ in range(100):
        expected = xorshift(expected, (13, 7, 17), WORD64)
        assert xorshift64_below(state, 1000) == (expected >> 32) * 1000 >> 32
        assert state[0] == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_xorshift32_follows_its_definition(seed: int) -> None:
    state, expected = new_xorshift32(seed), (seed * 2654435761 + 97) & WORD32 | 1
    for _ in range(WARM_UP_STEPS):
        expected = xorshift(expected, (13, 17, 5), WORD32)
    for _ in range(100):
        expected = xorshift(expected, (13, 17, 5), WORD32)
        assert xorshift32_below(state, 36) == (expected >> 8) % 36
        assert state[0] == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_lcg64_follows_its_definition(seed: int) -> None:
    state, expected = np.array([seed], np.uint64), seed
    for _ in range(100):
        expected = (expected * 6364136223846793005 + 1442695040888963407) & WORD64
        assert lcg64_below(state, 77) == (expected >> 33) % 77
        assert state[0] == expected


def test_every_number_below_a_bound_comes_up_equally_often() -> None:
    draws = 6000
    streams = [
        [xorshift64_below(state, 6) for state in [new_xorshift64(1)] for _ in range(draws)],
        [xorshift32_below(state, 6) for state in [new_xorshift32(1)] for _ in range(draws)],
        [lcg64_below(state, 6) for state in [np.array([1], np.uint64)] for _ in range(draws)],
    ]
    for stream in streams:
        counts = Counter(stream)
        assert {*counts} == {*range(6)}
        assert max(abs(count - draws / 6) for count in counts.values()) < 4 * (draws / 6 * 5 / 6) ** 0.5
