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

from tripot.game import BadOption, Dialect, Reached, Rows, Unreadable, ground
from tripot.games.trigon.actions import Action, Lift, Lot, Options, Pass, Place
from tripot.games.trigon.board import (
    COLOURS,
    COLUMNS,
    HEIGHT,
    NAMES,
    NUMBERS,
    PIECES,
    POINTS,
    SHAPES,
    SIDES,
    SIZES,
    STARTS,
    WIDTH,
    Cells,
    beside,
    bits,
    cells_text,
    flat_points,
    members,
    points_up,
    read_cells,
    shape_of,
)
from tripot.games.trigon.rules import OVER, State, colour_of, lots, piece_code, piece_of

KEPT = 64  # how many positions' pictures are kept: everybody at a table looks at the same one
OWN_WORDS = (*COLOURS, "colours", "turn", "out", "last")

# --- Actions -----------------------------------------------------------------------------------


def read(text: str) -> Action:
    """An action from its text. The name of the piece may be left out: its triangles tell it."""
    match text.split():
        case ["lot", colours]:
            return Lot(tuple(_colour(name, text) for name in colours.split(",")))
        case ["lift", place]:
            return Lift(_read_place(place, text))
        case ["pass"]:
            return Pass()
        case [place]:
            return Place(_read_place(place, text))
    raise Unreadable(text, "a move is a piece and its triangles, such as V@q15-r15,n16-q16")


def _colour(name: str, text: str) -> int:
    if name not in COLOURS:
        raise Unreadable(text, f"{name!r} is no colour; there are {', '.join(COLOURS)}")
    return COLOURS.index(name)


def _read_place(place: str, text: str) -> Cells:
    name, at, runs = place.rpartition("@")
    try:
        cells = read_cells(runs.lower())
    except ValueError as error:
        raise Unreadable(text, str(error)) from None
    piece = shape_of(cells)
    if piece is None:
        raise Unreadable(text, f"no piece has the shape of {cells_text(cells)}")
    if at and name.upper() != PIECES[piece]:
        raise Unreadable(text, f"the piece on {cells_text(cells)} is {PIECES[piece]}, not {name!r}")
    return cells


# --- For programs that speak GTP -----------------------------------------------------------------


def dialect(options: Options) -> Dialect:
    """How GTP programs are told of a variant; they know the rules of Blokus Trigon and no others.

    Their triangles have our names, a piece is its triangles with commas, and a colour is its number in
    playing order, whoever plays it. Teams are to them two players with two colours each.
    """
    if options.players == 1:
        raise BadOption(Options, "players", options.players, "TR-12", "gtp")
    if options.players == 3:
        raise BadOption(Options, "players", options.players, "TR-7", "gtp")
    if options.corners:
        raise BadOption(Options, "contact", options.contact, "TR-10", "gtp")
    if options.paired_starts:
        raise BadOption(Options, "start", options.start, "TR-11", "gtp")
    return Dialect(
        variant="Blokus Trigon Two-Player" if options.pairs else "Blokus Trigon",
        colour=lambda state: str(state.turn + 1),
        write=lambda place: ",".join(NAMES[cell] for cell in place.cells),
        read=lambda vertex: Place(_read_place(vertex, vertex)),
    )


# --- Positions ---------------------------------------------------------------------------------


def dump(state: State) -> str:
    """The position text that `load` reads back."""
    words = ["trigon"]
    for colour, name in enumerate(COLOURS):
        laid = [Place(cells) for code, cells in state.pieces_on.items() if colour_of(code) == colour]
        if laid:
            words.append(f"{name}=" + "+".join(map(str, laid)))
    if state.colours:
        words.append("colours=" + ",".join(COLOURS[colour] for colour in state.colours))
    if state.turn != OVER and not state.lot_due and not state.solitaire:
        words.append(f"turn={COLOURS[state.turn]}")
    for name, mask in (("out", state.out), ("last", state.singles)):
        if mask:
            words.append(f"{name}=" + ",".join(COLOURS[colour] for colour in members(mask)))
    return " ".join([*words, *str(state.options).split()])


