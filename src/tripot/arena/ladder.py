"""How far the levels of an engine are apart: each plays a match against the next below.

The steps are measured in matches of their own, so what is unsure of them adds up in squares: the higher a
level, the less sure is how far it is above the lowest.

    >>> steps = [Step(1, 2, Score((1, 0.5, 1, 0) * 10)), Step(2, 3, Score((1, 1, 1, 0) * 10))]
    >>> print(table(steps))
    | levels | games | won, drawn, lost | score | Elo | Elo over level 1 |
    | --- | ---: | ---: | ---: | ---: | ---: |
    | 2 - 1 | 40 | 20, 10, 10 | 62.5% (53.2% to 69.5%) | +89 (+22 to +143) | +89 (+22 to +143) |
    | 3 - 2 | 40 | 30, 0, 10 | 75.0% (60.6% to 84.9%) | +191 (+75 to +300) | +280 (+146 to +401) |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot, isfinite

from tripot.arena.elo import Score, elo, elo_text

ABOUT = "~"  # before a number that stands for an infinite one


@dataclass(frozen=True, slots=True)
class Step:
    """From a level to the next above it: the score of the upper one in a match between them."""

    lower: int
    upper: int
    score: Score

    @property
    def clean(self) -> bool:
        """Whether all games were won, or all lost: then the difference in Elo is infinite."""
        return not isfinite(self.score.elo)

    @property
    def height(self) -> float:
        """The difference in Elo; of a clean sheet, what it were with one more pair won and one more lost."""
        return elo(self.score.cautious) if self.clean else self.score.elo

    def __str__(self) -> str:
        return ABOUT * self.clean + elo_text(self.height)


@dataclass(frozen=True, slots=True)
class Rung:
    """A level, with its Elo over the lowest and between which numbers that lies, with 95% confidence.

    about  whether a clean sheet is among the steps that lead to it
    """

    level: int
    elo: float = 0.0
    low: float = 0.0
    high: float = 0.0
    about: bool = False

    def __str__(self) -> str:
        return ABOUT * self.about + elo_text(self.elo)


def climb(steps: Sequence[Step]) -> list[Rung]:
    """The levels from the lowest up, each as far above it as the steps between come to."""
    rungs = [Rung(steps[0].lower)]
    for step in steps:
        below, (low, high) = rungs[-1], step.score.elo_interval()
        up, about = below.elo + step.height, below.about or step.clean
        under = hypot(below.elo - below.low, step.height - low)
        over = hypot(below.high - below.elo, high - step.height)
        rungs.append(Rung(step.upper, up, up - under, up + over, about))
    return rungs


def table(steps: Sequence[Step]) -> str:
    """All steps, from the lowest, as a table in Markdown."""
    rows = [
        f"| levels | games | won, drawn, lost | score | Elo | Elo over level {steps[0].lower} |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for step, rung in zip(steps, climb(steps)[1:], strict=True):
        score = step.score
        results = f"{score.wins}, {score.draws}, {score.losses}"
        low, high = score.interval()
        rate = f"{score.rate:.1%} ({low:.1%} to {high:.1%})"
        cells = [f"{step.upper} - {step.lower}", str(len(score.points)), results, rate]
        cells += [
            _between(elo_text(score.elo), *score.elo_interval()),
            _between(str(rung), rung.low, rung.high),
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


def _between(text: str, low: float, high: float) -> str:
    return f"{text} ({elo_text(low)} to {elo_text(high)})"
