"""The score of a match, the Elo difference that it implies, and confidence intervals for both.

A match is played in pairs of games: both games of a pair have the same chance outcomes, and the contestants
exchange seats, so that a lucky layout helps both. The two games of a pair are therefore not independent. The
intervals are computed over pairs, which are independent; they are narrower than intervals over games where
the layout decides much.

    >>> score = MatchScore((1, 0.5, 1, 0, 1, 1))
    >>> score.wins, score.draws, score.losses
    (4, 1, 1)
    >>> f"{score.rate:.0%}"
    '75%'
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isinf, log10, sqrt
from statistics import NormalDist, fmean, pvariance
from typing import Final

from tripot.game import Outcome, Seat

WIN: Final = 1.0
DRAW: Final = 0.5
LOSS: Final = 0.0


def game_points(outcome: Outcome, seats: tuple[Seat, ...]) -> float:
    """Return the game points of the contestant who plays those seats: 1, 1/2 or 0.

    It is a win if only those seats win. A win shared with other seats is a draw, and so is a game without a
    winner.
    """
    is_own_win = {seat in seats for seat in outcome.winners}
    return DRAW if len(is_own_win) != 1 else WIN if is_own_win == {True} else LOSS


def elo(rate: float) -> float:
    """Return the Elo difference at which a score rate is expected; infinite for 0 and 1.

    >>> round(elo(0.75))
    191
    """
    if not 0 < rate < 1:
        return inf if rate >= 1 else -inf
    return 400 * log10(rate / (1 - rate))


def expected_rate(difference: float) -> float:
    """Return the score rate that is expected at an Elo difference: the inverse of `elo`.

    >>> expected_rate(0)
    0.5
    """
    return float(1 / (1 + 10 ** (-difference / 400)))


def elo_text(difference: float) -> str:
    """Return an Elo difference, rounded, always with its sign.

    >>> elo_text(190.8), elo_text(-0.2), elo_text(-inf)
    ('+191', '+0', '-∞')
    """
    return f"{'-' if difference < 0 else '+'}∞" if isinf(difference) else f"{round(difference):+d}"


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The game points of contestant A in each game of a match; two consecutive games are a pair.

    The last `single_count` games belong to pairs that are not complete, as in a match that was interrupted;
    by default it is the last one of an odd number. For the intervals each of them counts as a pair.
    """

    game_points: tuple[float, ...]
    single_count: int | None = None

    @property
    def wins(self) -> int:
        """The number of games won."""
        return self.game_points.count(WIN)

    @property
    def draws(self) -> int:
        """The number of games drawn."""
        return self.game_points.count(DRAW)

    @property
    def losses(self) -> int:
        """The number of games lost."""
        return self.game_points.count(LOSS)

    @property
    def rate(self) -> float:
        """The score rate: game points per game, 0.0 to 1.0; 0.5 before the first game."""
        return fmean(self.game_points) if self.game_points else DRAW

    @property
    def pair_counts(self) -> tuple[int, int, int, int, int]:
        """The number of complete pairs with 0, 1/2, 1, 3/2 and 2 game points (pentanomial counts).

        >>> MatchScore((1, 0.5, 1, 0, 1, 1, 0)).pair_counts
        (0, 0, 1, 1, 1)
        """
        doubled = [round(2 * sum(pair)) for pair in self._pairs if len(pair) == 2]
        zero, half, one, three_halves, two = (doubled.count(count) for count in range(5))
        return zero, half, one, three_halves, two

    @property
    def _pairs(self) -> list[tuple[float, ...]]:
        """The game points of each pair; those of a pair that is not complete are one number."""
        points = self.game_points
        single_count = len(points) % 2 if self.single_count is None else self.single_count
        paired = len(points) - single_count
        return [points[start : start + 2] for start in range(0, paired, 2)] + [
            (single,) for single in points[paired:]
        ]

    @property
    def _smoothed_pairs(self) -> list[float]:
        """The game points per game in each pair, and one pair won and one pair lost in addition."""
        return [*map(fmean, self._pairs), WIN, LOSS]

    @property
    def smoothed_rate(self) -> float:
        """The score rate with one more pair won and one more pair lost, which is never 0 or 1."""
        return fmean(self._smoothed_pairs)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the true score rate.

        One pair won and one pair lost are added before the variance is taken, as Agresti and Coull (1998) do
        for proportions. So the interval has a width even if all results are equal, where the plain formula
        claims certainty. The price is an interval that is slightly too wide for a short match.
        """
        pairs, centre = self._smoothed_pairs, self.smoothed_rate
        quantile = NormalDist().inv_cdf(0.5 + confidence / 2)
        half_width = quantile * sqrt(pvariance(pairs, centre) / len(pairs))
        return max(0.0, centre - half_width), min(1.0, centre + half_width)

    @property
    def elo(self) -> float:
        """The Elo difference that the score rate implies; infinite if all games were won or all lost."""
        return elo(self.rate)

    def elo_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the true Elo difference."""
        low, high = self.interval(confidence)
        return elo(low), elo(high)

    def __str__(self) -> str:
        """Return the score in one line.

        >>> str(MatchScore((1, 0.5) * 20))
        '40 games: 20 won, 20 drawn, 0 lost, score 75.0%, Elo +191 (+113 to +238)'
        """
        low, high = self.elo_interval()
        return (
            f"{len(self.game_points)} games: {self.wins} won, {self.draws} drawn, {self.losses} lost, "
            f"score {self.rate:.1%}, Elo {elo_text(self.elo)} ({elo_text(low)} to {elo_text(high)})"
        )
