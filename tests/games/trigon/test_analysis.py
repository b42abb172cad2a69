"""What the engine says about moves: principal variations, expected outcomes and distance maps."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from tests.games.trigon.kernel_helpers import VARIANTS, game_after, search_for, searched

import tripot
from tripot.game import Limit
from tripot.games.trigon.board import CELL_INDEX, COLOURS, GRID, cells_of, edge_neighbours
from tripot.games.trigon.engine import distance_maps
from tripot.games.trigon.kernel.distances import new_cell_workspace
from tripot.games.trigon.kernel.params import TREE_PARAMS
from tripot.games.trigon.kernel.position import decode_move, encode_move, from_state
from tripot.games.trigon.kernel.results import static_outcomes
from tripot.games.trigon.kernel.tree_search import TreeSearch

GAME = tripot.get_game("trigon")


def test_a_principal_variation_can_be_played() -> None:
    state = game_after("", Random(9), moves=12)
    best = GAME.engine(GAME.levels[-1]).choose(state, Limit(simulations=600), Random(2))
    for action in best.pv:
        assert action in state.legal_actions()
        state = state.apply(action)


@pytest.mark.parametrize("text", VARIANTS)
def test_the_expected_outcome_is_the_mean_of_the_simulations_of_a_move(text: str) -> None:
    state = game_after(text, Random(text), moves=14)
    search = searched(state, 300)
    tree, children, stats = search.tree, search.root_children, search.tree.root_stats
    visits = tree.visits[children.start : children.stop]
    assert (stats.simulations[: len(children)] == visits).all()
    assert not stats.simulations[len(children) :].any()
    wins = stats.wins.sum(axis=0)
    teams = [colour % 2 if state.options.is_paired else colour for colour in range(4)]
    shares = {teams[colour]: wins[colour] for colour in state.in_play}
    assert sum(shares.values()) == pytest.approx(300), "every simulation divides one win"
    node_of = {decode_move(int(tree.move[node])): node for node in children}
    for candidate in (
        GAME.engine(GAME.levels[-1]).analyse(state, Limit(simulations=300), Random(1)).candidates
    ):
        assert candidate.expected is not None
        assert 0 <= candidate.expected.win_rate <= 1
        assert len(candidate.expected.scores) == state.options.players
        index = node_of.get(candidate.action.cells, children.stop) - children.start
        if stats.simulations[index] >= TREE_PARAMS.min_reported_simulations:
            mean = stats.wins[index, state.turn] / stats.simulations[index]
            assert candidate.expected.win_rate == pytest.approx(mean)


def test_close_to_the_end_the_expected_outcome_is_the_end_itself() -> None:
    """One colour has one move left and the others none: the expected outcome is the outcome after it."""
    for seed in range(40):
        state = game_after("players=2", Random(seed), moves=200)
        before = game_after("players=2", Random(seed), moves=len(state.pieces_on_board) - 1)
        if len(before.legal_actions()) == 1:
            break
    assert state.outcome
    (candidate,) = GAME.engine(GAME.levels[-1]).analyse(before, Limit(simulations=10), Random(1)).candidates
    assert candidate.expected
    assert candidate.expected.scores == state.outcome.scores
    seat = before.to_act
    assert isinstance(seat, int)
    assert candidate.expected.win_rate == (1.0 if state.outcome.winners == (seat,) else 0.0)
    own, other = state.outcome.scores[seat], state.outcome.scores[1 - seat]
    assert candidate.expected.score_lead(seat, before.teams) == own - other


@pytest.mark.parametrize("level", GAME.levels)
def test_every_candidate_of_every_level_has_a_pv_and_an_expected_outcome(level: int) -> None:
    """Hints and graphs need them for any move that was played, however little the engine thought of it."""
    state = game_after("", Random(4), moves=9)
    analysis = GAME.engine(level).analyse(state, Limit(simulations=10), Random(1))
    assert len(analysis.candidates) == len(state.legal_actions())
    for candidate in analysis.candidates:
        assert candidate.pv[0] == candidate.action
        assert candidate.expected
        assert len(candidate.expected.scores) == 4
    assert [reached.owner for reached in analysis.distance_maps] == ["blue", "yellow", "red", "green"]


@pytest.mark.parametrize("level", [1, 4, 5])
def test_values_are_expected_results_at_the_levels_without_search(level: int) -> None:
    """They were relative probabilities: the best move was a certain win, at a win rate of 0.4."""
    state, engine = game_after("players=2", Random(8), moves=6), GAME.engine(level)
    choice = engine.choose(state, Limit(simulations=30), Random(1))
    candidates = engine.analyse(state, Limit(simulations=30), Random(1)).candidates
    for candidate in (choice, candidates[0]):
        assert candidate.expected
        assert candidate.value == 2 * candidate.expected.win_rate - 1
    for candidate, following in pairwise(candidates):
        assert following.expected
        assert following.value == min(candidate.value, 2 * following.expected.win_rate - 1)


def test_moves_that_the_search_prunes_are_not_certain_losses() -> None:
    """Their value was -1 beside an ordinary win rate."""
    state = game_after("players=2", Random(8), moves=6)
    candidates = GAME.engine(12).analyse(state, Limit(simulations=30), Random(1)).candidates
    for candidate, following in pairwise(candidates):
        assert following.value <= candidate.value
    assert candidates[-1].expected
    assert candidates[-1].value > -1


def test_a_move_without_simulations_from_this_position_has_the_predicted_outcome() -> None:
    """The tree was kept, so a move may lead by visits from before the last move alone."""
    search, state = TreeSearch(), game_after("players=2", Random(8), moves=14)
    search.set_position(state)
    search_for(search, 3000)
    state = state.apply(search.best_candidate().action)
    search.set_position(state)
    assert not search.tree.root_stats.simulations.any()
    best = search.best_candidate()
    move = encode_move(best.action.cells)
    (predicted,) = static_outcomes(state, from_state(state), [move], new_cell_workspace())
    assert best.expected
    assert best.expected.win_rate == pytest.approx(predicted.win_rate)
    assert best.expected.scores == pytest.approx(predicted.scores)


@pytest.mark.parametrize("text", VARIANTS)
def test_distances_start_at_the_attach_cells_and_continue_over_open_cells(text: str) -> None:
    state = game_after(text, Random(text), moves=17)
    for reached in distance_maps(state):
        colour = COLOURS.index(reached.owner)
        distances = {CELL_INDEX[name]: distance for name, distance in reached.distances.items()}
        assert {cell for cell, distance in distances.items() if distance == 1} == {
            *cells_of(state.attach_cells(colour))
        }
        assert not any(state.forbidden_cells(colour) >> cell & 1 for cell in distances)
        for cell, distance in distances.items():
            neighbours = [distances[near] for near in edge_neighbours(cell) if near in distances]
            assert distance == 1 or min(neighbours) == distance - 1
        assert all(cell in range(GRID) for cell in distances)
