"""The two-player game without repetition (TP-7), solved by retrograde analysis (Thompson 1986).

The analysis starts at the terminal positions and works backwards, breadth first. A position with a move to a
loss of the opponent is won; a position whose moves all lead to wins of the opponent is lost. What remains is
drawn. Unmoves are generated from the layout, so no graph of the game is stored.
"""

from __future__ import annotations

import numpy as np

from tripot.engine.bits import popcount, trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trippples.board import SQUARES
from tripot.games.trippples.kernel.tables import (
    DIRECTION_OFFSET,
    DIRECTION_TO,
    POSITIONS,
    TURN_BIT,
    TURN_SHIFT,
    Int16Array,
    Layout,
    encode,
    is_position,
    move_directions,
    pawn_squares,
    unmove_directions,
)


@njit_cached
def solve(layout: Layout, freeze_wins: bool) -> Int16Array:
    """Return the distance to win or loss of every position under perfect play, int16[8192].

    It is the number of plies to the win of the side to move, minus the number of plies to its loss, or 0 for
    a draw and for indices that are no position. A ply is one step of a pawn; a skipped turn counts none. With
    `freeze_wins` a freeze wins for the side that makes it (TP-8). The queue is ordered by distance, so the
    first win found is the quickest, and the last move of a loss to be decided the slowest.
    `perfect_play.solve` computes the same table in plain Python.
    """
    plies = np.zeros(POSITIONS, np.int16)
    open_moves = np.zeros(POSITIONS, np.int16)  # by position: the moves not yet known to lose
    queue = np.empty(POSITIONS, np.int16)  # the decided positions, in the order in which they are decided
    end = _init_terminals(layout, freeze_wins, plies, open_moves, queue)
    begin = 0
    while begin < end:
        position = queue[begin]
        begin += 1
        turn = position >> TURN_SHIFT
        is_frozen, is_win = plies[position] == 0, plies[position] > 0
        distance = abs(plies[position]) + 1
        for mover in range(2):  # the side whose move led here
            own_square, other_square = pawn_squares(position, mover)
            first_in_line = mover if layout.neutral[own_square] else 1 - mover  # TP-6
            if first_in_line != turn and _can_move(position ^ TURN_BIT, plies, open_moves):
                continue  # TP-4: the first in line is only skipped if it cannot move
            mover_wins = is_frozen or is_win == (mover == turn)
            directions = unmove_directions(layout, mover, own_square, other_square)
            while directions:
                origin = own_square - DIRECTION_OFFSET[trailing_zeros(directions)]
                directions &= directions - 1
                predecessor = encode(mover, origin, other_square)
                if _resolve_predecessor(predecessor, mover_wins, distance, plies, open_moves):
                    queue[end] = predecessor
                    end += 1
    return plies


@njit_no_nrt
def _can_move(position: int, plies: Int16Array, open_moves: Int16Array) -> bool:
    """Return whether the side to move has a legal move, be it undecided or decided."""
    can_move: bool = open_moves[position] != 0 or plies[position] != 0
    return can_move


@njit_no_nrt
def _resolve_predecessor(
    predecessor: int, mover_wins: bool, distance: int, plies: Int16Array, open_moves: Int16Array
) -> bool:
    """Count one decided move of a position, and return whether it decides the position."""
    if plies[predecessor]:
        return False
    if mover_wins:
        plies[predecessor] = distance
        return True
    open_moves[predecessor] -= 1
    if open_moves[predecessor]:
        return False
    plies[predecessor] = -distance
    return True


@njit_no_nrt
def _init_terminals(
    layout: Layout, freeze_wins: bool, plies: Int16Array, open_moves: Int16Array, queue: Int16Array
) -> int:
    """Count the moves of all positions, queue those next to the end, and return how many there are.

    Frozen positions come first: they are at distance 0, and wins in one ply at distance 1.
    """
    for side in range(2):
        for own_square in range(SQUARES):
            if not layout.can_stand[side, own_square]:
                continue
            for other_square in range(SQUARES):
                if own_square != other_square and layout.can_stand[1 - side, other_square]:
                    directions = move_directions(layout, side, own_square, other_square)
                    open_moves[encode(side, own_square, other_square)] = popcount(directions)
    end = 0
    if freeze_wins:
        for position in range(TURN_BIT):
            if not (open_moves[position] or open_moves[position ^ TURN_BIT]) and is_position(
                layout, position
            ):
                queue[end] = position
                end += 1
    for position in range(POSITIONS):
        turn = position >> TURN_SHIFT
        own_square, other_square = pawn_squares(position, turn)
        to_finish = DIRECTION_TO[own_square, layout.finishes[turn]]
        if (
            to_finish
            and open_moves[position]
            and move_directions(layout, turn, own_square, other_square) & to_finish
        ):
            plies[position] = 1
            queue[end] = position
            end += 1
    return end
