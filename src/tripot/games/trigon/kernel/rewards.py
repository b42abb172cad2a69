"""Rewards of a finished or predicted game, for max^n search: every team maximises its own reward."""

from __future__ import annotations

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.kernel.dtypes import Float64Array, Int64Array
from tripot.games.trigon.kernel.params import SearchParams


@njit_no_nrt
def compute_rewards(
    scores: Float64Array,
    in_play: int,
    teams: Int64Array,
    score_error: float,
    params: SearchParams,
    rewards: Float64Array,
    win_shares: Float64Array,
) -> None:
    """Compute the rewards and win shares, 0 to 1, from the scores of the colours. All arrays have length 4.

    The reward of a colour is `win_weight` times its win share, plus the rest for the margin. `score_error` is
    the root-mean-square error of predicted scores in points, and 0 for final scores.
    """
    leader, highest, second = _leading_totals(scores, in_play, teams)
    _compute_win_shares(scores, in_play, teams, score_error, highest, win_shares)
    for colour in range(4):
        if in_play >> colour & 1:
            total = _team_total(scores, in_play, teams, colour)
            ahead = total - (second if teams[colour] == leader else highest)
            margin = 0.5 + 0.5 * np.tanh(ahead / params.margin_scale)
            rewards[colour] = params.win_weight * win_shares[colour] + (1 - params.win_weight) * margin


@njit_no_nrt
def _team_total(scores: Float64Array, in_play: int, teams: Int64Array, colour: int) -> float:
    """Return the sum of the scores in the team of a colour."""
    total = 0.0
    for other in range(4):
        if in_play >> other & 1 and teams[other] == teams[colour]:
            total += scores[other]
    return total


@njit_no_nrt
def _leading_totals(scores: Float64Array, in_play: int, teams: Int64Array) -> tuple[int, float, float]:
    """Return the leading team (the first of equals), its total, and the highest total of the other teams."""
    leader, highest, second = 0, -1e9, -1e9
    for colour in range(4):
        if in_play >> colour & 1:
            total = _team_total(scores, in_play, teams, colour)
            if total > highest:
                leader, highest = int(teams[colour]), total
    for colour in range(4):
        if in_play >> colour & 1 and teams[colour] != leader:
            second = max(second, _team_total(scores, in_play, teams, colour))
    return leader, highest, second


@njit_no_nrt
def _compute_win_shares(
    scores: Float64Array,
    in_play: int,
    teams: Int64Array,
    score_error: float,
    highest: float,
    win_shares: Float64Array,
) -> None:
    """Divide one win among the teams.

    Final scores give equal shares to the teams with the highest total. For predicted scores, the share of a
    team falls exponentially with its distance from the highest total, in units of the error.
    """
    total_share, counted_teams = 0.0, 0
    for colour in range(4):
        if in_play >> colour & 1:
            behind = highest - _team_total(scores, in_play, teams, colour)
            share = np.exp(-behind / score_error) if score_error > 0 else 1.0 if behind == 0 else 0.0
            win_shares[colour] = share
            if not counted_teams >> teams[colour] & 1:
                total_share += share
            counted_teams |= 1 << teams[colour]
    for colour in range(4):
        if in_play >> colour & 1:
            win_shares[colour] /= total_share
