"""Two players and face-down tiles (TP-11): determinizations of the view are solved, one after the other."""

from __future__ import annotations

from statistics import fmean
from typing import NamedTuple

from tripot.engine.budget import Budget
from tripot.game import Analysis, Candidate, Limit, Rng, fact
from tripot.games.trippples.actions import Action
from tripot.games.trippples.kernel.params import SAMPLING_PARAMS
from tripot.games.trippples.kernel.results import (
    ResultRank,
    immediate_facts,
    new_candidate,
    steps_after,
)
from tripot.games.trippples.kernel.solver import solve
from tripot.games.trippples.kernel.tablebase import position_index
from tripot.games.trippples.kernel.tables import Int16Array, pack_layout
from tripot.games.trippples.rules import State


class Sample(NamedTuple):
    """What a move is worth in one determinization."""

    value: float
    """The score, discounted by its distance: 1.0 for a win at once, 0.5 for one in `far_plies` or more."""

    score: float
    """1 for a win, 0 for a draw, -1 for a loss."""


def analyse_hidden(view: State, limit: Limit, rng: Rng, max_samples: int) -> Analysis:
    """TP-11: solve determinizations of the view, and rank the moves by their mean value."""
    moves = [*view.legal_actions()]
    rng.shuffle(moves)
    samples: dict[Action, list[Sample]] = {move: [] for move in moves}

    def candidate(move: Action) -> Candidate:
        facts = immediate_facts(view, move)
        value, score = _mean_sample(samples[move])
        return new_candidate(move, value, facts=facts, score=score)

    def ranked() -> list[Action]:
        return sorted(moves, key=lambda move: (-_mean_sample(samples[move]).value, steps_after(view, move)))

    budget = Budget(limit, max_samples)
    for _ in budget.batches(1, best=lambda: candidate(ranked()[0])):
        determinization = view.determinize(rng)
        plies = solve(pack_layout(determinization.tiles, determinization.options), freeze_wins=False)
        for move in moves:
            samples[move].append(_sampled_value(determinization, move, plies))
    facts = (fact("ENGINE", "sampled", count=len(samples[moves[0]])),)
    return Analysis(tuple(map(candidate, ranked())), facts)


def _sampled_value(state: State, move: Action, plies: Int16Array) -> Sample:
    """Evaluate a move in a determinization by its table of `solve`."""
    after = state.apply(move)
    if after.outcome:
        score = after.outcome.scores[state.turn]
        return Sample(score, score)
    rank = ResultRank.from_plies(int(plies[position_index(after)]))
    score = rank.score if after.turn == state.turn else -rank.score
    far = SAMPLING_PARAMS.far_plies
    return Sample((1 - min(rank.distance, far) / (2 * far)) * score, score)


def _mean_sample(samples: list[Sample]) -> Sample:
    """Return the mean of samples; of none, a draw."""
    if not samples:
        return Sample(0.0, 0.0)
    return Sample(fmean(sample.value for sample in samples), fmean(sample.score for sample in samples))
