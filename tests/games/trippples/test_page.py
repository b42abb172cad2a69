"""The tiles of the page's own layouts, which are written out there, are those of the rules."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import tripot
from tripot.games.trippples.board import ARROW_TILES, tile_name

LAYOUT = (Path(__file__).parents[3] / "web/src/games/trippples/tile-layout.ts").read_text("utf-8")


def test_a_layout_of_the_page_has_the_tiles_and_the_fixed_squares_of_the_rules() -> None:
    digits, fixed = re.search(r'DIGITS = "(\d+)"', LAYOUT), re.search(r"FIXED.*?= \{(.*?)\}", LAYOUT)
    assert digits
    assert fixed
    game = tripot.get_game("trippples")
    squares = re.split("[,/]", game.initial_state(game.Options()).to_text().split()[1])
    written = {int(at): name for at, name in re.findall(r'(\d+): "(\w)"', fixed[1])}
    assert written == {at: name for at, name in enumerate(squares) if name != "."}
    tiles = ["".join(keys) for keys in combinations(digits[1], 3)]
    assert sorted(tiles) == sorted(map(tile_name, ARROW_TILES))
