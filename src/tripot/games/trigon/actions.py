"""What may be chosen before a game of Trigon, and what may be done in it: options and actions.

The figures of TR-12 are in `rulebook/figures.txt`, a line each: a name and one of its tilings, which
tells its outline and its pieces as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, TypeAlias

from tripot import game
from tripot.game import OptionError, option
from tripot.games.trigon.board import (
    BOARD,
    COLOURS,
    PIECE_INDEX,
    PIECE_NAMES,
    PIECE_SIZES,
    TRIANGLES_PER_COLOUR,
    Cells,
    cells_text,
    mask_of,
    parse_cells,
    piece_of_cells,
)

OWN_FIGURE: Final = "own"  # the figure that the option `shape` describes


# --- Figures -----------------------------------------------------------------------------------


class Figure(NamedTuple):
    """TR-12: what is to be tiled, with which pieces, and one way to do it if that is known.

    cells   the outline, as a set
    stock   how many of each piece there are, by piece
    tiling  the places of a known tiling
    """

    cells: int
    stock: tuple[int, ...]
    tiling: tuple[Cells, ...] = ()


def piece_counts(pieces: Iterable[int]) -> tuple[int, ...]:
    """How many of each piece are among these."""
    counts = Counter(pieces)
    return tuple(counts[piece] for piece in range(len(PIECE_NAMES)))


@cache
def library() -> dict[str, str]:
    """The figures of the house: each name with one of its tilings, as text."""
    text = (files(__package__) / "rulebook" / "figures.txt").read_text("utf-8")
    lines = [line.partition(":") for line in text.splitlines() if line and not line.startswith("#")]
    return {name: tiling.strip() for name, _, tiling in lines}


@cache
def library_figure(name: str) -> Figure:
    """A figure of the house."""
    tiling = tuple(parse_cells(place.partition("@")[2]) for place in library()[name].split())
    pieces = [piece_of_cells(cells) for cells in tiling]
    stock = piece_counts(piece for piece in pieces if piece is not None)
    return Figure(mask_of(cell for cells in tiling for cell in cells), stock, tiling)


@cache
def own_figure(shape: str, pieces: str) -> Figure:
    """TR-12: a figure of one's own. Its pieces need not be named if it takes a colour, or all four."""
    try:
        cells = parse_cells(shape)
    except ValueError as error:
        raise OptionError(Options, "shape", shape, "TR-12", "unread", why=str(error)) from None
    figure = mask_of(cells)
    if figure & ~BOARD:
        beyond = cells_text([cell for cell in cells if not BOARD >> cell & 1])
        raise OptionError(Options, "shape", shape, "TR-12", "beyond", cells=beyond)
    names = pieces.split(",") if pieces else PIECE_NAMES * (4 if len(cells) > TRIANGLES_PER_COLOUR else 1)
    for name in names:
        if name not in PIECE_INDEX:
            raise OptionError(
                Options, "pieces", pieces, "TR-12", "no_piece", piece=name, names=" ".join(PIECE_NAMES)
            )
    stock = piece_counts(PIECE_INDEX[name] for name in names)
    if max(stock) > len(COLOURS):
        raise OptionError(Options, "pieces", pieces, "TR-12", "of_a_kind", most=len(COLOURS))
    held = sum(size * count for size, count in zip(PIECE_SIZES, stock, strict=True))
    if held != len(cells):
        raise OptionError(
            Options,
            "pieces",
            pieces,
            "TR-12",
            "held" if pieces else "unchosen",
            held=held,
            figure=len(cells),
        )
    return Figure(figure, stock)


# --- Options -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice the booklet offers; the defaults are the game for four."""

    players: int = option(4, 1, 2, 3, 4, clause="TR-1")
    teams: bool = option(False, True, False, clause="TR-9", relevant_if=[{"players": (4,)}])
    contact: str = option("base", "base", "corners", clause="TR-10", relevant_if=[{"players": (2, 3, 4)}])
    start: str = option(
        "opposite",
        "opposite",
        "free",
        clause="TR-11",
        advanced=True,
        relevant_if=[{"players": (2,)}, {"players": (4,), "teams": (True,)}],
    )
    figure: str = option(
        next(iter(library())), *library(), OWN_FIGURE, clause="TR-12", relevant_if=[{"players": (1,)}]
    )
    shape: str = option("", clause="TR-12", relevant_if=[{"players": (1,), "figure": (OWN_FIGURE,)}])
    pieces: str = option("", clause="TR-12", relevant_if=[{"players": (1,), "figure": (OWN_FIGURE,)}])

    def check_combinations(self) -> None:
        """The combinations that make no sense."""
        if self.teams and self.players != 4:
            raise OptionError(Options, "teams", self.teams, "TR-9", "four")
        if self.start == "free" and not self.is_paired:
            raise OptionError(Options, "start", self.start, "TR-11", "unpaired")
        if self.players > 1:
            for each in fields(self):
                value = getattr(self, each.name)
                if each.metadata["clause"] == "TR-12" and value != each.default:
                    raise OptionError(Options, each.name, value, "TR-12", "alone")
            return
        if self.contact != "base":
            raise OptionError(Options, "contact", self.contact, "TR-12", "touch")
        if self.figure == OWN_FIGURE and not self.shape:
            raise OptionError(Options, "shape", self.shape, "TR-12", "no_shape")
        if self.shape and self.figure != OWN_FIGURE:
            raise OptionError(Options, "shape", self.shape, "TR-12", "not_own")
        if self.pieces and self.figure != OWN_FIGURE:
            raise OptionError(Options, "pieces", self.pieces, "TR-12", "not_own")
        self.figure_spec  # noqa: B018 - raises what is wrong with it

    @property
    def is_paired(self) -> bool:
        """TR-8, TR-9: whether blue and red play together against yellow and green."""
        return self.players == 2 or self.teams

    @property
    def paired_starts(self) -> bool:
        """TR-8, unless TR-11 frees the starts."""
        return self.is_paired and self.start == "opposite"

    @property
    def corners_only(self) -> bool:
        """TR-10."""
        return self.contact == "corners"

    @property
    def figure_spec(self) -> Figure:
        """TR-12: the figure to be tiled."""
        return (
            own_figure(self.shape, self.pieces) if self.figure == OWN_FIGURE else library_figure(self.figure)
        )


# --- Actions -----------------------------------------------------------------------------------


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
        """Which piece has this shape; cells that are no piece's are a bug."""
        piece = piece_of_cells(self.cells)
        if piece is None:
            raise ValueError(f"no piece covers {cells_text(self.cells)}")
        return piece

    def __str__(self) -> str:
        return place_text(self.cells)


@dataclass(frozen=True, slots=True)
class Lift(game.Action):
    """TR-12: a piece is taken off the figure again: `lift V@q15-r15,n16-q16`."""

    cells: Cells

    def __str__(self) -> str:
        return f"lift {Place(self.cells)}"


@dataclass(frozen=True, slots=True)
class Pass(game.Action):
    """`pass`, which is never legal: who can play must, and who cannot is skipped (TR-5)."""

    def __str__(self) -> str:
        return "pass"


@cache
def place_text(cells: Cells) -> str:
    """A piece and its cells; there are few enough places to keep what was asked."""
    return f"{PIECE_NAMES[Place(cells).piece]}@{cells_text(cells)}"


Action: TypeAlias = DrawColours | Place | Lift | Pass
