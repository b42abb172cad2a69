"""The actions and positions of Trigon as text, and its dialect of the Go Text Protocol.

A position is one line: the key of the game, then `name=value` words in any order.

    trigon blue=V@q15-r15,n16-q16+1@s17 yellow=I6@z7-ae7 colours=red,blue,green,yellow turn=red

blue, yellow, red, green   the pieces of a colour on the board, separated by `+`
colours  the drawn colour of each seat; if missing and there are pieces, in playing order
turn     the colour to play; if missing, the first that can
out      the colours that are blocked (TR-5)
last     the colours whose last piece was the single triangle (TR-6)
and every option of the game that is not its default.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tripot.game import GtpDialect, OptionError, ParseError
from tripot.games.trigon.actions import Action, DrawColours, Lift, Pass, Place
from tripot.games.trigon.board import (
    CELL_NAMES,
    COLOURS,
    EDGE_NEIGHBOURS,
    NO_COLOUR,
    PIECE_NAMES,
    STARTS,
    VERTEX_NEIGHBOURS,
    Cells,
    cells_of,
    cells_text,
    colour_of,
    flat_vertex_cells,
    mask_of,
    parse_cells,
    piece_code,
    piece_of_cells,
)
from tripot.games.trigon.options import Options
from tripot.position_text import PositionWords, parse_name, parse_words

if TYPE_CHECKING:
    from tripot.games.trigon.rules import State

TURN_NAMES: Final = ("colours", "turn", "out", "last")  # a figure has none of these
COLOUR_INDEX: Final[dict[str, int]] = {name: colour for colour, name in enumerate(COLOURS)}

# --- Actions -----------------------------------------------------------------------------------


def parse_action(text: str) -> Action:
    """An action from its text. The name of the piece may be left out, since its triangles determine it."""
    match text.split():
        case ["lot", colours]:
            return DrawColours(_parse_colours(colours, text))
        case ["lift", placement]:
            return Lift(_parse_placement(placement, text))
        case ["pass"]:
            return Pass()
        case [placement]:
            return Place(_parse_placement(placement, text))
    raise ParseError(text, "a move is a piece and its triangles, such as V@q15-r15,n16-q16")


def _parse_colour(name: str, text: str) -> int:
    return parse_name(name, COLOUR_INDEX, text, f"a colour; colours are {', '.join(COLOURS)}")


def _parse_colours(names: str, text: str) -> tuple[int, ...]:
    return tuple(_parse_colour(name, text) for name in names.split(",")) if names else ()


def _parse_placement(placement: str, text: str) -> Cells:
    """The cells of a placement, `V@q15-r15,n16-q16` or `q15-r15,n16-q16`."""
    name, separator, runs = placement.rpartition("@")
    try:
        cells = parse_cells(runs.lower())
    except ValueError as error:
        raise ParseError(text, str(error)) from None
    piece = piece_of_cells(cells)
    if piece is None:
        raise ParseError(text, f"no piece has the shape of {cells_text(cells)}")
    if separator and name.upper() != PIECE_NAMES[piece]:
        raise ParseError(text, f"the piece on {cells_text(cells)} is {PIECE_NAMES[piece]}, not {name!r}")
    return cells


def gtp_dialect(options: Options) -> GtpDialect:
    """The dialect of GTP engines for a variant; they implement the rules of Blokus Trigon only.

    Their triangles have the same names. A move is its triangles, separated by commas. A colour is its
    number in playing order, from 1, whichever seat plays it. Two teams are two players with two colours
    each.
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
        parse_vertex=lambda vertex: Place(_parse_placement(vertex, vertex)),
    )


# --- Positions ---------------------------------------------------------------------------------


def state_text(state: State) -> str:
    """The text of a position, which `parse_state` reads back."""
    words = ["trigon"]
    for colour, name in enumerate(COLOURS):
        placed = [Place(cells) for code, cells in state.pieces_on_board.items() if colour_of(code) == colour]
        if placed:
            words.append(f"{name}=" + "+".join(map(str, placed)))
    if state.colours:
        words.append("colours=" + ",".join(COLOURS[colour] for colour in state.colours))
    if state.turn != NO_COLOUR and not state.needs_colour_draw and not state.solitaire:
        words.append(f"turn={COLOURS[state.turn]}")
    for mask_name, mask in (("out", state.blocked), ("last", state.single_last)):
        if mask:
            words.append(f"{mask_name}=" + ",".join(COLOURS[colour] for colour in cells_of(mask)))
    return " ".join([*words, *str(state.options).split()])


