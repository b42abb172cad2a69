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

from tripot.engine.bits import popcount, trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trigon.kernel.compact_bits import (
    MAX_PIECE_SIZE,
    SIMD_WORDS,
    AvailableMoves,
    CompactBits,
    apply_pending,
    play_move,
)
from tripot.games.trigon.kernel.placement_bits import (
    NEW_ATTACH_MASK,
    NEW_ATTACH_SLOT,
    NEW_ATTACH_START,
    NEW_ATTACH_WORD,
    ONE,
    SIZE_BITS,
    WORD_BITS,
    WORDS_PER_CELL_PAIR,
    PlacementBits,
    attach_start_placements,
    collect_legal_words,
    move_of_bit,
)
from tripot.games.trigon.kernel.position import (
    ALL_COLOURS,
    ALL_PIECES,
    ANCHOR_MASK,
    ATTACH,
    BLOCKED,
    COVERED_OFFSETS_6,
    END_OF_OFFSETS,
    FORBIDDEN,
    IN_PLAY,
    LOCAL_SHIFT,
    MAX_MOVES,
    PIECE_OF_SHAPE,
    PIECES_LEFT,
    SHAPE_SHIFT,
    SIZE_OF_PIECE,
    VERTEX_OFFSETS,
    Int64Array,
    Position,
    is_legal,
    u64,
    xorshift64_below,
)

GAME_OVER: Final = -1  # instead of the colour to move
MAX_HISTORY: Final = 4 * len(SIZE_OF_PIECE) + 4  # moves of a game, and some before
HISTORY_END, HISTORY_ROOT = range(2)
MOVE_BITS: Final = SHAPE_SHIFT + 8
REPLY_SLOTS: Final = 1 << 15  # few enough for the processor to keep at hand
FLAGS_MASK: Final = (1 << LOCAL_SHIFT) - 1  # all marks of a cell but heat
ATTACH_SHIFT: Final = ATTACH.bit_length() - 1  # so far a bit of TOUCH is shifted for the first colour
MAX_LOCAL_CELLS: Final = 64

# The entries of `plan`: what a triangle of the piece counts, covering a cell to which a foe just began to
# attach (twice if it is one's own, too), and chance; how many moves are JUST; and whether good REPLIES are
# tried first.
size_weight, local_weight, noise_weight, local_history, use_replies = range(5)

SIZE_OF_SHAPE: Final = SIZE_OF_PIECE[PIECE_OF_SHAPE]  # by shape
MAX_NOISE: Final = 1023

# The largest of n random numbers from 0 to 1 is the n-th root of one: e to the power of its logarithm by n.
# Both from tables: RARITY has the logarithms of so many numbers, counted in GRAINS, and LUCK the powers.
LOG_STEPS: Final = 256
NEG_LOG_TABLE: Final = (-LOG_STEPS * np.log((np.arange(1024) + 0.5) / 1024)).astype(np.float32)
NOISE_QUANTILE_TABLE: Final = (
    (MAX_NOISE * np.exp(-(np.arange(NEG_LOG_TABLE.max() + 1) + 0.5) / LOG_STEPS)).round().astype(np.int16)
)


class PlayoutState(NamedTuple):
    """Room for what a playout remembers.

    history_moves, history_colours  the last moves before the simulation, LYING of them, then its own, LENGTH
                                    in all, and who
                  played them; both numbers are in `history_length`
    local_cells  the hot ones, and `local_moves`: moves that cover some, and how hot what each has
                 `local_counts` is
    good_replies  the last good ones of a colour to two moves and to one, with what they reply to; of those on
                  the same slot the last
    """

    history_moves: Int64Array
    history_colours: Int64Array
    history_length: Int64Array
    local_cells: Int64Array
    local_moves: NDArray[np.int32]
    local_counts: NDArray[np.int8]
    good_replies: Int64Array


