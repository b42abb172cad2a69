"""The places that are left once they are few, numbered one after the other, compiled by Numba.

From the middle of a game on, a colour has some hundred or thousand places to which it may still come. They
get a bit each, colour by colour, those with the lowest cells first: so all places through a cell are in a few
words beside each other, which the processor does at once, where `kernel_places` has a hundred here and there.

A piece that is laid is only noted. What it took from a colour is found out when that colour is to move, and
not at all where nobody asks: on the way down a tree, or for a colour that is out.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled, lean, trailing_zeros
from tripot.games.trigon.board import GRID, ORIENTED
from tripot.games.trigon.kernel.placement_bits import (
    KINDS,
    ONE,
    WORD,
    Places,
    Words,
    any_place,
    copy_places,
    lay,
    list_moves,
    move_at,
    read,
)
from tripot.games.trigon.kernel.position import (
    ALL,
    ASIDE,
    CELLS,
    CLOSED,
    CORNERS,
    COVERS,
    IN_PLAY,
    LEFT,
    LOWEST,
    MARGIN,
    NONE,
    NUMBER,
    OUT,
    PIECE,
    SHIFT,
    SIX,
    SIZE,
    TOUCHES,
    Numbers,
    Position,
    nth,
    put,
)

MOST_WORDS: Final = 1000  # from some 13 pieces on; with more it takes longer to number them than it saves
WIDEST: Final = 80  # words with places through a cell: with more they are not few
AT_ONCE: Final = 16  # words that a loop does at a time: what is left over takes it longer
LARGEST: Final = int(SIZE.max())
ROOM: Final = MOST_WORDS + WIDEST  # the span of a cell may end after the last word

# The rows of `Few.tally`: columns are colours.
WAITING, JOINED, STOCK = range(3)


def _around() -> Numbers:
    """The cells around an even or an odd one, as offsets: all that touch the single triangle."""
    rows = np.zeros((2, 12), np.int64)
    for shape, (_, cells) in enumerate(ORIENTED):
        if len(cells) == 1:
            rows[cells[0] % 2] = [each for table in (ASIDE, TOUCHES) for each in table[shape] if each != NONE]
    return rows


AROUND: Final = _around()


class Few(NamedTuple):
    """Numbered places; a word has 64 of them.

    used     how many words there are, none if the places are not few
    begin    by colour: its first word; and where the last colour ends
    first    by colour and cell: the first word with places through it, and `span`: how many words from there
             on are in `through`, the places themselves
    alike    by piece: the places of it, and `large`: by size
    move     by number: the place as a move
    fits     the places whose cells are all open to their colour, which still has the piece
    meets    the places that cover a cell to which their colour attaches; those in both are its moves
    heat     by number: how hot the cells are that the place covers, see `kernel_playout`; nothing in between
    closed   by colour: cells that were closed to it and are WAITING: `fits` still has places through them
    tally    by colour: how many cells are WAITING, how many to which it attaches are JOINED in `meets`, and
             the STOCK of pieces of which `fits` has places
    """

    used: Numbers
    begin: Numbers
    first: NDArray[np.uint16]
    span: NDArray[np.uint16]
    through: Words
    alike: Words
    large: Words
    move: NDArray[np.int32]
    fits: Words
    meets: Words
    heat: NDArray[np.int8]
    closed: NDArray[np.int16]
    tally: Numbers


class Left(NamedTuple):
    """What is left to the colours: as numbered places if they are few, as places if not."""

    places: Places
    few: Few


@compiled
def no_few() -> Few:
    """Room for numbered places."""
    return Few(
        np.zeros(1, np.int64),
        np.zeros(5, np.int64),
        np.zeros((4, CELLS), np.uint16),
        np.zeros((4, CELLS), np.uint16),
        np.zeros((4, CELLS, WIDEST), np.uint64),
        np.zeros((len(SIZE), ROOM), np.uint64),
        np.zeros((LARGEST + 1, ROOM), np.uint64),
        np.zeros(ROOM * WORD, np.int32),
        np.zeros(ROOM, np.uint64),
        np.zeros(ROOM, np.uint64),
        np.zeros(ROOM * WORD, np.int8),
        np.zeros((4, CELLS), np.int16),
        np.zeros((3, 4), np.int64),
    )


@compiled
def beside(few: Few) -> Few:
    """The same numbers, with room to go on from there."""
    return Few(
        few.used,
        few.begin,
        few.first,
        few.span,
        few.through,
        few.alike,
        few.large,
        few.move,
        few.fits.copy(),
        few.meets.copy(),
        few.heat.copy(),
        few.closed.copy(),
        few.tally.copy(),
    )


@lean
def _reach(position: Position, colour: int, seen: NDArray[np.bool_], queue: Numbers) -> None:
    """All cells to which a colour may come, piece by piece: from where it attaches over cells open to it."""
    closed, end = CLOSED << colour, 0
    for cell in range(CELLS):
        seen[cell] = 0
    for index in range(position.tally[NUMBER, colour]):
        cell = int(position.attach[colour, index])
        if not position.marks[cell] & closed and not seen[cell]:
            seen[cell], queue[end] = 1, cell
            end += 1
    at = 0
    while at < end:
        cell = queue[at]
        at += 1
        for offset in AROUND[cell & 1]:
            other = cell + offset
            if not position.marks[other] & closed and not seen[other]:
                seen[other], queue[end] = 1, other
                end += 1


@lean
def _number(places: Places, few: Few, colour: int, seen: NDArray[np.bool_], last: Numbers) -> bool:
    """Number all places to which a colour may come; False if they are too many."""
    number, first, widest = few.begin[colour] * WORD, few.first[colour], 0
    first[:], last[:] = ROOM, 0
    for word in range(MARGIN // 2 * KINDS, (MARGIN + GRID) // 2 * KINDS):
        found = places.fits[colour, word] & places.left[colour, word % KINDS]
        while found:
            bit = trailing_zeros(found)
            found &= found - ONE
            move = move_at(word, bit)
            if not seen[move & LOWEST]:
                continue
            at, one = number // WORD, ONE << nth(number % WORD)
            if at >= MOST_WORDS:
                return False
            if not number % WORD:
                _empty(few, at)
            piece = PIECE[move >> SHIFT]
            few.move[number] = move
            few.alike[piece, at] |= one
            few.large[SIZE[piece], at] |= one
            few.fits[at] |= one
            if places.meets[colour, word] >> nth(bit) & ONE:
                few.meets[at] |= one
            for index in range(LARGEST):
                cell = (move & LOWEST) + SIX[move >> SHIFT, index]
                first[cell], last[cell] = min(first[cell], at), max(last[cell], at)
            number += 1
    few.begin[colour + 1] = (number + WORD - 1) // WORD
    for cell in range(CELLS):
        first[cell] = min(first[cell], last[cell])  # no place at all may go through it
        widest = max(widest, last[cell] - np.int64(first[cell]) + 1)
    for cell in range(CELLS):  # in full steps, or all alike: loops of unlike length are hard to foresee
        words = last[cell] - np.int64(first[cell]) + 1
        few.span[colour, cell] = words + -words % (AT_ONCE if widest > AT_ONCE // 2 else widest)
    return bool(widest <= WIDEST)


@lean
def _empty(few: Few, word: int) -> None:
    """Begin a word."""
    few.fits[word] = few.meets[word] = 0
    for piece in range(len(SIZE)):
        few.alike[piece, word] = 0
    for size in range(LARGEST + 1):
        few.large[size, word] = 0


@lean
def _pass_through(few: Few, colour: int) -> None:
    """Note the places of a colour with the cells that they go through."""
    for word in range(few.begin[colour], few.begin[colour + 1]):
        found = few.fits[word]
        while found:
            bit = trailing_zeros(found)
            found &= found - ONE
            move = few.move[word * WORD + bit]
            for index in range(LARGEST):
                cell = (move & LOWEST) + SIX[move >> SHIFT, index]
                few.through[colour, cell, word - np.int64(few.first[colour, cell])] |= ONE << nth(bit)


@compiled
def read_few(position: Position, places: Places, few: Few) -> None:
    """Number the places that are left if all colours have begun, and the places are few."""
    seen, queue, last = np.zeros(CELLS, np.bool_), np.zeros(CELLS, np.int64), np.zeros(CELLS, np.int64)
    playing = position.rules[IN_PLAY] & ~position.rules[OUT]
    few.used[0] = 0
    for colour in range(4):
        few.begin[colour + 1] = few.begin[colour]
        if playing >> colour & 1:
            if position.tally[LEFT, colour] == ALL or position.rules[CORNERS]:
                return
            _reach(position, colour, seen, queue)
            if not _number(places, few, colour, seen, last):
                return
        few.tally[WAITING, colour] = 0
        few.tally[JOINED, colour] = position.tally[NUMBER, colour]
        few.tally[STOCK, colour] = position.tally[LEFT, colour]
    few.through[:] = 0
    for colour in range(4):
        _pass_through(few, colour)
    few.used[0] = few.begin[4]


def read_left(position: Position, left: Left) -> None:
    """Find all that is left in a position from nothing."""
    read(position, left.places)
    read_few(position, left.places, left.few)


# --- Playing with what is left ----------------------------------------------------------------------


@lean
def go_back(position: Position, source: Left, target: Left) -> None:
    """Make what is left equal to what was left in a position."""
    if not source.few.used[0]:
        copy_places(position, source.places, target.places)
        return
    for word in range(source.few.used[0]):
        target.few.fits[nth(word)] = source.few.fits[nth(word)]
        target.few.meets[nth(word)] = source.few.meets[nth(word)]
    for row in range(len(source.few.tally)):
        for colour in range(4):
            target.few.tally[row, colour] = source.few.tally[row, colour]


@lean
def take(position: Position, left: Left, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, and less is left."""
    if left.few.used[0]:
        _note_closed(position, left.few, colour, move)
        put(position, colour, move)
    else:
        lay(position, left.places, colour, move)


