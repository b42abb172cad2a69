"""The constants of the board on the page, which are written out there, are those of the rules."""

from __future__ import annotations

import re
from pathlib import Path

from tripot.games.trigon.board import CELL_NAMES, PIECE_NAMES, PIECE_SIZES, SHAPES, STARTS, orientations

FOLDER = Path(__file__).parents[3] / "web/src/games/trigon"
SOURCES = "".join((FOLDER / name).read_text("utf-8") for name in ("cells.ts", "logic.ts"))


def quoted(text: str) -> list[str]:
    return re.findall(r'"([^"]+)"', text)


def constant(name: str) -> str:
    """The text of a constant, up to the end of its statement."""
    match = re.search(rf"const {name}\b[^=]*= (.*?);\n", SOURCES, re.DOTALL)
    assert match, name
    return match[1]


def test_the_starting_triangles_are_those_of_the_rules() -> None:
    assert quoted(constant("STARTS")) == [CELL_NAMES[cell] for cell in STARTS]


def test_one_piece_reaches_as_far_as_the_largest_piece_is_long() -> None:
    assert int(constant("ONE_PIECE_DISTANCE")) == max(PIECE_SIZES)


def test_the_pieces_have_the_shapes_of_the_rules() -> None:
    shapes = dict(re.findall(r'^  (\w+): "([0-9 ]+)",$', constant("SHAPE_CELLS"), re.MULTILINE))
    assert quoted(constant("PIECES")) == [*PIECE_NAMES]
    assert shapes.keys() == {*PIECE_NAMES}
    for name, expected in zip(PIECE_NAMES, SHAPES, strict=True):
        cells = tuple((int(row), int(column)) for row, column in shapes[name].split())
        assert {*orientations(cells)} == {*expected}, name