@njit_cached
def new_playout_state() -> PlayoutState:
    """Nothing happened yet."""
    return PlayoutState(
        np.zeros(MAX_HISTORY, np.int64),
        np.zeros(MAX_HISTORY, np.int64),
        np.zeros(2, np.int64),
        np.zeros(MAX_LOCAL_CELLS, np.int64),
        np.zeros(2 * MAX_MOVES, np.int32),
        np.zeros(2 * MAX_MOVES, np.int8),
        np.zeros(REPLY_SLOTS, np.int64),
    )


def clear_replies(heat: PlayoutState) -> None:
    """Forget all good replies."""
    heat.good_replies[:] = 0


def set_history(heat: PlayoutState, moves: Sequence[tuple[int, int]]) -> None:
    """Begin simulations after some moves of the game itself, each with its colour."""
    heat.history_length[HISTORY_ROOT] = len(moves)
    for at, (colour, move) in enumerate(moves):
        heat.history_colours[at], heat.history_moves[at] = colour, move


@njit_no_nrt
def _reply_slot(colour: int, before: int, last: int) -> int:
    """Where the reply to two moves is kept; to the last alone if there is none before."""
    return (last * 2654435761 + before * 2654404609 + colour * 7919) >> 7 & (REPLY_SLOTS - 1)


@njit_no_nrt
def last_good_reply(heat: PlayoutState, position: Position, colour: int) -> int:
    """What last did well in answer to the last two moves, or to the last; -1 if nothing, or not legal."""
    length = heat.history_length[HISTORY_END]
    for known in range(min(length, 2), 0, -1):
        last, before = heat.history_moves[length - 1], heat.history_moves[length - 2] if known == 2 else 0
        entry = heat.good_replies[u64(_reply_slot(colour, before, last))]
        move = entry & (1 << MOVE_BITS) - 1
        if move and entry >> MOVE_BITS == before << MOVE_BITS | last and is_legal(position, colour, move):
            return int(move)
    return -1


@njit_no_nrt
def update_replies(heat: PlayoutState, rewards: NDArray[np.float64]) -> None:
    """Keep the replies of those who did well in a simulation, and forget the same ones of the others."""
    usual = rewards.mean()
    for at in range(max(1, heat.history_length[HISTORY_ROOT]), heat.history_length[HISTORY_END]):
        colour, move, last = heat.history_colours[at], heat.history_moves[at], heat.history_moves[at - 1]
        for known in range(1, min(at, 2) + 1):
            before = heat.history_moves[at - 2] if known == 2 else 0
            slot, entry = (
                u64(_reply_slot(colour, before, last)),
                (before << MOVE_BITS | last) << MOVE_BITS | move,
            )
            if rewards[colour] > usual:
                heat.good_replies[slot] = entry
            elif heat.good_replies[slot] == entry:
                heat.good_replies[slot] = 0


@njit_no_nrt
def append_history(heat: PlayoutState, colour: int, move: int) -> None:
    """A colour has played a move."""
    (
        heat.history_moves[heat.history_length[HISTORY_END]],
        heat.history_colours[heat.history_length[HISTORY_END]],
    ) = move, colour
    heat.history_length[HISTORY_END] += 1


@njit_no_nrt
def _mark_local_cells(position: Position, colour: int, foes: int, just: int, heat: PlayoutState) -> int:
    """Mark the cells to which foes of a colour attach by the last moves; how many."""
    marks, count = position.cell_flags, 0
    for at in range(max(0, heat.history_length[HISTORY_END] - just), heat.history_length[HISTORY_END]):
        who = heat.history_colours[at]
        if not foes >> who & 1:
            continue
        shape, lowest, index = heat.history_moves[at] >> SHAPE_SHIFT, heat.history_moves[at] & ANCHOR_MASK, 0
        touches = VERTEX_OFFSETS[shape]
        while touches[u64(index)] != END_OF_OFFSETS:
            cell = lowest + touches[u64(index)]
            mark = int(marks[u64(cell)])
            closed, touched = mark & (FORBIDDEN << who | FORBIDDEN << colour), mark & ATTACH << who
            # Computed without branches, as in `_add_attached`.
            new = int((closed == 0) & (touched != 0) & (mark <= FLAGS_MASK))
            marks[u64(cell)] = mark | new << (mark >> ATTACH_SHIFT + colour & 1) + LOCAL_SHIFT
            heat.local_cells[u64(count)] = cell
            count += new
            index += 1
    return count


