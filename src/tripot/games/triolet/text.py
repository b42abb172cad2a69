"""Triolet as text and as pictures: actions, positions, the terminal board, SVG and JSON.

A position is one line: the game's key, the tokens on the board, then `name=value` words in any order.

    triolet H8=5,H9=J7,G9=4 racks=0,3,J/?,?,? scores=24,41 turn=2

board   every token as in a move, with commas between; `-` while the board is empty
racks   the tokens of each seat, seats with `/` between, `?` for a token not seen, `-` for an empty
        rack; without it nobody's rack is known
scores  the points of each seat; without it none
turn    the seat to play, from 1; while tokens are to be drawn, the one that is next. Without it lots
        are still to be drawn if all racks and the board are empty; else it is seat 1
given   in an exchange: the tokens that go back once the new ones are drawn
and any option of the game that is not its default.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tripot.game import HIDDEN, HiddenInformationError, IllegalActionError, ParseError, StyledRows
from tripot.games.triolet.actions import (
    Action,
    DrawFirstSeat,
    DrawTokens,
    Exchange,
    Options,
    Place,
    PlacedToken,
    tokens_text,
)
from tripot.games.triolet.board import (
    BIS,
    BLOCKS,
    CENTRE,
    FACTORS,
    HIDDEN_TOKEN,
    IS_JOKER,
    JOKER,
    LETTERS,
    MIN_BAG_TO_EXCHANGE,
    NEIGHBOUR_MASKS,
    RACK_SIZE,
    SIZE,
    SQUARE_NAMES,
    SQUARES,
    TOKEN_COUNTS,
    TRIO_SUM,
    cell_name,
    occupied_mask,
    token_name,
    value_of,
)
from tripot.games.triolet.rules import State, check_lines

TOKEN_NUMBERS = {str(value): value for value in range(TRIO_SUM + 1)} | {"J": JOKER}
LAID = re.compile(r"([A-Za-z])([1-9][0-9]?)=([Jj]?)([0-9]{1,2})?")


# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> Action:
    """An action from its text."""
    match text.split():
        case ["lots", seat]:
            return DrawFirstSeat(_number(seat, text) - 1)
        case ["draw", seat, tokens]:
            return DrawTokens(_number(seat, text) - 1, _tokens(tokens, text))
        case ["exchange", tokens]:
            return Exchange(_tokens(tokens, text))
        case [first, *_] as words if "=" in first:
            return Place(tuple(_laid(word, text) for word in words))
    raise ParseError(text, "a move is tokens on squares such as `H8=5 H9=J7`, or `exchange 3,5`")


def _laid(word: str, text: str) -> PlacedToken:
    """A token on its square. What is off the board, or a joker without a value, is for the rules."""
    found = LAID.fullmatch(word)
    if not found or not (found[3] or found[4]):
        raise ParseError(text, f"{word!r} is no token on a square; those are like H8=5 and H8=J7")
    letter, column, joker, value = found.groups()
    if not joker and int(value) > TRIO_SUM:
        raise ParseError(text, f"there is no token {value}; there are 0 to {TRIO_SUM} and J")
    row = ord(letter.upper()) - ord("A")
    return PlacedToken(row, int(column) - 1, int(value) if value else -1, bool(joker))


def _number(word: str, text: str) -> int:
    if not re.fullmatch("[1-9]", word):
        raise ParseError(text, f"{word!r} is no seat; seats are 1 to 4")
    return int(word)


def _tokens(word: str, text: str, hidden: bool = False) -> bytes:
    """Tokens with commas between; `?` only where some may be hidden."""
    known = TOKEN_NUMBERS | ({HIDDEN: HIDDEN_TOKEN} if hidden else {})
    for name in word.split(","):
        if name not in known:
            raise ParseError(
                text, f"{name!r} is no token; there are 0 to {TRIO_SUM} and J, with commas between"
            )
    return bytes(sorted(known[name] for name in word.split(",")))


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The position text that `parse_state` reads back."""
    laid = [f"{SQUARE_NAMES[square]}={cell_name(cell)}" for square, cell in enumerate(state.cells) if cell]
    words = ["triolet", ",".join(laid) or "-"]
    words.append("racks=" + "/".join(tokens_text(rack) for rack in state.racks))
    words.append("scores=" + ",".join(map(str, state.scores)))
    if state.turn >= 0:
        words.append(f"turn={state.turn + 1}")
    if state.exchanged:
        words.append(f"given={tokens_text(state.exchanged)}")
    words += str(state.options).split()
    return " ".join(words)


