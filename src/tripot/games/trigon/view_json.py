"""The JSON of a view of Trigon, from which the page draws the board."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tripot.games.trigon.board import (
    CELL_NAMES,
    COLOURS,
    NO_COLOUR,
    PIECE_NAMES,
    cells_of,
    cells_text,
    colour_of,
    piece_of,
)

if TYPE_CHECKING:
    from tripot.games.trigon.rules import State


def view_json(state: State) -> dict[str, Any]:
    """What the page needs to show a position and to offer its legal actions.

    field    the cells that are played on, as text
    pieces   the pieces on the board, each with its colour, name and cells
    colours  the colour of each seat, once drawn
    turn     the colour to play, or None
    out      the blocked colours
    left     the pieces left of each colour
    scores   the score of each colour; empty in a figure
    attach   the cells of which the next piece must cover one
    legal    the texts of the legal actions
    """
    is_playing = state.turn != NO_COLOUR and not state.needs_colour_draw
    colours = () if state.needs_colour_draw else state.in_play
    return {
        "field": _field_text(state.field),
        "pieces": [
            {
                "colour": COLOURS[colour_of(code)],
                "piece": PIECE_NAMES[piece_of(code)],
                "cells": [CELL_NAMES[cell] for cell in cells],
            }
            for code, cells in state.pieces_on_board.items()
        ],
        "colours": [COLOURS[colour] for colour in state.colours],
        "turn": COLOURS[state.turn] if is_playing else None,
        "out": [COLOURS[colour] for colour in cells_of(state.blocked)],
        "left": {
            COLOURS[colour]: [PIECE_NAMES[piece] for piece in state.pieces_left(colour)] for colour in colours
        },
        "scores": {COLOURS[colour]: state.score(colour) for colour in colours if not state.solitaire},
        "attach": [CELL_NAMES[cell] for cell in cells_of(state.highlighted_cells)],
        "legal": [*_legal_texts(state)],
    }


@lru_cache(maxsize=64)  # a figure may be any
def _field_text(field: int) -> str:
    return cells_text(cells_of(field))


@lru_cache(maxsize=64)  # all viewers of a table ask for the same position
def _legal_texts(state: State) -> tuple[str, ...]:
    return tuple(map(str, state.legal_actions()))
