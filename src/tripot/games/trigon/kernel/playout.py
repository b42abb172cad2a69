"""The rest of a game of Trigon, played quickly but not blindly, compiled by Numba.

What did well the last time in answer to the same moves is tried again (last good reply). Otherwise a
large piece is good, and so is one that covers cells to which others have just begun to attach, since
whoever covers them blocks. Those are looked at first, and mostly one of them is better than any other
move can be: then the others, ten times as many, are not looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import bits_set, compiled, lean, trailing_zeros
from tripot.games.trigon.kernel.compact_bits import AT_ONCE, LARGEST, Few, Left, catch_up, take
from tripot.games.trigon.kernel.placement_bits import (
    GAIN_AT,
    GAIN_FROM,
    GAIN_KIND,
    GAINS,
    KINDS,
    OF_SIZE,
    ONE,
    WORD,
    Places,
    find,
    move_at,
    start_places,
)
from tripot.games.trigon.kernel.position import (
    ALL,
    CLOSED,
    FOR_ALL,
    HOT,
    IN_PLAY,
    LEFT,
    LOWEST,
    MOST_MOVES,
    NONE,
    OUT,
    PIECE,
    SHIFT,
    SIX,
    SIZE,
    TOUCH,
    TOUCHES,
    Numbers,
    Position,
    nth,
    playable,
    random_number,
)

OVER: Final = -1  # instead of the colour to move
LONGEST: Final = 4 * len(SIZE) + 4  # moves of a game, and some before
LENGTH, LYING = range(2)
MOVE_BITS: Final = SHIFT + 8
SLOTS: Final = 1 << 15  # few enough for the processor to keep at hand
COOL: Final = (1 << HOT) - 1  # all marks of a cell but heat
HANDLE: Final = TOUCH.bit_length() - 1  # so far a bit of TOUCH is shifted for the first colour
MOST_HOT: Final = 64

# The entries of `plan`: what a triangle of the piece counts, covering a cell to which a foe just began to
# attach (twice if it is one's own, too), and chance; how many moves are JUST; and whether good REPLIES are
# tried first.
TRIANGLE, DENY, NOISE, JUST, REPLIES = range(5)

SIZES: Final = SIZE[PIECE]  # by shape
MOST_CHANCE: Final = 1023

# The largest of n random numbers from 0 to 1 is the n-th root of one: e to the power of its logarithm by n.
# Both from tables: RARITY has the logarithms of so many numbers, counted in GRAINS, and LUCK the powers.
GRAINS: Final = 256
RARITY: Final = (-GRAINS * np.log((np.arange(1024) + 0.5) / 1024)).astype(np.float32)
LUCK: Final = (MOST_CHANCE * np.exp(-(np.arange(RARITY.max() + 1) + 0.5) / GRAINS)).round().astype(np.int16)


class Heat(NamedTuple):
    """Room for what a playout remembers.

    line, who     the last moves before the simulation, LYING of them, then its own, LENGTH in all, and who
                  played them; both numbers are in `length`
    cells         the hot ones, and `blocks`: moves that cover some, and how hot what each has `covered` is
    replies       the last good ones of a colour to two moves and to one, with what they reply to; of those on
                  the same slot the last
    """

    line: Numbers
    who: Numbers
    length: Numbers
    cells: Numbers
    blocks: NDArray[np.int32]
    covered: NDArray[np.int8]
    replies: Numbers


@compiled
def heat() -> Heat:
    """Nothing happened yet."""
    return Heat(
        np.zeros(LONGEST, np.int64),
        np.zeros(LONGEST, np.int64),
        np.zeros(2, np.int64),
        np.zeros(MOST_HOT, np.int64),
        np.zeros(2 * MOST_MOVES, np.int32),
        np.zeros(2 * MOST_MOVES, np.int8),
        np.zeros(SLOTS, np.int64),
    )


def unlearn(heat: Heat) -> None:
    """Forget all good replies."""
    heat.replies[:] = 0


def recall(heat: Heat, moves: Sequence[tuple[int, int]]) -> None:
    """Begin simulations after some moves of the game itself, each with its colour."""
    heat.length[LYING] = len(moves)
    for at, (colour, move) in enumerate(moves):
        heat.who[at], heat.line[at] = colour, move


@lean
def _slot(colour: int, before: int, last: int) -> int:
    """Where the reply to two moves is kept; to the last alone if there is none before."""
    return (last * 2654435761 + before * 2654404609 + colour * 7919) >> 7 & (SLOTS - 1)


@lean
def reply(heat: Heat, position: Position, colour: int) -> int:
    """What last did well in answer to the last two moves, or to the last; -1 if nothing, or not legal."""
    length = heat.length[LENGTH]
    for known in range(min(length, 2), 0, -1):
        last, before = heat.line[length - 1], heat.line[length - 2] if known == 2 else 0
        entry = heat.replies[nth(_slot(colour, before, last))]
        move = entry & (1 << MOVE_BITS) - 1
        if move and entry >> MOVE_BITS == before << MOVE_BITS | last and playable(position, colour, move):
            return int(move)
    return -1


@lean
def remember(heat: Heat, rewards: NDArray[np.float64]) -> None:
    """Keep the replies of those who did well in a simulation, and forget the same ones of the others."""
    usual = rewards.mean()
    for at in range(max(1, heat.length[LYING]), heat.length[LENGTH]):
        colour, move, last = heat.who[at], heat.line[at], heat.line[at - 1]
        for known in range(1, min(at, 2) + 1):
            before = heat.line[at - 2] if known == 2 else 0
            slot, entry = nth(_slot(colour, before, last)), (before << MOVE_BITS | last) << MOVE_BITS | move
            if rewards[colour] > usual:
                heat.replies[slot] = entry
            elif heat.replies[slot] == entry:
                heat.replies[slot] = 0


@lean
def note(heat: Heat, colour: int, move: int) -> None:
    """A colour has played a move."""
    heat.line[heat.length[LENGTH]], heat.who[heat.length[LENGTH]] = move, colour
    heat.length[LENGTH] += 1


@lean
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
            closed, touched = mark & (CLOSED << who | CLOSED << colour), mark & TOUCH << who
            new = int((closed == 0) & (touched != 0) & (mark <= COOL))  # not asked, as in `_gain`
            marks[nth(cell)] = mark | new << (mark >> HANDLE + colour & 1) + HOT
            heat.cells[nth(count)] = cell
            count += new
            index += 1
    return count


@lean
def chance(move: int, salt: int) -> int:
    """A number from 0 to MOST_CHANCE, as if drawn for this move alone: bits from the middle of a product."""
    return move * salt >> 20 & MOST_CHANCE


@lean
def covered_heat(marks: NDArray[np.uint32], move: int) -> int:
    """The heat of the cells that a move covers."""
    shape, lowest = move >> SHIFT, move & LOWEST
    six = SIX[nth(shape)]
    total = int(marks[nth(lowest + six[0])] >> nth(HOT)) * (SIZES[nth(shape)] - LARGEST + 1)
    for index in range(1, LARGEST):  # a smaller piece has its lowest cell several times in `six`
        total += int(marks[nth(lowest + six[nth(index)])] >> nth(HOT))
    return int(total)


@lean
def pick(
    position: Position,
    left: Left,
    colour: int,
    foes: int,
    plan: Numbers,
    heat: Heat,
    random: NDArray[np.uint64],
) -> int:
    """A move that blocks or is large, or -1 if there is none; a colour without pieces attaches to starts.

    Each counts its triangles, the heat that it covers, and chance. First those that cover any; of the others
    only size counts.
    """
    triangle, deny, noise = plan[TRIANGLE] << 10, plan[DENY] << 10, plan[NOISE]
    few = left.few.used[0] > 0
    if few and not catch_up(position, left.few, colour):
        return -1
    hot, best, chosen = _warm(position, colour, foes, plan[JUST], heat), -1, -1
    if hot:
        salt = random_number(random, 1 << 30) << 1 | 1
        if few:
            number = _blocks_few(position, left.few, colour, heat, hot)
        else:
            number = _blocks(position, left.places, colour, foes, plan[JUST], heat)
        for index in range(number):
            move, covered = int(heat.blocks[nth(index)]), int(heat.covered[nth(index)])
            value = triangle * SIZES[nth(move >> SHIFT)] + deny * covered + noise * chance(move, salt)
            if value > best:
                best, chosen = value, move
        for index in range(hot):
            position.marks[heat.cells[index]] &= COOL
        if best >= triangle * LARGEST + noise * MOST_CHANCE:
            return chosen
    return _pick_large(left, colour, triangle, noise, best, chosen, random)


@lean
def _blocks(position: Position, places: Places, colour: int, foes: int, just: int, heat: Heat) -> int:
    """List the moves that cover hot cells, some perhaps twice, around what foes just laid; how many."""
    fits, meets, left = places.fits[colour], places.meets[colour], places.left[colour]
    number = 0
    for at in range(max(0, heat.length[LENGTH] - just), heat.length[LENGTH]):
        if not foes >> heat.who[at] & 1:
            continue
        shape, home = nth(heat.line[at] >> SHIFT), (heat.line[at] & LOWEST) // 2 * KINDS
        for index in range(GAIN_FROM[shape], GAIN_FROM[shape + ONE]):
            word = home + GAIN_AT[nth(index)]
            found = GAINS[nth(index)] & fits[nth(word)] & meets[nth(word)]
            if found:
                found &= left[nth(GAIN_KIND[nth(index)])]
            while found:
                move = move_at(word, trailing_zeros(found))
                covered = covered_heat(position.marks, move)
                heat.blocks[nth(number)], heat.covered[nth(number)] = move, covered
                found &= found - ONE
                number += covered > 0
    return number


@lean
def _blocks_few(position: Position, few: Few, colour: int, heat: Heat, hot: int) -> int:
    """List the moves that cover hot cells; how many."""
    number, fits, meets = 0, few.fits, few.meets
    for index in range(hot):
        cell = nth(heat.cells[nth(index)])
        begin, row, span = nth(few.first[colour, cell]), few.through[colour, cell], few.span[colour, cell]
        some, warmth = nth(0), int(position.marks[cell] >> nth(HOT))
        for word in range(span):
            some |= row[nth(word)] & fits[begin + nth(word)] & meets[begin + nth(word)]
        if not some:
            continue
        for word in range(span):
            found = row[nth(word)] & fits[begin + nth(word)] & meets[begin + nth(word)]
            while found:
                place = (begin + nth(word)) * nth(WORD) + nth(trailing_zeros(found))
                heat.blocks[nth(number)] = place
                number += few.heat[place] == 0
                few.heat[place] += warmth
                found &= found - ONE
    for index in range(number):
        place = nth(heat.blocks[nth(index)])
        heat.blocks[nth(index)], heat.covered[nth(index)] = few.move[place], few.heat[place]
        few.heat[place] = 0
    return number


@lean
def _luckiest(count: int, random: NDArray[np.uint64]) -> int:
    """The largest of so many random numbers from 0 to MOST_CHANCE."""
    rarity = RARITY[nth(random_number(random, len(RARITY)))]
    return int(LUCK[nth(rarity / np.float32(count))])


@lean
def _pick_large(
    left: Left, colour: int, triangle: int, noise: int, best: int, chosen: int, random: NDArray[np.uint64]
) -> int:
    """A move that counts more than the best so far by its triangles and chance; that one if there is none.

    Of the moves of a size the luckiest counts, and each is as likely to be that: so there is a number to draw
    for a size, and not for a move.
    """
    few, size, equal = left.few.used[0] > 0, 0, 0
    words = 0 if few else find(left.places, colour)
    for each in range(LARGEST, 0, -1):
        if best >= triangle * each + noise * MOST_CHANCE:
            break
        count = _count_few(left.few, colour, each) if few else _count(left.places, colour, words, each)
        if count:
            value = triangle * each + noise * _luckiest(count, random)
            if value > best:
                best, size, equal = value, each, count
    if not equal:
        return chosen
    skip = random_number(random, equal)
    return _nth_few(left.few, colour, size, skip) if few else _nth(left.places, colour, words, size, skip)


@lean
def _count(places: Places, colour: int, number: int, size: int) -> int:
    """How many moves of a size are in so many words that were found."""
    count, masks, words = 0, OF_SIZE[size], places.words[colour]
    for index in range(number):
        count += bits_set(places.found[nth(index)] & masks[words[nth(index)] % nth(KINDS)])
    return count


@lean
def _nth(places: Places, colour: int, number: int, size: int, skip: int) -> int:
    """One of the moves that `_count` counts, after so many others."""
    masks, words = OF_SIZE[size], places.words[colour]
    for index in range(number):
        word = words[nth(index)]
        found = places.found[nth(index)] & masks[word % nth(KINDS)]
        count = bits_set(found)
        if skip < count:
            return move_at(word, _nth_bit(found, skip))
        skip -= count
    return -1


@lean
def _count_few(few: Few, colour: int, size: int) -> int:
    """How many moves of a size a colour has, numbered."""
    return _count_words(few, few.large[nth(size)], few.begin[colour], few.begin[colour + 1])


@lean
def _nth_few(few: Few, colour: int, size: int, skip: int) -> int:
    """One of the moves that `_count_few` counts, after so many others: in large steps, then in small ones."""
    large, word, end = few.large[nth(size)], few.begin[colour], few.begin[colour + 1]
    while end - word > AT_ONCE:
        count = _count_words(few, large, word, word + AT_ONCE)
        if skip < count:
            break
        skip -= count
        word += AT_ONCE
    while True:
        found = few.fits[nth(word)] & few.meets[nth(word)] & large[nth(word)]
        count = bits_set(found)
        if skip < count:
            return int(few.move[nth(word * WORD + _nth_bit(found, skip))])
        skip -= count
        word += 1


@lean
def _count_words(few: Few, large: NDArray[np.uint64], begin: int, end: int) -> int:
    """How many moves of a size are in some words."""
    count, fits, meets = 0, few.fits, few.meets
    for word in range(begin, end):
        count += bits_set(fits[nth(word)] & meets[nth(word)] & large[nth(word)])
    return count


@lean
def _nth_bit(word: np.uint64, skip: int) -> int:
    """The number of a bit that is set, after so many others."""
    for _ in range(skip):
        word &= word - ONE
    return trailing_zeros(word)


@lean
def play_on(
    position: Position,
    left: Left,
    turn: int,
    sides: Numbers,
    plan: Numbers,
    heat: Heat,
    most_moves: int,
    random: NDArray[np.uint64],
) -> int:
    """Play on for some moves; who is to move then, or OVER if that was the end."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    foes = 0  # four bits a colour
    for colour in range(4):
        for other in range(4):
            if sides[other] != sides[colour] and position.rules[IN_PLAY] >> other & 1:
                foes |= 1 << colour * 4 + other
    while out != FOR_ALL:
        if not out >> turn & 1:
            if most_moves == 0:
                position.rules[OUT] = out
                return turn
            most_moves -= 1
            if position.tally[LEFT, turn] == ALL:
                start_places(position, left.places, turn)
            move = reply(heat, position, turn) if plan[REPLIES] else -1
            if move < 0:
                move = pick(position, left, turn, foes >> turn * 4 & FOR_ALL, plan, heat, random)
            if move < 0:
                out |= 1 << turn
            else:
                take(position, left, turn, move)
                note(heat, turn, move)
        turn = (turn + 1) & 3
    position.rules[OUT] = out
    return OVER
