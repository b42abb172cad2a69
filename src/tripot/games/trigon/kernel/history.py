"""The moves of a simulation, and the last good replies to them.

Last good reply: if the team of a colour did well in a simulation, its move is stored as the reply to the one
or two moves before it, and played again in later playouts while it is legal (Drake 2009; with forgetting,
Baier and Drake 2010).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from tripot.engine.jit import njit_inline
from tripot.games.trigon.kernel.dtypes import Float64Array, Int64Array, u64
from tripot.games.trigon.kernel.moves import is_legal
from tripot.games.trigon.kernel.params import REPLY_PARAMS
from tripot.games.trigon.kernel.position import Position
from tripot.games.trigon.kernel.tables import MOVE_BITS, PIECE_COUNT

MAX_HISTORY: Final = 4 * PIECE_COUNT + 4  # moves of a whole game, and some before the root


class History(NamedTuple):
    """The last moves of the game before the root, followed by the moves of the current simulation.

    moves        int64[MAX_HISTORY]
    colours      int64[MAX_HISTORY], who played them
    length       int64[1], how many they are
    root_length  int64[1], how many of them were played before the root
    """

    moves: Int64Array
    colours: Int64Array
    length: Int64Array
    root_length: Int64Array


def set_history(history: History, moves: Sequence[tuple[int, int]]) -> None:
    """Set the moves before the root, as pairs of colour and move."""
    history.root_length[0] = history.length[0] = len(moves)
    for index, (colour, move) in enumerate(moves):
        history.colours[index], history.moves[index] = colour, move


@njit_inline
def append_history(history: History, colour: int, move: int) -> None:
    """Add a move to the current simulation."""
    length = history.length[0]
    history.moves[length], history.colours[length] = move, colour
    history.length[0] = length + 1


# --- Last good replies ----------------------------------------------------------------------------
# A reply is stored as one int64: second last move, last move and reply, MOVE_BITS each. The slot is a hash of
# the key, and a new entry replaces the old one.


@njit_inline
def _reply_slot(colour: int, second_last: int, last: int) -> int:
    """Return the slot of a reply to two moves; `second_last` is 0 for a reply to the last move alone."""
    return (last * 2654435761 + second_last * 2654404609 + colour * 7919) >> 7 & (REPLY_PARAMS.slots - 1)


@njit_inline
def last_good_reply(good_replies: Int64Array, history: History, position: Position, colour: int) -> int:
    """Return the stored reply to the last two moves, else to the last move; -1 if none is legal."""
    length = history.length[0]
    for known in range(min(length, 2), 0, -1):
        last, second_last = history.moves[length - 1], history.moves[length - 2] if known == 2 else 0
        entry = good_replies[u64(_reply_slot(colour, second_last, last))]
        move = entry & (1 << MOVE_BITS) - 1
        if (
            move
            and entry >> MOVE_BITS == second_last << MOVE_BITS | last
            and is_legal(position, colour, move)
        ):
            return int(move)
    return -1


@njit_inline
def update_replies(good_replies: Int64Array, history: History, rewards: Float64Array) -> None:
    """Store the replies of colours with an above-average reward, and delete the same ones of the others."""
    average = rewards.mean()
    for index in range(max(1, history.root_length[0]), history.length[0]):
        colour, move, last = history.colours[index], history.moves[index], history.moves[index - 1]
        for known in range(1, min(index, 2) + 1):
            second_last = history.moves[index - 2] if known == 2 else 0
            slot = u64(_reply_slot(colour, second_last, last))
            entry = (second_last << MOVE_BITS | last) << MOVE_BITS | move
            if rewards[colour] > average:
                good_replies[slot] = entry
            elif good_replies[slot] == entry:
                good_replies[slot] = 0
