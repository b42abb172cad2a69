"""Where tokens may be placed in Triolet: TO-2, TO-3, TO-8 and TO-9."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from tripot.game import IllegalActionError
from tripot.games.triolet.actions import Place, PlacedToken
from tripot.games.triolet.board import (
    CENTRE,
    IS_JOKER,
    MAX_LINE,
    NEIGHBOUR_MASKS,
    RACK_SIZE,
    SIZE,
    SQUARE_NAMES,
    TRIO_SUM,
    forbidden_block,
    generate_placements,
    lines,
    occupied_mask,
    square_names,
    value_of,
)


@lru_cache(maxsize=512)
def placements(cells: bytes, rack: bytes) -> tuple[Place, ...]:
    """Every legal placement with the tokens of a rack, in the order of `generate_placements`."""
    return tuple(
        Place(
            tuple(
                PlacedToken(*divmod(square, SIZE), value, joker)
                for square, (value, joker) in zip(squares, arrangement, strict=True)
            )
        )
        for squares, arrangement in generate_placements(cells, rack)
    )


def check_placement(cells: bytes, tokens: tuple[PlacedToken, ...]) -> bytes:
    """The board after a placement. Raises IllegalActionError if TO-2, TO-3, TO-8 or TO-9 forbids it."""
    check_shape(cells, tokens)
    check_values(tokens)
    after = bytearray(cells)
    for token in tokens:
        after[token.square] = token.value + 1 + IS_JOKER * token.joker
    board, squares = bytes(after), tuple(token.square for token in tokens)
    check_lines(board, squares)
    check_blocks(board, squares)
    return board


def check_shape(cells: bytes, tokens: tuple[PlacedToken, ...]) -> None:
    """TO-2: one to three tokens on free squares, in one line without gaps, adjacent to other tokens.

    The first placement covers the centre instead.
    """
    _check_squares(cells, tokens)
    squares = tuple(token.square for token in tokens)
    if len({token.row for token in tokens}) > 1 and len({token.column for token in tokens}) > 1:
        raise IllegalActionError("TO-2", "line", squares=square_names(squares))
    step = SIZE if tokens[0].row < tokens[-1].row else 1
    steps = [(there - here) // step for here, there in pairwise(squares)]
    is_around_token = steps == [2] and cells[squares[0] + step]
    if any(count > 1 for count in steps) and not is_around_token:
        raise IllegalActionError("TO-2", "gap", squares=square_names(squares))
    occupied = occupied_mask(cells)
    if not occupied and CENTRE not in squares:
        raise IllegalActionError("TO-2", "centre", square=SQUARE_NAMES[CENTRE])
    if occupied and not any(NEIGHBOUR_MASKS[square] & occupied for square in squares):
        raise IllegalActionError("TO-2", "apart", squares=square_names(squares))


def _check_squares(cells: bytes, tokens: tuple[PlacedToken, ...]) -> None:
    """TO-2: one to three different free squares of the board."""
    if not 1 <= len(tokens) <= RACK_SIZE:
        raise IllegalActionError("TO-2", "count", count=len(tokens))
    for token in tokens:
        if not (0 <= token.row < SIZE and 0 <= token.column < SIZE):
            raise IllegalActionError("TO-2", "off", square=token.name)
        if cells[token.square]:
            raise IllegalActionError("TO-2", "taken", square=token.name)
    squares = tuple(token.square for token in tokens)
    if len({*squares}) < len(squares):
        raise IllegalActionError("TO-2", "twice", squares=square_names(squares))


def check_lines(cells: bytes, squares: tuple[int, ...]) -> None:
    """TO-3: of the lines through some squares, trios have the sum 15, and pairs at most 15."""
    for line in lines(cells, squares):
        total = sum(value_of(cells[square]) for square in line)
        if len(line) > MAX_LINE:
            raise IllegalActionError("TO-3", "long", squares=square_names(line))
        if len(line) == MAX_LINE and total != TRIO_SUM:
            raise IllegalActionError("TO-3", "trio", squares=square_names(line), total=total)
        if total > TRIO_SUM:
            raise IllegalActionError("TO-3", "pair", squares=square_names(line), total=total)


def check_blocks(cells: bytes, squares: tuple[int, ...]) -> None:
    """TO-9: the first four tokens are no 2×2 block, and no 3×3 block is full."""
    if block := forbidden_block(occupied_mask(cells), squares):
        corners = f"{SQUARE_NAMES[(block & -block).bit_length() - 1]}–{SQUARE_NAMES[block.bit_length() - 1]}"
        raise IllegalActionError("TO-9", "four" if block.bit_count() == 4 else "nine", squares=corners)


def check_values(tokens: tuple[PlacedToken, ...]) -> None:
    """TO-8: at most one joker in a move, with a value from 0 to 15."""
    if sum(token.joker for token in tokens) > 1:
        raise IllegalActionError("TO-8", "two")
    for token in tokens:
        if not 0 <= token.value <= TRIO_SUM:
            clause, key = ("TO-8", "value") if token.joker else ("TO-2", "no_token")
            raise IllegalActionError(clause, key, square=token.name)
