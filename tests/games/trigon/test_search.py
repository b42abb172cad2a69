"""The tree search: legal moves, priors, RAVE, tree reuse, threads and reproducibility."""

from __future__ import annotations

import gc
from itertools import pairwise
from random import Random
from threading import Thread
from weakref import ref

import numpy as np
import pytest
from tests.games.trigon.kernel_helpers import (
    INDIVIDUAL_TEAMS,
    PAIRED_TEAMS,
    VARIANTS,
    game_after,
    search_for,
    searched,
)
from tests.games.trigon.moves import placements

import tripot
from tripot.engine.budget import Budget
from tripot.game import Candidate, Limit
from tripot.games.trigon.engine import TrigonEngine
from tripot.games.trigon.kernel import features, value
from tripot.games.trigon.kernel.distances import new_cell_workspace
from tripot.games.trigon.kernel.params import SEARCH_PARAMS
from tripot.games.trigon.kernel.position import clone, decode_move, encode_move, from_state, place_piece
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.tables import ANCHOR_MASK, MAX_MOVES, SHAPE_SHIFT, VERTEX_OFFSETS
from tripot.games.trigon.kernel.tree_search import TreeSearch
from tripot.games.trigon.kernel.weights import load_weights

GAME = tripot.get_game("trigon")


@pytest.mark.parametrize("text", VARIANTS)
def test_the_children_of_the_root_are_legal_moves_and_share_its_visits(text: str) -> None:
    state = game_after(text, Random(text), moves=8)
    tree = searched(state, 300).tree
    first, count = tree.first_child[0], tree.child_count[0]
    moves = [decode_move(int(move)) for move in tree.move[first : first + count]]
    assert len(moves) == len({*moves}) > 0
    assert {*moves} <= {move.cells for move in placements(state)}
    assert tree.visits[0] == 300 == tree.visits[first : first + count].sum()
    assert np.isclose(tree.prior[first : first + count].sum(), 1)
    values = tree.value_sum[first : first + count][tree.visits[first : first + count] > 0]
    assert (values >= 0).all()


@pytest.mark.parametrize("text", VARIANTS)
def test_prior_values_of_root_moves_blend_the_policy_with_the_value_table(text: str) -> None:
    state = game_after(text, Random(text), moves=10)
    tree, weights, workspace = (
        searched(state, 1).tree,
        load_weights(state.options.is_paired),
        new_cell_workspace(),
    )
    position, colour = from_state(state), state.turn
    teams = PAIRED_TEAMS if state.options.is_paired else INDIVIDUAL_TEAMS
    moves = tree.move[tree.first_child[0] : tree.first_child[0] + tree.child_count[0]]
    logits = features.move_logits(position, colour, teams, moves, weights.policy, workspace)
    expected, scores, rewards, win_shares = [], np.zeros(4), np.zeros(4), np.zeros(4)
    for move, logit in zip(moves, logits - logits.max(), strict=True):
        after = clone(position)
        place_piece(after, colour, move)
        error = value.predict_scores(after, (colour + 1) % 4, weights.value, workspace, scores)
        compute_rewards(scores, after.in_play[0], teams, error, SEARCH_PARAMS, rewards, win_shares)
        share = SEARCH_PARAMS.root_value_weight
        expected.append(share * rewards[colour] + (1 - share) * logit)
    prior_values = tree.prior_value[tree.first_child[0] : tree.first_child[0] + tree.child_count[0]]
    assert prior_values == pytest.approx(np.array(expected) - max(expected), abs=1e-5)


def test_rave_weights_fall_with_the_distance_of_a_move_in_the_simulation() -> None:
    """After one simulation, blue's moves in it have RAVE weights in the order in which it played them."""
    state = game_after("players=2", Random(3), moves=40)
    search = searched(state, 1)
    history, rave_visits = search.workspaces[0].playout_state.history, search.tree.rave_visits
    played = [
        int(history.moves[index])
        for index in range(history.length[0])
        if history.colours[index] == state.turn
    ]
    node_of = {int(search.tree.move[node]): node for node in search.root_children}
    weights = [float(rave_visits[node_of[move]]) for move in played if move in node_of]
    assert len(weights) > 1
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == 1.0
    children = search.root_children
    assert np.count_nonzero(rave_visits[children.start : children.stop]) == len(weights)


# --- Limits ---------------------------------------------------------------------------------------


