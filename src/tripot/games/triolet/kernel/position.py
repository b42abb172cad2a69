"""A game in progress: playing moves, drawing tokens, and the two ways a game ends."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_no_nrt
from tripot.engine.rng import new_rng, random_below
from tripot.games.triolet.board import IS_JOKER, JOKER, RACK_SIZE, TOKENS
from tripot.games.triolet.kernel.anchors import CROSS_SET, closes_block, is_anchor
from tripot.games.triolet.kernel.moves import Workspace
from tripot.games.triolet.kernel.tables import (
    EMPTY_SLOT,
    GRID_INDEX,
    GRID_SIZE,
    IS_BIS,
    TOKENS_IN_ALL,
    Int32Array,
    Int64Array,
    Uint8Array,
    move_cell,
    move_joker,
    move_size,
    move_token,
    move_value,
)


class GamePosition(NamedTuple):
    """A game in progress. Single numbers are arrays of one element, since fields of a tuple cannot change."""

    grid: Uint8Array
    """The board, uint8[GRID_SIZE]."""
    racks: Uint8Array
    """The rack of each seat, uint8[players, 3]."""
    scores: Int32Array
    """The score of each seat, int32[players]."""
    bag: Uint8Array
    """All tokens in the order in which they are drawn, uint8[TOKENS]."""
    bag_head: Int64Array
    """Where the rest of the bag begins in `bag`, int64[1]."""
    bag_end: Int64Array
    """Where it ends, int64[1]."""
    turn: Int64Array
    """The seat to play, int64[1]."""
    pass_count: Int64Array
    """How many seats in a row could not place a token, int64[1]."""
    rng: NDArray[np.uint64]
    """The state of the generator that puts exchanged tokens back, uint64[1]."""


def new_position(players: int, seed: int) -> GamePosition:
    """Allocate a position with an empty board, empty racks and an empty bag."""
    return GamePosition(
        grid=np.zeros(GRID_SIZE, np.uint8),
        racks=np.full((players, RACK_SIZE), EMPTY_SLOT, np.uint8),
        scores=np.zeros(players, np.int32),
        bag=np.zeros(TOKENS, np.uint8),
        bag_head=np.zeros(1, np.int64),
        bag_end=np.zeros(1, np.int64),
        turn=np.zeros(1, np.int64),
        pass_count=np.zeros(1, np.int64),
        rng=new_rng(seed),
    )


@njit_no_nrt
def copy_into(source: GamePosition, target: GamePosition) -> None:
    """Copy a position. The generator of the target keeps its state."""
    # Loops, because assigning an array to a slice needs reference counting (NRT).
    for cell in range(GRID_SIZE):
        target.grid[cell] = source.grid[cell]
    for token in range(TOKENS):
        target.bag[token] = source.bag[token]
    for seat in range(len(source.racks)):
        target.scores[seat] = source.scores[seat]
        for slot in range(RACK_SIZE):
            target.racks[seat, slot] = source.racks[seat, slot]
    target.bag_head[0] = source.bag_head[0]
    target.bag_end[0] = source.bag_end[0]
    target.turn[0] = source.turn[0]
    target.pass_count[0] = source.pass_count[0]


# --- Playing -------------------------------------------------------------------------------------


@njit_no_nrt
def place_tokens(grid: Uint8Array, code: int) -> bool:
    """Put the tokens of a placement on the board; return whether one covers a bis square (TO-7)."""
    covers_bis = False
    for index in range(move_size(code)):
        cell = move_cell(code, index)
        joker_bit = IS_JOKER if move_joker(code) == index + 1 else 0
        grid[cell] = move_value(code, index) + 1 + joker_bit
        covers_bis = covers_bis or IS_BIS[cell]
    return covers_bis


@njit_no_nrt
def remove_tokens(grid: Uint8Array, code: int) -> None:
    """Take the tokens of a placement off the board."""
    for index in range(move_size(code)):
        grid[move_cell(code, index)] = 0


@njit_no_nrt
def used_slots(rack: Uint8Array, code: int) -> int:
    """Return the slots of a rack whose tokens a placement or an exchange takes, as bits."""
    if code < 0:
        return -code
    slots = 0
    for index in range(move_size(code)):
        token = move_token(code, index)
        for slot in range(RACK_SIZE):
            if rack[slot] == token and not slots >> slot & 1:
                slots |= 1 << slot
                break
    return slots


@njit_no_nrt
def draw(position: GamePosition, rack: Uint8Array) -> None:
    """Refill a rack while the bag lasts, and sort it (TO-10)."""
    for slot in range(RACK_SIZE):
        if rack[slot] == EMPTY_SLOT and position.bag_head[0] < position.bag_end[0]:
            rack[slot] = position.bag[position.bag_head[0]]
            position.bag_head[0] += 1
    for last in (2, 1):
        for slot in range(last):
            if rack[slot] > rack[slot + 1]:
                rack[slot], rack[slot + 1] = rack[slot + 1], rack[slot]


@njit_no_nrt
def play_move(position: GamePosition, code: int, points: int) -> bool:
    """Play a placement or an exchange; return whether the same seat plays again (TO-7, TO-10, TO-11)."""
    seat = position.turn[0]
    rack = position.racks[seat]
    slots, plays_again = used_slots(rack, code), False
    packed = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16  # the rack before the move
    if code >= 0:
        plays_again = place_tokens(position.grid, code)
        position.scores[seat] += points
        position.pass_count[0] = 0
    for slot in range(RACK_SIZE):
        if slots >> slot & 1:
            rack[slot] = EMPTY_SLOT
    draw(position, rack)
    if code < 0:
        for slot in range(RACK_SIZE):
            if slots >> slot & 1:
                _return_to_bag(position, packed >> 8 * slot & 255)
    if not plays_again:
        position.turn[0] = (seat + 1) % len(position.racks)
    return plays_again


@njit_no_nrt
def _return_to_bag(position: GamePosition, token: int) -> None:
    """Put a token at a random place of the bag; the token that was there moves to the front."""
    position.bag_head[0] -= 1
    head, end = position.bag_head[0], position.bag_end[0]
    index = head + random_below(position.rng, end - head)
    position.bag[head] = position.bag[index]
    position.bag[index] = token


# --- Counting and endings ------------------------------------------------------------------------


@njit_no_nrt
def bag_left(position: GamePosition) -> int:
    """Return how many tokens are in the bag."""
    return position.bag_end[0] - position.bag_head[0]  # type: ignore[no-any-return]  # a NumPy scalar


@njit_no_nrt
def tokens_left(position: GamePosition) -> int:
    """Return how many tokens are in the bag and on the racks."""
    count = bag_left(position)
    for seat in range(len(position.racks)):
        for slot in range(RACK_SIZE):
            count += position.racks[seat, slot] != EMPTY_SLOT
    return count


@njit_no_nrt
def rack_sum(rack: Uint8Array) -> int:
    """Return the sum of the values on a rack; a joker counts nothing (TO-8, TO-12)."""
    total = 0
    for token in rack:
        total += int(token) if token < JOKER else 0
    return total


@njit_no_nrt
def score_end(position: GamePosition, seat_out: int) -> None:
    """Settle the racks at the end (TO-12): all to the seat that went out, or each subtracted if it is -1."""
    for seat in range(len(position.racks)):
        if seat_out >= 0:
            position.scores[seat_out] += rack_sum(position.racks[seat])
        else:
            position.scores[seat] -= rack_sum(position.racks[seat])


@njit_no_nrt
def count_tokens_off_board(grid: Uint8Array, counts: Int64Array) -> int:
    """Fill in how many tokens of each kind are not on the board, int64[17]; return how many are on it."""
    on_board = 0
    for token in range(len(TOKENS_IN_ALL)):
        counts[token] = TOKENS_IN_ALL[token]
    for content in grid:
        if content:
            on_board += 1
            counts[JOKER if content >= IS_JOKER else content - 1] -= 1
    return on_board


@njit_no_nrt
def is_dead(position: GamePosition, workspace: Workspace) -> bool:
    """Return whether no token that is off the board could be placed (TO-12).

    The workspace must have the current anchors of the board; its token counts are overwritten.
    """
    placeable = 0  # values, as bits
    anchors, counts = workspace.anchors, workspace.token_counts
    on_board = count_tokens_off_board(position.grid, counts)
    for cell in GRID_INDEX:
        if not position.grid[cell] and is_anchor(anchors, cell):
            values = anchors[CROSS_SET, 0, cell] & anchors[CROSS_SET, 1, cell]
            if values and not closes_block(position.grid, on_board, cell, 1, 1):
                placeable |= values
    for token in range(JOKER):
        if counts[token] and placeable >> token & 1:
            return False
    return not (counts[JOKER] and placeable)