def parse_state(text: str) -> State:
    """A position from its text, checked: it could have come about on a table."""
    words = text.split()
    if len(words) < 2 or words[0] != "triolet":
        raise ParseError(text, "a position of this game is `triolet BOARD name=value ...`")
    named: dict[str, str] = {}
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if not equals or name in named:
            raise ParseError(text, f"{word!r} is no new name=value")
        named[name] = value
    own = {name: named.pop(name, "") for name in ("racks", "scores", "turn", "given")}
    options = Options.parse(named)
    racks = _parse_racks(own["racks"], options, text)
    state = State(
        options,
        cells=_parse_cells(words[1], text),
        racks=racks,
        scores=_parse_scores(own["scores"], options, text),
        turn=_parse_turn(own["turn"], options, text, begun=any(racks) or words[1] != "-"),
        exchanged=_tokens(own["given"], text, hidden=True) if own["given"] else b"",
    )
    _check_tokens(state, text)
    _check_draw(state, text)
    return _settled(state, text)


def _parse_cells(text: str, whole: str) -> bytes:
    """The tokens on the board, checked: TO-2, TO-3 and TO-9 allow them all."""
    cells = bytearray(SQUARES)
    for word in text.split(",") if text != "-" else ():
        laid = _laid(word, whole)
        if laid.name not in SQUARE_NAMES or not 0 <= laid.value <= TRIO_SUM:
            raise ParseError(whole, f"{word} cannot lie on the board")
        if cells[laid.square]:
            raise ParseError(whole, f"two tokens lie on {laid.name}")
        cells[laid.square] = laid.value + 1 + IS_JOKER * laid.joker
    board = bytes(cells)
    taken = occupied_mask(board)
    squares = tuple(square for square in range(SQUARES) if cells[square])
    try:
        check_lines(board, squares)
    except IllegalActionError as refusal:
        raise ParseError(whole, f"no such line may lie there: {refusal}") from None
    if any(block & taken == block for block in BLOCKS[3]) or taken in BLOCKS[2]:
        raise ParseError(whole, "TO-9 forbids the square that the tokens form")
    if taken and _reached(taken) != taken:
        raise ParseError(whole, "the tokens must hang together, from H8 on")
    return board


def _reached(taken: int) -> int:
    """The squares that hang together with the centre."""
    reached = new = taken & 1 << CENTRE
    while new:
        square = new.bit_length() - 1
        new ^= 1 << square
        beyond = NEIGHBOUR_MASKS[square] & taken & ~reached
        reached, new = reached | beyond, new | beyond
    return reached


def _parse_racks(text: str, options: Options, whole: str) -> tuple[bytes, ...]:
    if not text:
        return (bytes([HIDDEN_TOKEN]) * RACK_SIZE,) * options.players
    racks = tuple(b"" if rack == "-" else _tokens(rack, whole, hidden=True) for rack in text.split("/"))
    if len(racks) != options.players or any(len(rack) > RACK_SIZE for rack in racks):
        raise ParseError(whole, f"racks are {options.players}, with / between, of at most {RACK_SIZE} tokens")
    return racks


def _parse_scores(text: str, options: Options, whole: str) -> tuple[int, ...]:
    if not text:
        return (0,) * options.players
    if not re.fullmatch(rf"[0-9]{{1,6}}(,[0-9]{{1,6}}){{{options.players - 1}}}", text):
        raise ParseError(whole, f"scores are {options.players} numbers, with commas between")
    return tuple(map(int, text.split(",")))


def _parse_turn(text: str, options: Options, whole: str, begun: bool) -> int:
    if not text:
        return 0 if begun else -1
    if text not in [str(seat + 1) for seat in range(options.players)]:
        raise ParseError(whole, f"{text!r} is no seat; seats are 1 to {options.players}")
    return int(text) - 1


