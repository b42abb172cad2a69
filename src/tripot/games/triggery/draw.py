"""The boards of Triggery for a terminal and as SVG."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from tripot.drawing import (
    ACCENT,
    BLUE,
    INK,
    LINE,
    PANEL,
    PAPER,
    SOFT,
    YELLOW,
    Row,
    Span,
    svg_document,
    svg_labels,
)
from tripot.game import StyledRows
from tripot.games.triggery.actions import Fill, StartRoll, budget, dice_name
from tripot.games.triggery.board import CELL_NAMES, CELLS, COLUMNS, NO_TILE, SIDES, STAR

if TYPE_CHECKING:
    from tripot.games.triggery.rules import State


def _affordable_cells(state: State, is_playing: bool) -> Collection[int]:
    """The tiles that the player may turn over; none if bonuses are taken by hand, without help (TG-11)."""
    return state.costs() if is_playing and state.throw and not state.options.by_hand else ()


def _score_text(state: State, side: int) -> str:
    """A side, its rounds won and its points lost; of a player alone, the number of throws and their sum."""
    if state.options.solo:
        return f"throws {len(state.sheet) + bool(state.throw)}  sum {state.throw_sum}"
    return f"{SIDES[side]}  won {state.won[side]}  lost {state.lost[side]}"


def _status_line(state: State) -> str:
    """The round, the dice, the budget and what is left of it."""
    words = [] if state.options.solo else [f"round {state.round}"]
    if len(state.throw) == 2:
        words.append(f"throw {dice_name(state.throw)}")
    if state.throw:
        words.append(f"budget {budget(state.throw)}")
    if state.throw and not state.outcome:
        words.append(f"left {state.budget_left}")
    return "   ".join(words)


# --- Terminal ----------------------------------------------------------------------------------

TILE_STYLES: Final = ("bold white on blue", "bold black on yellow")
DOWN_STYLES: Final = ("blue", "yellow")
BOARD_WIDTH: Final = 32  # columns
GAP: Final = 8  # columns between two boards, or between a board and the sheet
SHEET_LINES: Final = 11  # rows of the sheet
SHEET_COLUMNS: Final = 3


def draw_terminal(state: State) -> StyledRows:
    """The boards for a terminal, blue's on the left.

    Tiles that are turned over are shaded, those of this turn darker. Tiles that the player may turn over are
    underlined, unless bonuses are taken by hand.
    """
    right = _sheet_rows(state) if state.options.solo else _board_rows(state, 1)
    pairs = zip_longest(_board_rows(state, 0), right, fillvalue=())
    rows = [(*left_row, (" " * GAP, ""), *right_row) for left_row, right_row in pairs]
    return (*rows, (("  " + _status_line(state), "bold"),))


def _board_rows(state: State, side: int) -> list[Row]:
    """The board that a side plays."""
    is_starting = state.pending_chance in (Fill, StartRoll)
    is_playing = state.side == side and state.outcome is None and not is_starting
    board = state.board_of(side)
    title = f"{'▶' if is_playing else ' '} {_score_text(state, side)}"
    rows: list[Row] = [((f"{title:<{BOARD_WIDTH}}", f"bold {DOWN_STYLES[side]}"),)]
    rows.append((("  " + "".join(f" {column}   " for column in COLUMNS), "dim"),))
    affordable = _affordable_cells(state, is_playing)
    for row in range(6):
        spans = [(f"{row + 1} ", "dim")]
        for cell in range(row * 6, row * 6 + 6):
            spans += [_tile_span(state, board, cell, is_playing, cell in affordable), (" ", "")]
        rows += [tuple(spans), ((" " * BOARD_WIDTH, ""),)]
    return rows[:-1]


def _tile_span(state: State, board: int, cell: int, is_playing: bool, is_affordable: bool) -> Span:
    """A tile in four characters."""
    tile = state.tiles[board][cell]
    if tile == NO_TILE:
        return " ·  ", "dim"
    if not state.face_up[board] >> cell & 1:
        return "▓▓▓▓" if is_playing and state.flipped >> cell & 1 else "░░░░", DOWN_STYLES[board]
    name = "★" if tile == STAR else str(tile)
    return f"{name:^4}", TILE_STYLES[board] + (" underline" if is_affordable else "")


def _sheet_rows(state: State) -> list[Row]:
    """TG-12: the throws of a player alone, in columns; of a long game the last ones."""
    throws = [*state.sheet, *([state.throw] if state.throw else [])]
    points = [budget(throw) for throw in throws]
    if state.last_throw_points >= 0:
        points[-1] = state.last_throw_points
    entries = [
        f"{number:>3} {dice_name(throw):>3} {throw_points:>3}  "
        for number, (throw, throw_points) in enumerate(zip(throws, points, strict=True), 1)
    ][-SHEET_COLUMNS * SHEET_LINES :]
    columns = [entries[start : start + SHEET_LINES] for start in range(0, len(entries), SHEET_LINES)]
    return [(), (), *((("".join(row), ""),) for row in zip_longest(*columns, fillvalue=""))]


COMPACT_WIDTH: Final = 33  # columns of one board with borders
COMPACT_GAP: Final = 3


def draw_compact(state: State, columns: int, lines: int | None) -> StyledRows:  # noqa: ARG001 - always low
    """The boards with borders, readable without colours; side by side, or one above the other in 33 columns.

    Tiles that the player may turn over are in brackets, unless bonuses are taken by hand.
    """
    status: Row = (("  " + _status_line(state).replace("   ", "  "), "bold"),)
    if state.options.solo:
        sheet = [*_compact_sheet(state)]
        if columns >= COMPACT_WIDTH + COMPACT_GAP + max([0, *map(len, sheet)]):
            left = _compact_board(state, 0, has_borders=True)
            pairs = zip_longest(left, [(), (), *(((line, ""),) for line in sheet)], fillvalue=())
            return (*((*row, (" " * COMPACT_GAP, ""), *other) for row, other in pairs), status)
        return (*_compact_board(state, 0, has_borders=True), status)
    if columns >= 2 * COMPACT_WIDTH + COMPACT_GAP:
        boards = [_compact_board(state, side, has_borders=True) for side in range(2)]
        return (
            *((*row, (" " * COMPACT_GAP, ""), *other) for row, other in zip(*boards, strict=True)),
            status,
        )
    return (*_compact_board(state, 0, False), *_compact_board(state, 1, False), status)


def _compact_board(state: State, side: int, has_borders: bool) -> list[Row]:
    is_starting = state.pending_chance in (Fill, StartRoll)
    is_playing = state.side == side and state.outcome is None and not is_starting
    board = state.board_of(side)
    affordable = _affordable_cells(state, is_playing)
    title = f"{'▶' if is_playing else ' '} {_score_text(state, side)}"
    border: Row = (("  " + "+----" * 6 + "+", "dim"),)
    rows: list[Row] = [((f"{title:<{COMPACT_WIDTH}}", "bold"),)]
    rows.append(((f"{'  ' + ''.join(f'  {column}  ' for column in COLUMNS):<{COMPACT_WIDTH}}", "dim"),))
    for row in range(6):
        cells = range(row * 6, row * 6 + 6)
        texts = "|".join(_compact_tile(state, board, cell, is_playing, cell in affordable) for cell in cells)
        rows += [border] if has_borders else []
        rows.append(((f"{row + 1} ", "bold"), (f"|{texts}|", "")))
    return [*rows, border] if has_borders else rows


def _compact_tile(state: State, board: int, cell: int, is_playing: bool, is_affordable: bool) -> str:
    """A tile in four characters: `[12]` if the player may turn it over, `xx` if turned in this turn."""
    tile = state.tiles[board][cell]
    if tile == NO_TILE:
        return "    "
    if not state.face_up[board] >> cell & 1:
        return " xx " if is_playing and state.flipped >> cell & 1 else " ·· "
    name = "★" if tile == STAR else str(tile)
    return f"[{name:>2}]" if is_affordable else f" {name:>2} "


def _compact_sheet(state: State) -> Iterator[str]:
    for row in _sheet_rows(state)[2:]:
        yield "".join(text for text, _ in row).rstrip()


# --- SVG ---------------------------------------------------------------------------------------

SIZE: Final = 56  # pixels per cell
BOARD_PITCH: Final = 6 * SIZE + 40  # pixels from one board to the next
BOARD_COLOURS: Final = (BLUE, YELLOW)
STAR_SHAPE: Final = "M28 9l5 14h15l-12 9 5 15-13-9-13 9 5-15-12-9h15z"


def draw_svg(state: State) -> str:
    """The boards as SVG, blue's on the left."""
    width, height = state.options.boards * BOARD_PITCH + 8, 6 * SIZE + 72
    return svg_document(width, height, _svg_parts(state, width, height), 'text-anchor="middle"')