@lean
def _note_closed(position: Position, few: Few, colour: int, move: int) -> None:
    """Note which cells a move is about to close, and to whom.

    Nothing is asked of a cell: it is written down, and counts if it was open.
    """
    marks, closed, waiting = position.marks, few.closed, few.tally[WAITING]
    shape, lowest = nth(move >> SHIFT), move & LOWEST
    covers, aside, index = COVERS[shape], ASIDE[shape], 0
    a, b, c, d = waiting[0], waiting[1], waiting[2], waiting[3]
    while covers[nth(index)] != NONE:
        cell = lowest + covers[nth(index)]
        mark = int(marks[nth(cell)])
        closed[0, nth(a)] = closed[1, nth(b)] = closed[2, nth(c)] = closed[3, nth(d)] = cell
        a, b, c, d = a + (~mark & 1), b + (~mark >> 1 & 1), c + (~mark >> 2 & 1), d + (~mark >> 3 & 1)
        index += 1
    waiting[0], waiting[1], waiting[2], waiting[3] = a, b, c, d
    number, index = waiting[colour], 0
    while aside[nth(index)] != NONE:
        cell = lowest + aside[nth(index)]
        closed[colour, nth(number)] = cell
        number += ~int(marks[nth(cell)]) >> colour & 1
        index += 1
    waiting[colour] = number


