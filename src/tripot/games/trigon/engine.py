"""The computer players of Trigon.

    level 1, 2   random moves with a preference for large pieces and for the centre
    level 3-5    sample a move from the trained policy (`kernel.features`)
    level 6-8    sample a move by the value table's prediction after each move (`kernel.value`)
    level 9-13   tree search (`kernel.search`) with 80, 400, 1000, 2000 and unlimited simulations;
                 from level 10 on with an exact endgame (`kernel.endgame`)

A figure is tiled with an exact search from level 3 on (`kernel.tiling`). Levels 1 and 2 place pieces until
none fits, and then lift one. docs/games/trigon/engine.md explains the methods.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from tripot.drawing import territory
from tripot.engine.budget import Budget
from tripot.game import Analysis, AnyState, Candidate, DistanceMap, Engine, Fact, Limit, Rng, fact
from tripot.games.trigon.actions import Action, Lift, Place
from tripot.games.trigon.board import BOARD, CELL_NAMES, COLOURS, PIECE_NAMES, cells_of
from tripot.games.trigon.kernel.distances import UNREACHABLE, compute_distances, new_cell_workspace
from tripot.games.trigon.kernel.dtypes import Float64Array, Int32Array
from tripot.games.trigon.kernel.endgame_analysis import exact_analysis
from tripot.games.trigon.kernel.features import (
    BUCKETS,
    CENTRE,
    COVER_COLUMN,
    FEATURE_COUNT,
    STAGE_COUNT,
    move_logits,
)
from tripot.games.trigon.kernel.moves import legal_moves
from tripot.games.trigon.kernel.params import TIME_PARAMS, TREE_PARAMS
from tripot.games.trigon.kernel.position import from_state
from tripot.games.trigon.kernel.results import (
    static_candidates,
    static_outcomes,
    team_of_colour,
    to_action,
    with_falling_values,
)
from tripot.games.trigon.kernel.tables import MARGIN, MAX_PIECE_SIZE, PIECE_COUNT, SIZE_OF_PIECE
from tripot.games.trigon.kernel.tiling import analyse_figure
from tripot.games.trigon.kernel.tree_search import TreeSearch, max_threads, preload_kernels
from tripot.games.trigon.kernel.weights import load_weights
from tripot.games.trigon.rules import State


@dataclass(frozen=True, slots=True)
class LevelParams:
    """How a level plays.

    The values were chosen for steps of 100 to 200 Elo. docs/games/trigon/engine.md has the measured steps.
    """

    is_search: bool = False
    """Whether the level uses the tree search, if only for the value table's prediction after each move. The
    others rank moves by the policy alone."""

    simulations: int | None = None
    """The most simulations of a move; None for as many as the limit allows."""

    sharpness: float | None = None
    """Inverse temperature with which a move is sampled; None for the best move. Policy logits differ by about
    0.01 between good moves."""

    size_preference: float = 0.0
    """Only without trained weights: logit per triangle of the piece."""

    centre_preference: float = 0.0
    """Only without trained weights: logit per bucket of 1.4 triangle sides towards the centre."""

    exact_endgame: bool = False
    """Whether the last moves are searched exactly."""

    exact_tiling: bool = True
    """Whether figures are tiled with an exact search."""


LEVELS: Final = {
    1: LevelParams(size_preference=1.2, centre_preference=0.02, exact_tiling=False),
    2: LevelParams(size_preference=1.8, centre_preference=0.08, exact_tiling=False),
    3: LevelParams(sharpness=60.0),
    4: LevelParams(sharpness=80.0),
    5: LevelParams(sharpness=140.0),
    6: LevelParams(is_search=True, simulations=1, sharpness=55.0),
    7: LevelParams(is_search=True, simulations=1, sharpness=90.0),
    8: LevelParams(is_search=True, simulations=1, sharpness=250.0),
    9: LevelParams(is_search=True, simulations=80),
    10: LevelParams(is_search=True, simulations=400, exact_endgame=True),
    11: LevelParams(is_search=True, simulations=1000, exact_endgame=True),
    12: LevelParams(is_search=True, simulations=2000, exact_endgame=True),
    13: LevelParams(is_search=True, exact_endgame=True),
}


EXPLAINED_MOVES: Final = 5
"""How many moves of an analysis have facts about territory. Pages and terminals show no more."""

NOTABLE_TERRITORY: Final = 4
"""The least number of cells that is worth a sentence."""


@cache
def policy_weights(level: int, is_paired: bool) -> Float64Array:
    """Return the weights of a level without search: float64[STAGE_COUNT, FEATURE_COUNT]."""
    params = LEVELS[level]
    if params.sharpness is not None:
        return params.sharpness * load_weights(is_paired).policy
    weights = np.zeros((STAGE_COUNT, FEATURE_COUNT), np.float64)
    weights[:, :PIECE_COUNT] = SIZE_OF_PIECE * params.size_preference
    centre = COVER_COLUMN + CENTRE * BUCKETS
    weights[:, centre : centre + BUCKETS] = -params.centre_preference * np.arange(BUCKETS, dtype=np.float64)
    return weights


class TrigonEngine(Engine[Action]):
    """A computer player of one level. It keeps its tree from move to move, so each game needs its own engine.

    `tree_nodes` limits the memory of the search: 46 bytes per node.
    """

    state_type = State

    def __init__(self, level: int, tree_nodes: int = TREE_PARAMS.node_count) -> None:
        super().__init__()
        self.level, self.tree_nodes = level, tree_nodes
        self.level_params = LEVELS[level]
        self._threads = 1
        self._tree_search: TreeSearch | None = None

    @property
    def threads(self) -> int:
        """The number of search threads. Setting it raises `ValueError` if the tree is too small for them."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        most = max_threads(self.tree_nodes)
        if not 1 <= threads <= most:
            raise ValueError(
                f"invalid number of threads {threads}: expected 1 to {most}, as many as share the search tree"
            )
        self._threads = threads

    def close(self) -> None:
        self._tree_search = None

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        if view.solitaire:
            return self._rank_figure(view, limit, rng).candidates[0]
        if not self.level_params.is_search:
            return self._sample_from_policy(view, rng)
        result = self._search(view, limit, rng)
        if isinstance(result, Analysis):
            return result.candidates[0]
        if self.level_params.sharpness is not None:
            return result.sample_by_prior(self.level_params.sharpness, rng)
        return result.best_candidate()

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        maps, ranked = distance_maps(view), self._rank(view, limit, rng)
        explained = tuple(
            replace(candidate, facts=(*candidate.facts, *territory_facts(view, maps, candidate.action)))
            for candidate in ranked.candidates[:EXPLAINED_MOVES]
        )
        candidates = (*explained, *ranked.candidates[EXPLAINED_MOVES:])
        return replace(ranked, candidates=candidates, distance_maps=maps)

    def _rank(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        """Return all legal actions, best first."""
        if state.solitaire:
            return self._rank_figure(state, limit, rng)
        if not self.level_params.is_search:
            return self._rank_by_policy(state)
        result = self._search(state, limit, rng)
        return result if isinstance(result, Analysis) else result.analysis()

    # -- levels with search --

    def _search(self, state: State, limit: Limit, rng: Rng) -> Analysis | TreeSearch:
        """Return the exact analysis of an endgame, or else a finished tree search."""
        preload_kernels()
        placed = len(PIECE_NAMES) - len(state.pieces_left(state.turn))
        budget = Budget(limit, self.level_params.simulations, time_share=TIME_PARAMS.share_by_pieces[placed])
        if self.level_params.exact_endgame and (analysis := exact_analysis(state, budget)):
            return analysis
        if self._tree_search is None or self._tree_search.threads != self.threads:
            self._tree_search = TreeSearch(self.threads, self.tree_nodes)
        self._tree_search.set_position(state)
        self._tree_search.run(budget, rng)
        return self._tree_search

    # -- levels without search --

    def _policy(self, state: State) -> tuple[Int32Array, Float64Array]:
        """Return the legal moves, most likely first, and their probabilities relative to the best."""
        position = from_state(state)
        moves = legal_moves(position, state.turn).copy()
        weights = policy_weights(self.level, state.options.is_paired)
        logits = move_logits(
            position, state.turn, team_of_colour(state), moves, weights, new_cell_workspace()
        )
        probabilities = np.exp(logits - logits.max())
        order = np.argsort(-probabilities, kind="stable")
        return moves[order], probabilities[order]

    def _sample_from_policy(self, state: State, rng: Rng) -> Candidate:
        """Return a random move, drawn by its probability."""
        moves, probabilities = self._policy(state)
        index = rng.choices(range(len(moves)), probabilities.tolist())[0]
        return _static_candidates(state, moves[index : index + 1])[0]

    def _rank_by_policy(self, state: State) -> Analysis:
        moves, _ = self._policy(state)
        return Analysis(with_falling_values(_static_candidates(state, moves)))

    # -- figures --

    def _rank_figure(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        actions = [*state.legal_actions()]
        rng.shuffle(actions)
        if self.level_params.exact_tiling:
            return _with_advice(analyse_figure(state, actions, limit, rng))
        return self._fill_greedily(actions)

    def _fill_greedily(self, actions: list[Action]) -> Analysis:
        """Rank the actions in a figure (TR-12): place a piece, at level 2 a large one; lift if none fits."""

        def value(action: Action) -> float:
            if isinstance(action, Lift):
                return -1.0
            return _size(action) / MAX_PIECE_SIZE if self.level == 2 else 0.0

        ranked = sorted(actions, key=lambda action: -value(action))
        return Analysis(tuple(Candidate(action, value(action), (action,)) for action in ranked))


def _with_advice(analysis: Analysis) -> Analysis:
    """Return the analysis of a figure that says what its best move is worth if there is no tiling."""
    best, *others = analysis.candidates
    if fact("ENGINE", "untileable") not in analysis.facts:
        return analysis
    advice = fact("ENGINE", "lift_helps" if best.value == 1.0 else "no_advice")
    return replace(analysis, candidates=(replace(best, facts=(*best.facts, advice)), *others))


def _static_candidates(state: State, moves: Int32Array) -> list[Candidate]:
    """Return moves with the value table's prediction."""
    outcomes = static_outcomes(state, from_state(state), moves, new_cell_workspace())
    return static_candidates(map(to_action, moves), outcomes)


def _size(action: Action) -> int:
    return len(action.cells) if isinstance(action, Place) else 0


def territory_facts(state: State, before: tuple[DistanceMap, ...], action: Action) -> tuple[Fact, ...]:
    """Return how much territory a placement opens, and from which other team it takes most; none in a figure.

    The territory of a colour is the cells that it reaches before all others.
    """
    if not before or not isinstance(action, Place):
        return ()
    old, new = territories(before), territories(distance_maps(state.apply(action)))
    own = COLOURS[state.turn]
    teams = dict(zip(COLOURS, team_of_colour(state).tolist(), strict=True))
    lost = {
        colour: cells - new.get(colour, 0) for colour, cells in old.items() if teams[colour] != teams[own]
    }
    victim = max(lost, key=lambda colour: lost[colour], default=own)
    facts = []
    if (opened := new.get(own, 0) - old[own]) >= NOTABLE_TERRITORY:
        facts.append(fact("ENGINE", "opens", cells=opened))
    if (taken := lost.get(victim, 0)) >= NOTABLE_TERRITORY:
        facts.append(fact("ENGINE", f"takes_{victim}", cells=taken))
    return tuple(facts)


def territories(maps: tuple[DistanceMap, ...]) -> dict[str, int]:
    """Return the number of cells that each colour reaches before all others."""
    counts = dict.fromkeys((distance_map.owner for distance_map in maps), 0)
    for owner, *others in territory(maps).values():
        counts[owner] += not others
    return counts


def distance_maps(state: State) -> tuple[DistanceMap, ...]:
    """Return the distances of each colour, in triangles, to the free cells it can reach; none in a figure."""
    if state.solitaire or state.needs_colour_draw:
        return ()
    workspace, position, maps = new_cell_workspace(), from_state(state), list[DistanceMap]()
    free_cells = [*cells_of(BOARD & ~state.occupied)]
    for colour in state.in_play:
        compute_distances(position, colour, workspace)
        distances = workspace.distances[colour, MARGIN:]
        reached = {
            CELL_NAMES[cell]: int(distances[cell]) for cell in free_cells if distances[cell] < UNREACHABLE
        }
        maps.append(DistanceMap(COLOURS[colour], reached))
    return tuple(maps)
