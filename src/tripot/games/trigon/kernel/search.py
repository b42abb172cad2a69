"""Monte Carlo tree search for Trigon over flat arrays, compiled by Numba.

A tree is a few long arrays, a row a move that was looked at; the moves after one lie together. A
simulation follows the most promising moves, adds the moves after the last of them, and plays on with
`playout`, to the end or for some moves, after which `value` tells what to expect; what each
side got is then noted along the way. Every side goes for its own reward, so two sides, three, four and
teams are all the same here.

What is tried first is told by weights of `features`, learned from games of the engine itself.
A move that did well for its colour anywhere later in a simulation counts a little as if it had been
played at once (RAVE): with hundreds of moves and few simulations there is no better guide.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_no_nrt
from tripot.games.trigon.kernel.compact_bits import (
    AvailableMoves,
    clone_mutable,
    has_moves,
    list_available_moves,
    play_move,
    restore_available_moves,
)
from tripot.games.trigon.kernel.features import (
    CellWorkspace,
    compute_cell_features,
    compute_cell_weights,
    move_logit,
    new_cell_workspace,
    placed_count,
    prune_opening_moves,
    stage,
    team_mask,
)
from tripot.games.trigon.kernel.placement_bits import (
    ONE,
    WORD_BITS,
    attach_start_placements,
    new_placement_bits,
)
from tripot.games.trigon.kernel.playout import (
    GAME_OVER,
    HISTORY_END,
    HISTORY_ROOT,
    PlayoutState,
    append_history,
    new_playout_state,
    run_playout,
    update_replies,
)
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ALL_PIECES,
    BLOCKED,
    IN_PLAY,
    MAX_MOVES,
    PIECES_LEFT,
    SHAPE_SHIFT,
    Int64Array,
    Position,
    clone,
    copy_into,
    final_score,
    place_piece,
    u64,
)
from tripot.games.trigon.kernel.value import predict_scores

Floats = NDArray[np.float64]

MAX_DEPTH: Final = 96  # moves: more than there are pieces
UNEXPANDED: Final = -1  # instead of the first move after one: not looked at yet
BLOOM_WORDS: Final = 64  # words

# The entries of `settings`: how much unlikely moves are tried, as how many visits a guess counts, how much
# hopes count beside visits, after how many visits a move is looked into, which share of the reward is for
# winning, how many points make a margin, how far a playout goes, from how many pieces on to the end, how
# sharply the weights tell likely moves from unlikely ones, and how much the values count beside the weights
# for the moves of the position itself.
(
    exploration,
    prior_visits,
    rave_weight,
    expand_visits,
    win_weight,
    margin_scale,
    playout_depth,
    full_playout_pieces,
    prior_sharpness,
    root_value_weight,
) = range(10)
SEARCH_PARAMS: Final = np.array([2.0, 10.0, 0.5, 2.0, 0.7, 25.0, 8.0, 16.0, 30.0, 0.7])
PLAYOUT_PARAMS: Final = np.array([1, 3, 6, 3, 1])  # see `playout`

# The columns of `Tree.root_stats`.
STATS_COUNT, STATS_WINS, STATS_SCORES = 0, 1, 5


class Tree(NamedTuple):
    """Moves, the first row standing for the position itself.

    move      what is played here, and its `prior`: how likely the weights think it; `prior_value` is how much
              less than the best of the moves beside it they think it worth
    first_child  the row of the first move after it, and their `child_count`; UNSEEN until looked at
    to_move  who is to move after it, or OVER, and `blocked`: who cannot move any more
    visits    how many simulations went through, and what its mover got in them: `value_sum`
    child_visits  how many simulations went on to the moves after it, and what their mover got:
                  `child_value_sum`
    rave_visits  in how many simulations through the row before its mover played it at any time, and
              what he got in them: `rave_value_sum`
    allocation  by thread: its next free row, and where its room ends
    evaluated_root  a single number: the row after which moves were last looked at closely, see
                    `_evaluate_root_children`
    root_stats  of the moves after the first row alone, in their order: in SEEN_ENDS how many simulations
              began with it, from SEEN_WINS on the wins that each colour's side had in them or shared, and
              from SEEN_SCORES on its scores, all added up
    """

    move: NDArray[np.int32]
    prior: NDArray[np.float32]
    prior_value: NDArray[np.float32]
    first_child: NDArray[np.int32]
    child_count: NDArray[np.int32]
    to_move: NDArray[np.int8]
    blocked: NDArray[np.int8]
    visits: NDArray[np.int32]
    value_sum: NDArray[np.float32]
    child_visits: NDArray[np.int32]
    child_value_sum: NDArray[np.float32]
    rave_visits: NDArray[np.float32]
    rave_value_sum: NDArray[np.float32]
    allocation: Int64Array
    evaluated_root: Int64Array
    root_stats: Floats


def new_tree(rows: int, threads: int = 1) -> Tree:
    """An empty tree with room for so many rows, to be grown by so many threads."""
    tree = Tree(
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.array([[rows * each // threads, rows * (each + 1) // threads] for each in range(threads)]),
        np.zeros(1, np.int64),
        np.zeros((MAX_MOVES, STATS_SCORES + 4), np.float64),
    )
    reset_tree(tree)
    return tree


@njit_no_nrt
def reset_tree(tree: Tree) -> None:
    """Forget all that was looked at."""
    for thread in range(len(tree.allocation)):
        tree.allocation[thread, 0] = tree.allocation[thread - 1, 1] if thread else 1
    tree.first_child[0], tree.child_count[0], tree.child_value_sum[0] = UNEXPANDED, 0, 0.0
    tree.visits[0] = tree.child_visits[0] = 0
    tree.evaluated_root[0] = UNEXPANDED


class SearchWorkspace(NamedTuple):
    """Room to work in, one a thread.

    position  the board of the simulation, the places `available` on it, and `path`: the rows that it went
              through; `child_position` one move more
    playout_state  where it was played lately
    played_bloom  by colour: a few bits of the moves of a simulation, so that most others are known at a
                  glance;
              `played_at` the last one with those bits was played
    logits    what the weights make of the moves of one position, and `child_scores` what the tree makes of
              them
    rewards   what each colour got, for the `scores` that it has or may expect at a glance
    win_shares  the win of each colour's side, or its share
    """

    position: Position
    available: AvailableMoves
    child_position: Position
    playout_state: PlayoutState
    path: Int64Array
    played_bloom: NDArray[np.uint64]
    played_at: NDArray[np.int8]
    moves: NDArray[np.int32]
    logits: Floats
    child_scores: NDArray[np.float32]
    rewards: Floats
    win_shares: Floats
    scores: Floats
    cell_workspace: CellWorkspace


def new_workspace(position: Position, left: AvailableMoves) -> SearchWorkspace:
    """Room to work with a position, and what is left in it."""
    return SearchWorkspace(
        clone(position),
        AvailableMoves(new_placement_bits(), clone_mutable(left.compact)),
        clone(position),
        new_playout_state(),
        np.zeros(MAX_DEPTH + 2, np.int64),
        np.zeros((4, BLOOM_WORDS), np.uint64),
        np.zeros((4, BLOOM_WORDS * WORD_BITS), np.int8),
        np.zeros(MAX_MOVES, np.int32),
        np.zeros(MAX_MOVES, np.float64),
        np.zeros(MAX_MOVES, np.float32),
        np.zeros(4, np.float64),
        np.zeros(4, np.float64),
        np.zeros(4, np.float64),
        new_cell_workspace(),
    )


@njit_no_nrt
def compute_rewards(
    scores: Floats, in_play: int, sides: Int64Array, unsure: float, settings: Floats, got: Floats, won: Floats
) -> None:
    """What each colour's side gets for the scores of all colours, 0 to 1: for winning, and for the margin.

    Scores that are only foretold, and may be `unsure` by so much, share the win among the sides:
    `win_shares`.
    """
    highest, leader = -1e9, 0
    for colour in range(4):
        if in_play >> colour & 1:
            total = 0.0
            for mate in range(4):
                if in_play >> mate & 1 and sides[mate] == sides[colour]:
                    total += scores[mate]
            got[colour] = total  # for now
            if total > highest:
                highest, leader = total, sides[colour]
    second, shared, counted = -1e9, 0.0, 0
    for colour in range(4):
        if in_play >> colour & 1:
            behind, side = highest - got[colour], sides[colour]
            if side != leader:
                second = max(second, got[colour])
            won[colour] = np.exp(-behind / unsure) if unsure > 0 else 1.0 if behind == 0 else 0.0
            if not counted >> side & 1:
                shared += won[colour]
            counted |= 1 << side
    for colour in range(4):
        if in_play >> colour & 1:
            ahead = got[colour] - (second if sides[colour] == leader else highest)
            margin = 0.5 + 0.5 * np.tanh(ahead / settings[margin_scale])
            won[colour] /= shared
            got[colour] = settings[win_weight] * won[colour] + (1 - settings[win_weight]) * margin


RAVE_HALF_VISITS: Final = 3000.0  # visits after which hopes count half
PRIOR_CUTOFF: Final = 0.3  # how far below the best a move may be and still be looked at


@njit_no_nrt
def next_to_move(position: Position, left: AvailableMoves, turn: int) -> int:
    """The colour that moves next, from `turn` on, or OVER; who cannot is out from now on."""
    out = position.status[BLOCKED] | (ALL_COLOURS & ~position.status[IN_PLAY])
    while out != ALL_COLOURS:
        if not out >> turn & 1:
            if position.counters[PIECES_LEFT, turn] == ALL_PIECES:
                attach_start_placements(position, left.bits, turn)
            if has_moves(position, left, turn):
                break
            out |= 1 << turn
        turn = (turn + 1) & 3
    position.status[BLOCKED] = out
    return turn if out != ALL_COLOURS else GAME_OVER


@njit_no_nrt
def _expand(
    tree: Tree,
    thread: int,
    row: int,
    position: Position,
    left: AvailableMoves,
    turn: int,
    sides: Int64Array,
    weights: Floats,
    settings: Floats,
    table: SearchWorkspace,
) -> bool:
    """Look at the moves after a row: who is to move, and what may be played. False if there is no room."""
    colour, at = next_to_move(position, left, turn), tree.allocation[thread, 0]
    tree.blocked[row] = position.status[BLOCKED]
    if colour == GAME_OVER:
        tree.to_move[row], tree.child_count[row] = GAME_OVER, 0
        tree.first_child[row] = 0
        return True
    moves = table.moves[: list_available_moves(position, left, colour, table.moves)]
    moves = moves[: prune_opening_moves(position, colour, moves, moves)]
    if at + len(moves) > tree.allocation[thread, 1]:
        return False
    logits, best = table.logits, -1e9
    own = weights[stage(position, colour)]
    friends = team_mask(colour, sides)
    compute_cell_features(position, colour, friends, table.cell_workspace)
    compute_cell_weights(position, colour, friends, own, table.cell_workspace)
    for index in range(len(moves)):
        logits[index] = move_logit(position, friends, moves[index], own, table.cell_workspace)
        best = max(best, logits[index])
    total, begin, least = 0.0, at, best - PRIOR_CUTOFF
    for index in range(len(moves)):
        if logits[index] >= least:
            chance = np.exp(settings[prior_sharpness] * (logits[index] - best))
            total += chance
            tree.move[at], tree.prior[at], tree.prior_value[at] = moves[index], chance, logits[index] - best
            tree.first_child[at], tree.child_count[at] = UNEXPANDED, 0
            tree.visits[at], tree.value_sum[at], tree.rave_visits[at], tree.rave_value_sum[at] = (
                0,
                0.0,
                0.0,
                0.0,
            )
            tree.child_visits[at], tree.child_value_sum[at] = 0, 0.0
            at += 1
    for index in range(begin, at):
        tree.prior[index] /= total
    tree.to_move[row], tree.child_count[row] = colour, at - begin
    tree.allocation[thread, 0] = at
    tree.first_child[row] = begin  # last of all: other threads take it for a sign that the rest is there
    return True


@njit_no_nrt
def _evaluate_root_children(
    tree: Tree,
    row: int,
    position: Position,
    sides: Int64Array,
    values: NDArray[np.float32],
    settings: Floats,
    table: SearchWorkspace,
) -> None:
    """Guess anew what the moves after a row are worth: by the values of what they lead to."""
    tree.evaluated_root[0] = row
    colour, begin, end = (
        int(tree.to_move[row]),
        tree.first_child[row],
        tree.first_child[row] + tree.child_count[row],
    )
    best, total, sure = -1e9, 0.0, settings[root_value_weight]
    for child in range(begin, end):
        copy_into(position, table.child_position)
        place_piece(table.child_position, colour, tree.move[child])
        unsure = predict_scores(
            table.child_position, (colour + 1) & 3, values, table.cell_workspace, table.scores
        )
        compute_rewards(
            table.scores, position.status[IN_PLAY], sides, unsure, settings, table.rewards, table.win_shares
        )
        tree.prior_value[child] = sure * table.rewards[colour] + (1 - sure) * tree.prior_value[child]
        best = max(best, tree.prior_value[child])
    for child in range(begin, end):
        tree.prior_value[child] -= best
        tree.prior[child] = np.exp(settings[prior_sharpness] * tree.prior_value[child])
        total += tree.prior[child]
    for child in range(begin, end):
        tree.prior[child] /= total


@njit_no_nrt
def _select_child(tree: Tree, row: int, settings: Floats, values: NDArray[np.float32]) -> int:
    """The move to follow: what it brought so far, what it was hoped to, and how little it was tried.

    From the beginning a move counts as some visits with what is usual here, less what the weights hold
    against it.
    """
    begin, number, tries = tree.first_child[row], tree.child_count[row], tree.child_visits[row]
    usual = np.float32(tree.child_value_sum[row] / tries if tries else 0.5)
    spread = np.float32(settings[exploration] * np.sqrt(tries + 1.0))
    untried, hope, fading = (
        np.float32(settings[prior_visits]),
        np.float32(settings[rave_weight]),
        np.float32(RAVE_HALF_VISITS),
    )
    one = np.float32(1)
    visits, priors = tree.visits[begin : begin + number], tree.prior[begin : begin + number]
    worths, guesses = tree.value_sum[begin : begin + number], tree.prior_value[begin : begin + number]
    mets, hopeds = tree.rave_visits[begin : begin + number], tree.rave_value_sum[begin : begin + number]
    for index in range(number):
        n = np.float32(visits[index])
        rave = hope * fading / (fading + n)
        value = worths[index] + untried * (usual + guesses[index]) + rave * hopeds[index]
        values[index] = value / (n + untried + rave * mets[index]) + spread * priors[index] / (one + n)
    bits, best, chosen = values.view(np.int32), np.int32(0), u64(0)
    for index in range(number):
        best = max(best, bits[index])  # in the order of the numbers themselves: the best is never negative
    while bits[chosen] != best:
        chosen += u64(1)
    return int(begin + np.int64(chosen))


@njit_no_nrt
def _bloom_bit(move: int) -> int:
    """Which bit stands for a move."""
    return (move ^ move >> SHAPE_SHIFT) & (BLOOM_WORDS * WORD_BITS - 1)


@njit_no_nrt
def _collect_played_moves(heat: PlayoutState, table: SearchWorkspace) -> None:
    """Note which moves were played in a simulation, by whom and when."""
    for colour in range(4):
        for word in range(BLOOM_WORDS):
            table.played_bloom[colour, word] = 0
    for at in range(heat.history_length[HISTORY_ROOT], heat.history_length[HISTORY_END]):
        colour, bit = heat.history_colours[at], u64(_bloom_bit(heat.history_moves[at]))
        table.played_bloom[colour, bit >> u64(6)] |= ONE << (bit & u64(WORD_BITS - 1))
        table.played_at[colour, bit] = at


@njit_no_nrt
def _update_rave(tree: Tree, row: int, depth: int, table: SearchWorkspace) -> None:
    """Note for the moves after a row which were played in a simulation later on; the sooner, the more."""
    mover, heat = tree.to_move[row], table.playout_state
    sieve, got = table.played_bloom[mover], table.rewards[mover]
    depth += heat.history_length[HISTORY_ROOT]
    span = 1.0 / (heat.history_length[HISTORY_END] - depth + 1)
    for child in range(tree.first_child[row], tree.first_child[row] + tree.child_count[row]):
        move = tree.move[u64(child)]
        bit = u64(_bloom_bit(move))
        if sieve[bit >> u64(6)] >> (bit & u64(WORD_BITS - 1)) & ONE:
            when = table.played_at[mover, bit]
            if depth <= when and heat.history_moves[when] == move:
                weight = 1.0 - (when - depth) * span
                tree.rave_visits[child] += weight
                tree.rave_value_sum[child] += weight * got


@njit_no_nrt
def _update_root_stats(tree: Tree, index: int, table: SearchWorkspace) -> None:
    """Note for a move of the position itself how a simulation with it ended."""
    seen = tree.root_stats[index]
    seen[STATS_COUNT] += 1
    for colour in range(4):
        seen[STATS_WINS + colour] += table.win_shares[colour]
        seen[STATS_SCORES + colour] += table.scores[colour]


@njit_no_nrt
def run_simulations(
    tree: Tree,
    root: int,
    thread: int,
    start: Position,
    known: AvailableMoves,
    turn: int,
    sides: Int64Array,
    weights: Floats,
    values: NDArray[np.float32],
    settings: Floats,
    plan: Int64Array,
    table: SearchWorkspace,
    random: NDArray[np.uint64],
    simulations: int,
) -> None:
    """Simulate some more from the start, which is a row of the tree.

    Several threads may do so at once. A visit counts from the moment on when a row is chosen, so they go
    different ways; now and then they lose a count to each other, which does no harm.
    """
    position, left, path, got, lying = table.position, table.available, table.path, table.rewards, 0
    for each in range(4):
        lying += placed_count(start, each)
    for _ in range(simulations):
        copy_into(start, position)
        restore_available_moves(start, known, left)
        table.playout_state.history_length[HISTORY_END] = table.playout_state.history_length[HISTORY_ROOT]
        row, depth, colour = root, 0, turn
        path[0] = root
        while True:
            if tree.first_child[row] == UNEXPANDED:
                if tree.visits[row] <= settings[expand_visits] and row != root:
                    break
                if not _expand(tree, thread, row, position, left, colour, sides, weights, settings, table):
                    break
                if row != root:
                    break
            if tree.to_move[row] == GAME_OVER:
                break
            position.status[BLOCKED] = tree.blocked[row]
            colour = int(tree.to_move[row])
            if row == root and tree.evaluated_root[0] != row:
                _evaluate_root_children(tree, row, position, sides, values, settings, table)
            tree.child_visits[row] += 1
            row = _select_child(tree, row, settings, table.child_scores)
            tree.visits[row] += 1
            play_move(position, left, colour, tree.move[row])
            append_history(table.playout_state, colour, tree.move[row])
            depth += 1
            path[depth] = row
            colour = (colour + 1) & 3
        if tree.first_child[row] != UNEXPANDED:
            colour = max(0, int(tree.to_move[row]))
        ahead = (
            int(settings[playout_depth]) if lying + depth < settings[full_playout_pieces] else 4 * MAX_DEPTH
        )
        colour = run_playout(position, left, colour, sides, plan, table.playout_state, ahead, random)
        unsure = 0.0
        if colour == GAME_OVER:
            for each in range(4):
                table.scores[each] = final_score(position, each)
        else:
            unsure = predict_scores(position, colour, values, table.cell_workspace, table.scores)
        compute_rewards(
            table.scores, position.status[IN_PLAY], sides, unsure, settings, got, table.win_shares
        )
        if depth:
            _update_root_stats(tree, path[1] - tree.first_child[root], table)
        update_replies(table.playout_state, got)
        _collect_played_moves(table.playout_state, table)
        tree.visits[root] += 1
        for step in range(depth):
            parent, child = path[step], path[step + 1]
            mover = tree.to_move[parent]
            tree.value_sum[child] += got[mover]
            tree.child_value_sum[parent] += got[mover]
            _update_rave(tree, parent, step, table)
        if tree.first_child[row] > 0:
            _update_rave(tree, row, depth, table)
