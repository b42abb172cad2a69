"""A ladder as a picture: the Elo of each level over the lowest, with error bars, and the steps between.

Plain SVG, with colours of its own for light and for dark surroundings, and its numbers in words for those who
do not see it. An error bar that ends in an arrow has no end on that side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, floor, isfinite, log10

from tripot.arena.elo import elo_text
from tripot.arena.ladder import APPROXIMATE_SIGN, LadderStep, LevelRating, cumulative_ratings

LEFT, RIGHT, TOP, BOTTOM = 76, 64, 76, 92  # around the field of the plot, in pixels
WIDTH, HEIGHT = 400, 280  # of the field; it is wider where there are many levels
BASE = TOP + HEIGHT
LEVEL_SPACING = 78  # from level to level, at least
ARROW = 22  # from a point to the end of an arrow, where no other length is known
CAP_HALF_WIDTH = 5  # half the width of an error bar's end
TICKS = 5  # at least about so many lines across

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
.way { stroke: var(--accent); stroke-width: 2; fill: none }
.bar { stroke: var(--ink); stroke-width: 1.5; fill: none }
.dot { fill: var(--accent); stroke: var(--panel); stroke-width: 2 }
.middle { text-anchor: middle }
.end { text-anchor: end }
.over { paint-order: stroke; stroke: var(--panel); stroke-width: 5 }
"""


def svg(steps: Sequence[LadderStep], title: str) -> str:
    """The picture of a ladder."""
    return "\n".join([*_svg_elements(steps, title), ""])


def text_description(steps: Sequence[LadderStep]) -> str:
    """What the picture shows, in sentences."""
    said = []
    for step, rung in zip(steps, cumulative_ratings(steps)[1:], strict=True):
        score, lowest = step.score, steps[0].lower
        low, high = (elo_text(each) for each in score.elo_interval())
        said.append(
            f"Level {step.upper} scores {score.rate:.0%} in {len(score.game_points)} games against level "
            f"{step.lower}: Elo {step}, 95% sure between {low} and {high}; {rung} over level {lowest}."
        )
    return " ".join(said).replace(APPROXIMATE_SIGN, "about ")


def _svg_elements(steps: Sequence[LadderStep], title: str) -> Iterator[str]:
    rungs = cumulative_ratings(steps)
    field = _PlotArea(rungs)
    yield from _frame(field, title, text_description(steps), rungs[0].level)
    yield from _levels(field, rungs)
    yield from _steps(field, steps)
    yield "</svg>"


def _frame(field: _PlotArea, title: str, said: str, lowest: int) -> Iterator[str]:
    width, height = field.right + RIGHT, BASE + BOTTOM
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-labelledby="title words">'
    )
    yield f'<title id="title">{escape(title)}</title>'
    yield f'<desc id="words">{escape(said)}</desc>'
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="panel" width="{width}" height="{height}" rx="14"/>'
    yield f'<text class="name" x="20" y="30">{escape(title)}</text>'
    yield f'<text class="soft" x="20" y="50">Elo over level {lowest}, 95% sure within the bars</text>'
    for tick in field.ticks:
        y, kind = field.y(tick), "zero" if tick == 0 else "line"
        yield f'<path class="{kind}" d="M{LEFT} {y}H{field.right}"/>'
        yield _axis_label(y + 4.5, str(tick))


def _levels(field: _PlotArea, rungs: Sequence[LevelRating]) -> Iterator[str]:
    places = [(field.x(index), field.y(rung.elo)) for index, rung in enumerate(rungs)]
    yield f'<polyline class="way" points="{" ".join(f"{x},{y}" for x, y in places)}"/>'
    yield _axis_label(BASE + 28, "level")
    for index, (rung, (x, y)) in enumerate(zip(rungs, places, strict=True)):
        if index:  # the lowest is where one counts from
            bar = _whisker(field, x, y, rung.low, down=1) + _whisker(field, x, y, rung.high, down=-1)
            yield f'<path class="bar" d="{bar}"/>'
        yield f'<circle class="dot" cx="{x}" cy="{y}" r="5"/>'
        yield f'<text class="middle" x="{x}" y="{BASE + 28}">{rung.level}</text>'
    yield f'<text class="over" x="{x + 12}" y="{y + 4.5}">{rungs[-1]}</text>'


def _steps(field: _PlotArea, steps: Sequence[LadderStep]) -> Iterator[str]:
    yield _axis_label(BASE + 54, "step")
    yield _axis_label(BASE + 74, "score")
    for index, step in enumerate(steps):
        x = field.x(index + 0.5)
        yield f'<text class="middle" x="{x}" y="{BASE + 54}">{step}</text>'
        yield f'<text class="soft middle" x="{x}" y="{BASE + 74}">{step.score.rate:.0%}</text>'


def _axis_label(y: float, text: str) -> str:
    return f'<text class="soft end" x="{LEFT - 10}" y="{y}">{text}</text>'


class _PlotArea:
    """Where numbers lie in the picture."""

    def __init__(self, rungs: Sequence[LevelRating]) -> None:
        self.apart = max(LEVEL_SPACING, WIDTH // len(rungs))
        self.right = LEFT + self.apart * len(rungs)
        ends = [each for rung in rungs for each in (rung.low, rung.elo, rung.high) if isfinite(each)]
        low, high = min(ends), max(ends)
        room = 0.1 * (high - low) or 50  # for arrows
        apart = _nice_step((high - low + 2 * room) / TICKS)
        self.low, self.high = floor((low - room) / apart) * apart, ceil((high + room) / apart) * apart
        self.ticks = range(self.low, self.high + 1, apart)

    def x(self, index: float) -> float:
        """The middle of a level, by its place in the ladder."""
        return LEFT + self.apart * (index + 0.5)

    def y(self, elo: float) -> float:
        """The height of a number."""
        return round(TOP + HEIGHT * (self.high - elo) / (self.high - self.low), 1)


def _nice_step(apart: float) -> int:
    """The largest of 1, 2 or 5 times a power of ten that is not larger.

    >>> [_nice_step(each) for each in (0.4, 1, 7, 35, 99, 260)]
    [1, 1, 5, 20, 50, 200]
    """
    ten = int(10 ** floor(log10(max(1.0, apart))))
    return max(times * ten for times in (1, 2, 5) if times * ten <= max(1.0, apart))


def _whisker(field: _PlotArea, x: float, y: float, end: float, down: int) -> str:
    """Half an error bar, from its point to its end, or to an arrow where it has none."""
    if isfinite(end):
        return f"M{x} {y}V{field.y(end)}m{-CAP_HALF_WIDTH} 0h{2 * CAP_HALF_WIDTH}"
    wide, high = CAP_HALF_WIDTH, down * CAP_HALF_WIDTH
    return f"M{x} {y}v{down * ARROW}m{-wide} {-high}l{wide} {high}l{wide} {-high}"