def test_a_search_stops_when_it_should_and_returns_what_it_has() -> None:
    state, shares = game_after("players=2", Random(3), moves=6), list[float]()
    limit = Limit(seconds=1000, on_progress=shares.append, should_stop=lambda: len(shares) >= 3)
    candidate = GAME.engine(GAME.levels[-1]).choose(state, limit, Random(1))
    assert isinstance(candidate, Candidate)
    assert candidate.action in state.legal_actions()
    assert len(shares) == 3


def test_the_best_move_so_far_is_reported_during_a_long_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tripot.engine.budget.INFO_INTERVAL", 0.0)
    state, reported = game_after("players=2", Random(3), moves=6), list[Candidate]()
    GAME.engine(GAME.levels[-1]).choose(state, Limit(simulations=200, on_best=reported.append), Random(1))
    assert reported
    for candidate in reported:
        assert candidate.action == candidate.pv[0]
        assert candidate.expected


@pytest.mark.parametrize("nodes", [MAX_MOVES + 1, 50_000])
def test_a_full_tree_is_searched_further(nodes: int) -> None:
    """The size of the tree is a parameter; a small one fills up within a few simulations."""
    state, engine = (
        game_after("players=2", Random(4), moves=8),
        TrigonEngine(GAME.levels[-1], tree_nodes=nodes),
    )
    for _ in range(3):
        candidate = engine.choose(state, Limit(simulations=1000), Random(1))
        state = state.apply(candidate.action)
    assert engine._tree_search
    tree = engine._tree_search.tree
    assert len(tree.visits) == nodes
    assert nodes - 1000 < tree.next_node[0] <= tree.node_limit[0] == nodes
    assert tree.visits[engine._tree_search.root] >= 1000


@pytest.mark.parametrize(("nodes", "threads"), [(0, 1), (MAX_MOVES, 1), (2 * MAX_MOVES + 1, 2)])
def test_a_tree_that_may_not_hold_the_moves_of_the_root_is_refused(nodes: int, threads: int) -> None:
    """A search in it ended with an error of NumPy, and without nodes it wrote outside of its arrays."""
    with pytest.raises(ValueError, match=f"a tree of {nodes} nodes is too small"):
        TreeSearch(threads, nodes)


# --- Tree reuse -----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", VARIANTS)
def test_the_tree_is_kept_while_the_game_continues_in_it(text: str) -> None:
    state, search, rng = game_after(text, Random(text), moves=10), TreeSearch(), Random(1)
    search.set_position(state)
    search_for(search, 800, rng)
    tree = search.tree
    for _ in range(2):
        node = max(search.root_children, key=lambda node: int(tree.visits[node]))
        visits = int(tree.visits[node])
        state = state.apply(search.best_candidate().action)
        search.set_position(state)
        assert search.tree is tree
        assert search.root == node
        search_for(search, 50, rng)
        assert tree.visits[node] == visits + 50
        moves = {decode_move(int(tree.move[child])) for child in search.root_children}
        assert moves <= {move.cells for move in placements(state)}


def test_the_tree_is_not_kept_for_another_game() -> None:
    search = TreeSearch()
    for seed in (1, 2):
        search.set_position(game_after("players=2", Random(seed), moves=9))
        assert search.root == 0
        search_for(search, 40, Random(seed))
    search.set_position(game_after("players=2", Random(2), moves=8))
    assert search.root == 0 == search.tree.visits[0], "going back is not continuing"
    assert not search.recent_moves


def test_one_search_can_change_between_variants() -> None:
    """Its buffers are reused: nothing of the rules of the game before may remain in them."""
    search = TreeSearch()
    for text in ("players=3", "players=2 contact=corners", "", "teams=on", "players=2 start=free"):
        state = game_after(text, Random(text), moves=14)
        search.set_position(state)
        search_for(search, 60)
        assert search.best_candidate() == searched(state, 60).best_candidate()


def test_a_search_that_followed_the_game_knows_the_last_moves() -> None:
    """Their attach cells are the local cells of playouts, and good replies answer them."""
    state, search, played = game_after("players=2", Random(6), moves=12), TreeSearch(), list[int]()
    search.set_position(state)
    assert not search.recent_moves
    for _ in range(2):
        for _ in range(2):
            action = placements(state)[0]
            played.append(encode_move(action.cells))
            state = state.apply(action)
        search.set_position(state)
    assert [move for _, move in search.recent_moves] == played[-3:]
    position = search.position
    for colour, move in search.recent_moves[1:]:
        start, end = position.last_attach_start[colour], position.attach_count[colour]
        attached = position.attach_cells[colour, start:end]
        around = {(move & ANCHOR_MASK) + int(offset) for offset in VERTEX_OFFSETS[move >> SHAPE_SHIFT]}
        assert {*attached.tolist()} <= around


