"""The static evaluation of moves: equity in points, and the probability that a lead in points wins.

Equity is the points of a move plus the value of the tokens that stay on the rack (the leave), as in the
Scrabble program Quackle. Stronger levels also subtract what the move offers the next player. All values are
in points and come from self-play: see `train.py`.
"""

from __future__ import annotations

from math import erf, sqrt
from typing import Final, NamedTuple

import numpy as np

from tripot.engine.jit import njit_cached, njit_no_nrt
from tripot.games.triolet.board import HIDDEN_TOKEN, JOKER, MIN_BAG_TO_EXCHANGE, RACK_SIZE
from tripot.games.triolet.kernel.anchors import (
    ADJOINING_COUNT,
    ADJOINING_POINTS,
    CROSS_SET,
    Anchors,
    compute_anchors,
    is_anchor,
)
from tripot.games.triolet.kernel.moves import MAX_MOVES, Moves, Workspace, generate_moves
from tripot.games.triolet.kernel.position import (
    GamePosition,
    bag_left,
    place_tokens,
    remove_tokens,
    used_slots,
)
from tripot.games.triolet.kernel.tables import (
    EMPTY_SLOT,
    GRID_INDEX,
    IS_BIS,
    MULTIPLIER,
    Float64Array,
    Uint8Array,
    move_cell,
    move_size,
)
from tripot.games.triolet.scoring import TRIO_POINTS

# --- Parameters ----------------------------------------------------------------------------------


class ValueParams(NamedTuple):
    """The numbers of the evaluation. A tuple of floats, which Numba compiles into the kernels as constants.

    "Fitted" means that `python -m tripot.games.triolet.kernel.train` computes it from games of two in which
    the equity of moves decides.
    """

    reply_weight: float
    """Points that each point of the expected reply costs. Fitted: the slope of what the next player scored
    over what `expected_reply` predicted, so it also covers replies of two and three tokens."""
    extra_turn_value: float
    """Points that a bis square is worth, since the same seat plays again. Not fitted; how it was found is not
    recorded. An average turn scores 45 points (twice `tempo`)."""
    tempo: float
    """Points that it is worth to be the seat to play. Fitted: half of what an average turn scores."""
    lead_std: float
    """Standard deviation in points of how much a lead still changes, per square root of the number of tokens
    that are not on the board. Fitted: the lead is modelled as a random walk with one step per token."""
    points_per_token: float
    """Points that all seats together still score, per token in the bag and on the racks. Fitted to 10,000
    games with the leave values below. It is used for expected scores only, not to choose moves."""


VALUE_PARAMS: Final = ValueParams(
    reply_weight=1.1, extra_turn_value=30.0, tempo=22.7, lead_std=20.8, points_per_token=22.7
)

TOKEN_KINDS: Final = HIDDEN_TOKEN + 1
UNKNOWN_LEAVE: Final = TOKEN_KINDS * TOKEN_KINDS
LEAVE_ROWS: Final = (
    (-16,),
    (-13, -13),
    (-10, -12, -11),
    (-9, -9, -10, -12),
    (-9, -10, -10, -12, -13),
    (-9, -8, -9, -8, -10, -13),
    (-6, -6, -6, -8, -10, -8, -3),
    (-5, -5, -4, -6, -10, -8, -3, -3),
    (-5, -4, -4, -5, -7, -8, -1, -1, -6),
    (-5, -3, -4, -8, -8, -5, -1, -8, -7, -8),
    (-2, -3, -3, -5, -6, -4, -6, -6, -8, -8, -9),
    (-5, -3, -5, -7, -8, -9, -8, -6, -7, -8, -10, -12),
    (-5, -7, -4, -6, -10, -9, -6, -7, -6, -7, -8, -10, -12),
    (-4, -6, -7, -9, -10, -8, -7, -7, -6, -8, -8, -12, -12, -16),
    (-6, -7, -11, -11, -11, -11, -8, -8, -7, -8, -10, -12, -12, -16, -13),
    (-7, -12, -12, -11, -12, -10, -9, -8, -8, -9, -9, -13, -13, -17, -20, -18),
    (15, 14, 15, 12, 9, 11, 15, 14, 17, 16, 16, 14, 16, 13, 12, 9, 28),
    (0, 1, 1, 0, -4, -2, 5, 5, 6, 5, 4, 1, 2, 1, -1, -4, 23, 3),
)
"""The value in points of two tokens kept, fitted by `train.py`: one row for the higher token, one column for
the lower. Row 16 has a joker; the last row has one token kept, or none."""

LEAVE_VALUES: Final = np.zeros(UNKNOWN_LEAVE + 1, np.float64)
"""The same by `leave_index`, float64[UNKNOWN_LEAVE + 1]; the last element, 0, is for a leave that is not
known."""
for _higher, _row in enumerate(LEAVE_ROWS):
    LEAVE_VALUES[np.arange(len(_row), dtype=np.int64) * TOKEN_KINDS + _higher] = _row

# --- Equity --------------------------------------------------------------------------------------


@njit_no_nrt
def leave_index(rack: Uint8Array, slots: int) -> int:
    """Return the index in LEAVE_VALUES of the tokens that stay on a rack when some slots are emptied.

    It is lower * TOKEN_KINDS + higher, with HIDDEN_TOKEN for a missing token. Three tokens stay only when a
    seat passes, which is never a choice.
    """
    lower = higher = HIDDEN_TOKEN
    for slot in range(RACK_SIZE):
        if not slots >> slot & 1 and rack[slot] != EMPTY_SLOT:
            if lower == HIDDEN_TOKEN:
                lower = int(rack[slot])
            else:
                higher = int(rack[slot])
    return lower * TOKEN_KINDS + higher


