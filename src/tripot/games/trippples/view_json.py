"""The JSON of a view of Trippples, from which the page draws the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tripot import game
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


Phase: TypeAlias = Literal["zone", "lay", "move", "chance"]
"""What is to be done: see `View.phase`."""


class View(game.View):
    """What the page needs to show a position and to offer its legal actions."""

    phase: Phase
    """`zone` while a seat lays a neutral tile, `lay` while it lays the drawn tile, `chance` while tiles are
    laid or drawn by chance (TP-1), and `move` from then on, after the end too."""

    board: list[str | None]
    """From a1 along the rows to h8: the keys of a tile's three arrows on a numeric keypad, `N` for a neutral
    tile, `?` for one that lies face down, null for a home or a square without a tile."""

    starts: list[str]
    """The squares where the pawns of each team start."""

    finishes: list[str]
    """The squares that the pawns of each team must reach."""

    teams: list[int]
    """The team of each seat: 0 for square, 1 for round."""

    pawns: list[str]
    """The square of each seat's pawn; empty while tiles are being laid."""

    drawn_tile: str | None
    """The drawn tile."""

    allowed_directions: list[str]
    """The keys of the directions in which the seat to move may go."""

    binding_seats: list[int]
    """The seats whose arrows the seat to move must follow; none if it may go in all directions."""

    may_freeze: bool
    """Whether a freeze may be announced in this game (TP-8), possible now or not."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    starts, finishes = state.options.homes
    is_complete = NO_TILE not in state.tiles
    is_moving = is_complete and not state.outcome
    directions = state.allowed_directions(state.turn) if is_moving else 0
    keys = KEYPAD_KEYS if directions == ALL_DIRECTIONS else tile_name(directions)
    return {
        "phase": _phase(state),
        "board": [_tile_json(state, square) for square in range(SQUARES)],
        "starts": [SQUARE_NAMES[square] for square in starts],
        "finishes": [SQUARE_NAMES[square] for square in finishes],
        "teams": list(state.teams),
        "pawns": [SQUARE_NAMES[pawn] for pawn in state.pawns] if is_complete else [],
        "drawn_tile": tile_name(state.drawn_tile) if state.drawn_tile else None,
        "allowed_directions": list(keys),
        "binding_seats": state.binding_seats(state.turn) if is_moving else [],
        "may_freeze": bool(state.announcements),
        "legal": [str(action) for action in state.offered_actions()],
    }


def _phase(state: State) -> Phase:
    """TP-1: neutral tiles are laid, then the others. Then pawns move, until the game is over."""
    if NO_TILE not in state.tiles:
        return "move"
    if state.to_act is game.CHANCE:
        return "chance"
    return "zone" if state.neutral_tiles_to_lay else "lay"


def _tile_json(state: State, square: int) -> str | None:
    """The name of a tile, `?` if it lies face down, None for a home or a square without a tile."""
    tile = state.tiles[square]
    if tile in (NO_TILE, HOME_TILE):
        return None
    return HIDDEN if tile == HIDDEN_TILE or state.is_face_down(square) else tile_name(tile)
