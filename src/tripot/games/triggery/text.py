"""Triggery as text and as pictures: actions, positions, the terminal boards, SVG and JSON.

A position is one line: the game's key, the board or boards, then `name=value` words in any order.

    triggery 20,?,?,16,?,?/1,?,2,?,?,24/... players=1 budget=3

board      six rows from the top, `/` between them, six cells a row, `,` between them: `20` an open
           number, `*` an open star, `-20` and `-*` turned ones, `?` a turned one nobody knows,
           `_` no tile yet. One board is a player alone; two are blue's and yellow's
throw      the dice of this turn, `5-6`; or `budget`, any number instead of dice (TG-13)
left       what is left of the budget; all of it if not said
turned     the cells turned in this turn
side       the side that plays, or for whom the dice are thrown next: blue if not said
first      the side that threw first in round one; without it, and without dice, a die each decides
rota       the member of each side who plays its next turn, from 1
won, lost  the rounds won and the points lost, blue's and yellow's
forgotten  the lines that can be pointed at
anew       `yes` while the throw of this turn stands for a rejected one
sheet      the throws of the turns before, of a player alone
needed     the points that the last throw needed, once a player alone has finished
and any option of the game that is not its default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from tripot.game import HIDDEN, HiddenInformationError, ParseError, StyledRows
from tripot.games.triggery.actions import (
    TILES,
    Action,
    Dice,
    Done,
    Fill,
    Flip,
    Malus,
    Options,
    Reject,
    StartRoll,
    Throw,
    budget,
    dice_name,
    tile_name,
)
from tripot.games.triggery.board import (
    CELL_INDEX,
    CELL_NAMES,
    CELLS,
    COLUMNS,
    HIDDEN_TILE,
    LINE_NAMES,
    LINE_NUMBERS,
    LINES,
    NO_TILE,
    SIDES,
    STAR,
    cells_of,
    line_names,
    lines_of,
)
from tripot.games.triggery.rules import State

# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> Action:
    """An action from its text."""
    match text.split():
        case ["fill", side, names]:
            return Fill(_side(side, text), bytes(_tile(name, text) for name in names.split(",")))
        case ["contest", dice]:
            return StartRoll(_dice(dice, text))
        case ["throw", dice]:
            return Throw(_dice(dice, text))
        case ["turn", cell]:
            return Flip(_cell(cell, text))
        case ["malus", line, cell]:
            return Malus(_line(line, text), _cell(cell, text))
        case ["done"]:
            return Done()
        case ["reject"]:
            return Reject()
    raise ParseError(text, "an action is such as `turn c4`, `done`, `malus 4 c4` or `reject`")


def _cell(name: str, text: str) -> int:
    if name not in CELL_INDEX:
        raise ParseError(text, f"{name!r} is no cell; cells are a1 to f6, a1 at the top left")
    return CELL_INDEX[name]


def _line(name: str, text: str) -> int:
    if name not in LINE_NUMBERS:
        raise ParseError(text, f"{name!r} is no line; lines are {', '.join(LINE_NAMES)}")
    return LINE_NUMBERS[name]


def _tile(name: str, text: str) -> int:
    if name not in TILES:
        raise ParseError(text, f"{name!r} is no tile; a tile is a number from 1 to 99, or * for a star")
    return TILES[name]


def _side(name: str, text: str) -> int:
    if name not in SIDES:
        raise ParseError(text, f"{name!r} is no side; the sides are {' and '.join(SIDES)}")
    return SIDES.index(name)


def _dice(name: str, text: str) -> Dice:
    if not re.fullmatch("[1-6]-[1-6]", name):
        raise ParseError(text, f"{name!r} is no throw; two dice are written 5-6")
    return int(name[0]), int(name[2])


def _throw(name: str, text: str) -> Dice:
    """Dice, or a budget without dice."""
    return _dice(name, text) if "-" in name else (_number(name, text),)


def _number(name: str, text: str, most: int = 999) -> int:
    if not re.fullmatch("[0-9]{1,6}", name) or int(name) > most:
        raise ParseError(text, f"{name!r} is no number from 0 to {most}")
    return int(name)


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The position text that `parse_state` reads back."""
    words = ["triggery", *(_board_text(*each) for each in zip(state.tiles, state.face_up, strict=True))]
    named = {
        "side": SIDES[state.side] if state.first >= 0 else "",
        "first": SIDES[state.first] if state.first >= 0 else "",
        "rota": _pair(state.next_member, 1) if any(state.next_member) else "",
        "throw": dice_name(state.throw) if len(state.throw) == 2 else "",
        "budget": str(state.throw[0]) if len(state.throw) == 1 else "",
        "left": str(state.budget_left)
        if state.budget_left != budget(state.throw) and state.last_throw_points < 0
        else "",
        "turned": ",".join(CELL_NAMES[cell] for cell in cells_of(state.flipped)),
        "forgotten": line_names(state.missed_lines),
        "anew": "yes" if state.is_reroll else "",
        "won": _pair(state.won) if any(state.won) else "",
        "lost": _pair(state.lost) if any(state.lost) else "",
        "sheet": ",".join(map(dice_name, state.sheet)),
        "needed": str(state.last_throw_points) if state.last_throw_points >= 0 else "",
    }
    words += [f"{name}={value}" for name, value in named.items() if value]
    return " ".join([*words, *str(state.options).split()])


