"""Trigon as text and as pictures: actions, positions, the terminal board, SVG and JSON.

A position is one line: the game's key, then `name=value` words in any order.

    trigon blue=V@q15-r15,n16-q16+1@s17 yellow=I6@z7-ae7 colours=red,blue,green,yellow turn=red

blue, yellow, red, green   the pieces that lie, `+` between them
colours  the colour of each seat, as drawn by lot; without it, once pieces lie, in playing order
turn     the colour to play; without it the first that can
out      the colours that were found unable to play
last     the colours whose last piece of all was the single triangle
and any option of the game that is not its default.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from math import sqrt
from typing import Any

from tripot.game import DistanceMap, GtpDialect, OptionError, ParseError, StyledRows, territory
from tripot.games.trigon.actions import Action, DrawColours, Lift, Options, Pass, Place
from tripot.games.trigon.board import (
    CELL_INDEX,
    CELL_NAMES,
    COLOURS,
    COLUMNS,
    EDGE_NEIGHBOURS,
    HEIGHT,
    PIECE_NAMES,
    PIECE_SIZES,
    SHAPES,
    STARTS,
    VERTEX_NEIGHBOURS,
    WIDTH,
    Cells,
    cells_of,
    cells_text,
    edge_neighbours,
    flat_vertex_cells,
    is_up,
    mask_of,
    parse_cells,
    piece_of_cells,
)
from tripot.games.trigon.rules import NO_COLOUR, State, colour_draws, colour_of, piece_code, piece_of

CACHED_DRAWINGS = 64  # how many positions' pictures are kept: everybody at a table looks at the same one
POSITION_WORDS = (*COLOURS, "colours", "turn", "out", "last")

# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> Action:
    """An action from its text. The name of the piece may be left out: its triangles tell it."""
    match text.split():
        case ["lot", colours]:
            return DrawColours(tuple(_colour(name, text) for name in colours.split(",")))
        case ["lift", place]:
            return Lift(_parse_place(place, text))
        case ["pass"]:
            return Pass()
        case [place]:
            return Place(_parse_place(place, text))
    raise ParseError(text, "a move is a piece and its triangles, such as V@q15-r15,n16-q16")


def _colour(name: str, text: str) -> int:
    if name not in COLOURS:
        raise ParseError(text, f"{name!r} is no colour; there are {', '.join(COLOURS)}")
    return COLOURS.index(name)


def _parse_place(place: str, text: str) -> Cells:
    name, at, runs = place.rpartition("@")
    try:
        cells = parse_cells(runs.lower())
    except ValueError as error:
        raise ParseError(text, str(error)) from None
    piece = piece_of_cells(cells)
    if piece is None:
        raise ParseError(text, f"no piece has the shape of {cells_text(cells)}")
    if at and name.upper() != PIECE_NAMES[piece]:
        raise ParseError(text, f"the piece on {cells_text(cells)} is {PIECE_NAMES[piece]}, not {name!r}")
    return cells


# --- For programs that speak GTP -----------------------------------------------------------------


def gtp_dialect(options: Options) -> GtpDialect:
    """How GTP programs are told of a variant; they know the rules of Blokus Trigon and no others.

    Their triangles have our names, a piece is its triangles with commas, and a colour is its number in
    playing order, whoever plays it. Teams are to them two players with two colours each.
    """
    if options.players == 1:
        raise OptionError(Options, "players", options.players, "TR-12", "gtp")
    if options.players == 3:
        raise OptionError(Options, "players", options.players, "TR-7", "gtp")
    if options.corners_only:
        raise OptionError(Options, "contact", options.contact, "TR-10", "gtp")
    if options.paired_starts:
        raise OptionError(Options, "start", options.start, "TR-11", "gtp")
    return GtpDialect(
        game_name="Blokus Trigon Two-Player" if options.is_paired else "Blokus Trigon",
        colour_of=lambda state: str(state.turn + 1),
        vertex_text=lambda place: ",".join(CELL_NAMES[cell] for cell in place.cells),
        parse_vertex=lambda vertex: Place(_parse_place(vertex, vertex)),
    )


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The position text that `parse_state` reads back."""
    words = ["trigon"]
    for colour, name in enumerate(COLOURS):
        laid = [Place(cells) for code, cells in state.pieces_on_board.items() if colour_of(code) == colour]
        if laid:
            words.append(f"{name}=" + "+".join(map(str, laid)))
    if state.colours:
        words.append("colours=" + ",".join(COLOURS[colour] for colour in state.colours))
    if state.turn != NO_COLOUR and not state.needs_colour_draw and not state.solitaire:
        words.append(f"turn={COLOURS[state.turn]}")
    for name, mask in (("out", state.blocked), ("last", state.single_last)):
        if mask:
            words.append(f"{name}=" + ",".join(COLOURS[colour] for colour in cells_of(mask)))
    return " ".join([*words, *str(state.options).split()])


