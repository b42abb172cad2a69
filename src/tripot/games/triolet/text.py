"""The actions and positions of Triolet as text.

A position is one line: the key of the game, the tokens on the board, then `name=value` words in any order.

    triolet H8=5,H9=J7,G9=4 racks=0,3,J/?,?,? scores=24,41 turn=2

board   the tokens as in a placement, separated by commas; `-` if the board is empty
racks   the tokens of each seat, seats separated by `/`, `?` for a hidden token, `-` for an empty rack; if
        missing, all racks are hidden
scores  the score of each seat; if missing, 0
turn    the seat to play, from 1; while tokens are being drawn, the seat that plays next. If missing, it is
        seat 1, or the first seat is still to be drawn if all racks and the board are empty
given   during an exchange: the tokens that go back into the bag once the new ones are drawn
and every option of the game that is not its default.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tripot.game import HIDDEN, HiddenInformationError, IllegalActionError, ParseError, Seat
from tripot.games.triolet import actions
from tripot.games.triolet.actions import tokens_text
from tripot.games.triolet.board import (
    BLOCKS,
    CENTRE,
    HIDDEN_TOKEN,
    IS_JOKER,
    JOKER,
    MIN_BAG_TO_EXCHANGE,
    NEIGHBOUR_MASKS,
    RACK_SIZE,
    SQUARE_NAMES,
    SQUARES,
    TOKEN_COUNTS,
    TRIO_SUM,
    cell_name,
    occupied_mask,
    token_name,
)
from tripot.games.triolet.options import Options
from tripot.games.triolet.placement import check_lines
from tripot.position_text import PositionWords, parse_name, parse_seat, parse_words

if TYPE_CHECKING:
    from tripot.games.triolet.rules import State

SEATS_BY_NAME: Final = {str(seat + 1): seat for seat in range(9)}  # the rules refuse those that do not exist
POSITION_NAMES: Final = ("racks", "scores", "turn", "given")
TOKENS_BY_NAME: Final = {str(value): value for value in range(TRIO_SUM + 1)} | {"J": JOKER}
PLACED_TOKEN: Final = re.compile(r"([A-Za-z])([1-9][0-9]?)=([Jj]?)([0-9]{1,2})?")


# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> actions.Action:
    """An action from its text."""
    match text.split():
        case ["lots", seat]:
            return actions.DrawFirstSeat(_parse_seat(seat, text))
        case ["draw", seat, tokens]:
            return actions.DrawTokens(_parse_seat(seat, text), _parse_tokens(tokens, text))
        case ["exchange", tokens]:
            return actions.Exchange(_parse_tokens(tokens, text))
        case [first, *_] as words if "=" in first:
            return actions.Place(tuple(_parse_placed_token(word, text) for word in words))
    raise ParseError(text, "a move is tokens on squares such as `H8=5 H9=J7`, or `exchange 3,5`")


def _parse_seat(digit: str, text: str) -> Seat:
    return parse_name(digit, SEATS_BY_NAME, text, "a seat; seats are 1 to 4")


def _parse_placed_token(word: str, text: str) -> actions.PlacedToken:
    """A token on its square. Squares off the board and jokers without a value are left to the rules."""
    match = PLACED_TOKEN.fullmatch(word)
    if not match or not (match[3] or match[4]):
        raise ParseError(text, f"{word!r} is not a token on a square, such as H8=5 or H8=J7")
    letter, column, joker, value = match.groups()
    if not joker and int(value) > TRIO_SUM:
        raise ParseError(text, f"there is no token {value}; tokens are 0 to {TRIO_SUM} and J")
    row = ord(letter.upper()) - ord("A")
    return actions.PlacedToken(row, int(column) - 1, int(value) if value else -1, bool(joker))


def _parse_tokens(names: str, text: str, can_be_hidden: bool = False) -> bytes:
    """Tokens, separated by commas."""
    meanings = TOKENS_BY_NAME | ({HIDDEN: HIDDEN_TOKEN} if can_be_hidden else {})
    expected = f"a token; tokens are 0 to {TRIO_SUM} and J, separated by commas"
    return bytes(sorted(parse_name(name, meanings, text, expected) for name in names.split(",")))


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The text of a position, which `parse_state` reads back."""
    tokens = [f"{SQUARE_NAMES[square]}={cell_name(cell)}" for square, cell in enumerate(state.cells) if cell]
    words = ["triolet", ",".join(tokens) or "-"]
    words.append("racks=" + "/".join(tokens_text(rack) for rack in state.racks))
    words.append("scores=" + ",".join(map(str, state.scores)))
    if state.turn >= 0:
        words.append(f"turn={state.turn + 1}")
    if state.exchanged:
        words.append(f"given={tokens_text(state.exchanged)}")
    words += str(state.options).split()
    return " ".join(words)


def parse_state(text: str, state_class: type[State]) -> State:
    """A position from its text. Raises ParseError if it could not occur in a game."""
    words = parse_words(text, "triolet", min_boards=1)
    options = words.options(Options, POSITION_NAMES)
    cells, racks = _parse_cells(words), _parse_racks(words, options)
    state = state_class(
        options,
        cells=cells,
        racks=racks,
        scores=_parse_scores(words, options),
        turn=_parse_turn(words, options, has_started=any(racks) or any(cells)),
        exchanged=_parse_tokens(words["given"], text, can_be_hidden=True) if words["given"] else b"",
    )
    _check_token_counts(state, words)
    _check_rack_sizes(state, words)
    return _resolved(state, words)