def _pair(two: tuple[int, int], more: int = 0) -> str:
    return f"{two[0] + more},{two[1] + more}"


def _board_text(tiles: bytes, up: int) -> str:
    names = [_cell_text(tile, bool(up >> cell & 1)) for cell, tile in enumerate(tiles)]
    return "/".join(",".join(names[row : row + 6]) for row in range(0, CELLS, 6))


def _cell_text(tile: int, up: bool) -> str:
    if tile in (NO_TILE, HIDDEN_TILE):
        return "_" if tile == NO_TILE else HIDDEN
    return ("" if up else "-") + tile_name(tile)


OWN = ("side", "first", "rota", "throw", "budget", "left", "turned", "forgotten", "anew", "won", "lost")
SOLO = ("sheet", "needed")


def parse_state(text: str) -> State:
    """A position from its text, checked: nothing in it contradicts the rest."""
    words = text.split()
    texts = [word for word in words[1:3] if "=" not in word]
    if words[:1] != ["triggery"] or not texts:
        raise ParseError(text, "a position of this game is `triggery BOARD [BOARD] name=value ...`")
    named: dict[str, str] = {} if len(texts) == 2 else {"players": "1"}
    for word in words[1 + len(texts) :]:
        name, equals, value = word.partition("=")
        if not equals or not value or (name in named and word != "players=1"):
            raise ParseError(text, f"{word!r} is no new name=value")
        named[name] = value
    own = {name: named.pop(name, "") for name in (*OWN, *SOLO)}
    options = Options.parse(named)
    if len(texts) != options.boards:
        raise ParseError(text, f"{options.players} players need {options.boards} boards, not {len(texts)}")
    tiles, up = zip(*(_parse_board(each, text) for each in texts), strict=True)
    state = _parse_words(State(options, tiles, up), own, text)
    _check(state, text)
    if not state.throw or state.last_throw_points >= 0:
        return state
    try:
        return state.resolved()
    except HiddenInformationError as error:
        raise ParseError(text, f"the round would be over, but {error}") from None


def _parse_board(text: str, whole: str) -> tuple[bytes, int]:
    """The tiles and which of them are open."""
    rows = [row.split(",") for row in text.split("/")]
    if [len(row) for row in rows] != [6] * 6:
        raise ParseError(whole, "a board has 6 rows with / between, of 6 cells with , between")
    names = [name for row in rows for name in row]
    special = {"_": NO_TILE, HIDDEN: HIDDEN_TILE}
    tiles = bytes(special[n] if n in special else _tile(n.removeprefix("-"), whole) for n in names)
    if NO_TILE in tiles and any(tiles):
        raise ParseError(whole, "a board is filled, or it is not")
    return tiles, sum(1 << cell for cell, name in enumerate(names) if name in TILES)