def parse_state(text: str) -> State:
    """A position from its text, checked: pieces lie as the rules let them, though in any number."""
    words = text.split()
    if words[:1] != ["trigon"]:
        raise ParseError(text, "a position of this game is `trigon name=value ...`")
    named: dict[str, str] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals or not value or name in named:
            raise ParseError(text, f"{word!r} is no new name=value")
        named[name] = value
    own = {name: named.pop(name, "") for name in POSITION_WORDS}
    options = Options.parse(named)
    if options.players == 1 and any(own[name] for name in ("colours", "turn", "out", "last")):
        raise ParseError(text, "a figure has no turns")
    state = State(options, colours=_parse_lot(own, options, text))
    for colour, name in enumerate(COLOURS):
        if own[name]:
            state = _with_pieces(state, colour, own[name], text)
    turn = _colour(own["turn"], text) if own["turn"] else (state.in_play or (0,))[0]
    state = replace(
        state, blocked=_parse_colours(own["out"], text), single_last=_parse_colours(own["last"], text)
    )
    _check_colours(state, turn, text)
    return state.resolved(turn)


def _parse_lot(own: dict[str, str], options: Options, text: str) -> bytes:
    """The colours of the seats; a position in which something has happened has some."""
    if options.players < 3:
        if own["colours"]:
            raise ParseError(text, "only three or four players draw lots")
        return b""
    if not own["colours"]:
        return bytes(range(options.players)) if any(own.values()) else b""
    colours = tuple(_colour(name, text) for name in own["colours"].split(","))
    if colours not in colour_draws(options):
        raise ParseError(text, f"{options.players} players cannot have drawn {own['colours']}")
    return bytes(colours)


def _parse_colours(names: str, text: str) -> int:
    return mask_of(_colour(name, text) for name in names.split(",")) if names else 0


def _with_pieces(state: State, colour: int, pieces: str, text: str) -> State:
    """The state with more pieces of a colour on it."""
    name, cells = COLOURS[colour], bytearray(state.cells)
    if colour not in state.in_play:
        raise ParseError(text, f"{name} is not played")
    for word in pieces.split("+"):
        place = _parse_place(word, text)
        code = piece_code(colour, piece_of_cells(place) or 0)
        if not state.has_piece(colour, piece_of(code)) or code in cells:
            raise ParseError(text, f"{name} has no further piece for {word}")
        for cell in place:
            if not state.field >> cell & 1:
                raise ParseError(text, f"{CELL_NAMES[cell]} is not played on")
            if cells[cell]:
                raise ParseError(text, f"two pieces lie on {CELL_NAMES[cell]}")
            cells[cell] = code
    after = replace(state, cells=bytes(cells))
    if not state.solitaire:
        _check_contacts(after, colour, text)
    return after


def _check_contacts(state: State, colour: int, text: str) -> None:
    """TR-2, TR-3, TR-10: a colour's pieces hang together at points, and one of them covers a start."""
    pieces = [cells for code, cells in state.pieces_on_board.items() if colour_of(code) == colour]
    own, name = state.covered(colour), COLOURS[colour]
    for cells in pieces:
        others = own & ~mask_of(cells)
        if any(EDGE_NEIGHBOURS[cell] & others for cell in cells):
            raise ParseError(text, f"two {name} pieces share a side at {cells_text(cells)}")
        if state.options.corners_only and flat_vertex_cells(cells) & others:
            raise ParseError(text, f"a {name} piece touches a straight side of {cells_text(cells)}")
    first = next((cells for cells in pieces if mask_of(cells) & mask_of(STARTS)), None)
    if first is None:
        raise ParseError(text, f"{name} covers no starting triangle")
    reached, left = mask_of(first), [cells for cells in pieces if cells != first]
    while left:
        near = 0
        for cell in cells_of(reached):
            near |= VERTEX_NEIGHBOURS[cell]
        touching = [cells for cells in left if mask_of(cells) & near]
        if not touching:
            raise ParseError(text, f"{name} does not hang together: {cells_text(left[0])} is apart")
        reached |= mask_of(cell for cells in touching for cell in cells)
        left = [cells for cells in left if cells not in touching]


