"""The actions of Trigon, each with its text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TypeAlias

from tripot import game
from tripot.game_package import WordAction, are_indices
from tripot.games.trigon.board import COLOURS, GRID, PIECE_NAMES, Cells, cells_text, piece_of_cells


@dataclass(frozen=True, slots=True)
class DrawColours(game.Action):
    """Chance gives each seat its colour: `lot red,blue,green,yellow`."""

    colours: tuple[int, ...]

    def __str__(self) -> str:
        return "lot " + ",".join(COLOURS[colour] for colour in self.colours)


@dataclass(frozen=True, slots=True)
class Place(game.Action):
    """A player places a piece: its name and the triangles it covers, `V@q15-r15,n16-q16`."""

    cells: Cells

    @property
    def piece(self) -> int:
        """The piece of this shape. ValueError if no piece has it."""
        piece = piece_of_cells(self.cells)
        if piece is None:
            raise ValueError(f"no piece has the shape of {cells_text(self.cells)}")
        return piece

    def __str__(self) -> str:
        return place_text(self.cells)


@dataclass(frozen=True, slots=True)
class Lift(game.Action):
    """TR-12: a piece is removed from the figure: `lift V@q15-r15,n16-q16`."""

    cells: Cells

    def __str__(self) -> str:
        return f"lift {Place(self.cells)}"


@dataclass(frozen=True, slots=True)
class Pass(WordAction):
    """`pass`, which is never legal: a player who can place a piece must, and others are skipped (TR-5)."""

    word = "pass"


@cache  # at most one entry per placement: 32,131
def place_text(cells: Cells) -> str:
    """The text of a placement: the piece and its cells."""
    return f"{PIECE_NAMES[Place(cells).piece]}@{cells_text(cells)}"


Action: TypeAlias = DrawColours | Place | Lift | Pass


def is_well_formed(action: Action) -> bool:
    """Whether colours exist, and the cells of a piece are cells of the grid in order that have its shape."""
    match action:
        case DrawColours(colours):
            return are_indices(colours, len(COLOURS))
        case Place(cells) | Lift(cells):
            return (
                are_indices(cells, GRID)
                and all(one < next_cell for one, next_cell in pairwise(cells))
                and piece_of_cells(cells) is not None
            )
        case Pass():
            return True
