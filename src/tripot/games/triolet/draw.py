"""The board of Triolet for a terminal and as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

from tripot.drawing import INK, LINE, PANEL, RED, SOFT, Row, Span, svg_document
from tripot.game import Seat, StyledRows
from tripot.games.triolet.actions import Place
from tripot.games.triolet.board import (
    BIS,
    FACTORS,
    IS_JOKER,
    JOKER,
    LETTERS,
    SIZE,
    SQUARE_NAMES,
    SQUARES,
    token_name,
    value_of,
)

if TYPE_CHECKING:
    from tripot.games.triolet.rules import State


def _score(state: State, seat: Seat) -> int:
    return (state.outcome or state).scores[seat]


# --- Terminal ----------------------------------------------------------------------------------

PLAIN_STYLE: Final = "grey62 on grey19"
FACTOR_STYLES: Final = {2: "black on yellow3", 3: "white on red3"}
BIS_STYLE: Final = "black on dark_orange3"
TOKEN_STYLE: Final = "bold black on wheat1"
JOKER_STYLE: Final = "bold red on wheat1"


def _free_square_span(square: int) -> Span:
    """A square without a token in four characters."""
    if square in BIS:
        return "bis ", BIS_STYLE
    factor = FACTORS[square]
    return (f" ×{factor} ", FACTOR_STYLES[factor]) if factor > 1 else ("  · ", PLAIN_STYLE)


FREE_SQUARE_SPANS: Final = tuple(_free_square_span(square) for square in range(SQUARES))


def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal, four columns per square; below it the racks, the scores and the bag."""
    header = "  " + "".join(f"{column:>3} " for column in range(1, SIZE + 1))
    rows: list[Row] = [((header, "bold"),)]
    spans = [
        _token_span(cell) if cell else free for cell, free in zip(state.cells, FREE_SQUARE_SPANS, strict=True)
    ]
    for row, letter in enumerate(LETTERS):
        rows.append(((f"{letter} ", "bold"), *spans[row * SIZE : row * SIZE + SIZE]))
    rows += [_rack_row(state, seat) for seat in range(len(state.racks))]
    rows.append(((f"     bag {state.bag}", ""),))
    return tuple(rows)


def _token_span(cell: int) -> Span:
    """A token in four characters; a joker has a star."""
    is_joker = cell >= IS_JOKER
    name = f"{'*' if is_joker else ''}{value_of(cell)}"
    return f"{name:>3} ", JOKER_STYLE if is_joker else TOKEN_STYLE


def _rack_row(state: State, seat: Seat) -> Row:
    """A seat: whether it is to act, its rack and its score."""
    sign = ">" if seat == state.to_act else " "
    tokens = " ".join(f"{token_name(token):>2}" for token in state.racks[seat])
    score = f"  {_score(state, seat):>4}"
    return (f"{sign} {seat + 1}  ", "bold"), (f" {tokens:<8} ", TOKEN_STYLE), (score, "bold")


BORDERED_WIDTH: Final = 3 + 5 * SIZE  # columns
FULL_WIDTH: Final = 2 + 4 * SIZE  # columns


def draw_compact(state: State, columns: int, lines: int | None) -> StyledRows:  # noqa: ARG001 - always low
    """The board, and all racks in as few lines as possible. Squares of legal placements are in brackets.

    A square takes five columns with a border, four without if that does not fit, or else three.
    """
    border = "|" if columns >= BORDERED_WIDTH else ""
    width = 4 if columns >= FULL_WIDTH else 3
    header = "  " + "".join(f"{column:>{width - 1 + len(border)}} " for column in range(1, SIZE + 1))
    rows: list[Row] = [((header.rstrip(), "bold"),)]
    legal = _legal_squares(state)
    for row, letter in enumerate(LETTERS):
        squares = range(row * SIZE, row * SIZE + SIZE)
        texts = (_compact_square(state.cells[square], square, width, square in legal) for square in squares)
        rows.append(((f"{letter} ", "bold"), (f"{border}{border.join(texts)}{border}".rstrip(), "")))
    racks = [
        f"{'>' if seat == state.to_act else ' '}{seat + 1}: "
        f"{' '.join(map(token_name, state.racks[seat])) or '-'} ({_score(state, seat)})"
        for seat in range(len(state.racks))
    ]
    line = ""
    for part in (*racks, f"bag {state.bag}"):
        if line and len(line) + 3 + len(part) > columns:
            rows.append(((line, "bold"),))
            line = ""
        line = f"{line}   {part}" if line else part
    return (*rows, ((line, "bold"),))


