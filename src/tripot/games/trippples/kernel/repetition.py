"""TP-7: positions that are won by the third repetition, found with graph algorithms instead of histories.

With repetition the drawn positions are an infinite game, because a position depends on its history. The
result is nevertheless decided by the graph of drawn positions. Call a position *restricted* if the attacker
is to move, or if the defender has exactly one move that does not lose. A *core* is a strongly connected
component of restricted positions in which the defender has, at least once, another move (a losing one), and
in which the attacker is not forced too. An attacker who keeps the game inside a core reaches a third
repetition with the defender forced all along the cycle, and wins. No cycle outside of a core can hurt the
defender. So the attacker wins from the attractor of his cores: the positions from which he can force the game
into one of them.

The attractor is that of graph games; the components are found by Kosaraju's algorithm (Sharir 1981).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trippples.kernel.tables import (
    FROZEN,
    MAX_SUCCESSORS,
    POSITIONS,
    TURN_SHIFT,
    Int16Array,
    Layout,
    is_position,
    list_successors,
)

ATTRACTOR_RANK: Final = 10_000  # ranks from here on are outside of a core, ranks below are inside

# Marks of positions while cores are searched for, in the order in which a position gets them.
RESTRICTED: Final = 1
VISITED: Final = 2  # by the depth-first search
IN_COMPONENT: Final = 3
IN_CORE: Final = 4


class DrawGraph(NamedTuple):
    """The drawn positions, the moves between them, and counts of their moves.

    successors[8192, 9]      int16: the drawn positions after each position, followed by -1
    predecessor_start[8193]  int64: the predecessors of position p are
    predecessors[edges]      int16:     predecessors[predecessor_start[p] : predecessor_start[p + 1]]
    legal[8192]              int16: the number of legal moves; 0 for positions that are not drawn
    non_losing_moves[8192]   int16: the moves that do not lose in the sense of TP-7
    drawing_moves[8192]      int16: the moves that keep the draw, which include a freeze that is not announced
    """

    successors: Int16Array
    predecessor_start: NDArray[np.int64]
    predecessors: Int16Array
    legal: Int16Array
    non_losing_moves: Int16Array
    drawing_moves: Int16Array


@njit_cached
def repetition_ranks(layout: Layout, base: Int16Array, play: Int16Array) -> Int16Array:
    """Return the ranks of positions that are won or lost by repetition, int16[8192], else 0.

    `base` is `solve(layout, freeze_wins=False)`, which defines the losing moves of TP-7. `play` is the table
    of the game that is played: `solve(layout, freeze_wins=True)` with TP-8, else `base`. A rank above 0 means
    that the side to move wins, below 0 that it loses, if no position has been repeated yet. The winner moves
    to the successor whose rank is nearest to 0.
    """
    ranks = np.zeros(POSITIONS, np.int16)
    draws = _draw_graph(layout, base, play)
    for attacker in range(2):
        attacker_ranks = _core_ranks(draws, attacker)
        _attractor(draws, attacker, attacker_ranks)
        for position in range(POSITIONS):
            if attacker_ranks[position]:
                is_attacker = position >> TURN_SHIFT == attacker
                ranks[position] = attacker_ranks[position] if is_attacker else -attacker_ranks[position]
    return ranks


@njit_cached
def _draw_graph(layout: Layout, base: Int16Array, play: Int16Array) -> DrawGraph:
    """Return the graph of the positions that `play` leaves drawn; both tables are int16[8192] (`solve`)."""
    successors = np.full((POSITIONS, MAX_SUCCESSORS + 1), -1, np.int16)
    predecessor_start = np.zeros(POSITIONS + 1, np.int64)
    legal = np.zeros(POSITIONS, np.int16)
    non_losing_moves = np.zeros(POSITIONS, np.int16)
    drawing_moves = np.zeros(POSITIONS, np.int16)
    moves = np.empty(MAX_SUCCESSORS, np.int16)
    for position in range(POSITIONS):
        if play[position] or not is_position(layout, position):
            continue
        turn = position >> TURN_SHIFT
        legal[position] = list_successors(layout, position, moves)
        edge_count = 0
        for index in range(legal[position]):
            after = moves[index]
            if after == FROZEN:
                non_losing_moves[position] += 1
                drawing_moves[position] += 1
                continue
            is_losing = base[after] < 0 if after >> TURN_SHIFT == turn else base[after] > 0
            non_losing_moves[position] += not is_losing
            if not play[after]:
                drawing_moves[position] += 1
                predecessor_start[after] += 1
                successors[position, edge_count] = after
                edge_count += 1
    predecessor_start = np.cumsum(predecessor_start)
    predecessors = np.empty(predecessor_start[-1], np.int16)
    for position in range(POSITIONS):  # each range is filled from its end, which moves its start into place
        edge_count = 0
        while successors[position, edge_count] >= 0:
            after = successors[position, edge_count]
            predecessor_start[after] -= 1
            predecessors[predecessor_start[after]] = position
            edge_count += 1
    return DrawGraph(successors, predecessor_start, predecessors, legal, non_losing_moves, drawing_moves)


@njit_cached
def _core_ranks(draws: DrawGraph, attacker: int) -> Int16Array:
    """Return the ranks of the positions in cores, int16[8192], else 0.

    A rank is 1 plus the number of plies to the target of the core (`_core_target`). An attacker who follows
    falling ranks passes the target again and again. The components come from Kosaraju's two passes: a
    depth-first search, and searches along reversed edges in the reverse of its post-order.
    """
    marks = np.zeros(POSITIONS, np.int16)
    for position in range(POSITIONS):
        is_restricted = position >> TURN_SHIFT == attacker or draws.non_losing_moves[position] == 1
        marks[position] = RESTRICTED if is_restricted and draws.legal[position] else 0
    order = _post_order(draws, marks)
    ranks = np.zeros(POSITIONS, np.int16)
    component = np.empty(POSITIONS, np.int16)
    for index in range(len(order) - 1, -1, -1):
        if marks[order[index]] != VISITED:
            continue
        size = _reverse_bfs(draws, order[index], marks, IN_COMPONENT, component, ranks)
        target = _core_target(draws, attacker, component[:size])
        if target >= 0:
            _reverse_bfs(draws, target, marks, IN_CORE, component, ranks)
        else:
            for position in component[:size]:
                marks[position] = ranks[position] = 0
    return ranks


@njit_cached
def _post_order(draws: DrawGraph, marks: Int16Array) -> Int16Array:
    """Return the restricted positions in the post-order of a depth-first search, and mark them as visited."""
    order = np.empty(POSITIONS, np.int16)
    path = np.empty(POSITIONS, np.int16)
    next_edge = np.zeros(POSITIONS, np.int16)
    count = depth = 0
    for root in range(POSITIONS):
        if marks[root] == RESTRICTED:
            marks[root] = VISITED
            path[0] = root
            depth = 1
        while depth:
            position = path[depth - 1]
            after = draws.successors[position, next_edge[position]]
            next_edge[position] += 1
            if after < 0:
                order[count] = position
                count += 1
                depth -= 1
            elif marks[after] == RESTRICTED:
                marks[after] = VISITED
                path[depth] = after
                depth += 1
    return order[:count]


@njit_no_nrt
def _reverse_bfs(
    draws: DrawGraph, target: int, marks: Int16Array, new_mark: int, queue: Int16Array, ranks: Int16Array
) -> int:
    """Mark and rank the positions that lead to a target, by a breadth-first search along reversed edges.

    Only positions with the previous mark, `new_mark - 1`, are entered. The rank is 1 plus the distance. The
    positions are left in `queue`; the result is their number.
    """
    queue[0] = target
    ranks[target], marks[target] = 1, new_mark
    begin, end = 0, 1
    while begin < end:
        position = queue[begin]
        begin += 1
        for index in range(draws.predecessor_start[position], draws.predecessor_start[position + 1]):
            predecessor = draws.predecessors[index]
            if marks[predecessor] == new_mark - 1:
                marks[predecessor] = new_mark
                ranks[predecessor] = ranks[position] + 1
                queue[end] = predecessor
                end += 1
    return end


@njit_no_nrt
def _core_target(draws: DrawGraph, attacker: int, component: Int16Array) -> int:
    """TP-7: return the first position of a component where the defender is forced, or -1 if it is no core.

    The defender is forced where there is another move, which loses. The attacker is not forced if any
    position has several non-losing moves: then every cycle passes such a choice, because nothing else
    branches off. If there is no choice, there is only one cycle, and the attacker is forced if another move
    exists on it.
    """
    target = POSITIONS
    has_choice = has_other_move = False
    for position in component:
        if position >> TURN_SHIFT != attacker:
            target = min(target, position) if draws.legal[position] > 1 else target
        else:
            has_choice = has_choice or draws.non_losing_moves[position] > 1
            has_other_move = has_other_move or draws.legal[position] > 1
    is_attacker_forced = has_other_move and not has_choice
    return target if len(component) > 1 and target < POSITIONS and not is_attacker_forced else -1


@njit_cached
def _attractor(draws: DrawGraph, attacker: int, ranks: Int16Array) -> None:
    """Add the ranks of the positions from which the attacker can force the game into a core."""
    escapes = draws.drawing_moves.copy()  # by position: the drawing moves that stay outside
    queue = np.empty(POSITIONS, np.int16)
    begin = end = 0
    for position in range(POSITIONS):
        if ranks[position]:
            queue[end] = position
            end += 1
    while begin < end:
        position = queue[begin]
        begin += 1
        for index in range(draws.predecessor_start[position], draws.predecessor_start[position + 1]):
            predecessor = draws.predecessors[index]
            escapes[predecessor] -= 1
            is_attacker = predecessor >> TURN_SHIFT == attacker
            if not ranks[predecessor] and (is_attacker or not escapes[predecessor]):
                ranks[predecessor] = max(ranks[position] + 1, ATTRACTOR_RANK)
                queue[end] = predecessor
                end += 1