@njit_no_nrt
def move_noise(move: int, salt: int) -> int:
    """A number from 0 to MOST_CHANCE, as if drawn for this move alone: bits from the middle of a product."""
    return move * salt >> 20 & MAX_NOISE


@njit_no_nrt
def local_count(marks: NDArray[np.uint32], move: int) -> int:
    """The heat of the cells that a move covers."""
    shape, lowest = move >> SHAPE_SHIFT, move & ANCHOR_MASK
    six = COVERED_OFFSETS_6[u64(shape)]
    total = int(marks[u64(lowest + six[0])] >> u64(LOCAL_SHIFT)) * (
        SIZE_OF_SHAPE[u64(shape)] - MAX_PIECE_SIZE + 1
    )
    for index in range(1, MAX_PIECE_SIZE):  # a smaller piece has its lowest cell several times in `six`
        total += int(marks[u64(lowest + six[u64(index)])] >> u64(LOCAL_SHIFT))
    return int(total)


@njit_no_nrt
def pick_move(
    position: Position,
    left: AvailableMoves,
    colour: int,
    foes: int,
    plan: Int64Array,
    heat: PlayoutState,
    random: NDArray[np.uint64],
) -> int:
    """A move that blocks or is large, or -1 if there is none; a colour without pieces attaches to starts.

    Each counts its triangles, the heat that it covers, and chance. First those that cover any; of the others
    only size counts.
    """
    triangle, deny, noise = plan[size_weight] << 10, plan[local_weight] << 10, plan[noise_weight]
    few = left.compact.word_count[0] > 0
    if few and not apply_pending(position, left.compact, colour):
        return -1
    hot, best, chosen = _mark_local_cells(position, colour, foes, plan[local_history], heat), -1, -1
    if hot:
        salt = xorshift64_below(random, 1 << 30) << 1 | 1
        if few:
            number = _local_moves_compact(position, left.compact, colour, heat, hot)
        else:
            number = _local_moves(position, left.bits, colour, foes, plan[local_history], heat)
        for index in range(number):
            move, covered = int(heat.local_moves[u64(index)]), int(heat.local_counts[u64(index)])
            value = (
                triangle * SIZE_OF_SHAPE[u64(move >> SHAPE_SHIFT)]
                + deny * covered
                + noise * move_noise(move, salt)
            )
            if value > best:
                best, chosen = value, move
        for index in range(hot):
            position.cell_flags[heat.local_cells[index]] &= FLAGS_MASK
        if best >= triangle * MAX_PIECE_SIZE + noise * MAX_NOISE:
            return chosen
    return _pick_by_size(left, colour, triangle, noise, best, chosen, random)


