"""The options of Trigon."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import permutations
from typing import Final

from tripot import game
from tripot.game import OptionError, option
from tripot.games.trigon.board import (
    BOARD,
    COLOURS,
    PIECE_INDEX,
    PIECE_NAMES,
    PIECE_SIZES,
    TRIANGLES_PER_COLOUR,
    cells_text,
    mask_of,
    parse_cells,
)
from tripot.games.trigon.figures import Figure, library, library_figure, piece_counts

OWN_FIGURE: Final = "own"  # the figure that the option `shape` describes


@dataclass(frozen=True)
class Options(game.Options):
    """Every choice that the booklet offers; the defaults are the game for four."""

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
        """Raise `OptionError` for options that contradict each other."""
        if self.teams and self.players != 4:
            raise OptionError(Options, "teams", self.teams, "TR-9", "four")
        if self.start == "free" and not self.is_paired:
            raise OptionError(Options, "start", self.start, "TR-11", "unpaired")
        if self.players > 1:
            self._check_no_figure()
        else:
            self._check_figure()

    def _check_no_figure(self) -> None:
        """TR-12: only a player alone tiles a figure."""
        for field in fields(self):
            value = getattr(self, field.name)
            if field.metadata["clause"] == "TR-12" and value != field.default:
                raise OptionError(Options, field.name, value, "TR-12", "alone")

    def _check_figure(self) -> None:
        """TR-12: a figure of the library, or one that is given by its shape and pieces."""
        if self.contact != "base":
            raise OptionError(Options, "contact", self.contact, "TR-12", "touch")
        if self.figure == OWN_FIGURE and not self.shape:
            raise OptionError(Options, "shape", self.shape, "TR-12", "no_shape")
        if self.shape and self.figure != OWN_FIGURE:
            raise OptionError(Options, "shape", self.shape, "TR-12", "not_own")
        if self.pieces and self.figure != OWN_FIGURE:
            raise OptionError(Options, "pieces", self.pieces, "TR-12", "not_own")
        self.figure_spec  # noqa: B018 - raises an error if the figure is not valid

    @property
    def is_paired(self) -> bool:
        """TR-8, TR-9: whether blue and red play together against yellow and green."""
        return self.players == 2 or self.teams

    @property
    def paired_starts(self) -> bool:
        """TR-8: whether partners start opposite each other; with TR-11 starts are free."""
        return self.is_paired and self.start == "opposite"

    @property
    def corners_only(self) -> bool:
        """TR-10: whether pieces of a colour may touch at their corners only."""
        return self.contact == "corners"

    @property
    def figure_spec(self) -> Figure:
        """TR-12: the figure to be tiled."""
        if self.figure == OWN_FIGURE:
            return own_figure(self.shape, self.pieces)
        return library_figure(self.figure)

    def colour_draws(self) -> list[tuple[int, ...]]:
        """TR-1, TR-7: the equally likely draws of the seats' colours.

        TR-9: partners sit opposite each other, and so are their colours in the order of play.
        """
        draws = [*permutations(range(len(COLOURS)), self.players)]
        return [draw for draw in draws if (draw[2] - draw[0]) % 2 == 0] if self.teams else draws


@lru_cache(maxsize=64)  # users of a server may ask for any number of figures
def own_figure(shape: str, pieces: str) -> Figure:
    """TR-12: a figure given by its shape; by default its pieces are those of one colour, or of all four."""
    try:
        cells = parse_cells(shape)
    except ValueError as error:
        raise OptionError(Options, "shape", shape, "TR-12", "unread", why=str(error)) from None
    outside = [cell for cell in cells if not BOARD >> cell & 1]
    if outside:
        raise OptionError(Options, "shape", shape, "TR-12", "beyond", cells=cells_text(outside))
    names = pieces.split(",") if pieces else PIECE_NAMES * (4 if len(cells) > TRIANGLES_PER_COLOUR else 1)
    for name in names:
        if name not in PIECE_INDEX:
            raise OptionError(
                Options, "pieces", pieces, "TR-12", "no_piece", piece=name, names=" ".join(PIECE_NAMES)
            )
    stock = piece_counts(PIECE_INDEX[name] for name in names)
    if max(stock) > len(COLOURS):
        raise OptionError(Options, "pieces", pieces, "TR-12", "of_a_kind", most=len(COLOURS))
    triangles = sum(size * count for size, count in zip(PIECE_SIZES, stock, strict=True))
    if triangles != len(cells):
        raise OptionError(
            Options,
            "pieces",
            pieces,
            "TR-12",
            "held" if pieces else "unchosen",
            held=triangles,
            figure=len(cells),
        )
    return Figure(mask_of(cells), stock)
