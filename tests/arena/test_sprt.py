"""The sequential probability ratio test."""

from __future__ import annotations

from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripot.arena.elo import DRAW, LOSS, WIN, MatchScore, expected_rate
from tripot.arena.sprt import PAIR_SCORES, Sprt, SprtError, log_likelihood_ratio

COUNTS = st.tuples(*[st.integers(0, 200)] * 5).filter(any)

# Pairs with 0, 1/2, 1, 3/2 and 2 points, the hypotheses, and what `LLR_logistic` of fishtest gives for them.
FISHTEST_VALUES = [
    ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
    ((3, 20, 50, 22, 5), 0, 5, 0.17838022438188125),
    ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
    ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
    ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
    ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ((12, 40, 60, 30, 8), -10, 10, -2.0579732004260216),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FISHTEST_VALUES)
def test_the_ratio_is_that_of_fishtest(
    counts: tuple[int, ...], elo0: float, elo1: float, expected: float
) -> None:
    assert log_likelihood_ratio(counts, elo0, elo1) == pytest.approx(expected, abs=1e-9)


def test_the_bounds_are_those_of_wald() -> None:
    lower, upper = Sprt(0, 5).bounds
    assert (lower, upper) == pytest.approx((-2.9444389791664403, 2.9444389791664403), abs=1e-12)
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((log(0.1 / 0.95), log(0.9 / 0.05)))


@given(COUNTS)
def test_the_ratio_changes_sign_with_the_hypotheses_and_with_the_contestants(
    counts: tuple[int, ...],
) -> None:
    ratio = log_likelihood_ratio(counts, -3, 12)
    assert log_likelihood_ratio(counts, 12, -3) == pytest.approx(-ratio, abs=1e-9)
    assert log_likelihood_ratio(counts[::-1], -12, 3) == pytest.approx(-ratio, abs=1e-6)


@given(COUNTS)
def test_no_distribution_with_the_mean_of_a_hypothesis_has_a_greater_likelihood(
    counts: tuple[int, ...],
) -> None:
    """The ratio to the unrestricted maximum is never positive, and 0 at the observed mean."""
    observed = [count or 1e-3 for count in counts]
    total = sum(observed)
    mean = sum(score * count for score, count in zip(PAIR_SCORES, observed, strict=True)) / total
    elo_observed = MatchScore(()).elo if mean == 0.5 else -400 * log(1 / mean - 1, 10)
    for difference in (-60, 0, 45):
        assert log_likelihood_ratio(counts, elo_observed, difference) <= 1e-6


def test_only_complete_pairs_count() -> None:
    test = Sprt(0, 10)
    assert test.status(MatchScore(())).llr == test.status(MatchScore((WIN,))).llr == 0
    assert test.status(MatchScore((WIN, DRAW, WIN))) == test.status(MatchScore((WIN, DRAW)))


def test_pairs_decided_by_the_layout_do_not_delay_the_decision() -> None:
    """Pairs that are won by the layout have no variance; the same games without pairing would have much."""
    paired = log_likelihood_ratio((0, 0, 90, 10, 0), 0, 10)
    unpaired = log_likelihood_ratio((20, 5, 45, 10, 20), 0, 10)
    assert paired > 2 * abs(unpaired)


@pytest.mark.parametrize(("result", "decision"), [(WIN, "H1"), (LOSS, "H0")])
def test_a_one_sided_match_is_decided_soon(result: float, decision: str) -> None:
    test = Sprt(0, 50)
    assert test.status(MatchScore((result,) * 2)).decision is None
    assert test.status(MatchScore((result,) * 60)).decision == decision


def test_the_status_has_a_text() -> None:
    assert str(Sprt(0, 20).status(MatchScore((WIN, DRAW) * 4))).endswith("(-2.94 to +2.94)")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 0), "expected ELO0 < ELO1"),
        ((0, 0), "expected ELO0 < ELO1"),
        ((0, float("nan")), "expected ELO0 < ELO1"),
        ((0, 5, 0.0), "invalid SPRT alpha 0"),
        ((0, 5, 0.05, 0.5), "invalid SPRT beta 0.5"),
    ],
)
def test_invalid_tests_are_refused(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(SprtError, match=message):
        Sprt(*arguments)


@pytest.mark.parametrize(("difference", "wrong"), [(0.0, "H1"), (100.0, "H0")])
def test_wrong_decisions_have_about_the_given_probability(difference: float, wrong: str) -> None:
    """Simulated matches whose true difference is that of one hypothesis; 5% may accept the other."""
    test, rng, decisions = Sprt(0, 100), Random(1), list[str]()
    rate, draws = expected_rate(difference), 0.3
    weights = (rate - draws / 2, draws, 1 - rate - draws / 2)
    for _ in range(80):
        points: tuple[float, ...] = ()
        while not (decision := test.status(MatchScore(points)).decision):
            points += tuple(rng.choices((WIN, DRAW, LOSS), weights, k=8))
        decisions.append(decision)
    assert decisions.count(wrong) <= 8
