"""The actions and positions of Trippples as text.

A position is one line: the key of the game, the layout (see `layout_text.py`), then `name=value` words in any
order.

    trippples q,268,.../.../... pawns=c3,f6 turn=1 neutral=wild

pawns   the squares of the pawns in playing order; if missing, they are on their starts
turn    the seat to move, from 1
hand    the drawn tile, while tiles are being laid
past    earlier positions that can recur: the squares of the pawns and the seat to move of each
called  the seat that announced the freeze that ended the game
and every option of the game that is not its default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tripot.game import ParseError
from tripot.games.trippples import actions
from tripot.games.trippples.board import (
    NEUTRAL,
    NO_TILE,
    SQUARE_INDEX,
    SQUARE_NAMES,
    is_arrow,
    tile_name,
)
from tripot.games.trippples.layout_text import check_complete, layout_text, parse_layout, parse_tile
from tripot.games.trippples.options import Options
from tripot.position_text import PositionWords, parse_name, parse_seat, parse_words

if TYPE_CHECKING:
    from tripot.games.trippples.rules import State

POSITION_NAMES: Final = ("pawns", "turn", "hand", "past", "called")

# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> actions.Action:
    """An action from its text."""
    match text.split():
        case ["zone", squares]:
            return actions.LayNeutralTiles(tuple(_parse_square(name, text) for name in squares.split(",")))
        case ["neutral", square]:
            return actions.LayNeutralTile(_parse_square(square, text))
        case ["fill", tiles]:
            return actions.FillBoard(bytes(parse_tile(name, text) for name in tiles.split(",")))
        case ["draw", tile]:
            return actions.DrawTile(parse_tile(tile, text))
        case ["lay", square]:
            return actions.LayTile(_parse_square(square, text))
        case [move]:
            return actions.Move(_parse_square(move.removesuffix("!"), text), move.endswith("!"))
    raise ParseError(text, "a move is a square such as c3, or c3! to announce a freeze")


def _parse_square(name: str, text: str) -> int:
    return parse_name(name, SQUARE_INDEX, text, "a square; squares are a1 to h8")


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The text of a position, which `parse_state` reads back."""
    words = ["trippples", layout_text(state)]
    if NO_TILE not in state.tiles:
        words.append("pawns=" + ",".join(SQUARE_NAMES[pawn] for pawn in state.pawns))
        words.append(f"turn={state.turn + 1}")
    if state.drawn_tile:
        words.append(f"hand={tile_name(state.drawn_tile)}")
    words += str(state.options).split()
    if state.history:
        words.append("past=" + ",".join(map(_key_text, state.past_keys())))
    if state.freeze_caller >= 0:
        words.append(f"called={state.freeze_caller + 1}")
    return " ".join(words)


def _key_text(key: bytes) -> str:
    return "".join(SQUARE_NAMES[pawn] for pawn in key[:-1]) + str(key[-1] + 1)


def parse_state(text: str, state_class: type[State]) -> State:
    """A position from its text. Raises ParseError if it could not occur in a game."""
    words = parse_words(text, "trippples", min_boards=1)
    options = words.options(Options, POSITION_NAMES)
    tiles, revealed = parse_layout(words.boards[0], options, text)
    if NO_TILE not in tiles or options.layout == "given":
        check_complete(tiles, text)
    state = state_class(
        options,
        tiles,
        pawns=_parse_pawns(words["pawns"], options, tiles, text),
        turn=parse_seat(words["turn"] or "1", options.players, text),
        drawn_tile=parse_tile(words["hand"], text) if words["hand"] else NO_TILE,
        revealed=revealed,
        history=b"".join(_parse_key(key, options, tiles, text) for key in words["past"].split(",") if key),
        freeze_caller=parse_seat(words["called"], options.players, text) if words["called"] else -1,
    )
    _check_phase(state, words)
    _check_face_up(state, words)
    _check_drawn_tile(state, words)
    resolved = state.resolved(first=state.turn)
    _check_freeze(state, resolved, words)
    return resolved


def _parse_pawns(names: str, options: Options, tiles: bytes, text: str) -> bytes:
    """The squares of the pawns; each must be one that the pawn can stand on."""
    starts, finishes = options.homes
    if not names:
        return bytes(starts[seat % 2] for seat in range(options.players))
    pawns = bytes(_parse_square(name, text) for name in names.split(","))
    if len(pawns) != options.players:
        raise ParseError(text, f"{options.players} pawns are needed, not {len(pawns)}")
    for seat, pawn in enumerate(pawns):
        is_home = pawn in (starts[seat % 2], finishes[seat % 2])
        if not (is_home or is_arrow(tiles[pawn]) or (options.wild and tiles[pawn] == NEUTRAL)):
            raise ParseError(text, f"the pawn of seat {seat + 1} cannot stand on {SQUARE_NAMES[pawn]}")
        if pawn != starts[seat % 2] and pawns.count(pawn) > 1:
            raise ParseError(text, f"two pawns stand on {SQUARE_NAMES[pawn]}")
    return pawns


def _parse_key(key: str, options: Options, tiles: bytes, text: str) -> bytes:
    """An earlier position, as in `State.history`."""
    if len(key) != 2 * options.players + 1:
        raise ParseError(text, f"{key!r} is not a past position: squares of the pawns, then the seat to move")
    squares = ",".join(key[index : index + 2] for index in range(0, len(key) - 1, 2))
    pawns = _parse_pawns(squares, options, tiles, text)
    if any(pawn in options.homes[1] for pawn in pawns):
        raise ParseError(text, f"{key!r} is not a past position: a pawn on its finish ends the game")
    return pawns + bytes([parse_seat(key[-1:], options.players, text)])


def _check_phase(state: State, words: PositionWords) -> None:
    """TP-1: pawns move once every square has a tile."""
    if NO_TILE in state.tiles and (words["pawns"] or words["turn"] or words["past"]):
        raise words.error("pawns do not move before every square has a tile")


def _check_face_up(state: State, words: PositionWords) -> None:
    """TP-11: a pawn turns up the tile that it enters."""
    if any(state.is_face_down(pawn) for pawn in state.pawns):
        raise words.error("the tile under a pawn must lie face up")
    if any(state.is_face_down(pawn) for key in state.past_keys() for pawn in key[:-1]):
        raise words.error("the tiles under the pawns of past positions must lie face up")


def _check_drawn_tile(state: State, words: PositionWords) -> None:
    """TP-1: a tile is drawn when the board is drafted and the neutral tiles are laid."""
    is_drafting = NO_TILE in state.tiles and state.options.layout == "drafted"
    can_draw = is_drafting and not state.neutral_tiles_to_lay
    if state.drawn_tile and not (
        can_draw and is_arrow(state.drawn_tile) and state.drawn_tile in state.unlaid
    ):
        raise words.error(f"the tile {words['hand']} cannot be in hand")


def _check_freeze(state: State, resolved: State, words: PositionWords) -> None:
    """TP-8: only the last seat to move can have announced a freeze, and then no pawn can move."""
    if state.freeze_caller < 0:
        return
    if not resolved.outcome or resolved.outcome.reason.clause != "TP-8":
        raise words.error("a freeze was called, but a pawn can move")
    if state.freeze_caller != state.turn or not state.options.freeze:
        raise words.error("only the last seat to move can have called the freeze, with freeze=on")
