"""Conversion between kernels and the public types: teams, actions and expected outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tripot.game import Candidate, ExpectedOutcome
from tripot.games.trigon.actions import Place
from tripot.games.trigon.board import COLOURS
from tripot.games.trigon.kernel.distances import CellWorkspace
from tripot.games.trigon.kernel.dtypes import Float64Array, Int32Array, Int64Array
from tripot.games.trigon.kernel.params import SEARCH_PARAMS
from tripot.games.trigon.kernel.position import Position, decode_move
from tripot.games.trigon.kernel.prediction import predict_outcomes
from tripot.games.trigon.kernel.weights import load_weights
from tripot.games.trigon.rules import State


def team_of_colour(state: State) -> Int64Array:
    """Return int64[4]: the team of each colour. Colours of one team have the same number."""
    is_paired = state.options.is_paired
    return np.array([colour % 2 if is_paired else colour for colour in range(len(COLOURS))], np.int64)


def to_action(move: int) -> Place:
    """Return the action of a kernel's move."""
    return Place(decode_move(int(move)))


def expected_outcome(state: State, win_rate: float, scores: Float64Array) -> ExpectedOutcome:
    """Return what the seat to act can expect, from its win rate and the scores of the colours, float64[4]."""
    seats = [0.0] * state.options.players
    for colour in state.in_play:
        seats[state.seat_of(colour)] += float(scores[colour])
    return ExpectedOutcome(float(win_rate), tuple(seats))


def static_outcomes(
    state: State, position: Position, moves: Sequence[int] | Int32Array, workspace: CellWorkspace
) -> list[ExpectedOutcome]:
    """Return what the value table predicts after each of some moves of the colour to move, without search."""
    wins, scores = predict_outcomes(
        position,
        state.turn,
        team_of_colour(state),
        np.array(moves, np.int32),
        load_weights(state.options.is_paired).value,
        SEARCH_PARAMS,
        workspace,
    )
    return [expected_outcome(state, win, row) for win, row in zip(wins, scores, strict=True)]


def static_candidates(actions: Iterable[Place], outcomes: Iterable[ExpectedOutcome]) -> list[Candidate]:
    """Return moves with the value that the value table predicts after each, without search."""
    return [
        Candidate(action, 2 * expected.win_rate - 1, (action,), expected=expected)
        for action, expected in zip(actions, outcomes, strict=True)
    ]


def with_falling_values(ranked: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates, best first, with their values capped so that none is above one before it."""
    candidates, value = list[Candidate](), 1.0
    for candidate in ranked:
        value = min(value, candidate.value)
        candidates.append(replace(candidate, value=value))
    return tuple(candidates)