def _parse_cells(words: PositionWords) -> bytes:
    """The tokens on the board, as TO-2, TO-3 and TO-9 allow them."""
    cells, tokens = bytearray(SQUARES), words.boards[0]
    for word in tokens.split(",") if tokens != "-" else ():
        token = _parse_placed_token(word, words.text)
        if token.name not in SQUARE_NAMES or not 0 <= token.value <= TRIO_SUM:
            raise words.error(f"{word} cannot be on the board")
        if cells[token.square]:
            raise words.error(f"there are two tokens on {token.name}")
        cells[token.square] = token.value + 1 + IS_JOKER * token.joker
    board = bytes(cells)
    try:
        check_lines(board, tuple(square for square in range(SQUARES) if cells[square]))
    except IllegalActionError as error:
        raise words.error(f"there cannot be such a line: {error}") from None
    occupied = occupied_mask(board)
    if any(block & occupied == block for block in BLOCKS[3]) or occupied in BLOCKS[2]:
        raise words.error("TO-9 forbids the square that the tokens form")
    if occupied != _connected_to_centre(occupied):
        raise words.error("all tokens must be connected to H8")
    return board


def _connected_to_centre(occupied: int) -> int:
    """The mask of the tokens that are connected to a token on the centre."""
    connected = queue = occupied & 1 << CENTRE
    while queue:
        square = queue.bit_length() - 1
        queue ^= 1 << square
        further = NEIGHBOUR_MASKS[square] & occupied & ~connected
        connected, queue = connected | further, queue | further
    return connected


def _parse_racks(words: PositionWords, options: Options) -> tuple[bytes, ...]:
    if not words["racks"]:
        return (bytes([HIDDEN_TOKEN]) * RACK_SIZE,) * options.players
    racks = tuple(
        b"" if rack == "-" else _parse_tokens(rack, words.text, can_be_hidden=True)
        for rack in words["racks"].split("/")
    )
    if len(racks) != options.players or any(len(rack) > RACK_SIZE for rack in racks):
        raise words.error(
            f"{options.players} racks are needed, separated by /, of at most {RACK_SIZE} tokens"
        )
    return racks


def _parse_scores(words: PositionWords, options: Options) -> tuple[int, ...]:
    if not words["scores"]:
        return (0,) * options.players
    if not re.fullmatch(rf"[0-9]{{1,6}}(,[0-9]{{1,6}}){{{options.players - 1}}}", words["scores"]):
        raise words.error(f"scores are {options.players} numbers, separated by commas")
    return tuple(map(int, words["scores"].split(",")))


def _parse_turn(words: PositionWords, options: Options, has_started: bool) -> Seat:
    """The seat to play, or -1 if the first seat is still to be drawn."""
    if words["turn"]:
        return parse_seat(words["turn"], options.players, words.text)
    return 0 if has_started else -1


def _check_token_counts(state: State, words: PositionWords) -> None:
    """TO-1: no token is there too often, and three tokens are set aside."""
    unseen = state.unseen_tokens
    for token, count in enumerate(TOKEN_COUNTS):
        if unseen[token] < 0:
            used = count - unseen[token]
            raise words.error(f"there are {count} of the token {token_name(token)}, not {used}")
    if state.bag < 0:
        raise words.error("there are too many tokens: three are set aside and never drawn")


def _check_rack_sizes(state: State, words: PositionWords) -> None:
    """TO-1, TO-10, TO-11: while the bag lasts, only the last seat to play has less than three tokens."""
    seats = state.options.players
    short = [seat for seat, rack in enumerate(state.racks) if len(rack) < RACK_SIZE]
    has_tokens, previous = any(state.cells), (state.turn - 1) % seats
    if state.turn < 0:
        if has_tokens or state.exchanged or any(state.racks):
            raise words.error("a turn is needed once the first seat was drawn")
    elif state.exchanged:
        is_complete = len(state.racks[previous] + state.exchanged) == RACK_SIZE
        if short != [previous] or not is_complete or state.bag < MIN_BAG_TO_EXCHANGE:
            raise words.error("only the seat before the turn can be exchanging tokens, up to three")
    elif not has_tokens:
        if any(state.racks[seat] for seat in short) or short != [*range(seats - len(short), seats)]:
            raise words.error("before the first move racks are full, or still empty from some seat on")
    elif state.bag and (len(short) > 1 or {*short} - {state.turn, previous}):
        raise words.error("while the bag lasts, only the seat that played can have less than three")


def _resolved(state: State, words: PositionWords) -> State:
    """TO-11, TO-12: the state with its outcome if it is over; otherwise the seat to play must be able to."""
    cannot_play = words.error(f"seat {state.turn + 1} can neither place nor exchange")
    try:
        resolved = state.resolved()
    except HiddenInformationError:
        if not all(state.racks):
            raise words.error("a rack is empty, so the game is over and no rack is hidden") from None
        if state.is_dead or not state.has_completion:
            raise cannot_play from None
        return state
    if resolved.outcome is None and resolved.turn != state.turn:
        raise cannot_play
    return resolved
