"""The moves of Trippples over flat arrays, and its exact solvers, compiled by Numba for the engine.

A set of directions is a byte as in `board.py`, and every table of such sets has signed 16-bit
entries: a little wide, but no sum of them ever turns into a float.

A two-player position is one number: turn * 4096 + square's pawn * 64 + round's pawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

from tripot.games.trippples.board import ANY, NEIGHBOURS, NEUTRAL, SQUARES, STEPS
from tripot.games.trippples.rules import Options

Table: TypeAlias = NDArray[np.int16]
Function = TypeVar("Function", bound=Callable[..., Any])

POSITIONS: Final = 8192
TURN: Final = 4096  # in a position's number: whose turn it is
WON: Final = -1  # instead of a successor: the pawn is on its finish
FROZEN: Final = -2  # instead of a successor: nobody can move


def compiled(function: Function) -> Function:
    """Compile at the first call, keep the code on disk, and let other threads run meanwhile."""
    return cast(Function, numba.njit(cache=True, nogil=True)(function))


# --- The board as tables -----------------------------------------------------------------------

STEPPED: Final = np.array(NEIGHBOURS, np.int16)  # the next square by square and direction, or -1
OFFSETS: Final = np.array([up * 8 + right for right, up in STEPS], np.int16)  # to it, by direction
TOWARD: Final = np.zeros((SQUARES, SQUARES), np.int16)  # the way from a square to the next one, else none
for _here, _there in ((here, there) for here in range(SQUARES) for there in NEIGHBOURS[here] if there >= 0):
    TOWARD[_here, _there] = 1 << NEIGHBOURS[_here].index(_there)
COUNT: Final = np.array([ways.bit_count() for ways in range(256)], np.int16)
LOWEST: Final = np.array([(ways & -ways).bit_length() - 1 for ways in range(256)], np.int16)


class Layout(NamedTuple):
    """A board under its options. Rows are square's and round's, columns the 64 squares.

    starts    where each side's pawns begin
    finishes  where they win
    shows     the directions a pawn standing here gives to the opponent: any if there are no arrows
    neutral   1 where a pawn standing here goes any way (TP-6)
    stands    1 where a side's pawn can be while the game lasts
    goes      the directions that lead from here to a square the side may enter, if it is free
    comes     the directions that lead to here from a square the side's pawn can be on
    freed     the directions that lead to here from a neutral square
    """

    starts: Table
    finishes: Table
    shows: Table
    neutral: Table
    stands: Table
    goes: Table
    comes: Table
    freed: Table


def pack(tiles: bytes, options: Options) -> Layout:
    """TP-2, TP-3, TP-6: a layout for the solvers. Any tiles will do, many neutral ones too."""
    starts, finishes = options.homes
    masks = np.frombuffer(tiles, np.uint8).astype(np.int16)
    return _pack(masks, np.array(starts, np.int16), np.array(finishes, np.int16), options.wild)


@compiled
def _pack(tiles: Table, starts: Table, finishes: Table, wild: bool) -> Layout:
    shows = np.full(SQUARES, ANY, np.int16)
    neutral = np.zeros(SQUARES, np.int16)
    stands = np.zeros((2, SQUARES), np.int16)
    goes = np.zeros((2, SQUARES), np.int16)
    comes = np.zeros((2, SQUARES), np.int16)
    freed = np.zeros(SQUARES, np.int16)
    for square in range(SQUARES):
        arrows = COUNT[tiles[square]] == 3
        if arrows:
            shows[square] = tiles[square]
        neutral[square] = tiles[square] == NEUTRAL
        for bit in range(8):
            there = STEPPED[square, bit]
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
                there = STEPPED[here, bit]
                if there >= 0 and (stands[side, there] or there == finishes[side]):
                    goes[side, here] |= 1 << bit
                    comes[side, there] |= 1 << bit
        stands[side, starts[side]] = 1
    return Layout(starts, finishes, shows, neutral, stands, goes, comes, freed)


# --- Moves of two players ----------------------------------------------------------------------


@compiled
def _place(turn: int, own: int, other: int) -> int:
    """The number of a position, given the pawn of the side to move and the other one."""
    return own * 64 + other if turn == 0 else TURN + other * 64 + own


@compiled
def _ways(layout: Layout, side: int, own: int, other: int) -> int:
    """TP-2, TP-3, TP-6: the directions in which a side may move."""
    arrows = ANY if layout.neutral[own] else layout.shows[other]
    return layout.goes[side, own] & arrows & ~TOWARD[own, other]


@compiled
def _origins(layout: Layout, side: int, own: int, other: int) -> int:
    """The directions of the moves that bring a side's pawn to where it stands."""
    return layout.comes[side, own] & (layout.shows[other] | layout.freed[own]) & ~TOWARD[other, own]


