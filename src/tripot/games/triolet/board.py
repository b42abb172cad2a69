"""The board of Triolet: squares, tokens, lines, and the placements of tokens.

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

On the rack a token is its value, 0 to 15, or JOKER. On the board a cell is one byte: FREE, or the value
plus one, plus IS_JOKER if a joker stands for that value. So a joker keeps the value that it was given,
which counts in a line, and is still known to earn no points in a pair.
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


def square_names(squares: tuple[int, ...]) -> str:
    """The names of squares, separated by spaces."""
    return " ".join(SQUARE_NAMES[square] for square in squares)


def _squares_named(names: str) -> frozenset[int]:
    return frozenset(SQUARE_INDEX[name] for name in names.split())


CENTRE: Final = SQUARE_INDEX["H8"]
DOUBLES: Final = _squares_named("H8 D8 E5 E11 H4 H12 K5 K11 L8")
TRIPLES: Final = _squares_named("B5 B11 E2 E14 K2 K14 N5 N11")
BIS: Final = _squares_named("A8 B2 B14 H1 H15 N2 N14 O8")
FACTORS: Final = tuple(2 if square in DOUBLES else 3 if square in TRIPLES else 1 for square in range(SQUARES))

# Tokens on a rack.
JOKER: Final = 16
HIDDEN_TOKEN: Final = 17  # on a view: a token on another rack
TOKEN_COUNTS: Final = (9, 9, 8, 8, 7, 8, 6, 6, 4, 4, 3, 3, 2, 2, 1, 1, 2)  # by value, jokers last
TOKENS: Final = sum(TOKEN_COUNTS)
SET_ASIDE: Final = 3  # tokens that are never drawn
RACK_SIZE: Final = 3
TRIO_SUM: Final = 15  # the sum of three tokens in a line
MAX_LINE: Final = 3  # tokens
MIN_BAG_TO_EXCHANGE: Final = 5  # tokens
ALL_VALUES: Final = 0xFFFF  # the mask of the values from 0 to 15

# Cells of the board.
FREE: Final = 0
IS_JOKER: Final = 32


def value_of(cell: int) -> int:
    """The value of a cell in a line."""
    return cell % IS_JOKER - 1


def points_of(cell: int) -> int:
    """TO-8: the points of a cell in a pair; a joker has none."""
    return 0 if cell >= IS_JOKER else cell - 1


def token_of(cell: int) -> int:
    """The token of a cell, as it was on the rack."""
    return JOKER if cell >= IS_JOKER else cell - 1


def token_name(token: int) -> str:
    """The name of a token: `0` to `15`, `J` for a joker, `?` for a hidden token."""
    return {JOKER: "J", HIDDEN_TOKEN: "?"}.get(token, str(token))


def cell_name(cell: int) -> str:
    """The name of a cell: `7`, or `J7` for a joker that stands for 7."""
    return ("J" if cell >= IS_JOKER else "") + str(value_of(cell))


# --- Lines -------------------------------------------------------------------------------------

DIRECTIONS: Final = (1, SIZE)  # steps to the next square in a row and in a column
CROSS_DIRECTION: Final = {1: SIZE, SIZE: 1}


def _ray(square: int, step: int) -> range:
    """The squares from a square to the edge of the board in a direction, without the square itself."""
    row, column = divmod(square, SIZE)
    ends = {1: row * SIZE + SIZE, -1: row * SIZE - 1, SIZE: SQUARES + column, -SIZE: column - SIZE}
    return range(square + step, ends[step], step)


RAYS: Final = {
    step: tuple((_ray(square, -step), _ray(square, step)) for square in range(SQUARES)) for step in DIRECTIONS
}
"""By step and square: the squares before it and those after it in its row or column, nearest first."""


def line(cells: bytes, square: int, step: int) -> tuple[int, ...]:
    """The line through a square in a row or column: the square and the tokens connected to it, in order."""
    before, after = RAYS[step][square]
    return (*reversed(_token_run(cells, before)), square, *_token_run(cells, after))


def _token_run(cells: bytes, ray: range) -> list[int]:
    """The squares of the tokens at the start of a ray, up to the first free square."""
    run: list[int] = []
    for square in ray:
        if not cells[square]:
            break
        run.append(square)
    return run


def lines(cells: bytes, squares: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The lines of two or more tokens through any of some squares, each once, rows before columns."""
    unique = dict.fromkeys(line(cells, square, step) for step in DIRECTIONS for square in squares)
    return [squares_of_line for squares_of_line in unique if len(squares_of_line) > 1]


# --- Masks: sets of squares ---------------------------------------------------------------------


def mask_of(squares: tuple[int, ...]) -> int:
    """The mask of some squares."""
    return sum(1 << square for square in squares)


def _block(square: int, side: int) -> int:
    """The mask of a block of side × side squares, by its top left square."""
    return sum(1 << square + row * SIZE + column for row in range(side) for column in range(side))


NEIGHBOUR_MASKS: Final = tuple(
    mask_of(tuple(other for ray in (*RAYS[1][square], *RAYS[SIZE][square]) for other in ray[:1]))
    for square in range(SQUARES)
)
"""By square: the mask of the adjacent squares."""

BLOCKS: Final = {
    side: tuple(
        _block(row * SIZE + column, side)
        for row in range(SIZE - side + 1)
        for column in range(SIZE - side + 1)
    )
    for side in (2, 3)
}
"""TO-9: the masks of all blocks by side, 2 or 3."""

BLOCKS_OF_SQUARE: Final = tuple(
    tuple(block for block in BLOCKS[3] if block >> square & 1) for square in range(SQUARES)
)
"""By square: the masks of the 3×3 blocks that contain it."""