def _legal_squares(state: State) -> frozenset[int]:
    """The squares on which the seat to act may place a token; none on the view of another seat."""
    placements = (action for action in state.legal_actions() if isinstance(action, Place))
    return frozenset(token.square for action in placements for token in action.tokens)


def _compact_square(cell: int, square: int, width: int, is_legal: bool) -> str:
    """A square: its token, or `bis`, `x2`, `x3` or a dot, in brackets if a token may be placed there.

    In brackets names are shortened to what fits between them.
    """
    if cell:
        name = f"{'*' if cell >= IS_JOKER else ''}{value_of(cell)}"
    elif square in BIS:
        name = "bi" if is_legal else "bis"
    else:
        name = f"x{FACTORS[square]}" if FACTORS[square] > 1 else "·"
    if is_legal:
        name = name[: width - 2] if square in BIS else name[2 - width :]
        return f"{f'[{name}]':>{width}}"
    return f"{name:>{width - 1}} "[-width:] if len(name) < width else name[:width]


# --- SVG ---------------------------------------------------------------------------------------

SQUARE_SIZE: Final = 40  # pixels
RACK_HEIGHT: Final = 48  # pixels
DOUBLE_FILL, TRIPLE_FILL, BIS_FILL = "#f0cf5b", "#d8604c", "#eba45a"


def draw_svg(state: State) -> str:
    """The board as SVG, with racks and scores below it."""
    side = SIZE * SQUARE_SIZE + 40
    height = side + RACK_HEIGHT * state.options.players
    return svg_document(side, height, _svg_parts(state), f'text-anchor="middle" fill="{INK}"')


def _svg_parts(state: State) -> Iterator[str]:
    yield _svg_board()
    for square, cell in enumerate(state.cells):
        if cell:
            yield f"<g {_translation(square)}>{_svg_token(str(value_of(cell)), cell >= IS_JOKER)}</g>"
    for seat, rack in enumerate(state.racks):
        y = SIZE * SQUARE_SIZE + 40 + RACK_HEIGHT * seat
        mark = "▸ " if seat == state.to_act else ""
        yield f'<text x="56" y="{y + 26}" font-size="16">{mark}{seat + 1}</text>'
        for index, token in enumerate(rack):
            content = _svg_token(token_name(token), token == JOKER)
            yield f'<g transform="translate({90 + index * 44} {y})">{content}</g>'
        yield f'<text x="270" y="{y + 26}" font-size="18" font-weight="bold">{_score(state, seat)}</text>'


@cache
def _svg_board() -> str:
    """The board without tokens, which is the same in every drawing."""
    return "".join(_svg_board_parts())


def _svg_board_parts() -> Iterator[str]:
    for square, name in enumerate(SQUARE_NAMES):
        fill, mark = {2: (DOUBLE_FILL, "×2"), 3: (TRIPLE_FILL, "×3")}.get(FACTORS[square], (PANEL, ""))
        if square in BIS:
            fill, mark = BIS_FILL, "bis"
        yield f"<g {_translation(square)}><title>{name}</title>"
        yield f'<rect x="1" y="1" width="38" height="38" rx="4" fill="{fill}" stroke="{LINE}"/>'
        yield f'<text x="20" y="25" font-size="14">{mark}</text></g>'
    yield f'<g font-size="13" fill="{SOFT}">'
    for index in range(SIZE):
        middle = index * SQUARE_SIZE + SQUARE_SIZE // 2
        yield f'<text x="{32 + middle}" y="20">{index + 1}</text>'
        yield f'<text x="16" y="{33 + middle}">{LETTERS[index]}</text>'
    yield "</g>"


def _translation(square: int) -> str:
    row, column = divmod(square, SIZE)
    return f'transform="translate({32 + column * SQUARE_SIZE} {28 + row * SQUARE_SIZE})"'


def _svg_token(name: str, is_joker: bool) -> str:
    colour = RED if is_joker else INK
    return (
        f'<rect x="3" y="3" width="34" height="34" rx="6" fill="{PANEL}" stroke="{colour}" stroke-width="2"/>'
        f'<text x="20" y="26" font-size="18" fill="{colour}">{name}</text>'
    )
