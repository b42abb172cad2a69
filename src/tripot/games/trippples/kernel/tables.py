"""Lookup tables of the board, packed layouts, and the moves of two players over flat arrays.

A set of directions is a byte as in `board.py`. Arrays of such sets are int16: with a signed type that is
wider than a byte, no mixed expression becomes a float.

A two-player position is an index below `POSITIONS`: turn * 4096 + square's pawn * 64 + round's pawn.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import popcount, trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trippples.board import ALL_DIRECTIONS, DIRECTION_STEPS, NEIGHBOURS, NEUTRAL, SQUARES
from tripot.games.trippples.options import Options

Int16Array: TypeAlias = NDArray[np.int16]

POSITIONS: Final = 8192
TURN_BIT: Final = 4096  # the bit of a position index that holds the side to move
TURN_SHIFT: Final = 12
WON: Final = -1  # in place of a successor: the pawn has reached its finish (TP-5)
FROZEN: Final = -2  # in place of a successor: no pawn can move (TP-8)
MAX_SUCCESSORS: Final = 8  # one per direction


# --- The board ---------------------------------------------------------------------------------

NEIGHBOUR: Final = np.array(NEIGHBOURS, np.int16)
"""int16[64, 8]: the adjacent square by square and direction, or -1 off the board."""

DIRECTION_OFFSET: Final = np.array([up * 8 + right for right, up in DIRECTION_STEPS], np.int16)
"""int16[8]: the difference between the index of the adjacent square and that of the square, by direction."""

DIRECTION_TO: Final = np.zeros((SQUARES, SQUARES), np.int16)
"""int16[64, 64]: the direction from one square to another as a set; empty unless they are adjacent."""

for _square, _adjacent_squares in enumerate(NEIGHBOURS):
    for _direction, _adjacent in enumerate(_adjacent_squares):
        if _adjacent >= 0:
            DIRECTION_TO[_square, _adjacent] = 1 << _direction

DIRECTIONS_BY_SQUARE: Final = np.argsort(DIRECTION_OFFSET).astype(np.int64)
"""int64[8]: the directions in ascending order of the squares that they lead to."""


# --- Layouts -----------------------------------------------------------------------------------


class Layout(NamedTuple):
    """A board under its options. All arrays are int16; the first axis of length 2 is the side.

    starts[2]               the start square of each side
    finishes[2]             the finish square of each side
    arrows[64]              the directions that a pawn on this square allows its opponent: all without arrows
    neutral[64]             1 where a pawn may leave in any direction (TP-6)
    can_stand[2, 64]        1 where a pawn of the side can stand while the game lasts
    exits[2, 64]            the directions from here to a square that the side may enter if it is free
    entries[2, 64]          the directions that lead to here from a square where a pawn of the side can stand
    neutral_entries[64]     the directions that lead to here from a neutral square
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
    """TP-2, TP-3, TP-6: convert a board for the solvers. It may have any number of neutral tiles."""
    starts, finishes = options.homes
    masks = np.frombuffer(tiles, np.uint8).astype(np.int16)
    return compute_layout(masks, np.array(starts, np.int16), np.array(finishes, np.int16), options.wild)


@njit_cached
def compute_layout(tiles: Int16Array, starts: Int16Array, finishes: Int16Array, wild: bool) -> Layout:
    """Compute a layout from tiles, int16[64], and home squares, int16[2] by side.

    `wild`: neutral squares may be entered.
    """
    arrows = np.full(SQUARES, ALL_DIRECTIONS, np.int16)
    neutral = np.zeros(SQUARES, np.int16)
    can_stand = np.zeros((2, SQUARES), np.int16)
    exits = np.zeros((2, SQUARES), np.int16)
    entries = np.zeros((2, SQUARES), np.int16)
    neutral_entries = np.zeros(SQUARES, np.int16)
    for square in range(SQUARES):
        is_arrow = popcount(tiles[square]) == 3
        if is_arrow:
            arrows[square] = tiles[square]
        neutral[square] = tiles[square] == NEUTRAL
        for direction in range(8):
            target = NEIGHBOUR[square, direction]
            if target >= 0 and neutral[square]:
                neutral_entries[target] |= 1 << direction
        if is_arrow or (wild and neutral[square]):
            can_stand[:, square] = 1
    for side in range(2):
        for home in (starts[side], starts[1 - side], finishes[side], finishes[1 - side]):
            can_stand[side, home] = 0
        for square in range(SQUARES):
            if not can_stand[side, square] and square != starts[side]:
                continue
            for direction in range(8):
                target = NEIGHBOUR[square, direction]
                if target >= 0 and (can_stand[side, target] or target == finishes[side]):
                    exits[side, square] |= 1 << direction
                    entries[side, target] |= 1 << direction
        can_stand[side, starts[side]] = 1
    return Layout(starts, finishes, arrows, neutral, can_stand, exits, entries, neutral_entries)