@njit_no_nrt
def _local_moves(
    position: Position, places: PlacementBits, colour: int, foes: int, just: int, heat: PlayoutState
) -> int:
    """List the moves that cover hot cells, some perhaps twice, around what foes just laid; how many."""
    fits, meets, left = places.unblocked[colour], places.attached[colour], places.pieces_left[colour]
    number = 0
    for at in range(max(0, heat.history_length[HISTORY_END] - just), heat.history_length[HISTORY_END]):
        if not foes >> heat.history_colours[at] & 1:
            continue
        shape, home = (
            u64(heat.history_moves[at] >> SHAPE_SHIFT),
            (heat.history_moves[at] & ANCHOR_MASK) // 2 * WORDS_PER_CELL_PAIR,
        )
        for index in range(NEW_ATTACH_START[shape], NEW_ATTACH_START[shape + ONE]):
            word = home + NEW_ATTACH_WORD[u64(index)]
            found = NEW_ATTACH_MASK[u64(index)] & fits[u64(word)] & meets[u64(word)]
            if found:
                found &= left[u64(NEW_ATTACH_SLOT[u64(index)])]
            while found:
                move = move_of_bit(word, trailing_zeros(found))
                covered = local_count(position.cell_flags, move)
                heat.local_moves[u64(number)], heat.local_counts[u64(number)] = move, covered
                found &= found - ONE
                number += covered > 0
    return number


@njit_no_nrt
def _local_moves_compact(
    position: Position, few: CompactBits, colour: int, heat: PlayoutState, hot: int
) -> int:
    """List the moves that cover hot cells; how many."""
    number, fits, meets = 0, few.fits, few.meets
    for index in range(hot):
        cell = u64(heat.local_cells[u64(index)])
        begin, row, span = (
            u64(few.cell_first_word[colour, cell]),
            few.cell_masks[colour, cell],
            few.cell_word_count[colour, cell],
        )
        some, warmth = u64(0), int(position.cell_flags[cell] >> u64(LOCAL_SHIFT))
        for word in range(span):
            some |= row[u64(word)] & fits[begin + u64(word)] & meets[begin + u64(word)]
        if not some:
            continue
        for word in range(span):
            found = row[u64(word)] & fits[begin + u64(word)] & meets[begin + u64(word)]
            while found:
                place = (begin + u64(word)) * u64(WORD_BITS) + u64(trailing_zeros(found))
                heat.local_moves[u64(number)] = place
                number += few.local_counts[place] == 0
                few.local_counts[place] += warmth
                found &= found - ONE
    for index in range(number):
        place = u64(heat.local_moves[u64(index)])
        heat.local_moves[u64(index)], heat.local_counts[u64(index)] = few.move[place], few.local_counts[place]
        few.local_counts[place] = 0
    return number


@njit_no_nrt
def _max_noise(count: int, random: NDArray[np.uint64]) -> int:
    """The largest of so many random numbers from 0 to MOST_CHANCE."""
    rarity = NEG_LOG_TABLE[u64(xorshift64_below(random, len(NEG_LOG_TABLE)))]
    return int(NOISE_QUANTILE_TABLE[u64(rarity / np.float32(count))])


@njit_no_nrt
def _pick_by_size(
    left: AvailableMoves,
    colour: int,
    triangle: int,
    noise: int,
    best: int,
    chosen: int,
    random: NDArray[np.uint64],
) -> int:
    """A move that counts more than the best so far by its triangles and chance; that one if there is none.

    Of the moves of a size the luckiest counts, and each is as likely to be that: so there is a number to draw
    for a size, and not for a move.
    """
    few, size, equal = left.compact.word_count[0] > 0, 0, 0
    words = 0 if few else collect_legal_words(left.bits, colour)
    for each in range(MAX_PIECE_SIZE, 0, -1):
        if best >= triangle * each + noise * MAX_NOISE:
            break
        count = (
            _count_by_size_compact(left.compact, colour, each)
            if few
            else _count_by_size(left.bits, colour, words, each)
        )
        if count:
            value = triangle * each + noise * _max_noise(count, random)
            if value > best:
                best, size, equal = value, each, count
    if not equal:
        return chosen
    skip = xorshift64_below(random, equal)
    return (
        _select_by_size_compact(left.compact, colour, size, skip)
        if few
        else _select_by_size(left.bits, colour, words, size, skip)
    )


