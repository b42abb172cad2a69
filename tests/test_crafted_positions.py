"""Altered texts of positions: each is refused, or gives a position of which every member works.

A position is part of a request to the server, so its text may be anything. Positions of random games are
changed at random: words and cells are removed, repeated, hidden, or replaced by those of other positions.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tripot
from tripot.game import AnyGame, AnyState, TripotError
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