def load(text: str) -> State:
    """A position from its text, checked: pieces lie as the rules let them, though in any number."""
    words = text.split()
    if words[:1] != ["trigon"]:
        raise Unreadable(text, "a position of this game is `trigon name=value ...`")
    named: dict[str, str] = {}
    for word in words[1:]:
        name, equals, value = word.partition("=")
        if not equals or not value or name in named:
            raise Unreadable(text, f"{word!r} is no new name=value")
        named[name] = value
    own = {name: named.pop(name, "") for name in OWN_WORDS}
    options = Options.read(named)
    if options.players == 1 and any(own[name] for name in ("colours", "turn", "out", "last")):
        raise Unreadable(text, "a figure has no turns")
    state = State(options, colours=_read_lot(own, options, text))
    for colour, name in enumerate(COLOURS):
        if own[name]:
            state = _laid(state, colour, own[name], text)
    turn = _colour(own["turn"], text) if own["turn"] else (state.in_play or (0,))[0]
    state = replace(state, out=_read_colours(own["out"], text), singles=_read_colours(own["last"], text))
    _check_colours(state, turn, text)
    return state.settled(turn)


def _read_lot(own: dict[str, str], options: Options, text: str) -> bytes:
    """The colours of the seats; a position in which something has happened has some."""
    if options.players < 3:
        if own["colours"]:
            raise Unreadable(text, "only three or four players draw lots")
        return b""
    if not own["colours"]:
        return bytes(range(options.players)) if any(own.values()) else b""
    colours = tuple(_colour(name, text) for name in own["colours"].split(","))
    if colours not in lots(options):
        raise Unreadable(text, f"{options.players} players cannot have drawn {own['colours']}")
    return bytes(colours)


def _read_colours(names: str, text: str) -> int:
    return bits(_colour(name, text) for name in names.split(",")) if names else 0


def _laid(state: State, colour: int, pieces: str, text: str) -> State:
    """The state with more pieces of a colour on it."""
    name, cells = COLOURS[colour], bytearray(state.cells)
    if colour not in state.in_play:
        raise Unreadable(text, f"{name} is not played")
    for word in pieces.split("+"):
        place = _read_place(word, text)
        code = piece_code(colour, shape_of(place) or 0)
        if not state.holds(colour, piece_of(code)) or code in cells:
            raise Unreadable(text, f"{name} has no further piece for {word}")
        for cell in place:
            if not state.field >> cell & 1:
                raise Unreadable(text, f"{NAMES[cell]} is not played on")
            if cells[cell]:
                raise Unreadable(text, f"two pieces lie on {NAMES[cell]}")
            cells[cell] = code
    after = replace(state, cells=bytes(cells))
    if not state.solitaire:
        _check_contacts(after, colour, text)
    return after


def _check_contacts(state: State, colour: int, text: str) -> None:
    """TR-2, TR-3, TR-10: a colour's pieces hang together at points, and one of them covers a start."""
    pieces = [cells for code, cells in state.pieces_on.items() if colour_of(code) == colour]
    own, name = state.covered(colour), COLOURS[colour]
    for cells in pieces:
        others = own & ~bits(cells)
        if any(SIDES[cell] & others for cell in cells):
            raise Unreadable(text, f"two {name} pieces share a side at {cells_text(cells)}")
        if state.options.corners and flat_points(cells) & others:
            raise Unreadable(text, f"a {name} piece touches a straight side of {cells_text(cells)}")
    first = next((cells for cells in pieces if bits(cells) & bits(STARTS)), None)
    if first is None:
        raise Unreadable(text, f"{name} covers no starting triangle")
    reached, left = bits(first), [cells for cells in pieces if cells != first]
    while left:
        near = 0
        for cell in members(reached):
            near |= POINTS[cell]
        touching = [cells for cells in left if bits(cells) & near]
        if not touching:
            raise Unreadable(text, f"{name} does not hang together: {cells_text(left[0])} is apart")
        reached |= bits(cell for cells in touching for cell in cells)
        left = [cells for cells in left if cells not in touching]


def _check_colours(state: State, turn: int, text: str) -> None:
    """What is said of the colours beside their pieces."""
    if not state.lot_due and not state.solitaire and turn not in state.in_play:
        raise Unreadable(text, f"{COLOURS[turn]} is not played")
    for colour in members(state.out):
        if colour not in state.in_play or any(True for _ in state.open_places(colour)):
            raise Unreadable(text, f"{COLOURS[colour]} is not out")
    for colour in members(state.singles):
        if state.held(colour):
            raise Unreadable(text, f"{COLOURS[colour]} has not placed all pieces")


# --- Pictures in a terminal --------------------------------------------------------------------

