"""The board of Trippples for a terminal and as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from tripot.drawing import ACCENT, BLUE, INK, LINE, PANEL, PAPER, RED, SOFT, Row, svg_document, svg_labels
from tripot.game import HIDDEN, StyledRows
from tripot.games.trippples.board import (
    ARROWS,
    DIRECTION_STEPS,
    FILES,
    HIDDEN_TILE,
    HOME_TILE,
    NEUTRAL,
    NO_TILE,
    SQUARE_NAMES,
    SQUARES,
    is_arrow,
)
from tripot.games.trippples.layout_text import ROWS_FROM_TOP

if TYPE_CHECKING:
    from tripot.games.trippples.rules import State


class Highlights(NamedTuple):
    """The squares that the seat to move may enter, and those of its opponents."""

    targets: frozenset[int]
    opponents: frozenset[int]


def _highlights(state: State) -> Highlights:
    if state.outcome or NO_TILE in state.tiles:
        return Highlights(frozenset(), frozenset())
    opponents = frozenset(pawn for seat, pawn in enumerate(state.pawns) if seat % 2 != state.turn % 2)
    return Highlights(frozenset(state.target_squares(state.turn)), opponents)


# --- Terminal ----------------------------------------------------------------------------------

PAWNS: Final = "■●"
OUTLINES: Final = "□○"
SHADES: Final = ("grey89 on grey19", "grey89 on grey23")
TARGET: Final = "grey100 on dark_green"


def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal. Each square is seven columns by three rows, its arrows where they point.

    The arrows that the seat to move must follow are bright, and the squares that it may enter are green.
    """
    targets, opponents = _highlights(state)
    rows: list[Row] = []
    for squares in ROWS_FROM_TOP:
        cells = [_cell_rows(state, square) for square in squares]
        for line in range(3):
            spans = [(f"{squares[0] // 8 + 1} " if line == 1 else "  ", "bold")]
            for square, cell in zip(squares, cells, strict=True):
                shade = TARGET if square in targets else SHADES[(square // 8 + square) % 2]
                style = f"bold yellow {shade[shade.index('on') :]}" if square in opponents else shade
                spans.append((cell[line], style))
            rows.append(tuple(spans))
    rows.append((("  " + "".join(f"   {file}   " for file in FILES), "bold"),))
    return tuple(rows)


def _cell_rows(state: State, square: int) -> tuple[str, str, str]:
    """A square as three rows of seven characters."""
    tile, starts, finishes = state.tiles[square], *state.options.homes
    pawns = " ".join(
        PAWNS[seat % 2] + (str(seat // 2 + 1) if len(state.pawns) > 2 else "")
        for seat, pawn in enumerate(state.pawns)
        if pawn == square and NO_TILE not in state.tiles
    )
    if tile == HOME_TILE:
        side = starts.index(square) if square in starts else finishes.index(square)
        name = "start" if square in starts else "finish"
        return name.center(7), (pawns or OUTLINES[side]).center(7), " " * 7
    if tile == NEUTRAL and not state.is_face_down(square):
        return "░" * 7, f"░{pawns.center(5, '░')}░", "░" * 7
    if tile in (NO_TILE, HIDDEN_TILE) or state.is_face_down(square):
        return " " * 7, ("·" if tile == NO_TILE else HIDDEN).center(7), " " * 7
    arrow_at = {
        step: arrow if tile >> bit & 1 else " "
        for bit, (step, arrow) in enumerate(zip(DIRECTION_STEPS, ARROWS, strict=True))
    }
    top, bottom = (" {} {} {} ".format(*(arrow_at[right, up] for right in (-1, 0, 1))) for up in (1, -1))
    return top, f" {arrow_at[-1, 0]}{pawns.center(3)}{arrow_at[1, 0]} ", bottom


CELL_WIDTH: Final = 5  # of the compact drawing, without borders


def draw_compact(state: State, columns: int, lines: int | None) -> StyledRows:  # noqa: ARG001 - one size
    """The board with one line per square and borders, 51 columns by 18 lines.

    A square has its arrows, a pawn on it stands before them, and squares that may be entered are in brackets:
    `[↖↑→]`. The arrows that bind the seat to move are those next to the pawns of the opponent.
    """
    targets, binding = _highlights(state)
    border: Row = (("  " + "+-----" * 8 + "+", "dim"),)
    rows: list[Row] = [border]
    for squares in ROWS_FROM_TOP:
        spans = [(f"{squares[0] // 8 + 1} ", "bold")]
        for square in squares:
            style = "bold" if square in targets or square in binding else ""
            spans += [("|", "dim"), (_compact_cell(state, square, square in targets), style)]
        rows += [(*spans, ("|", "dim")), border]
    return (*rows, (("  " + "".join(f"   {file}  " for file in FILES), "bold"),))


def _compact_cell(state: State, square: int, is_target: bool) -> str:
    """A square in five characters: a pawn or a bracket, the tile, a bracket."""
    tile, starts, finishes = state.tiles[square], *state.options.homes
    pawns = "".join(
        PAWNS[seat % 2] + (str(seat // 2 + 1) if len(state.pawns) > 2 else "")
        for seat, pawn in enumerate(state.pawns)
        if pawn == square and NO_TILE not in state.tiles
    )
    if tile == HOME_TILE and square in starts:
        content = "" if pawns else "start"
    elif tile == HOME_TILE:
        content = f"to{OUTLINES[finishes.index(square)]}"
    elif tile == NO_TILE:
        content = " · "
    elif tile == HIDDEN_TILE or state.is_face_down(square):
        content = f" {HIDDEN} "
    elif tile == NEUTRAL:
        content = "░░░"
    else:
        content = "".join(arrow for bit, arrow in enumerate(ARROWS) if tile >> bit & 1)
    return (
        f"[{content}]"
        if is_target
        else f"{pawns or ('' if content == 'start' else ' ')}{content}".ljust(CELL_WIDTH)
    )


# --- SVG ---------------------------------------------------------------------------------------

SIZE: Final = 64  # pixels per square
LEFT, TOP = 24, 8  # pixels from the edge of the drawing to the first square
NORTH_ARROW: Final = "M32 26V9M28 13L32 8L36 13"  # in a square of `SIZE` pixels
TARGET_RING: Final = f'fill="none" stroke="{ACCENT}" stroke-width="3"'
SIDE_COLOURS: Final = (BLUE, RED)  # of the pawns of square and round


def draw_svg(state: State) -> str:
    """The board as SVG, with the same highlights as in a terminal."""
    side = SIZE * 8 + 32
    return svg_document(side, side, _svg_parts(state, side))


def _svg_parts(state: State, side: int) -> Iterator[str]:
    targets, opponents = _highlights(state)
    for square in range(SQUARES):
        x, y = _corner(square)
        yield f'<g transform="translate({x} {y})"><title>{SQUARE_NAMES[square]}</title>'
        yield from _svg_tile(state, square, is_opponent=square in opponents)
        if square in targets:
            yield f'<rect x="4" y="4" width="56" height="56" rx="8" {TARGET_RING}/>'
        yield "</g>"
    if NO_TILE not in state.tiles:
        yield from _svg_pawns(state)
    middles = [line * SIZE + SIZE // 2 for line in range(8)]
    style = 'font-size="14" text-anchor="middle"'
    yield svg_labels(style, ((12, TOP + middle + 5, str(8 - line)) for line, middle in enumerate(middles)))
    yield svg_labels(style, ((LEFT + middle, side - 6, FILES[line]) for line, middle in enumerate(middles)))


def _corner(square: int) -> tuple[int, int]:
    """The top left corner of a square, in pixels."""
    return LEFT + square % 8 * SIZE, TOP + (7 - square // 8) * SIZE


def _svg_tile(state: State, square: int, is_opponent: bool) -> Iterator[str]:
    """A tile: its arrows if it lies face up, or the outline of a home."""
    tile = state.tiles[square]
    is_down = tile == HIDDEN_TILE or state.is_face_down(square)
    fill = SOFT if is_down else {NO_TILE: PAPER, NEUTRAL: LINE}.get(tile, PANEL)
    yield f'<rect x="2" y="2" width="60" height="60" rx="9" fill="{fill}" stroke="{LINE}"/>'
    if tile == HOME_TILE:
        yield _svg_home(state, square)
    elif is_arrow(tile) and not is_down:
        colour, width = (ACCENT, 4.5) if is_opponent else (INK, 3)
        pen = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"'
        for bit in range(8):
            if tile >> bit & 1:
                yield f'<path transform="rotate({45 * bit} 32 32)" d="{NORTH_ARROW}" {pen}/>'


def _svg_home(state: State, square: int) -> str:
    """A start is tinted, a finish is not; both have the shape of their side."""
    starts, finishes = state.options.homes
    homes, opacity = (starts, ".3") if square in starts else (finishes, "0")
    colour = SIDE_COLOURS[homes.index(square)]
    shape = (
        '<rect x="12" y="12" width="40" height="40" rx="4"'
        if square == homes[0]
        else '<circle cx="32" cy="32" r="21"'
    )
    return f'{shape} fill="{colour}" fill-opacity="{opacity}" stroke="{colour}" stroke-width="4"/>'


def _svg_pawns(state: State) -> Iterator[str]:
    """The pawns; two on one start are moved apart."""
    for seat, pawn in enumerate(state.pawns):
        shift = 14 * (seat // 2) - 7 if list(state.pawns).count(pawn) > 1 else 0
        left, top = _corner(pawn)
        x, y = left + SIZE // 2 + shift, top + SIZE // 2
        shape = (
            f'<rect x="{x - 15}" y="{y - 15}" width="30" height="30" rx="3"'
            if seat % 2 == 0
            else f'<circle cx="{x}" cy="{y}" r="16"'
        )
        yield f'{shape} fill="{SIDE_COLOURS[seat % 2]}" fill-opacity=".62" stroke="{INK}"/>'
