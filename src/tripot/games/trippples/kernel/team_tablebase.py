"""The four-player game of a layout, solved or partly solved: results of moves, and the solvers in memory."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import Final

from tripot.engine.budget import Budget
from tripot.game import Candidate, Fact, Limit, Rng, fact
from tripot.games.trippples.actions import Action
from tripot.games.trippples.kernel.params import MEMORY_PARAMS
from tripot.games.trippples.kernel.results import (
    DRAW,
    MAX_PV,
    ResultRank,
    new_candidate,
    result_facts,
)
from tripot.games.trippples.kernel.tables import pack_layout
from tripot.games.trippples.kernel.team_search import static_value
from tripot.games.trippples.kernel.teams import TeamSolver, team_position
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State


class TeamSolverCache:
    """The most recently used team solvers, as many as fit into `max_bytes` of memory, but at least one.

    Threads that ask for the same layout get the same solver.
    """

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._solvers: OrderedDict[tuple[bytes, Options], TeamSolver] = OrderedDict()
        self._lock = Lock()

    def get(self, tiles: bytes, options: Options) -> TeamSolver:
        """Return the solver of a layout, which may be new and unsolved, and drop those used longest ago."""
        key = (tiles, options)
        with self._lock:
            if key not in self._solvers:
                self._solvers[key] = TeamSolver(pack_layout(tiles, options), options.freeze)
            self._solvers.move_to_end(key)
            while len(self._solvers) > 1 and self.memory_bytes > self._max_bytes:
                self._solvers.popitem(last=False)
            return self._solvers[key]

    @property
    def memory_bytes(self) -> int:
        """The memory of all solvers that are kept."""
        return sum(solver.memory_bytes for solver in self._solvers.values())


TEAM_SOLVERS: Final = TeamSolverCache(MEMORY_PARAMS.max_team_bytes)


class TeamResults:
    """What a solver knows about the moves of a position, best first in `moves`.

    While the solution is incomplete, all wins and losses within `solver.depth` plies are known, and other
    moves are ranked by a static evaluation.
    """

    def __init__(self, state: State, moves: list[Action], solver: TeamSolver) -> None:
        self._state = state
        self._solver = solver
        self._is_complete, self._depth = solver.is_complete, solver.depth
        self._ranks = {move: self._move_rank(state, move) for move in moves}
        self._ease = {move: self._opponent_ease(move) for move in moves if self._ranks[move] == DRAW}
        self.moves = sorted(moves, key=lambda move: (self._ranks[move].sort_key(), self._ease.get(move, 0.0)))

    def candidate(self, move: Action) -> Candidate:
        """Return a move with its value, facts and principal variation."""
        rank, value = self._ranks[move], float(self._ranks[move].score)
        facts: tuple[Fact, ...] = ()
        if rank != DRAW:
            facts = result_facts(rank)
        elif self._is_complete:
            facts = (fact("ENGINE", "draw"),)
        else:
            value = -self._ease[move]
        return new_candidate(move, value, pv=self._principal_variation(move), facts=facts)

    def facts(self) -> tuple[Fact, ...]:
        """Return the result of the position or, if it is not known, how far the solution has come."""
        plies = self._plies(self._state)
        if not plies and not self._is_complete:
            return (fact("ENGINE", "searched", plies=self._depth),)
        result = "win" if plies > 0 else "loss" if plies else "draw"
        return (fact("ENGINE", f"team_{result}", seat=self._state.turn, plies=abs(plies)),)

    def _plies(self, state: State) -> int:
        return self._solver.plies_to_end(team_position(state.pawns, state.turn))

    def _move_rank(self, state: State, move: Action) -> ResultRank:
        """Return the result of a move to the seat that makes it."""
        after = state.apply(move)
        if after.outcome:
            return ResultRank.from_score(after.outcome.scores[state.turn])
        rank = ResultRank.from_plies(self._plies(after))
        return rank if after.turn % 2 == state.turn % 2 else rank.for_other_side()

    def _opponent_ease(self, move: Action) -> float:
        """Return how many replies to a drawn move do not lose, or an estimate without a complete solution."""
        after = self._state.apply(move)
        if not self._is_complete:
            return -static_value(after, self._state.turn % 2)
        return float(sum(self._move_rank(after, reply).score >= 0 for reply in after.legal_actions()))

    def _principal_variation(self, move: Action) -> tuple[Action, ...]:
        """Return a move and perfect play after it, at most `MAX_PV` actions, as far as results are known."""
        pv, state = [move], self._state.apply(move)
        while state.outcome is None and len(pv) < MAX_PV and (self._is_complete or self._plies(state)):
            ranks = {reply: self._move_rank(state, reply) for reply in state.legal_actions()}
            pv.append(min(ranks, key=lambda reply: ranks[reply].sort_key()))
            state = state.apply(pv[-1])
        return tuple(pv)


def solve_teams(state: State, limit: Limit, rng: Rng) -> TeamResults:
    """TP-13: go on solving the team game of a layout, and return what is known of all moves.

    The solution is kept, so a search that ends before it is complete is continued by the next one, of any
    engine: at least by one sweep, the wins and losses that are one ply farther away.
    """
    moves = [*state.legal_actions()]
    rng.shuffle(moves)
    solver = TEAM_SOLVERS.get(state.tiles, state.options)

    def best() -> Candidate:
        results = TeamResults(state, moves, solver)
        return results.candidate(results.moves[0])

    budget = Budget(replace(limit, on_progress=lambda _share: None))
    for _ in budget.batches(1, best=best):
        solver.advance()
        limit.on_progress(max(budget.share, solver.progress))
        if solver.is_complete:
            break
    return TeamResults(state, moves, solver)
