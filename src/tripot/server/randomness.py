"""Where the server's random numbers come from: unpredictable by default, reproducible with a seed.

A seeded server is for tests and demonstrations. Two servers with the same seed deal the same chance
outcomes and their bots choose the same moves, if they are limited by simulations instead of seconds.
Everybody who knows the seed can predict the dice, so a server for real players must not have one.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from random import Random

from tripot import fairness


@dataclass(frozen=True, slots=True)
class Randomness:
    """The source of all random numbers of one server. An empty seed means the operating system's."""

    seed: str = ""

    def game_seed(self, game_key: str, number: int) -> str:
        """The seed of a new game's chance outcomes, 64 hex digits.

        `number` counts the games that its creator opened before. So the games of one user are the same
        whatever other users do meanwhile.

        >>> Randomness("x").game_seed("tally", 0) == Randomness("x").game_seed("tally", 0)
        True
        >>> Randomness().game_seed("tally", 0) == Randomness().game_seed("tally", 0)
        False
        """
        if not self.seed:
            return fairness.new_seed()
        return sha256(f"{self.seed} {game_key} {number}".encode()).hexdigest()

    def engine_rng(self, game_seed: str, seq: int) -> Random:
        """The random numbers of an engine that searches after event `seq` of a game.

        >>> Randomness("x").engine_rng("00", 1).random() == Randomness("x").engine_rng("00", 1).random()
        True
        """
        return Random(f"{self.seed} {game_seed} {seq}") if self.seed else Random()
