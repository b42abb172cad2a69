"""The board of Trigon for a terminal and as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Final, TypeAlias

from tripot.drawing import (
    ACCENT,
    BLUE,
    GREEN,
    INK,
    LINE,
    PANEL,
    RED,
    SOFT,
    YELLOW,
    Row,
    Span,
    svg_document,
    territory,
)
from tripot.game import DistanceMap, StyledRows
from tripot.games.trigon.actions import place_text
from tripot.games.trigon.board import (
    CELL_INDEX,
    COLOURS,
    COLUMNS,
    HEIGHT,
    PIECE_NAMES,
    PIECE_SIZES,
    STARTS,
    WIDTH,
    Cells,
    cells_of,
    colour_of,
    edge_neighbours,
    is_up,
    piece_of,
)

if TYPE_CHECKING:
    from tripot.games.trigon.rules import State

CACHED_DRAWINGS: Final = 64  # positions whose drawings are kept: all viewers of a table ask for the same one

# --- Terminal ----------------------------------------------------------------------------------

MARKS: Final = "●○▬✚"  # of the colours, for readers who cannot tell them apart
STYLES: Final = (f"white on {BLUE}", f"black on {YELLOW}", f"white on {RED}", f"white on {GREEN}")
FIGURE_STYLES: Final = tuple(
    f"white on {colour}" for colour in (BLUE, "#1d4438", "#7a4a1c", "#6d3a7c", "#444444")
)
LETTER_STYLES: Final = ("bold #5b93d6", "bold #e2ab2e", "bold #e2725f", "bold #4fb383")  # on light and dark
EDGE_STYLE: Final = "grey50"
FREE_STYLE: Final = "bold yellow"
SHARED_STYLE: Final = "bold"
ONE_PIECE_DISTANCE: Final = 6  # triangles: the largest piece, so one piece may reach that far
LINE_LENGTH: Final = 70  # characters of the list of pieces in a figure

Marks: TypeAlias = Mapping[int, Span]
"""What is shown on free cells."""


def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal, two columns per triangle: `/ \\` points up and `\\ /` points down.

    The triangles of a piece have the background and the mark of its colour. `*` is a free starting
    triangle, `·` a triangle of which the next piece must cover one. Below the board are the pieces left
    of each colour.
    """
    return _terminal_rows(state)


@lru_cache(maxsize=CACHED_DRAWINGS)
def _terminal_rows(state: State) -> StyledRows:
    return (*_board_rows(state, _free_marks(state)), *_piece_lists(state))


def _free_marks(state: State) -> Marks:
    """The marks of the cells of which the next piece must cover one."""
    is_start = state.turn >= 0 and not state.covered(state.turn)
    return {
        cell: ("*" if is_start and cell in STARTS else "·", FREE_STYLE)
        for cell in cells_of(state.highlighted_cells)
    }


def draw_terminal_map(state: State, distance_maps: Sequence[DistanceMap]) -> StyledRows:
    """The board with, on each free triangle, the first letter of the colour whose territory it is.

    The letter is a capital if the colour may get there with one piece, and `=` if two colours are
    equally near. Below the board is the size of each territory.
    """
    if not distance_maps:
        return draw_terminal(state)
    owners = territory(distance_maps)
    distances = {distance_map.owner: distance_map.distances for distance_map in distance_maps}
    marks: dict[int, Span] = {}
    for name, nearest in owners.items():
        owner = nearest[0]
        letter = owner[0].upper() if distances[owner][name] <= ONE_PIECE_DISTANCE else owner[0]
        is_shared = len(nearest) > 1
        marks[CELL_INDEX[name]] = ("=", SHARED_STYLE) if is_shared else (letter, _letter_style(owner))
    return (*_board_rows(state, marks), _territory_legend(distance_maps, owners), *_piece_lists(state))


