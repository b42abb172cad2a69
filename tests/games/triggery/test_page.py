"""The limits of the page's bag, which are written out there, are those of the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tripot.game import OptionError
from tripot.games.triggery.board import CELLS
from tripot.games.triggery.options import Options

BAG = (Path(__file__).parents[3] / "web/src/games/triggery/bag.ts").read_text("utf-8")


def constant(name: str) -> int:
    match = re.search(rf"const {name} = (\d+);", BAG)
    assert match, name
    return int(match[1])


def test_the_bag_of_the_page_holds_enough_tiles_for_a_board() -> None:
    least = constant("LEAST")
    assert least == CELLS
    Options.parse({"bag": f"{least}x1"})
    with pytest.raises(OptionError):
        Options.parse({"bag": f"{least - 1}x1"})


def test_the_largest_number_of_a_tile_in_the_bag_of_the_page_is_accepted() -> None:
    Options.parse({"bag": f"{constant('MOST')}x1"})
