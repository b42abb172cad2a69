"""Alpha-beta search of the four-player game, for levels that do not solve it and for hidden tiles."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean
from typing import Final, NamedTuple

from tripot.engine.budget import Budget
from tripot.game import Analysis, Candidate, Fact, Limit, fact
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.board import HIDDEN_TILE
from tripot.games.trippples.kernel.params import TEAM_SEARCH_PARAMS
from tripot.games.trippples.kernel.results import (
    ResultRank,
    distance_to_finish,
    immediate_facts,
    new_candidate,
    result_facts,
)
from tripot.games.trippples.rules import State

INFINITY: Final = 2.0  # beyond every value of a search


class SearchedLine(NamedTuple):
    """The value of a position to a team, and the moves that lead to it, as squares."""

    value: float
    squares: tuple[int, ...] = ()


def static_value(state: State, team: int) -> float:
    """Return an evaluation without search: how much nearer to its finish the best pawn of a team is."""
    if state.outcome:
        return float(state.outcome.scores[team])
    steps = [
        min(distance_to_finish(state, state.pawns[seat], seat) for seat in (side, side + 2))
        for side in (team, 1 - team)
    ]
    return (steps[1] - steps[0]) / TEAM_SEARCH_PARAMS.steps_per_point


def alpha_beta(state: State, depth: int, alpha: float, beta: float, team: int) -> SearchedLine:
    """Search to a depth with alpha-beta pruning (Knuth and Moore 1975), from the view of one team.

    The value of an ended game is its score, raised by 1/`depth_bonus` for each remaining ply.
    """
    if state.outcome:
        return SearchedLine(state.outcome.scores[team] * (1 + depth / TEAM_SEARCH_PARAMS.depth_bonus))
    if not depth:
        return SearchedLine(static_value(state, team))
    is_own_turn = state.turn % 2 == team
    best = SearchedLine(-INFINITY if is_own_turn else INFINITY)
    for square in state.target_squares(state.turn):
        after = state.after_move_without_history(square)
        value, squares = alpha_beta(after, depth - 1, alpha, beta, team)
        if value > best.value if is_own_turn else value < best.value:
            best = SearchedLine(value, (square, *squares))
        if is_own_turn:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if alpha >= beta:
            break
    return best


class TeamSearch:
    """An iterative-deepening search of all moves of a position, with an exact value for each.

    A value is the mean over `determinizations`: those of the view, or the view alone if it hides nothing.
    """

    def __init__(self, view: State, determinizations: list[State], moves: list[Action]) -> None:
        self._view = view
        self._determinizations = determinizations
        self._moves = moves
        self._depth = 0
        self._lines = {move: self._search(move, 0) for move in moves}

    def run(self, depth: int, limit: Limit) -> Analysis:
        """Search to a depth, and return the result of the last complete iteration.

        The depth is the bound of the search. A number of simulations only means that the clock is not read.
        """
        tasks = [(plies, move) for plies in range(1, depth + 1) for move in self._moves]
        if limit.simulations is not None:
            limit = replace(limit, simulations=max(1, len(tasks)))
        batches = Budget(limit, len(tasks)).batches(1, best=lambda: self._candidate(self._ranked()[0]))
        lines: dict[Action, SearchedLine] = {}
        # The batches come first in zip: they report the last task when they are asked for one more.
        for _, (plies, move) in zip(batches, tasks, strict=False):
            lines[move] = self._search(move, plies)
            if len(lines) == len(self._moves):
                self._depth, self._lines, lines = plies, lines, {}
        candidates = tuple(self._candidate(move) for move in self._ranked())
        return Analysis(candidates, (fact("ENGINE", "searched", plies=self._depth + 1),))

    def _search(self, move: Action, depth: int) -> SearchedLine:
        """Search one move; the line is that of the first determinization."""
        team = self._view.turn % 2
        lines = [
            alpha_beta(state.apply(move), depth, -INFINITY, INFINITY, team)
            for state in self._determinizations
        ]
        return SearchedLine(fmean(line.value for line in lines), lines[0].squares)

    def _ranked(self) -> list[Action]:
        """Return the moves, best first; of equal ones, those that end nearer to the finish come first."""

        def sort_key(move: Action) -> tuple[float, int]:
            assert isinstance(move, Move)
            steps = distance_to_finish(self._view, move.square, self._view.turn)
            return -self._lines[move].value, steps

        return sorted(self._moves, key=sort_key)

    def _candidate(self, move: Action) -> Candidate:
        line = self._lines[move]
        if HIDDEN_TILE in self._view.tiles:
            facts = immediate_facts(self._view, move)
            return new_candidate(move, line.value, facts=facts)
        return new_candidate(move, line.value, pv=self._pv(move), facts=self._facts(line.value))

    def _pv(self, move: Action) -> tuple[Action, ...]:
        """Return a move and the line that was found, cut where the game ends, which may be by repetition."""
        pv, state = [move], self._view.apply(move)
        for square in self._lines[move].squares:
            if state.outcome:
                break
            pv.append(Move(square))
            state = state.apply(pv[-1])
        return tuple(pv)

    def _facts(self, value: float) -> tuple[Fact, ...]:
        """Return the win or loss that the search has proved, if any."""
        if abs(value) < 1.0:
            return ()
        remaining_depth = round((abs(value) - 1) * TEAM_SEARCH_PARAMS.depth_bonus)
        rank = ResultRank.from_score(1 if value > 0 else -1)
        return result_facts(rank._replace(distance=self._depth - remaining_depth))
