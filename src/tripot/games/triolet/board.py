"""The board of Triolet: squares, tokens, and every way the tokens of one move can lie.

Squares are numbered from A1 = 0 along the rows to O15 = 224.

        1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
    A   .  .  .  .  .  .  .  b  .  .  .  .  .  .  .      2  double
    B   .  b  .  .  3  .  .  .  .  .  3  .  .  b  .      3  triple
    C   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      b  bis
    D   .  .  .  .  .  .  .  2  .  .  .  .  .  .  .
    E   .  3  .  .  2  .  .  .  .  .  2  .  .  3  .      Two special squares are never less than
    F   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      three apart in a row or column, so a
    G   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .      move covers at most one of them.
    H   b  .  .  2  .  .  .  2  .  .  .  2  .  .  b
    I   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    J   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    K   .  3  .  .  2  .  .  .  .  .  2  .  .  3  .
    L   .  .  .  .  .  .  .  2  .  .  .  .  .  .  .
    M   .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
    N   .  b  .  .  3  .  .  .  .  .  3  .  .  b  .
    O   .  .  .  .  .  .  .  b  .  .  .  .  .  .  .

On the rack a token is its value, 0 to 15, or JOKER. On the board a square is one byte: FREE, or the
value plus one, with a bit more if a joker stands for that value. So a joker keeps the value it was
given, and one byte says both what it counts as in a line and that it counts nothing in a pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import Final, TypeAlias

SIZE: Final = 15
SQUARES: Final = SIZE * SIZE
LETTERS: Final = "ABCDEFGHIJKLMNO"
SQUARE_NAMES: Final = tuple(f"{letter}{column}" for letter in LETTERS for column in range(1, SIZE + 1))
SQUARE_INDEX: Final = {name: square for square, name in enumerate(SQUARE_NAMES)}


def _named(names: str) -> frozenset[int]:
    return frozenset(SQUARE_INDEX[name] for name in names.split())


CENTRE: Final = SQUARE_INDEX["H8"]
DOUBLES: Final = _named("H8 D8 E5 E11 H4 H12 K5 K11 L8")
TRIPLES: Final = _named("B5 B11 E2 E14 K2 K14 N5 N11")
BIS: Final = _named("A8 B2 B14 H1 H15 N2 N14 O8")
FACTORS: Final = tuple(2 if square in DOUBLES else 3 if square in TRIPLES else 1 for square in range(SQUARES))

# Tokens: how many there are of each value, and last of jokers.
JOKER: Final = 16
HIDDEN_TOKEN: Final = 17  # on a view: a token on somebody else's rack
TOKEN_COUNTS: Final = (9, 9, 8, 8, 7, 8, 6, 6, 4, 4, 3, 3, 2, 2, 1, 1, 2)
TOKENS: Final = sum(TOKEN_COUNTS)
SET_ASIDE: Final = 3  # tokens set aside unseen, for good
RACK_SIZE: Final = 3
TRIO_SUM: Final = 15  # what three in a line total
MAX_LINE: Final = 3  # tokens in a line
MIN_BAG_TO_EXCHANGE: Final = 5  # tokens in the bag that allow an exchange
ALL_VALUES: Final = 0xFFFF  # every value from 0 to 15, as bits

# Squares of the board.
FREE: Final = 0
IS_JOKER: Final = 32


def value_of(cell: int) -> int:
    """What the token on a square counts as in a line."""
    return cell % IS_JOKER - 1


def points_of(cell: int) -> int:
    """TO-8: what it counts in a pair: a joker nothing."""
    return 0 if cell >= IS_JOKER else cell - 1


def token_of(cell: int) -> int:
    """The token that lies on a square, as it was on the rack."""
    return JOKER if cell >= IS_JOKER else cell - 1


def token_name(token: int) -> str:
    """`0` to `15`, `J` for a joker and `?` for a token that is not seen."""
    return {JOKER: "J", HIDDEN_TOKEN: "?"}.get(token, str(token))


def cell_name(cell: int) -> str:
    """A token on the board: `7`, or `J7` for a joker that stands for 7."""
    return ("J" if cell >= IS_JOKER else "") + str(value_of(cell))


# --- Lines -------------------------------------------------------------------------------------

DIRECTIONS: Final = (1, SIZE)  # the step to the next square along a row and along a column
CROSS_DIRECTION: Final = {1: SIZE, SIZE: 1}


def _ray(square: int, step: int) -> range:
    """The squares from a square to the edge in a direction, without itself."""
    row, column = divmod(square, SIZE)
    ends = {1: row * SIZE + SIZE, -1: row * SIZE - 1, SIZE: SQUARES + column, -SIZE: column - SIZE}
    return range(square + step, ends[step], step)


RAYS: Final = {
    step: tuple((_ray(square, -step), _ray(square, step)) for square in range(SQUARES)) for step in DIRECTIONS
}
"""By step and square: the squares before it and those after it along its row or column."""


def line(cells: bytes, square: int, step: int) -> tuple[int, ...]:
    """The line through a square along a row or a column: that square and all tokens joined to it."""
    before, after = RAYS[step][square]
    squares = [square]
    for each in before:
        if not cells[each]:
            break
        squares.insert(0, each)
    for each in after:
        if not cells[each]:
            break
        squares.append(each)
    return tuple(squares)


def lines(cells: bytes, squares: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Every line of two tokens or more through any of some squares, once, rows before columns."""
    found = {line(cells, square, step): None for step in DIRECTIONS for square in squares}
    return [each for each in found if len(each) > 1]