# --- Positions and moves of two players --------------------------------------------------------


@njit_no_nrt
def encode(turn: int, own_square: int, other_square: int) -> int:
    """Return the index of a position, given the pawn of the side to move and that of the other side."""
    if turn == 0:
        return own_square * 64 + other_square
    return TURN_BIT + other_square * 64 + own_square


@njit_no_nrt
def pawn_squares(position: int, side: int) -> tuple[int, int]:
    """Return where the pawn of a side stands, and where that of the other side."""
    if side == 0:
        return position >> 6 & 63, position & 63
    return position & 63, position >> 6 & 63


@njit_no_nrt
def is_position(layout: Layout, position: int) -> bool:
    """Return whether the pawns can stand as a position index says."""
    turn = position >> TURN_SHIFT
    own_square, other_square = pawn_squares(position, turn)
    return (
        own_square != other_square
        and layout.can_stand[turn, own_square]
        and layout.can_stand[1 - turn, other_square]
    )


@njit_no_nrt
def move_directions(layout: Layout, side: int, own_square: int, other_square: int) -> int:
    """TP-2, TP-3, TP-6: return the set of directions in which a side may move."""
    arrows = ALL_DIRECTIONS if layout.neutral[own_square] else layout.arrows[other_square]
    directions: int = layout.exits[side, own_square] & arrows & ~DIRECTION_TO[own_square, other_square]
    return directions


@njit_no_nrt
def unmove_directions(layout: Layout, side: int, own_square: int, other_square: int) -> int:
    """Return the set of directions of all moves that bring the pawn of a side to where it stands."""
    directions: int = (
        layout.entries[side, own_square]
        & (layout.arrows[other_square] | layout.neutral_entries[own_square])
        & ~DIRECTION_TO[other_square, own_square]
    )
    return directions


@njit_no_nrt
def successor(layout: Layout, side: int, own_square: int, other_square: int) -> int:
    """TP-4, TP-5, TP-6, TP-8: return the position after a side moves to `own_square`, or WON or FROZEN."""
    if own_square == layout.finishes[side]:
        return WON
    can_move_again = move_directions(layout, side, own_square, other_square) != 0
    if layout.neutral[own_square] and can_move_again:
        return encode(side, own_square, other_square)
    if move_directions(layout, 1 - side, other_square, own_square):
        return encode(1 - side, other_square, own_square)
    return encode(side, own_square, other_square) if can_move_again else FROZEN


@njit_cached
def moves(layout: Layout, position: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the squares that the side to move may enter, ascending, and the successor of each move.

    Both are int64[n]. A successor is a position, WON (by the side that moves) or FROZEN.
    """
    turn = position >> TURN_SHIFT
    own_square, other_square = pawn_squares(position, turn)
    directions = move_directions(layout, turn, own_square, other_square)
    targets = np.empty(popcount(directions), np.int64)
    successors = np.empty(popcount(directions), np.int64)
    count = 0
    for direction in DIRECTIONS_BY_SQUARE:
        if directions >> direction & 1:
            targets[count] = own_square + DIRECTION_OFFSET[direction]
            successors[count] = successor(layout, turn, targets[count], other_square)
            count += 1
    return targets, successors


@njit_no_nrt
def list_successors(layout: Layout, position: int, successors: Int16Array) -> int:
    """Write the successor of each move of a position into int16[MAX_SUCCESSORS]; return their number.

    A successor is a position, WON (by the side that moves) or FROZEN.
    """
    turn = position >> TURN_SHIFT
    own_square, other_square = pawn_squares(position, turn)
    directions, count = move_directions(layout, turn, own_square, other_square), 0
    while directions:
        successors[count] = successor(layout, turn, step(own_square, directions), other_square)
        directions &= directions - 1
        count += 1
    return count


@njit_no_nrt
def step(square: int, directions: int) -> int:
    """Return the square one step away in the first direction of a set that is not empty."""
    target: int = square + DIRECTION_OFFSET[trailing_zeros(directions)]
    return target
