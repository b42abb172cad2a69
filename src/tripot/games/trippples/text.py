"""Trippples as text and as pictures: actions, positions, the terminal board, SVG and JSON.

A position is one line: the game's key, the board, then `name=value` words in any order.

    trippples q,268,.../.../... pawns=c3,f6 turn=1 neutral=wild

board   eight rows from the top, `/` between them, eight squares a row, `,` between them:
        `268` an arrow tile (keypad digits), `N` neutral, `Q` `O` the starts and `q` `o` the
        finishes of square and round, `.` no tile yet, `~268` a tile that lies face down,
        `?` on a view: a face-down tile nobody has seen
pawns   the squares of the pawns in playing order; without it they stand on their starts
turn    the seat to move, from 1
hand    the tile drawn, while tiles are laid
past    earlier positions that could still recur: the pawns' squares and the seat to move
called  the seat that announced the freeze that ended the game
and any option of the game that is not its default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tripot.game import HIDDEN, OptionError, ParseError, StyledRows
from tripot.games.trippples.actions import (
    Action,
    DrawTile,
    FillBoard,
    LayNeutralTile,
    LayNeutralTiles,
    LayTile,
    Move,
    Options,
    tile_name,
)
from tripot.games.trippples.board import (
    ALL_DIRECTIONS,
    ARROW_TILES,
    ARROWS,
    DIRECTION_STEPS,
    FILES,
    HIDDEN_TILE,
    HOME_TILE,
    KEYPAD_KEYS,
    NEUTRAL,
    NEUTRAL_TILES,
    NO_TILE,
    SQUARE_INDEX,
    SQUARE_NAMES,
    SQUARES,
    is_arrow,
)
from tripot.games.trippples.rules import State, start_tiles

TILES = {tile_name(tile): tile for tile in ARROW_TILES} | {"N": NEUTRAL}
HOMES = ("Q", "O", "q", "o")  # square's and round's start, square's and round's finish
ROWS_FROM_TOP = tuple(tuple(range(row * 8, row * 8 + 8)) for row in range(7, -1, -1))


# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> Action:
    """An action from its text."""
    match text.split():
        case ["zone", squares]:
            return LayNeutralTiles(tuple(_square(name, text) for name in squares.split(",")))
        case ["neutral", square]:
            return LayNeutralTile(_square(square, text))
        case ["fill", tiles]:
            return FillBoard(bytes(_tile(name, text) for name in tiles.split(",")))
        case ["draw", tile]:
            return DrawTile(_tile(tile, text))
        case ["lay", square]:
            return LayTile(_square(square, text))
        case [move]:
            return Move(_square(move.removesuffix("!"), text), move.endswith("!"))
    raise ParseError(text, "a move is a square such as c3, or c3! to announce a freeze")


def _square(name: str, text: str) -> int:
    if name not in SQUARE_INDEX:
        raise ParseError(text, f"{name!r} is no square; squares are a1 to h8")
    return SQUARE_INDEX[name]


def _tile(name: str, text: str) -> int:
    if name not in TILES:
        raise ParseError(text, f"{name!r} is no tile; a tile is three keypad digits such as 268")
    return TILES[name]


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The position text that `parse_state` reads back."""
    words = ["trippples", board_text(state)]
    if NO_TILE not in state.tiles:
        words.append("pawns=" + ",".join(SQUARE_NAMES[pawn] for pawn in state.pawns))
        words.append(f"turn={state.turn + 1}")
    if state.drawn_tile:
        words.append(f"hand={tile_name(state.drawn_tile)}")
    words += str(state.options).split()
    if state.history:
        width = state.options.players + 1
        keys = (state.history[at : at + width] for at in range(0, len(state.history), width))
        words.append("past=" + ",".join(_key_text(key) for key in keys))
    if state.freeze_caller >= 0:
        words.append(f"called={state.freeze_caller + 1}")
    return " ".join(words)


