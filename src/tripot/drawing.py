"""What the drawings of all games share: palette, frame of an SVG, types for the terminal, territories.

The colours are those of the page in its light theme (`web/src/app.css`, under the same names), so that
a drawing in a notebook, in the rulebook or as a fallback on the page looks like the board there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from tripot.game import DistanceMap

PAPER: Final = "#f5efe3"  # background
PANEL: Final = "#fffdf8"  # cells and tiles
INK: Final = "#221d16"  # texts and outlines
SOFT: Final = "#6d6454"  # captions and coordinates
LINE: Final = "#ded3bf"  # borders of cells
ACCENT: Final = "#a8761c"  # what the player may choose

# Colours of pieces and boards.
BLUE: Final = "#2b69b3"
YELLOW: Final = "#e2ab2e"
RED: Final = "#c3402b"
GREEN: Final = "#2a8757"

SVG_NAMESPACE: Final = 'xmlns="http://www.w3.org/2000/svg"'

Span: TypeAlias = tuple[str, str]
"""A piece of a terminal row: text and its Rich style."""

Row: TypeAlias = tuple[Span, ...]
"""A row of a terminal drawing; `StyledRows` is a tuple of them."""


def svg_document(width: int, height: int, content: Iterable[str], attributes: str = "") -> str:
    """An SVG on paper. `attributes` are further ones of the root, which its elements inherit."""
    root = f'{SVG_NAMESPACE} viewBox="0 0 {width} {height}" font-family="Georgia,serif"'
    background = f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    return f"<svg {root}{attributes and ' ' + attributes}>{background}{''.join(content)}</svg>"


def svg_labels(attributes: str, labels: Iterable[tuple[int, int, str]]) -> str:
    """The coordinates of a board: texts, each with its x and y, in a group with the attributes."""
    texts = "".join(f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in labels)
    return f'<g {attributes} fill="{SOFT}">{texts}</g>'


def territory(distance_maps: Sequence[DistanceMap]) -> dict[str, tuple[str, ...]]:
    """The owners that are nearest to each cell; several if they are equally near.

    >>> white, black = DistanceMap("white", {"a1": 1, "a2": 2}), DistanceMap("black", {"a2": 2, "a3": 1})
    >>> territory([white, black])
    {'a1': ('white',), 'a2': ('white', 'black'), 'a3': ('black',)}
    """
    nearest: dict[str, int] = {}
    for distance_map in distance_maps:
        for cell, steps in distance_map.distances.items():
            nearest[cell] = min(steps, nearest.get(cell, steps))
    return {
        cell: tuple(
            distance_map.owner for distance_map in distance_maps if distance_map.distances.get(cell) == steps
        )
        for cell, steps in nearest.items()
    }
