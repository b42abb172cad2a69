"""The choice of squares while tiles are laid (TP-1): random completions of the board are solved."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import numpy as np

from tripot.engine.budget import Budget
from tripot.game import Analysis, Limit, Rng, fact
from tripot.games.trippples.actions import Action
from tripot.games.trippples.kernel.params import SAMPLING_PARAMS
from tripot.games.trippples.kernel.results import new_candidate
from tripot.games.trippples.kernel.solver import solve
from tripot.games.trippples.kernel.tablebase import position_index
from tripot.games.trippples.kernel.tables import TURN_BIT, pack_layout
from tripot.games.trippples.rules import State


def analyse_laying(state: State, limit: Limit, rng: Rng, max_samples: int) -> Analysis:
    """TP-1: evaluate each square over random completions of the board, by sequential halving.

    The better half of the squares gets more samples, at each halving (Karnin, Koren and Somekh 2013).
    """
    seat = state.to_act
    assert isinstance(seat, int)
    squares = [*state.legal_actions()]
    rng.shuffle(squares)
    values: dict[Action, list[float]] = {action: [] for action in squares}
    tried, next_index = squares, 0
    budget = Budget(limit, max_samples)
    for _ in budget.batches(1, best=lambda: _laying_analysis(values).candidates[0]):
        action = tried[next_index % len(tried)]
        balance = _layout_balance(_random_completion(state.apply(action), rng))
        values[action].append(balance * (-1) ** seat)
        next_index += 1
        enough = SAMPLING_PARAMS.first_samples * (len(squares) // len(tried))
        if len(values[tried[-1]]) >= enough and len(tried) > SAMPLING_PARAMS.min_squares:
            tried = sorted(tried, key=lambda action: -fmean(values[action]))[: (len(tried) + 1) // 2]
            next_index = 0
    return _laying_analysis(values)


def _laying_analysis(values: dict[Action, list[float]]) -> Analysis:
    """Rank squares by their mean values, and of equal ones those with more samples first.

    Squares without a sample come last, unless there is no sample at all.
    """
    sample_count = sum(map(len, values.values()))
    default = -1.0 if sample_count else 0.0
    means = {action: fmean(samples) if samples else default for action, samples in values.items()}
    ranked = sorted(values, key=lambda action: (-means[action], -len(values[action])))
    candidates = tuple(new_candidate(action, means[action]) for action in ranked)
    return Analysis(candidates, (fact("ENGINE", "drafted", count=sample_count),))


def _random_completion(state: State, rng: Rng) -> State:
    """Return the board with all remaining tiles laid at random."""
    tiles, pool = bytearray(state.tiles), state.unlaid
    rng.shuffle(pool)
    for square in state.free_squares:
        tiles[square] = pool.pop()
    return replace(state, tiles=bytes(tiles), drawn_tile=0)


def _layout_balance(state: State) -> float:
    """Return how much a full board favours square (above 0) or round in the two-player game, -1.0 to 1.0.

    Nearly every board is drawn from the start, so then the share of positions that are won by each counts.
    """
    layout = pack_layout(state.tiles, state.options)
    results = np.sign(solve(layout, freeze_wins=state.options.freeze))
    start = int(results[position_index(state)])
    if start:
        return start
    square_wins, round_wins = int(results[:TURN_BIT].sum()), int(results[TURN_BIT:].sum())
    return (square_wins - round_wins) / (2 * max(1, int(np.count_nonzero(results))))
