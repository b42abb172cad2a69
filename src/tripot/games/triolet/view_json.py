"""The JSON of a view of Triolet, from which the page draws the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tripot.games.triolet.board import BIS, DOUBLES, SQUARE_NAMES, TRIPLES, cell_name, token_name

if TYPE_CHECKING:
    from tripot.games.triolet.rules import State

SPECIAL_SQUARES: Final = {
    name: [SQUARE_NAMES[square] for square in sorted(squares)]
    for name, squares in (("doubles", DOUBLES), ("triples", TRIPLES), ("bis", BIS))
}


def view_json(state: State) -> dict[str, Any]:
    """What the page needs to show a position and to offer its legal actions.

    board                  by square: the name of its token, or None
    doubles, triples, bis  the special squares
    racks                  the tokens of each seat, `?` if hidden
    scores                 the score of each seat; at the end the final one
    bag                    the number of tokens in the bag
    unseen                 the number of tokens of each name that the viewer does not see
    legal                  the texts of the legal actions
    """
    return {
        "board": [cell_name(cell) if cell else None for cell in state.cells],
        **SPECIAL_SQUARES,
        "racks": [[token_name(token) for token in rack] for rack in state.racks],
        "scores": list((state.outcome or state).scores),
        "bag": state.bag,
        "unseen": {token_name(token): count for token, count in sorted(state.unseen_tokens.items()) if count},
        "legal": [str(action) for action in state.legal_actions()],
    }
