"""The figures of TR-12: outlines to be tiled with given pieces.

The library is `rulebook/figures.txt`, with one line per figure: its name and one of its tilings, from
which the outline and the pieces follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from tripot.games.trigon.board import PIECE_NAMES, Cells, mask_of, parse_cells, piece_of_cells


class Figure(NamedTuple):
    """A figure to be tiled.

    cells   the mask of its cells
    stock   the number of copies of each piece
    tiling  the placements of a known tiling, or none
    """

    cells: int
    stock: tuple[int, ...]
    tiling: tuple[Cells, ...] = ()


def piece_counts(pieces: Iterable[int]) -> tuple[int, ...]:
    """The number of copies of each piece among some pieces."""
    counts = Counter(pieces)
    return tuple(counts[piece] for piece in range(len(PIECE_NAMES)))


@cache
def library() -> dict[str, str]:
    """The texts of the known tilings by the name of the figure."""
    text = (files(__package__) / "rulebook" / "figures.txt").read_text("utf-8")
    lines = [line.partition(":") for line in text.splitlines() if line and not line.startswith("#")]
    return {name: tiling.strip() for name, _, tiling in lines}


@cache
def library_figure(name: str) -> Figure:
    """A figure of the library."""
    tiling = tuple(parse_cells(placement.partition("@")[2]) for placement in library()[name].split())
    pieces = [piece_of_cells(cells) for cells in tiling]
    stock = piece_counts(piece for piece in pieces if piece is not None)
    return Figure(mask_of(cell for cells in tiling for cell in cells), stock, tiling)