def _territory_legend(distance_maps: Sequence[DistanceMap], owners: Mapping[str, tuple[str, ...]]) -> Row:
    """The number of triangles that belong to each colour, and of those that are shared."""
    spans: list[Span] = [("   territory: ", "")]
    for distance_map in distance_maps:
        owner = distance_map.owner
        size = sum(nearest == (owner,) for nearest in owners.values())
        spans += [(owner[0].upper(), _letter_style(owner)), (f" {owner} {size}  ", "")]
    shared = sum(len(nearest) > 1 for nearest in owners.values())
    return (*spans, ("=", SHARED_STYLE), (f" shared {shared}", ""))


def _letter_style(colour_name: str) -> str:
    return LETTER_STYLES[COLOURS.index(colour_name)]


def _board_rows(state: State, marks: Marks) -> Iterator[Row]:
    """The rows of the board that are played on, and the names of the columns below."""
    for row in reversed(range(HEIGHT)):
        if state.field >> row * WIDTH & (1 << WIDTH) - 1:
            yield _board_row(state, row, marks)
    first_letters = "".join(f" {column[:1]}" for column in COLUMNS[:35])
    second_letters = "".join(f" {column[1:] or ' '}" for column in COLUMNS[:35])
    yield ((f"   {first_letters}", "bold"),)
    yield ((f"   {second_letters}", "bold"),)


def _board_row(state: State, row: int, marks: Marks) -> Row:
    """A row: before each triangle its left edge, or the background if the piece continues."""
    spans = [(f"{row + 1:>2} ", "bold")]
    for column in range(WIDTH - 1):
        cell = row * WIDTH + column
        is_here = state.field >> cell & 1
        is_before = column and state.field >> cell - 1 & 1
        code = state.cells[cell]
        if is_here and is_before and code and state.cells[cell - 1] == code:
            spans.append((" ", _piece_style(state, code)))
        elif is_here or is_before:
            spans.append(("/" if is_up(cell) else "\\", EDGE_STYLE))
        else:
            spans.append((" ", ""))
        if column < WIDTH - 2:
            spans.append(_cell_span(state, cell, marks) if is_here else (" ", ""))
    return tuple(spans)


def _cell_span(state: State, cell: int, marks: Marks) -> Span:
    """A cell: the mark of its colour, in a figure the first letter of its piece, or what is shown if free."""
    code = state.cells[cell]
    if not code:
        return marks.get(cell, (" ", ""))
    mark = PIECE_NAMES[piece_of(code)][0] if state.solitaire else MARKS[colour_of(code)]
    return mark, _piece_style(state, code)


def _piece_style(state: State, code: int) -> str:
    return FIGURE_STYLES[code % len(FIGURE_STYLES)] if state.solitaire else STYLES[colour_of(code)]


def _piece_lists(state: State) -> Iterator[Row]:
    """A row per colour: whether it is to play or blocked, its mark and name, triangles left, pieces left."""
    if state.solitaire:
        names = _figure_pieces_text(state)
        for start in range(0, max(1, len(names)), LINE_LENGTH):
            yield ((f"    {names[start : start + LINE_LENGTH]}", ""),)
        return
    for colour in () if state.needs_colour_draw else state.in_play:
        pieces = state.pieces_left(colour)
        sign = ">" if colour == state.turn else "x" if state.blocked >> colour & 1 else " "
        tally = f"{COLOURS[colour]:<7}{sum(PIECE_SIZES[piece] for piece in pieces):>4}  "
        names = " ".join(PIECE_NAMES[piece] for piece in pieces)
        yield (sign, "bold"), (f" {MARKS[colour]} ", STYLES[colour]), (f" {tally}{names}", "")


def _figure_pieces_text(state: State) -> str:
    """TR-12: the pieces left in a figure: `2×I3 V`."""
    counts = [sum(state.has_piece(copy, piece) for copy in range(4)) for piece in range(len(PIECE_NAMES))]
    pieces = [(name, count) for name, count in zip(PIECE_NAMES, counts, strict=True) if count]
    return " ".join(f"{count}×{name}" if count > 1 else name for name, count in pieces)


FULL_WIDTH: Final = 74  # columns of the board with two columns per triangle


