"""Positions whose hidden tiles cannot exist."""

from __future__ import annotations

from random import Random

import pytest

import tripot
from tripot.game import ParseError


def test_triggery_tiles_beside_hidden_ones_come_from_the_bag() -> None:
    """Such a board was completed with tiles of a bag that cannot have had the others."""
    rows = "?,?,?,?,?,?/" * 5
    with pytest.raises(ParseError, match="the bag does not have so many tiles 24"):
        tripot.parse_state(f"triggery {rows}24,24,1,2,3,4")
    assert tripot.parse_state(f"triggery {rows}24,23,1,2,3,4").determinize(Random(1))