def _check_colours(state: State, turn: int, text: str) -> None:
    """What is said of the colours beside their pieces."""
    if not state.needs_colour_draw and not state.solitaire and turn not in state.in_play:
        raise ParseError(text, f"{COLOURS[turn]} is not played")
    for colour in cells_of(state.blocked):
        if colour not in state.in_play or any(True for _ in state.legal_placements(colour)):
            raise ParseError(text, f"{COLOURS[colour]} is not out")
    for colour in cells_of(state.single_last):
        if state.pieces_left(colour):
            raise ParseError(text, f"{COLOURS[colour]} has not placed all pieces")


# --- Pictures in a terminal --------------------------------------------------------------------

MARKS = "●○▬✚"  # a colour is always told by a mark as well
STYLES = ("white on #2b69b3", "black on #e2ab2e", "white on #c3402b", "white on #2a8757")
SHADES = ("white on #2b69b3", "white on #1d4438", "white on #7a4a1c", "white on #6d3a7c", "white on #444444")
INKS = ("bold #5b93d6", "bold #e2ab2e", "bold #e2725f", "bold #4fb383")  # on a dark window and on a light one
LINES, START, ATTACH, SHARED = "grey50", "bold yellow", "bold yellow", "bold"
ONE_PIECE_DISTANCE = 6  # triangles that a colour may need to come to its near ground: a piece


