"""The moves of Triolet with their points over flat arrays, compiled by Numba.

A grid is 17 rows of 16 bytes: one free row above and below the board, and one free column before each
row, which also ends the row before it. So a walk along a line always stops at a free square, and the
next square along a row or a column is a step of 1 or 16. A square's byte is that of `board.py`.

A move is one number: from its lowest bits on the first square, the way (0 along a row, 1 along a
column), the kind, three values in the order of the squares, and which of them a joker stands for,
counted from 1, or 0 for none. An exchange is the number of the places given up, as bits, negative.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.triolet.actions import Exchange, Place, PlacedToken
from tripot.games.triolet.board import (
    ALL_VALUES,
    BIS,
    CENTRE,
    FACTORS,
    HIDDEN_TOKEN,
    IS_JOKER,
    JOKER,
    MAX_LINE,
    RACK_SIZE,
    SIZE,
    SQUARES,
    TRIO_SUM,
)
from tripot.games.triolet.scoring import TRIO_POINTS, TRIOLET_BONUS

Bytes: TypeAlias = NDArray[np.uint8]
Ints: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]

WIDTH: Final = 16
GRID: Final = 17 * WIDTH
MAX_MOVES: Final = 8192  # moves of one position; a rack with a joker has some hundreds
EMPTY_SLOT: Final = 255  # an empty place on a rack; the empty ones are last

# The kinds of a move, how many tokens each has, how far they reach, and where the fields begin.
ONE, TWO, SPLIT_TWO, THREE = range(4)
KIND_TOKENS: Final = np.array([1, 2, 2, 3], np.int64)
KIND_STRIDE: Final = np.array([1, 1, 2, 1], np.int64)
DIRECTION_SHIFT, KIND_SHIFT, VALUES_SHIFT, JOKER_SHIFT = 9, 10, 12, 24

GRID_INDEX: Final = np.array(
    [(each // SIZE + 1) * WIDTH + each % SIZE + 1 for each in range(SQUARES)], np.int64
)
IS_ON_BOARD: Final = np.zeros(GRID, np.bool_)
IS_ON_BOARD[GRID_INDEX] = True
MULTIPLIER: Final = np.ones(GRID, np.int64)
MULTIPLIER[GRID_INDEX] = FACTORS
IS_BIS: Final = np.zeros(GRID, np.bool_)
IS_BIS[GRID_INDEX[sorted(BIS)]] = True
CENTRE_INDEX: Final = int(GRID_INDEX[CENTRE])


# --- To and from the rules ---------------------------------------------------------------------


def to_grid(cells: bytes) -> Bytes:
    """A board of the rules as a grid."""
    grid = np.zeros(GRID, np.uint8)
    grid[GRID_INDEX] = np.frombuffer(cells, np.uint8)
    return grid


def to_rack(rack: bytes) -> Bytes:
    """A rack of the rules: three places, the empty ones last."""
    return np.array([*rack, *[EMPTY_SLOT] * (RACK_SIZE - len(rack))], np.uint8)


def decode(move: int, rack: bytes = b"") -> Place | Exchange:
    """The action that a number stands for; which tokens an exchange gives up depends on the rack."""
    if move < 0:
        return Exchange(bytes(token for index, token in enumerate(rack) if -move >> index & 1))
    first, step, kind = (
        move & (1 << DIRECTION_SHIFT) - 1,
        WIDTH if move >> DIRECTION_SHIFT & 1 else 1,
        move >> KIND_SHIFT & 3,
    )
    laid = []
    for index in range(int(KIND_TOKENS[kind])):
        row, column = divmod(first + index * int(KIND_STRIDE[kind]) * step, WIDTH)
        value, joker = move >> VALUES_SHIFT + 4 * index & 15, index + 1 == move >> JOKER_SHIFT
        laid.append(PlacedToken(row - 1, column - 1, value, joker))
    return Place(tuple(laid))


# --- Generating --------------------------------------------------------------------------------


Anchors: TypeAlias = Ints
"""What a token on each free square would be joined to: by COUNT and the like, way, and square.

COUNT  how many tokens
SUM    of their values, where there are any
WORTH  of their points, a joker's being none, where there are any
FITS   the values that TO-3 allows there, as bits

