"""The JSON of a view of Triggery, from which the page draws the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from tripot import game
from tripot.game import HIDDEN
from tripot.games.triggery.actions import budget, dice_name
from tripot.games.triggery.board import (
    CELL_NAMES,
    LINE_NAMES,
    NO_TILE,
    STAR,
    cells_of,
    closed_lines,
    lines_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tripot.games.triggery.rules import State


Tile: TypeAlias = int | Literal["*", "?"] | None
"""The number of a tile, `*` for a star, `?` if it is turned over, null before the board is filled."""


class View(game.View):
    """What the page needs to show a position and to offer its legal actions."""

    boards: list[list[Tile]]
    """The board of blue and that of yellow, or the only one: 36 tiles from a1 along the rows to f6."""

    board_of_side: list[int]
    """The board that each side plays."""

    sides: list[int]
    """The side of each seat: 0 for blue, 1 for yellow."""

    side: int
    """The side that plays, or for which the dice are thrown next."""

    round: int
    """The round, 1 or 2."""

    solo: bool
    """Whether one player plays alone (TG-12)."""

    by_hand: bool
    """Whether the players take their bonuses themselves, and may miss some (TG-11)."""

    by_rounds: bool
    """Whether the rounds won decide, and not the points lost (TG-9)."""

    throw: list[int]
    """The dice of this turn; one number if a budget was set up, empty before the throw."""

    budget: int
    """The value of the throw."""

    budget_left: int
    """What is left of the budget."""

    flipped: list[str]
    """The cells turned over in this turn."""

    costs: dict[str, int]
    """The cost of each tile that may be turned over; empty if bonuses are taken by hand."""

    chains: dict[str, list[str]]
    """The cells that each of these tiles would free, in order."""

    closed_lines: list[list[str]]
    """The lines of each board that have no open number; none before the board is filled."""

    chain_lines: dict[str, list[str]]
    """The lines that each tile with a chain would close, with its chain."""

    can_claim: bool
    """Whether a missed bonus may be claimed (TG-7)."""

    claim_board: int
    """The board on which bonuses may have been missed (TG-7)."""

    can_reject: bool
    """Whether a known throw may be rejected (TG-12)."""

    sheet: list[tuple[str, int]]
    """The earlier throws of a player alone, each with its budget."""

    throw_sum: int
    """The sum of the budgets on the sheet, with that of this throw."""

    rounds_won: list[int]
    """The rounds that each side has won."""

    points_lost: list[int]
    """The points that each side has lost."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    options = state.options
    is_playing = bool(state.throw) and state.outcome is None
    costs = state.costs() if is_playing and not options.by_hand else {}
    chains = {cell: state.chain_after(cell) for cell in costs}
    return {
        "boards": [
            [_tile_json(tile, bool(face_up >> cell & 1)) for cell, tile in enumerate(tiles)]
            for tiles, face_up in zip(state.tiles, state.face_up, strict=True)
        ],
        "board_of_side": [state.board_of(side) for side in range(options.boards)],
        "sides": list(state.teams),
        "side": state.side,
        "round": state.round,
        "solo": options.solo,
        "by_hand": options.by_hand,
        "by_rounds": options.score == "rounds",
        "throw": list(state.throw),
        "budget": budget(state.throw),
        "budget_left": state.budget_left,
        "flipped": [CELL_NAMES[cell] for cell in cells_of(state.flipped)],
        "costs": {CELL_NAMES[cell]: cost for cell, cost in costs.items()},
        "chains": {
            CELL_NAMES[cell]: [CELL_NAMES[freed] for freed in chain] for cell, chain in chains.items()
        },
        "closed_lines": [
            [] if NO_TILE in tiles else _line_names(closed_lines(state.open_numbers(board)))
            for board, tiles in enumerate(state.tiles)
        ],
        "chain_lines": {
            CELL_NAMES[cell]: _newly_closed(state, (cell, *chain)) for cell, chain in chains.items() if chain
        },
        "can_claim": is_playing and options.by_hand and not options.solo and not state.flipped,
        "claim_board": state.claim_board,
        "can_reject": is_playing and bool(state.known_throw) and not state.flipped,
        "sheet": [(dice_name(throw), budget(throw)) for throw in state.sheet],
        "throw_sum": state.throw_sum,
        "rounds_won": list(state.won),
        "points_lost": list(state.lost),
        "legal": [str(action) for action in state.offered_actions()],
    }


def _newly_closed(state: State, cells: Iterable[int]) -> list[str]:
    """The lines of the current board that lose their last open number when cells are turned over."""
    before = state.open_numbers(state.current_board)
    after = before & ~sum(1 << cell for cell in cells)
    return _line_names(closed_lines(after) & ~closed_lines(before))


def _line_names(lines: int) -> list[str]:
    return [LINE_NAMES[line] for line in lines_of(lines)]


def _tile_json(tile: int, is_face_up: bool) -> Tile:
    if tile == NO_TILE:
        return None
    return HIDDEN if not is_face_up else "*" if tile == STAR else tile
