"""How far the levels of an engine are apart: each plays a match against the next below.

The steps are measured in matches of their own, so what is unsure of them adds up in squares: the higher a
level, the less sure is how far it is above the lowest.

    >>> first = LadderStep(1, 2, MatchScore((1, 0.5, 1, 0) * 10))
    >>> second = LadderStep(2, 3, MatchScore((1, 1, 1, 0) * 10))
    >>> print(markdown_table([first, second]))
    | levels | games | won, drawn, lost | score | Elo | Elo over level 1 |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | 2 - 1 | 40 | 20, 10, 10 | 62.5% (53.2% to 69.5%) | +89 (+22 to +143) | +89 (+22 to +143) |
    | 3 - 2 | 40 | 30, 0, 10 | 75.0% (60.6% to 84.9%) | +191 (+75 to +300) | +280 (+146 to +401) |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, isfinite

from tripot.arena.elo import MatchScore, elo, elo_text

APPROXIMATE_SIGN = "~"  # before a number that stands for an infinite one


@dataclass(frozen=True, slots=True)
class LadderStep:
    """From a level to the next above it: the score of the upper one in a match between them."""

    lower: int
    upper: int
    score: MatchScore

    @property
    def is_one_sided(self) -> bool:
        """Whether all games were won, or all lost: then the difference in Elo is infinite."""
        return not isfinite(self.score.elo)

    @property
    def elo_difference(self) -> float:
        """The difference in Elo; of a clean sheet, what it were with one more pair won and one more lost."""
        return elo(self.score.smoothed_rate) if self.is_one_sided else self.score.elo

    def __str__(self) -> str:
        return APPROXIMATE_SIGN * self.is_one_sided + elo_text(self.elo_difference)


@dataclass(frozen=True, slots=True)
class LevelRating:
    """A level, with its Elo over the lowest and between which numbers that lies, with 95% confidence.

    is_approximate  whether a clean sheet is among the steps that lead to it
    """

    level: int
    elo: float = 0.0
    low: float = 0.0
    high: float = 0.0
    is_approximate: bool = False

    def __str__(self) -> str:
        return APPROXIMATE_SIGN * self.is_approximate + elo_text(self.elo)


def cumulative_ratings(steps: Sequence[LadderStep]) -> list[LevelRating]:
    """The levels from the lowest up, each as far above it as the steps between come to."""
    rungs = [LevelRating(steps[0].lower)]
    for step in steps:
        below, (low, high) = rungs[-1], step.score.elo_interval()
        up, about = below.elo + step.elo_difference, below.is_approximate or step.is_one_sided
        under = hypot(below.elo - below.low, step.elo_difference - low)
        over = hypot(below.high - below.elo, high - step.elo_difference)
        rungs.append(LevelRating(step.upper, up, up - under, up + over, about))
    return rungs


def markdown_table(steps: Sequence[LadderStep]) -> str:
    """All steps, from the lowest, as a table in Markdown."""
    rows = [
        f"| levels | games | won, drawn, lost | score | Elo | Elo over level {steps[0].lower} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for step, rung in zip(steps, cumulative_ratings(steps)[1:], strict=True):
        score = step.score
        results = f"{score.wins}, {score.draws}, {score.losses}"
        low, high = score.interval()
        rate = f"{score.rate:.1%} ({low:.1%} to {high:.1%})"
        cells = [f"{step.upper} - {step.lower}", str(len(score.game_points)), results, rate]
        cells += [
            _between(elo_text(score.elo), *score.elo_interval()),
            _between(str(rung), rung.low, rung.high),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _between(text: str, low: float, high: float) -> str:
    return f"{text} ({elo_text(low)} to {elo_text(high)})"
