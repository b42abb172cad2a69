"""Policy features, the value table and the pruning of openings."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from tests.games.trigon.kernel_helpers import (
    INDIVIDUAL_TEAMS,
    PAIRED_TEAMS,
    VARIANTS,
    game_after,
    legal_moves,
)

from tripot.games.trigon.kernel import features, moves, opening, tables, value
from tripot.games.trigon.kernel.distances import new_cell_workspace
from tripot.games.trigon.kernel.dtypes import Int32Array
from tripot.games.trigon.kernel.params import SEARCH_PARAMS
from tripot.games.trigon.kernel.position import Position, from_state
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.weights import load_weights


@pytest.mark.parametrize("text", VARIANTS)
def test_logits_are_the_weighted_sum_of_the_features(text: str) -> None:
    rng = Random(text)
    weights, x = load_weights(is_paired=True).policy, np.zeros(features.FEATURE_COUNT)
    workspace = new_cell_workspace()
    for count in (0, 9, 30):
        state = game_after(text, rng, count)
        if state.to_act is None:
            continue
        position, colour = from_state(state), state.turn
        for teams in (PAIRED_TEAMS, INDIVIDUAL_TEAMS):
            team = features.team_mask(colour, teams)
            stage_weights = weights[features.stage(position, colour)]
            features.compute_cell_features(position, colour, team, workspace)
            features.compute_cell_weights(position, colour, team, stage_weights, workspace)
            for move in rng.sample(sorted(legal_moves(position, colour)), 5):
                features.move_features(position, colour, team, move, workspace, x)
                logit = features.move_logit(position, team, move, stage_weights, workspace)
                assert logit == pytest.approx(float(stage_weights @ x))


def test_a_blocked_colour_has_no_distances_and_keeps_its_triangles() -> None:
    state = game_after("players=2", Random(5), moves=200)
    assert state.outcome
    position, workspace = from_state(state), new_cell_workspace()
    stock = workspace.stock_features
    assert value.value_features(position, 0, workspace, workspace.value_rows, stock) == 0
    for colour in range(4):
        assert stock[colour, value.TRIANGLES_LEFT] == -min(0, state.score(colour))
        assert stock[colour, value.IS_BLOCKED] == 1


def test_rewards_of_a_finished_game_go_to_the_winners() -> None:
    rewards, win_shares = np.zeros(4), np.zeros(4)

    def compute(scores: list[float], in_play: int, teams: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
        compute_rewards(np.array(scores), in_play, teams, 0.0, SEARCH_PARAMS, rewards, win_shares)

    compute([-3.0, -20, -9, 15], 0xF, PAIRED_TEAMS)
    assert rewards[1] == rewards[3] > 0.5 > rewards[0] == rewards[2]
    assert win_shares.tolist() == [0, 1, 0, 1]
    compute([-3.0, -20, -9, 15], 0xF, INDIVIDUAL_TEAMS)
    assert rewards.argmax() == 3
    compute([5.0, 0, 5, 0], 0b0101, INDIVIDUAL_TEAMS)
    assert rewards[0] == rewards[2] == win_shares[0] == win_shares[2] == 0.5


# --- Openings -------------------------------------------------------------------------------------


def pruned(position: Position, turn: int) -> tuple[Int32Array, list[int]]:
    """The legal moves of a colour, and those that are worth searching."""
    legal, into = moves.legal_moves(position, turn).copy(), np.zeros(tables.MAX_MOVES, np.int32)
    return legal, into[: opening.prune_opening_moves(position, turn, legal, into)].tolist()


@pytest.mark.parametrize("text", VARIANTS)
def test_openings_are_pruned_and_a_move_always_remains(text: str) -> None:
    rng = Random(text)
    for count in (0, 3, 10, 25, 50):
        state = game_after(text, rng, count)
        if state.to_act is None:
            continue
        position = from_state(state)
        legal, kept = pruned(position, state.turn)
        assert 0 < len(kept) == len({*kept}) <= len(legal)
        assert {*kept} <= {*legal.tolist()}
        if position.pieces_left[state.turn] == tables.ALL_PIECES:
            assert len(kept) < len(legal) / 6, "one start of six, large pieces towards the centre"


def test_after_its_first_piece_a_colour_also_considers_moves_away_from_the_centre() -> None:
    """Once, only moves towards the centre were considered for three more pieces.

    No opponent was ever enclosed: the best move was often not in the tree, and games were lost within their
    first sixteen moves.
    """
    rng = Random(5)
    for count in (4, 7, 9, 14):
        state = game_after("players=2 start=free", rng, count)
        legal, kept = pruned(from_state(state), state.turn)
        large = legal[tables.SIZE_OF_SHAPE[legal >> tables.SHAPE_SHIFT] == tables.MAX_PIECE_SIZE]
        assert {*large.tolist()} == {*kept}
