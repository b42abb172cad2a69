"""The engine of Triolet.

    level 1-4  greedy: the most points of some random placements, at level 1 of four
    level 5    greedy: the most points of all
    level 6    equity: points, leave value, and the expected reply of the next player
    level 7    determinized playouts of the best moves by equity, with successive halving;
               with two players and an empty bag, an exact search for every rack that the opponent may hold

Values are points in the kernels; `win_probability` converts a lead in points.
See docs/games/triolet/engine.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from types import MappingProxyType
from typing import Final

import numpy as np

from tripot.engine.budget import Budget
from tripot.game import (
    Analysis,
    AnyState,
    Candidate,
    Engine,
    ExpectedOutcome,
    Fact,
    Limit,
    NoDecisionError,
    Rng,
    fact,
)
from tripot.games.triolet.actions import Action, Exchange, Place
from tripot.games.triolet.board import HIDDEN_TOKEN, JOKER
from tripot.games.triolet.kernel.endgame import endgame_gains, new_endgame_buffers
from tripot.games.triolet.kernel.moves import Moves, new_moves, new_workspace
from tripot.games.triolet.kernel.playout import (
    SimulationSums,
    new_playout_buffers,
    new_simulation_sums,
    simulate_moves,
)
from tripot.games.triolet.kernel.position import GamePosition, new_position
from tripot.games.triolet.kernel.tables import Float64Array, Uint8Array, decode, to_grid, to_rack
from tripot.games.triolet.kernel.value import (
    LEAVE_VALUES,
    VALUE_PARAMS,
    evaluate_moves,
    new_values,
    subtract_replies,
    win_probability,
)
from tripot.games.triolet.rules import State

# --- Parameters ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LevelParams:
    """How a level plays. The numbers were chosen so that the steps between the levels are about equal."""

    noticed: int | None = None
    """How many of its placements, chosen at random, a level sees; None for all of them."""

    uses_equity: bool = False
    """Whether moves are compared by their equity, and not by their points alone."""

    is_search: bool = False
    """Whether the best moves by equity are simulated, and endgames of two are searched."""


LEVELS: Final[Mapping[int, LevelParams]] = MappingProxyType(
    {
        1: LevelParams(noticed=4),
        2: LevelParams(noticed=5),
        3: LevelParams(noticed=8),
        4: LevelParams(noticed=17),
        5: LevelParams(),
        6: LevelParams(uses_equity=True),
        7: LevelParams(uses_equity=True, is_search=True),
    }
)


@dataclass(frozen=True, slots=True)
class SearchParams:
    """The numbers of the search. None is fitted by `train.py`; no tuning match is recorded."""

    max_candidates: int = 24
    """How many moves, the best by equity, the first stage of successive halving simulates."""
    full_playout_bag: int = 6
    """With at most this many tokens in the bag, a playout continues to the end of the game. With more it has
    one turn per seat, and the lead is then evaluated."""
    max_playout_turns: int = 100
    """A number of turns that ends every game."""
    empty_board_reply: float = 55.0
    """Points that the next player is expected to gain on an empty board, which an exchange leaves: the mean
    equity of the best placement on it, 10 points over 200 random racks, and the two turns that come before
    the board is like any other (twice `VALUE_PARAMS.tempo`)."""


SEARCH_PARAMS: Final = SearchParams()


@dataclass(slots=True)
class MoveEstimate:
    """A move with its evaluation so far."""

    action: Action
    code: int
    points: int
    value: float
    """The equity in points; at the levels without equity, the points that the move scores."""
    win_rate: float = 0.0
    lead: float = 0.0
    """Points ahead of the best other seat at the end."""
    scores: tuple[float, ...] = ()
    """The expected final score of each seat."""
    determinizations: int = 0
    """How many sampled or possible positions the estimate is based on; 0 for a static evaluation."""


# --- Engine --------------------------------------------------------------------------------------


class TrioletEngine(Engine[Action]):
    """The computer player of one level."""

    state_type = State

    def __init__(self, level: int) -> None:
        super().__init__()
        self.level, self.level_params = level, LEVELS[level]

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        candidates = self._analyse(view, limit, rng).candidates
        if self.level_params.noticed is None:
            return candidates[0]
        return _best_noticed(candidates, self.level_params.noticed, rng)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        analysis = self._rank(view, limit, rng)
        if JOKER not in view.racks[view.turn]:
            return analysis
        candidates = tuple(
            replace(candidate, facts=(*candidate.facts, _joker_fact(candidate.action)))
            for candidate in analysis.candidates
        )
        return replace(analysis, candidates=candidates)

    def _rank(self, view: State, limit: Limit, rng: Rng) -> Analysis:
        """Return all legal actions, best first."""
        if HIDDEN_TOKEN in view.racks[view.turn]:
            raise NoDecisionError("this is not the view of the seat to act")
        position = to_position(view)
        estimates = evaluate_all(view, position, self.level_params.uses_equity)
        if not self.level_params.is_search or len(estimates) == 1:
            return _analysis(estimates, ())
        if not view.bag and view.options.players == 2:
            return _analysis(*_solve_endgame(view, position, estimates, limit))
        return _analysis(*_simulate(view, position, estimates, limit, rng))


def _best_noticed(candidates: tuple[Candidate, ...], noticed: int, rng: Rng) -> Candidate:
    """Return the best of some random placements; if nothing can be placed, the best candidate.

    An exchange is never noticed before a placement.
    """
    placements = [index for index, candidate in enumerate(candidates) if isinstance(candidate.action, Place)]
    if not placements:
        return candidates[0]
    return candidates[min(rng.sample(placements, min(noticed, len(placements))))]


def to_position(view: State) -> GamePosition:
    """Convert a view to a position of the kernels. The tokens of the bag are not known, only their number."""
    position = new_position(view.options.players, 0)
    position.grid[:] = to_grid(view.cells)
    for seat, rack in enumerate(view.racks):
        position.racks[seat] = to_rack(rack)
    position.scores[:] = view.scores
    position.bag_end[0], position.turn[0] = view.bag, view.turn
    return position


def _analysis(ranked: list[MoveEstimate], facts: tuple[Fact, ...]) -> Analysis:
    """Make an analysis of ranked moves.

    Values never increase down the list: a move that was simulated less is not trusted more.
    """
    candidates, ceiling = [], 1.0
    for estimate in ranked:
        ceiling = min(ceiling, estimate.win_rate)
        candidates.append(_candidate(estimate, 2 * ceiling - 1))
    return Analysis(tuple(candidates), facts)


def _candidate(estimate: MoveEstimate, value: float) -> Candidate:
    """Make a candidate of an estimate. Its pv is the action alone: the reply depends on hidden tokens."""
    facts = []
    if isinstance(estimate.action, Place):
        facts.append(fact("ENGINE", "points", points=estimate.points))
    percent = round(100 * estimate.win_rate)
    facts.append(fact("ENGINE", "expects", lead=f"{estimate.lead:+.0f}", percent=percent))
    expected = ExpectedOutcome(estimate.win_rate, estimate.scores)
    return Candidate(estimate.action, value, (estimate.action,), tuple(facts), expected)


def _joker_fact(action: Action) -> Fact:
    """State whether the joker of a rack is kept."""
    if isinstance(action, Place):
        used = any(token.joker for token in action.tokens)
    else:
        used = isinstance(action, Exchange) and JOKER in action.tokens
    return fact("ENGINE", "uses_joker" if used else "keeps_joker")


def _best_candidate(estimates: list[MoveEstimate]) -> Candidate:
    """Return the best move so far, for a progress report."""
    best = min(estimates, key=_sort_key)
    return _candidate(best, 2 * best.win_rate - 1)


# --- Static evaluation ---------------------------------------------------------------------------


def evaluate_all(view: State, position: GamePosition, uses_equity: bool) -> list[MoveEstimate]:
    """Return all legal moves, best first by their equity, or by their points alone."""
    moves, values, workspace = new_moves(), new_values(), new_workspace()
    count, _ = evaluate_moves(position, LEAVE_VALUES, workspace, moves, values)
    if uses_equity:
        unseen = np.array([view.unseen_tokens[token] for token in range(JOKER + 1)], np.float64)
        subtract_replies(position, unseen, workspace, moves, count, values)
        if not any(view.cells):  # there is no anchor, and the reply after an exchange would count nothing
            values[:count][moves.codes[:count] < 0] -= SEARCH_PARAMS.empty_board_reply
    else:
        values[:count] = moves.points[:count]
    legal, rack = {*view.legal_actions()}, view.racks[view.turn]
    estimates: dict[Action, MoveEstimate] = {}
    lists = (array[:count].tolist() for array in (*moves, values))
    for code, points, value in zip(*lists, strict=True):
        action = decode(code, rack)
        if action in legal and action not in estimates:  # equal tokens make equal exchanges
            estimates[action] = MoveEstimate(action, code, points, value)
    lead, tokens = _lead(view), view.bag + sum(map(len, view.racks))
    # An equity contains the reply. Without it, the next player is assumed to score an average turn.
    reply = 0.0 if uses_equity else 2 * VALUE_PARAMS.tempo
    for estimate in estimates.values():
        estimate.lead = lead + estimate.value - reply
        estimate.win_rate = win_probability(estimate.lead, max(1, tokens))
        estimate.scores = _expected_scores(view, tokens, estimate.lead - lead)
    return sorted(estimates.values(), key=lambda estimate: (-estimate.value, estimate.code < 0))


def _lead(view: State) -> int:
    """Return the lead in points of the seat to play over the best other one."""
    others = [score for seat, score in enumerate(view.scores) if seat != view.turn]
    return view.scores[view.turn] - max(others)


def _expected_scores(view: State, tokens: int, gain: float) -> tuple[float, ...]:
    """Return the final scores to expect if the seat to play gains some points on each of the others.

    The model: all seats score equal shares of the points that the `tokens` in the bag and on the racks bring.
    """
    share = VALUE_PARAMS.points_per_token * tokens / view.options.players
    return tuple(
        score + share + (gain if seat == view.turn else -gain) / 2 for seat, score in enumerate(view.scores)
    )


# --- Playouts ------------------------------------------------------------------------------------


def _simulate(
    view: State, position: GamePosition, estimates: list[MoveEstimate], limit: Limit, rng: Rng
) -> tuple[list[MoveEstimate], tuple[Fact, ...]]:
    """Rank moves by determinized playouts with successive halving (Karnin, Koren and Somekh 2013).

    Each stage simulates the remaining moves equally often and keeps the better half of them. A stage draws
    one seed, and its random numbers continue from batch to batch, so the sizes of the batches do not change
    results.
    """
    players = view.options.players
    pool = np.array(sorted(view.unseen_tokens.elements()), np.uint8)
    turns = SEARCH_PARAMS.max_playout_turns if view.bag <= SEARCH_PARAMS.full_playout_bag else players
    survivors = estimates[: SEARCH_PARAMS.max_candidates]
    budget = Budget(limit)
    for stage in budget.stages(max(1, (len(survivors) - 1).bit_length())):
        buffers = new_playout_buffers(players, rng.getrandbits(32))
        candidates = Moves(
            np.array([estimate.code for estimate in survivors], np.int32),
            np.array([estimate.points for estimate in survivors], np.int32),
        )
        sums = new_simulation_sums(len(survivors), players)
        before = [replace(estimate) for estimate in survivors]
        for count in stage.batches(best=partial(_best_candidate, survivors)):
            simulate_moves(position, pool, candidates, count, turns, LEAVE_VALUES, buffers, sums)
            _add_sums(survivors, before, sums, stage.simulations)
        survivors = sorted(survivors, key=_sort_key)[: (len(survivors) + 1) // 2]
    ranked = sorted(estimates, key=_sort_key)
    return ranked, (fact("ENGINE", "simulated", count=budget.simulations),)


def _add_sums(
    estimates: list[MoveEstimate], before: list[MoveEstimate], sums: SimulationSums, simulations: int
) -> None:
    """Set each estimate to the mean over the earlier stages, in `before`, and the simulations of this
    stage."""
    totals = (array.tolist() for array in sums)
    for estimate, old, win_rate, lead, scores in zip(estimates, before, *totals, strict=True):
        weight, count = old.determinizations, old.determinizations + simulations
        estimate.win_rate = (old.win_rate * weight + win_rate) / count
        estimate.lead = (old.lead * weight + lead) / count
        estimate.scores = tuple(
            (mean * weight + total) / count for mean, total in zip(old.scores, scores, strict=True)
        )
        estimate.determinizations = count


def _sort_key(estimate: MoveEstimate) -> tuple[int, float, float]:
    """Sort by the number of simulations, then by win rate, then by equity, all from high to low."""
    return -estimate.determinizations, -estimate.win_rate, -estimate.value


# --- Endgame -------------------------------------------------------------------------------------


def _solve_endgame(
    view: State, position: GamePosition, estimates: list[MoveEstimate], limit: Limit
) -> tuple[list[MoveEstimate], tuple[Fact, ...]]:
    """Search each move to the end of the game for every rack that the opponent may hold.

    The moves are searched in the order of their equity. One that the budget does not reach keeps its
    estimate.
    """
    racks, probabilities = possible_racks(view, 1 - view.turn)
    buffers, lead = new_endgame_buffers(), _lead(view)
    gains, totals = np.zeros(len(racks), np.int32), np.zeros(len(racks), np.int32)
    budget = Budget(limit, max_simulations=len(estimates))  # one simulation is one move here
    batches = budget.batches(size=1, best=partial(_best_candidate, estimates))
    for _, estimate in zip(batches, estimates, strict=False):
        endgame_gains(position, estimate.code, estimate.points, racks, buffers, gains, totals)
        leads = lead + gains
        estimate.win_rate = float(probabilities @ ((np.sign(leads) + 1) / 2))
        estimate.lead = float(probabilities @ leads)
        final_sum = sum(view.scores) + float(probabilities @ totals)
        own, other = (final_sum + estimate.lead) / 2, (final_sum - estimate.lead) / 2
        estimate.scores = (own, other) if view.turn == 0 else (other, own)
        estimate.determinizations = len(racks)
    ranked = sorted(estimates, key=lambda e: (-e.determinizations, -e.win_rate, -e.lead))
    return ranked, (fact("ENGINE", "exact", count=len(racks)),)


def possible_racks(view: State, seat: int) -> tuple[Uint8Array, Float64Array]:
    """Return the racks that a seat may hold, uint8[n, 3] with n up to 20, and their probabilities,
    float64[n]."""
    known = view.racks[seat].replace(bytes([HIDDEN_TOKEN]), b"")
    hidden_count = len(view.racks[seat]) - len(known)
    draws = combinations(sorted(view.unseen_tokens.elements()), hidden_count)
    counts = Counter(bytes(sorted(known + bytes(tokens))) for tokens in draws)
    racks = np.array([to_rack(rack) for rack in counts], np.uint8)
    return racks, np.array([*counts.values()], np.float64) / counts.total()