def parse_state(text: str, state_class: type[State]) -> State:
    """A position from its text.

    Raises ParseError if its pieces touch as the rules forbid. How many pieces each colour has is not checked.
    """
    words = parse_words(text, "trigon")
    options = words.options(Options, (*COLOURS, *TURN_NAMES))
    if options.players == 1 and any(words[name] for name in TURN_NAMES):
        raise words.error("a figure has no turns")
    state = state_class(options, colours=_parse_drawn_colours(words, options))
    for colour, name in enumerate(COLOURS):
        if words[name]:
            state = _with_pieces(state, colour, words)
    turn = _parse_colour(words["turn"], text) if words["turn"] else (state.in_play or (0,))[0]
    state = replace(
        state,
        blocked=mask_of(_parse_colours(words["out"], text)),
        single_last=mask_of(_parse_colours(words["last"], text)),
    )
    _check_colours(state, turn, words)
    return state.resolved(turn)


def _parse_drawn_colours(words: PositionWords, options: Options) -> bytes:
    """TR-1: the colours of the seats; they are drawn before anything else happens."""
    if options.players < 3:
        if words["colours"]:
            raise words.error("only three or four players draw colours")
        return b""
    if not words["colours"]:
        has_started = any(words[name] for name in (*COLOURS, *TURN_NAMES))
        return bytes(range(options.players)) if has_started else b""
    colours = _parse_colours(words["colours"], words.text)
    if colours not in options.colour_draws():
        raise words.error(f"{options.players} players cannot have drawn {words['colours']}")
    return bytes(colours)


def _with_pieces(state: State, colour: int, words: PositionWords) -> State:
    """The state with the pieces of a colour on the board."""
    name, cells = COLOURS[colour], bytearray(state.cells)
    if colour not in state.in_play:
        raise words.error(f"{name} is not played")
    for placement in words[name].split("+"):
        covered = _parse_placement(placement, words.text)
        piece = Place(covered).piece
        code = piece_code(colour, piece)
        if not state.has_piece(colour, piece) or code in cells:
            raise words.error(f"{name} has no further piece for {placement}")
        for cell in covered:
            if not state.field >> cell & 1:
                raise words.error(f"{CELL_NAMES[cell]} is not played on")
            if cells[cell]:
                raise words.error(f"two pieces cover {CELL_NAMES[cell]}")
            cells[cell] = code
    after = replace(state, cells=bytes(cells))
    if not state.solitaire:
        pieces = [piece for code, piece in after.pieces_on_board.items() if colour_of(code) == colour]
        _check_edges(after, colour, pieces, words)
        _check_connected(colour, pieces, words)
    return after


def _check_edges(state: State, colour: int, pieces: list[Cells], words: PositionWords) -> None:
    """TR-3, TR-10: pieces of a colour share no edge, and with corners only, touch no straight edge."""
    name = COLOURS[colour]
    for cells in pieces:
        others = state.covered(colour) & ~mask_of(cells)
        if any(EDGE_NEIGHBOURS[cell] & others for cell in cells):
            raise words.error(f"two {name} pieces share a side at {cells_text(cells)}")
        if state.options.corners_only and flat_vertex_cells(cells) & others:
            raise words.error(f"a {name} piece touches a straight side of {cells_text(cells)}")


def _check_connected(colour: int, pieces: list[Cells], words: PositionWords) -> None:
    """TR-2, TR-3: a piece of a colour covers a start, and all are connected to it by vertices."""
    first = next((cells for cells in pieces if mask_of(cells) & mask_of(STARTS)), None)
    if first is None:
        raise words.error(f"{COLOURS[colour]} covers no starting triangle")
    reached, remaining = mask_of(first), [cells for cells in pieces if cells != first]
    while remaining:
        adjacent = 0
        for cell in cells_of(reached):
            adjacent |= VERTEX_NEIGHBOURS[cell]
        touching = [cells for cells in remaining if mask_of(cells) & adjacent]
        if not touching:
            apart = cells_text(remaining[0])
            raise words.error(f"the {COLOURS[colour]} pieces are not connected: {apart} is apart")
        reached |= mask_of(cell for cells in touching for cell in cells)
        remaining = [cells for cells in remaining if cells not in touching]


def _check_colours(state: State, turn: int, words: PositionWords) -> None:
    """TR-5, TR-6: the colour to play, the blocked colours, and those that ended with the single triangle."""
    if not state.needs_colour_draw and not state.solitaire and turn not in state.in_play:
        raise words.error(f"{COLOURS[turn]} is not played")
    for colour in cells_of(state.blocked):
        if colour not in state.in_play or any(True for _ in state.legal_placements(colour)):
            raise words.error(f"{COLOURS[colour]} is not out")
    for colour in cells_of(state.single_last):
        if state.pieces_left(colour):
            raise words.error(f"{COLOURS[colour]} has not placed all pieces")