def _parse_words(state: State, own: dict[str, str], text: str) -> State:
    """The rest of a state. The boards are there already."""

    def pair(name: str, most: int, less: int = 0) -> tuple[int, int]:
        two = [_number(each, text, most) - less for each in own[name].split(",")] if own[name] else [0, 0]
        if len(two) != 2 or min(two) < 0:
            raise ParseError(text, f"{name} needs a number each for blue and yellow")
        return two[0], two[1]

    throw: Dice = _dice(own["throw"], text) if own["throw"] else ()
    if own["budget"]:
        if throw:
            raise ParseError(text, "either dice or a budget")
        throw = (_number(own["budget"], text),)
    side = _side(own["side"], text) if own["side"] else 0
    first = _side(own["first"], text) if own["first"] else -1
    if first < 0 and (throw or own["side"]) and not state.options.solo:
        first = 1 - side
    left = _number(own["left"], text) if own["left"] else budget(throw)
    needed = _number(own["needed"], text, most=9999) if own["needed"] else -1
    if own["anew"] not in ("", "yes"):
        raise ParseError(text, "anew is yes, or left out")
    return State(
        state.options, state.tiles, state.face_up, first, side,
        next_member=pair("rota", 2, less=1) if own["rota"] else (0, 0),
        throw=throw,
        budget_left=0 if needed >= 0 else left,
        flipped=sum({1 << _cell(name, text) for name in own["turned"].split(",") if name}),
        missed_lines=sum({1 << _line(name, text) for name in own["forgotten"].split(",") if name}),
        is_reroll=own["anew"] == "yes",
        won=pair("won", 2),
        lost=pair("lost", 99_999),
        sheet=tuple(_throw(each, text) for each in own["sheet"].split(",") if each),
        last_throw_points=needed,
    )  # fmt: skip


def _check(state: State, text: str) -> None:
    """Raise what contradicts itself in a position."""
    options, bare = state.options, State(state.options, state.tiles, state.face_up)
    clear = [NO_TILE not in tiles and not up for tiles, up in zip(state.tiles, state.face_up, strict=True)]
    over = state.last_throw_points >= 0 or sum(state.won) == 2
    hidden = zip(state.tiles, options.given_boards or state.tiles, strict=True)
    pointable = all(LINES[line] & ~state.face_up[state.claim_board] for line in lines_of(state.missed_lines))
    contradictions = {
        "a given board has other tiles": any(
            tile not in (HIDDEN_TILE, known) for pair in hidden for tile, known in zip(*pair, strict=True)
        ),
        "before the boards are filled and a die each is thrown, nothing else has happened": (
            state.pending_chance in (Fill, StartRoll) and state != bare
        ),
        "a player alone has no other side": options.solo
        and (state.first, state.side, state.next_member, state.won, state.lost) != (-1, 0, *((0, 0),) * 3),
        "only a player alone has a sheet": not options.solo
        and (state.is_reroll or state.sheet != () or state.last_throw_points >= 0),
        "a game has two rounds": sum(state.won) > 2,
        "a board is clear exactly if its side has won the last round": clear
        != [over and board == state.current_board for board in range(options.boards)],
        "a game that is over has no turn": over and (state.flipped, state.missed_lines) != (0, 0),
        "the last throw of a player alone stays": bool(state.throw) != options.solo and over,
        "the member of a side that plays next is not there": any(
            member >= max(1, options.teams.count(side)) for side, member in enumerate(state.next_member)
        ),
        "more is left than the budget": state.budget_left > budget(state.throw),
        "something was paid, but nothing was turned": (
            not state.flipped and not over and state.budget_left != budget(state.throw)
        ),
        "a tile turned in this turn is open": state.flipped & state.face_up[state.current_board] != 0,
        "tiles are turned only with dice": state.flipped != 0 and not state.throw,
        "the row of known dice says otherwise": state.known_throw not in ((), state.throw)
        and state.throw != (),
        "no throw of the row was rejected": state.is_reroll and len(state.sheet) >= len(options.known_dice),
        "nothing can be forgotten": state.missed_lines != 0
        and (not options.by_hand or state.flipped != 0 or (options.solo and state.throw != ())),
        "a forgotten line has no turned tile": not pointable,
    }
    for reason, wrong in contradictions.items():
        if wrong:
            raise ParseError(text, reason)


# --- Pictures ----------------------------------------------------------------------------------

TILE_STYLES = ("bold white on blue", "bold black on yellow")
DOWN_STYLES = ("blue", "yellow")
GAP = 8  # columns between two boards, or a board and the sheet
SHEET_LINES = 11