MARKS = "●○▬✚"  # a colour is always told by a mark as well
STYLES = ("white on #2b69b3", "black on #e2ab2e", "white on #c3402b", "white on #2a8757")
SHADES = ("white on #2b69b3", "white on #1d4438", "white on #7a4a1c", "white on #6d3a7c", "white on #444444")
INKS = ("bold #5b93d6", "bold #e2ab2e", "bold #e2725f", "bold #4fb383")  # on a dark window and on a light one
LINES, START, ATTACH, SHARED = "grey50", "bold yellow", "bold yellow", "bold"
CLOSE = 6  # triangles that a colour may need to come to its near ground: a piece


@lru_cache(maxsize=KEPT)
def board(state: State) -> Rows:
    """The board for a terminal, two characters a triangle: `/ \\` points up and `\\ /` points down.

    A piece is one patch of its colour, with its mark on every triangle; `*` is a starting triangle
    still free, `·` a triangle that the next piece may attach to. Below, what each colour has left.
    """
    free = {
        cell: ("*", START) if cell in STARTS and not state.covered(state.turn) else ("·", ATTACH)
        for cell in members(_lit(state))
    }
    return (*_rows(state, free), *_trays(state))


def chart(state: State, reach: Sequence[Reached]) -> Rows:
    """The board as a map: on each free triangle the first letter of the colour whose ground it is.

    It is a capital where one piece may get there, and `=` where two are equally near. Below, how much
    ground each colour has.
    """
    if not reach:
        return board(state)
    owners, near = ground(reach), {each.who: each.steps for each in reach}
    free: dict[int, tuple[str, str]] = {}
    for name, who in owners.items():
        letter = who[0][0].upper() if near[who[0]][name] <= CLOSE else who[0][0]
        free[NUMBERS[name]] = (letter, INKS[COLOURS.index(who[0])]) if len(who) == 1 else ("=", SHARED)
    key: list[tuple[str, str]] = [("   ground: ", "")]
    for each in reach:
        own = sum(who == (each.who,) for who in owners.values())
        key.append((each.who[0].upper(), INKS[COLOURS.index(each.who)]))
        key.append((f" {each.who} {own}  ", ""))
    key += [("=", SHARED), (f" shared {sum(len(who) > 1 for who in owners.values())}", "")]
    return (*_rows(state, free), tuple(key), *_trays(state))


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
            spans.append(("/" if points_up(cell) else "\\", LINES))
        else:
            spans.append((" ", ""))
        if column < WIDTH - 2:
            spans.append(_content(state, cell, free) if here else (" ", ""))
    return tuple(spans)


def _content(state: State, cell: int, free: Mapping[int, tuple[str, str]]) -> tuple[str, str]:
    lies = state.cells[cell]
    if lies:
        letter = PIECES[piece_of(lies)][0]
        mark = letter if state.solitaire else MARKS[colour_of(lies)]
        return mark, _style(state, lies)
    return free.get(cell, (" ", ""))


def _style(state: State, code: int) -> str:
    return SHADES[code % len(SHADES)] if state.solitaire else STYLES[colour_of(code)]


def _lit(state: State) -> int:
    """The cells of which the next piece must cover one."""
    if state.solitaire or state.lot_due or state.turn == OVER:
        return bits(STARTS) if state.lot_due else 0
    return state.attach(state.turn)


def _trays(state: State) -> Iterator[tuple[tuple[str, str], ...]]:
    """A line a colour: whose turn, its mark and name, triangles left, pieces left."""
    if state.solitaire:
        left = _stock_left(state)
        names = " ".join(f"{count}×{name}" if count > 1 else name for name, count in left)
        for at in range(0, max(1, len(names)), 70):
            yield ((f"    {names[at : at + 70]}", ""),)
        return
    for colour in () if state.lot_due else state.in_play:
        held = state.held(colour)
        sign = ">" if colour == state.turn else "x" if state.out >> colour & 1 else " "
        tally = f"{COLOURS[colour]:<7}{sum(SIZES[piece] for piece in held):>4}  "
        names = " ".join(PIECES[piece] for piece in held)
        yield (sign, "bold"), (f" {MARKS[colour]} ", STYLES[colour]), (f" {tally}{names}", "")


def _stock_left(state: State) -> list[tuple[str, int]]:
    counts = [sum(state.holds(colour, piece) for colour in range(4)) for piece in range(len(PIECES))]
    return [(name, count) for name, count in zip(PIECES, counts, strict=True) if count]


# --- Pictures in SVG ---------------------------------------------------------------------------

HALF = 14  # half a side of a triangle in an SVG
RISE = round(HALF * sqrt(3), 2)
MARGIN = 22
INK, PAPER, PANEL, LINE, SOFT, BRASS = "#221d16", "#f5efe3", "#fffdf8", "#ded3bf", "#6d6454", "#a8761c"
NUMBER = 'font-size="11" text-anchor="middle"'
FILLS = ("#2b69b3", "#e2ab2e", "#c3402b", "#2a8757")