@lru_cache(maxsize=CACHED_DRAWINGS)
def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal, two characters a triangle: `/ \\` points up and `\\ /` points down.

    A piece is one patch of its colour, with its mark on every triangle; `*` is a starting triangle
    still free, `·` a triangle that the next piece may attach to. Below, what each colour has left.
    """
    free = {
        cell: ("*", START) if cell in STARTS and not state.covered(state.turn) else ("·", ATTACH)
        for cell in cells_of(_highlighted_cells(state))
    }
    return (*_rows(state, free), *_piece_lists(state))


def draw_terminal_map(state: State, reach: Sequence[DistanceMap]) -> StyledRows:
    """The board as a map: on each free triangle the first letter of the colour whose ground it is.

    It is a capital where one piece may get there, and `=` where two are equally near. Below, how much
    ground each colour has.
    """
    if not reach:
        return draw_terminal(state)
    owners, near = territory(reach), {each.owner: each.distances for each in reach}
    free: dict[int, tuple[str, str]] = {}
    for name, who in owners.items():
        letter = who[0][0].upper() if near[who[0]][name] <= ONE_PIECE_DISTANCE else who[0][0]
        free[CELL_INDEX[name]] = (letter, INKS[COLOURS.index(who[0])]) if len(who) == 1 else ("=", SHARED)
    key: list[tuple[str, str]] = [("   ground: ", "")]
    for each in reach:
        own = sum(who == (each.owner,) for who in owners.values())
        key.append((each.owner[0].upper(), INKS[COLOURS.index(each.owner)]))
        key.append((f" {each.owner} {own}  ", ""))
    key += [("=", SHARED), (f" shared {sum(len(who) > 1 for who in owners.values())}", "")]
    return (*_rows(state, free), tuple(key), *_piece_lists(state))


def _rows(state: State, free: Mapping[int, tuple[str, str]]) -> Iterator[tuple[tuple[str, str], ...]]:
    """The rows of the board and the letters below them, with what is shown on free cells."""
    shown = [row for row in range(HEIGHT) if state.field >> row * WIDTH & (1 << WIDTH) - 1]
    for row in reversed(shown):
        yield _row(state, row, free)
    letters = ["".join(f" {column[:1]}" for column in COLUMNS[:35])]
    letters.append("".join(f" {column[1:] or ' '}" for column in COLUMNS[:35]))
    for line in letters:
        yield ((f"   {line}", "bold"),)


def _row(state: State, row: int, free: Mapping[int, tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    spans, field = [(f"{row + 1:>2} ", "bold")], state.field
    for column in range(WIDTH - 1):
        cell = row * WIDTH + column
        here, before = field >> cell & 1, column and field >> cell - 1 & 1
        lies = state.cells[cell]
        if here and before and lies and state.cells[cell - 1] == lies:
            spans.append((" ", _style(state, lies)))
        elif here or before:
            spans.append(("/" if is_up(cell) else "\\", LINES))
        else:
            spans.append((" ", ""))
        if column < WIDTH - 2:
            spans.append(_content(state, cell, free) if here else (" ", ""))
    return tuple(spans)


def _content(state: State, cell: int, free: Mapping[int, tuple[str, str]]) -> tuple[str, str]:
    lies = state.cells[cell]
    if lies:
        letter = PIECE_NAMES[piece_of(lies)][0]
        mark = letter if state.solitaire else MARKS[colour_of(lies)]
        return mark, _style(state, lies)
    return free.get(cell, (" ", ""))


def _style(state: State, code: int) -> str:
    return SHADES[code % len(SHADES)] if state.solitaire else STYLES[colour_of(code)]


def _highlighted_cells(state: State) -> int:
    """The cells of which the next piece must cover one."""
    if state.solitaire or state.needs_colour_draw or state.turn == NO_COLOUR:
        return mask_of(STARTS) if state.needs_colour_draw else 0
    return state.attach_cells(state.turn)


def _piece_lists(state: State) -> Iterator[tuple[tuple[str, str], ...]]:
    """A line a colour: whose turn, its mark and name, triangles left, pieces left."""
    if state.solitaire:
        left = _pieces_left_text(state)
        names = " ".join(f"{count}×{name}" if count > 1 else name for name, count in left)
        for at in range(0, max(1, len(names)), 70):
            yield ((f"    {names[at : at + 70]}", ""),)
        return
    for colour in () if state.needs_colour_draw else state.in_play:
        held = state.pieces_left(colour)
        sign = ">" if colour == state.turn else "x" if state.blocked >> colour & 1 else " "
        tally = f"{COLOURS[colour]:<7}{sum(PIECE_SIZES[piece] for piece in held):>4}  "
        names = " ".join(PIECE_NAMES[piece] for piece in held)
        yield (sign, "bold"), (f" {MARKS[colour]} ", STYLES[colour]), (f" {tally}{names}", "")


def _pieces_left_text(state: State) -> list[tuple[str, int]]:
    counts = [sum(state.has_piece(colour, piece) for colour in range(4)) for piece in range(len(PIECE_NAMES))]
    return [(name, count) for name, count in zip(PIECE_NAMES, counts, strict=True) if count]


# --- Pictures in SVG ---------------------------------------------------------------------------

HALF = 14  # half a side of a triangle in an SVG
RISE = round(HALF * sqrt(3), 2)
MARGIN = 22
INK, PAPER, PANEL, LINE, SOFT, BRASS = "#221d16", "#f5efe3", "#fffdf8", "#ded3bf", "#6d6454", "#a8761c"
NUMBER = 'font-size="11" text-anchor="middle"'
FILLS = ("#2b69b3", "#e2ab2e", "#c3402b", "#2a8757")


def draw_svg(state: State, numbers: dict[int, int] | None = None) -> str:
    """The board as a picture; with `numbers`, by code, pieces carry the number of their move."""
    return "".join(_svg_parts(state, numbers)) if numbers else _plain_svg(state)


@lru_cache(maxsize=CACHED_DRAWINGS)
def _plain_svg(state: State) -> str:
    return "".join(_svg_parts(state, {}))


def numbered_game_svg(start: State, actions: Sequence[Action]) -> str:
    """A played game as a picture: the last position, every piece with the number of its move."""
    state = start
    numbers: dict[int, int] = {}
    for action in actions:
        before, state = state, state.apply(action)
        for code in state.pieces_on_board.keys() - before.pieces_on_board.keys():
            numbers[code] = len(numbers) + 1
    return draw_svg(state, numbers)


def piece_svg(piece: int, colour: int = 0) -> str:
    """A piece alone."""
    cells = tuple((row + 1) * WIDTH + column for row, column in SHAPES[piece][0])
    xs, ys = zip(*(point for cell in cells for point in _triangle(cell)), strict=True)
    box = f"{min(xs) - 2} {min(ys) - 2} {max(xs) - min(xs) + 4:.2f} {max(ys) - min(ys) + 4:.2f}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><title>{PIECE_NAMES[piece]}</title>'
    return head + _svg_piece(cells, colour) + "</svg>"


def _triangle(cell: int) -> tuple[tuple[float, float], ...]:
    """The three points of a triangle in a picture."""
    row, column = divmod(cell, WIDTH)
    left, bottom = MARGIN + column * HALF, 8 + (HEIGHT - row) * RISE
    base, tip = (bottom, bottom - RISE) if is_up(cell) else (bottom - RISE, bottom)
    return (left, round(base, 2)), (left + 2 * HALF, round(base, 2)), (left + HALF, round(tip, 2))


def _path(cells: Iterable[int]) -> str:
    return "".join(_triangle_path(cell) for cell in cells)


@cache
def _triangle_path(cell: int) -> str:
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in _triangle(cell)) + "Z"


def _middle(cell: int) -> tuple[float, float]:
    points = _triangle(cell)
    return round(sum(x for x, _ in points) / 3, 2), round(sum(y for _, y in points) / 3, 2)


def _outline(cells: Cells) -> str:
    """The sides of a piece that no two of its triangles share."""
    sides = []
    for cell in cells:
        one, two, tip = _triangle(cell)
        for side, other in zip(((one, tip), (two, tip), (one, two)), edge_neighbours(cell), strict=True):
            if other not in cells:
                sides.append("M" + "L".join(f"{x:g} {y:g}" for x, y in side))
    return "".join(sides)


@lru_cache(maxsize=4096)
def _svg_piece(cells: Cells, colour: int, number: int = 0) -> str:
    return "".join(_svg_piece_parts(cells, colour, number))


def _svg_piece_parts(cells: Cells, colour: int, number: int) -> Iterator[str]:
    yield f'<path d="{_path(cells)}" fill="{FILLS[colour]}" stroke="{FILLS[colour]}"/>'
    yield f'<path d="{_outline(cells)}" fill="none" stroke="{INK}" stroke-width="1.5"/>'
    for cell in cells:
        x, y = _middle(cell)
        if number and cell == cells[len(cells) // 2]:
            yield f'<text x="{x}" y="{y + 4:.2f}" {NUMBER} fill="{PANEL}">{number}</text>'
        elif not number and colour == 0:
            yield f'<circle cx="{x}" cy="{y}" r="2.6" fill="{PANEL}"/>'
        elif not number and colour == 2:
            yield f'<path d="M{x - 4:.2f} {y}h8" stroke="{PANEL}" stroke-width="2.4"/>'
        elif not number and colour == 3:
            yield f'<path d="M{x - 3.5:.2f} {y}h7M{x} {y - 3.5:.2f}v7" stroke="{PANEL}" stroke-width="2"/>'


def _svg_parts(state: State, numbers: dict[int, int]) -> Iterator[str]:
    width, height = round(2 * MARGIN + 36 * HALF), round(16 + HEIGHT * RISE + 14)
    box = f'viewBox="0 0 {width} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="Georgia,serif">'
    yield f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    ground = SOFT if state.solitaire else PANEL
    yield f'<path d="{_path(cells_of(state.field))}" fill="{ground}" stroke="{LINE}"/>'
    if not state.solitaire:
        free = [cell for cell in STARTS if not state.cells[cell]]
        yield f'<path d="{_path(free)}" fill="{LINE}" stroke="{BRASS}"/>'
    for code, cells in state.pieces_on_board.items():
        yield f"<g><title>{COLOURS[colour_of(code)]} {Place(cells)}</title>"
        yield _svg_piece(cells, colour_of(code), numbers.get(code, 0))
        yield "</g>"
    for cell in cells_of(_highlighted_cells(state)):
        x, y = _middle(cell)
        yield f'<circle cx="{x}" cy="{y}" r="2.6" fill="{BRASS}"/>'
    yield f'<g font-size="9" text-anchor="middle" fill="{SOFT}">'
    for row in range(HEIGHT):
        yield f'<text x="10" y="{8 + (HEIGHT - row - 0.35) * RISE:.2f}">{row + 1}</text>'
    for column in range(35):
        yield f'<text x="{MARGIN + (column + 1) * HALF}" y="{height - 8}">{COLUMNS[column]}</text>'
    yield "</g></svg>"


# --- JSON --------------------------------------------------------------------------------------


def view_json(state: State) -> dict[str, Any]:
    """What a page needs to show the position and to offer the legal actions."""
    playing = state.turn != NO_COLOUR and not state.needs_colour_draw
    return {
        "field": _field_text(state.field),
        "pieces": [
            {
                "colour": COLOURS[colour_of(code)],
                "piece": PIECE_NAMES[piece_of(code)],
                "cells": [CELL_NAMES[c] for c in cells],
            }
            for code, cells in state.pieces_on_board.items()
        ],
        "colours": [COLOURS[colour] for colour in state.colours],
        "turn": COLOURS[state.turn] if playing else None,
        "out": [COLOURS[colour] for colour in cells_of(state.blocked)],
        "left": {
            COLOURS[colour]: [PIECE_NAMES[piece] for piece in state.pieces_left(colour)]
            for colour in (() if state.needs_colour_draw else state.in_play)
        },
        "scores": {}
        if state.needs_colour_draw or state.solitaire
        else {COLOURS[colour]: state.score(colour) for colour in state.in_play},
        "attach": [CELL_NAMES[cell] for cell in cells_of(_highlighted_cells(state))],
        "legal": [*_legal_texts(state)],
    }


@cache
def _field_text(field: int) -> str:
    return cells_text(cells_of(field))


@lru_cache(maxsize=CACHED_DRAWINGS)
def _legal_texts(state: State) -> tuple[str, ...]:
    return tuple(map(str, state.legal_actions()))