def draw_terminal(state: State) -> StyledRows:
    """The boards for a terminal, blue's on the left; turned tiles are shaded, those of this turn darker.

    Tiles that the player may turn are underlined, unless bonuses are taken by hand: then nobody helps.
    """
    right = _sheet_rows(state) if state.options.solo else _board_rows(state, 1)
    both = zip_longest(_board_rows(state, 0), right, fillvalue=())
    rows = [(*one, (" " * GAP, ""), *two) for one, two in both]
    return (*rows, ((_status_line(state), "bold"),))


def _board_rows(state: State, side: int) -> list[tuple[tuple[str, str], ...]]:
    """The board that a side plays, 32 columns wide."""
    playing = state.side == side and state.outcome is None and state.pending_chance not in (Fill, StartRoll)
    which = state.board_of(side)
    head = f"{'▶' if playing else ' '} {_score(state, side)}"
    rows: list[tuple[tuple[str, str], ...]] = [((f"{head:<32}", f"bold {DOWN_STYLES[side]}"),)]
    rows.append((("  " + "".join(f" {column}   " for column in COLUMNS), "dim"),))
    lit = set(state.costs()) if playing and state.throw and not state.options.by_hand else set()
    for row in range(6):
        spans = [(f"{row + 1} ", "dim")]
        for cell in range(row * 6, row * 6 + 6):
            spans += [_tile_span(state, which, cell, playing, cell in lit), (" ", "")]
        rows += [tuple(spans), ((" " * 32, ""),)]
    return rows[:-1]


def _tile_span(state: State, which: int, cell: int, playing: bool, lit: bool) -> tuple[str, str]:
    """Four characters."""
    tile = state.tiles[which][cell]
    if tile == NO_TILE:
        return " ·  ", "dim"
    if not state.face_up[which] >> cell & 1:
        return "▓▓▓▓" if playing and state.flipped >> cell & 1 else "░░░░", DOWN_STYLES[which]
    name = "★" if tile == STAR else str(tile)
    return f"{name:^4}", TILE_STYLES[which] + (" underline" if lit else "")


def _sheet_rows(state: State) -> list[tuple[tuple[str, str], ...]]:
    """TG-12: the throws of a player alone, in columns; of a long game the last ones."""
    throws = [*state.sheet, *([state.throw] if state.throw else [])]
    points = [budget(throw) for throw in throws]
    if state.last_throw_points >= 0:
        points[-1] = state.last_throw_points
    lines_ = [
        f"{number:>3} {dice_name(throw):>3} {point:>3}  "
        for number, (throw, point) in enumerate(zip(throws, points, strict=True), 1)
    ][-3 * SHEET_LINES :]
    columns = [lines_[at : at + SHEET_LINES] for at in range(0, len(lines_), SHEET_LINES)]
    rows = zip_longest(*columns, fillvalue="")
    return [(), (), *((("".join(row), ""),) for row in rows)]


def _status_line(state: State) -> str:
    """The round, the dice and what is left."""
    words = [] if state.options.solo else [f"round {state.round}"]
    if len(state.throw) == 2:
        words.append(f"throw {dice_name(state.throw)}")
    if state.throw:
        words.append(f"budget {budget(state.throw)}")
    if state.throw and not state.outcome:
        words.append(f"left {state.budget_left}")
    return "  " + "   ".join(words)


SIZE = 56  # of a cell in an SVG
INK, PAPER, PANEL, LINE, SOFT, BRASS = "#221d16", "#f5efe3", "#fffdf8", "#ded3bf", "#6d6454", "#a8761c"
COLOURS = ("#2b69b3", "#e2ab2e")  # of the boards
STAR_SHAPE = "M28 9l5 14h15l-12 9 5 15-13-9-13 9 5-15-12-9h15z"


def draw_svg(state: State) -> str:
    """The boards as a picture, blue's on the left."""
    return "".join(_svg_parts(state))


def _svg_parts(state: State) -> Iterator[str]:
    width, height = state.options.boards * (6 * SIZE + 40) + 8, 6 * SIZE + 72
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    yield ' font-family="Georgia,serif" text-anchor="middle">'
    yield f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    for side in range(state.options.boards):
        yield f'<g transform="translate({28 + side * (6 * SIZE + 40)} 28)">'
        yield from _svg_board(state, side)
        yield "</g>"
    caption = f'x="{width // 2}" y="{height - 14}" font-size="16" fill="{INK}"'
    yield f"<text {caption}>{_status_line(state).strip()}</text>"
    yield "</svg>"