def svg(state: State, numbers: dict[int, int] | None = None) -> str:
    """The board as a picture; with `numbers`, by code, pieces carry the number of their move."""
    return "".join(_svg_parts(state, numbers)) if numbers else _plain_svg(state)


@lru_cache(maxsize=KEPT)
def _plain_svg(state: State) -> str:
    return "".join(_svg_parts(state, {}))


def story_svg(start: State, actions: Sequence[Action]) -> str:
    """A played game as a picture: the last position, every piece with the number of its move."""
    state = start
    numbers: dict[int, int] = {}
    for action in actions:
        before, state = state, state.apply(action)
        for code in state.pieces_on.keys() - before.pieces_on.keys():
            numbers[code] = len(numbers) + 1
    return svg(state, numbers)


def piece_svg(piece: int, colour: int = 0) -> str:
    """A piece alone."""
    cells = tuple((row + 1) * WIDTH + column for row, column in SHAPES[piece][0])
    xs, ys = zip(*(point for cell in cells for point in _triangle(cell)), strict=True)
    box = f"{min(xs) - 2} {min(ys) - 2} {max(xs) - min(xs) + 4:.2f} {max(ys) - min(ys) + 4:.2f}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><title>{PIECES[piece]}</title>'
    return head + _svg_piece(cells, colour) + "</svg>"


def _triangle(cell: int) -> tuple[tuple[float, float], ...]:
    """The three points of a triangle in a picture."""
    row, column = divmod(cell, WIDTH)
    left, bottom = MARGIN + column * HALF, 8 + (HEIGHT - row) * RISE
    base, tip = (bottom, bottom - RISE) if points_up(cell) else (bottom - RISE, bottom)
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
        for side, other in zip(((one, tip), (two, tip), (one, two)), beside(cell), strict=True):
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
    yield f'<path d="{_path(members(state.field))}" fill="{ground}" stroke="{LINE}"/>'
    if not state.solitaire:
        free = [cell for cell in STARTS if not state.cells[cell]]
        yield f'<path d="{_path(free)}" fill="{LINE}" stroke="{BRASS}"/>'
    for code, cells in state.pieces_on.items():
        yield f"<g><title>{COLOURS[colour_of(code)]} {Place(cells)}</title>"
        yield _svg_piece(cells, colour_of(code), numbers.get(code, 0))
        yield "</g>"
    for cell in members(_lit(state)):
        x, y = _middle(cell)
        yield f'<circle cx="{x}" cy="{y}" r="2.6" fill="{BRASS}"/>'
    yield f'<g font-size="9" text-anchor="middle" fill="{SOFT}">'
    for row in range(HEIGHT):
        yield f'<text x="10" y="{8 + (HEIGHT - row - 0.35) * RISE:.2f}">{row + 1}</text>'
    for column in range(35):
        yield f'<text x="{MARGIN + (column + 1) * HALF}" y="{height - 8}">{COLUMNS[column]}</text>'
    yield "</g></svg>"


# --- JSON --------------------------------------------------------------------------------------


def page(state: State) -> dict[str, Any]:
    """What a page needs to show the position and to offer the legal actions."""
    playing = state.turn != OVER and not state.lot_due
    return {
        "field": _field_text(state.field),
        "pieces": [
            {
                "colour": COLOURS[colour_of(code)],
                "piece": PIECES[piece_of(code)],
                "cells": [NAMES[c] for c in cells],
            }
            for code, cells in state.pieces_on.items()
        ],
        "colours": [COLOURS[colour] for colour in state.colours],
        "turn": COLOURS[state.turn] if playing else None,
        "out": [COLOURS[colour] for colour in members(state.out)],
        "left": {
            COLOURS[colour]: [PIECES[piece] for piece in state.held(colour)]
            for colour in (() if state.lot_due else state.in_play)
        },
        "scores": {}
        if state.lot_due or state.solitaire
        else {COLOURS[colour]: state.score(colour) for colour in state.in_play},
        "attach": [NAMES[cell] for cell in members(_lit(state))],
        "legal": [*_legal_texts(state)],
    }


@cache
def _field_text(field: int) -> str:
    return cells_text(members(field))


@lru_cache(maxsize=KEPT)
def _legal_texts(state: State) -> tuple[str, ...]:
    return tuple(map(str, state.legal()))
