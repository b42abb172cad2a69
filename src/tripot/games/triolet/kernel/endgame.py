"""The end of a game of two, exactly: the bag is empty and both racks are known."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.triolet.board import JOKER
from tripot.games.triolet.kernel.moves import (
    EMPTY_SLOT,
    MAX_MOVES,
    NUMBER,
    POINTS,
    Anchors,
    Bytes,
    Ints,
    Moves,
    generate_moves,
    new_anchors,
)
from tripot.games.triolet.kernel.position import (
    PASS_COUNT,
    TURN,
    GamePosition,
    copy_into,
    new_position,
    play_move,
    remove_tokens,
)

MAX_PLIES: Final = 16  # more than six tokens and a pass before each can take
INFINITE: Final = 1_000_000  # more points than a game has
PASS: Final = -1

Frames: TypeAlias = NDArray[np.int64]
"""What a search remembers at each ply.

SEAT, HELD, STOOD  who plays, the rack packed into one number, and who stood still before
LOW, HIGH, BEST    alpha, beta and the best gain so far, all for that seat
LENGTH, TRIED      how many moves there are, and how many of them were tried
MOVE, PAID, SIGN   the move being tried, its points, and +1 if the same seat goes on after it, else -1
"""
SEAT, RACK_PACKED, PASSES_BEFORE, ALPHA, BETA, BEST, LENGTH, MOVES_TRIED, MOVE, MOVE_POINTS, SIGN = range(11)


@njit_cached
def rack_sum(rack: Bytes) -> int:
    """TO-8, TO-12: the values on a rack, a joker for nothing."""
    total = 0
    for token in rack:
        total += token if token < JOKER else 0
    return total


@njit_cached
def enter_node(table: GamePosition, frame: Frames, moves: Moves, edge: Anchors) -> bool:
    """Begin with a position: list its moves. Returns whether the game is over: both stood still."""
    seat = table.cursors[TURN]
    rack = table.racks[seat]
    frame[SEAT], frame[PASSES_BEFORE], frame[BEST], frame[MOVES_TRIED] = (
        seat,
        table.cursors[PASS_COUNT],
        -INFINITE,
        0,
    )
    frame[RACK_PACKED] = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16
    frame[LENGTH] = generate_moves(table.grid, rack, edge, moves)
    if frame[LENGTH]:
        return False
    frame[LENGTH], moves[NUMBER, 0], moves[POINTS, 0] = 1, PASS, 0
    return bool(table.cursors[PASS_COUNT])


@njit_cached
def make_move(table: GamePosition, frame: Frames, moves: Moves) -> None:
    """Play the best move not yet tried, by points."""
    seat, index = frame[SEAT], frame[MOVES_TRIED]
    first = index + moves[POINTS, index : frame[LENGTH]].argmax()
    frame[MOVE], frame[MOVE_POINTS], frame[SIGN] = moves[NUMBER, first], moves[POINTS, first], -1
    moves[:, first] = moves[:, index]
    frame[MOVES_TRIED] += 1
    if frame[MOVE] == PASS:
        table.cursors[PASS_COUNT], table.cursors[TURN] = 1, 1 - seat
    elif play_move(table, frame[MOVE], 0):
        frame[SIGN] = 1


@njit_cached
def unmake_move(table: GamePosition, frame: Frames) -> None:
    """Undo the move that was tried."""
    if frame[MOVE] != PASS:
        remove_tokens(table.grid, frame[MOVE])
    table.cursors[TURN], table.cursors[PASS_COUNT] = frame[SEAT], frame[PASSES_BEFORE]
    for index in range(3):
        table.racks[frame[SEAT], index] = frame[RACK_PACKED] >> 8 * index & 255


@njit_cached
def alpha_beta(table: GamePosition, frames: Frames, stack: Moves, edge: Anchors) -> int:
    """TO-12: by how much the seat to play gains on the other until the end, both playing their best.

    Alpha-beta over every move, with a stack of its own: compiled code that calls itself cannot be
    kept on disk. The table is left as it was.
    """
    ply, down, gain = 0, True, 0
    frames[0, ALPHA], frames[0, BETA] = -INFINITE, INFINITE
    while True:
        frame = frames[ply]
        if down and enter_node(table, frame, stack[ply], edge):
            gain = rack_sum(table.racks[1 - frame[SEAT]]) - rack_sum(table.racks[frame[SEAT]])
            if ply == 0:
                return int(gain)
            ply, down = ply - 1, False
            continue
        if not down:
            unmake_move(table, frame)
            frame[BEST] = max(frame[BEST], frame[MOVE_POINTS] + frame[SIGN] * gain)
            frame[ALPHA] = max(frame[ALPHA], frame[BEST])
        if frame[MOVES_TRIED] == frame[LENGTH] or frame[ALPHA] >= frame[BETA]:
            gain = frame[BEST]
            if ply == 0:
                return int(gain)
            ply, down = ply - 1, False
            continue
        make_move(table, frame, stack[ply])
        if table.racks[frame[SEAT], 0] == EMPTY_SLOT:
            frame[SIGN], gain, down = 1, rack_sum(table.racks[1 - frame[SEAT]]), False
            continue
        ends = (
            frame[SIGN] * (frame[ALPHA] - frame[MOVE_POINTS]),
            frame[SIGN] * (frame[BETA] - frame[MOVE_POINTS]),
        )
        frames[ply + 1, ALPHA], frames[ply + 1, BETA] = min(ends), max(ends)
        ply, down = ply + 1, True


@njit_cached
def endgame_gains(start: GamePosition, move: int, points: int, racks: Bytes) -> Ints:
    """By how much a move and all that follows gains on the other, for each rack that the other may hold."""
    table, edge, found = new_position(2, 0), new_anchors(), np.empty(len(racks), np.int32)
    frames, stack = np.empty((MAX_PLIES, 11), np.int64), np.empty((MAX_PLIES, 2, MAX_MOVES), np.int32)
    seat = start.cursors[TURN]
    for index, rack in enumerate(racks):
        copy_into(start, table)
        table.racks[1 - seat] = rack
        again = play_move(table, move, 0)
        if table.racks[seat, 0] == EMPTY_SLOT:
            found[index] = points + rack_sum(rack)
        else:
            after = alpha_beta(table, frames, stack, edge)
            found[index] = points + (after if again else -after)
    return found
