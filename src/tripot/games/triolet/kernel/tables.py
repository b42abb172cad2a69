"""The padded grid, the integer encoding of moves, and constant tables of the kernels.

Grid. A board is a `uint8[GRID_SIZE]` array of 18 rows of 16 cells: one free row above the board, two below
it, and one free column before each row, which also ends the row before. A walk along a line therefore stops
at a free cell without a bounds check, and a placement that starts on the board never leaves the array. The
next cell along a row or a column is a step of 1 or 16. The content of a cell is that of `board.py`.

Move code. A placement is a non-negative integer of these fields, from the lowest bit on:

    bits  0-8   grid index of the first token
    bit   9     direction: 0 along a row, 1 along a column
    bits 10-11  kind: ONE, TWO, SPLIT_TWO or THREE
    bits 12-23  three values of 4 bits each, in the order of the cells
    bits 24-25  which token is a joker, counted from 1; 0 if none is

An exchange is a negative integer: minus the rack slots that are given up, as bits.

Rack. A rack is `uint8[3]` in ascending order; an empty slot is EMPTY_SLOT, so empty slots come last.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import njit_no_nrt
from tripot.games.triolet.actions import Exchange, Place, PlacedToken
from tripot.games.triolet.board import (
    BIS,
    CENTRE,
    FACTORS,
    JOKER,
    RACK_SIZE,
    SIZE,
    SQUARES,
    TOKEN_COUNTS,
)

Uint8Array: TypeAlias = NDArray[np.uint8]
Int32Array: TypeAlias = NDArray[np.int32]
Int64Array: TypeAlias = NDArray[np.int64]
Float64Array: TypeAlias = NDArray[np.float64]

# --- Grid ----------------------------------------------------------------------------------------

WIDTH: Final = 16  # cells per row
GRID_SIZE: Final = 18 * WIDTH
STEP: Final = np.array([1, WIDTH], np.int64)
"""The distance from a cell to the next one, by direction."""

GRID_INDEX: Final = np.array(
    [(square // SIZE + 1) * WIDTH + square % SIZE + 1 for square in range(SQUARES)], np.int64
)
"""The grid index of each square of the board, int64[225]."""
FIRST_CELL: Final = int(GRID_INDEX[0])
LAST_CELL: Final = int(GRID_INDEX[-1])
CENTRE_INDEX: Final = int(GRID_INDEX[CENTRE])

IS_ON_BOARD: Final = np.zeros(GRID_SIZE, np.bool_)
IS_ON_BOARD[GRID_INDEX] = True
MULTIPLIER: Final = np.ones(GRID_SIZE, np.int64)
MULTIPLIER[GRID_INDEX] = FACTORS
IS_BIS: Final = np.zeros(GRID_SIZE, np.bool_)
IS_BIS[GRID_INDEX[sorted(BIS)]] = True

# --- Tokens and racks ----------------------------------------------------------------------------

EMPTY_SLOT: Final = 255
TOKENS_IN_ALL: Final = np.array(TOKEN_COUNTS, np.int64)
"""How many tokens of each kind the game has, int64[17]; the last are the jokers."""

MAX_ORDERS: Final = 6  # orders of three different tokens


def _slot_orders() -> tuple[Uint8Array, Int64Array]:
    """Compute `SLOT_ORDERS` and `SLOT_ORDER_COUNTS`."""
    orders = np.zeros((4 * (RACK_SIZE + 1), RACK_SIZE, MAX_ORDERS, RACK_SIZE), np.uint8)
    counts = np.zeros(orders.shape[:2], np.int64)
    for pattern in range(len(orders)):
        token_count, is_first_pair, is_last_pair = pattern >> 2, pattern & 1, pattern >> 1 & 1
        second = 0 if is_first_pair else 1
        kinds = (0, second, second if is_last_pair else 2)
        for size in range(1, RACK_SIZE + 1):
            by_tokens: dict[tuple[int, ...], tuple[int, ...]] = {}
            for slots in permutations(range(token_count), size):
                by_tokens.setdefault(tuple(kinds[slot] for slot in slots), slots)
            counts[pattern, size - 1] = len(by_tokens)
            for index, slots in enumerate(by_tokens.values()):
                orders[pattern, size - 1, index, :size] = slots
    return orders, counts


SLOT_ORDERS, SLOT_ORDER_COUNTS = _slot_orders()
"""The different ways to take one, two or three tokens from a rack in order, by rack pattern and size.

