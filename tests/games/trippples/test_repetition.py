"""`perfect_play.solve`, on which TP-7 rests, against a plain walk through the rules, state by state."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from bench.trippples import laid, walk

from tripot.game import CHANCE
from tripot.games.trippples import GAME, perfect_play
from tripot.games.trippples.options import Options
from tripot.games.trippples.perfect_play import solve
from tripot.games.trippples.rules import State

VARIANTS = [*product(("closed", "wild"), ("corner", "inset"), ("corner", "centre"), (False, True))]


def is_in_every_run(neutral: str, corners: str, finish: str, called: bool) -> bool:
    """Five variants, with every combination of any two of the four choices."""
    return (neutral == "wild") + (corners == "inset") + (finish == "centre") + called in (0, 3)


@pytest.mark.parametrize(
    ("neutral", "corners", "finish", "called"),
    [
        pytest.param(*variant, marks=() if is_in_every_run(*variant) else pytest.mark.soak)
        for variant in VARIANTS
    ],
)
def test_perfect_play_agrees_with_the_rules(neutral: str, corners: str, finish: str, called: bool) -> None:
    options = Options(neutral=neutral, corners=corners, finish=finish)
    tiles = laid(options, 7)
    assert solve(tiles, options, called) == walk(tiles, options, called)


@pytest.fixture
def compiled_lookup() -> Iterator[None]:
    """The rules use the compiled solver, as on a server."""
    GAME.preload()
    yield
    perfect_play.use_lookup(None)


@pytest.mark.kernel
@pytest.mark.parametrize("variant", ["", "neutral=wild", "corners=inset", "finish=centre neutral=wild"])
@pytest.mark.usefixtures("compiled_lookup")
def test_the_compiled_solver_judges_every_position_like_the_plain_one(variant: str) -> None:
    """A server cannot wait 50 ms for the plain solver, so it judges with the compiled one (TP-7)."""
    options = Options.parse(variant)
    for seed in range(3):
        tiles = laid(options, seed)
        plain = solve(tiles, options)
        assert {key: perfect_play.plies_of(tiles, options, key) for key in plain} == plain


@pytest.mark.kernel
def test_games_end_by_repetition_in_the_same_way_with_the_compiled_solver(
    request: pytest.FixtureRequest,
) -> None:
    states = [repeated_state(seed) for seed in range(6)]
    plain = [state.outcome for state in states]
    assert any(outcome is not None and outcome.reason.clause == "TP-7" for outcome in plain)
    request.getfixturevalue("compiled_lookup")
    assert [repeated_state(seed).outcome for seed in range(6)] == plain


def repeated_state(seed: int) -> State:
    """The end of a game in which both players prefer positions that have occurred before."""
    rng = Random(seed)
    state = GAME.initial_state()
    while state.to_act is not None:
        if state.to_act is CHANCE:
            state = state.apply(state.sample_chance(rng))
            continue
        after = [state.apply(action) for action in state.legal_actions()]
        state = max(after, key=lambda each: (each.repetition_key in state.past_keys(), rng.random()))
    return state
