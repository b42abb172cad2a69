"""The rest of a game of Trigon, played quickly but not blindly, compiled by Numba.

A move is looked for at one cell at a time, by a walk through the tree of places (see `kernel`). First
come cells where others have lately begun to attach: whoever covers them blocks. Then one's own cells,
where the largest piece may fit: what was found at a cell is remembered, and since boards only fill and
stocks only shrink it is never more the next time. Before all that, what did well the last time in answer
to the same moves is tried again (last good reply).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.kernel import (
    ADDS,
    ALL,
    CELLS,
    CLOSED,
    CORNERS,
    COVERS,
    FOR_ALL,
    IN_PLAY,
    LEFT,
    LOWEST,
    MOVE,
    NODE_PIECE,
    NODES,
    NONE,
    NUMBER,
    OUT,
    PIECE,
    SHIFT,
    SIZE,
    SKIP,
    TOUCH,
    Numbers,
    Position,
    attach_starts,
    flat_contact,
    put,
    random_number,
)
from tripot.search.compiled import compiled

OVER: Final = -1  # instead of the colour to move
HOT: Final = 32  # cells, a power of two
LARGEST: Final = int(SIZE.max())
LONGEST: Final = 4 * len(SIZE)  # moves of a game
MOVE_BITS: Final = SHIFT + 8
MOVES: Final = len(PIECE) << SHIFT  # more than the largest move
SLOTS: Final = 1 << 20

# The entries of `plan`: how many walks from where others attach, and from one's own cells, are compared;
# what a triangle of the piece, a cell taken from others, and chance count; and whether good REPLIES are
# tried first.
BLOCKS, LOOKS, TRIANGLE, DENY, NOISE, REPLIES = range(6)


def _depths() -> NDArray[np.int64]:
    """How many triangles each node of the tree of places has."""
    return np.array([[SIZE[piece] for piece in row] for row in NODE_PIECE], np.int64)


DEPTHS: Final = _depths()


class Heat(NamedTuple):
    """Room for what a playout remembers.

    cell, whose   a ring of cells to which colours have begun to attach of late; `seen` in all
    most          by colour and cell: how large a piece fits there at most, as far as is known
    found         the last walk's best move, and the size of the largest piece that fits there
    denied        along a walk, by the number of triangles: cells of others covered, and `touched` whether
                  any of them attaches to one's own
    line, who     the moves of the simulation, `length` of them, and who played them
    one, two      the last good reply of a colour to a move, or to two
    """

    cell: Numbers
    whose: Numbers
    seen: Numbers
    most: NDArray[np.int8]
    found: Numbers
    denied: Numbers
    touched: NDArray[np.bool_]
    line: Numbers
    who: Numbers
    length: Numbers
    one: NDArray[np.int32]
    two: Numbers


@compiled
def heat() -> Heat:
    """Nothing happened yet."""
    return Heat(
        np.zeros(HOT, np.int64),
        np.zeros(HOT, np.int64),
        np.zeros(1, np.int64),
        np.zeros((4, CELLS), np.int8),
        np.zeros(2, np.int64),
        np.zeros(LARGEST + 1, np.int64),
        np.zeros(LARGEST + 1, np.bool_),
        np.zeros(LONGEST, np.int64),
        np.zeros(LONGEST, np.int64),
        np.zeros(1, np.int64),
        np.zeros((4, MOVES), np.int32),
        np.zeros(SLOTS, np.int64),
    )


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
    length = heat.length[0]
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
    for at in range(1, heat.length[0]):
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
def note(heat: Heat, position: Position, colour: int, move: int, before: int) -> None:
    """A colour has played a move; it attached to so many cells before."""
    heat.line[heat.length[0]], heat.who[heat.length[0]] = move, colour
    heat.length[0] += 1
    for index in range(before, position.tally[NUMBER, colour]):
        at = heat.seen[0] & (HOT - 1)
        heat.cell[at], heat.whose[at] = position.attach[colour, index], colour
        heat.seen[0] += 1


@compiled
def _walk(
    position: Position,
    colour: int,
    cell: int,
    attached: bool,
    foes: int,
    plan: NDArray[np.float64],
    heat: Heat,
    random: NDArray[np.uint64],
) -> float:
    """The best place through a cell into `found`, with the size of the largest; what it is worth."""
    marks, left = position.marks, position.tally[LEFT, colour]
    closed, touch, corners = CLOSED << colour, TOUCH << colour, position.rules[CORNERS]
    denied, touched = heat.denied, heat.touched
    denied[0], touched[0] = 0, attached
    best, chosen, largest = -1.0, -1, 0
    up, node = cell & 1, 0
    while node < NODES:
        mark = int(marks[cell + ADDS[up, node]])
        if mark & closed:
            node = SKIP[up, node]
            continue
        depth = DEPTHS[up, node]
        denied[depth] = denied[depth - 1] + ((mark >> 4 & ~mark & foes) != 0)
        touched[depth] = touched[depth - 1] or mark & touch != 0
        if left >> NODE_PIECE[up, node] & 1 and touched[depth] and depth >= largest:
            move = int(MOVE[up, node]) + cell
            if not (corners and flat_contact(position, colour, move)):
                largest = depth
                value = plan[TRIANGLE] * depth + plan[DENY] * denied[depth]
                value += plan[NOISE] * random_number(random, 1024) / 1024.0
                if value > best:
                    best, chosen = value, move
        node += 1
    heat.found[0], heat.found[1] = chosen, largest
    return best


@compiled
def pick(
    position: Position,
    colour: int,
    foes: int,
    plan: NDArray[np.float64],
    heat: Heat,
    random: NDArray[np.uint64],
) -> int:
    """A move that blocks or is large, or -1 if there is none."""
    marks, tally, attach, most = position.marks, position.tally, position.attach[colour], heat.most[colour]
    if tally[LEFT, colour] == ALL:
        attach_starts(position, colour)
    left, closed = tally[LEFT, colour], CLOSED << colour
    if not left:
        return -1
    size = LARGEST
    while not left >> FIRST_OF_SIZE[size]:
        size -= 1
    best, chosen = -1.0, -1
    hot = min(heat.seen[0], HOT)
    looked = 0
    for _ in range(4 * int(plan[BLOCKS]) if hot else 0):
        at = random_number(random, hot)
        cell, whose = heat.cell[at], heat.whose[at]
        if not foes >> whose & 1 or marks[cell] & (closed | CLOSED << whose):
            continue
        attached = marks[cell] & TOUCH << colour != 0
        value = _walk(position, colour, cell, attached, foes, plan, heat, random)
        if attached:
            most[cell] = min(most[cell], heat.found[1])
        if heat.found[1] >= size - 1 and value > best:
            best, chosen = value, heat.found[0]
        looked += 1
        if looked == int(plan[BLOCKS]):
            break
    if chosen >= 0:
        return chosen
    looked = 0
    while True:
        hope, ties, where, count = 0, 0, -1, tally[NUMBER, colour]
        index = 0
        while index < count:
            cell = attach[index]
            here = min(int(most[cell]), size)
            if here == 0 or marks[cell] & closed:
                count -= 1
                attach[index] = attach[count]
                continue
            if here > hope:
                hope, ties = here, 0
            if here == hope:
                ties += 1
                if ties == 1 or random_number(random, ties) == 0:
                    where = cell
            index += 1
        tally[NUMBER, colour] = count
        if where < 0 or (chosen >= 0 and hope < size):
            return chosen
        value = _walk(position, colour, where, True, foes, plan, heat, random)
        most[where] = heat.found[1]
        if heat.found[1] == hope or heat.found[1] == size:
            if value > best:
                best, chosen = value, heat.found[0]
            looked += 1
            if looked == int(plan[LOOKS]):
                return chosen
        size = min(size, hope)


FIRST_OF_SIZE: Final = np.array(
    [0, *(int(np.argmax(size == SIZE)) for size in range(1, LARGEST + 1))], np.int64
)


@compiled
def play_on(
    position: Position,
    turn: int,
    sides: Numbers,
    plan: NDArray[np.float64],
    heat: Heat,
    played: NDArray[np.int32],
    stamp: int,
    most_moves: int,
    random: NDArray[np.uint64],
) -> int:
    """Play on for some moves, noting which; who is to move then, or OVER if that was the end."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    heat.most[:] = LARGEST
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
                before = position.tally[NUMBER, turn]
                put(position, turn, move)
                note(heat, position, turn, move, before)
                played[turn, move] = stamp
        turn = (turn + 1) & 3
    position.rules[OUT] = out
    return OVER