def _svg_board(state: State, side: int) -> Iterator[str]:
    which = state.board_of(side)
    playing = state.side == side and bool(state.throw) and state.outcome is None
    lit = set(state.costs()) if playing and not state.options.by_hand else set()
    yield f'<g font-size="13" fill="{SOFT}">'
    for line in range(6):
        middle = line * SIZE + SIZE // 2
        yield f'<text x="{middle}" y="-8">{COLUMNS[line]}</text>'
        yield f'<text x="-12" y="{middle + 5}">{line + 1}</text>'
    yield "</g>"
    for cell in range(CELLS):
        now = playing and bool(state.flipped >> cell & 1)
        edge = BRASS if cell in lit or now else LINE
        place = f'transform="translate({cell % 6 * SIZE} {cell // 6 * SIZE})"'
        yield f"<g {place}><title>{CELL_NAMES[cell]}</title>{_svg_tile(state, which, cell, edge)}</g>"
    caption = f'x="{3 * SIZE}" y="{6 * SIZE + 18}" font-size="15" fill="{SOFT}"'
    yield f"<text {caption}>{_score(state, side)}</text>"


def _svg_tile(state: State, which: int, cell: int, edge: str) -> str:
    """An open tile shows what it is, a turned one the colour of its board with a small triangle."""
    tile, up = state.tiles[which][cell], state.face_up[which] >> cell & 1
    fill = PANEL if up else COLOURS[which] if tile != NO_TILE else PAPER
    if not up:
        face = f'<path d="M28 21l8 14h-16z" fill="{PANEL}" fill-opacity=".7"/>' if tile != NO_TILE else ""
    elif tile == STAR:
        face = f'<path d="{STAR_SHAPE}" fill="{COLOURS[which]}"/>'
    else:
        face = f'<text x="28" y="36" font-size="24" fill="{INK}">{tile}</text>'
    pen = f'fill="{fill}" stroke="{edge}" stroke-width="2"'
    return f'<rect x="2" y="2" width="52" height="52" rx="9" {pen}/>{face}'


def _score(state: State, side: int) -> str:
    """A side's name, and what it has won and lost; of a player alone, the throws and their sum."""
    if state.options.solo:
        return f"throws {len(state.sheet) + bool(state.throw)}  sum {state.throw_sum}"
    return f"{SIDES[side]}  won {state.won[side]}  lost {state.lost[side]}"


# --- JSON --------------------------------------------------------------------------------------


def view_json(state: State) -> dict[str, Any]:
    """What a page needs to show the position and to offer the legal actions.

    A tile is its number, `*`, `?` once it is turned, or None before the board is filled. `flip_costs`
    and `chains` help only where the game takes the bonuses itself.
    """
    playing = bool(state.throw) and state.outcome is None
    costs = state.costs() if playing and not state.options.by_hand else {}
    return {
        "boards": [
            [_page_tile(tile, up >> cell & 1) for cell, tile in enumerate(tiles)]
            for tiles, up in zip(state.tiles, state.face_up, strict=True)
        ],
        "plays": [state.board_of(side) for side in range(state.options.boards)],
        "side": state.side,
        "round": state.round,
        "throw": list(state.throw),
        "budget": budget(state.throw),
        "left": state.budget_left,
        "turned": [CELL_NAMES[cell] for cell in cells_of(state.flipped)],
        "costs": {CELL_NAMES[cell]: cost for cell, cost in costs.items()},
        "chains": {
            CELL_NAMES[cell]: [CELL_NAMES[each] for each in state.chain_after(cell)] for cell in costs
        },
        "may_point": playing and state.options.by_hand and not state.options.solo and not state.flipped,
        "may_reject": playing and bool(state.known_throw) and not state.flipped,
        "sheet": [[dice_name(throw), budget(throw)] for throw in state.sheet],
        "sum": state.throw_sum,
        "won": list(state.won),
        "lost": list(state.lost),
        "legal": [str(action) for action in state.legal_actions()],
    }


def _page_tile(tile: int, up: int) -> int | str | None:
    if tile == NO_TILE:
        return None
    return HIDDEN if not up else "*" if tile == STAR else tile
