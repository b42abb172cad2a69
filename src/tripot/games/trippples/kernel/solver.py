"""The moves of two players over flat arrays, and the exact solvers, compiled by Numba for the engine.

A set of directions is a byte as in `board.py`, and every table of such sets has signed 16-bit
entries: a little wide, but no sum of them ever turns into a float.

A two-player position is one number: turn * 4096 + square's pawn * 64 + round's pawn.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.trippples.board import ALL_DIRECTIONS, DIRECTION_STEPS, NEIGHBOURS, NEUTRAL, SQUARES
from tripot.games.trippples.options import Options

Int16Array: TypeAlias = NDArray[np.int16]

POSITIONS: Final = 8192
TURN_BIT: Final = 4096  # in a position's number: whose turn it is
WON: Final = -1  # instead of a successor: the pawn is on its finish
FROZEN: Final = -2  # instead of a successor: nobody can move


# --- The board as tables -----------------------------------------------------------------------

NEIGHBOUR: Final = np.array(NEIGHBOURS, np.int16)  # the next square by square and direction, or -1
DIRECTION_OFFSET: Final = np.array(
    [up * 8 + right for right, up in DIRECTION_STEPS], np.int16
)  # to it, by direction
DIRECTION_TO: Final = np.zeros(
    (SQUARES, SQUARES), np.int16
)  # the way from a square to the next one, else none
for _here, _there in ((here, there) for here in range(SQUARES) for there in NEIGHBOURS[here] if there >= 0):
    DIRECTION_TO[_here, _there] = 1 << NEIGHBOURS[_here].index(_there)
DIRECTIONS_BY_SQUARE: Final = np.argsort(
    DIRECTION_OFFSET
)  # the directions in the order of the squares they lead to
POPCOUNT: Final = np.array([ways.bit_count() for ways in range(256)], np.int16)
LOWEST_BIT: Final = np.array([(ways & -ways).bit_length() - 1 for ways in range(256)], np.int16)


class Layout(NamedTuple):
    """A board under its options. Rows are square's and round's, columns the 64 squares.

    starts    where each side's pawns begin
    finishes  where they win
    arrows  the directions a pawn standing here gives to the opponent: any if there are no arrows
    neutral   1 where a pawn standing here goes any way (TP-6)
    can_stand  1 where a side's pawn can be while the game lasts
    exits  the directions that lead from here to a square the side may enter, if it is free
    entries  the directions that lead to here from a square the side's pawn can be on
    neutral_entries  the directions that lead to here from a neutral square
    """

    starts: Int16Array
    finishes: Int16Array
    arrows: Int16Array
    neutral: Int16Array
    can_stand: Int16Array
    exits: Int16Array
    entries: Int16Array
    neutral_entries: Int16Array


def pack_layout(tiles: bytes, options: Options) -> Layout:
    """TP-2, TP-3, TP-6: a layout for the solvers. Any tiles will do, many neutral ones too."""
    starts, finishes = options.homes
    masks = np.frombuffer(tiles, np.uint8).astype(np.int16)
    return _pack(masks, np.array(starts, np.int16), np.array(finishes, np.int16), options.wild)


@njit_cached
def _pack(tiles: Int16Array, starts: Int16Array, finishes: Int16Array, wild: bool) -> Layout:
    shows = np.full(SQUARES, ALL_DIRECTIONS, np.int16)
    neutral = np.zeros(SQUARES, np.int16)
    stands = np.zeros((2, SQUARES), np.int16)
    goes = np.zeros((2, SQUARES), np.int16)
    comes = np.zeros((2, SQUARES), np.int16)
    freed = np.zeros(SQUARES, np.int16)
    for square in range(SQUARES):
        arrows = POPCOUNT[tiles[square]] == 3
        if arrows:
            shows[square] = tiles[square]
        neutral[square] = tiles[square] == NEUTRAL
        for bit in range(8):
            there = NEIGHBOUR[square, bit]
            if there >= 0 and neutral[square]:
                freed[there] |= 1 << bit
        if arrows or (wild and neutral[square]):
            stands[:, square] = 1
    for side in range(2):
        for home in (starts[side], starts[1 - side], finishes[side], finishes[1 - side]):
            stands[side, home] = 0
        for here in range(SQUARES):
            if not stands[side, here] and here != starts[side]:
                continue
            for bit in range(8):
                there = NEIGHBOUR[here, bit]
                if there >= 0 and (stands[side, there] or there == finishes[side]):
                    goes[side, here] |= 1 << bit
                    comes[side, there] |= 1 << bit
        stands[side, starts[side]] = 1
    return Layout(starts, finishes, shows, neutral, stands, goes, comes, freed)


# --- Moves of two players ----------------------------------------------------------------------


@njit_cached
def _encode(turn: int, own: int, other: int) -> int:
    """The number of a position, given the pawn of the side to move and the other one."""
    return own * 64 + other if turn == 0 else TURN_BIT + other * 64 + own


@njit_cached
def _decode(position: int) -> tuple[int, int, int]:
    """Whose turn it is, where his pawn stands, and where the other one."""
    if position < TURN_BIT:
        return 0, position >> 6, position & 63
    return 1, position & 63, position >> 6 & 63


@njit_cached
def _is_position(layout: Layout, position: int) -> bool:
    """Whether pawns can stand so."""
    turn, own, other = _decode(position)
    return own != other and layout.can_stand[turn, own] and layout.can_stand[1 - turn, other]


@njit_cached
def _directions(layout: Layout, side: int, own: int, other: int) -> int:
    """TP-2, TP-3, TP-6: the directions in which a side may move."""
    arrows = ALL_DIRECTIONS if layout.neutral[own] else layout.arrows[other]
    ways: int = layout.exits[side, own] & arrows & ~DIRECTION_TO[own, other]
    return ways


@njit_cached
def _unmove_directions(layout: Layout, side: int, own: int, other: int) -> int:
    """The directions of the moves that bring a side's pawn to where it stands."""
    ways: int = (
        layout.entries[side, own]
        & (layout.arrows[other] | layout.neutral_entries[own])
        & ~DIRECTION_TO[other, own]
    )
    return ways


