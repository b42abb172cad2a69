"""The random number generator of the kernels against its definition in plain integers."""

from __future__ import annotations

from collections import Counter

import pytest

from tripot.engine.rng import WARM_UP_STEPS, new_rng, random_below, seed_rng

WORD = (1 << 64) - 1


def next_word(x: int) -> int:
    x ^= (x << 13) & WORD
    x ^= x >> 7
    return x ^ (x << 17) & WORD


@pytest.mark.parametrize("seed", [0, 1, 12345, (1 << 32) - 1, (1 << 63) - 1])
def test_the_generator_follows_its_definition(seed: int) -> None:
    state, expected = new_rng(seed), seed * 2 + 1
    for _ in range(WARM_UP_STEPS):
        expected = next_word(expected)
    for _ in range(100):
        expected = next_word(expected)
        assert random_below(state, 1000) == (expected >> 32) * 1000 >> 32
        assert state[0] == expected


def test_a_seed_restarts_the_generator() -> None:
    state = new_rng(5)
    first = [random_below(state, 1000) for _ in range(10)]
    seed_rng(state, 5)
    assert [random_below(state, 1000) for _ in range(10)] == first


def test_every_number_below_a_bound_comes_up_equally_often() -> None:
    draws, state = 6000, new_rng(1)
    counts = Counter(random_below(state, 6) for _ in range(draws))
    assert {*counts} == {*range(6)}
    assert max(abs(count - draws / 6) for count in counts.values()) < 4 * (draws / 6 * 5 / 6) ** 0.5
