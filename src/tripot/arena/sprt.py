"""The sequential probability ratio test (SPRT; Wald 1945): stop a match as soon as it is decided.

The test compares two hypotheses about the Elo difference of A over B: H0, it is `elo0`, and H1, it is `elo1`.
After each pair of games the log-likelihood ratio (LLR) of the results is compared with two bounds. Below the
lower bound H0 is accepted, above the upper bound H1. The bounds follow from the two error probabilities.

The unit is the pair of games, with five possible results (pentanomial), not the single game with three. The
two games of a pair have the same chance outcomes and exchanged seats, so their results depend on each other,
and the likelihood of single games would use a wrong variance. Pairs are independent, as the test requires.

The likelihood of "the expected score is s" depends on the unknown distribution of the five results. As in
fishtest, it is replaced by its maximum over all distributions with that mean (generalised SPRT; Van den
Bergh, https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf). The Elo model is the logistic one.

    >>> test = Sprt(elo0=0, elo1=20)
    >>> test.status(MatchScore((1, 0.5, 1, 0) * 100)).decision
    'H1'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, log
from typing import Final, Literal

from tripot.arena.elo import MatchScore, expected_rate
from tripot.game import TripotError

PAIR_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Game points per game of a pair: the five results that `MatchScore.pair_counts` counts."""

ZERO_COUNT: Final = 1e-3
"""Replaces a count of 0, as in fishtest, so that every expected score between 0 and 1 is possible."""

BISECTIONS: Final = 60
"""Halvings of the interval that contains a root: as many as the precision of a float allows."""


class SprtError(TripotError):
    """The hypotheses or the error probabilities of a test are invalid."""


@dataclass(frozen=True, slots=True)
class SprtStatus:
    """The state of a test: the log-likelihood ratio, its bounds, and the accepted hypothesis or None."""

    llr: float
    lower: float
    upper: float

    @property
    def decision(self) -> Literal["H0", "H1"] | None:
        """The hypothesis that is accepted; None while the test has to go on."""
        return "H0" if self.llr <= self.lower else "H1" if self.llr >= self.upper else None

    def __str__(self) -> str:
        """Return the ratio with its bounds: `LLR +1.25 (-2.94 to +2.94)`."""
        return f"LLR {self.llr:+.2f} ({self.lower:+.2f} to {self.upper:+.2f})"


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test of two hypotheses about an Elo difference.

    elo0   the difference under H0
    elo1   the difference under H1, greater than `elo0`
    alpha  the probability of accepting H1 although H0 is true
    beta   the probability of accepting H0 although H1 is true
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and self.elo0 < self.elo1):
            raise SprtError(f"invalid SPRT hypotheses {self.elo0:g} and {self.elo1:g}: expected ELO0 < ELO1")
        for name, probability in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < probability < 0.5:
                raise SprtError(f"invalid SPRT {name} {probability:g}: expected a number between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The lower and the upper bound of the log-likelihood ratio (Wald's approximation).

        >>> [round(bound, 3) for bound in Sprt(0, 5).bounds]
        [-2.944, 2.944]
        """
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def status(self, score: MatchScore) -> SprtStatus:
        """Return the state of the test after a match; half a pair at its end does not count."""
        lower, upper = self.bounds
        return SprtStatus(log_likelihood_ratio(score.pair_counts, self.elo0, self.elo1), lower, upper)


def log_likelihood_ratio(pair_counts: Sequence[int], elo0: float, elo1: float) -> float:
    """Return the generalised log-likelihood ratio of `elo1` to `elo0`.

    `pair_counts` are the numbers of pairs with each of the `PAIR_SCORES`; without any pair the ratio is 0.
    """
    if not any(pair_counts):
        return 0.0
    counts = [count or ZERO_COUNT for count in pair_counts]
    return _max_log_likelihood(counts, expected_rate(elo1)) - _max_log_likelihood(counts, expected_rate(elo0))


def _max_log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the largest log-likelihood of the counts under a distribution with that mean score.

    A constant that does not depend on the mean is left out. With observed shares q, the maximum is at
    p = q / (1 + x (score - mean)), where the Lagrange multiplier x makes the mean of p right.
    """
    deviations = [score - mean for score in PAIR_SCORES]
    multiplier = _multiplier(counts, deviations)
    return -sum(
        count * log(1 + multiplier * deviation) for count, deviation in zip(counts, deviations, strict=True)
    )


def _multiplier(counts: Sequence[float], deviations: Sequence[float]) -> float:
    """Return the root of sum(count * d / (1 + x * d)) between its two poles, where it decreases with x."""
    low, high = -1 / max(deviations), -1 / min(deviations)
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        terms = zip(counts, deviations, strict=True)
        if sum(count * deviation / (1 + middle * deviation) for count, deviation in terms) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
