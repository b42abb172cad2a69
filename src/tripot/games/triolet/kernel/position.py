"""A game of Triolet in progress over flat arrays: playing moves, drawing tokens, both ends of the game."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled
from tripot.games.triolet.board import COUNTS, IS_JOKER, JOKER, RACK, TOKENS
from tripot.games.triolet.kernel.moves import (
    AGAIN,
    COUNT,
    FITS,
    GRID,
    HAS,
    JOKERS,
    KIND,
    NONE,
    PLACE,
    REACH,
    VALUES,
    WAY,
    WIDTH,
    Bytes,
    Edge,
    Ints,
    closes,
)

IN_ALL: Final = np.array(COUNTS, np.int64)


# --- Playing -----------------------------------------------------------------------------------

HEAD, END, TURN, STILL = range(4)


class Table(NamedTuple):
    """A game in progress.

    grid    the board
    racks   by seat, three places each, in order, the empty ones last
    scores  by seat
    bag     the tokens in the order in which they will be drawn
    at      HEAD and END of what is left of the bag, whose TURN it is, and how many seats in a row
            stood STILL because they had nothing to place
    rng     the state of the random numbers that put exchanged tokens back
    """

    grid: Bytes
    racks: Bytes
    scores: Ints
    bag: Bytes
    at: NDArray[np.int64]
    rng: NDArray[np.uint64]


@compiled
def new_table(players: int, seed: int) -> Table:
    """An empty table."""
    return Table(
        np.zeros(GRID, np.uint8),
        np.full((players, RACK), NONE, np.uint8),
        np.zeros(players, np.int32),
        np.zeros(TOKENS, np.uint8),
        np.zeros(4, np.int64),
        np.full(1, seed, np.uint64),
    )


@compiled
def copy(source: Table, target: Table) -> None:
    """Make a table equal to another; random numbers go on."""
    target.grid[:] = source.grid
    target.racks[:] = source.racks
    target.scores[:] = source.scores
    target.bag[:] = source.bag
    target.at[:] = source.at


@compiled
def below(rng: NDArray[np.uint64], limit: int) -> int:
    """A random number from 0 to below a limit."""
    rng[0] = rng[0] * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return int(rng[0] >> np.uint64(33)) % limit


@compiled
def put(grid: Bytes, move: int) -> bool:
    """Lay the tokens of a move; returns whether one covers a bis square (TO-7)."""
    kind, again = move >> KIND & 3, False
    step = (WIDTH if move >> WAY & 1 else 1) * REACH[kind]
    for index in range(HAS[kind]):
        place = (move & (1 << WAY) - 1) + index * step
        joker = IS_JOKER if move >> JOKERS == index + 1 else 0
        grid[place] = (move >> VALUES + 4 * index & 15) + 1 + joker
        again = again or AGAIN[place]
    return again


@compiled
def lift(grid: Bytes, move: int) -> None:
    """Take the tokens of a move back."""
    kind = move >> KIND & 3
    step = (WIDTH if move >> WAY & 1 else 1) * REACH[kind]
    for index in range(HAS[kind]):
        grid[(move & (1 << WAY) - 1) + index * step] = 0


@compiled
def used(rack: Bytes, move: int) -> int:
    """The places of a rack whose tokens a move or exchange takes, as bits."""
    if move < 0:
        return -move
    gone = 0
    for each in range(HAS[move >> KIND & 3]):
        token = JOKER if move >> JOKERS == each + 1 else move >> VALUES + 4 * each & 15
        for index in range(RACK):
            if rack[index] == token and not gone >> index & 1:
                gone |= 1 << index
                break
    return gone


@compiled
def draw(table: Table, rack: Bytes) -> None:
    """TO-10: refill a rack while the bag lasts, and put it in order."""
    for index in range(RACK):
        if rack[index] == NONE and table.at[HEAD] < table.at[END]:
            rack[index] = table.bag[table.at[HEAD]]
            table.at[HEAD] += 1
    for last in (2, 1):
        for index in range(last):
            if rack[index] > rack[index + 1]:
                rack[index], rack[index + 1] = rack[index + 1], rack[index]


@compiled
def act(table: Table, move: int, points: int) -> bool:
    """TO-7, TO-10, TO-11: play a move or an exchange; returns whether the same seat goes on."""
    seat = table.at[TURN]
    rack = table.racks[seat]
    gone, again = used(rack, move), False
    given = int(rack[0]) | int(rack[1]) << 8 | int(rack[2]) << 16
    if move >= 0:
        again = put(table.grid, move)
        table.scores[seat] += points
        table.at[STILL] = 0
    for index in range(RACK):
        if gone >> index & 1:
            rack[index] = NONE
    draw(table, rack)
    if move < 0:
        for index in range(RACK):
            if gone >> index & 1:
                # Anywhere among the tokens left; the one that lay there comes first.
                table.at[HEAD] -= 1
                head, end = table.at[HEAD], table.at[END]
                place = head + below(table.rng, end - head)
                table.bag[head] = table.bag[place]
                table.bag[place] = given >> 8 * index & 255
    if not again:
        table.at[TURN] = (seat + 1) % len(table.racks)
    return again


@compiled
def bag_left(table: Table) -> int:
    """How many tokens are in the bag."""
    return int(table.at[END] - table.at[HEAD])


@compiled
def finish(table: Table, out: int) -> None:
    """TO-12: add or subtract what is left on the racks."""
    for seat in range(len(table.racks)):
        held = 0
        for token in table.racks[seat]:
            held += token if token < JOKER else 0
        if out >= 0:
            table.scores[out] += held
        else:
            table.scores[seat] -= held


@compiled
def dead(table: Table, edge: Edge) -> bool:
    """TO-12: whether no token that is not on the board could be placed. The edge must be current."""
    fits = laid = 0
    counts = IN_ALL.copy()
    for cell in table.grid:
        if cell:
            laid += 1
            counts[JOKER if cell >= IS_JOKER else cell - 1] -= 1
    for place in PLACE:
        if not table.grid[place] and (edge[COUNT, 0, place] or edge[COUNT, 1, place]):
            values = edge[FITS, 0, place] & edge[FITS, 1, place]
            if values and not closes(table.grid, laid, place, 1, 1):
                fits |= values
    for token in range(JOKER):
        if counts[token] and fits >> token & 1:
            return False
    return not (counts[JOKER] and fits)
