"""The computer players of Triolet.

    level 1  every other move at random, else as level 2
    level 2  greedy: the most points
    level 3  points, what the tokens kept are worth, and what the move opens to the next player
    level 4  plays on from each good move with many guesses of what is hidden; with two players and
             an empty bag it searches to the end of the game for every rack that the other may hold

What a move is worth is a number of points; a lead in points becomes a chance to win (`win_probability`).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Final

import numpy as np

from tripot.engine.budget import Budget
from tripot.game import Analysis, AnyState, Candidate, Engine, Fact, Limit, Rng, fact
from tripot.games.triolet.actions import Action, Place
from tripot.games.triolet.board import HIDDEN_TOKEN, JOKER
from tripot.games.triolet.kernel import moves as moves_module
from tripot.games.triolet.kernel.endgame import endgame_gains
from tripot.games.triolet.kernel.moves import MAX_MOVES, Bytes, Floats, new_anchors, new_moves
from tripot.games.triolet.kernel.position import (
    BAG_END,
    TURN,
    GamePosition,
    new_position,
    place_tokens,
    remove_tokens,
)
from tripot.games.triolet.kernel.value import (
    LEAVE_VALUES,
    REPLY_WEIGHT,
    TEMPO,
    evaluate_moves,
    expected_reply,
    simulate_moves,
    win_probability,
)
from tripot.games.triolet.rules import State

# --- Levels ------------------------------------------------------------------------------------

MAX_CANDIDATES: Final = 24  # moves that level 4 plays on from at first; half of them again and again
NEAR_END: Final = 6  # with so few tokens in the bag it plays on to the end


@dataclass(slots=True)
class MoveEstimate:
    """A move with what is thought of it: its value in points, or a chance and the lead to expect."""

    action: Action
    number: int
    points: int
    value: float
    chance: float = 0.0
    lead: float = 0.0
    worlds: int = 0


class TrioletEngine(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        super().__init__()
        if level not in range(1, 5):
            raise ValueError(f"levels are 1 to 4, not {level}")
        self.level = level

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        if self.level == 1 and rng.random() < 0.5:
            return Candidate(rng.choice(view.legal_actions()), 0.0)
        return self._analyse(view, limit, rng).candidates[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        table = to_position(view)
        judged = evaluate_all(view, table, self.level)
        if self.level < 4 or len(judged) == 1:
            return _analysis(judged, ())
        if not view.bag and view.options.players == 2 and HIDDEN_TOKEN not in view.racks[view.turn]:
            return _analysis(*_solve_endgame(view, table, judged, limit))
        return _analysis(*_simulate(view, table, judged, limit, rng))


def to_position(view: State) -> GamePosition:
    """A view as a table of the kernel: what is hidden is UNSEEN, and the bag has nothing known in it."""
    table = new_position(view.options.players, 0)
    table.grid[:] = moves_module.to_grid(view.cells)
    for seat, rack in enumerate(view.racks):
        table.racks[seat] = moves_module.to_rack(rack)
    table.scores[:] = view.scores
    table.cursors[BAG_END], table.cursors[TURN] = view.bag, view.turn
    return table


def evaluate_all(view: State, table: GamePosition, level: int) -> list[MoveEstimate]:
    """Every legal move, best first, as the lower levels see it."""
    moves, values, edge = new_moves(), np.zeros(MAX_MOVES), new_anchors()
    count, _ = evaluate_moves(table, LEAVE_VALUES, edge, moves, values)
    rack, unseen = (
        view.racks[view.turn],
        np.array([view.unseen_tokens[token] for token in range(JOKER + 1)], float),
    )
    judged: dict[Action, MoveEstimate] = {}
    legal = {*view.legal_actions()}
    for number, points, value in zip(*moves[:, :count].tolist(), values[:count].tolist(), strict=True):
        action = moves_module.decode(number, rack)
        if level >= 3 and number >= 0:
            place_tokens(table.grid, number)
            value -= REPLY_WEIGHT * expected_reply(table.grid, unseen, edge)
            remove_tokens(table.grid, number)
        elif level >= 3:
            value -= REPLY_WEIGHT * expected_reply(table.grid, unseen, edge)
        if action in legal and action not in judged:
            judged[action] = MoveEstimate(action, number, points, value if level >= 3 else float(points))
    lead, tokens = _lead(view), view.bag + sum(map(len, view.racks))
    for each in judged.values():
        each.lead = lead + each.value - (0 if level >= 3 else 2 * TEMPO)
        each.chance = win_probability(each.lead, max(1, tokens))
    return sorted(judged.values(), key=lambda each: (-each.value, each.number < 0))


def _lead(view: State) -> int:
    """The lead of the seat to play over the best of the others."""
    others = [score for seat, score in enumerate(view.scores) if seat != view.turn]
    return view.scores[view.turn] - max(others)


def _simulate(
    view: State, table: GamePosition, estimates: list[MoveEstimate], limit: Limit, rng: Rng
) -> tuple[list[MoveEstimate], tuple[Fact, ...]]:
    """Level 4: simulate the best moves, and then again and again the better half of them.

    This is successive halving. A stage draws one seed and its random numbers continue from batch to batch, so
    the sizes of the batches do not change the result.
    """
    pool = np.array(sorted(view.unseen_tokens.elements()), np.uint8)
    turns = 100 if view.bag <= NEAR_END else view.options.players
    survivors = estimates[:MAX_CANDIDATES]
    budget = Budget(limit)
    for stage in budget.stages(max(1, (len(survivors) - 1).bit_length())):
        seed = rng.getrandbits(32)
        world, playout = (new_position(view.options.players, seed + offset) for offset in range(2))
        picks = np.array([[each.number for each in survivors], [each.points for each in survivors]], np.int32)
        before = [replace(each) for each in survivors]
        sums = np.zeros((2, len(survivors)))
        best = partial(_best_candidate, survivors)
        for count in stage.batches(best=best):
            simulate_moves(table, world, playout, pool, picks, count, turns, LEAVE_VALUES, sums)
            _add_sums(survivors, before, sums, stage.simulations)
        survivors = sorted(survivors, key=_sort_key)[: (len(survivors) + 1) // 2]
    ranked = sorted(estimates, key=_sort_key)
    return ranked, (fact("ENGINE", "simulated", count=budget.simulations),)


def _add_sums(
    estimates: list[MoveEstimate], before: list[MoveEstimate], sums: Floats, simulations: int
) -> None:
    """Set each estimate to the mean over the earlier stages and the simulations of this one."""
    for estimate, old, won, lead in zip(estimates, before, *sums.tolist(), strict=True):
        total = old.worlds + simulations
        estimate.chance = (old.chance * old.worlds + won) / total
        estimate.lead = (old.lead * old.worlds + lead) / total
        estimate.worlds = total


def _sort_key(estimate: MoveEstimate) -> tuple[int, float, float]:
    """Sort by the number of simulations, then by the win probability, then by the value in points."""
    return -estimate.worlds, -estimate.chance, -estimate.value


def _best_candidate(estimates: list[MoveEstimate]) -> Candidate:
    """Return the best move so far, for a progress report."""
    return _analysis([min(estimates, key=_sort_key)], ()).candidates[0]


def _solve_endgame(
    view: State, table: GamePosition, estimates: list[MoveEstimate], limit: Limit
) -> tuple[list[MoveEstimate], tuple[Fact, ...]]:
    """With an empty bag: search each move to the end of the game for every rack that the other may hold.

    The moves are searched in the order of their estimates. One that is not reached keeps its estimate.
    """
    racks, odds = possible_racks(view, 1 - view.turn)
    lead = _lead(view)
    budget = Budget(limit, max_simulations=len(estimates))  # a simulation is one move here
    best = partial(_best_candidate, estimates)
    for _, estimate in zip(budget.batches(size=1, best=best), estimates, strict=False):
        leads = lead + endgame_gains(table, estimate.number, estimate.points, racks)
        estimate.chance = float(odds @ ((np.sign(leads) + 1) / 2))
        estimate.lead = float(odds @ leads)
        estimate.worlds = len(racks)
    ranked = sorted(estimates, key=lambda each: (-each.worlds, -each.chance, -each.lead))
    return ranked, (fact("ENGINE", "exact", count=len(racks)),)


def possible_racks(view: State, other: int) -> tuple[Bytes, Floats]:
    """The racks that the other may hold, at most twenty, with their odds."""
    known = view.racks[other].replace(bytes([HIDDEN_TOKEN]), b"")
    hidden, pool = len(view.racks[other]) - len(known), view.unseen_tokens
    drawn = combinations(sorted(pool.elements()), hidden)
    odds = Counter(bytes(sorted(known + bytes(each))) for each in drawn)
    racks = np.array([moves_module.to_rack(rack) for rack in odds])
    return racks, np.array([*odds.values()]) / odds.total()


def _analysis(ranked: list[MoveEstimate], facts: tuple[Fact, ...]) -> Analysis:
    """The moves in order with their chances, which never rise: a move looked at less is not trusted more."""
    choices, ceiling = [], 1.0
    for each in ranked:
        ceiling = min(ceiling, each.chance)
        known = [fact("ENGINE", "points", points=each.points)] if isinstance(each.action, Place) else []
        if each.worlds:
            percent = round(100 * each.chance)
            known.append(fact("ENGINE", "expects", lead=f"{each.lead:+.0f}", percent=percent))
        choices.append(Candidate(each.action, 2 * ceiling - 1, (each.action,), tuple(known)))
    return Analysis(tuple(choices), facts)
