"""Uniformly random games of Trigon over the kernel's position, for the tests and the benchmark.

The engine has no use for them: its playouts follow a policy. They are compared with the plain rules.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.engine.rng import random_below, seed_rng
from tripot.games.trigon.kernel.moves import extend_move_list, has_flat_contact, is_still_legal
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ATTACH,
    FORBIDDEN,
    Position,
    add_start_cells,
    cannot_move,
    clone,
    copy_into,
    final_score,
    place_piece,
)
from tripot.games.trigon.kernel.tables import (
    ALL_PIECES,
    END_OF_OFFSETS,
    PIECE_COUNT,
    PIECE_OF_SHAPE,
    SHAPE_SHIFT,
    TRIE_NODES,
    padded_rows,
    placements_through,
)

MAX_GUESSES: Final = 128  # before all moves are listed
NO_MOVE: Final = -1

# All placements through a cell, by piece; the first index is 0 for cells that point down, 1 for those that
# point up.
_PLACEMENTS: Final = [
    sorted((piece, move, [*path]) for path, (move, piece) in placements_through(up).items()) for up in (0, 1)
]
PLACEMENT_MOVE: Final = np.array([[move for _, move, _ in rows] for rows in _PLACEMENTS], np.int32)
PLACEMENT_CELLS: Final = np.array(
    [padded_rows([path for _, _, path in rows], END_OF_OFFSETS) for rows in _PLACEMENTS], np.int16
)
FIRST_PLACEMENT: Final = np.array(
    [sum(piece < limit for piece, _, _ in _PLACEMENTS[0]) for limit in range(PIECE_COUNT + 1)], np.int64
)


class Stock(NamedTuple):
    """The placements of the pieces that each colour has left.

    placements  int16[4, TRIE_NODES], indices into the tables above, ascending
    lengths     int64[4], how many they are
    """

    placements: NDArray[np.int16]
    lengths: NDArray[np.int64]


@njit_cached
def new_stock() -> Stock:
    return Stock(np.zeros((4, TRIE_NODES), np.int16), np.zeros(4, np.int64))


@njit_no_nrt
def fill_stock(position: Position, stock: Stock) -> None:
    """Set the stock to the pieces that are left in a position."""
    for colour in range(4):
        count = 0
        for piece in range(PIECE_COUNT):
            if position.pieces_left[colour] >> piece & 1:
                for placement in range(FIRST_PLACEMENT[piece], FIRST_PLACEMENT[piece + 1]):
                    stock.placements[colour, count] = placement
                    count += 1
        stock.lengths[colour] = count


@njit_no_nrt
def play(position: Position, stock: Stock, colour: int, move: int) -> None:
    """Place a piece and take it from the stock."""
    place_piece(position, colour, move)
    piece, placements, first = PIECE_OF_SHAPE[move >> SHAPE_SHIFT], stock.placements[colour], 0
    while placements[first] < FIRST_PLACEMENT[piece]:
        first += 1
    removed = FIRST_PLACEMENT[piece + 1] - FIRST_PLACEMENT[piece]
    stock.lengths[colour] -= removed
    for index in range(first, stock.lengths[colour]):
        placements[index] = placements[index + removed]


@njit_no_nrt
def random_move(position: Position, stock: Stock, colour: int, rng: NDArray[np.uint64]) -> int:
    """Return a random legal move, all equally likely, or NO_MOVE.

    Rejection sampling first. Once that has failed, the board is so full that listing all moves is quick.
    """
    if position.pieces_left[colour] == ALL_PIECES:
        add_start_cells(position, colour)
    if not position.attach_count[colour] or not stock.lengths[colour]:
        return NO_MOVE
    if not position.attach_scanned[colour]:
        move = _guess_move(position, stock, colour, rng)
        if move != NO_MOVE:
            return move
    return _draw_listed_move(position, colour, rng)


@njit_no_nrt
def _guess_move(position: Position, stock: Stock, colour: int, rng: NDArray[np.uint64]) -> int:
    """Guess an attach cell and a placement through it, until one is legal; NO_MOVE after MAX_GUESSES.

    A move that covers n attach cells is guessed n times as often, so it is accepted with probability 1 / n.
    """
    cell_flags, forbidden, attach = position.cell_flags, FORBIDDEN << colour, ATTACH << colour
    for _ in range(MAX_GUESSES):
        count = position.attach_count[colour]
        choice = random_below(rng, count)
        cell = int(position.attach_cells[colour, choice])
        if cell_flags[cell] & forbidden:
            if count == 1:
                break
            position.attach_cells[colour, choice] = position.attach_cells[colour, count - 1]
            position.attach_count[colour] = count - 1
            continue
        placement, up = stock.placements[colour, random_below(rng, stock.lengths[colour])], cell & 1
        attach_cells, index = 1, 1
        while PLACEMENT_CELLS[up, placement, index] != END_OF_OFFSETS:
            flags = cell_flags[cell + PLACEMENT_CELLS[up, placement, index]]
            if flags & forbidden:
                attach_cells = 0
                break
            attach_cells += (flags & attach) != 0
            index += 1
        if attach_cells == 0 or (attach_cells > 1 and random_below(rng, attach_cells)):
            continue
        move = int(PLACEMENT_MOVE[up, placement]) + cell
        if not (position.corners_only[0] and has_flat_contact(position, colour, move)):
            return move
    return NO_MOVE


@njit_no_nrt
def _draw_listed_move(position: Position, colour: int, rng: NDArray[np.uint64]) -> int:
    """Draw from the list of moves until one is still legal; drop the others from the list."""
    extend_move_list(position, colour)
    while position.move_count[colour]:
        count = position.move_count[colour]
        index = random_below(rng, count)
        move = int(position.moves[colour, index])
        if is_still_legal(position, colour, move):
            return move
        position.moves[colour, index] = position.moves[colour, count - 1]
        position.move_count[colour] = count - 1
    return NO_MOVE


@njit_no_nrt
def random_playout(position: Position, stock: Stock, turn: int, rng: NDArray[np.uint64]) -> int:
    """Play a random game to its end, and return how many pieces were placed."""
    placed, blocked = 0, cannot_move(position)
    while blocked != ALL_COLOURS:
        if not blocked >> turn & 1:
            move = random_move(position, stock, turn, rng)
            if move == NO_MOVE:
                blocked |= 1 << turn
            else:
                play(position, stock, turn, move)
                placed += 1
        turn = (turn + 1) & 3
    position.blocked[0] = position.in_play[0]
    return placed


@njit_cached
def random_games(start: Position, turn: int, count: int, seed: int) -> NDArray[np.int64]:
    """Play random games; return the sum of the scores of each colour, and the number of pieces placed."""
    rng, sums, position, stock = np.empty(1, np.uint64), np.zeros(5, np.int64), clone(start), new_stock()
    seed_rng(rng, seed)
    for _ in range(count):
        copy_into(start, position)
        fill_stock(start, stock)
        sums[4] += random_playout(position, stock, turn, rng)
        for colour in range(4):
            sums[colour] += final_score(position, colour)
    return sums