def board_text(state: State) -> str:
    """The board alone, as in `board=` of the options."""
    return "/".join(",".join(_cell_text(state, square) for square in row) for row in ROWS_FROM_TOP)


def _cell_text(state: State, square: int) -> str:
    tile = state.tiles[square]
    if tile == HOME_TILE:
        return HOMES[[*state.options.homes[0], *state.options.homes[1]].index(square)]
    if tile in (NO_TILE, HIDDEN_TILE):
        return "." if tile == NO_TILE else HIDDEN
    return ("~" if state.is_face_down(square) else "") + tile_name(tile)


def _key_text(key: bytes) -> str:
    return "".join(SQUARE_NAMES[pawn] for pawn in key[:-1]) + str(key[-1] + 1)


def parse_state(text: str) -> State:
    """A position from its text, checked: it could have come about on a table."""
    words = text.split()
    if len(words) < 2 or words[0] != "trippples":
        raise ParseError(text, "a position of this game is `trippples BOARD name=value ...`")
    named: dict[str, str] = {}
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if not equals or name in named:
            raise ParseError(text, f"{word!r} is no new name=value")
        named[name] = value
    own = {name: named.pop(name, "") for name in ("pawns", "turn", "hand", "past", "called")}
    options = Options.parse(named)
    tiles, up = _parse_tiles(words[1], options, text)
    if NO_TILE not in tiles or options.layout == "given":
        _check_complete(tiles, text)
    state = State(
        options,
        tiles,
        pawns=_parse_pawns(own["pawns"], options, tiles, text),
        turn=_parse_seat(own["turn"] or "1", options, text),
        drawn_tile=_tile(own["hand"], text) if own["hand"] else NO_TILE,
        revealed=up,
        history=b"".join(_parse_key(key, options, tiles, text) for key in own["past"].split(",") if key),
        freeze_caller=_parse_seat(own["called"], options, text) if own["called"] else -1,
    )
    if NO_TILE in tiles and (own["pawns"] or own["turn"] or own["past"]):
        raise ParseError(text, "pawns do not move before every square has a tile")
    if any(state.is_face_down(pawn) for pawn in state.pawns):
        raise ParseError(text, "the tile under a pawn lies face up")
    if any(state.is_face_down(pawn) for key in state.past_keys() for pawn in key[:-1]):
        raise ParseError(text, "the tiles of past positions lie face up")
    drawn = NO_TILE in tiles and options.layout == "drafted" and not state.neutral_tiles_to_lay
    if state.drawn_tile and not (drawn and is_arrow(state.drawn_tile) and state.drawn_tile in state.unlaid):
        raise ParseError(text, f"the tile {own['hand']} cannot be in hand")
    settled = state.resolved(first=state.turn)
    if state.freeze_caller >= 0 and (not settled.outcome or settled.outcome.reason.clause != "TP-8"):
        raise ParseError(text, "a freeze was called, but a pawn can move")
    if state.freeze_caller >= 0 and (state.freeze_caller != state.turn or not options.freeze):
        raise ParseError(text, "only the last to move can have called the freeze, with freeze=on")
    return settled


def parse_board(text: str, options: Options) -> bytes:
    """TP-1: a given layout, complete and face up."""
    try:
        tiles, _ = _parse_tiles(text, options, text)
        _check_complete(tiles, text)
    except ParseError as error:
        raise OptionError(Options, "board", text, "TP-1", "unread", why=error.reason) from None
    return tiles


