"""A game of Triolet in progress over flat arrays: playing moves, drawing tokens, both ends of the game."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.engine.rng import lcg64_below
from tripot.games.triolet.board import IS_JOKER, JOKER, RACK_SIZE, TOKEN_COUNTS, TOKENS
from tripot.games.triolet.kernel.moves import (
    ADJOINING_COUNT,
    CROSS_SET,
    DIRECTION_SHIFT,
    EMPTY_SLOT,
    GRID,
    GRID_INDEX,
    IS_BIS,
    JOKER_SHIFT,
    KIND_SHIFT,
    KIND_STRIDE,
    KIND_TOKENS,
    VALUES_SHIFT,
    WIDTH,
    Anchors,
    Bytes,
    Ints,
    closes,
)

TOKENS_IN_ALL: Final = np.array(TOKEN_COUNTS, np.int64)


# --- Playing -----------------------------------------------------------------------------------

BAG_HEAD, BAG_END, TURN, PASS_COUNT = range(4)


class GamePosition(NamedTuple):
    """A game in progress.

    grid    the board
    racks   by seat, three places each, in order, the empty ones last
    scores  by seat
    bag     the tokens in the order in which they will be drawn
    cursors  HEAD and END of what is left of the bag, whose TURN it is, and how many seats in a row
            stood STILL because they had nothing to place
    rng     the state of the random numbers that put exchanged tokens back
    """

    grid: Bytes
    racks: Bytes
    scores: Ints
    bag: Bytes
    cursors: NDArray[np.int64]
    rng: NDArray[np.uint64]


@njit_cached
def new_position(players: int, seed: int) -> GamePosition:
    """An empty table."""
    return GamePosition(
        np.zeros(GRID, np.uint8),
        np.full((players, RACK_SIZE), EMPTY_SLOT, np.uint8),
        np.zeros(players, np.int32),
        np.zeros(TOKENS, np.uint8),
        np.zeros(4, np.int64),
        np.full(1, seed, np.uint64),
    )


@njit_cached
def copy_into(source: GamePosition, target: GamePosition) -> None:
    """Make a table equal to another; random numbers go on."""
    target.grid[:] = source.grid
    target.racks[:] = source.racks
    target.scores[:] = source.scores
    target.bag[:] = source.bag
    target.cursors[:] = source.cursors


@njit_cached
def place_tokens(grid: Bytes, move: int) -> bool:
    """Lay the tokens of a move; returns whether one covers a bis square (TO-7)."""
    kind, again = move >> KIND_SHIFT & 3, False
    step = (WIDTH if move >> DIRECTION_SHIFT & 1 else 1) * KIND_STRIDE[kind]
    for index in range(KIND_TOKENS[kind]):
        place = (move & (1 << DIRECTION_SHIFT) - 1) + index * step
        joker = IS_JOKER if move >> JOKER_SHIFT == index + 1 else 0
        grid[place] = (move >> VALUES_SHIFT + 4 * index & 15) + 1 + joker
        again = again or IS_BIS[place]
    return again


@njit_cached
def remove_tokens(grid: Bytes, move: int) -> None:
    """Take the tokens of a move back."""
    kind = move >> KIND_SHIFT & 3
    step = (WIDTH if move >> DIRECTION_SHIFT & 1 else 1) * KIND_STRIDE[kind]
    for index in range(KIND_TOKENS[kind]):
        grid[(move & (1 << DIRECTION_SHIFT) - 1) + index * step] = 0


@njit_cached
def used_slots(rack: Bytes, move: int) -> int:
    """The places of a rack whose tokens a move or exchange takes, as bits."""
    if move < 0:
        return -move
    gone = 0
    for each in range(KIND_TOKENS[move >> KIND_SHIFT & 3]):
        token = JOKER if move >> JOKER_SHIFT == each + 1 else move >> VALUES_SHIFT + 4 * each & 15
        for index in range(RACK_SIZE):
            if rack[index] == token and not gone >> index & 1:
                gone |= 1 << index
                break
    return gone


@njit_cached
def draw(table: GamePosition, rack: Bytes) -> None:
    """TO-10: refill a rack while the bag lasts, and put it in order."""
    for index in range(RACK_SIZE):
        if rack[index] == EMPTY_SLOT and table.cursors[BAG_HEAD] < table.cursors[BAG_END]:
            rack[index] = table.bag[table.cursors[BAG_HEAD]]
            table.cursors[BAG_HEAD] += 1
    for last in (2, 1):
        for index in range(last):
            if rack[index] > rack[index + 1]:
                rack[index], rack[index + 1] = rack[index + 1], rack[index]


@njit_cached
def play_move(table: GamePosition, move: int, points: int) -> bool:
    """TO-7, TO-10, TO-11: play a move or an exchange; returns whether the same seat goes on."""
    seat = table.cursors[TURN]
    rack = table.racks[seat]
    gone, again = used_slots(rack, move), False
    given = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16
    if move >= 0:
        again = place_tokens(table.grid, move)
        table.scores[seat] += points
        table.cursors[PASS_COUNT] = 0
    for index in range(RACK_SIZE):
        if gone >> index & 1:
            rack[index] = EMPTY_SLOT
    draw(table, rack)
    if move < 0:
        for index in range(RACK_SIZE):
            if gone >> index & 1:
                # Anywhere among the tokens left; the one that lay there comes first.
                table.cursors[BAG_HEAD] -= 1
                head, end = table.cursors[BAG_HEAD], table.cursors[BAG_END]
                place = head + lcg64_below(table.rng, end - head)
                table.bag[head] = table.bag[place]
                table.bag[place] = given >> 8 * index & 255
    if not again:
        table.cursors[TURN] = (seat + 1) % len(table.racks)
    return again


@njit_cached
def bag_left(table: GamePosition) -> int:
    """How many tokens are in the bag."""
    return int(table.cursors[BAG_END] - table.cursors[BAG_HEAD])


@njit_cached
def score_end(table: GamePosition, out: int) -> None:
    """TO-12: add or subtract what is left on the racks."""
    for seat in range(len(table.racks)):
        held = 0
        for token in table.racks[seat]:
            held += token if token < JOKER else 0
        if out >= 0:
            table.scores[out] += held
        else:
            table.scores[seat] -= held


@njit_cached
def is_dead(table: GamePosition, edge: Anchors) -> bool:
    """TO-12: whether no token that is not on the board could be placed. The edge must be current."""
    fits = laid = 0
    counts = TOKENS_IN_ALL.copy()
    for cell in table.grid:
        if cell:
            laid += 1
            counts[JOKER if cell >= IS_JOKER else cell - 1] -= 1
    for place in GRID_INDEX:
        if not table.grid[place] and (edge[ADJOINING_COUNT, 0, place] or edge[ADJOINING_COUNT, 1, place]):
            values = edge[CROSS_SET, 0, place] & edge[CROSS_SET, 1, place]
            if values and not closes(table.grid, laid, place, 1, 1):
                fits |= values
    for token in range(JOKER):
        if counts[token] and fits >> token & 1:
            return False
    return not (counts[JOKER] and fits)