def _check_tokens(state: State, text: str) -> None:
    """There are only so many tokens, and three of them lie aside."""
    pool = state.unseen_tokens
    for token, count in enumerate(TOKEN_COUNTS):
        if pool[token] < 0:
            taken = count - pool[token]
            raise ParseError(text, f"there are {count} of the token {token_name(token)}, not {taken}")
    if state.bag < 0:
        raise ParseError(text, "three tokens lie aside, and the bag cannot be short")


def _check_draw(state: State, text: str) -> None:
    """TO-10: while the bag lasts only whoever has just played may hold less than three tokens."""
    short = [seat for seat, rack in enumerate(state.racks) if len(rack) < RACK_SIZE]
    begun, seats = any(state.cells), state.options.players
    if state.turn < 0:
        if begun or state.exchanged or any(state.racks):
            raise ParseError(text, "a turn is needed once lots were drawn")
    elif state.exchanged:
        before = (state.turn - 1) % seats
        if (
            short != [before]
            or len(state.racks[before] + state.exchanged) != RACK_SIZE
            or state.bag < MIN_BAG_TO_EXCHANGE
        ):
            raise ParseError(text, "only the seat before the turn can be about to exchange, up to three")
    elif not begun and (
        any(state.racks[seat] for seat in short) or short != [*range(seats - len(short), seats)]
    ):
        raise ParseError(text, "before the first move racks are full, or still empty from some seat on")
    elif begun and state.bag and (len(short) > 1 or {*short} - {state.turn, (state.turn - 1) % seats}):
        raise ParseError(text, "while the bag lasts, only the seat that played can have less than three")


def _settled(state: State, text: str) -> State:
    """The state with its ending, if it is over; whose turn it is must be true."""
    try:
        settled = state.resolved()
    except HiddenInformationError:
        settled = state
        if HIDDEN_TOKEN not in state.racks[state.turn] or state.is_dead:
            raise ParseError(text, f"seat {state.turn + 1} can neither place nor exchange") from None
    if settled.outcome is None and settled.turn != state.turn:
        raise ParseError(text, f"seat {state.turn + 1} can neither place nor exchange")
    return settled


# --- Pictures ----------------------------------------------------------------------------------

PLAIN, SPECIAL = "grey62 on grey19", {2: "black on yellow3", 3: "white on red3"}
ORANGE, TOKEN, JOKER_STYLE = "black on dark_orange3", "bold black on wheat1", "bold red on wheat1"


def _empty(square: int) -> tuple[str, str]:
    if square in BIS:
        return "bis ", ORANGE
    factor = FACTORS[square]
    return (f" ×{factor} ", SPECIAL[factor]) if factor > 1 else ("  · ", PLAIN)


def _token(cell: int) -> tuple[str, str]:
    joker = cell >= IS_JOKER
    return f"{'*' if joker else ''}{value_of(cell)}".rjust(3) + " ", JOKER_STYLE if joker else TOKEN


EMPTY = tuple(_empty(square) for square in range(SQUARES))


def draw_terminal(state: State) -> StyledRows:
    """The board for a terminal, four columns a square, and below it racks, scores and the bag."""
    head = "  " + "".join(f"{column:>3} " for column in range(1, SIZE + 1))
    rows: list[tuple[tuple[str, str], ...]] = [((head, "bold"),)]
    spans = [_token(cell) if cell else empty for cell, empty in zip(state.cells, EMPTY, strict=True)]
    for row, letter in enumerate(LETTERS):
        rows.append(((f"{letter} ", "bold"), *spans[row * SIZE : row * SIZE + SIZE]))
    for seat, rack in enumerate(state.racks):
        turn = ">" if seat == state.to_act else " "
        held = " ".join(f"{token_name(token):>2}" for token in rack)
        rows.append(
            (
                (f"{turn} {seat + 1}  ", "bold"),
                (f" {held:<8} ", TOKEN),
                (f"  {_score(state, seat):>4}", "bold"),
            )
        )
    rows.append(((f"     bag {state.bag}", ""),))
    return tuple(rows)


