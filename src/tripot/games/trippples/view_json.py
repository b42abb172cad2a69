"""The JSON of a view of Trippples, from which the page draws the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tripot.game import HIDDEN
from tripot.games.trippples.board import (
    ALL_DIRECTIONS,
    HIDDEN_TILE,
    HOME_TILE,
    KEYPAD_KEYS,
    NO_TILE,
    SQUARE_NAMES,
    SQUARES,
    tile_name,
)

if TYPE_CHECKING:
    from tripot.games.trippples.rules import State


def view_json(state: State) -> dict[str, Any]:
    """What the page needs to show a position and to offer its legal actions.

    board              by square: see `_tile_json`
    starts, finishes   the home squares of square and round
    pawns              the squares of the pawns in playing order; empty while tiles are being laid
    hand               the drawn tile, or None
    arrows             the keys of the directions in which the seat to move may go
    may_freeze         whether a freeze may be announced in this game (TP-8), possible or not
    legal              the texts of the offered actions: an announced freeze is not among them (TP-8)
    """
    starts, finishes = state.options.homes
    is_complete = NO_TILE not in state.tiles
    directions = state.allowed_directions(state.turn) if is_complete and not state.outcome else 0
    return {
        "board": [_tile_json(state, square) for square in range(SQUARES)],
        "starts": [SQUARE_NAMES[square] for square in starts],
        "finishes": [SQUARE_NAMES[square] for square in finishes],
        "pawns": [SQUARE_NAMES[pawn] for pawn in state.pawns] if is_complete else [],
        "hand": tile_name(state.drawn_tile) if state.drawn_tile else None,
        "arrows": list(KEYPAD_KEYS) if directions == ALL_DIRECTIONS else list(tile_name(directions)),
        "may_freeze": bool(state.announcements),
        "legal": [str(action) for action in state.offered_actions()],
    }


def _tile_json(state: State, square: int) -> str | None:
    """The name of a tile, `?` if it lies face down, None for a home or a square without a tile."""
    tile = state.tiles[square]
    if tile in (NO_TILE, HOME_TILE):
        return None
    return HIDDEN if tile == HIDDEN_TILE or state.is_face_down(square) else tile_name(tile)