@compiled
def _after(layout: Layout, side: int, own: int, other: int) -> int:
    """TP-4, TP-5, TP-6, TP-8: the position, WON or FROZEN once a side has stepped onto `own`."""
    if own == layout.finishes[side]:
        return WON
    mine = _ways(layout, side, own, other)
    if layout.neutral[own] and mine:
        return _place(side, own, other)
    if _ways(layout, 1 - side, other, own):
        return _place(1 - side, other, own)
    return _place(side, own, other) if mine else FROZEN


@compiled
def moves(layout: Layout, position: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The squares that the side to move may enter, ascending, and what each leads to.

    That is a position, WON (for the side that moves) or FROZEN.
    """
    turn, square, round_ = position >> 12, position >> 6 & 63, position & 63
    own, other = (square, round_) if turn == 0 else (round_, square)
    ways = _ways(layout, turn, own, other)
    targets = np.empty(COUNT[ways], np.int64)
    successors = np.empty(COUNT[ways], np.int64)
    for index in range(len(targets)):
        bit = LOWEST[ways]
        ways &= ways - 1
        targets[index] = own + OFFSETS[bit]
    targets.sort()
    for index in range(len(targets)):
        successors[index] = _after(layout, turn, targets[index], other)
    return targets, successors


# --- Who wins ----------------------------------------------------------------------------------


@compiled
def solve(layout: Layout, called: bool) -> Table:
    """Every position under perfect play without TP-7: plies to the win or, below 0, to the loss.

    From the side to move; 0 is a draw, or no position at all. With `called` a freeze wins for the
    one who makes it (TP-8). Works backwards from the wins, nearest first, so that the first win
    found is the quickest and the last loss the slowest; the table is that of `rules.solve`.
    """
    plies = np.zeros(POSITIONS, np.int16)
    left = np.zeros(POSITIONS, np.int16)  # of each position: the moves not yet known to lose
    known = np.empty(POSITIONS, np.int16)  # the positions decided, nearest first
    end = 0
    for side in range(2):
        stride, other_stride = (64, 1) if side == 0 else (1, 64)
        for own in range(SQUARES):
            if not layout.stands[side, own]:
                continue
            finish = TOWARD[own, layout.finishes[side]]
            for other in range(SQUARES):
                if other == own or not layout.stands[1 - side, other]:
                    continue
                ways = _ways(layout, side, own, other)
                if ways:
                    position = side * TURN + own * stride + other * other_stride
                    left[position] = COUNT[ways]
                    if ways & finish:
                        plies[position] = 1
                        known[end] = position
                        end += 1
    if called:
        end = _freezes(layout, plies, left, known, end)
    begin = 0
    while begin < end:
        position = known[begin]
        begin += 1
        turn = position >> 12
        won = plies[position] > 0
        next_plies = abs(plies[position]) + 1
        for side in range(2):
            if side == 0:
                own, other, stride = position >> 6 & 63, position & 63, 64
            else:
                own, other, stride = position & 63, position >> 6 & 63, 1
            first = side if layout.neutral[own] else 1 - side  # in line after that side's step (TP-6)
            if first != turn:
                passed = position ^ TURN
                if left[passed] or plies[passed]:  # could move, so it was not skipped (TP-4)
                    continue
            ways = _origins(layout, side, own, other)
            place = _place(side, own, other)
            while ways:
                bit = LOWEST[ways]
                ways &= ways - 1
                before = place - OFFSETS[bit] * stride
                if plies[before]:
                    continue
                if won == (side == turn):
                    plies[before] = next_plies
                else:
                    left[before] -= 1
                    if left[before]:
                        continue
                    plies[before] = -next_plies
                known[end] = before
                end += 1
    return plies


@compiled
def _freezes(layout: Layout, plies: Table, left: Table, known: Table, end: int) -> int:
    """TP-8: note the positions from which a move freezes both pawns as won; the new end of `known`."""
    for square in range(SQUARES):
        for round_ in range(SQUARES):
            place = square * 64 + round_
            if left[place] or left[TURN + place] or square == round_:
                continue
            if not (layout.stands[0, square] and layout.stands[1, round_]):
                continue
            for side in range(2):
                own, other, stride = (square, round_, 64) if side == 0 else (round_, square, 1)
                ways = _origins(layout, side, own, other)
                while ways:
                    bit = LOWEST[ways]
                    ways &= ways - 1
                    before = side * TURN + place - OFFSETS[bit] * stride
                    if not plies[before]:
                        plies[before] = 1
                        known[end] = before
                        end += 1
    return end


# --- The indirect win --------------------------------------------------------------------------

LURED: Final = 10_000  # ranks from here on are on the way to a cycle, those below are in one


@compiled
def indirect(layout: Layout, base: Table, play: Table) -> Table:
    """TP-7: who wins the positions that are drawn otherwise, by ranks from the side to move.

    `base` says which moves lose in the sense of TP-7: it is `solve(layout, called=False)`. `play`
    is the table of the game played, `solve(layout, called=True)` with TP-8. Above 0 the side to
    move wins, below 0 it loses, if no position has occurred before; the winner always goes to the
    successor whose rank is nearest 0.

    An attacker wins once the game is in a *core*: positions, each reachable from each, where the
    defender always has one move only that does not lose, once at least with another one to refuse,
    and where the attacker is not forced as well. Round any of its cycles the third repetition
    comes. Everywhere else no cycle can hurt the defender, so a core has to be forced.
    """
    ranks = np.zeros(POSITIONS, np.int16)
    after, legal, sound, drawing = _draws(layout, base, play)
    begins, before = _backwards(after)
    for attacker in range(2):
        cycles, core = _cores(attacker, after, legal, sound)
        won = _ring_ranks(attacker, legal, cycles, core, begins, before)
        _lure(attacker, won, drawing.copy(), begins, before)
        for position in range(POSITIONS):
            if won[position]:
                ranks[position] = won[position] if position >> 12 == attacker else -won[position]
    return ranks


@compiled
def _draws(layout: Layout, base: Table, play: Table) -> tuple[Table, Table, Table, Table]:
    """Of each drawn position: the drawn positions that follow, ended by -1, and three counts:

    the legal moves, those that do not lose by `base`, and those that keep the draw. An unannounced
    freeze keeps it too, but nothing follows.
    """
    after = np.full((POSITIONS, 9), -1, np.int16)
    legal = np.zeros(POSITIONS, np.int16)
    sound = np.zeros(POSITIONS, np.int16)
    drawing = np.zeros(POSITIONS, np.int16)
    for position in range(POSITIONS):
        turn, square, round_ = position >> 12, position >> 6 & 63, position & 63
        if play[position] or square == round_:
            continue
        if not (layout.stands[0, square] and layout.stands[1, round_]):
            continue
        own, other = (square, round_) if turn == 0 else (round_, square)
        ways = _ways(layout, turn, own, other)
        legal[position] = COUNT[ways]
        edges = 0
        while ways:
            bit = LOWEST[ways]
            ways &= ways - 1
            follower = _after(layout, turn, own + OFFSETS[bit], other)
            if follower < 0:  # a freeze; a win would not be a draw
                sound[position] += 1
                drawing[position] += 1
                continue
            loses = base[follower] < 0 if follower >> 12 == turn else base[follower] > 0
            sound[position] += not loses
            if not play[follower]:
                drawing[position] += 1
                after[position, edges] = follower
                edges += 1
    return after, legal, sound, drawing


@compiled
def _backwards(after: Table) -> tuple[NDArray[np.int64], Table]:
    """The same arrows against their direction: those to a position are before[begins[it]:begins[it + 1]]."""
    begins = np.zeros(POSITIONS + 1, np.int64)
    for position in range(POSITIONS):
        for follower in after[position]:
            if follower < 0:
                break
            begins[follower] += 1
    begins = np.cumsum(begins)
    before = np.empty(begins[-1], np.int16)
    for position in range(POSITIONS):  # filling each range from its end leaves `begins` at its begin
        for follower in after[position]:
            if follower < 0:
                break
            begins[follower] -= 1
            before[begins[follower]] = position
    return begins, before


@compiled
def _cores(attacker: int, after: Table, legal: Table, sound: Table) -> tuple[Table, NDArray[np.bool_]]:
    """The strongly connected components where the defender never has a choice, and which are cores.

    The component of each position, from 1, or 0. By Tarjan's algorithm, with its own stack of calls.
    """
    seen = np.zeros(POSITIONS, np.int16)  # when a position was first met, from 1
    lowest = np.zeros(POSITIONS, np.int16)  # the earliest position known to be reachable from it
    component = np.zeros(POSITIONS, np.int16)
    core = np.zeros(POSITIONS + 1, np.bool_)  # by component
    tried = np.zeros(POSITIONS, np.int16)  # how many of its arrows have been followed
    path, stack = np.empty(POSITIONS, np.int16), np.empty(POSITIONS, np.int16)
    met = stacked = components = 0
    for root in range(POSITIONS):
        if seen[root] or not legal[root] or (root >> 12 != attacker and sound[root] != 1):
            continue
        depth = 1
        path[0] = stack[stacked] = root
        stacked += 1
        met += 1
        seen[root] = lowest[root] = met
        while depth:
            position = path[depth - 1]
            follower = after[position, tried[position]]
            if follower >= 0:
                tried[position] += 1
                if follower >> 12 != attacker and sound[follower] != 1:
                    continue
                if not seen[follower]:
                    path[depth] = stack[stacked] = follower
                    depth += 1
                    stacked += 1
                    met += 1
                    seen[follower] = lowest[follower] = met
                elif not component[follower]:
                    lowest[position] = min(lowest[position], seen[follower])
                continue
            depth -= 1
            if depth:
                parent = path[depth - 1]
                lowest[parent] = min(lowest[parent], lowest[position])
            if lowest[position] == seen[position]:
                components += 1
                first = stacked - 1
                while stack[first] != position:
                    first -= 1
                for index in range(first, stacked):
                    component[stack[index]] = components
                core[components] = _is_core(attacker, stack[first:stacked], legal, sound)
                stacked = first
    return component, core


@compiled
def _is_core(attacker: int, cycle: Table, legal: Table, sound: Table) -> bool:
    """TP-7: whether going round wins. Without a choice for the attacker there is one cycle only."""
    pressed = choice = another = False
    for position in cycle:
        if position >> 12 != attacker:
            pressed = pressed or legal[position] > 1
        else:
            choice = choice or sound[position] > 1
            another = another or legal[position] > 1
    return len(cycle) > 1 and pressed and (choice or not another)


@compiled
def _ring_ranks(
    attacker: int,
    legal: Table,
    component: Table,
    core: NDArray[np.bool_],
    begins: NDArray[np.int64],
    before: Table,
) -> Table:
    """In each core: 1 + the steps to one position where the defender is pressed, so play goes round it."""
    ranks = np.zeros(POSITIONS, np.int16)
    near = np.empty(POSITIONS, np.int16)
    for goal in range(POSITIONS):
        if not core[component[goal]] or legal[goal] == 1 or goal >> 12 == attacker:
            continue
        ring = component[goal]
        core[ring] = False  # one goal is enough
        ranks[goal], near[0] = 1, goal
        begin, end = 0, 1
        while begin < end:
            position = near[begin]
            begin += 1
            for earlier in before[begins[position] : begins[position + 1]]:
                if component[earlier] == ring and not ranks[earlier]:
                    ranks[earlier] = ranks[position] + 1
                    near[end] = earlier
                    end += 1
    return ranks


@compiled
def _lure(
    attacker: int,
    ranks: Table,
    drawing: Table,
    begins: NDArray[np.int64],
    before: Table,
) -> None:
    """Add the positions from which the attacker forces the way into a core; `drawing` is used up."""
    inside = np.empty(POSITIONS, np.int16)
    begin = end = 0
    for position in range(POSITIONS):
        if ranks[position]:
            inside[end] = position
            end += 1
    while begin < end:
        position = inside[begin]
        begin += 1
        for earlier in before[begins[position] : begins[position + 1]]:
            if ranks[earlier]:
                continue
            drawing[earlier] -= 1
            if earlier >> 12 == attacker or not drawing[earlier]:
                ranks[earlier] = max(ranks[position] + 1, LURED)
                inside[end] = earlier
                end += 1
