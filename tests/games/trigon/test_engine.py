"""The levels of the engine: each plays as documented, and better than those below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

import pytest
from typer.testing import Result

import tripot
from tripot.game import Limit
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
LIMIT = Limit(simulations=200)
QUICK = Limit(simulations=30)


def finished(options: Options, levels: tuple[int, ...], seed: int, limit: Limit = QUICK) -> State:
    rng, state = Random(seed), initial_state(options)
    engines = [GAME.engine(level) for level in levels]
    while state.to_act is not None:
        if not isinstance(state.to_act, int):
            state = state.apply(state.sample_chance(rng))
        else:
            state = state.apply(engines[state.to_act].choose(state, limit, rng).action)
    return state


def test_there_are_thirteen_levels() -> None:
    assert list(GAME.levels) == [*range(1, 14)]
    with pytest.raises(ValueError, match="Trigon has the levels 1 to 13, not 14"):
        GAME.engine(14)


def test_level_1_prefers_large_pieces() -> None:
    """Weak levels play like beginners, not at random: nobody starts with the single triangle."""
    state = initial_state(Options(players=2))
    sizes = [len(GAME.engine(1).choose(state, LIMIT, Random(seed)).action.cells) for seed in range(40)]
    assert sum(sizes) / len(sizes) > 5
    assert min(sizes) > 1


def test_level_7_samples_good_moves_and_predicts_the_outcome() -> None:
    """Not the same move every time, but never one that is much worse by its own prediction."""
    state = initial_state(Options(players=2)).apply(initial_state(Options(players=2)).legal_actions()[0])
    choices = [GAME.engine(7).choose(state, LIMIT, Random(seed)) for seed in range(12)]
    assert len({choice.action for choice in choices}) > 3
    wins = [choice.expected.win_rate for choice in choices if choice.expected]
    assert len(wins) == len(choices)
    assert max(wins) - min(wins) < 0.2
    assert all(choice.value == pytest.approx(2 * win - 1) for choice, win in zip(choices, wins, strict=True))


@pytest.mark.parametrize(("strong", "weak"), [(4, 1), (7, 2), (10, 5)])
@pytest.mark.parametrize(
    ("seeds", "limit"), [((2,), QUICK), pytest.param(range(1, 5), LIMIT, marks=pytest.mark.soak)]
)
def test_a_higher_level_beats_a_lower_one(strong: int, weak: int, seeds: Sequence[int], limit: Limit) -> None:
    """A game from each seat, with the same fixed seed: in total it has many more points."""
    ahead = 0
    for seed in seeds:
        for seats in ((strong, weak), (weak, strong)):
            outcome = finished(Options(players=2), seats, seed, limit).outcome
            assert outcome is not None
            ahead += outcome.scores[seats.index(strong)] - outcome.scores[seats.index(weak)]
    assert ahead > 20


@pytest.mark.parametrize("options", ["", "players=3 contact=corners", "teams=on"])
def test_the_top_level_plays_whole_games_of_all_variants(options: str) -> None:
    chosen = Options.parse(options)
    last = finished(chosen, (GAME.levels[-1],) * chosen.players, seed=3)
    assert min(last.score(colour) for colour in last.in_play) > -60


def test_an_analysis_has_every_move_of_the_opening_and_the_best_first() -> None:
    analysis = GAME.engine(GAME.levels[-1]).analyse(initial_state(Options(players=2)), LIMIT, Random(1))
    assert all(one.value >= other.value for one, other in pairwise(analysis.candidates))
    assert len(analysis.candidates) == 2478


def test_a_hint_says_what_territory_it_opens_and_takes() -> None:
    state, rng, keys = initial_state(Options(players=2)), Random(3), set()
    for _ in range(20):
        candidates = GAME.engine(5).analyse(state, QUICK, rng).candidates
        keys |= {known.key for candidate in candidates[:5] for known in candidate.facts}
        assert not any(candidate.facts for candidate in candidates[5:])
        state = state.apply(candidates[0].action)
    assert "opens" in keys
    assert any(key.startswith("takes_") for key in keys)


def test_a_match_with_more_threads_than_the_engine_supports_is_refused(
    run_cli: Callable[..., Result],
) -> None:
    """Each thread needs its part of the search tree. 400 threads ended in a traceback."""
    shown = run_cli("match", GAME.key, "--a", "tripot:threads=400", "--b", 1, code=2).stderr
    assert "the engine of Trigon: invalid number of threads 400: expected 1 to 366" in " ".join(shown.split())