def _parse_tiles(text: str, options: Options, whole: str) -> tuple[bytes, int]:
    """The tiles and which of them lie face up."""
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [8] * 8:
        raise ParseError(whole, "a board has 8 rows with / between, of 8 squares with , between")
    starts, finishes = options.homes
    home = dict(zip((*starts, *finishes), HOMES, strict=True))
    tiles, up = bytearray(SQUARES), 0
    for row, squares in zip(rows, ROWS_FROM_TOP, strict=True):
        for cell, square in zip(row, squares, strict=True):
            name = SQUARE_NAMES[square]
            if square in home or cell in HOMES:
                if cell != home.get(square):
                    wanted = home.get(square, "no home")
                    raise ParseError(whole, f"{name} must be {wanted} with these options, not {cell!r}")
                tiles[square] = HOME_TILE
                continue
            if cell.startswith(("~", HIDDEN)):
                if not options.face_down:
                    raise ParseError(whole, f"{name} lies face down, which needs tiles=face-down")
            elif options.face_down and cell != ".":
                up |= 1 << square
            special = {".": NO_TILE, HIDDEN: HIDDEN_TILE}
            cell = cell.removeprefix("~")
            tiles[square] = special[cell] if cell in special else _tile(cell, whole)
    arrows = [tile for tile in tiles if is_arrow(tile)]
    if len(set(arrows)) < len(arrows):
        twice = next(tile for tile in arrows if arrows.count(tile) > 1)
        raise ParseError(whole, f"the tile {tile_name(twice)} lies twice")
    if tiles.count(NEUTRAL) > NEUTRAL_TILES:
        raise ParseError(whole, "there are only four neutral tiles")
    if NO_TILE in tiles and HIDDEN_TILE in tiles:
        raise ParseError(whole, "nothing is hidden before every square has a tile")
    begun = start_tiles(options)
    known = NO_TILE in tiles or options.face_down  # a full board that all can see may lie as it likes
    elsewhere = NEUTRAL in begun.values() and any(tiles[at] == NEUTRAL for at in {*range(SQUARES)} - {*begun})
    if known and (elsewhere or any(tiles[at] not in (tile, HIDDEN_TILE) for at, tile in begun.items())):
        raise ParseError(whole, "with zone=centre the neutral tiles lie in the middle")
    return bytes(tiles), up


def _check_complete(tiles: bytes, text: str) -> None:
    unseen = tiles.count(HIDDEN_TILE)
    if NO_TILE in tiles or (not unseen and tiles.count(NEUTRAL) != NEUTRAL_TILES):
        raise ParseError(text, "a full board has 56 arrow tiles and four neutral ones")


def _parse_pawns(text: str, options: Options, tiles: bytes, whole: str) -> bytes:
    starts, finishes = options.homes
    if not text:
        return bytes(starts[seat % 2] for seat in range(options.players))
    pawns = bytes(_square(name, whole) for name in text.split(","))
    if len(pawns) != options.players:
        raise ParseError(whole, f"{options.players} pawns are needed, not {len(pawns)}")
    for seat, pawn in enumerate(pawns):
        home = pawn in (starts[seat % 2], finishes[seat % 2])
        if not (home or is_arrow(tiles[pawn]) or (options.wild and tiles[pawn] == NEUTRAL)):
            raise ParseError(whole, f"the pawn of seat {seat + 1} cannot stand on {SQUARE_NAMES[pawn]}")
        if pawn != starts[seat % 2] and pawns.count(pawn) > 1:
            raise ParseError(whole, f"two pawns stand on {SQUARE_NAMES[pawn]}")
    return pawns


def _parse_seat(text: str, options: Options, whole: str) -> int:
    if text not in [str(seat + 1) for seat in range(options.players)]:
        raise ParseError(whole, f"{text!r} is no seat; seats are 1 to {options.players}")
    return int(text) - 1


def _parse_key(text: str, options: Options, tiles: bytes, whole: str) -> bytes:
    if len(text) != 2 * options.players + 1:
        raise ParseError(whole, f"{text!r} is no past position: the pawns' squares, then the seat to move")
    squares = ",".join(text[at : at + 2] for at in range(0, len(text) - 1, 2))
    pawns = _parse_pawns(squares, options, tiles, whole)
    if any(pawn in options.homes[1] for pawn in pawns):
        raise ParseError(whole, f"{text!r} is no past position: a pawn on its finish ends the game")
    return pawns + bytes([_parse_seat(text[-1:], options, whole)])


# --- Pictures ----------------------------------------------------------------------------------