def _svg_parts(state: State, width: int, height: int) -> Iterator[str]:
    for side in range(state.options.boards):
        yield f'<g transform="translate({28 + side * BOARD_PITCH} 28)">'
        yield from _svg_board(state, side)
        yield "</g>"
    caption = f'x="{width // 2}" y="{height - 14}" font-size="16" fill="{INK}"'
    yield f"<text {caption}>{_status_line(state)}</text>"


def _svg_board(state: State, side: int) -> Iterator[str]:
    """The board that a side plays, its coordinates and its score."""
    board = state.board_of(side)
    is_playing = state.side == side and bool(state.throw) and state.outcome is None
    affordable = _affordable_cells(state, is_playing)
    middles, style = [line * SIZE + SIZE // 2 for line in range(6)], 'font-size="13"'
    yield svg_labels(style, ((middle, -8, COLUMNS[line]) for line, middle in enumerate(middles)))
    yield svg_labels(style, ((-12, middle + 5, str(line + 1)) for line, middle in enumerate(middles)))
    for cell in range(CELLS):
        is_flipped_now = is_playing and bool(state.flipped >> cell & 1)
        border = ACCENT if cell in affordable or is_flipped_now else LINE
        place = f'transform="translate({cell % 6 * SIZE} {cell // 6 * SIZE})"'
        yield f"<g {place}><title>{CELL_NAMES[cell]}</title>{_svg_tile(state, board, cell, border)}</g>"
    caption = f'x="{3 * SIZE}" y="{6 * SIZE + 18}" font-size="15" fill="{SOFT}"'
    yield f"<text {caption}>{_score_text(state, side)}</text>"


def _svg_tile(state: State, board: int, cell: int, border: str) -> str:
    """A tile: its number or star, or the colour of its board and a small triangle if it is turned over."""
    tile, is_face_up = state.tiles[board][cell], state.face_up[board] >> cell & 1
    fill = PANEL if is_face_up else BOARD_COLOURS[board] if tile != NO_TILE else PAPER
    if not is_face_up:
        face = f'<path d="M28 21l8 14h-16z" fill="{PANEL}" fill-opacity=".7"/>' if tile != NO_TILE else ""
    elif tile == STAR:
        face = f'<path d="{STAR_SHAPE}" fill="{BOARD_COLOURS[board]}"/>'
    else:
        face = f'<text x="28" y="36" font-size="24" fill="{INK}">{tile}</text>'
    pen = f'fill="{fill}" stroke="{border}" stroke-width="2"'
    return f'<rect x="2" y="2" width="52" height="52" rx="9" {pen}/>{face}'
