"""Perfect play on a layout of Trippples, which defines the moves that lose in TP-7.

This is a retrograde analysis of all two-player positions in plain Python, which takes about 50 ms. The rules
need it at a third repetition only. A server has no 50 ms to spare: it replaces the plain solver by the
compiled one of the engine (`Game.preload`), which the tests compare with it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from tripot.games.trippples.board import (
    NEUTRAL,
    allowed_directions,
    enterable_squares,
    is_arrow,
    squares_in_directions,
)
from tripot.games.trippples.options import Options

Key: TypeAlias = tuple[int, int, int]
"""The square of square's pawn, the square of round's pawn, and the seat to move."""


PliesLookup: TypeAlias = Callable[[bytes, Options, bytes], int]
"""Returns the plies to the win or loss, as in `solve`, of a layout, its options and a repetition key."""


@lru_cache(maxsize=16)
def solve(tiles: bytes, options: Options, freeze_wins: bool = False) -> dict[bytes, int]:
    """The result of every two-player position of a layout under perfect play, without TP-7 and TP-8.

    By `State.repetition_key`: the number of plies to the win (positive) or to the loss (negative) of
    the seat to move, or 0 for a draw. A ply is one step of a pawn; a skipped turn is none. With
    `freeze_wins`, a move that leaves no pawn a move wins, as if it were announced (TP-8).
    """
    moves = _all_moves(tiles, options)
    plies = dict.fromkeys(moves, 0)
    unresolved_moves = {key: len(targets) for key, targets in moves.items()}  # those not known to lose
    predecessors: dict[Key, list[Key]] = {}
    queue: deque[Key] = deque()
    for key, targets in moves.items():
        for square in targets:
            after = _successor(moves, tiles, key, square)
            if after:
                predecessors.setdefault(after, []).append(key)
            elif not plies[key] and (freeze_wins or square == options.homes[1][key[2]]):
                plies[key] = 1
                queue.append(key)
    while queue:  # in order of plies, so that the first win is the quickest and the last loss the slowest
        after = queue.popleft()
        for key in predecessors.get(after, ()):
            if plies[key]:
                continue
            wins = (plies[after] > 0) == (after[2] == key[2])
            unresolved_moves[key] -= not wins
            if wins or not unresolved_moves[key]:
                plies[key] = (1 if wins else -1) * (abs(plies[after]) + 1)
                queue.append(key)
    return {bytes(key): value for key, value in plies.items()}


def _plain_plies(tiles: bytes, options: Options, key: bytes) -> int:
    return solve(tiles, options)[key]


_plies: PliesLookup = _plain_plies


def plies_of(tiles: bytes, options: Options, key: bytes) -> int:
    """The result of one position under perfect play: see `solve`."""
    return _plies(tiles, options, key)


def use_lookup(lookup: PliesLookup | None) -> None:
    """Replace the plain solver by a faster one with the same results; None restores it."""
    global _plies  # noqa: PLW0603 - the rules must not import Numba, so the engine hands its solver in
    _plies = lookup or _plain_plies


def _all_moves(tiles: bytes, options: Options) -> dict[Key, list[int]]:
    """The target squares of every two-player position in which the seat to move has one."""
    starts = options.homes[0]
    enterable = [enterable_squares(tiles, options.homes, options.wild, side) for side in (0, 1)]
    squares = [
        square for square, tile in enumerate(tiles) if is_arrow(tile) or (options.wild and tile == NEUTRAL)
    ]
    moves: dict[Key, list[int]] = {}
    for here in (*squares, starts[0]):
        for there in (*squares, starts[1]):
            for turn, own_square, other in ((0, here, there), (1, there, here)):
                directions = allowed_directions(tiles, own_square, (other,))
                reachable = squares_in_directions(own_square, directions, enterable[turn])
                if here != there and (targets := [square for square in reachable if square != other]):
                    moves[here, there, turn] = targets
    return moves


def _successor(moves: dict[Key, list[int]], tiles: bytes, key: Key, square: int) -> Key | None:
    """TP-4, TP-6: the position after a move, with the next seat that can move; None if the game is over."""
    here, there, turn = key
    here, there = (here, square) if turn else (square, there)
    first = turn if tiles[square] == NEUTRAL else 1 - turn
    return next((after for seat in (first, 1 - first) if (after := (here, there, seat)) in moves), None)
