"""Tally as text: `take 2`, `deal 1,3`; `tally 5 cards 1,0 taken 0,0 turn 1 heap=5`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tripot.game import GtpDialect, ParseError
from tripot.games.tally.actions import Action, Deal, Take
from tripot.games.tally.options import Options

if TYPE_CHECKING:
    from tripot.games.tally.rules import State


def parse_action(text: str) -> Action:
    match text.split():
        case ["take", count] if count.isdecimal():
            return Take(int(count))
        case ["deal", cards] if len(cards) == 3 and cards[1] == "," and (cards[0] + cards[2]).isdecimal():
            return Deal((int(cards[0]), int(cards[2])))
    raise ParseError(text, "take 1, take 2 or take 3")


def gtp_dialect(options: Options) -> GtpDialect:
    return GtpDialect(
        game_name=f"Tally {options.heap}",
        colour_of=lambda state: str(state.turn + 1),
        vertex_text=lambda take: str(take.count),
        parse_vertex=lambda vertex: parse_action(f"take {vertex}"),
    )


def state_text(state: State) -> str:
    cards = ",".join(map(str, state.cards)) or "-"
    taken = ",".join(map(str, state.taken))
    return f"tally {state.heap} {cards} {taken} {state.turn + 1} heap={state.options.heap}"


def parse_state(text: str, state_class: type[State]) -> State:
    try:
        key, heap, cards, taken, turn, options = text.split()
        one, two = (int(count) for count in taken.split(","))
        hand = () if cards == "-" else tuple(int(card) for card in cards.split(","))
        if key != "tally":
            raise ValueError
        return state_class(Options.parse(options), int(heap), hand, (one, two), int(turn) - 1)
    except ValueError:
        raise ParseError(text, "not a position of Tally") from None
