"""Tally as text: `take 2`, `deal 1,3`; `tally 5 cards 1,0 taken 0,0 turn 1 heap=5`."""

from __future__ import annotations

from tripot.game import Dialect, Unreadable
from tripot.games.tally.actions import Action, Deal, Options, Take
from tripot.games.tally.rules import State


def read(text: str) -> Action:
    match text.split():
        case ["take", count] if count.isdecimal():
            return Take(int(count))
        case ["deal", cards] if len(cards) == 3 and cards[1] == "," and (cards[0] + cards[2]).isdecimal():
            return Deal((int(cards[0]), int(cards[2])))
    raise Unreadable(text, "take 1, take 2 or take 3")


def dialect(options: Options) -> Dialect:
    return Dialect(
        variant=f"Tally {options.heap}",
        colour=lambda state: str(state.turn + 1),
        write=lambda take: str(take.count),
        read=lambda vertex: read(f"take {vertex}"),
    )


def dump(state: State) -> str:
    cards = ",".join(map(str, state.cards)) or "-"
    taken = ",".join(map(str, state.taken))
    return f"tally {state.heap} {cards} {taken} {state.turn + 1} heap={state.options.heap}"


def load(text: str) -> State:
    try:
        key, heap, cards, taken, turn, options = text.split()
        one, two = (int(each) for each in taken.split(","))
        held = () if cards == "-" else tuple(int(card) for card in cards.split(","))
        if key != "tally":
            raise ValueError
        return State(Options.read(options), int(heap), held, (one, two), int(turn) - 1)
    except ValueError:
        raise Unreadable(text, "not a position of Tally") from None