One array, not a tuple of four: passing tuples of arrays around takes half of the time.
"""
ADJOINING_COUNT, ADJOINING_SUM, ADJOINING_POINTS, CROSS_SET = range(4)

Moves: TypeAlias = Ints
"""Moves as two rows: the NUMBER of each, and its POINTS."""
NUMBER, POINTS = range(2)


@njit_cached
def new_anchors() -> Anchors:
    """Room for an edge."""
    return np.zeros((4, 2, GRID), np.int32)


@njit_cached
def new_moves() -> Moves:
    """Room for the moves of a position."""
    return np.zeros((2, MAX_MOVES), np.int32)


@njit_cached
def compute_anchors(grid: Bytes, edge: Anchors) -> int:
    """Fill in the edge of a board; returns how many tokens lie there."""
    laid = 0
    edge[ADJOINING_COUNT] = 0
    edge[CROSS_SET] = ALL_VALUES
    for place in range(WIDTH + 1, GRID - WIDTH):
        if grid[place]:
            laid += 1
        if grid[place] or not IS_ON_BOARD[place]:
            continue
        for way in range(2):
            step = WIDTH if way else 1
            if not grid[place - step] and not grid[place + step]:
                continue
            count = total = worth = 0
            for side in (-step, step):
                at = place + side
                while grid[at]:
                    count += 1
                    total += grid[at] % IS_JOKER - 1
                    worth += grid[at] - 1 if grid[at] < IS_JOKER else 0
                    at += side
            edge[ADJOINING_COUNT, way, place] = count
            edge[ADJOINING_SUM, way, place] = total
            edge[ADJOINING_POINTS, way, place] = worth
            if count == 1:
                edge[CROSS_SET, way, place] = (1 << TRIO_SUM - total + 1) - 1
            elif count == 2 and total <= TRIO_SUM:
                edge[CROSS_SET, way, place] = 1 << TRIO_SUM - total
            else:
                edge[CROSS_SET, way, place] = 0
    return laid


@njit_cached
def closes(grid: Bytes, laid: int, first: int, step: int, size: int) -> bool:
    """TO-9: whether tokens on some squares close a block; the squares are free and `step` apart."""
    for index in range(size):
        grid[first + index * step] = 1
    found = False
    if laid + size == 4:
        for corner in (first, first - 1, first - WIDTH, first - WIDTH - 1):
            if grid[corner] and grid[corner + 1] and grid[corner + WIDTH] and grid[corner + WIDTH + 1]:
                found = True
    corner, full = first, True
    while grid[corner - 1]:
        corner -= 1
    while grid[corner - WIDTH]:
        corner -= WIDTH
    for row in range(3):
        for column in range(3):
            full = full and grid[corner + row * WIDTH + column] > 0
    for index in range(size):
        grid[first + index * step] = 0
    return found or full


@njit_cached
def rack_arrangements(rack: Bytes, tokens: Bytes, counts: Ints) -> None:
    """Every way to take one, two or three tokens in order, without repeats, into tokens[size - 1].

    Triples only if they can total 15; never two jokers (TO-8).
    """
    counts[:] = 0
    picks = np.full(RACK_SIZE, EMPTY_SLOT, np.uint8)
    for one in range(RACK_SIZE):
        for two in range(RACK_SIZE):
            for size in range(1, RACK_SIZE + 1):
                three = RACK_SIZE - one - two
                if (one == two) != (size == 1) or (size == 3 and not 0 <= three < RACK_SIZE):
                    continue
                picks[0], picks[1], picks[2] = rack[one], EMPTY_SLOT, EMPTY_SLOT
                if size > 1:
                    picks[1] = rack[two]
                if size > 2:
                    picks[2] = rack[three]
                total = jokers = 0
                empty = False
                for token in picks[:size]:
                    empty = empty or token >= HIDDEN_TOKEN
                    jokers += token == JOKER
                    total += 0 if token == JOKER else token
                if (
                    empty
                    or jokers > 1
                    or total > TRIO_SUM
                    or (size == 3 and not jokers and total != TRIO_SUM)
                ):
                    continue
                new = True
                for each in range(counts[size - 1]):
                    same = True
                    for index in range(size):
                        same = same and tokens[size - 1, each, index] == picks[index]
                    new = new and not same
                if new:
                    tokens[size - 1, counts[size - 1]] = picks
                    counts[size - 1] += 1


@njit_cached
def add_placements(
    grid: Bytes,
    laid: int,
    edge: Anchors,
    held: int,
    picks: Bytes,
    first: int,
    way: int,
    kind: int,
    moves: Moves,
    found: int,
) -> int:
    """TO-2 to TO-9: every legal move of one kind from a first square, with its points.

    `held` are the values on the rack, as bits: all of them with a joker.
    """
    size, reach, cross = KIND_TOKENS[kind], KIND_STRIDE[kind], 1 - way
    step = (WIDTH if way else 1) * reach
    last = first + (size - 1) * step
    if first < 0 or last >= GRID:
        return found
    touches = laid == 0
    full = True
    for index in range(size):
        place = first + index * step
        if grid[place] or not IS_ON_BOARD[place] or not edge[CROSS_SET, cross, place] & held:
            return found
        touches = touches or edge[ADJOINING_COUNT, 0, place] > 0 or edge[ADJOINING_COUNT, 1, place] > 0
        full = full and edge[ADJOINING_COUNT, cross, place] == 2
    # What the tokens are joined to along their line: the first and the last see one end of it each.
    joined, rest, beside = edge[ADJOINING_COUNT, way, first], TRIO_SUM, 0
    if joined:
        rest, beside = rest - edge[ADJOINING_SUM, way, first], edge[ADJOINING_POINTS, way, first]
    if kind == SPLIT_TWO:
        if joined != 1 or edge[ADJOINING_COUNT, way, last] != 1:
            return found
    elif kind != ONE and edge[ADJOINING_COUNT, way, last]:
        joined += edge[ADJOINING_COUNT, way, last]
        rest, beside = rest - edge[ADJOINING_SUM, way, last], beside + edge[ADJOINING_POINTS, way, last]
    length = size + joined
    if not touches or length > MAX_LINE or rest < 0:
        return found
    if laid == 0 and not (first <= CENTRE_INDEX <= last and (CENTRE_INDEX - first) % step == 0):
        return found
    if (laid + size == 4 or (length == MAX_LINE and full)) and closes(grid, laid, first, step, size):
        return found
    for each in range(len(picks)):
        joker = known = 0
        for index in range(size):
            if picks[each, index] == JOKER:
                joker = index + 1
            else:
                known += picks[each, index]
        left = rest - known
        if left < 0 or (length == MAX_LINE and not joker and left):
            continue
        low = left if joker and length == MAX_LINE else 0
        for named in range(low, min(left, TRIO_SUM) + 1 if joker else low + 1):
            move, own, total = (
                first | way << DIRECTION_SHIFT | kind << KIND_SHIFT | joker << JOKER_SHIFT,
                0,
                0,
            )
            fit = True
            for index in range(size):
                place = first + index * step
                value = named if index + 1 == joker else int(picks[each, index])
                worth = 0 if index + 1 == joker else value
                fit = fit and edge[CROSS_SET, cross, place] >> value & 1
                move |= value << VALUES_SHIFT + 4 * index
                own += worth
                if edge[ADJOINING_COUNT, cross, place] == 2:
                    total += TRIO_POINTS
                elif edge[ADJOINING_COUNT, cross, place] == 1:
                    total += worth + edge[ADJOINING_POINTS, cross, place]
                trio = length == MAX_LINE or edge[ADJOINING_COUNT, cross, place] == 2
                total += (MULTIPLIER[place] - 1) * (TRIO_POINTS if trio else worth)
            if not fit:
                continue
            if length == MAX_LINE:
                total += TRIO_POINTS
            elif length == 2 or laid == 0:
                total += own + beside
            if size == MAX_LINE and not joker:
                total += TRIOLET_BONUS
            if found < MAX_MOVES:
                moves[NUMBER, found], moves[POINTS, found] = move, total
                found += 1
    return found


@njit_cached
def generate_moves(grid: Bytes, rack: Bytes, edge: Anchors, moves: Moves) -> int:
    """Every placement of a rack with its points, in no special order; returns how many there are."""
    laid = compute_anchors(grid, edge)
    picks = np.zeros((RACK_SIZE, 6, RACK_SIZE), np.uint8)
    counts = np.zeros(RACK_SIZE, np.int32)
    rack_arrangements(rack, picks, counts)
    held = 0
    for token in rack:
        held |= ALL_VALUES if token == JOKER else 1 << token if token < JOKER else 0
    ones, twos, threes = picks[0, : counts[0]], picks[1, : counts[1]], picks[2, : counts[2]]
    found = 0
    for place in range(WIDTH + 1, GRID - WIDTH):
        if grid[place] or not IS_ON_BOARD[place]:
            continue
        if not (
            edge[ADJOINING_COUNT, 0, place]
            or edge[ADJOINING_COUNT, 1, place]
            or (laid == 0 and place == CENTRE_INDEX)
        ):
            continue
        found = add_placements(grid, laid, edge, held, ones, place, 0, ONE, moves, found)
        for way in range(2):
            step = WIDTH if way else 1
            on_edge = False  # whether a square before this one has found the same move already
            for back in range(3):
                first = place - back * step
                if back and (first < 0 or grid[first] or not IS_ON_BOARD[first] or on_edge):
                    break
                if back:
                    on_edge = edge[ADJOINING_COUNT, 0, first] > 0 or edge[ADJOINING_COUNT, 1, first] > 0
                    if on_edge:
                        break
                if len(twos) and back < 2 and not grid[first + step]:
                    found = add_placements(grid, laid, edge, held, twos, first, way, TWO, moves, found)
                if len(threes) and not grid[first + step] and not grid[first + 2 * step]:
                    found = add_placements(grid, laid, edge, held, threes, first, way, THREE, moves, found)
            if len(twos) and grid[place + step]:
                found = add_placements(grid, laid, edge, held, twos, place, way, SPLIT_TWO, moves, found)
    return found
