"""The JSON of a view of Triggery, from which the page draws the boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from tripot import game
from tripot.game import HIDDEN
from tripot.games.triggery.actions import budget, dice_name, is_double, is_throw
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
Chains: TypeAlias = dict[int, tuple[int, ...]]
"""The cells that tiles would free, by the cell of the tile."""


class RoundResult(TypedDict):
    """The result of a round (TG-8)."""

    winner: int
    """The side that turned over all its tiles."""

    loser: int
    """The other side."""

    points: int
    """The points that it lost."""


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

    is_double: bool
    """Whether the dice of this turn are equal, and count double (TG-5)."""

    throwing_side: int | None
    """The side that threw these dice for the other one; null before the throw, for a budget that was set up,
    and for a player alone."""

    budget: int
    """The value of the throw."""

    budget_left: int
    """What is left of the budget."""

    points_counted: int
    """The points of this throw that count for a player alone: the budget, or for the throw that cleared the
    board only what was needed (TG-12)."""

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

    claim_side: int
    """The side on whose board bonuses may have been missed (TG-7)."""

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

    first_round: RoundResult | None
    """The result of the first round, while the second one is played."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    options, chains = state.options, _chains(state)
    return {
        "boards": _boards(state),
        "board_of_side": [state.board_of(side) for side in range(options.boards)],
        "sides": list(state.teams),
        "side": state.side,
        "round": state.round,
        "solo": options.solo,
        "by_hand": options.by_hand,
        "by_rounds": options.score == "rounds",
        "throw": list(state.throw),
        "is_double": is_double(state.throw),
        "throwing_side": 1 - state.side if is_throw(state.throw) and not options.solo else None,
        "budget": budget(state.throw),
        "budget_left": state.budget_left,
        "points_counted": state.counted_points,
        "flipped": _cell_names(cells_of(state.flipped)),
        "costs": {CELL_NAMES[cell]: cost for cell, cost in state.costs().items() if cell in chains},
        "chains": {CELL_NAMES[cell]: _cell_names(chain) for cell, chain in chains.items()},
        "closed_lines": _closed_lines(state),
        "chain_lines": _chain_lines(state, chains),
        "can_claim": _can_claim(state),
        "can_reject": _can_reject(state),
        "claim_side": 0 if options.solo else 1 - state.side,
        "sheet": [(dice_name(throw), budget(throw)) for throw in state.sheet],
        "throw_sum": state.throw_sum,
        "rounds_won": list(state.won),
        "points_lost": list(state.lost),
        "first_round": _first_round(state),
        "legal": [str(action) for action in state.offered_actions()],
    }


def _is_playing(state: State) -> bool:
    """Whether a player is to act on a throw."""
    return bool(state.throw) and state.outcome is None


def _boards(state: State) -> list[list[Tile]]:
    return [
        [_tile_json(tile, bool(face_up >> cell & 1)) for cell, tile in enumerate(tiles)]
        for tiles, face_up in zip(state.tiles, state.face_up, strict=True)
    ]


def _chains(state: State) -> Chains:
    """The cells that each tile would free which may be turned over; none if bonuses are taken by hand."""
    if not _is_playing(state) or state.options.by_hand:
        return {}
    return {cell: state.chain_after(cell) for cell in state.costs()}


def _chain_lines(state: State, chains: Chains) -> dict[str, list[str]]:
    return {CELL_NAMES[cell]: _newly_closed(state, (cell, *chain)) for cell, chain in chains.items() if chain}


def _can_claim(state: State) -> bool:
    """TG-7: before the first tile of a turn, and between two sides that take bonuses by hand."""
    return _is_playing(state) and state.options.by_hand and not state.options.solo and not state.flipped


def _can_reject(state: State) -> bool:
    """TG-12: a known throw, before the first tile of a turn."""
    return _is_playing(state) and bool(state.known_throw) and not state.flipped


def _first_round(state: State) -> RoundResult | None:
    """TG-8: who has won the first round, while the second one is played."""
    if sum(state.won) != 1:
        return None
    winner = state.won.index(1)
    return {"winner": winner, "loser": 1 - winner, "points": state.lost[1 - winner]}


def _closed_lines(state: State) -> list[list[str]]:
    return [
        [] if NO_TILE in tiles else _line_names(closed_lines(state.open_numbers(board)))
        for board, tiles in enumerate(state.tiles)
    ]


def _cell_names(cells: Iterable[int]) -> list[str]:
    return [CELL_NAMES[cell] for cell in cells]


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
