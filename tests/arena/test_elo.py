"""The statistics of engine matches."""

from __future__ import annotations

from math import inf, isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripot.arena.elo import DRAW, LOSS, WIN, MatchScore, elo, game_points
from tripot.game import Outcome, fact

RESULTS = st.lists(st.sampled_from([WIN, DRAW, LOSS]), max_size=60).map(tuple)
REASON = fact("X-2", "over")


def test_wins_draws_and_losses_are_counted() -> None:
    score = MatchScore((WIN, DRAW, LOSS, WIN))
    assert (score.wins, score.draws, score.losses, score.rate) == (2, 1, 1, 0.625)


@pytest.mark.parametrize(
    ("scores", "teams", "seats", "points"),
    [
        ((1, -1), (0, 1), (0,), WIN),
        ((1, -1), (0, 1), (1,), LOSS),
        ((0, 0), (0, 1), (0,), DRAW),
        ((-1, 1, -1, 1), (0, 1, 0, 1), (1, 3), WIN),
        ((12, 30, 30), (0, 1, 2), (0, 2), DRAW),
        ((12, 30, 31), (0, 1, 2), (0, 2), WIN),
    ],
)
def test_game_points_depend_on_the_winners(
    scores: tuple[int, ...], teams: tuple[int, ...], seats: tuple[int, ...], points: float
) -> None:
    assert game_points(Outcome(scores, teams, REASON), seats) == points


@pytest.mark.parametrize(("rate", "difference"), [(0.5, 0), (0.64, 100), (0.76, 200), (0.91, 402)])
def test_elo_of_known_rates(rate: float, difference: float) -> None:
    assert isclose(elo(rate), difference, abs_tol=1)
    assert isclose(elo(1 - rate), -difference, abs_tol=1)


def test_elo_of_a_one_sided_match_is_infinite_but_its_lower_bound_is_not() -> None:
    score = MatchScore((WIN,) * 20)
    assert score.elo == inf
    low, high = score.elo_interval()
    assert 0 < low < inf
    assert high == inf


def test_the_interval_is_0_to_1_before_the_first_game() -> None:
    score = MatchScore(())
    assert score.rate == 0.5
    assert score.interval() == (0, 1)


def test_the_interval_is_not_empty_if_all_games_end_alike() -> None:
    for result in (WIN, DRAW, LOSS):
        low, high = MatchScore((result,) * 100).interval()
        assert low <= result <= high
        assert 0.03 < high - low < 0.12


@given(RESULTS)
def test_the_interval_contains_the_rate_and_is_symmetric_in_the_contestants(
    results: tuple[float, ...],
) -> None:
    score, turned = MatchScore(results), MatchScore(tuple(1 - points for points in results))
    low, high = score.interval()
    assert 0 <= low <= score.rate <= high <= 1
    assert turned.interval() == pytest.approx((1 - high, 1 - low))


@given(RESULTS)
def test_more_confidence_gives_a_wider_interval(results: tuple[float, ...]) -> None:
    narrow, wide = MatchScore(results).interval(0.8), MatchScore(results).interval(0.99)
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


def test_the_influence_of_the_layout_cancels_out_within_pairs() -> None:
    decided_by_layout = MatchScore((WIN, LOSS) * 100)
    by_strength = MatchScore((WIN, WIN, LOSS, LOSS) * 50)
    assert decided_by_layout.rate == by_strength.rate
    width = [high - low for low, high in (decided_by_layout.interval(), by_strength.interval())]
    assert width[0] < width[1] / 3


def test_the_interval_contains_the_true_rate_with_its_probability() -> None:
    rng, hits = Random(1), 0
    for _ in range(400):
        low, high = MatchScore(tuple(rng.choices((WIN, DRAW, LOSS), (5, 3, 2), k=60))).interval()
        hits += low <= 0.65 <= high
    assert 0.92 <= hits / 400 <= 0.98


def test_games_of_incomplete_pairs_are_no_pairs() -> None:
    score = MatchScore((WIN, DRAW, WIN, LOSS), single_count=2)
    assert score.pair_counts == (0, 0, 0, 1, 0)
    assert (score.wins, score.draws, score.losses, score.rate) == (2, 1, 1, 0.625)
    assert score.interval() != MatchScore(score.game_points).interval()