def draw_compact(state: State, columns: int, lines: int | None) -> StyledRows:
    """The board, one column per triangle if two do not fit, and the pieces left if there are enough lines.

    Otherwise there is a line with the triangles that each colour has left, then the pieces of the next one.
    In the narrow board `^` is a free triangle that points up and `v` one that points down.
    """
    marks = _free_marks(state)
    board = [*(_board_rows(state, marks) if columns >= FULL_WIDTH else _narrow_rows(state, marks))]
    pieces = [*_compact_piece_lists(state, columns)]
    spare = None if lines is None else max(0, lines - len(board))
    if spare is not None and spare < len(pieces):
        to_play = [row for row in pieces if row[0][0].startswith(">")]
        pieces = to_play if state.solitaire else [_triangles_left(state, columns), *to_play]
        pieces = pieces[:spare]
    return (*board, *pieces)


def _triangles_left(state: State, columns: int) -> Row:
    """The triangles that each colour has left, which are its points so far (TR-6), in a line."""
    parts = []
    for colour in state.in_play:
        sign = ">" if colour == state.turn else "x" if state.blocked >> colour & 1 else ""
        parts.append((f"{sign}{MARKS[colour]}", COLOURS[colour], str(state.triangles_left(colour))))
    long = "left:  " + "   ".join(map(" ".join, parts))
    short = "left: " + " ".join(f"{mark}{triangles}" for mark, _, triangles in parts)
    return ((long if len(long) <= columns else short, ""),)


def _narrow_rows(state: State, marks: Marks) -> Iterator[Row]:
    for row in reversed(range(HEIGHT)):
        if not state.field >> row * WIDTH & (1 << WIDTH) - 1:
            continue
        spans: list[Span] = [(f"{row + 1:>2} ", "bold")]
        for cell in range(row * WIDTH, row * WIDTH + WIDTH - 2):
            if not state.field >> cell & 1:
                spans.append((" ", ""))
            elif state.cells[cell] or cell in marks:
                spans.append(_cell_span(state, cell, marks))
            else:
                spans.append(("^" if is_up(cell) else "v", EDGE_STYLE))
        yield tuple(spans)
    yield (("   " + "".join(column[:1] for column in COLUMNS[:35]), "bold"),)
    yield (("   " + "".join(column[1:] or " " for column in COLUMNS[:35]), "bold"),)


def _compact_piece_lists(state: State, columns: int) -> Iterator[Row]:
    """The lists of `_piece_lists`, broken into lines that fit."""
    for row in _piece_lists(state):
        text = "".join(part for part, _ in row)
        while len(text) > columns:
            end = text.rfind(" ", 0, columns + 1)
            end = end if end > 4 else columns
            yield ((text[:end], ""),)
            text = f"{text[0]}   {text[end:].lstrip()}"
        yield ((text, ""),)


