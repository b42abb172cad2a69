"""Ladders: ratings, the table and the plot."""

from __future__ import annotations

import re
from itertools import pairwise
from math import hypot, inf
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripot.arena.elo import DRAW, LOSS, WIN, MatchScore
from tripot.arena.ladder import LadderStep, cumulative_ratings, markdown_table
from tripot.arena.plot import svg

SVG = "{http://www.w3.org/2000/svg}"
UP = LadderStep(1, 2, MatchScore((WIN, DRAW, WIN, LOSS) * 10))
FAR_UP = LadderStep(2, 3, MatchScore((WIN, WIN, WIN, LOSS) * 10))
DOWN = LadderStep(3, 4, MatchScore((LOSS, LOSS, WIN, LOSS) * 10))
ONE_SIDED = LadderStep(3, 4, MatchScore((WIN,) * 20))
SCORES = st.lists(st.sampled_from([WIN, DRAW, LOSS]), max_size=30).map(tuple).map(MatchScore)
LADDERS = st.lists(SCORES, min_size=1, max_size=9).map(
    lambda scores: [LadderStep(level, level + 1, score) for level, score in enumerate(scores, 1)]
)


def plot(steps: list[LadderStep], title: str = "A ladder") -> ElementTree.Element:
    return ElementTree.fromstring(svg(steps, title))


