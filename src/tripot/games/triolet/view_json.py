"""The JSON of a view of Triolet, from which the page draws the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tripot import game
from tripot.games.triolet.board import BIS, DOUBLES, SQUARE_NAMES, TRIPLES, cell_name, token_name

if TYPE_CHECKING:
    from tripot.games.triolet.rules import State

DOUBLE_NAMES, TRIPLE_NAMES, BIS_NAMES = (
    [SQUARE_NAMES[square] for square in sorted(squares)] for squares in (DOUBLES, TRIPLES, BIS)
)


class View(game.View):
    """What the page needs to show a position and to offer its legal actions.

    A token is written as its value, `7`, a joker as `J`, and on the board with the value that it stands for,
    `J7`. Squares are given by their names.
    """

    board: list[str | None]
    """By square: its token."""

    doubles: list[str]
    """The squares that double."""

    triples: list[str]
    """The squares that triple."""

    bis: list[str]
    """The squares after which a player plays again."""

    racks: list[list[str]]
    """The tokens of each seat, `?` if hidden."""

    scores: list[int]
    """The score of each seat; at the end the final one."""

    bag: int
    """The number of tokens in the bag."""

    unseen: dict[str, int]
    """The number of tokens of each name that the viewer does not see."""


def view_json(state: State) -> View:
    """The JSON of a view."""
    return {
        "board": [cell_name(cell) if cell else None for cell in state.cells],
        "doubles": DOUBLE_NAMES,
        "triples": TRIPLE_NAMES,
        "bis": BIS_NAMES,
        "racks": [[token_name(token) for token in rack] for rack in state.racks],
        "scores": list((state.outcome or state).scores),
        "bag": state.bag,
        "unseen": {token_name(token): count for token, count in sorted(state.unseen_tokens.items()) if count},
        "legal": [str(action) for action in state.legal_actions()],
    }