def _score(state: State, seat: int) -> int:
    return (state.outcome or state).scores[seat]


CELL = 40  # of a square in an SVG
INK, PAPER, PANEL, LINE, SOFT = "#221d16", "#f5efe3", "#fffdf8", "#ded3bf", "#6d6454"
YELLOW, RED, BURNT, JOKER_INK = "#f0cf5b", "#d8604c", "#eba45a", "#c3402b"


@cache
def _svg_board() -> str:
    """The empty board: it is the same in every picture."""
    return "".join(_svg_squares())


def _svg_squares() -> Iterator[str]:
    for square, name in enumerate(SQUARE_NAMES):
        fill, mark = {2: (YELLOW, "×2"), 3: (RED, "×3")}.get(FACTORS[square], (PANEL, ""))
        if square in BIS:
            fill, mark = BURNT, "bis"
        yield f"<g {_at(square)}><title>{name}</title>"
        yield f'<rect x="1" y="1" width="38" height="38" rx="4" fill="{fill}" stroke="{LINE}"/>'
        yield f'<text x="20" y="25" font-size="14">{mark}</text></g>'
    yield f'<g font-size="13" fill="{SOFT}">'
    for index in range(SIZE):
        middle = index * CELL + CELL // 2
        yield f'<text x="{32 + middle}" y="20">{index + 1}</text>'
        yield f'<text x="16" y="{33 + middle}">{LETTERS[index]}</text>'
    yield "</g>"


def _at(square: int) -> str:
    return f'transform="translate({32 + square % SIZE * CELL} {28 + square // SIZE * CELL})"'


def draw_svg(state: State) -> str:
    """The board as a picture, with racks and scores below it."""
    return "".join(_svg_parts(state))


def _svg_parts(state: State) -> Iterator[str]:
    width, height = SIZE * CELL + 40, SIZE * CELL + 40 + 48 * state.options.players
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    yield f' font-family="Georgia,serif" text-anchor="middle" fill="{INK}">'
    yield f'<rect width="{width}" height="{height}" fill="{PAPER}"/>'
    yield _svg_board()
    for square, cell in enumerate(state.cells):
        if cell:
            yield f"<g {_at(square)}>{_svg_token(str(value_of(cell)), cell >= IS_JOKER)}</g>"
    for seat, rack in enumerate(state.racks):
        y = SIZE * CELL + 40 + 48 * seat
        mark = "▸ " if seat == state.to_act else ""
        yield f'<text x="56" y="{y + 26}" font-size="16">{mark}{seat + 1}</text>'
        for place, token in enumerate(rack):
            drawn = _svg_token(token_name(token), token == JOKER)
            yield f'<g transform="translate({90 + place * 44} {y})">{drawn}</g>'
        yield f'<text x="270" y="{y + 26}" font-size="18" font-weight="bold">{_score(state, seat)}</text>'
    yield "</svg>"


def _svg_token(text: str, joker: bool) -> str:
    colour = JOKER_INK if joker else INK
    return (
        f'<rect x="3" y="3" width="34" height="34" rx="6" fill="{PANEL}" stroke="{colour}" stroke-width="2"/>'
        f'<text x="20" y="26" font-size="18" fill="{colour}">{text}</text>'
    )


# --- JSON --------------------------------------------------------------------------------------


SPECIALS = {
    "doubles": [name for name, factor in zip(SQUARE_NAMES, FACTORS, strict=True) if factor == 2],
    "triples": [name for name, factor in zip(SQUARE_NAMES, FACTORS, strict=True) if factor == 3],
    "bis": [SQUARE_NAMES[square] for square in sorted(BIS)],
}


def view_json(state: State) -> dict[str, Any]:
    """What a page needs to show the position and to offer the legal actions."""
    return {
        "board": [cell_name(cell) if cell else None for cell in state.cells],
        **SPECIALS,
        "racks": [[token_name(token) for token in rack] for rack in state.racks],
        "scores": [_score(state, seat) for seat in state.teams],
        "bag": state.bag,
        "unseen": {token_name(token): count for token, count in sorted(state.unseen_tokens.items()) if count},
        "legal": [str(action) for action in state.legal_actions()],
    }