@lean
def catch_up(position: Position, few: Few, colour: int) -> bool:
    """Find out which moves a colour has, those in `fits` and `meets`; whether there are any."""
    fits, meets, closed, tally = few.fits, few.meets, few.closed[colour], few.tally
    first, span, through = few.first[colour], few.span[colour], few.through[colour]
    for index in range(tally[WAITING, colour]):
        cell = nth(closed[nth(index)])
        begin, row = nth(first[cell]), through[cell]
        for word in range(span[cell]):
            fits[begin + nth(word)] &= ~row[nth(word)]
    tally[WAITING, colour] = 0
    used = tally[STOCK, colour] & ~position.tally[LEFT, colour]
    while used:
        row = few.alike[nth(trailing_zeros(nth(used)))]
        for word in range(few.begin[colour], few.begin[colour + 1]):
            fits[nth(word)] &= ~row[nth(word)]
        used &= used - 1
    tally[STOCK, colour] = position.tally[LEFT, colour]
    for index in range(tally[JOINED, colour], position.tally[NUMBER, colour]):
        cell = nth(position.attach[colour, nth(index)])
        begin, row = nth(first[cell]), through[cell]
        for word in range(span[cell]):
            meets[begin + nth(word)] |= row[nth(word)]
    tally[JOINED, colour] = position.tally[NUMBER, colour]
    moves = nth(0)
    for word in range(few.begin[colour], few.begin[colour + 1]):
        moves |= fits[nth(word)] & meets[nth(word)]
    return bool(moves != 0)


@lean
def can_play(position: Position, left: Left, colour: int) -> bool:
    """Whether a colour may play anything."""
    if left.few.used[0]:
        return catch_up(position, left.few, colour)
    return any_place(left.places, colour)


@lean
def moves_left(position: Position, left: Left, colour: int, into: NDArray[np.int32]) -> int:
    """The legal moves of a colour; how many."""
    few, number = left.few, 0
    if not few.used[0]:
        return list_moves(left.places, colour, into)
    catch_up(position, few, colour)
    for word in range(few.begin[colour], few.begin[colour + 1]):
        found = few.fits[nth(word)] & few.meets[nth(word)]
        while found:
            into[nth(number)] = few.move[nth(word * WORD + trailing_zeros(found))]
            found &= found - ONE
            number += 1
    return number