@njit_cached
def _successor(layout: Layout, side: int, own: int, other: int) -> int:
    """TP-4, TP-5, TP-6, TP-8: the position, WON or FROZEN once a side has stepped onto `own`."""
    if own == layout.finishes[side]:
        return WON
    mine = _directions(layout, side, own, other)
    if layout.neutral[own] and mine:
        return _encode(side, own, other)
    if _directions(layout, 1 - side, other, own):
        return _encode(1 - side, other, own)
    return _encode(side, own, other) if mine else FROZEN


@njit_cached
def moves(layout: Layout, position: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The squares that the side to move may enter, ascending, and what each leads to.

    That is a position, WON (for the side that moves) or FROZEN.
    """
    turn, own, other = _decode(position)
    ways = _directions(layout, turn, own, other)
    targets = np.empty(POPCOUNT[ways], np.int64)
    after = np.empty(POPCOUNT[ways], np.int64)
    count = 0
    for bit in DIRECTIONS_BY_SQUARE:
        if ways >> bit & 1:
            targets[count] = own + DIRECTION_OFFSET[bit]
            after[count] = _successor(layout, turn, targets[count], other)
            count += 1
    return targets, after


# --- Who wins ----------------------------------------------------------------------------------


@njit_cached
def solve(layout: Layout, called: bool) -> Int16Array:
    """Every position under perfect play without TP-7: plies to the win or, below 0, to the loss.

    From the side to move; 0 is a draw, or no position at all. With `called` a freeze wins for the
    one who makes it (TP-8). Works backwards from the ends, nearest first, so that the first win
    found is the quickest and the last loss the slowest; the table is that of `rules.solve`.
    """
    plies = np.zeros(POSITIONS, np.int16)
    left = np.zeros(POSITIONS, np.int16)  # of each position: the moves not yet known to lose
    known = np.empty(POSITIONS, np.int16)  # the positions to work back from
    end = _init_terminals(layout, called, plies, left, known)
    begin = 0
    while begin < end:
        position = known[begin]
        begin += 1
        turn, frozen, won = position >> 12, plies[position] == 0, plies[position] > 0
        distance = abs(plies[position]) + 1
        for side in range(2):
            own, other = position >> 6 & 63, position & 63
            if side == 1:
                own, other = other, own
            first = side if layout.neutral[own] else 1 - side  # in line after that side's step (TP-6)
            if first != turn and (left[position ^ TURN_BIT] or plies[position ^ TURN_BIT]):
                continue  # the first could move, so it was not skipped (TP-4)
            ways = _unmove_directions(layout, side, own, other)
            while ways:
                before = _encode(side, own - DIRECTION_OFFSET[LOWEST_BIT[ways]], other)
                ways &= ways - 1
                if plies[before]:
                    continue
                if frozen or won == (side == turn):
                    plies[before] = distance
                else:
                    left[before] -= 1
                    if left[before]:
                        continue
                    plies[before] = -distance
                known[end] = before
                end += 1
    return plies


@njit_cached
def _init_terminals(
    layout: Layout, called: bool, plies: Int16Array, left: Int16Array, known: Int16Array
) -> int:
    """Count all moves, and note the ends: freezes first, as they are made already, then wins in one."""
    for side in range(2):
        for own in range(SQUARES):
            for other in range(SQUARES):
                if own != other and layout.can_stand[side, own] and layout.can_stand[1 - side, other]:
                    left[_encode(side, own, other)] = POPCOUNT[_directions(layout, side, own, other)]
    end = 0
    if called:
        for position in range(TURN_BIT):
            if not (left[position] or left[position ^ TURN_BIT]) and _is_position(layout, position):
                known[end] = position
                end += 1
    for position in range(POSITIONS):
        turn, own, other = _decode(position)
        finish = DIRECTION_TO[own, layout.finishes[turn]]
        if finish and left[position] and _directions(layout, turn, own, other) & finish:
            plies[position] = 1
            known[end] = position
            end += 1
    return end


# --- The indirect win --------------------------------------------------------------------------

ATTRACTOR_RANK: Final = 10_000  # ranks from here on are on the way to a cycle, those below are in one


class DrawGraph(NamedTuple):
    """What TP-7 is about: the drawn positions, how they follow each other, and counts of their moves.

    successors  of each position: the drawn positions that follow, ended by -1
    predecessor_start, predecessors  of each position: those before it are
                                     before[begins[position]:begins[position + 1]]
    legal           the moves there are; 0 for all other positions
    non_losing_moves  the moves that do not lose, in the sense of TP-7
    drawing_moves  the moves that keep the draw; also a freeze that cannot be called, though nothing follows
    """

    successors: Int16Array
    predecessor_start: NDArray[np.int64]
    predecessors: Int16Array
    legal: Int16Array
    non_losing_moves: Int16Array
    drawing_moves: Int16Array


@njit_cached
def repetition_ranks(layout: Layout, base: Int16Array, play: Int16Array) -> Int16Array:
    """TP-7: who wins the positions that are drawn otherwise, by ranks from the side to move.

    `base` says which moves lose in the sense of TP-7: it is `solve(layout, called=False)`. `play`
    is the table of the game played, `solve(layout, called=True)` with TP-8. Above 0 the side to
    move wins, below 0 it loses, if nothing has been repeated yet; the winner always goes to the
    successor whose rank is nearest 0.

    An attacker wins once the game is in a *core*: positions, each reachable from each, where the
    defender always has just one move that does not lose, at least once with another one to refuse,
    and where the attacker is not forced as well. Going round in it brings the third repetition.
    No cycle elsewhere can hurt the defender, so the attacker has to force the way into a core.
    """
    ranks = np.zeros(POSITIONS, np.int16)
    draws = _draw_graph(layout, base, play)
    for attacker in range(2):
        won = _core_ranks(draws, attacker)
        _attractor(draws, attacker, won)
        for position in range(POSITIONS):
            if won[position]:
                ranks[position] = won[position] if position >> 12 == attacker else -won[position]
    return ranks


@njit_cached
def _draw_graph(layout: Layout, base: Int16Array, play: Int16Array) -> DrawGraph:
    after = np.full((POSITIONS, 9), -1, np.int16)
    begins = np.zeros(POSITIONS + 1, np.int64)
    legal = np.zeros(POSITIONS, np.int16)
    sound = np.zeros(POSITIONS, np.int16)
    drawing = np.zeros(POSITIONS, np.int16)
    for position in range(POSITIONS):
        if play[position] or not _is_position(layout, position):
            continue
        turn, own, other = _decode(position)
        ways = _directions(layout, turn, own, other)
        legal[position] = POPCOUNT[ways]
        edges = 0
        while ways:
            follower = _successor(layout, turn, own + DIRECTION_OFFSET[LOWEST_BIT[ways]], other)
            ways &= ways - 1
            if follower == FROZEN:
                sound[position] += 1
                drawing[position] += 1
                continue
            loses = base[follower] < 0 if follower >> 12 == turn else base[follower] > 0
            sound[position] += not loses
            if not play[follower]:
                drawing[position] += 1
                begins[follower] += 1
                after[position, edges] = follower
                edges += 1
    begins = np.cumsum(begins)
    before = np.empty(begins[-1], np.int16)
    for position in range(POSITIONS):  # each range is filled from its end, which leaves its begin
        edges = 0
        while after[position, edges] >= 0:
            begins[after[position, edges]] -= 1
            before[begins[after[position, edges]]] = position
            edges += 1
    return DrawGraph(after, begins, before, legal, sound, drawing)


# Of a position, while cores are looked for: the defender has no choice there; it has been met; it is
# in the component looked at; it is in a core.
RESTRICTED, VISITED, IN_COMPONENT, IN_CORE = 1, 2, 3, 4


@njit_cached
def _core_ranks(draws: DrawGraph, attacker: int) -> Int16Array:
    """In each core: 1 + the steps to one position where the defender is pressed, so that play goes round it.

    Cores are strongly connected components, found by Kosaraju's two passes: each position after all
    that follow it, then backwards from the last.
    """
    mark = np.zeros(POSITIONS, np.int16)
    for position in range(POSITIONS):
        bound = position >> 12 == attacker or draws.non_losing_moves[position] == 1
        mark[position] = RESTRICTED if bound and draws.legal[position] else 0
    order = _post_order(draws, mark)
    ranks = np.zeros(POSITIONS, np.int16)
    component = np.empty(POSITIONS, np.int16)
    for index in range(len(order) - 1, -1, -1):
        if mark[order[index]] != VISITED:
            continue
        size = _reverse_bfs(draws, order[index], mark, IN_COMPONENT, component, ranks)
        goal = _core_target(draws, attacker, component[:size])
        if goal >= 0:
            _reverse_bfs(draws, goal, mark, IN_CORE, component, ranks)
        else:
            for each in component[:size]:
                mark[each] = ranks[each] = 0
    return ranks


@njit_cached
def _post_order(draws: DrawGraph, mark: Int16Array) -> Int16Array:
    """The bound positions, each after all that follow it unless they lead back to it; now they are met."""
    order = np.empty(POSITIONS, np.int16)
    path = np.empty(POSITIONS, np.int16)
    tried = np.zeros(POSITIONS, np.int16)  # how many of the followers
    count = depth = 0
    for root in range(POSITIONS):
        if mark[root] == RESTRICTED:
            mark[root] = VISITED
            path[0] = root
            depth = 1
        while depth:
            position = path[depth - 1]
            follower = draws.successors[position, tried[position]]
            tried[position] += 1
            if follower < 0:
                order[count] = position
                count += 1
                depth -= 1
            elif mark[follower] == RESTRICTED:
                mark[follower] = VISITED
                path[depth] = follower
                depth += 1
    return order[:count]


@njit_cached
def _reverse_bfs(
    draws: DrawGraph, goal: int, mark: Int16Array, new: int, found: Int16Array, ranks: Int16Array
) -> int:
    """Mark what leads to the goal along positions of the mark below, ranked by distance; how many."""
    found[0] = goal
    ranks[goal], mark[goal] = 1, new
    begin, end = 0, 1
    while begin < end:
        position = found[begin]
        begin += 1
        for index in range(draws.predecessor_start[position], draws.predecessor_start[position + 1]):
            earlier = draws.predecessors[index]
            if mark[earlier] == new - 1:
                mark[earlier] = new
                ranks[earlier] = ranks[position] + 1
                found[end] = earlier
                end += 1
    return end


@njit_cached
def _core_target(draws: DrawGraph, attacker: int, component: Int16Array) -> int:
    """TP-7: the first position where the defender is pressed, or -1 if going round does not win.

    Where the attacker has a choice at all, every cycle has one: elsewhere nothing branches off.
    Where he has none there is one cycle only, and he is forced if he has another move in it.
    """
    goal = POSITIONS
    choice = another = False
    for position in component:
        if position >> 12 != attacker:
            goal = min(goal, position) if draws.legal[position] > 1 else goal
        else:
            choice = choice or draws.non_losing_moves[position] > 1
            another = another or draws.legal[position] > 1
    return goal if len(component) > 1 and goal < POSITIONS and (choice or not another) else -1


@njit_cached
def _attractor(draws: DrawGraph, attacker: int, ranks: Int16Array) -> None:
    """Rank the positions from which the attacker forces the way into a core as well."""
    left = draws.drawing_moves.copy()  # of each position: the moves that keep out
    inside = np.empty(POSITIONS, np.int16)
    begin = end = 0
    for position in range(POSITIONS):
        if ranks[position]:
            inside[end] = position
            end += 1
    while begin < end:
        position = inside[begin]
        begin += 1
        for index in range(draws.predecessor_start[position], draws.predecessor_start[position + 1]):
            earlier = draws.predecessors[index]
            left[earlier] -= 1
            if not ranks[earlier] and (earlier >> 12 == attacker or not left[earlier]):
                ranks[earlier] = max(ranks[position] + 1, ATTRACTOR_RANK)
                inside[end] = earlier
                end += 1


# --- Hopes -------------------------------------------------------------------------------------

DISCOUNT: Final = 0.98  # what a hope loses by each ply: better now than later
TOLERANCE: Final = 1e-3  # hopes that change by less are good enough
MAX_SWEEPS: Final = 60


@njit_cached
def values_against_random(
    layout: Layout, play: Int16Array, ranks: Int16Array, setter: int
) -> NDArray[np.float64]:
    """What a side may hope for in drawn positions against an opponent who moves anywhere at random.

    1 where it is won by `play` or by TP-7's `ranks`, -1 where it is lost. In between, the side takes
    its best move, and of the opponent's moves each is as likely as another.
    """
    hope = np.zeros(POSITIONS, np.float64)
    drawn = np.zeros(POSITIONS, np.bool_)
    for position in range(POSITIONS):
        verdict = play[position] if play[position] else ranks[position]
        if verdict:
            hope[position] = 1.0 if (verdict > 0) == (position >> 12 == setter) else -1.0
        else:
            drawn[position] = _is_position(layout, position)
    for _ in range(MAX_SWEEPS):
        change = 0.0
        for position in range(POSITIONS):
            if drawn[position]:
                before = hope[position]
                hope[position] = DISCOUNT * _backup(layout, position, hope, setter)
                change = max(change, abs(hope[position] - before))
        if change < TOLERANCE:
            break
    return hope


@njit_cached
def _backup(layout: Layout, position: int, hope: NDArray[np.float64], setter: int) -> float:
    """The best of a position's followers for the side that hopes, their mean for the other."""
    turn, own, other = _decode(position)
    ways = _directions(layout, turn, own, other)
    count, total, best = int(POPCOUNT[ways]), 0.0, -1.0
    while ways:
        follower = _successor(layout, turn, own + DIRECTION_OFFSET[LOWEST_BIT[ways]], other)
        ways &= ways - 1
        each = float(hope[follower]) if follower != FROZEN else 0.0
        total += each
        best = max(best, each)
    return best if turn == setter else total / max(1, count)