@njit_no_nrt
def _count_by_size(places: PlacementBits, colour: int, number: int, size: int) -> int:
    """How many moves of a size are in so many words that were found."""
    count, masks, words = 0, SIZE_BITS[size], places.active_words[colour]
    for index in range(number):
        count += popcount(
            places.legal_words[u64(index)] & masks[words[u64(index)] % u64(WORDS_PER_CELL_PAIR)]
        )
    return count


@njit_no_nrt
def _select_by_size(places: PlacementBits, colour: int, number: int, size: int, skip: int) -> int:
    """One of the moves that `_count_by_size` counts, after so many others."""
    masks, words = SIZE_BITS[size], places.active_words[colour]
    for index in range(number):
        word = words[u64(index)]
        found = places.legal_words[u64(index)] & masks[word % u64(WORDS_PER_CELL_PAIR)]
        count = popcount(found)
        if skip < count:
            return move_of_bit(word, _select_bit(found, skip))
        skip -= count
    return -1


@njit_no_nrt
def _count_by_size_compact(few: CompactBits, colour: int, size: int) -> int:
    """How many moves of a size a colour has, numbered."""
    return _count_words_by_size(
        few, few.size_masks[u64(size)], few.colour_start[colour], few.colour_start[colour + 1]
    )


@njit_no_nrt
def _select_by_size_compact(few: CompactBits, colour: int, size: int, skip: int) -> int:
    """Return the nth of the moves that `_count_by_size_compact` counts: first by words, then by bits."""
    large, word, end = few.size_masks[u64(size)], few.colour_start[colour], few.colour_start[colour + 1]
    while end - word > SIMD_WORDS:
        count = _count_words_by_size(few, large, word, word + SIMD_WORDS)
        if skip < count:
            break
        skip -= count
        word += SIMD_WORDS
    while True:
        found = few.fits[u64(word)] & few.meets[u64(word)] & large[u64(word)]
        count = popcount(found)
        if skip < count:
            return int(few.move[u64(word * WORD_BITS + _select_bit(found, skip))])
        skip -= count
        word += 1


@njit_no_nrt
def _count_words_by_size(few: CompactBits, large: NDArray[np.uint64], begin: int, end: int) -> int:
    """How many moves of a size are in some words."""
    count, fits, meets = 0, few.fits, few.meets
    for word in range(begin, end):
        count += popcount(fits[u64(word)] & meets[u64(word)] & large[u64(word)])
    return count


@njit_no_nrt
def _select_bit(word: np.uint64, skip: int) -> int:
    """The number of a bit that is set, after so many others."""
    for _ in range(skip):
        word &= word - ONE
    return trailing_zeros(word)


@njit_no_nrt
def run_playout(
    position: Position,
    left: AvailableMoves,
    turn: int,
    sides: Int64Array,
    plan: Int64Array,
    heat: PlayoutState,
    most_moves: int,
    random: NDArray[np.uint64],
) -> int:
    """Play on for some moves; who is to move then, or OVER if that was the end."""
    out = position.status[BLOCKED] | (ALL_COLOURS & ~position.status[IN_PLAY])
    foes = 0  # four bits a colour
    for colour in range(4):
        for other in range(4):
            if sides[other] != sides[colour] and position.status[IN_PLAY] >> other & 1:
                foes |= 1 << colour * 4 + other
    while out != ALL_COLOURS:
        if not out >> turn & 1:
            if most_moves == 0:
                position.status[BLOCKED] = out
                return turn
            most_moves -= 1
            if position.counters[PIECES_LEFT, turn] == ALL_PIECES:
                attach_start_placements(position, left.bits, turn)
            move = last_good_reply(heat, position, turn) if plan[use_replies] else -1
            if move < 0:
                move = pick_move(position, left, turn, foes >> turn * 4 & ALL_COLOURS, plan, heat, random)
            if move < 0:
                out |= 1 << turn
            else:
                play_move(position, left, turn, move)
                append_history(heat, turn, move)
        turn = (turn + 1) & 3
    position.status[BLOCKED] = out
    return GAME_OVER
