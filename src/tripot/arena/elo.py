"""What a match between two engines tells: the score, how sure it is, and the difference in Elo.

A match is played in pairs: both games of a pair get the same chance, and the sides are exchanged, so
that a lucky layout helps both. The two games of a pair therefore depend on each other, and the
interval is worked out over pairs, not over games: what layouts decide cancels out and the interval
is the narrower for it.

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

from tripot.game import Outcome, Seat

WIN, DRAW, LOSS = 1.0, 0.5, 0.0


def game_points(outcome: Outcome, seats: tuple[Seat, ...]) -> float:
    """What a game is worth to the one who plays those seats: 1, 1/2 or 0.

    It is a win when only those seats win; a win shared with others is a draw, as is a win of nobody.
    """
    own = {seat in seats for seat in outcome.winners}
    return DRAW if len(own) != 1 else WIN if own == {True} else LOSS


def elo(rate: float) -> float:
    """The difference in Elo at which one expects this part of the points; infinite at 0 and 1.

    >>> round(elo(0.75))
    191
    """
    if not 0 < rate < 1:
        return inf if rate >= 1 else -inf
    return 400 * log10(rate / (1 - rate))


def elo_text(difference: float) -> str:
    """A difference in Elo, rounded, always with its sign.

    >>> elo_text(190.8), elo_text(-0.2), elo_text(-inf)
    ('+191', '+0', '-∞')
    """
    return f"{'-' if difference < 0 else '+'}∞" if isinf(difference) else f"{round(difference):+d}"


@dataclass(frozen=True, slots=True)
class MatchScore:
    """The points of one side in each game of a match, in order: two games a pair.

    A match that was stopped may end with half a pair, which counts as a pair.
    """

    game_points: tuple[float, ...]

    @property
    def wins(self) -> int:
        """How many games were won."""
        return self.game_points.count(WIN)

    @property
    def draws(self) -> int:
        """How many games were drawn."""
        return self.game_points.count(DRAW)

    @property
    def losses(self) -> int:
        """How many games were lost."""
        return self.game_points.count(LOSS)

    @property
    def rate(self) -> float:
        """The part of all points that was won, 0.0 to 1.0; one half before the first game."""
        return fmean(self.game_points) if self.game_points else DRAW

    @property
    def _pairs(self) -> list[float]:
        """The points a game in each pair, a pair won and a pair lost added."""
        pairs = (fmean(self.game_points[at : at + 2]) for at in range(0, len(self.game_points), 2))
        return [*pairs, WIN, LOSS]

    @property
    def smoothed_rate(self) -> float:
        """The rate if one more pair had been won and one more lost, which is never 0 or 1."""
        return fmean(self._pairs)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Between which rates the true strength lies, with that confidence.

        A pair won and a pair lost are added before the variance is taken, as Agresti and Coull do
        for shares. So the interval has a width even when all games end alike, where the plain
        formula claims certainty; the price is one slightly too wide for a short match.
        """
        pairs, middle = self._pairs, self.smoothed_rate
        reach = NormalDist().inv_cdf(0.5 + confidence / 2) * sqrt(pvariance(pairs, middle) / len(pairs))
        return max(0.0, middle - reach), min(1.0, middle + reach)

    @property
    def elo(self) -> float:
        """The difference in Elo that the score stands for."""
        return elo(self.rate)

    def elo_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Between which differences in Elo the true one lies, with that confidence."""
        low, high = self.interval(confidence)
        return elo(low), elo(high)
