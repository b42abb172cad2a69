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
    """A draw that does not follow from the seed."""


def new_seed() -> str:
    """A seed that nobody can guess."""
    return secrets.token_hex(SEED_BYTES)


def commitment(seed: str) -> str:
    """What may be shown of a seed before the end."""
    return sha256(bytes.fromhex(seed)).hexdigest()


def chance_rng(seed: str, place: int) -> Rng:
    """Where the draw at a place of the game comes from; the first action is at place 0."""
    return Random(hmac.digest(bytes.fromhex(seed), f"chance {place}".encode(), "sha256"))


def verify_chance(record: Record) -> int:
    """Draw everything in a record again from its seed; returns how many draws there were."""
    draws = 0
    for place, (state, action) in enumerate(zip(record.states(), record.actions, strict=False)):
        if state.to_act is CHANCE:
            draws += 1
            if state.sample_chance(chance_rng(record.seed, place)) != action:
                raise ChanceMismatchError(f"action {place + 1}, {action}, does not follow from the seed")
    return draws