@lru_cache(maxsize=4096)
def occupied_mask(cells: bytes) -> int:
    """The mask of the squares with a token."""
    return sum(1 << square for square, cell in enumerate(cells) if cell)


@lru_cache(maxsize=256)
def anchors(cells: bytes) -> int:
    """The mask of the free squares adjacent to a token; on an empty board the centre (TO-2)."""
    occupied, adjacent = occupied_mask(cells), 0
    for square, cell in enumerate(cells):
        if cell:
            adjacent |= NEIGHBOUR_MASKS[square]
    return adjacent & ~occupied if occupied else 1 << CENTRE


def _patterns() -> tuple[tuple[tuple[int, ...], int, int], ...]:
    """TO-2: one square, two adjacent ones, two around a third, or three adjacent ones; in order."""
    patterns: list[tuple[int, ...]] = [(square,) for square in range(SQUARES)]
    for step in DIRECTIONS:
        for square in range(SQUARES):
            after = RAYS[step][square][1]
            patterns += [(square, other) for other in after[:2]]
            patterns += [(square, after[0], after[1])] if len(after) > 1 else []
    patterns.sort(key=lambda squares: (len(squares), squares))
    return tuple(
        (squares, mask_of(squares), SIZE if len(squares) > 1 and squares[-1] - squares[0] >= SIZE else 1)
        for squares in patterns
    )


PATTERNS: Final = _patterns()
"""TO-2: the squares that a placement may cover, their mask, and the step along their line."""


# --- Placements --------------------------------------------------------------------------------

Arrangement: TypeAlias = tuple[tuple[int, bool], ...]
"""The tokens of a placement in the order of their squares: (value, whether it is a joker)."""


def forbidden_block(occupied: int, squares: tuple[int, ...]) -> int:
    """TO-9: the mask of the block that new tokens on some squares complete against the rule, or 0.

    The tokens of one placement have no order. So the first four tokens are a 2×2 block only if there
    are exactly four: with a fifth one in the same placement, it may be one of the first four.
    """
    if occupied.bit_count() == 4 and occupied in BLOCKS[2]:
        return occupied
    blocks = (block for square in squares for block in BLOCKS_OF_SQUARE[square])
    return next((block for block in blocks if block & occupied == block), 0)


def cross_set(cells: bytes, square: int, step: int) -> int:
    """TO-3: the mask of the values that a token on a free square may have for its line in one direction."""
    squares = line(cells, square, step)
    total = sum(value_of(cells[other]) for other in squares if other != square)
    match len(squares):
        case 1:
            return ALL_VALUES
        case 2:
            return (1 << TRIO_SUM - total + 1) - 1
        case 3 if total <= TRIO_SUM:
            return 1 << TRIO_SUM - total
    return 0


@lru_cache(maxsize=4096)
def placeable_values(cells: bytes) -> int:
    """TO-11: the mask of the values of which a single token can be placed somewhere.

    A player who can place several tokens can also place one of them, so this mask tells who must pass.
    """
    values, anchor_mask, occupied = 0, anchors(cells), occupied_mask(cells)
    for square in range(SQUARES):
        if anchor_mask >> square & 1 and not forbidden_block(occupied | 1 << square, (square,)):
            values |= cross_set(cells, square, 1) & cross_set(cells, square, SIZE)
    return values


def generate_placements(cells: bytes, rack: bytes) -> Iterator[tuple[tuple[int, ...], Arrangement]]:
    """TO-2, TO-3, TO-9: the legal placements of tokens of a rack: squares, and the tokens on them.

    They are ordered by the number of tokens, then by squares, then by values.
    """
    occupied, anchor_mask = occupied_mask(cells), anchors(cells)
    arrangements_by_size = {size: arrangements(rack, size) for size in range(1, RACK_SIZE + 1)}
    for squares, mask, step in PATTERNS:
        if mask & occupied or not mask & anchor_mask:
            continue
        adjoining = _adjoining_squares(cells, squares, step)
        length = len(squares) + len(adjoining)
        has_gap = len(squares) == 2 and squares[1] - squares[0] == 2 * step and not cells[squares[0] + step]
        if length > MAX_LINE or has_gap or forbidden_block(occupied | mask, squares):
            continue
        missing_sum = TRIO_SUM - sum(value_of(cells[square]) for square in adjoining)
        cross_sets = [cross_set(cells, square, CROSS_DIRECTION[step]) for square in squares]
        for arrangement in arrangements_by_size[len(squares)]:
            total = sum(value for value, _ in arrangement)
            if length > 1 and (total > missing_sum or (length == MAX_LINE and total < missing_sum)):
                continue
            if all(values >> value & 1 for values, (value, _) in zip(cross_sets, arrangement, strict=True)):
                yield squares, arrangement


def _adjoining_squares(cells: bytes, squares: tuple[int, ...], step: int) -> list[int]:
    """The squares of the tokens that would be in the same line as tokens on some free squares."""
    between = [square for square in range(squares[0], squares[-1], step) if cells[square]]
    before, after = RAYS[step][squares[0]][0], RAYS[step][squares[-1]][1]
    return between + _token_run(cells, before) + _token_run(cells, after)


def arrangements(rack: bytes, size: int) -> list[Arrangement]:
    """All ordered selections of tokens from a rack; TO-8: with at most one joker, of each value."""
    selections: set[Arrangement] = set()
    for tokens in {*permutations(rack, size)}:
        if tokens.count(JOKER) <= 1:
            joker_values = range(TRIO_SUM + 1) if JOKER in tokens else (0,)
            selections |= {
                tuple((value, True) if token == JOKER else (token, False) for token in tokens)
                for value in joker_values
            }
    return sorted(selections)
