"""Simulated games within a budget: plain Python over the kernels of `kernel/playout.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import numpy as np

from tripot.engine.budget import Budget
from tripot.engine.rng import new_rng
from tripot.game import Candidate
from tripot.games.triggery.kernel import playout
from tripot.games.triggery.kernel.tables import (
    MAX_BOARD_POINTS,
    STAR_POINTS,
    Distribution,
    Int64Array,
    sum_of_values,
)

SIMULATION_SEED: Final = 1
"""The seed of every board. All turns are compared with the same dice (common random numbers)."""


class Board(NamedTuple):
    """A board as arrays: see `kernel/tables.py`. `face_up` are its open numbers and stars."""

    face_up: int
    star_cells: int
    tile_values: Int64Array

    @property
    def max_points(self) -> int:
        """TG-8: the points of all tiles that are face up."""
        stars = self.face_up & self.star_cells
        numbers = sum_of_values(self.face_up & ~self.star_cells, self.tile_values)
        return int(numbers) + STAR_POINTS * stars.bit_count()


class BoardSimulation:
    """The simulated games of one board."""

    def __init__(self, board: Board, wait_weight: float) -> None:
        self._board, self._wait_weight = board, wait_weight
        self._rng = new_rng(SIMULATION_SEED)
        self.statistics = playout.new_statistics(board.max_points)

    def run(self, games: int) -> None:
        """Play some more games."""
        self._play(self._board, games)

    def _play(self, board: Board, games: int) -> None:
        playout.simulate_games(*board, self._wait_weight, games, self._rng, self.statistics)

    @property
    def games(self) -> int:
        """How many games were played so far."""
        return int(self.statistics.throw_counts.sum())

    @property
    def distribution(self) -> Distribution:
        """The probability to clear the board with each number of throws."""
        return playout.finish_distribution(self.statistics.throw_counts)

    @property
    def expected_throws(self) -> float:
        """The mean number of throws that clear the board."""
        return float(self.distribution @ np.arange(len(self.statistics.throw_counts), dtype=np.int64))


class UnknownBoardSimulation(BoardSimulation):
    """The simulated games of a board with hidden tiles, which are sampled again for every batch of games."""

    def __init__(self, sample: Callable[[int], Board], wait_weight: float) -> None:
        """`sample` returns a board that is consistent with what is known, given the number of the batch."""
        super().__init__(sample(0), wait_weight)
        self.statistics = playout.new_statistics(MAX_BOARD_POINTS)
        self._sample, self._batches = sample, 0

    def run(self, games: int) -> None:
        self._play(self._sample(self._batches), games)
        self._batches += 1


def simulate(
    boards: Iterable[BoardSimulation],
    budget: Budget,
    batch_games: int,
    best: Callable[[], Candidate] | None = None,
) -> None:
    """Play the same number of games on every board, in batches, until the budget is spent.

    With a number of simulations, each board gets that many games. `best` returns the candidate to report.
    """
    boards = [*boards]
    for games in budget.batches(batch_games, best=best):
        for board in boards:
            board.run(games)
