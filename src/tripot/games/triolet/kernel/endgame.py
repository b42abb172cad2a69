"""The exact endgame of two players: the bag is empty and both racks are known.

Alpha-beta search over all moves to the end of the game, with points as values. It keeps its own stack,
because Numba cannot cache recursive functions on disk.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_no_nrt
from tripot.games.triolet.board import RACK_SIZE
from tripot.games.triolet.kernel.moves import (
    MAX_MOVES,
    Moves,
    Workspace,
    argmax,
    generate_moves,
    new_workspace,
)
from tripot.games.triolet.kernel.position import (
    GamePosition,
    copy_into,
    new_position,
    play_move,
    rack_sum,
    remove_tokens,
)
from tripot.games.triolet.kernel.tables import EMPTY_SLOT, Int32Array, Int64Array, Uint8Array

MAX_PLIES: Final = 16  # six tokens with a pass before each take fewer
INFINITE: Final = 1_000_000  # more points than any game has
PASS: Final = -1


class SearchFrames(NamedTuple):
    """The search stack. Each field is one column, int64[MAX_PLIES], with one element per ply.

    A gain is what a seat scores more than the other one from here to the end; it is always that of the seat
    to play at the ply. A total is what both score together on the same line of play.
    """

    seat: Int64Array
    """The seat to play."""
    rack_packed: Int64Array
    """Its rack before the move, 8 bits per slot."""
    passes_before: Int64Array
    """The pass count before the move."""
    alpha: Int64Array
    beta: Int64Array
    best_gain: Int64Array
    """The best gain so far."""
    best_total: Int64Array
    """The total of the line with the best gain."""
    move_count: Int64Array
    """How many moves there are."""
    moves_tried: Int64Array
    """How many of them were tried; they come first in the list."""
    move: Int64Array
    """The code of the move being tried, or PASS."""
    move_points: Int64Array
    """Its points."""
    sign: Int64Array
    """+1 if the same seat plays again after it, else -1."""


class EndgameBuffers(NamedTuple):
    """Arrays that the search overwrites."""

    position: GamePosition
    workspace: Workspace
    frames: SearchFrames
    moves: Moves
    """The moves of each ply, int32[MAX_PLIES, MAX_MOVES] each."""


def new_endgame_buffers() -> EndgameBuffers:
    """Allocate the buffers of a search."""
    columns = (np.zeros(MAX_PLIES, np.int64) for _ in SearchFrames._fields)
    codes, points = (np.zeros((MAX_PLIES, MAX_MOVES), np.int32) for _ in Moves._fields)
    return EndgameBuffers(new_position(2, 0), new_workspace(), SearchFrames(*columns), Moves(codes, points))


@njit_no_nrt
def enter_node(buffers: EndgameBuffers, ply: int) -> bool:
    """List the moves of a position, or a pass if there are none; return whether both seats have passed."""
    position, frames = buffers.position, buffers.frames
    moves = Moves(buffers.moves.codes[ply], buffers.moves.points[ply])
    seat = position.turn[0]
    rack = position.racks[seat]
    frames.seat[ply] = seat
    frames.passes_before[ply] = position.pass_count[0]
    frames.best_gain[ply] = -INFINITE
    frames.best_total[ply] = 0
    frames.moves_tried[ply] = 0
    frames.rack_packed[ply] = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16
    frames.move_count[ply] = generate_moves(position.grid, rack, buffers.workspace, moves)
    if frames.move_count[ply]:
        return False
    frames.move_count[ply] = 1
    moves.codes[0], moves.points[0] = PASS, 0
    return position.pass_count[0] > 0  # type: ignore[no-any-return]  # a NumPy scalar


@njit_no_nrt
def make_move(buffers: EndgameBuffers, ply: int) -> None:
    """Play the move with the most points that was not tried yet."""
    position, frames = buffers.position, buffers.frames
    codes, points = buffers.moves.codes[ply], buffers.moves.points[ply]
    tried = frames.moves_tried[ply]
    best = argmax(points, tried, frames.move_count[ply])
    code = codes[best]
    frames.move[ply], frames.move_points[ply] = code, points[best]
    codes[best], points[best] = codes[tried], points[tried]
    frames.moves_tried[ply] += 1
    frames.sign[ply] = -1
    if code == PASS:
        position.pass_count[0] = 1
        position.turn[0] = 1 - frames.seat[ply]
    elif play_move(position, code, 0):
        frames.sign[ply] = 1


@njit_no_nrt
def unmake_move(buffers: EndgameBuffers, ply: int) -> None:
    """Take back the move being tried."""
    position, frames = buffers.position, buffers.frames
    if frames.move[ply] != PASS:
        remove_tokens(position.grid, frames.move[ply])
    seat = frames.seat[ply]
    position.turn[0], position.pass_count[0] = seat, frames.passes_before[ply]
    for slot in range(RACK_SIZE):
        position.racks[seat, slot] = frames.rack_packed[ply] >> 8 * slot & 255


@njit_no_nrt
def _update_best(frames: SearchFrames, ply: int, gain: int, total: int) -> None:
    """Take the result of the move being tried, seen from the position after it, into account."""
    gain = frames.move_points[ply] + frames.sign[ply] * gain
    if gain > frames.best_gain[ply]:
        frames.best_gain[ply] = gain
        frames.best_total[ply] = frames.move_points[ply] + total
    frames.alpha[ply] = max(frames.alpha[ply], gain)


@njit_no_nrt
def _set_child_window(frames: SearchFrames, ply: int) -> None:
    """Set alpha and beta of the next ply, from the point of view of its seat."""
    bound = frames.sign[ply] * (frames.alpha[ply] - frames.move_points[ply])
    other_bound = frames.sign[ply] * (frames.beta[ply] - frames.move_points[ply])
    frames.alpha[ply + 1] = min(bound, other_bound)
    frames.beta[ply + 1] = max(bound, other_bound)


@njit_no_nrt
def alpha_beta(buffers: EndgameBuffers) -> tuple[int, int]:
    """Return the gain of the seat to play and the total to the end of the game (TO-12) under best play.

    The position is the same afterwards.
    """
    position, frames = buffers.position, buffers.frames
    ply, enters, gain, total = 0, True, 0, 0
    frames.alpha[0], frames.beta[0] = -INFINITE, INFINITE
    while True:
        is_final = enters and enter_node(buffers, ply)
        if is_final:
            own = rack_sum(position.racks[frames.seat[ply]])
            other = rack_sum(position.racks[1 - frames.seat[ply]])
            gain, total = other - own, -other - own
        elif not enters:
            unmake_move(buffers, ply)
            _update_best(frames, ply, gain, total)
        is_exhausted = frames.moves_tried[ply] == frames.move_count[ply]
        if not is_final and (is_exhausted or frames.alpha[ply] >= frames.beta[ply]):
            gain, total = int(frames.best_gain[ply]), int(frames.best_total[ply])
            is_final = True
        if is_final:
            if ply == 0:
                return gain, total
            ply, enters = ply - 1, False
            continue
        make_move(buffers, ply)
        if position.racks[frames.seat[ply], 0] == EMPTY_SLOT:  # the seat goes out and gets the other rack
            frames.sign[ply], enters = 1, False
            gain = total = rack_sum(position.racks[1 - frames.seat[ply]])
        else:
            _set_child_window(frames, ply)
            ply, enters = ply + 1, True


@njit_no_nrt
def endgame_gains(
    start: GamePosition,
    code: int,
    points: int,
    racks: Uint8Array,
    buffers: EndgameBuffers,
    gains: Int32Array,
    totals: Int32Array,
) -> None:
    """Solve a move for each rack that the other seat may hold, uint8[n, 3].

    `gains` and `totals`, int32[n], get what the seat to play gains on the other and what both score together,
    from this move to the end of the game.
    """
    position, seat = buffers.position, start.turn[0]
    for index in range(len(racks)):
        copy_into(start, position)
        for slot in range(RACK_SIZE):
            position.racks[1 - seat, slot] = racks[index, slot]
        plays_again = play_move(position, code, 0)
        if position.racks[seat, 0] == EMPTY_SLOT:
            gain = total = rack_sum(racks[index])
        else:
            gain, total = alpha_beta(buffers)
            if not plays_again:
                gain = -gain
        gains[index] = points + gain
        totals[index] = points + total
