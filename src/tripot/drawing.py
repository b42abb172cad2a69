"""What the drawings of all games share: the palette, the frame of an SVG, and types for the terminal.

The colours are those of the page in its light theme (`web/src/app.css`, under the same names), so that
a drawing in a notebook, in the rulebook or as a fallback on the page looks like the board there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

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
