"""A ladder as an SVG plot: the Elo of each level over the lowest one, with error bars, and the steps.

The SVG has its own colours for light and dark surroundings, and a text description for screen readers. An
error bar that ends in an arrow is unbounded on that side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, isfinite, log10

from tripot.arena.elo import elo_text
from tripot.arena.ladder import APPROXIMATE_SIGN, LadderStep, LevelRating, cumulative_ratings

# All lengths are in pixels.
LEFT, RIGHT, TOP, BOTTOM = 76, 64, 76, 92  # margins around the plot area
WIDTH, HEIGHT = 400, 280  # smallest plot area; it is wider for many levels
BASE = TOP + HEIGHT  # y of the lower edge of the plot area
LEVEL_SPACING = 78  # smallest distance between two levels
ARROW = 22  # length of an error bar without an end
CAP_HALF_WIDTH = 5  # half the width of the line at the end of an error bar
TICKS = 5  # approximate minimum number of horizontal lines

STYLE = """
svg { --panel: #fffdf8; --ink: #221d16; --soft: #6d6454; --line: #ded3bf; --accent: #8a5f12 }
@media (prefers-color-scheme: dark) {
  svg { --panel: #1b211e; --ink: #efe8da; --soft: #a39a88; --line: #3a4540; --accent: #d9a441 }
}
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--ink) }
.panel { fill: var(--panel) }
.name { font-size: 16px; font-weight: 600 }
.soft { fill: var(--soft) }
.line { stroke: var(--line) }
.zero { stroke: var(--soft) }
.curve { stroke: var(--accent); stroke-width: 2; fill: none }
.bar { stroke: var(--ink); stroke-width: 1.5; fill: none }
.dot { fill: var(--accent); stroke: var(--panel); stroke-width: 2 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.over { paint-order: stroke; stroke: var(--panel); stroke-width: 5 }
"""


def svg(steps: Sequence[LadderStep], title: str) -> str:
    """Return the plot of a ladder as SVG."""
    return "\n".join([*_svg_elements(steps, title), ""])


def text_description(steps: Sequence[LadderStep]) -> str:
    """Return the contents of the plot as sentences."""
    sentences = []
    for step, rating in zip(steps, cumulative_ratings(steps)[1:], strict=True):
        score, lowest = step.score, steps[0].lower
        low, high = (elo_text(bound) for bound in score.elo_interval())
        sentences.append(
            f"Level {step.upper} scores {score.rate:.0%} in {len(score.game_points)} games against level "
            f"{step.lower}: Elo {step} (95% interval {low} to {high}); {rating} over level {lowest}."
        )
    return " ".join(sentences).replace(APPROXIMATE_SIGN, "about ")


def _svg_elements(steps: Sequence[LadderStep], title: str) -> Iterator[str]:
    ratings = cumulative_ratings(steps)
    area = _PlotArea(ratings)
    yield from _frame(area, title, text_description(steps), ratings[0].level)
    yield from _levels(area, ratings)
    yield from _steps(area, steps)
    yield "</svg>"


def _frame(area: _PlotArea, title: str, description: str, lowest: int) -> Iterator[str]:
    width, height = area.right + RIGHT, BASE + BOTTOM
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title description">'
    )
    yield f'<title id="title">{escape(title)}</title>'
    yield f'<desc id="description">{escape(description)}</desc>'
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="panel" width="{width}" height="{height}" rx="14"/>'
    yield f'<text class="name" x="20" y="30">{escape(title)}</text>'
    yield f'<text class="soft" x="20" y="50">Elo over level {lowest}, with 95% confidence intervals</text>'
    for tick in area.ticks:
        y, style = area.y(tick), "zero" if tick == 0 else "line"
        yield f'<path class="{style}" d="M{LEFT} {y}H{area.right}"/>'
        yield _axis_label(y + 4.5, str(tick))


def _levels(area: _PlotArea, ratings: Sequence[LevelRating]) -> Iterator[str]:
    points = [(area.x(index), area.y(rating.elo)) for index, rating in enumerate(ratings)]
    yield f'<polyline class="curve" points="{" ".join(f"{x},{y}" for x, y in points)}"/>'
    yield _axis_label(BASE + 28, "level")
    for index, (rating, (x, y)) in enumerate(zip(ratings, points, strict=True)):
        if index:  # the lowest level is the reference and has no error
            bar = _error_bar(area, x, y, rating.low, down=1) + _error_bar(area, x, y, rating.high, down=-1)
            yield f'<path class="bar" d="{bar}"/>'
        yield f'<circle class="dot" cx="{x}" cy="{y}" r="5"/>'
        yield f'<text class="middle" x="{x}" y="{BASE + 28}">{rating.level}</text>'
    yield f'<text class="over" x="{x + 12}" y="{y + 4.5}">{ratings[-1]}</text>'


def _steps(area: _PlotArea, steps: Sequence[LadderStep]) -> Iterator[str]:
    yield _axis_label(BASE + 54, "step")
    yield _axis_label(BASE + 74, "score")
    for index, step in enumerate(steps):
        x = area.x(index + 0.5)
        yield f'<text class="middle" x="{x}" y="{BASE + 54}">{step}</text>'
        yield f'<text class="soft middle" x="{x}" y="{BASE + 74}">{step.score.rate:.0%}</text>'


def _axis_label(y: float, text: str) -> str:
    return f'<text class="soft end" x="{LEFT - 10}" y="{y}">{text}</text>'


class _PlotArea:
    """Converts levels and Elo numbers to pixels."""

    def __init__(self, ratings: Sequence[LevelRating]) -> None:
        self.spacing = max(LEVEL_SPACING, WIDTH // len(ratings))
        self.right = LEFT + self.spacing * len(ratings)
        bounds = (bound for rating in ratings for bound in (rating.low, rating.elo, rating.high))
        finite = [bound for bound in bounds if isfinite(bound)]
        low, high = min(finite), max(finite)
        margin = 0.1 * (high - low) or 50  # Elo, for the arrows of unbounded error bars
        step = _nice_step((high - low + 2 * margin) / TICKS)
        self.low, self.high = floor((low - margin) / step) * step, ceil((high + margin) / step) * step
        self.ticks = range(self.low, self.high + 1, step)

    def x(self, index: float) -> float:
        """Return the x of a level, by its index in the ladder."""
        return LEFT + self.spacing * (index + 0.5)

    def y(self, elo: float) -> float:
        """Return the y of an Elo number."""
        return round(TOP + HEIGHT * (self.high - elo) / (self.high - self.low), 1)


def _nice_step(distance: float) -> int:
    """Return the largest of 1, 2 or 5 times a power of ten that is at most a distance; at least 1.

    >>> [_nice_step(distance) for distance in (0.4, 1, 7, 35, 99, 260)]
    [1, 1, 5, 20, 50, 200]
    """
    distance = max(1.0, distance)
    power = int(10 ** floor(log10(distance)))
    return max(factor * power for factor in (1, 2, 5) if factor * power <= distance)


def _error_bar(area: _PlotArea, x: float, y: float, end: float, down: int) -> str:
    """Return half an error bar as a path, from its point to its end; an arrow if it is unbounded.

    `down` is 1 for the lower half and -1 for the upper one.
    """
    if isfinite(end):
        return f"M{x} {y}V{area.y(end)}m{-CAP_HALF_WIDTH} 0h{2 * CAP_HALF_WIDTH}"
    dx, dy = CAP_HALF_WIDTH, down * CAP_HALF_WIDTH
    return f"M{x} {y}v{down * ARROW}m{-dx} {-dy}l{dx} {dy}l{dx} {-dy}"