# --- Masks: sets of squares as bits ------------------------------------------------------------


def mask_of(squares: tuple[int, ...]) -> int:
    """A set of squares as bits."""
    return sum(1 << square for square in squares)


def _block(square: int, side: int) -> int:
    """A block of side × side squares whose top left is a square."""
    return sum(1 << square + row * SIZE + column for row in range(side) for column in range(side))


NEIGHBOUR_MASKS: Final = tuple(
    mask_of(tuple(near for ray in (*RAYS[1][square], *RAYS[SIZE][square]) for near in ray[:1]))
    for square in range(SQUARES)
)
"""The squares next to a square along its row and column."""

BLOCKS: Final = {
    side: tuple(
        _block(row * SIZE + column, side)
        for row in range(SIZE - side + 1)
        for column in range(SIZE - side + 1)
    )
    for side in (2, 3)
}
"""TO-9: every 2×2 and every 3×3 block."""

BLOCKS_OF_SQUARE: Final = tuple(
    tuple(block for block in BLOCKS[3] if block >> square & 1) for square in range(SQUARES)
)
"""The 3×3 blocks that a square is part of."""


@lru_cache(maxsize=4096)
def occupied_mask(cells: bytes) -> int:
    """The squares that have a token."""
    return sum(1 << square for square, cell in enumerate(cells) if cell)


@lru_cache(maxsize=256)
def anchors(cells: bytes) -> int:
    """The free squares next to a token; on an empty board the centre, where the first move goes."""
    taken, near = occupied_mask(cells), 0
    for square, cell in enumerate(cells):
        if cell:
            near |= NEIGHBOUR_MASKS[square]
    return near & ~taken if taken else 1 << CENTRE


def _patterns() -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """TO-2: one square; two side by side or around one; three side by side. In order of squares."""
    found: list[tuple[int, ...]] = [(square,) for square in range(SQUARES)]
    for step in DIRECTIONS:
        for square in range(SQUARES):
            on = RAYS[step][square][1]
            found += [(square, each) for each in on[:2]]
            found += [(square, on[0], on[1])] if len(on) > 1 else []
    found.sort(key=lambda squares: (len(squares), squares))
    return tuple(
        (squares, mask_of(squares), SIZE if len(squares) > 1 and squares[-1] - squares[0] >= SIZE else 1)
        for squares in found
    )


PATTERNS: Final = _patterns()
"""TO-2: the squares of a move, the same as bits, and the step from one to the next of its line."""


