"""The end of a game of two, exactly: the bag is empty and both racks are known."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled
from tripot.games.triolet.board import JOKER
from tripot.games.triolet.kernel.moves import (
    MOST,
    NONE,
    NUMBER,
    POINTS,
    Bytes,
    Edge,
    Ints,
    Moves,
    generate,
    new_edge,
)
from tripot.games.triolet.kernel.position import STILL, TURN, Table, act, copy, lift, new_table

PLIES: Final = 16  # more than six tokens and a pass before each can take
FAR: Final = 1_000_000  # more points than a game has
PASS: Final = -1

Frames: TypeAlias = NDArray[np.int64]
"""What a search remembers at each ply.

SEAT, HELD, STOOD  who plays, the rack packed into one number, and who stood still before
LOW, HIGH, BEST    alpha, beta and the best gain so far, all for that seat
LENGTH, TRIED      how many moves there are, and how many of them were tried
MOVE, PAID, SIGN   the move being tried, its points, and +1 if the same seat goes on after it, else -1
"""
SEAT, HELD, STOOD, LOW, HIGH, BEST, LENGTH, TRIED, MOVE, PAID, SIGN = range(11)


@compiled
def held(rack: Bytes) -> int:
    """TO-8, TO-12: the values on a rack, a joker for nothing."""
    total = 0
    for token in rack:
        total += token if token < JOKER else 0
    return total


@compiled
def enter(table: Table, frame: Frames, moves: Moves, edge: Edge) -> bool:
    """Begin with a position: list its moves. Returns whether the game is over: both stood still."""
    seat = table.at[TURN]
    rack = table.racks[seat]
    frame[SEAT], frame[STOOD], frame[BEST], frame[TRIED] = seat, table.at[STILL], -FAR, 0
    frame[HELD] = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16
    frame[LENGTH] = generate(table.grid, rack, edge, moves)
    if frame[LENGTH]:
        return False
    frame[LENGTH], moves[NUMBER, 0], moves[POINTS, 0] = 1, PASS, 0
    return bool(table.at[STILL])


@compiled
def step(table: Table, frame: Frames, moves: Moves) -> None:
    """Play the best move not yet tried, by points."""
    seat, index = frame[SEAT], frame[TRIED]
    first = index + moves[POINTS, index : frame[LENGTH]].argmax()
    frame[MOVE], frame[PAID], frame[SIGN] = moves[NUMBER, first], moves[POINTS, first], -1
    moves[:, first] = moves[:, index]
    frame[TRIED] += 1
    if frame[MOVE] == PASS:
        table.at[STILL], table.at[TURN] = 1, 1 - seat
    elif act(table, frame[MOVE], 0):
        frame[SIGN] = 1


@compiled
def take_back(table: Table, frame: Frames) -> None:
    """Undo the move that was tried."""
    if frame[MOVE] != PASS:
        lift(table.grid, frame[MOVE])
    table.at[TURN], table.at[STILL] = frame[SEAT], frame[STOOD]
    for index in range(3):
        table.racks[frame[SEAT], index] = frame[HELD] >> 8 * index & 255


@compiled
def search(table: Table, frames: Frames, stack: Moves, edge: Edge) -> int:
    """TO-12: by how much the seat to play gains on the other until the end, both playing their best.

    Alpha-beta over every move, with a stack of its own: compiled code that calls itself cannot be
    kept on disk. The table is left as it was.
    """
    ply, down, gain = 0, True, 0
    frames[0, LOW], frames[0, HIGH] = -FAR, FAR
    while True:
        frame = frames[ply]
        if down and enter(table, frame, stack[ply], edge):
            gain = held(table.racks[1 - frame[SEAT]]) - held(table.racks[frame[SEAT]])
            if ply == 0:
                return int(gain)
            ply, down = ply - 1, False
            continue
        if not down:
            take_back(table, frame)
            frame[BEST] = max(frame[BEST], frame[PAID] + frame[SIGN] * gain)
            frame[LOW] = max(frame[LOW], frame[BEST])
        if frame[TRIED] == frame[LENGTH] or frame[LOW] >= frame[HIGH]:
            gain = frame[BEST]
            if ply == 0:
                return int(gain)
            ply, down = ply - 1, False
            continue
        step(table, frame, stack[ply])
        if table.racks[frame[SEAT], 0] == NONE:
            frame[SIGN], gain, down = 1, held(table.racks[1 - frame[SEAT]]), False
            continue
        ends = frame[SIGN] * (frame[LOW] - frame[PAID]), frame[SIGN] * (frame[HIGH] - frame[PAID])
        frames[ply + 1, LOW], frames[ply + 1, HIGH] = min(ends), max(ends)
        ply, down = ply + 1, True


@compiled
def gains(start: Table, move: int, points: int, racks: Bytes) -> Ints:
    """By how much a move and all that follows gains on the other, for each rack that the other may hold."""
    table, edge, found = new_table(2, 0), new_edge(), np.empty(len(racks), np.int32)
    frames, stack = np.empty((PLIES, 11), np.int64), np.empty((PLIES, 2, MOST), np.int32)
    seat = start.at[TURN]
    for index, rack in enumerate(racks):
        copy(start, table)
        table.racks[1 - seat] = rack
        again = act(table, move, 0)
        if table.racks[seat, 0] == NONE:
            found[index] = points + held(rack)
        else:
            after = search(table, frames, stack, edge)
            found[index] = points + (after if again else -after)
    return found