def dots(root: ElementTree.Element) -> list[tuple[float, float]]:
    return [(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in root.iter(f"{SVG}circle")]


def texts(root: ElementTree.Element) -> list[str | None]:
    return [element.text for element in root.iter(f"{SVG}text")]


# --- Ratings -----------------------------------------------------------------------------------


def test_ratings_are_the_sums_of_the_steps() -> None:
    lowest, second, third = cumulative_ratings([UP, FAR_UP])
    assert (lowest.level, lowest.elo, lowest.low, lowest.high) == (1, 0, 0, 0)
    assert second.elo == UP.score.elo
    assert (second.low, second.high) == pytest.approx(UP.score.elo_interval())
    assert third.elo == pytest.approx(UP.score.elo + FAR_UP.score.elo)


def test_variances_of_steps_add_up() -> None:
    *_, top = cumulative_ratings([UP, FAR_UP])
    (low_up, high_up), (low_far, high_far) = UP.score.elo_interval(), FAR_UP.score.elo_interval()
    assert top.elo - top.low == pytest.approx(
        hypot(UP.elo_difference - low_up, FAR_UP.elo_difference - low_far)
    )
    assert top.high - top.elo == pytest.approx(
        hypot(high_up - UP.elo_difference, high_far - FAR_UP.elo_difference)
    )


def test_a_level_may_be_weaker_than_the_one_below() -> None:
    assert cumulative_ratings([DOWN])[1].elo == pytest.approx(-191, abs=1)
    assert str(DOWN) == "-191"


def test_a_one_sided_step_has_a_rating_but_no_upper_bound() -> None:
    """If every game is won, the difference is infinite, but the levels above need a finite rating."""
    assert ONE_SIDED.score.elo == inf
    assert str(ONE_SIDED) == "~+417"
    _, above, top = cumulative_ratings([ONE_SIDED, LadderStep(4, 5, FAR_UP.score)])
    assert above.low == pytest.approx(ONE_SIDED.score.elo_interval()[0])
    assert above.high == top.high == inf
    assert str(top) == "~+607", "levels above it are approximate too"


@given(LADDERS)
def test_every_rating_is_finite_and_within_its_interval(steps: list[LadderStep]) -> None:
    for rung in cumulative_ratings(steps):
        assert rung.low <= rung.elo <= rung.high
        assert abs(rung.elo) < inf


# --- The table ---------------------------------------------------------------------------------


def test_the_table_has_one_row_per_step() -> None:
    assert markdown_table([UP, FAR_UP, ONE_SIDED]).splitlines() == [
        "| levels | games | won, drawn, lost | score | Elo | Elo over level 1 |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
        "| 2 - 1 | 40 | 20, 10, 10 | 62.5% (53.2% to 69.5%) | +89 (+22 to +143) | +89 (+22 to +143) |",
        "| 3 - 2 | 40 | 30, 0, 10 | 75.0% (60.6% to 84.9%) | +191 (+75 to +300) | +280 (+146 to +401) |",
        "| 4 - 3 | 20 | 20, 0, 0 | 100.0% (76.0% to 100.0%) | +∞ (+201 to +∞) | ~+696 (+442 to +∞) |",
    ]


def test_a_step_without_games_has_an_unbounded_interval() -> None:
    last = markdown_table([UP, LadderStep(2, 3, MatchScore(()))]).splitlines()[-1]
    assert last == "| 3 - 2 | 0 | 0, 0, 0 | 50.0% (0.0% to 100.0%) | +0 (-∞ to +∞) | +89 (-∞ to +∞) |"


# --- The plot ----------------------------------------------------------------------------------


def test_the_plot_shows_every_level_and_every_step() -> None:
    shown = texts(plot([UP, FAR_UP, DOWN]))
    for text in ("A ladder", "1", "2", "3", "4", "+89", "+191", "-191", "62%", "75%", "25%"):
        assert text in shown


def test_points_are_placed_by_their_elo() -> None:
    places = dots(plot([UP, FAR_UP, DOWN]))
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = places
    assert x1 < x2 < x3 < x4
    assert y1 > y2 > y3
    assert y2 == pytest.approx(y4, abs=0.2), "as far down as up"
    assert (y2 - y3) / (y1 - y2) == pytest.approx(FAR_UP.elo_difference / UP.elo_difference, rel=0.02)


def test_error_bars_show_the_intervals() -> None:
    root = plot([UP])
    (bar,) = (path.attrib["d"] for path in root.iter(f"{SVG}path") if path.attrib["class"] == "bar")
    (_, zero), (_, up) = dots(root)
    scale = (zero - up) / UP.elo_difference
    ends = [float(end) for end in re.findall(r"V([\d.]+)", bar)]
    assert ends == pytest.approx([zero - scale * end for end in UP.score.elo_interval()], abs=0.2)


def test_an_unbounded_error_bar_is_an_arrow() -> None:
    bars = [
        [
            path.attrib["d"].count("l")
            for path in plot([step]).iter(f"{SVG}path")
            if path.get("class") == "bar"
        ]
        for step in (UP, ONE_SIDED, LadderStep(1, 2, MatchScore(())))
    ]
    assert bars == [[0], [2], [4]], "two strokes a head"


def test_the_plot_has_a_text_description() -> None:
    root = plot([UP, LadderStep(2, 3, ONE_SIDED.score)], "Heaps & <tiles>")
    assert root.attrib["role"] == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert root.attrib["aria-labelledby"].split() == [title.attrib["id"], desc.attrib["id"]]
    assert title.text == "Heaps & <tiles>"
    assert desc.text == (
        "Level 2 scores 62% in 40 games against level 1: "
        "Elo +89 (95% interval +22 to +143); +89 over level 1. "
        "Level 3 scores 100% in 20 games against level 2: "
        "Elo about +417 (95% interval +201 to +∞); about +505 over level 1."
    )


def test_the_plot_has_colours_for_light_and_dark_and_a_background() -> None:
    text = svg([UP], "A ladder")
    light, dark = (set(re.findall(r"--(\w+):", part)) for part in text.split("prefers-color-scheme: dark"))
    assert light == dark == set(re.findall(r"var\(--(\w+)\)", text))
    assert '<rect class="panel"' in text


@given(LADDERS)
def test_all_elements_are_inside_the_plot(steps: list[LadderStep]) -> None:
    root = plot(steps)
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    places = dots(root)
    assert len(places) == len(steps) + 1
    assert all(76 <= y <= height - 92 and 0 < x < width for x, y in places)
    assert all(one[0] < other[0] for one, other in pairwise(places))
    drawn = " ".join(path.attrib["d"] for path in root.iter(f"{SVG}path"))
    assert not re.search("nan|inf", drawn)
    assert all(76 <= float(y) <= height - 92 for y in re.findall(r"V([-\d.]+)", drawn))