# --- Where a token fits ------------------------------------------------------------------------

Arrangement: TypeAlias = tuple[tuple[int, bool], ...]
"""Tokens in the order of their squares: the value of each, and whether a joker stands for it."""


def forbidden_block(taken: int, squares: tuple[int, ...]) -> int:
    """TO-9: the block that tokens on some squares close against the rule, or 0.

    The tokens of one move are laid in any order. So the first four are a 2×2 square only if there
    are no more than four: with a fifth in the same move, that one may count among them.
    """
    if taken.bit_count() == 4 and taken in BLOCKS[2]:
        return taken
    return next(
        (block for square in squares for block in BLOCKS_OF_SQUARE[square] if block & taken == block), 0
    )


def cross_set(cells: bytes, square: int, step: int) -> int:
    """TO-3: the values, as bits, that a token on a free square may have for its line along a step."""
    joined = line(cells, square, step)
    total = sum(value_of(cells[each]) for each in joined if each != square)
    match len(joined):
        case 1:
            return ALL_VALUES
        case 2:
            return (1 << TRIO_SUM - total + 1) - 1
        case 3 if total <= TRIO_SUM:
            return 1 << TRIO_SUM - total
    return 0


@lru_cache(maxsize=4096)
def placeable_values(cells: bytes) -> int:
    """The values, as bits, of which a token could be placed somewhere, one alone.

    Whoever can place two tokens or three can place one of them: this decides who passes (TO-11).
    """
    found, near, taken = 0, anchors(cells), occupied_mask(cells)
    for square in range(SQUARES):
        if near >> square & 1 and not forbidden_block(taken | 1 << square, (square,)):
            found |= cross_set(cells, square, 1) & cross_set(cells, square, SIZE)
    return found


def generate_placements(cells: bytes, rack: bytes) -> Iterator[tuple[tuple[int, ...], Arrangement]]:
    """TO-2, TO-3, TO-9: squares for tokens of a rack, and which token goes where.

    One token, two, three; each by squares, then by values.
    """
    taken, near = occupied_mask(cells), anchors(cells)
    choices = {size: arrangements(rack, size) for size in range(1, RACK_SIZE + 1)}
    for squares, mask, step in PATTERNS:
        if mask & taken or not mask & near:
            continue
        joined = _adjoining_squares(cells, squares, step)
        length = len(squares) + len(joined)
        parted = len(squares) == 2 and squares[1] - squares[0] == 2 * step and not cells[squares[0] + step]
        if length > MAX_LINE or parted or forbidden_block(taken | mask, squares):
            continue
        rest = TRIO_SUM - sum(value_of(cells[square]) for square in joined)
        allowed = [cross_set(cells, square, CROSS_DIRECTION[step]) for square in squares]
        for tokens in choices[len(squares)]:
            total = sum(value for value, _ in tokens)
            if length > 1 and (total > rest or (length == MAX_LINE and total < rest)):
                continue
            if all(values >> value & 1 for values, (value, _) in zip(allowed, tokens, strict=True)):
                yield squares, tokens


def _adjoining_squares(cells: bytes, squares: tuple[int, ...], step: int) -> list[int]:
    """The squares of the tokens that some free squares are joined to along their line."""
    found = [square for square in range(squares[0], squares[-1], step) if cells[square]]
    for ray in (RAYS[step][squares[0]][0], RAYS[step][squares[-1]][1]):
        for square in ray:
            if not cells[square]:
                break
            found.append(square)
    return found


def arrangements(rack: bytes, size: int) -> list[Arrangement]:
    """Every way to take tokens from a rack in order, a joker with each value that it may get (TO-8)."""
    found: set[Arrangement] = set()
    for tokens in {*permutations(rack, size)}:
        if tokens.count(JOKER) <= 1:
            named = range(TRIO_SUM + 1) if JOKER in tokens else (0,)
            found |= {tuple((name, True) if t == JOKER else (t, False) for t in tokens) for name in named}
    return sorted(found)
