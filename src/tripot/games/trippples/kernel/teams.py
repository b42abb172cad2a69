"""The four-player game (TP-13), solved by retrograde analysis over sets of 64 positions.

Turning the table by two seats changes nothing, so only the team of the seat to move matters. A position is an
index below 2 * 64**4 with these digits in base 64: the team to move, then the squares of the pawns in playing
order from the seat to move on: `own`, `following`, `partner`, `last`.

A set of squares is a uint64 with one bit per square. A *word* is such a set together with the other digits of
a position: it stands for 64 positions that differ in one pawn. A word index is below `WORD_COUNT`.
"""

from __future__ import annotations

from threading import Lock
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.bits import trailing_zeros
from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.trippples.board import ALL_DIRECTIONS, NEIGHBOURS, SQUARES
from tripot.games.trippples.kernel.params import TEAM_SEARCH_PARAMS
from tripot.games.trippples.kernel.tables import DIRECTION_OFFSET, Int16Array, Layout

WORD_COUNT: Final = 2 * SQUARES**3
TEAM_BIT: Final = SQUARES**3  # the bit of a word index that holds the team
ONE: Final = np.uint64(1)
NO_SQUARES: Final = np.uint64(0)
LOST: Final = 0  # first index of `TeamTables.by_own` and `by_last`
WON: Final = 1

DIRECTION_TARGETS: Final = np.array(
    [sum(1 << target for target in targets if target >= 0) for targets in zip(*NEIGHBOURS, strict=True)],
    np.uint64,
)
"""uint64[8]: the squares that a step in each direction can end on."""

SHIFT_LEFT: Final = np.maximum(-DIRECTION_OFFSET, 0).astype(np.uint64)
SHIFT_RIGHT: Final = np.maximum(DIRECTION_OFFSET, 0).astype(np.uint64)
"""uint64[8]: the shifts that move a set of squares one step against each direction."""


class TeamTables(NamedTuple):
    """What is known of four-player positions, as sets of squares.

    by_own[2, WORD_COUNT]   uint64: LOST or WON; by team, following, partner, last: squares of the own pawn
    by_last[2, WORD_COUNT]  uint64: LOST or WON; by team, own, following, partner: squares of the last pawn
    stuck[WORD_COUNT]       uint64, indexed as by_own: the seat to move has no move (TP-4)
    undecided[WORD_COUNT]   uint64, indexed as by_own: it has a move, and neither a win nor a loss is known
    dirty[WORD_COUNT]       bool, indexed as by_own: a successor has been decided since the last sweep

    All moves of a position lead into one word of by_last, and all positions of one word of by_own lead into
    the same one. So a few shifts test 64 positions at a time. The price is that results are stored twice.
    """

    by_own: NDArray[np.uint64]
    by_last: NDArray[np.uint64]
    stuck: NDArray[np.uint64]
    undecided: NDArray[np.uint64]
    dirty: NDArray[np.bool_]


def team_position(pawns: bytes, turn: int) -> int:
    """Return the index of a four-player position."""
    own, following, partner, last = (pawns[(turn + later) % 4] for later in range(4))
    return (((turn % 2 * 64 + own) * 64 + following) * 64 + partner) * 64 + last


# --- The solver --------------------------------------------------------------------------------