# --- Values ---------------------------------------------------------------------------------------


def test_moves_without_visits_have_their_static_value_but_never_more_than_those_before() -> None:
    """They had copies of the last value of a visited move, beside the win rate of another prediction."""
    search = searched(game_after("players=2", Random(3), moves=6), 40)
    visited = np.count_nonzero(search.tree.visits[search.root_children])
    candidates = search.analysis().candidates
    assert 0 < visited < len(search.root_children)
    for before, candidate in pairwise(candidates[visited - 1 :]):
        assert candidate.expected
        assert candidate.value == min(before.value, 2 * candidate.expected.win_rate - 1)
    assert len({candidate.value for candidate in candidates[visited:]}) > 2


def test_lost_visits_do_not_lead_out_of_the_range_of_values_and_win_rates() -> None:
    """Threads share counters that are not atomic: a visit may be lost whose reward is counted."""
    search = searched(game_after("players=2", Random(3), moves=6), 40)
    tree, children = search.tree, search.root_children
    tree.value_sum[children] = tree.visits[children] + 1.0
    tree.root_stats.wins[:] = tree.root_stats.simulations[:, None] + 1.0
    for candidate in (search.best_candidate(), *search.analysis().candidates):
        assert candidate.expected
        assert -1.0 <= candidate.value <= 1.0
        assert 0.0 <= candidate.expected.win_rate <= 1.0


# --- Threads and seeds ----------------------------------------------------------------------------


def test_several_threads_search_one_tree() -> None:
    state, engine = game_after("players=2", Random(7), moves=16), GAME.engine(GAME.levels[-1])
    engine.threads = 2
    analysis = engine.analyse(state, Limit(simulations=2000), Random(1))
    assert {candidate.action for candidate in analysis.candidates} == {*state.legal_actions()}
    assert len(analysis.candidates) == len(state.legal_actions())
    ((_, simulations),) = analysis.facts[0].values
    assert isinstance(simulations, int)
    assert simulations >= 2000
    for action in analysis.candidates[0].pv:
        assert action in state.legal_actions()
        state = state.apply(action)


def test_a_thread_that_cannot_be_started_ends_those_that_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """They simulated for ever, and the process never exited; Ctrl-C at that moment did the same."""
    started, start = list[Thread](), Thread.start

    def start_one(thread: Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        start(thread)
        started.append(thread)

    search = TreeSearch(3, node_count=3 * (MAX_MOVES + 1))
    search.set_position(game_after("players=2", Random(7), moves=16))
    with monkeypatch.context() as patch:
        patch.setattr(Thread, "start", start_one)
        with pytest.raises(RuntimeError, match="can't start"):
            search.run(Budget(Limit(seconds=1000)), Random(1))
    (helper,) = started
    assert not helper.is_alive()


def test_an_engine_takes_as_many_threads_as_share_its_tree() -> None:
    engine = TrigonEngine(GAME.levels[-1], tree_nodes=2 * (MAX_MOVES + 1))
    engine.threads = 2
    for threads in (0, 3):
        with pytest.raises(ValueError, match=f"invalid number of threads {threads}: expected 1 to 2"):
            engine.threads = threads
    assert engine.threads == 2


def test_a_closed_engine_frees_its_tree() -> None:
    engine = TrigonEngine(GAME.levels[-1], tree_nodes=MAX_MOVES + 1)
    engine.choose(game_after("players=2", Random(4), moves=8), Limit(simulations=1), Random(1))
    tree = ref(engine._tree_search)
    engine.close()
    gc.collect()
    assert tree() is None


def test_the_same_seed_and_one_thread_play_the_same() -> None:
    def game(seed: int) -> list[object]:
        state, engine = game_after("players=2", Random(4), moves=4), GAME.engine(GAME.levels[-1])
        rng, played = Random(seed), list[object]()
        for _ in range(6):
            action = engine.choose(state, Limit(simulations=120), rng).action
            played.append(action)
            state = state.apply(action)
        return played

    assert game(1) == game(1)
