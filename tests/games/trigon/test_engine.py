"""The computer players of the game: each level is what it says, and better than the one below."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import tripot
from tripot.game import Limit
from tripot.games.trigon.actions import Options
from tripot.games.trigon.rules import State, start

GAME = tripot.find("trigon")
LIMIT = Limit(seconds=0.1)


def finished(options: Options, levels: tuple[int, ...], seed: int) -> State:
    rng, state = Random(seed), start(options)
    engines = [GAME.engine(level) for level in levels]
    while state.to_act is not None:
        if not isinstance(state.to_act, int):
            state = state.apply(state.deal(rng))
        else:
            state = state.apply(engines[state.to_act].choose(state, LIMIT, rng).action)
    return state


def test_there_are_three_levels() -> None:
    assert list(GAME.levels) == [1, 2, 3]
    with pytest.raises(ValueError, match="levels are 1 to 3"):
        GAME.engine(4)


def test_level_2_plays_a_largest_piece() -> None:
    state = start(Options(players=2))
    for seed in range(10):
        chosen = GAME.engine(2).choose(state, LIMIT, Random(seed)).action
        assert len(chosen.cells) == max(len(move.cells) for move in state.legal())
        state = state.apply(chosen)


@pytest.mark.parametrize(("strong", "weak"), [(2, 1), (3, 2)])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_higher_level_beats_a_lower_one(strong: int, weak: int, seed: int) -> None:
    """By far, so one game from each side with fixed random numbers tells."""
    for seats in ((strong, weak), (weak, strong)):
        outcome = finished(Options(players=2), seats, seed).outcome
        assert outcome is not None
        assert outcome.scores[seats.index(strong)] > outcome.scores[seats.index(weak)]


@pytest.mark.parametrize("options", ["", "players=3 contact=corners", "teams=on"])
def test_the_top_level_plays_whole_games_of_every_kind(options: str) -> None:
    chosen = Options.read(options)
    last = finished(chosen, (3,) * chosen.players, seed=3)
    assert min(last.score(colour) for colour in last.in_play) > -40
    analysis = GAME.engine(3).analyse(start(Options(players=2)), LIMIT, Random(1))
    assert all(one.value >= other.value for one, other in pairwise(analysis.choices))
    assert len(analysis.choices) == 2478
