"""Monte Carlo tree search (MCTS): PUCT selection with RAVE, truncated playouts and a value table.

A simulation has four phases. It selects a path from the root by PUCT (Rosin 2011; AlphaGo Zero), in which
RAVE is blended into the value of a child; expands the last node after a few visits, with priors from the
policy features; plays on with the playout policy, to the end of the game or to a depth at which the value
table predicts the scores; and backpropagates the rewards. Every team maximises its own reward (max^n), so two
teams, three players and four players use the same code.

Several threads may search one tree. A visit counts when a node is selected (virtual loss), so threads take
different paths. Counters are not atomic: an update is lost now and then, which does no harm.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tripot.engine.jit import i64, njit_inline_once, njit_no_nrt
from tripot.games.trigon.kernel.available_moves import (
    list_available_moves,
    next_to_move,
    play_move,
    restore_available_moves,
)
from tripot.games.trigon.kernel.distances import CellWorkspace
from tripot.games.trigon.kernel.dtypes import (
    Float32Array,
    Float64Array,
    Int32Array,
    Int64Array,
    Uint64Array,
    u64,
)
from tripot.games.trigon.kernel.features import (
    compute_cell_features,
    compute_cell_weights,
    move_logit,
    placed_count,
    stage,
    team_mask,
)
from tripot.games.trigon.kernel.history import History, append_history, update_replies
from tripot.games.trigon.kernel.opening import prune_opening_moves
from tripot.games.trigon.kernel.params import SearchParams
from tripot.games.trigon.kernel.playout import run_playout
from tripot.games.trigon.kernel.position import (
    GAME_OVER,
    Position,
    copy_into,
    final_score,
    place_piece,
)
from tripot.games.trigon.kernel.rave import PlayedMoves, collect_played_moves, update_rave
from tripot.games.trigon.kernel.rewards import compute_rewards
from tripot.games.trigon.kernel.tree import UNEXPANDED, Tree
from tripot.games.trigon.kernel.value import ValueTable, predict_scores
from tripot.games.trigon.kernel.workspace import (
    MAX_DEPTH,
    SearchContext,
    SearchWorkspace,
    SimulationOutcome,
)

TO_THE_END: Final = 4 * MAX_DEPTH  # moves of a playout that is not truncated


# --- The loop -------------------------------------------------------------------------------------


@njit_no_nrt
def run_simulations(
    context: SearchContext, workspace: SearchWorkspace, thread: int, rng: Uint64Array, count: int
) -> None:
    """Run some simulations from the root. Several threads may do so at once, each with its own workspace."""
    tree, params, history = context.tree, context.params, workspace.playout_state.history
    position, path, outcome = workspace.position, workspace.path, workspace.outcome
    root_pieces = 0
    for colour in range(4):
        root_pieces += placed_count(context.root_position, colour)
    for _ in range(count):
        copy_into(context.root_position, position)
        restore_available_moves(context.root_position, context.root_moves, workspace.available)
        history.length[0] = history.root_length[0]
        depth = _select_and_expand(context, workspace, thread)
        max_moves = params.playout_depth if root_pieces + depth < params.full_playout_pieces else TO_THE_END
        turn = run_playout(
            position,
            workspace.available,
            _leaf_turn(tree, path, depth, context.turn),
            context.teams,
            context.playout_params,
            workspace.playout_state,
            max_moves,
            rng,
        )
        _evaluate_leaf(
            position,
            turn,
            context.teams,
            context.value_weights,
            params,
            workspace.cell_workspace,
            outcome,
        )
        update_replies(workspace.playout_state.good_replies, history, outcome.rewards)
        _backpropagate(tree, path, depth, history, workspace.played, outcome)


# --- Selection and expansion ----------------------------------------------------------------------


@njit_inline_once
def _select_and_expand(context: SearchContext, workspace: SearchWorkspace, thread: int) -> int:
    """Follow the best children from the root, expand the last node if it is due, and return the depth.

    The nodes are written to `workspace.path`, and their moves played in `workspace.position`.
    """
    tree, root, params, position = context.tree, context.root, context.params, workspace.position
    node, depth, colour = root, 0, context.turn
    workspace.path[0] = root
    while True:
        if tree.first_child[node] == UNEXPANDED:
            if node != root and tree.visits[node] <= params.expand_visits:
                break
            is_expanded = _expand(context, workspace, thread, node, colour)
            if node != root or not is_expanded:
                break
        if tree.to_move[node] == GAME_OVER:
            break
        position.blocked[0] = tree.blocked[node]
        colour = i64(tree.to_move[node])
        if node == root and tree.evaluated_root[0] != node:
            _evaluate_root_children(
                tree,
                root,
                params,
                position,
                workspace.child_position,
                context.teams,
                context.value_weights,
                workspace.cell_workspace,
                workspace.outcome,
            )
        tree.child_visits[node] += 1
        node = _select_child(tree, node, params, workspace.child_scores)
        tree.visits[node] += 1
        move = i64(tree.move[node])
        play_move(position, workspace.available, colour, move)
        append_history(workspace.playout_state.history, colour, move)
        depth += 1
        workspace.path[depth] = node
        colour = (colour + 1) & 3
    return depth


@njit_inline_once
def _select_child(tree: Tree, node: int, params: SearchParams, scores: Float32Array) -> int:
    """Return the child with the highest PUCT score: mean value blended with RAVE, plus the exploration term.

    Before its first visit, a child counts as `prior_visits` visits with the mean value of its siblings,
    reduced by its prior value. `scores` is a buffer.
    """
    begin, count, visit_sum = tree.first_child[node], tree.child_count[node], tree.child_visits[node]
    mean = np.float32(tree.child_value_sum[node] / visit_sum if visit_sum else 0.5)
    exploration = np.float32(params.exploration * np.sqrt(visit_sum + 1.0))
    prior_visits, rave_weight = np.float32(params.prior_visits), np.float32(params.rave_weight)
    half, one = np.float32(params.rave_half_visits), np.float32(1)
    visits, priors = tree.visits[begin : begin + count], tree.prior[begin : begin + count]
    value_sums, prior_values = tree.value_sum[begin : begin + count], tree.prior_value[begin : begin + count]
    rave_visits = tree.rave_visits[begin : begin + count]
    rave_sums = tree.rave_value_sum[begin : begin + count]
    for index in range(count):
        n = np.float32(visits[index])
        rave = rave_weight * half / (half + n)
        total = value_sums[index] + prior_visits * (mean + prior_values[index]) + rave * rave_sums[index]
        scores[index] = total / (n + prior_visits + rave * rave_visits[index]) + exploration * priors[
            index
        ] / (one + n)
    # The maximum by bit patterns, which LLVM vectorises. Floats order like integers if the maximum is
    # positive.
    bits, best, chosen = scores.view(np.int32), np.int32(0), u64(0)
    for index in range(count):
        best = max(best, bits[index])
    while bits[chosen] != best:
        chosen += u64(1)
    return int(begin + np.int64(chosen))


@njit_inline_once
def _expand(context: SearchContext, workspace: SearchWorkspace, thread: int, node: int, turn: int) -> bool:
    """Add the children of a node; False if the thread's part of the tree is full.

    `turn` is the colour after the one that moved last; it may be blocked.
    """
    tree, position = context.tree, workspace.position
    colour = next_to_move(position, workspace.available, turn)
    tree.blocked[node] = position.blocked[0]
    if colour == GAME_OVER:
        tree.to_move[node], tree.child_count[node] = GAME_OVER, 0
        tree.first_child[node] = 0
        return True
    moves = workspace.moves[: list_available_moves(position, workspace.available, colour, workspace.moves)]
    moves = moves[: prune_opening_moves(position, colour, moves, moves)]
    if tree.next_node[thread] + len(moves) > tree.node_limit[thread]:
        return False
    best_logit = _score_moves(
        position,
        colour,
        moves,
        context.teams,
        context.policy_weights,
        workspace.cell_workspace,
        workspace.logits,
    )
    tree.to_move[node] = colour
    _append_children(tree, thread, node, moves, workspace.logits, best_logit, context.params)
    return True


@njit_no_nrt
def _score_moves(
    position: Position,
    colour: int,
    moves: Int32Array,
    teams: Int64Array,
    policy_weights: Float64Array,
    cell_workspace: CellWorkspace,
    logits: Float64Array,
) -> float:
    """Compute the logits of some moves of a colour, and return the highest."""
    weights, team, best = policy_weights[stage(position, colour)], team_mask(colour, teams), -1e9
    compute_cell_features(position, colour, team, cell_workspace)
    compute_cell_weights(position, colour, team, weights, cell_workspace)
    for index in range(len(moves)):
        logits[index] = move_logit(position, team, moves[index], weights, cell_workspace)
        best = max(best, logits[index])
    return best


@njit_no_nrt
def _append_children(
    tree: Tree,
    thread: int,
    node: int,
    moves: Int32Array,
    logits: Float64Array,
    best_logit: float,
    params: SearchParams,
) -> None:
    """Add one child per move that is not too far below the best, with softmax priors."""
    begin = tree.next_node[thread]
    child, total, minimum = begin, 0.0, best_logit - params.prior_cutoff
    for index in range(len(moves)):
        if logits[index] >= minimum:
            weight = np.exp(params.prior_sharpness * (logits[index] - best_logit))
            total += weight
            tree.move[child], tree.prior[child] = moves[index], weight
            tree.prior_value[child] = logits[index] - best_logit
            tree.first_child[child], tree.child_count[child] = UNEXPANDED, 0
            tree.visits[child], tree.value_sum[child] = 0, 0.0
            tree.rave_visits[child], tree.rave_value_sum[child] = 0.0, 0.0
            tree.child_visits[child], tree.child_value_sum[child] = 0, 0.0
            child += 1
    for sibling in range(begin, child):
        tree.prior[sibling] /= total
    tree.child_count[node] = child - begin
    tree.next_node[thread] = child
    tree.first_child[node] = begin  # written last: the flag for other threads that the children are complete


@njit_no_nrt
def _evaluate_root_children(
    tree: Tree,
    root: int,
    params: SearchParams,
    position: Position,
    child_position: Position,
    teams: Int64Array,
    value_weights: ValueTable,
    cell_workspace: CellWorkspace,
    outcome: SimulationOutcome,
) -> None:
    """Blend the value table's predictions after each root move into the priors of the root's children.

    `position` is that of the root; `child_position`, `cell_workspace` and `outcome` are buffers.
    """
    tree.evaluated_root[0] = root
    colour, begin = i64(tree.to_move[root]), tree.first_child[root]
    end = begin + tree.child_count[root]
    best, total, value_weight = -1e9, 0.0, params.root_value_weight
    for child in range(begin, end):
        copy_into(position, child_position)
        place_piece(child_position, colour, i64(tree.move[child]))
        turn = (colour + 1) & 3
        error = predict_scores(child_position, turn, value_weights, cell_workspace, outcome.scores)
        compute_rewards(
            outcome.scores,
            position.in_play[0],
            teams,
            np.float64(error),
            params,
            outcome.rewards,
            outcome.win_shares,
        )
        predicted = outcome.rewards[colour]
        tree.prior_value[child] = value_weight * predicted + (1 - value_weight) * tree.prior_value[child]
        best = max(best, tree.prior_value[child])
    for child in range(begin, end):
        tree.prior_value[child] -= best
        tree.prior[child] = np.exp(params.prior_sharpness * tree.prior_value[child])
        total += tree.prior[child]
    for child in range(begin, end):
        tree.prior[child] /= total


# --- Evaluation and backpropagation ---------------------------------------------------------------


@njit_inline_once
def _leaf_turn(tree: Tree, path: Int64Array, depth: int, root_turn: int) -> int:
    """Return the colour with which the playout starts; it may be blocked."""
    leaf = path[depth]
    if tree.first_child[leaf] != UNEXPANDED:
        return max(0, int(tree.to_move[leaf]))
    return (int(tree.to_move[path[depth - 1]]) + 1) & 3 if depth else root_turn


@njit_inline_once
def _evaluate_leaf(
    position: Position,
    turn: int,
    teams: Int64Array,
    value_weights: ValueTable,
    params: SearchParams,
    cell_workspace: CellWorkspace,
    outcome: SimulationOutcome,
) -> None:
    """Compute the outcome of a simulation: final scores if the game is over, else predicted ones."""
    score_error = 0.0
    if turn == GAME_OVER:
        for colour in range(4):
            outcome.scores[colour] = final_score(position, colour)
    else:
        score_error = predict_scores(position, turn, value_weights, cell_workspace, outcome.scores)
    compute_rewards(
        outcome.scores, position.in_play[0], teams, score_error, params, outcome.rewards, outcome.win_shares
    )


@njit_inline_once
def _backpropagate(
    tree: Tree,
    path: Int64Array,
    depth: int,
    history: History,
    played: PlayedMoves,
    outcome: SimulationOutcome,
) -> None:
    """Add the outcome of a simulation to the nodes of its path, to RAVE and to the root statistics."""
    root, leaf, rewards = path[0], path[depth], outcome.rewards
    if depth:
        child_index, stats = path[1] - tree.first_child[root], tree.root_stats
        stats.simulations[child_index] += 1
        for colour in range(4):
            stats.wins[child_index, colour] += outcome.win_shares[colour]
            stats.scores[child_index, colour] += outcome.scores[colour]
    collect_played_moves(history, played)
    tree.visits[root] += 1
    for step in range(depth):
        parent, child = path[step], path[step + 1]
        reward = rewards[tree.to_move[parent]]
        tree.value_sum[child] += reward
        tree.child_value_sum[parent] += reward
        update_rave(tree, parent, step, history, played, reward)
    if tree.first_child[leaf] > 0:
        update_rave(tree, leaf, depth, history, played, rewards[tree.to_move[leaf]])
