"""`perfect_play.solve`, on which TP-7 rests, against a plain walk through the rules, state by state."""

from __future__ import annotations

from itertools import product

import pytest
from bench.trippples import laid, walk

from tripot.games.trippples.options import Options
from tripot.games.trippples.perfect_play import solve

VARIANTS = [*product(("closed", "wild"), ("corner", "inset"), ("corner", "centre"), (False, True))]


def is_in_every_run(neutral: str, corners: str, finish: str, called: bool) -> bool:
    """Five variants, with every combination of any two of the four choices."""
    return (neutral == "wild") + (corners == "inset") + (finish == "centre") + called in (0, 3)


@pytest.mark.parametrize(
    ("neutral", "corners", "finish", "called"),
    [
        pytest.param(*variant, marks=() if is_in_every_run(*variant) else pytest.mark.soak)
        for variant in VARIANTS
    ],
)
def test_perfect_play_agrees_with_the_rules(neutral: str, corners: str, finish: str, called: bool) -> None:
    options = Options(neutral=neutral, corners=corners, finish=finish)
    tiles = laid(options, 7)
    assert solve(tiles, options, called) == walk(tiles, options, called)