class TeamSolver:
    """The solution of one layout by retrograde analysis, one ply at a time.

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
        """The estimated share that is done, 0.0 to 1.0. The largest distance is not known before the end."""
        return 1.0 if self.is_complete else self.depth / (self.depth + TEAM_SEARCH_PARAMS.typical_depth)

    def advance(self) -> None:
        """Find the wins and losses that are one ply farther away, unless the solution is complete."""
        with self._lock:
            if self.is_complete:
                return
            if self._tables is None:
                self._tables = new_tables(self._layout)
                if self._freeze_wins:
                    mark_frozen(self._tables)
            if sweep(self._layout, self._tables, self._plies, self.depth + 1):
                self.depth += 1
            else:
                self.is_complete, self._tables = True, None

    def plies_to_end(self, position: int) -> int:
        """The plies to the win or, below 0, to the loss of the team to move; 0 if neither is known."""
        with self._lock:
            return int(self._plies[position])

    @property
    def memory_bytes(self) -> int:
        """The memory of the arrays."""
        tables = self._tables or ()
        return self._plies.nbytes + sum(array.nbytes for array in tables)


# --- Words -------------------------------------------------------------------------------------


@njit_no_nrt
def _word(team: int, first: int, second: int, third: int) -> int:
    """Return the index of a word from a team and three squares."""
    return ((team * 64 + first) * 64 + second) * 64 + third


@njit_no_nrt
def _split_word(word: int) -> tuple[int, int, int, int]:
    """Return the team and the three squares of a word index."""
    return word >> 18, word >> 12 & 63, word >> 6 & 63, word & 63


@njit_no_nrt
def _bit(square: int) -> np.uint64:
    """Return the set that has one square only."""
    return ONE << np.uint64(square)


@njit_no_nrt
def _mask_of_row(row: Int16Array) -> np.uint64:
    """Return the set of squares where a row of a layout, int16[64], is not 0."""
    squares = NO_SQUARES
    for square in range(SQUARES):
        if row[square]:
            squares |= _bit(square)
    return squares


@njit_no_nrt
def _source_squares(
    layout: Layout, following: int, last: int, targets: np.uint64, neutral: np.uint64
) -> np.uint64:
    """TP-13: return the squares from which the arrows under either opposing pawn lead to any of the targets.

    All directions are allowed while neither of them shows an arrow, and from neutral squares (TP-6).
    """
    arrows = 0
    for opponent in (following, last):
        arrows |= layout.arrows[opponent] if layout.arrows[opponent] != ALL_DIRECTIONS else 0
    sources = NO_SQUARES
    for direction in range(8):
        origins = (targets & DIRECTION_TARGETS[direction]) << SHIFT_LEFT[direction] >> SHIFT_RIGHT[direction]
        sources |= origins if arrows == 0 or arrows >> direction & 1 else origins & neutral
    return sources


# --- Sweeps ------------------------------------------------------------------------------------


@njit_cached
def new_tables(layout: Layout) -> TeamTables:
    """Return tables in which every position that has a move is undecided.

    A square holds one pawn; only a start may hold both pawns of its team.
    """
    by_own, by_last = np.zeros((2, WORD_COUNT), np.uint64), np.zeros((2, WORD_COUNT), np.uint64)
    stuck, undecided = np.zeros(WORD_COUNT, np.uint64), np.zeros(WORD_COUNT, np.uint64)
    neutral = _mask_of_row(layout.neutral)
    can_stand = (_mask_of_row(layout.can_stand[0]), _mask_of_row(layout.can_stand[1]))
    can_enter = (_mask_of_row(layout.entries[0]), _mask_of_row(layout.entries[1]))
    for word in range(WORD_COUNT):
        team, following, partner, last = _split_word(word)
        if (following == last and last != layout.starts[1 - team]) or partner in (following, last):
            continue
        opponents = _bit(following) | _bit(last)
        if opponents & ~can_stand[1 - team] or _bit(partner) & ~can_stand[team]:
            continue
        own_squares = can_stand[team] & ~opponents
        if partner != layout.starts[team]:
            own_squares &= ~_bit(partner)
        targets = can_enter[team] & ~opponents & ~_bit(partner)
        undecided[word] = own_squares & _source_squares(layout, following, last, targets, neutral)
        stuck[word] = own_squares & ~undecided[word]
    return TeamTables(by_own, by_last, stuck, undecided, undecided != NO_SQUARES)


@njit_no_nrt
def mark_frozen(tables: TeamTables) -> None:
    """TP-8: where no pawn can move, the first seat in line has lost to the seat that moved before it."""
    for word in range(WORD_COUNT):
        team, following, partner, last = _split_word(word)
        squares = tables.stuck[word]
        while squares:
            own = trailing_zeros(squares)
            squares &= squares - ONE
            if (
                tables.stuck[_word(1 - team, partner, last, own)] & _bit(following)
                and tables.stuck[_word(team, last, own, following)] & _bit(partner)
                and tables.stuck[_word(1 - team, own, following, partner)] & _bit(last)
            ):
                tables.by_own[LOST, word] |= _bit(own)
                tables.by_last[LOST, _word(team, own, following, partner)] |= _bit(last)


@njit_cached
def sweep(layout: Layout, tables: TeamTables, plies: Int16Array, distance: int) -> int:
    """Decide all positions that are `distance` plies from the end, and return how many words had some.

    `plies`, int16[WORD_COUNT * 64] by position (`team_position`), gets their distances: below 0 for a loss.
    They are collected first and marked afterwards: otherwise a position could be decided by one at the same
    distance, and its own distance would be wrong.
    """
    words, wins, losses = (
        np.empty(WORD_COUNT, np.int64),
        np.empty(WORD_COUNT, np.uint64),
        np.empty(WORD_COUNT, np.uint64),
    )
    can_enter = (_mask_of_row(layout.entries[0]), _mask_of_row(layout.entries[1]))
    neutral = _mask_of_row(layout.neutral)
    count = 0
    for word in range(WORD_COUNT):
        if not tables.dirty[word]:
            continue
        tables.dirty[word] = False
        team, following, partner, last = _split_word(word)
        targets = can_enter[team] & ~(_bit(following) | _bit(partner) | _bit(last))
        moves_again = neutral & ~tables.stuck[word]  # TP-6: from there the same pawn moves again
        after = _word(1 - team, following, partner, last)
        winning = (tables.by_last[LOST, after] & ~moves_again) | (tables.by_own[WON, word] & moves_again)
        losing = (tables.by_last[WON, after] & ~moves_again) | (tables.by_own[LOST, word] & moves_again)
        winning |= _bit(layout.finishes[team])
        undecided = tables.undecided[word]
        won = undecided & _source_squares(layout, following, last, targets & winning, neutral)
        lost = undecided & ~_source_squares(layout, following, last, targets & ~losing, neutral)
        if won | lost:
            tables.undecided[word] = undecided & ~(won | lost)
            words[count], wins[count], losses[count] = word, won, lost
            count += 1
    for index in range(count):
        _mark_decided(layout, tables, plies, words[index], wins[index], WON, distance)
        _mark_decided(layout, tables, plies, words[index], losses[index], LOST, distance)
    return count


@njit_no_nrt
def _mark_decided(
    layout: Layout,
    tables: TeamTables,
    plies: Int16Array,
    word: int,
    squares: np.uint64,
    result: int,
    distance: int,
) -> None:
    """Store the result, LOST or WON, of some positions of a word.

    Positions in which a stuck seat is skipped (TP-4) and one of these is reached get their results too.
    """
    while squares:
        team, following, partner, last = _split_word(word)
        own, team_result = trailing_zeros(squares), result
        squares &= squares - ONE
        plies[_word(team, own, following, partner) * 64 + last] = distance if result == WON else -distance
        while True:
            by_own, by_last = _word(team, following, partner, last), _word(team, own, following, partner)
            tables.by_own[team_result, by_own] |= _bit(own)
            tables.by_last[team_result, by_last] |= _bit(last)
            tables.dirty[by_last ^ TEAM_BIT] = True  # positions of the seat before lead here
            if layout.neutral[own]:
                tables.dirty[by_own] = True
            team, own, following, partner, last = 1 - team, last, own, following, partner
            team_result = 1 - team_result
            if not tables.stuck[_word(team, following, partner, last)] & _bit(own):
                break
