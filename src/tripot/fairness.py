"""Provably fair chance. All chance outcomes derive from one seed whose hash is published before the game.

The dealer chooses a seed and publishes its `commitment`, a hash, before the first action. Each chance outcome
has its own generator (`chance_rng`), which depends on the seed and on the index of the action only. After the
game the seed is published, and `verify_chance` repeats every draw.

    >>> seed = "00" * 32
    >>> commitment(seed)[:16]
    '66687aadf862bd77'
    >>> chance_rng(seed, 0).random() == chance_rng(seed, 0).random() != chance_rng(seed, 1).random()
    True

It proves that draws were not changed after the commitment. It cannot prove that the dealer did not look.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from random import Random
from typing import Final

from tripot.game import CHANCE, Rng, TripotError
from tripot.record import Record

SEED_BYTES: Final = 32


class ChanceMismatchError(TripotError):
    """A chance outcome that does not follow from the seed."""


def new_seed() -> str:
    """Return a new unpredictable seed: 64 hexadecimal digits."""
    return secrets.token_hex(SEED_BYTES)


def commitment(seed: str) -> str:
    """The SHA-256 hash of a seed, which may be published before the game."""
    return sha256(bytes.fromhex(seed)).hexdigest()


def chance_rng(seed: str, action_index: int) -> Rng:
    """The random number generator of one chance outcome; the first action of a game has index 0."""
    return Random(hmac.digest(bytes.fromhex(seed), f"chance {action_index}".encode(), "sha256"))


def verify_chance(record: Record) -> int:
    """Repeat every chance outcome of a record from its seed, and return how many there were.

    Raises `ChanceMismatchError` for the first one that differs.
    """
    outcomes = 0
    for index, (state, action) in enumerate(zip(record.states(), record.actions, strict=False)):
        if state.to_act is CHANCE:
            outcomes += 1
            if state.sample_chance(chance_rng(record.seed, index)) != action:
                raise ChanceMismatchError(f"action {index + 1}, {action}, does not follow from the seed")
    return outcomes
