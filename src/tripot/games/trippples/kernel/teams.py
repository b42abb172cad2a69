"""The team game of four players, solved exactly, compiled by Numba for the engine.

Turning the table by two seats changes nothing, so of the seat to move only the team matters. A
position is a number with 64 squares to a digit: the team to move, then the pawns in playing order
from the seat to move on: own, following, partner, last. A set of squares is a 64-bit word.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_cached
from tripot.games.trippples.board import ALL_DIRECTIONS, NEIGHBOURS, SQUARES
from tripot.games.trippples.kernel.solver import DIRECTION_OFFSET, Int16Array, Layout

WORD_COUNT: Final = 2 * SQUARES**3
TYPICAL_DEPTH: Final = 50  # plies at which `TeamSolver.progress` is one half
ONE: Final = np.uint64(1)
NONE: Final = np.uint64(0)
PRIME: Final = np.uint64(67)
LOG2_MOD_67: Final = np.zeros(67, np.int64)  # the powers of two leave different rests by 67
for _square in range(SQUARES):
    LOG2_MOD_67[2**_square % 67] = _square
# By direction: the squares that it leads to, and how to shift them to where it leads from.
DIRECTION_TARGETS: Final = np.array(
    [sum(1 << to for to in way if to >= 0) for way in zip(*NEIGHBOURS, strict=True)], np.uint64
)
LEFT: Final = np.maximum(-DIRECTION_OFFSET, 0).astype(np.uint64)
RIGHT: Final = np.maximum(DIRECTION_OFFSET, 0).astype(np.uint64)


class TeamTables(NamedTuple):
    """What is known of four-player positions, as sets of squares by the other digits.

    by_own   [0 lost, 1 won; team, following, partner, last]: where the pawn to move is
    by_last  [0 lost, 1 won; team, own, following, partner]: where the last pawn is
    stuck    as by_own: the seat to move cannot (TP-4)
    open     as by_own: it can, and neither a win nor a loss is known
    dirty  as by_own: more has become known of what they lead to

    All moves of a position lead into one word of by_last, and all positions of a word of by_own
    lead into the same one: a few shifts try 64 positions at a time.
    """

    by_own: NDArray[np.uint64]
    by_last: NDArray[np.uint64]
    stuck: NDArray[np.uint64]
    open: NDArray[np.uint64]
    dirty: NDArray[np.bool_]


def team_position(pawns: bytes, turn: int) -> int:
    """The number of a four-player position."""
    own, following, partner, last = (pawns[(turn + later) % 4] for later in range(4))
    return (((turn % 2 * 64 + own) * 64 + following) * 64 + partner) * 64 + last


class TeamSolver:
    """TP-13: the solution of one four-player layout by retrograde analysis, one ply at a time.

    It can be interrupted after any sweep and continued later. Several threads may use one solver: each sweep
    runs under a lock, so threads that need the same solution share the work. The table takes 64 MB, and the
    working memory 25 MB until it is complete.
    """

    def __init__(self, layout: Layout, freeze_wins: bool) -> None:
        self._layout = layout
        self._freeze_wins = freeze_wins
        self._lock = Lock()
        self._tables: TeamTables | None = None
        self._plies = np.zeros(WORD_COUNT * SQUARES, np.int16)
        self.depth = 0
        """All wins and losses within this number of plies are known."""
        self.is_complete = False
        """Whether all wins and losses are known, so that all other positions are drawn."""

    @property
    def progress(self) -> float:
        """A guess of the share that is done, 0.0 to 1.0: the largest distance is not known before the end."""
        return 1.0 if self.is_complete else self.depth / (self.depth + TYPICAL_DEPTH)

    def advance(self) -> None:
        """Find the wins and losses that are one ply farther away, unless the solution is complete."""
        with self._lock:
            if self.is_complete:
                return
            if self._tables is None:
                self._tables = _new_tables(self._layout)
                if self._freeze_wins:
                    _mark_frozen(self._tables)
            if _sweep(self._layout, self._tables, self._plies, self.depth + 1):
                self.depth += 1
            else:
                self.is_complete, self._tables = True, None

    def plies_to_end(self, position: int) -> int:
        """The plies to the win or, below 0, to the loss of the team to move; 0 if neither is known."""
        with self._lock:
            return int(self._plies[position])

    def table(self) -> Int16Array:
        """The plies of all positions, int16[2 * 64**4] by `team_position`; changes until it is complete."""
        return self._plies


def solve_teams(
    layout: Layout, called: bool, progress: Callable[[float], object] = lambda _done: None
) -> Int16Array:
    """TP-13: every position of four players under perfect play, as `solve`, by `team_position`.

    Takes seconds, not milliseconds: a win may be hundreds of plies away.
    """
    solver = TeamSolver(layout, called)
    while not solver.is_complete:
        solver.advance()
        progress(solver.progress)
    return solver.table()


@njit_cached
def _word(team: int, one: int, two: int, three: int) -> int:
    return ((team * 64 + one) * 64 + two) * 64 + three


@njit_cached
def _bit(square: int) -> np.uint64:
    return ONE << np.uint64(square)


@njit_cached
def _lowest_square(squares: np.uint64) -> int:
    square: int = LOG2_MOD_67[(squares & ~(squares - ONE)) % PRIME]
    return square


@njit_cached
def _mask_of_row(row: Int16Array) -> np.uint64:
    """Where a row of a layout is not 0."""
    squares = NONE
    for square in range(SQUARES):
        if row[square]:
            squares |= _bit(square)
    return squares


@njit_cached
def _source_squares(
    layout: Layout, following: int, last: int, targets: np.uint64, neutral: np.uint64
) -> np.uint64:
    """TP-13: from where the arrows under either opposing pawn lead to any of the targets.

    Any direction does while neither shows one, and (TP-6) from neutral squares.
    """
    arrows = 0
    for opponent in (following, last):
        arrows |= layout.arrows[opponent] if layout.arrows[opponent] != ALL_DIRECTIONS else 0
    sources = NONE
    for bit in range(8):
        led = (targets & DIRECTION_TARGETS[bit]) << LEFT[bit] >> RIGHT[bit]
        sources |= led if arrows == 0 or arrows >> bit & 1 else led & neutral
    return sources


@njit_cached
def _new_tables(layout: Layout) -> TeamTables:
    """All that can move are open; a square holds one pawn, only a start both of its team."""
    by_own, by_last = np.zeros((2, WORD_COUNT), np.uint64), np.zeros((2, WORD_COUNT), np.uint64)
    stuck, open_ = np.zeros(WORD_COUNT, np.uint64), np.zeros(WORD_COUNT, np.uint64)
    neutral = _mask_of_row(layout.neutral)
    stands = (_mask_of_row(layout.can_stand[0]), _mask_of_row(layout.can_stand[1]))
    enters = (_mask_of_row(layout.entries[0]), _mask_of_row(layout.entries[1]))
    for word in range(WORD_COUNT):
        team, following, partner, last = word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63
        if (following == last and last != layout.starts[1 - team]) or partner in (following, last):
            continue
        opponents = _bit(following) | _bit(last)
        if opponents & ~stands[1 - team] or _bit(partner) & ~stands[team]:
            continue
        own = stands[team] & ~opponents
        if partner != layout.starts[team]:
            own &= ~_bit(partner)
        free = enters[team] & ~opponents & ~_bit(partner)
        open_[word] = own & _source_squares(layout, following, last, free, neutral)
        stuck[word] = own & ~open_[word]
    return TeamTables(by_own, by_last, stuck, open_, open_ != NONE)


@njit_cached
def _mark_frozen(known: TeamTables) -> None:
    """TP-8: where nobody can move, the first in line has lost to the one who moved before him."""
    for word in range(WORD_COUNT):
        team, following, partner, last = word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63
        squares = known.stuck[word]
        while squares:
            own = _lowest_square(squares)
            squares &= squares - ONE
            if (
                known.stuck[_word(1 - team, partner, last, own)] & _bit(following)
                and known.stuck[_word(team, last, own, following)] & _bit(partner)
                and known.stuck[_word(1 - team, own, following, partner)] & _bit(last)
            ):
                known.by_own[0, word] |= _bit(own)
                known.by_last[0, _word(team, own, following, partner)] |= _bit(last)


@njit_cached
def _sweep(layout: Layout, known: TeamTables, plies: Int16Array, distance: int) -> int:
    """Find all that is decided by what is known, and only then note it; how many words had some."""
    words, wins, losses = (
        np.empty(WORD_COUNT, np.int64),
        np.empty(WORD_COUNT, np.uint64),
        np.empty(WORD_COUNT, np.uint64),
    )
    enters = (_mask_of_row(layout.entries[0]), _mask_of_row(layout.entries[1]))
    neutral = _mask_of_row(layout.neutral)
    count = 0
    for word in range(WORD_COUNT):
        if not known.dirty[word]:
            continue
        known.dirty[word] = False
        team, following, partner, last = word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63
        free = enters[team] & ~(_bit(following) | _bit(partner) | _bit(last))
        again = neutral & ~known.stuck[word]  # TP-6: there the same pawn moves on
        after = _word(1 - team, following, partner, last)
        good = (known.by_last[0, after] & ~again) | (known.by_own[1, word] & again)
        bad = (known.by_last[1, after] & ~again) | (known.by_own[0, word] & again)
        good |= _bit(layout.finishes[team])
        won = known.open[word] & _source_squares(layout, following, last, free & good, neutral)
        lost = known.open[word] & ~_source_squares(layout, following, last, free & ~bad, neutral)
        known.open[word] &= ~(won | lost)
        if won | lost:
            words[count], wins[count], losses[count] = word, won, lost
            count += 1
    for index in range(count):
        _mark_decided(layout, known, plies, words[index], wins[index], 1, distance)
        _mark_decided(layout, known, plies, words[index], losses[index], 0, distance)
    return count


@njit_cached
def _mark_decided(
    layout: Layout,
    known: TeamTables,
    plies: Int16Array,
    word: int,
    squares: np.uint64,
    won: int,
    distance: int,
) -> None:
    """Note positions of a word, and with them those where a stuck seat is skipped to them (TP-4)."""
    while squares:
        team, following, partner, last = word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63
        own, value = _lowest_square(squares), won
        squares &= squares - ONE
        plies[_word(team, own, following, partner) * 64 + last] = distance if won else -distance
        while True:
            by_own, by_last = _word(team, following, partner, last), _word(team, own, following, partner)
            known.by_own[value, by_own] |= _bit(own)
            known.by_last[value, by_last] |= _bit(last)
            known.dirty[by_last ^ SQUARES**3] = True  # the team before leads there
            if layout.neutral[own]:
                known.dirty[by_own] = True
            team, own, following, partner, last, value = 1 - team, last, own, following, partner, 1 - value
            if not known.stuck[_word(team, following, partner, last)] & _bit(own):
                break
