"""Tally for a terminal and as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tripot.drawing import svg_document
from tripot.game import StyledRows

if TYPE_CHECKING:
    from tripot.games.tally.rules import State


def draw_terminal(state: State) -> StyledRows:
    return (((f"heap {'o' * state.heap}  cards {state.cards}  taken {state.taken}", "bold"),),)


def draw_svg(state: State) -> str:
    return svg_document(100, 20, [f'<text y="15">{state.heap} {state.cards}</text>'])
