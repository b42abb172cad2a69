"""The rest of a game of Trigon, played quickly but not blindly, compiled by Numba.

What did well the last time in answer to the same moves is tried again (last good reply). Otherwise a
colour looks through the list of its moves, which is kept up to date as the game goes on (`kernel.extend`):
a large piece is good, and so is one that covers cells to which others have just begun to attach, since
whoever covers them blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.kernel import (
    ALL,
    CLOSED,
    CORNERS,
    COVERS,
    FOR_ALL,
    HOT,
    IN_PLAY,
    KNOWN,
    LEFT,
    LOWEST,
    NONE,
    OUT,
    PIECE,
    SHIFT,
    SIZE,
    TOUCH,
    TOUCHES,
    Numbers,
    Position,
    attach_starts,
    covered,
    extend,
    flat_contact,
    nth,
    put,
    random_number,
)
from tripot.search.compiled import compiled

OVER: Final = -1  # instead of the colour to move
LONGEST: Final = 4 * len(SIZE) + 4  # moves of a game, and some before
LENGTH, LYING = range(2)
MOVE_BITS: Final = SHIFT + 8
MOVES: Final = len(PIECE) << SHIFT  # more than the largest move
SLOTS: Final = 1 << 20
COOL: Final = (1 << HOT) - 1  # all marks of a cell but heat
MOST_HOT: Final = 64

# The entries of `plan`: what a triangle of the piece counts, covering a cell to which a foe just began to
# attach (twice if it is one's own, too), and chance; how many moves are JUST; and whether good REPLIES are
# tried first.
TRIANGLE, DENY, NOISE, JUST, REPLIES = range(5)

SIZES: Final = SIZE[PIECE]  # by shape


class Heat(NamedTuple):
    """Room for what a playout remembers.

    line, who     the last moves before the simulation, LYING of them, then its own, LENGTH in all, and who
                  played them; both numbers are in `length`
    cells         the hot ones
    one, two      the last good reply of a colour to a move, or to two
    """

    line: Numbers
    who: Numbers
    length: Numbers
    cells: Numbers
    one: NDArray[np.int32]
    two: Numbers


@compiled
def heat() -> Heat:
    """Nothing happened yet."""
    return Heat(
        np.zeros(LONGEST, np.int64),
        np.zeros(LONGEST, np.int64),
        np.zeros(2, np.int64),
        np.zeros(MOST_HOT, np.int64),
        np.zeros((4, MOVES), np.int32),
        np.zeros(SLOTS, np.int64),
    )


def unlearn(heat: Heat) -> None:
    """Forget all good replies."""
    heat.one[:] = 0
    heat.two[:] = 0


def recall(heat: Heat, moves: Sequence[tuple[int, int]]) -> None:
    """Begin simulations after some moves of the game itself, each with its colour."""
    heat.length[LYING] = len(moves)
    for at, (colour, move) in enumerate(moves):
        heat.who[at], heat.line[at] = colour, move


@compiled
def allowed(position: Position, colour: int, move: int) -> bool:
    """Whether a colour may play a move."""
    marks, shape, lowest = position.marks, move >> SHIFT, move & LOWEST
    if not position.tally[LEFT, colour] >> PIECE[shape] & 1:
        return False
    index, attached = 0, 0
    while COVERS[shape, index] != NONE:
        mark = int(marks[lowest + COVERS[shape, index]])
        if mark & CLOSED << colour:
            return False
        attached |= mark & TOUCH << colour
        index += 1
    return attached != 0 and not (position.rules[CORNERS] and flat_contact(position, colour, move))


@compiled
def _slot(colour: int, last: int, before: int) -> int:
    """Where the reply to two moves is kept."""
    return (last * 2654435761 + before * 2654404609 + colour * 7919) >> 7 & (SLOTS - 1)


@compiled
def reply(heat: Heat, position: Position, colour: int) -> int:
    """What last did well in answer to the last two moves, or to the last; -1 if nothing, or not legal."""
    length = heat.length[LENGTH]
    if length > 1:
        last, before = heat.line[length - 1], heat.line[length - 2]
        entry = heat.two[_slot(colour, last, before)]
        if entry and entry >> MOVE_BITS == before << MOVE_BITS | last:
            move = entry & (1 << MOVE_BITS) - 1
            if allowed(position, colour, move):
                return int(move)
    if length:
        move = int(heat.one[colour, heat.line[length - 1]])
        if move and allowed(position, colour, move):
            return move
    return -1


@compiled
def remember(heat: Heat, rewards: NDArray[np.float64]) -> None:
    """Keep the replies of those who did well in a simulation, and forget the same ones of the others."""
    usual = rewards.mean()
    for at in range(max(1, heat.length[LYING]), heat.length[LENGTH]):
        colour, move, last = heat.who[at], heat.line[at], heat.line[at - 1]
        well = rewards[colour] > usual
        if well:
            heat.one[colour, last] = move
        elif heat.one[colour, last] == move:
            heat.one[colour, last] = 0
        if at > 1:
            before = heat.line[at - 2]
            slot, entry = _slot(colour, last, before), (before << MOVE_BITS | last) << MOVE_BITS | move
            if well:
                heat.two[slot] = entry
            elif heat.two[slot] == entry:
                heat.two[slot] = 0


@compiled
def note(heat: Heat, colour: int, move: int) -> None:
    """A colour has played a move."""
    heat.line[heat.length[LENGTH]], heat.who[heat.length[LENGTH]] = move, colour
    heat.length[LENGTH] += 1


@compiled
def _warm(position: Position, colour: int, foes: int, just: int, heat: Heat) -> int:
    """Mark the cells to which foes of a colour attach by the last moves; how many."""
    marks, count = position.marks, 0
    for at in range(max(0, heat.length[LENGTH] - just), heat.length[LENGTH]):
        who = heat.who[at]
        if not foes >> who & 1:
            continue
        shape, lowest, index = heat.line[at] >> SHIFT, heat.line[at] & LOWEST, 0
        touches = TOUCHES[shape]
        while touches[nth(index)] != NONE:
            cell = lowest + touches[nth(index)]
            mark = int(marks[nth(cell)])
            if not mark & (CLOSED << who | CLOSED << colour) and mark & TOUCH << who and mark <= COOL:
                marks[cell] = mark | (2 if mark & TOUCH << colour else 1) << HOT
                heat.cells[count] = cell
                count += 1
            index += 1
    return count


@compiled
def pick(
    position: Position,
    colour: int,
    foes: int,
    plan: Numbers,
    heat: Heat,
    random: NDArray[np.uint64],
) -> int:
    """A move that blocks or is large, or -1 if there is none; a colour without pieces attaches to starts."""
    extend(position, colour)
    marks, moves, left = position.marks, position.moves[colour], position.tally[LEFT, colour]
    closed, corners = CLOSED << colour, position.rules[CORNERS]
    triangle, deny, noise = plan[TRIANGLE] << 10, plan[DENY] << 10, plan[NOISE]
    hot = _warm(position, colour, foes, plan[JUST], heat)
    salt = np.int64(random_number(random, 1 << 30)) << 1 | 1
    best, chosen, count = -1, -1, 0
    for index in range(position.tally[KNOWN, colour]):
        move = int(moves[nth(index)])
        shape, lowest = move >> SHIFT, move & LOWEST
        if not left >> PIECE[nth(shape)] & 1:
            continue
        seen = covered(marks, shape, lowest)
        if seen & closed or (corners and flat_contact(position, colour, move)):
            continue
        moves[nth(count)] = move
        count += 1
        value = triangle * SIZES[nth(shape)] + noise * (move * salt >> 20 & 1023)
        if seen > COOL:
            for at in range(SIZES[nth(shape)]):
                value += deny * (int(marks[nth(lowest + COVERS[nth(shape), nth(at)])]) >> HOT)
        if value > best:
            best, chosen = value, move
    position.tally[KNOWN, colour] = count
    for index in range(hot):
        marks[heat.cells[index]] &= COOL
    return chosen


@compiled
def play_on(
    position: Position,
    turn: int,
    sides: Numbers,
    plan: Numbers,
    heat: Heat,
    most_moves: int,
    random: NDArray[np.uint64],
) -> int:
    """Play on for some moves; who is to move then, or OVER if that was the end."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    foes = np.zeros(4, np.int64)
    for colour in range(4):
        for other in range(4):
            if sides[other] != sides[colour] and position.rules[IN_PLAY] >> other & 1:
                foes[colour] |= 1 << other
    while out != FOR_ALL:
        if not out >> turn & 1:
            if most_moves == 0:
                position.rules[OUT] = out
                return turn
            most_moves -= 1
            if position.tally[LEFT, turn] == ALL:
                attach_starts(position, turn)
            move = reply(heat, position, turn) if plan[REPLIES] else -1
            if move < 0:
                move = pick(position, turn, foes[turn], plan, heat, random)
            if move < 0:
                out |= 1 << turn
            else:
                put(position, turn, move)
                note(heat, turn, move)
        turn = (turn + 1) & 3
    position.rules[OUT] = out
    return OVER
