"""The engine of Trippples: levels, and the choice of a method for each kind of position.

Two players who see the whole board: every position is solved exactly (`kernel/tablebase.py`). Face-down
tiles: the solver runs on determinizations (`kernel/hidden_tiles.py`). While tiles are laid: it runs on random
completions of the board (`kernel/tile_laying.py`).
Four players: an alpha-beta search (`kernel/team_search.py`), or at the top level the exact solution of the
team game (`kernel/team_tablebase.py`). docs/games/trippples/engine.md describes the methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from tripot.game import Analysis, AnyState, Candidate, Engine, Limit, Rng, fact
from tripot.games.trippples import perfect_play
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.board import HIDDEN_TILE, NEUTRAL, NO_TILE, SQUARES
from tripot.games.trippples.kernel.hidden_tiles import analyse_hidden
from tripot.games.trippples.kernel.params import MEMORY_PARAMS, SAMPLING_PARAMS
from tripot.games.trippples.kernel.results import (
    UNLIMITED,
    ResultRank,
    immediate_facts,
    new_candidate,
    steps_after,
)
from tripot.games.trippples.kernel.solver import solve
from tripot.games.trippples.kernel.tablebase import (
    SolvedLayout,
    move_facts,
    move_rank,
    position_facts,
    position_index,
    principal_variation,
    solve_layout,
)
from tripot.games.trippples.kernel.tables import Int16Array, pack_layout
from tripot.games.trippples.kernel.team_search import TeamSearch
from tripot.games.trippples.kernel.team_tablebase import solve_teams
from tripot.games.trippples.kernel.tile_laying import analyse_laying
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State

# --- Levels ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LevelParams:
    """The parameters of one level.

    The values were chosen by hand so that each level beats the next lower one over the same layouts with the
    seats exchanged, which the tests check.
    """

    horizon: int
    """Two players: the plies within which wins and losses are seen. `UNLIMITED` includes TP-7."""

    max_samples: int
    """Two players: the largest number of determinizations or completions of the board."""

    search_depth: int
    """Four players: the plies searched after a move."""

    team_samples: int = 1
    """Four players, hidden tiles: the number of determinizations."""

    random_share: float = 0.0
    """The probability of a random move, 0.0 to 1.0. A win in one move is never overlooked; with two players
    who see the whole board, it is a random one of the best moves within the horizon."""

    problem_share: float = 0.0
    """Two players: the probability with which a drawn move is chosen that is hard for the opponent, and not
    one towards the own finish, 0.0 to 1.0."""

    @property
    def is_perfect(self) -> bool:
        """Whether the level knows every result of a position that can be solved."""
        return self.horizon == UNLIMITED


LEVELS: Final[Mapping[int, LevelParams]] = MappingProxyType(
    {
        1: LevelParams(horizon=0, max_samples=0, search_depth=0, random_share=0.7),
        2: LevelParams(horizon=1, max_samples=1, search_depth=0, random_share=0.5),
        3: LevelParams(horizon=2, max_samples=2, search_depth=1, random_share=0.13),
        4: LevelParams(horizon=4, max_samples=8, search_depth=2, problem_share=0.2),
        5: LevelParams(horizon=12, max_samples=32, search_depth=3, problem_share=0.6),
        6: LevelParams(
            horizon=UNLIMITED, max_samples=400, search_depth=3, team_samples=11, problem_share=1.0
        ),
    }
)

DRAWN_END_EASE: Final = 3.0  # rank of a move that ends the game in a draw: after all repetitions


class TrippplesEngine(Engine[Action]):
    """The engine of one level."""

    state_type = State

    def __init__(self, level: int) -> None:
        super().__init__()
        self.level = level
        self.level_params = LEVELS[level]

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        plays_at_random = (
            rng.random() < self.level_params.random_share if self.level_params.random_share else False
        )
        if _is_solvable(view):
            solution = solve_layout(view.tiles, view.options)
            ranks = self._move_ranks(view, solution, rng)
            action, rank = next(iter(ranks.items()))
            if plays_at_random:
                action = rng.choice([move for move in ranks if ranks[move].sort_key() == rank.sort_key()])
            limit.on_progress(1.0)
            return self._with_only_fact(
                self._solved_candidate(view, action, rank, solution), [*ranks.values()]
            )
        if self._solves_teams(view, limit):
            results = solve_teams(view, limit, rng)
            return results.candidate(results.moves[0])
        if plays_at_random:
            moves = view.legal_actions()
            wins = [move for move in moves if isinstance(move, Move) and immediate_facts(view, move)]
            return new_candidate(rng.choice(wins or moves), float(bool(wins)))
        return self._analyse(view, limit, rng).candidates[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        if NO_TILE in view.tiles:
            return analyse_laying(view, limit, rng, self.level_params.max_samples)
        if self._solves_teams(view, limit):
            results = solve_teams(view, limit, rng)
            return Analysis(tuple(map(results.candidate, results.moves)), results.facts())
        if view.options.players == 4:
            return self._search_teams(view, limit, rng)
        if _is_solvable(view):
            return self._analyse_solved(view, limit, rng)
        return analyse_hidden(view, limit, rng, self.level_params.max_samples)

    # -- two players who see everything --

    def _analyse_solved(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        """Return the result of every move, within the horizon of the level."""
        solution = solve_layout(state.tiles, state.options)
        ranks = self._move_ranks(state, solution, rng)
        candidates = tuple(self._solved_candidate(state, move, ranks[move], solution) for move in ranks)
        limit.on_progress(1.0)
        candidates = (self._with_only_fact(candidates[0], [*ranks.values()]), *candidates[1:])
        return Analysis(candidates, tuple(position_facts(state, solution)))

    def _solved_candidate(
        self, state: State, move: Action, rank: ResultRank, solution: SolvedLayout
    ) -> Candidate:
        """Return a move with what is known of it. A draw is only certain without a horizon."""
        is_certain = rank.score != 0 or self.level_params.is_perfect
        facts = tuple(move_facts(state, move, rank, solution)) if is_certain else ()
        pv = principal_variation(state, move, solution)
        return new_candidate(move, float(rank.score), pv=pv, facts=facts)

    def _with_only_fact(self, best: Candidate, ranks: list[ResultRank]) -> Candidate:
        """Return the best move with the fact that no other move wins, or that all others lose."""
        if not self.level_params.is_perfect or len(ranks) == 1 or ranks[1].score >= ranks[0].score:
            return best
        key = "only_win" if ranks[0].score > 0 else "only_draw"
        return replace(best, facts=(*best.facts, fact("ENGINE", key)))

    def _move_ranks(self, state: State, solution: SolvedLayout, rng: Rng) -> dict[Action, ResultRank]:
        """Return the result of each move, best first.

        The drawn moves are sorted by `_opponent_ease`, or by the distance to the own finish.
        """
        moves = [*state.legal_actions()]
        rng.shuffle(moves)
        ranks = {move: move_rank(state, move, solution, self.level_params.horizon) for move in moves}
        drawn = [move for move in moves if not ranks[move].score]
        if self._sets_problem(rng):
            ease = {move: _opponent_ease(state, move, solution) for move in drawn}
        else:
            ease = {move: (steps_after(state, move),) for move in drawn}
        moves.sort(key=lambda move: (ranks[move].sort_key(), ease.get(move, ())))
        return {move: ranks[move] for move in moves}

    def _sets_problem(self, rng: Rng) -> bool:
        """Whether the next drawn move is chosen to be hard for the opponent."""
        share = self.level_params.problem_share
        return share == 1.0 or (share > 0.0 and rng.random() < share)

    # -- four players --

    def _solves_teams(self, view: State, limit: Limit) -> bool:
        """Whether the four-player game is solved. With a number of simulations it is searched instead."""
        is_open = NO_TILE not in view.tiles and HIDDEN_TILE not in view.tiles
        return (
            view.options.players == 4
            and is_open
            and self.level_params.is_perfect
            and limit.simulations is None
        )

    def _search_teams(self, view: State, limit: Limit, rng: Rng) -> Analysis:
        """TP-13: search all moves, over determinizations if tiles are hidden."""
        moves = [*view.legal_actions()]
        rng.shuffle(moves)
        depth, determinizations = self.level_params.search_depth, [view]
        if HIDDEN_TILE in view.tiles:
            depth = min(depth, SAMPLING_PARAMS.hidden_team_depth)
            determinizations = [view.determinize(rng) for _ in range(self.level_params.team_samples)]
        return TeamSearch(view, determinizations, moves).run(depth, limit)


def _opponent_ease(state: State, move: Action, solution: SolvedLayout) -> tuple[float, ...]:
    """Return how easy a drawn move is for the opponent; the least is the best.

    Repetitions come last, because they give the opponent no new problem, and then the value against a random
    opponent decides. Counting only the replies that do not lose wins fewer games
    (docs/games/trippples/engine.md).
    """
    after = state.apply(move)
    if after.outcome:
        return (DRAWN_END_EASE,)
    times_seen = [*after.past_keys()].count(after.repetition_key)
    return times_seen, -solution.values_against_random(state.turn)[position_index(after)]


def _is_solvable(state: State) -> bool:
    """Whether two players move and see the whole board."""
    return state.options.players == 2 and NO_TILE not in state.tiles and HIDDEN_TILE not in state.tiles


# --- Repetitions -------------------------------------------------------------------------------


def judge_repetitions() -> None:
    """TP-7: let the rules look up results in the compiled tables, in 1 ms instead of 50 ms per layout."""
    options = Options()
    start_tiles = options.start_tiles()
    tiles = bytes(start_tiles.get(square, NEUTRAL) for square in range(SQUARES))
    _base_plies(tiles, options)  # loads the kernel now, and not at the first repetition of a game
    perfect_play.use_lookup(_compiled_plies)


def _compiled_plies(tiles: bytes, options: Options, key: bytes) -> int:
    square, other, turn = key
    return int(_base_plies(tiles, options)[(turn * 64 + square) * 64 + other])


@lru_cache(maxsize=MEMORY_PARAMS.max_layouts)
def _base_plies(tiles: bytes, options: Options) -> Int16Array:
    return solve(pack_layout(tiles, options), freeze_wins=False)
