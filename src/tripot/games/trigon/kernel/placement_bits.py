"""The places that are left to each colour, as bits, compiled by Numba.

Two cells beside each other, an even one and the odd one after it, share three words: a bit for each shape
that has its lowest cell there, large pieces first. A piece that is laid takes some places from all colours
and some from its own, which gains others. Those are masks for a few words around it, the same ones wherever
it lies: so a move is played, and all moves after it are known, in some hundred steps without any question.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import compiled, lean, trailing_zeros
from tripot.games.trigon.board import GRID, ORIENTED
from tripot.games.trigon.kernel.position import (
    ALL,
    ASIDE,
    CELLS,
    CLOSED,
    CORNERS,
    COVERS,
    FLAT,
    IN_PLAY,
    LEFT,
    LOWEST,
    MARGIN,
    NONE,
    NUMBER,
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
    flat_contact,
    nth,
    put,
)

Words = NDArray[np.uint64]

KINDS: Final = 3  # of words: two for an even cell, one for the odd cell after it
WORD: Final = 64
WORDS: Final = CELLS // 2 * KINDS


# --- Tables ---------------------------------------------------------------------------------------


def _arranged() -> tuple[Any, ...]:
    """The kind of word and the bit of each shape, and the move of each bit, less the even cell of the two."""
    kind, bit = np.zeros(len(ORIENTED), np.int64), np.zeros(len(ORIENTED), np.int64)
    moves = np.zeros((KINDS, WORD), np.int64)
    for odd in range(2):
        same = [shape for shape, (_, cells) in enumerate(ORIENTED) if cells[0] % 2 == odd]
        same.sort(key=lambda shape: -SIZE[PIECE[shape]])
        for at, shape in enumerate(same):
            kind[shape], bit[shape] = 2 * odd + at // WORD, at % WORD
            moves[kind[shape], bit[shape]] = (shape << SHIFT) + odd
    return kind, bit, moves


KIND_OF, BIT_OF, MOVES_AT = _arranged()
ONE: Final = np.uint64(1)


def _of_pieces() -> Words:
    """By piece and kind of word: the bits of its shapes."""
    masks = np.zeros((len(SIZE), KINDS), np.uint64)
    for shape, piece in enumerate(PIECE):
        masks[piece, KIND_OF[shape]] |= ONE << np.uint64(BIT_OF[shape])
    return masks


OF_PIECE: Final = _of_pieces()
OF_SIZE: Final = np.array([np.bitwise_or.reduce(OF_PIECE[size == SIZE]) for size in range(SIZE.max() + 1)])
EVERY: Final = np.bitwise_or.reduce(OF_PIECE)

CENTRE: Final = CELLS // 4 * 2  # an even cell, far from the ends of the arrays
HOME: Final = CENTRE // 2 * KINDS


def _near(table: NDArray[np.int16], shape: int) -> list[int]:
    return [int(offset) for offset in table[shape] if offset != NONE]


def _through(table: NDArray[np.int16]) -> Words:
    """All places that have to do, as a table says, with the cell in the centre or the one after it."""
    found = np.zeros((2, WORDS), np.uint64)
    for shape, (_, cells) in enumerate(ORIENTED):
        for offset in _near(table, shape):
            odd = (cells[0] + offset) % 2
            lowest = CENTRE + odd - offset
            found[odd, lowest // 2 * KINDS + KIND_OF[shape]] |= ONE << np.uint64(BIT_OF[shape])
    return found


def _masks(found: Words) -> tuple[Any, ...]:
    """The words that are not empty: where each row begins, their numbers from HOME on, and the masks."""
    rows, words = np.nonzero(found)
    begin = np.searchsorted(rows, np.arange(len(found) + 1))
    return begin.astype(np.int64), (words - HOME).astype(np.int64), found[rows, words]


def _around(*pairs: tuple[NDArray[np.int16], Words]) -> Words:
    """By shape: all places that go through the cells near it."""
    found = np.zeros((len(ORIENTED), WORDS), np.uint64)
    for table, through in pairs:
        for shape, (_, cells) in enumerate(ORIENTED):
            for offset in _near(table, shape):
                cell = cells[0] % 2 + offset
                found[shape] |= np.roll(through[cell % 2], cell // 2 * KINDS)
    return found


_COVERING: Final = _through(COVERS)
# Through a cell, even or odd.
THROUGH_FROM, THROUGH_AT, THROUGH = _masks(_COVERING)
# What a shape leaves to all, to its own colour alone, and to that where only corners may touch (TR-10), and
# what its colour gains.
TAKEN_FROM, TAKEN_AT, TAKEN = _masks(_around((COVERS, _COVERING)))
OWN_FROM, OWN_AT, OWN = _masks(_around((ASIDE, _COVERING)))
FLAT_FROM, FLAT_AT, FLATS = _masks(_around((FLAT, _COVERING), (COVERS, _through(FLAT))))
GAIN_FROM, GAIN_AT, GAINS = _masks(_around((TOUCHES, _COVERING)))
GAIN_KIND: Final = GAIN_AT % KINDS
TAKEN, OWN, FLATS = ~TAKEN, ~OWN, ~FLATS


# --- Places ---------------------------------------------------------------------------------------


class Places(NamedTuple):
    """What is left. Rows are colours.

    fits    places whose cells are all open to the colour
    meets   places that cover a cell to which it attaches; of those that do not fit only some
    words   the words of `meets` that are not empty, so many as `number` says, in no order
    left    by kind of word: the shapes of the pieces still to place
    found   room for the moves of a colour, word by word as in `words`
    """

    fits: Words
    meets: Words
    words: NDArray[np.uint16]
    number: Numbers
    left: Words
    found: Words


@compiled
def no_places() -> Places:
    """Nothing is left to anybody."""
    return Places(
        np.zeros((4, WORDS), np.uint64),
        np.zeros((4, WORDS), np.uint64),
        np.zeros((4, WORDS), np.uint16),
        np.zeros(4, np.int64),
        np.zeros((4, KINDS), np.uint64),
        np.zeros(WORDS, np.uint64),
    )


@lean
def move_at(word: int, bit: int) -> int:
    """The move that a bit stands for."""
    return int(MOVES_AT[nth(word) % nth(KINDS), nth(bit)]) + int(nth(word) // nth(KINDS) * nth(2))


@lean
def _forget(places: Places, colour: int) -> None:
    """A colour attaches to nothing."""
    for index in range(places.number[colour]):
        places.meets[colour, nth(places.words[colour, nth(index)])] = 0
    places.number[colour] = 0


@lean
def _gain(places: Places, colour: int, word: int, mask: np.uint64, number: int) -> int:
    """A colour attaches to cells that more places cover: those that fit count; how many words there are."""
    at = nth(word)
    before, more = places.meets[colour, at], mask & places.fits[colour, at]
    places.meets[colour, at] = before | more
    places.words[colour, nth(number)] = word
    return int(number + ((before == 0) & (more != 0)))  # not asked: the processor could only guess the answer


@lean
def read(position: Position, places: Places) -> None:
    """Find all places of a position from nothing."""
    only_corners = position.rules[CORNERS]
    for colour in range(4):
        _forget(places, colour)
        places.fits[colour] = 0
        for kind in range(KINDS):
            places.left[colour, kind] = 0
            for piece in range(len(SIZE)):
                if position.tally[LEFT, colour] >> piece & 1:
                    places.left[colour, kind] |= OF_PIECE[piece, kind]
        for word in range(MARGIN // 2 * KINDS, (MARGIN + GRID) // 2 * KINDS):
            shapes = EVERY[word % KINDS]
            while shapes:
                bit = trailing_zeros(shapes)
                shapes &= shapes - ONE
                move = move_at(word, bit)
                marked = covered(position.marks, move >> SHIFT, move & LOWEST)
                if marked & CLOSED << colour or (only_corners and flat_contact(position, colour, move)):
                    continue
                places.fits[colour, word] |= ONE << np.uint64(bit)
                if marked & TOUCH << colour and position.tally[LEFT, colour] != ALL:
                    number = places.number[colour]
                    places.number[colour] = _gain(places, colour, word, ONE << np.uint64(bit), number)


@lean
def copy_places(position: Position, source: Places, target: Places) -> None:
    """Make places equal to others, but for colours that are out."""
    playing = position.rules[IN_PLAY] & ~position.rules[OUT]
    for colour in range(4):
        for kind in range(KINDS):
            target.left[colour, kind] = source.left[colour, kind]
        _forget(target, colour)
        if not playing >> colour & 1:
            continue
        fits, to = source.fits[colour], target.fits[colour]
        for word in range(MARGIN // 2 * KINDS, (MARGIN + GRID) // 2 * KINDS):
            to[nth(word)] = fits[nth(word)]
        target.number[colour] = source.number[colour]
        for index in range(source.number[colour]):
            word = source.words[colour, nth(index)]
            target.words[colour, nth(index)] = word
            target.meets[colour, nth(word)] = source.meets[colour, nth(word)]


@lean
def lay(position: Position, places: Places, colour: int, move: int) -> None:
    """TR-2, TR-3, TR-10: a colour places a piece, and others are left."""
    if position.tally[LEFT, colour] == ALL:
        _forget(places, colour)
    put(position, colour, move)
    shape, home = move >> SHIFT, (move & LOWEST) // 2 * KINDS
    a, b, c, d = places.fits[0], places.fits[1], places.fits[2], places.fits[3]
    for index in range(TAKEN_FROM[nth(shape)], TAKEN_FROM[nth(shape + 1)]):
        word, mask = nth(home + TAKEN_AT[nth(index)]), TAKEN[nth(index)]
        a[word] &= mask
        b[word] &= mask
        c[word] &= mask
        d[word] &= mask
    fits = places.fits[colour]
    for index in range(OWN_FROM[nth(shape)], OWN_FROM[nth(shape + 1)]):
        fits[nth(home + OWN_AT[nth(index)])] &= OWN[nth(index)]
    if position.rules[CORNERS]:
        for index in range(FLAT_FROM[shape], FLAT_FROM[shape + 1]):
            fits[nth(home + FLAT_AT[nth(index)])] &= FLATS[nth(index)]
    for kind in range(KINDS):
        places.left[colour, kind] &= ~OF_PIECE[PIECE[nth(shape)], kind]
    number, left = places.number[colour], places.left[colour]
    for index in range(GAIN_FROM[nth(shape)], GAIN_FROM[nth(shape + 1)]):
        mask = GAINS[nth(index)] & left[nth(GAIN_KIND[nth(index)])]
        number = _gain(places, colour, home + GAIN_AT[nth(index)], mask, number)
    places.number[colour] = number


@lean
def start_places(position: Position, places: Places, colour: int) -> None:
    """TR-2, TR-7, TR-8: before its first piece, a colour attaches to the starts that it may cover."""
    attach_starts(position, colour)
    _forget(places, colour)
    for at in range(position.tally[NUMBER, colour]):
        cell = int(position.attach[colour, at])
        for index in range(THROUGH_FROM[cell & 1], THROUGH_FROM[(cell & 1) + 1]):
            word = cell // 2 * KINDS + THROUGH_AT[index]
            places.number[colour] = _gain(places, colour, word, THROUGH[index], places.number[colour])


@lean
def found_in(places: Places, colour: int, word: int) -> np.uint64:
    """The moves of a colour in a word."""
    at = nth(word)
    left = places.left[colour, at % nth(KINDS)]
    found: np.uint64 = places.fits[colour, at] & places.meets[colour, at] & left
    return found


@lean
def any_place(places: Places, colour: int) -> bool:
    """Whether a colour has a move."""
    for index in range(places.number[colour]):
        if found_in(places, colour, places.words[colour, nth(index)]):
            return True
    return False


@lean
def find(places: Places, colour: int) -> int:
    """Find all moves of a colour, and forget the words without any; how many words have some."""
    words, kept = places.words[colour], 0
    for index in range(places.number[colour]):
        word = words[nth(index)]
        found = found_in(places, colour, word)
        places.found[nth(kept)], words[nth(kept)] = found, word
        if found:
            kept += 1
        else:
            places.meets[colour, nth(word)] = 0
    places.number[colour] = kept
    return kept


@lean
def list_moves(places: Places, colour: int, into: NDArray[np.int32]) -> int:
    """The legal moves of a colour; how many."""
    number = 0
    for index in range(find(places, colour)):
        found, word = places.found[nth(index)], places.words[colour, nth(index)]
        while found:
            into[nth(number)] = move_at(word, trailing_zeros(found))
            found &= found - ONE
            number += 1
    return number
