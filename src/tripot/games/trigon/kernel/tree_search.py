"""The tree search in terms of the rules: a tree that is kept from move to move, and several threads."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from random import Random

import numpy as np

from tripot.engine import kernel_cache
from tripot.engine.budget import Budget
from tripot.engine.rng import new_rng
from tripot.game import Analysis, Candidate, ExpectedOutcome, Limit, Rng, fact
from tripot.games.trigon.actions import Action, Place
from tripot.games.trigon.board import COLOURS, colour_of
from tripot.games.trigon.kernel.available_moves import init_available_moves, new_available_moves
from tripot.games.trigon.kernel.distances import restrict_to_open_cells
from tripot.games.trigon.kernel.dtypes import Uint64Array
from tripot.games.trigon.kernel.endgame_analysis import exact_results
from tripot.games.trigon.kernel.history import set_history
from tripot.games.trigon.kernel.params import PLAYOUT_PARAMS, TREE_PARAMS, search_params
from tripot.games.trigon.kernel.position import encode_move, from_state
from tripot.games.trigon.kernel.results import (
    expected_outcome,
    static_candidates,
    static_outcomes,
    team_of_colour,
    to_action,
    with_falling_values,
)
from tripot.games.trigon.kernel.search import run_simulations
from tripot.games.trigon.kernel.tables import MAX_MOVES
from tripot.games.trigon.kernel.tree import new_tree, reset_root_stats, reset_tree
from tripot.games.trigon.kernel.weights import load_weights
from tripot.games.trigon.kernel.workspace import SearchContext, new_workspace
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state


def max_threads(node_count: int) -> int:
    """Return how many threads can share a tree of a size: each may expand the root in its part of it."""
    return node_count // (MAX_MOVES + 1)


class TreeSearch:
    """A search tree and the position it is about.

    `set_position` keeps what the tree knows of the position if the game has continued in it. `node_count` is
    the size of the tree, at 46 bytes per node; a full tree is searched further, but grows no more.
    """

    def __init__(self, threads: int = 1, node_count: int = TREE_PARAMS.node_count) -> None:
        if threads > (most := max_threads(node_count)):
            raise ValueError(
                f"a tree of {node_count} nodes is too small for {threads} threads: at most {most}"
            )
        self.threads, self.node_count = threads, node_count
        self.simulation_count = 0
        """Simulations since the position was set."""
        self.state: State | None = None
        self.recent_moves = list[tuple[int, int]]()
        """The last moves of the game, as pairs of colour and move."""

    # -- the position --

    def set_position(self, state: State) -> None:
        """Search this position from now on."""
        if self.state is None:
            self.tree = new_tree(self.node_count, self.threads)
            self.available = new_available_moves()
            self.workspaces = [new_workspace(from_state(state), self.available) for _ in range(self.threads)]
        played = self._moves_since(state)
        root = None if played is None else self._find_node(played)
        self.recent_moves = (
            [] if played is None else [*self.recent_moves, *played][-TREE_PARAMS.recent_moves :]
        )
        self.state, self.position = state, from_state(state, [move for _, move in self.recent_moves])
        init_available_moves(self.position, self.available)
        for workspace in self.workspaces:
            if played is None:
                workspace.playout_state.good_replies[:] = 0
            set_history(workspace.playout_state.history, self.recent_moves)
            restrict_to_open_cells(self.position, workspace.cell_workspace)
        if root is None:
            root = 0
            reset_tree(self.tree)
        reset_root_stats(self.tree)
        self.root, self.simulation_count = root, 0
        self._context = self._new_context(state)

    def _new_context(self, state: State) -> SearchContext:
        is_paired = state.options.is_paired
        weights = load_weights(is_paired)
        return SearchContext(
            tree=self.tree,
            root=self.root,
            root_position=self.position,
            root_moves=self.available,
            turn=state.turn,
            teams=team_of_colour(state),
            policy_weights=weights.policy,
            value_weights=weights.value,
            params=search_params(is_paired),
            playout_params=PLAYOUT_PARAMS,
        )

    def _moves_since(self, state: State) -> list[tuple[int, int]] | None:
        """Return what was played since, one move per colour at most.

        None if it cannot be told, as for the same position or another game.
        """
        if self.state is None or state.options != self.state.options:
            return None
        before, now = self.state.pieces_on_board, state.pieces_on_board
        placed = {colour_of(code): encode_move(now[code]) for code in now if code not in before}
        if not placed or len(now) != len(before) + len(placed) or not before.items() <= now.items():
            return None
        order = [(self.state.turn + step) % len(COLOURS) for step in range(len(COLOURS))]
        return [(colour, placed[colour]) for colour in order if colour in placed]

    def _find_node(self, played: list[tuple[int, int]]) -> int | None:
        """Return the node that some moves lead to; None if it is missing or the tree over half full."""
        tree, node = self.tree, self.root
        for colour, move in played:
            children = self._children(node)
            matches = np.flatnonzero(tree.move[children.start : children.stop] == move)
            if tree.to_move[node] != colour or not len(matches):
                return None
            node = children[int(matches[0])]
        free = tree.node_limit - tree.next_node
        return node if (free > self.node_count // self.threads // 2).all() else None

    def _children(self, node: int) -> range:
        first = int(self.tree.first_child[node])
        return range(first, first + int(self.tree.child_count[node]))

    @property
    def root_children(self) -> range:
        """The nodes of the moves of the position."""
        return self._children(self.root)

    # -- searching --

    def run(self, budget: Budget, rng: Rng) -> int:
        """Search until the budget is spent or the move is decided; return the number of simulations."""
        rngs = [new_rng(rng.getrandbits(32)) for _ in range(self.threads)]
        batches = budget.batches(best=self.best_candidate)
        self._simulate(0, rngs[0], next(batches, 1))  # alone: the other threads need an expanded root
        with self._helper_threads(budget, rngs):
            while not self._is_decided(budget) and (count := next(batches, None)):
                self._simulate(0, rngs[0], count)
        self.simulation_count += budget.simulations
        return budget.simulations

    def _is_decided(self, budget: Budget) -> bool:
        """Whether there is only one move, or no other move can catch up in the time that is left."""
        return len(self.root_children) == 1 or budget.is_decided(self.visit_lead())

    @contextmanager
    def _helper_threads(self, budget: Budget, rngs: list[Uint64Array]) -> Iterator[None]:
        """Simulate with the other threads, too, until the context ends."""
        has_ended = threading.Event()

        def work(thread: int) -> None:
            while not has_ended.is_set() and (count := budget.take(TREE_PARAMS.helper_batch)):
                self._simulate(thread, rngs[thread], count)

        helpers = [threading.Thread(target=work, args=(thread,)) for thread in range(1, self.threads)]
        try:
            for helper in helpers:
                helper.start()  # may fail, or be interrupted by Ctrl-C: then those that run have to end, too
            yield
        finally:
            has_ended.set()
            for helper in helpers:
                if helper.ident is not None:
                    helper.join()

    def _simulate(self, thread: int, rng: Uint64Array, count: int) -> None:
        run_simulations(self._context, self.workspaces[thread], thread, rng, count)

    def visit_lead(self) -> int:
        """Return how many more visits the most visited move has than the second."""
        children = self.root_children
        second, first = np.partition(self.tree.visits[children.start : children.stop], -2)[-2:]
        return int(first - second)

    # -- results --

    def best_candidate(self) -> Candidate:
        """Return the most visited move."""
        visits = self.tree.visits
        return self.candidates([max(self.root_children, key=lambda node: int(visits[node]))])[0]

    def sample_by_prior(self, sharpness: float, rng: Rng) -> Candidate:
        """Return a root move drawn from the softmax of the prior values times the sharpness."""
        children = self.root_children
        prior_values = self.tree.prior_value[children.start : children.stop].astype(np.float64)
        node = rng.choices(children, np.exp(sharpness * prior_values).tolist())[0]
        move = int(self.tree.move[node])
        return static_candidates([to_action(move)], self._static_outcomes([move]))[0]

    def analysis(self) -> Analysis:
        """Return all legal moves, the most visited first. Values never rise along the list."""
        assert self.state is not None
        tree = self.tree
        order = sorted(self.root_children, key=lambda node: (-tree.visits[node], -tree.prior[node]))
        candidates = self.candidates(order)
        searched = {candidate.action for candidate in candidates}
        pruned = [
            action
            for action in self.state.legal_actions()
            if isinstance(action, Place) and action not in searched
        ]
        outcomes = self._static_outcomes([encode_move(action.cells) for action in pruned])
        candidates += static_candidates(pruned, outcomes)
        return Analysis(
            with_falling_values(candidates), (fact("ENGINE", "searched", simulations=self.simulation_count),)
        )

    def candidates(self, nodes: Sequence[int]) -> list[Candidate]:
        """Return root moves with their value, principal variation and expected outcome.

        The outcome is the mean of the simulations that began with the move. After too few simulations it is
        the static prediction; only the first of the nodes is reported from any number of simulations.
        """
        stats, first = self.tree.root_stats, self.root_children.start
        needed = [1 if node == nodes[0] else TREE_PARAMS.min_reported_simulations for node in nodes]
        is_sampled = [
            stats.simulations[node - first] >= minimum for node, minimum in zip(nodes, needed, strict=True)
        ]
        unsampled = [node for node, sampled in zip(nodes, is_sampled, strict=True) if not sampled]
        static = self._static_outcomes([int(self.tree.move[node]) for node in unsampled])
        outcomes = dict(zip(unsampled, static, strict=True))
        for node in {*nodes} - {*unsampled}:
            outcomes[node] = self._mean_outcome(node - first)
        return [
            Candidate(
                to_action(self.tree.move[node]),
                self._value(node, outcomes[node]),
                self._principal_variation(node),
                expected=outcomes[node],
            )
            for node in nodes
        ]

    def _value(self, node: int, expected: ExpectedOutcome) -> float:
        """Return the mean reward of a move as a value from -1 to 1; without visits, its expected win rate."""
        visits = self.tree.visits[node]
        return 2 * (_mean_share(self.tree.value_sum[node], visits) if visits else expected.win_rate) - 1

    def _principal_variation(self, node: int) -> tuple[Action, ...]:
        """Return a move and the most visited continuation."""
        tree, line = self.tree, [to_action(self.tree.move[node])]
        while children := self._children(node):
            node = children[int(np.argmax(tree.visits[children.start : children.stop]))]
            if not tree.visits[node]:
                break
            line.append(to_action(tree.move[node]))
        return tuple(line)

    def _mean_outcome(self, child_index: int) -> ExpectedOutcome:
        """Return the mean outcome of the simulations that began with a root move."""
        assert self.state is not None
        stats = self.tree.root_stats
        count = stats.simulations[child_index]
        win_rate = _mean_share(stats.wins[child_index, self.state.turn], count)
        return expected_outcome(self.state, win_rate, stats.scores[child_index] / count)

    def _static_outcomes(self, moves: list[int]) -> list[ExpectedOutcome]:
        assert self.state is not None
        return static_outcomes(self.state, self.position, moves, self.workspaces[0].cell_workspace)


def _mean_share(total: float, count: float) -> float:
    """Return a mean reward or win rate, 0 to 1.

    Counters are not atomic: with several threads a visit may be lost whose reward is not, and the quotient is
    above 1.
    """
    return min(1.0, max(0.0, float(total / count)))


@cache
def preload_kernels() -> None:
    """Load all compiled kernels of a search, which takes a second, once.

    Called before a clock starts: otherwise the first short search would consist of loading code.
    """
    if kernel_cache.is_disabled():
        return
    state, search = initial_state(Options.parse("players=2 start=free")), TreeSearch(node_count=100_000)
    search.set_position(state)
    search.run(Budget(Limit(simulations=1)), Random(0))
    search.best_candidate()
    exact_results(state, 1)