@njit_no_nrt
def evaluate_moves(
    position: GamePosition, leaves: Float64Array, workspace: Workspace, moves: Moves, values: Float64Array
) -> tuple[int, int]:
    """List the moves of the seat to play with their equities, placements first, then exchanges.

    `leaves` is an array like LEAVE_VALUES; `values`, float64[MAX_MOVES], gets the equities in the order of
    the moves. With an empty bag the equity is the points alone. Returns how many moves there are, and how
    many of them are placements.
    """
    rack, bag = position.racks[position.turn[0]], bag_left(position)
    placements = generate_moves(position.grid, rack, workspace, moves)
    for index in range(placements):
        code = moves.codes[index]
        values[index] = moves.points[index]
        if bag:
            values[index] += leaves[leave_index(rack, used_slots(rack, code))]
            for token in range(move_size(code)):
                values[index] += VALUE_PARAMS.extra_turn_value * IS_BIS[move_cell(code, token)]
    count = placements
    if bag >= MIN_BAG_TO_EXCHANGE:
        for slots in range(1, 1 << RACK_SIZE):
            moves.codes[count], moves.points[count] = -slots, 0
            values[count] = leaves[leave_index(rack, slots)]
            count += 1
    return count, placements


# --- Expected reply ------------------------------------------------------------------------------


@njit_no_nrt
def _best_single_by_value(grid: Uint8Array, anchors: Anchors, best: Float64Array) -> None:
    """Fill in the most that each token scores alone, float64[17]; the last is the joker."""
    best[:] = 0.0
    for cell in GRID_INDEX:
        values = anchors[CROSS_SET, 0, cell] & anchors[CROSS_SET, 1, cell]
        if grid[cell] or not is_anchor(anchors, cell) or not values:
            continue
        fixed = VALUE_PARAMS.extra_turn_value if IS_BIS[cell] else 0.0  # points that any token scores here
        factor = 0  # how often the token's own value counts
        for direction in range(2):
            if anchors[ADJOINING_COUNT, direction, cell] == 2:
                fixed += TRIO_POINTS
            elif anchors[ADJOINING_COUNT, direction, cell] == 1:
                fixed += anchors[ADJOINING_POINTS, direction, cell]
                factor += 1
        if anchors[ADJOINING_COUNT, 0, cell] == 2 or anchors[ADJOINING_COUNT, 1, cell] == 2:
            fixed += TRIO_POINTS * (MULTIPLIER[cell] - 1)
        else:
            factor += MULTIPLIER[cell] - 1
        for value in range(JOKER):
            if values >> value & 1:
                best[value] = max(best[value], fixed + factor * value)
                best[JOKER] = max(best[JOKER], best[value])


@njit_cached
def _expected_maximum(best: Float64Array, unseen: Float64Array) -> float:
    """Return the expected maximum of `best` over three tokens drawn from the unseen ones."""
    total, better, none_better, expected = unseen.sum(), 0.0, 1.0, 0.0
    for token in np.argsort(-best):
        better += unseen[token]
        none = 1.0  # the probability that three tokens are all worse
        for drawn in range(RACK_SIZE):
            none *= max(0.0, total - better - drawn) / max(1.0, total - drawn)
        expected += best[token] * (none_better - none)
        none_better = none
    return float(expected)


@njit_cached
def expected_reply(grid: Uint8Array, unseen: Float64Array, anchors: Anchors) -> float:
    """Return the points that the next player may expect with one token: the best of three unseen ones.

    `unseen` is the number of unseen tokens of each kind, float64[17]. Replies of two and three tokens are
    left out: they depend less on what this move opens, and would cost as much as generating all moves.
    """
    best = np.empty(JOKER + 1, np.float64)
    compute_anchors(grid, anchors)
    _best_single_by_value(grid, anchors, best)
    return _expected_maximum(best, unseen)


@njit_cached
def subtract_replies(
    position: GamePosition,
    unseen: Float64Array,
    workspace: Workspace,
    moves: Moves,
    count: int,
    values: Float64Array,
) -> None:
    """Subtract from the equity of each move what the weighted reply is expected to score after it.

    unseen  float64[17], the number of unseen tokens of each kind
    count   how many moves there are
    values  float64[MAX_MOVES], their equities, in the order of the moves
    """
    for index in range(count):
        code = moves.codes[index]
        if code >= 0:
            place_tokens(position.grid, code)
        reply = expected_reply(position.grid, unseen, workspace.anchors)
        values[index] -= VALUE_PARAMS.reply_weight * reply
        if code >= 0:
            remove_tokens(position.grid, code)


def new_values() -> Float64Array:
    """Allocate an array for the values of the moves of a position."""
    return np.zeros(MAX_MOVES, np.float64)


# --- Win probability -----------------------------------------------------------------------------


@njit_no_nrt
def win_probability(lead: float, tokens: int) -> float:
    """Return the probability that a lead in points wins; a tie counts half. `tokens` are off the board.

    The lead at the end is taken to be normally distributed around the lead now.
    """
    if not tokens:
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return 0.5 + 0.5 * erf(lead / (VALUE_PARAMS.lead_std * sqrt(2.0 * tokens)))
