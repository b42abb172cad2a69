"""The JSON of a view of Trigon, from which the page draws the board."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypedDict

from tripot import game
from tripot.games.trigon.board import (
    CELL_NAMES,
    COLOURS,
    NO_COLOUR,
    PIECE_NAMES,
    Colour,
    cells_of,
    cells_text,
    colour_of,
    piece_of,
)

if TYPE_CHECKING:
    from tripot.games.trigon.rules import State


class PieceOnBoard(TypedDict):
    """A piece on the board."""

    colour: Colour
    piece: str
    """The name of the piece."""

    cells: list[str]
    """The cells that it covers."""


class View(game.View):
    """What the page needs to show a position and to offer its legal actions."""

    field: str
    """The cells that are played on, as text."""

    solitaire: bool
    """Whether one player tiles a figure (TR-12)."""

    solved: bool
    """Whether the figure is tiled (TR-12)."""

    pieces: list[PieceOnBoard]
    """The pieces on the board."""

    colours: list[list[Colour]]
    """The colours that each seat plays; none until they are drawn."""

    turn: Colour | None
    """The colour to play."""

    blocked: list[Colour]
    """The blocked colours."""

    pieces_left: dict[Colour, list[str]]
    """The pieces left of each colour."""

    scores: dict[Colour, int]
    """The score of each colour; empty in a figure."""

    points: list[int]
    """The points of each seat: the scores of its colours together. Empty in a figure and before the draw."""

    attach_cells: list[str]
    """The cells of which the next piece must cover one."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    is_playing = state.turn != NO_COLOUR and not state.needs_colour_draw
    colours = () if state.needs_colour_draw else state.in_play
    scores = {colour: state.score(colour) for colour in colours if not state.solitaire}
    seat_colours = _colours_by_seat(state, colours)
    return {
        "field": _field_text(state.field),
        "solitaire": state.solitaire,
        "solved": state.solved,
        "pieces": _pieces(state),
        "colours": [[COLOURS[colour] for colour in own] for own in seat_colours],
        "turn": COLOURS[state.turn] if is_playing else None,
        "blocked": [COLOURS[colour] for colour in cells_of(state.blocked)],
        "pieces_left": {COLOURS[colour]: _piece_names_left(state, colour) for colour in colours},
        "scores": {COLOURS[colour]: score for colour, score in scores.items()},
        "points": [sum(scores[colour] for colour in own) for own in seat_colours] if scores else [],
        "attach_cells": [CELL_NAMES[cell] for cell in cells_of(state.highlighted_cells)],
        "legal": [*_legal_texts(state)],
    }


def _colours_by_seat(state: State, colours: Sequence[int]) -> list[list[int]]:
    return [
        [colour for colour in colours if state.seat_of(colour) == seat]
        for seat in range(state.options.players)
    ]


def _pieces(state: State) -> list[PieceOnBoard]:
    return [
        {
            "colour": COLOURS[colour_of(code)],
            "piece": PIECE_NAMES[piece_of(code)],
            "cells": [CELL_NAMES[cell] for cell in cells],
        }
        for code, cells in state.pieces_on_board.items()
    ]


def _piece_names_left(state: State, colour: int) -> list[str]:
    return [PIECE_NAMES[piece] for piece in state.pieces_left(colour)]


@lru_cache(maxsize=64)  # a figure may be any
def _field_text(field: int) -> str:
    return cells_text(cells_of(field))


@lru_cache(maxsize=64)  # all viewers of a table ask for the same position
def _legal_texts(state: State) -> tuple[str, ...]:
    return tuple(map(str, state.legal_actions()))
