"""The JSON of a view of Triggery, from which the page draws the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tripot.game import HIDDEN
from tripot.games.triggery.actions import budget, dice_name
from tripot.games.triggery.board import CELL_NAMES, NO_TILE, STAR, cells_of

if TYPE_CHECKING:
    from tripot.games.triggery.rules import State


def view_json(state: State) -> dict[str, Any]:
    """What the page needs to show a position and to offer its legal actions.

    boards       by board and cell: see `_tile_json`
    plays        the board that each side plays
    side, round  the side that plays, and the round, 1 or 2
    throw        the dice of this turn; `budget` is their value, `left` what is left of it
    turned       the cells turned over in this turn
    costs        the cost of each tile that may be turned over; empty if bonuses are taken by hand
    chains       the cells that each of these tiles would free, in order
    may_point    whether a missed bonus may be claimed (TG-7)
    may_reject   whether a known throw may be rejected (TG-12)
    sheet, sum   the earlier throws of a player alone with their budgets, and the sum of all
    won, lost    the rounds won and the points lost by each side
    by_hand      whether bonuses are taken by hand (TG-11)
    legal        the texts of the offered actions: by hand, without bonuses and claims
    """
    options = state.options
    is_playing = bool(state.throw) and state.outcome is None
    costs = state.costs() if is_playing and not options.by_hand else {}
    return {
        "boards": [
            [_tile_json(tile, bool(face_up >> cell & 1)) for cell, tile in enumerate(tiles)]
            for tiles, face_up in zip(state.tiles, state.face_up, strict=True)
        ],
        "plays": [state.board_of(side) for side in range(options.boards)],
        "side": state.side,
        "round": state.round,
        "throw": list(state.throw),
        "budget": budget(state.throw),
        "left": state.budget_left,
        "turned": [CELL_NAMES[cell] for cell in cells_of(state.flipped)],
        "costs": {CELL_NAMES[cell]: cost for cell, cost in costs.items()},
        "chains": {
            CELL_NAMES[cell]: [CELL_NAMES[freed] for freed in state.chain_after(cell)] for cell in costs
        },
        "by_hand": options.by_hand,
        "may_point": is_playing and options.by_hand and not options.solo and not state.flipped,
        "may_reject": is_playing and bool(state.known_throw) and not state.flipped,
        "sheet": [[dice_name(throw), budget(throw)] for throw in state.sheet],
        "sum": state.throw_sum,
        "won": list(state.won),
        "lost": list(state.lost),
        "legal": [str(action) for action in state.offered_actions()],
    }


def _tile_json(tile: int, is_face_up: bool) -> int | str | None:
    """The number of a tile, `*` for a star, `?` if it is turned over, None before the board is filled."""
    if tile == NO_TILE:
        return None
    return HIDDEN if not is_face_up else "*" if tile == STAR else tile