A rack pattern is 4 times the number of tokens, plus 1 if the first two are equal, plus 2 if the last two are.
SLOT_ORDERS is uint8[16, 3, 6, 3] (pattern, size - 1, index, slots) and SLOT_ORDER_COUNTS is int64[16, 3].
"""

# --- Moves ---------------------------------------------------------------------------------------

ONE, TWO, SPLIT_TWO, THREE = range(4)
"""The kinds of a placement: SPLIT_TWO are two tokens with one of the board between them."""
KIND_TOKENS: Final = np.array([1, 2, 2, 3], np.int64)
KIND_STRIDE: Final = np.array([1, 1, 2, 1], np.int64)
"""How many tokens a placement of each kind has, and how many cells apart they are."""

DIRECTION_SHIFT, KIND_SHIFT, VALUES_SHIFT, JOKER_SHIFT = 9, 10, 12, 24
CELL_MASK: Final = (1 << DIRECTION_SHIFT) - 1


@njit_no_nrt
def move_size(code: int) -> int:
    """Return how many tokens a placement has."""
    return KIND_TOKENS[code >> KIND_SHIFT & 3]  # type: ignore[no-any-return]  # NumPy scalars are Any


@njit_no_nrt
def move_cell(code: int, index: int) -> int:
    """Return the grid index of one token of a placement."""
    stride = KIND_STRIDE[code >> KIND_SHIFT & 3]
    step = stride * STEP[code >> DIRECTION_SHIFT & 1]
    return (code & CELL_MASK) + index * step  # type: ignore[no-any-return]  # NumPy scalars are Any


@njit_no_nrt
def move_value(code: int, index: int) -> int:
    """Return the value of one token of a placement; of a joker, the value that it stands for."""
    return code >> VALUES_SHIFT + 4 * index & 15


@njit_no_nrt
def move_joker(code: int) -> int:
    """Return which token of a placement is a joker, counted from 1; 0 if none is."""
    return code >> JOKER_SHIFT


# --- Conversion from and to the rules ------------------------------------------------------------


def to_grid(cells: bytes) -> Uint8Array:
    """Convert a board of the rules to a grid."""
    grid = np.zeros(GRID_SIZE, np.uint8)
    grid[GRID_INDEX] = np.frombuffer(cells, np.uint8)
    return grid


def to_rack(rack: bytes) -> Uint8Array:
    """Convert a rack of the rules, which is in ascending order, to an array."""
    return np.array([*rack, *[EMPTY_SLOT] * (RACK_SIZE - len(rack))], np.uint8)


def decode(code: int, rack: bytes = b"") -> Place | Exchange:
    """Convert a move code to an action. An exchange needs the rack that its slots refer to."""
    if code < 0:
        return Exchange(bytes(token for slot, token in enumerate(rack) if -code >> slot & 1))
    tokens = []
    for index in range(int(move_size(code))):
        row, column = divmod(int(move_cell(code, index)), WIDTH)
        is_joker = index + 1 == move_joker(code)
        tokens.append(PlacedToken(row - 1, column - 1, int(move_value(code, index)), is_joker))
    return Place(tuple(tokens))


@njit_no_nrt
def move_token(code: int, index: int) -> int:
    """Return one token of a placement as it was on the rack."""
    return JOKER if move_joker(code) == index + 1 else move_value(code, index)