PAWNS = "■●"
OUTLINES = "□○"
SHADES = ("grey89 on grey19", "grey89 on grey23")
TARGET = "grey100 on dark_green"


def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal: each square three lines high, its arrows where they point.

    The arrows that bind the seat to move are bright, and the squares it may enter are green.
    """
    targets, binding = _lit(state)
    rows: list[tuple[tuple[str, str], ...]] = []
    for row in ROWS_FROM_TOP:
        cells = [_cell(state, square) for square in row]
        for line in range(3):
            spans = [(f"{row[0] // 8 + 1} " if line == 1 else "  ", "bold")]
            for square, cell in zip(row, cells, strict=True):
                shade = TARGET if square in targets else SHADES[(square // 8 + square) % 2]
                style = f"bold yellow {shade[shade.index('on') :]}" if square in binding else shade
                spans.append((cell[line], style))
            rows.append(tuple(spans))
    rows.append((("  " + "".join(f"   {file}   " for file in FILES), "bold"),))
    return tuple(rows)


def _lit(state: State) -> tuple[set[int], set[int]]:
    """The squares that the seat to move may enter, and those whose arrows bind it."""
    if state.outcome or NO_TILE in state.tiles:
        return set(), set()
    opponents = [pawn for seat, pawn in enumerate(state.pawns) if seat % 2 != state.turn % 2]
    return set(state.target_squares(state.turn)), set(opponents)


def _cell(state: State, square: int) -> tuple[str, str, str]:
    """Three lines of seven characters."""
    tile, starts, finishes = state.tiles[square], *state.options.homes
    standing = [
        PAWNS[seat % 2] + (str(seat // 2 + 1) if len(state.pawns) > 2 else "")
        for seat, pawn in enumerate(state.pawns)
        if pawn == square and NO_TILE not in state.tiles
    ]
    middle = " ".join(standing)
    if tile == HOME_TILE:
        team = starts.index(square) if square in starts else finishes.index(square)
        return (
            ("start" if square in starts else "finish").center(7),
            (middle or OUTLINES[team]).center(7),
            " " * 7,
        )
    if tile == NEUTRAL and not state.is_face_down(square):
        return "░" * 7, f"░{middle.center(5, '░')}░", "░" * 7
    if tile in (NO_TILE, HIDDEN_TILE) or state.is_face_down(square):
        return " " * 7, ("·" if tile == NO_TILE else HIDDEN).center(7), " " * 7
    at = {
        step: arrow if tile >> bit & 1 else " "
        for bit, (step, arrow) in enumerate(zip(DIRECTION_STEPS, ARROWS, strict=True))
    }
    top, bottom = (" {} {} {} ".format(*(at[right, up] for right in (-1, 0, 1))) for up in (1, -1))
    return top, f" {at[-1, 0]}{middle.center(3)}{at[1, 0]} ", bottom


SIZE = 64  # of a square in an SVG
INK, PAPER, PANEL, LINE, SOFT, BRASS = "#221d16", "#f5efe3", "#fffdf8", "#ded3bf", "#6d6454", "#a8761c"
ARROW = "M32 26V9M28 13L32 8L36 13"  # to the north, in the square of a tile
HOLLOW = 'fill="none"'
RING = f'{HOLLOW} stroke="{BRASS}" stroke-width="3"'
COLOURS = ("#2b69b3", "#c3402b")  # square's and round's glass


def draw_svg(state: State) -> str:
    """The board as a picture, with the same lights as in a terminal."""
    return "".join(_svg_parts(state))


def _svg_parts(state: State) -> Iterator[str]:
    side = SIZE * 8 + 32
    targets, binding = _lit(state)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" font-family="Georgia,serif">'
    yield f'<rect width="{side}" height="{side}" fill="{PAPER}"/>'
    for square in range(SQUARES):
        left, top = 24 + square % 8 * SIZE, 8 + (7 - square // 8) * SIZE
        yield f'<g transform="translate({left} {top})"><title>{SQUARE_NAMES[square]}</title>'
        yield from _svg_tile(state, square, lit=square in binding)
        if square in targets:
            yield f'<rect x="4" y="4" width="56" height="56" rx="8" {RING}/>'
        yield "</g>"
    if NO_TILE not in state.tiles:
        for seat, pawn in enumerate(state.pawns):
            beside = 14 * (seat // 2) - 7 if list(state.pawns).count(pawn) > 1 else 0
            x, y = 24 + pawn % 8 * SIZE + SIZE // 2 + beside, 8 + (7 - pawn // 8) * SIZE + SIZE // 2
            shape = (
                f'<rect x="{x - 15}" y="{y - 15}" width="30" height="30" rx="3"'
                if seat % 2 == 0
                else f'<circle cx="{x}" cy="{y}" r="16"'
            )
            yield f'{shape} fill="{COLOURS[seat % 2]}" fill-opacity=".62" stroke="{INK}"/>'
    yield f'<g font-size="14" text-anchor="middle" fill="{SOFT}">'
    for line in range(8):
        middle = line * SIZE + SIZE // 2
        yield f'<text x="12" y="{8 + middle + 5}">{8 - line}</text>'
        yield f'<text x="{24 + middle}" y="{side - 6}">{FILES[line]}</text>'
    yield "</g>"
    yield "</svg>"


def _svg_tile(state: State, square: int, lit: bool) -> Iterator[str]:
    tile, starts, finishes = state.tiles[square], *state.options.homes
    down = tile == HIDDEN_TILE or state.is_face_down(square)
    fill = {NO_TILE: PAPER, NEUTRAL: LINE}.get(tile, PANEL) if not down else SOFT
    yield f'<rect x="2" y="2" width="60" height="60" rx="9" fill="{fill}" stroke="{LINE}"/>'
    if tile == HOME_TILE:
        homes = starts if square in starts else finishes
        colour, solid = COLOURS[homes.index(square)], ".3" if square in starts else "0"
        shape = (
            '<rect x="12" y="12" width="40" height="40" rx="4"'
            if square == homes[0]
            else '<circle cx="32" cy="32" r="21"'
        )
        yield f'{shape} fill="{colour}" fill-opacity="{solid}" stroke="{colour}" stroke-width="4"/>'
    elif is_arrow(tile) and not down:
        colour = BRASS if lit else INK
        pen = f'stroke="{colour}" stroke-width="{4.5 if lit else 3}" stroke-linecap="round"'
        for bit in range(8):
            if tile >> bit & 1:
                yield f'<path transform="rotate({45 * bit} 32 32)" d="{ARROW}" {HOLLOW} {pen}/>'


# --- JSON --------------------------------------------------------------------------------------


def view_json(state: State) -> dict[str, Any]:
    """What a page needs to show the position and to offer the legal actions."""
    starts, finishes = state.options.homes
    moving = NO_TILE not in state.tiles
    arrows = state.allowed_directions(state.turn) if moving and not state.outcome else 0
    return {
        "board": [_page_tile(state, square) for square in range(SQUARES)],
        "starts": [SQUARE_NAMES[square] for square in starts],
        "finishes": [SQUARE_NAMES[square] for square in finishes],
        "pawns": [SQUARE_NAMES[pawn] for pawn in state.pawns] if moving else [],
        "hand": tile_name(state.drawn_tile) if state.drawn_tile else None,
        "arrows": list(KEYPAD_KEYS) if arrows == ALL_DIRECTIONS else list(tile_name(arrows)),
        "legal": [str(action) for action in state.legal_actions()],
    }


def _page_tile(state: State, square: int) -> str | None:
    """A tile's name, `?` face down, or None for a home or a square without a tile."""
    tile = state.tiles[square]
    if tile in (NO_TILE, HOME_TILE):
        return None
    return HIDDEN if tile == HIDDEN_TILE or state.is_face_down(square) else tile_name(tile)