def draw_shape(cells: Cells, marked: int) -> tuple[str, ...]:
    """A placement in a few lines: `^` and `v` are triangles that point up and down, `*` is the marked one."""
    rows = sorted({cell // WIDTH for cell in cells}, reverse=True)
    columns = [cell % WIDTH for cell in cells]
    return tuple(
        "".join(
            " "
            if row * WIDTH + column not in cells
            else "*"
            if row * WIDTH + column == marked
            else "^"
            if is_up(row * WIDTH + column)
            else "v"
            for column in range(min(columns), max(columns) + 1)
        )
        for row in rows
    )


# --- SVG ---------------------------------------------------------------------------------------

HALF: Final = 14  # pixels: half the edge of a triangle
RISE: Final = round(HALF * sqrt(3), 2)  # pixels: the height of a triangle
MARGIN: Final = 22  # pixels
FILLS: Final = (BLUE, YELLOW, RED, GREEN)

Point: TypeAlias = tuple[float, float]
"""A point in an SVG: x, y in pixels."""


def draw_svg(state: State) -> str:
    """The board as SVG."""
    return _svg(state)


@lru_cache(maxsize=CACHED_DRAWINGS)
def _svg(state: State) -> str:
    width, height = round(2 * MARGIN + 36 * HALF), round(16 + HEIGHT * RISE + 14)
    return svg_document(width, height, _svg_parts(state, height))


def _svg_parts(state: State, height: int) -> Iterator[str]:
    background = SOFT if state.solitaire else PANEL
    yield f'<path d="{_path(cells_of(state.field))}" fill="{background}" stroke="{LINE}"/>'
    if not state.solitaire:
        free_starts = [cell for cell in STARTS if not state.cells[cell]]
        yield f'<path d="{_path(free_starts)}" fill="{LINE}" stroke="{ACCENT}"/>'
    for code, cells in state.pieces_on_board.items():
        yield f"<g><title>{COLOURS[colour_of(code)]} {place_text(cells)}</title>"
        yield _svg_piece(cells, colour_of(code))
        yield "</g>"
    for cell in cells_of(state.highlighted_cells):
        x, y = _centre(cell)
        yield f'<circle cx="{x}" cy="{y}" r="2.6" fill="{ACCENT}"/>'
    yield f'<g font-size="9" text-anchor="middle" fill="{SOFT}">'
    for row in range(HEIGHT):
        yield f'<text x="10" y="{8 + (HEIGHT - row - 0.35) * RISE:.2f}">{row + 1}</text>'
    for column in range(35):
        yield f'<text x="{MARGIN + (column + 1) * HALF}" y="{height - 8}">{COLUMNS[column]}</text>'
    yield "</g>"


def _triangle(cell: int) -> tuple[Point, Point, Point]:
    """The vertices of a triangle: left, right, and the tip above or below them."""
    row, column = divmod(cell, WIDTH)
    left, bottom = MARGIN + column * HALF, 8 + (HEIGHT - row) * RISE
    base, tip = (bottom, bottom - RISE) if is_up(cell) else (bottom - RISE, bottom)
    return (left, round(base, 2)), (left + 2 * HALF, round(base, 2)), (left + HALF, round(tip, 2))


def _polyline(points: Iterable[Point]) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in points)


def _path(cells: Iterable[int]) -> str:
    return "".join(_triangle_path(cell) for cell in cells)


@cache
def _triangle_path(cell: int) -> str:
    return _polyline(_triangle(cell)) + "Z"


def _centre(cell: int) -> Point:
    points = _triangle(cell)
    return round(sum(x for x, _ in points) / 3, 2), round(sum(y for _, y in points) / 3, 2)


def _outline(cells: Cells) -> str:
    """The edges of a piece that are not between two of its triangles."""
    edges = []
    for cell in cells:
        left, right, tip = _triangle(cell)
        for edge, other in zip(
            ((left, tip), (right, tip), (left, right)), edge_neighbours(cell), strict=True
        ):
            if other not in cells:
                edges.append(_polyline(edge))
    return "".join(edges)


@lru_cache(maxsize=4096)
def _svg_piece(cells: Cells, colour: int) -> str:
    """A piece: its area, its outline, and the mark of its colour on each triangle."""
    fill = FILLS[colour]
    area = f'<path d="{_path(cells)}" fill="{fill}" stroke="{fill}"/>'
    outline = f'<path d="{_outline(cells)}" fill="none" stroke="{INK}" stroke-width="1.5"/>'
    return area + outline + "".join(_svg_mark(*_centre(cell), colour) for cell in cells)


def _svg_mark(x: float, y: float, colour: int) -> str:
    """The mark of a colour: blue a dot, yellow none, red a bar, green a cross."""
    if colour == 0:
        return f'<circle cx="{x}" cy="{y}" r="2.6" fill="{PANEL}"/>'
    if colour == 2:
        return f'<path d="M{x - 4:.2f} {y}h8" stroke="{PANEL}" stroke-width="2.4"/>'
    if colour == 3:
        return f'<path d="M{x - 3.5:.2f} {y}h7M{x} {y - 3.5:.2f}v7" stroke="{PANEL}" stroke-width="2"/>'
    return ""
