"""Texts of positions that nobody has played: each is refused, or everything can be asked of it and answers.

A position is part of a request to the server, so its text may be anything. Positions of random games are
changed at random: words and cells are removed, repeated, hidden, or replaced by those of other positions.
"""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tripot
from tripot.game import AnyGame, AnyState, HiddenInformationError, ParseError, TripotError
from tripot.testing import random_options, random_playthrough, viewers

EXAMPLES, SOAK_EXAMPLES = 20, 1000  # random games
MAX_RANDOM_NUMBERS = 20_000  # far more than any completion needs
SEPARATORS = re.compile(r"([ /,+=])")


class CountingRandom(Random):
    """Refuses to draw for ever."""

    drawn = 0

    def sample(self, *args: Any, **kwargs: Any) -> Any:
        self.drawn += 1
        assert self.drawn < MAX_RANDOM_NUMBERS, "no completion was found, and none was refused"
        return super().sample(*args, **kwargs)


def position_texts(game: AnyGame, rng: Random) -> list[str]:
    """Texts of some states of a random game, and of what their viewers see."""
    start = game.initial_state(random_options(game, rng))
    states = [state for state, _ in random_playthrough(start, rng, 200)]
    chosen = rng.sample(states, min(3, len(states)))
    return [state.view(viewer).to_text() for state in chosen for viewer in viewers(state)] + [
        state.to_text() for state in chosen
    ]


def changed(texts: list[str], rng: Random) -> str:
    """One of some texts with a few random changes."""
    parts = SEPARATORS.split(rng.choice(texts))
    for _ in range(rng.randint(1, 6)):
        if len(parts) < 4:
            break
        index, others = rng.randrange(2, len(parts)), SEPARATORS.split(rng.choice(texts))
        change = rng.choice(["hide", "hide", "drop", "repeat", "empty", "replace", "word", "number"])
        if change == "word":
            words = "".join(parts).split(" ")
            words[rng.randrange(1, len(words))] = rng.choice("".join(others).split(" ")[1:])
            parts = SEPARATORS.split(" ".join(words))
        elif change == "drop":
            del parts[index : index + 2]
        elif change == "repeat":
            parts[index:index] = parts[max(1, index - 2) : index]
        else:
            new = {
                "hide": "?",
                "empty": "-",
                "replace": rng.choice(others),
                "number": str(rng.choice([0, 1, 99, 10**6])),
            }
            parts[index] = new[change]
    return "".join(parts)


def check_answers(game: AnyGame, state: AnyState, rng: Random) -> None:
    """Everything that a server asks of a position, which must be answered without an internal error."""
    assert game.parse_state(state.to_text()) == state
    full = state.determinize(CountingRandom(rng.random()))
    assert full.determinize(rng) == full, "something is still hidden"
    for each in (state, full):
        for seat in viewers(each):
            each.view(seat).to_json()
        for action in each.legal_actions()[:3]:
            each.preview(action)
    if full.to_act is not None:
        for after, action in random_playthrough(full, rng, 3):
            assert after.preview(action).error is None


@pytest.mark.parametrize("examples", [EXAMPLES, pytest.param(SOAK_EXAMPLES, marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", tripot.list_games(), ids=lambda game: game.key)
def test_a_changed_position_is_refused_or_can_be_played(game: AnyGame, examples: int) -> None:
    @settings(max_examples=examples)
    @given(seed=st.integers(0, 2**32))
    def search(seed: int) -> None:
        rng = Random(seed)
        texts = position_texts(game, rng)
        for _ in range(12):
            text = changed(texts, rng)
            try:
                state = game.parse_state(text)
            except TripotError:
                continue
            check_answers(game, state, rng)

    search()


CLOSED_BOARD = (
    "A1=9,A2=6,A4=0,A5=4,A6=11,A8=4,A9=J9,A12=0,A13=2,B2=2,B3=1,B4=J12,B6=4,B8=5,B9=4,B13=5,B14=9,C3=13,"
    "C7=5,C8=6,C12=0,C13=8,D2=7,D3=1,D4=7,D6=8,D7=6,D11=4,D12=1,E1=0,E2=7,E4=7,E5=3,E6=5,E10=0,E11=0,"
    "F1=8,F2=1,F3=6,F5=11,F6=2,F7=2,F9=6,F10=3,G4=2,G5=1,G7=4,G8=3,G9=8,H2=3,H3=10,H4=2,H8=2,H9=1,I2=10,"
    "I3=3,I5=9,I7=0,I8=10,J1=7,J2=2,J5=1,J6=9,J7=5,K1=1,K4=6,K5=5,L3=1,L4=7,M2=3,M3=4,N1=12,N2=0,O1=0,"
    "O2=12,O3=3"
)
"""No hidden token fits anywhere on it, but a token on the visible rack of the other seat does."""


def test_triolet_hidden_tokens_that_fit_nowhere_are_refused() -> None:
    """Determinizing such a position drew for ever, so each request occupied a thread of the server."""
    game = tripot.get_game("triolet")
    with pytest.raises(ParseError, match="seat 1 can neither place nor exchange"):
        game.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/11,13 turn=1")
    visible = game.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/11,13 turn=2")
    hidden = replace(cast(Any, visible), turn=0)
    with pytest.raises(HiddenInformationError, match="no hidden tokens"):
        hidden.determinize(CountingRandom(1))


def test_triolet_an_empty_rack_ends_the_game_so_no_rack_is_hidden() -> None:
    with pytest.raises(ParseError, match="a rack is empty"):
        tripot.parse_state(f"triolet {CLOSED_BOARD} racks=?,?/?,?/- players=3")


def test_triggery_tiles_beside_hidden_ones_come_from_the_bag() -> None:
    """Such a board was completed with tiles of a bag that cannot have had the others."""
    rows = "?,?,?,?,?,?/" * 5
    with pytest.raises(ParseError, match="the bag does not have so many tiles 24"):
        tripot.parse_state(f"triggery {rows}24,24,1,2,3,4")
    assert tripot.parse_state(f"triggery {rows}24,23,1,2,3,4").determinize(Random(1))
