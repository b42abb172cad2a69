"""The rules of Trigon. The clauses TR-1 to TR-12 are those of the rulebook beside this file.

Colours take turns, not seats: blue, yellow, red, green. A seat plays one colour, which is drawn, or two
colours if there are two players. A figure to be tiled (TR-12) is a State with one seat, in which pieces
may touch in any way and may be removed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import compress
from typing import Final, NamedTuple

from tripot import game
from tripot.game import CHANCE, Chance, Fact, IllegalActionError, ParseError, Seat, fact
from tripot.game_package import check_action
from tripot.games.trigon import draw, text, view_json
from tripot.games.trigon.actions import Action, DrawColours, Lift, Pass, Place, is_well_formed
from tripot.games.trigon.board import (
    BOARD,
    CELL_INDEX,
    CELL_NAMES,
    COLOURS,
    GRID,
    INNER_BOARD,
    NO_COLOUR,
    PIECE_INDEX,
    PIECE_NAMES,
    PIECE_SIZES,
    SINGLE_TRIANGLE,
    STARTS,
    Cells,
    all_placements,
    cells_of,
    colour_of,
    flat_vertex_cells,
    footprint,
    mask_of,
    piece_code,
    placements_covering,
    placements_in,
)
from tripot.games.trigon.options import Options

ALL_PLACED_SCORE: Final = 15  # for placing all pieces (TR-6)
SINGLE_LAST_SCORE: Final = 20  # the same, with the single triangle as the last one


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position.

    cells        by cell: 0 if it is free, else the code of the piece there (`board.piece_code`)
    colours      the colour of each seat once drawn; empty before, and if the players do not draw colours
    turn         the colour to play, or NO_COLOUR at the end
    blocked      the mask of the colours that cannot play any more (TR-5)
    single_last  the mask of the colours whose last piece of all 22 was the single triangle (TR-6)
    """

    options: Options = field()  # explicit: otherwise the inherited property would become the default
    cells: bytes = bytes(GRID)
    colours: bytes = b""
    turn: int = 0
    blocked: int = 0
    single_last: int = 0

    # -- whose turn --

    @property
    def teams(self) -> tuple[int, ...]:
        """TR-9: seats 1 and 3 play against seats 2 and 4; otherwise every seat plays for itself."""
        seats = range(self.options.players)
        return tuple(seat % 2 for seat in seats) if self.options.teams else tuple(seats)

    @property
    def solitaire(self) -> bool:
        """TR-12: whether one player tiles a figure."""
        return self.options.players == 1

    @property
    def needs_colour_draw(self) -> bool:
        """TR-1, TR-7, TR-9: whether the colours must still be drawn."""
        return self.options.players > 2 and not self.colours

    @property
    def in_play(self) -> tuple[int, ...]:
        """The colours that are played, in playing order; TR-7: three players leave one out."""
        if self.options.players == 3:
            return tuple(sorted(self.colours))
        return tuple(range(len(COLOURS)))

    def seat_of(self, colour: int) -> Seat:
        """The seat that plays a colour; TR-8: of two players the first plays blue and red."""
        if self.solitaire:
            return 0
        return colour % 2 if self.options.players == 2 else self.colours.index(colour)

    @property
    def to_act(self) -> Seat | Chance | None:
        if self.turn == NO_COLOUR:
            return None
        return CHANCE if self.needs_colour_draw else self.seat_of(self.turn)

    @property
    def prompt(self) -> Fact:
        if self.outcome:
            return self.outcome.reason
        if self.needs_colour_draw:
            return fact("TR-1", "lot")
        if self.solitaire:
            return fact("TR-12", "place", triangles=(self.field & ~self.occupied).bit_count())
        return fact("TR-3" if self.covered(self.turn) else "TR-2", COLOURS[self.turn])

    # -- the board --

    @property
    def field(self) -> int:
        """The mask of the cells that are played on; TR-7: without the outer ring, TR-12: only the figure."""
        if self.solitaire:
            return self.options.figure_spec.cells
        return INNER_BOARD if self.options.players == 3 else BOARD

    @property
    def occupied(self) -> int:
        """The mask of the cells that are covered."""
        blue, yellow, red, green = occupancy(self.cells).covered
        return blue | yellow | red | green

    def covered(self, colour: int) -> int:
        """The mask of the cells that a colour covers."""
        return occupancy(self.cells).covered[colour]

    @property
    def pieces_on_board(self) -> dict[int, Cells]:
        """The cells of each piece on the board, by its code."""
        return occupancy(self.cells).pieces

    def has_piece(self, colour: int, piece: int) -> bool:
        """Whether a colour has a piece left; in a figure the colours are the copies of a piece."""
        if self.solitaire and colour >= self.options.figure_spec.stock[piece]:
            return False
        return piece_code(colour, piece) not in self.cells

    def pieces_left(self, colour: int) -> list[int]:
        """The pieces that a colour has left."""
        return [piece for piece in range(len(PIECE_NAMES)) if self.has_piece(colour, piece)]

    # -- legal actions --

    def starts(self, colour: int) -> int:
        """TR-2: the mask of the starting triangles that the first piece of a colour may cover."""
        return mask_of(
            cell
            for index, cell in enumerate(STARTS)
            if not self.cells[cell] and not self._start_restriction(colour, index)
        )

    def _start_restriction(self, colour: int, start: int) -> str | None:
        """The clause that keeps the first piece of a colour from a start (by index in STARTS), or None.

        TR-7: three players use every other start. TR-8: partners start opposite each other, opponents do not.
        """
        taken = {index: colour_of(self.cells[cell]) for index, cell in enumerate(STARTS) if self.cells[cell]}
        if self.options.players == 3 and any((start - index) % 2 for index in taken):
            return "TR-7"
        if self.options.paired_starts:
            for index, other in taken.items():
                is_opposite, is_partner = start == (index + 3) % 6, other == (colour + 2) % 4
                if is_opposite != is_partner:
                    return "TR-8"
        return None

    def forbidden_cells(self, colour: int) -> int:
        """The mask of the cells that no piece of a colour may cover.

        Covered cells and those outside the field; TR-3: cells that share an edge with a piece of the
        colour; TR-10: cells that touch the inside of a straight edge of one.
        """
        forbidden = self.occupied | ~self.field | occupancy(self.cells).edge_adjacent[colour]
        if self.options.corners_only:
            for code, cells in self.pieces_on_board.items():
                if colour_of(code) == colour:
                    forbidden |= flat_vertex_cells(cells)
        return forbidden

    def attach_cells(self, colour: int) -> int:
        """TR-2, TR-3: the mask of the cells of which the next piece of a colour must cover one."""
        cells = occupancy(self.cells).vertex_adjacent[colour] or self.starts(colour)
        return cells & ~self.forbidden_cells(colour)

    @property
    def highlighted_cells(self) -> int:
        """The attach cells of the colour to play, for drawings; before colours are drawn, all starts."""
        if self.needs_colour_draw:
            return mask_of(STARTS)
        return 0 if self.solitaire or self.turn == NO_COLOUR else self.attach_cells(self.turn)

    def legal_placements(self, colour: int) -> Iterator[int]:
        """The legal placements of a colour, in ascending order."""
        legal = placements_covering(self.attach_cells(colour)) & self._placements_of_pieces_left(colour)
        legal &= ~placements_covering(self.forbidden_cells(colour))
        if not self.options.corners_only:
            return placements_in(legal)
        cells, own_mask = all_placements().cells, self.covered(colour)
        return (
            placement
            for placement in placements_in(legal)
            if not flat_vertex_cells(cells[placement]) & own_mask
        )

    def _placements_of_pieces_left(self, colour: int) -> int:
        """The set of all placements, on any cells, of the pieces that a colour has left."""
        of_piece, placement_set = all_placements().of_piece, 0
        for piece in self.pieces_left(colour):
            placement_set |= of_piece[piece]
        return placement_set

    def legal_actions(self) -> tuple[Action, ...]:
        """Placements by piece (in the order of PIECE_NAMES), then by cells; in a figure, then lifts."""
        return _legal_actions(self) if isinstance(self.to_act, int) else ()

    # -- applying actions --

    def apply(self, action: Action) -> State:
        check_action(self, action, Action, is_well_formed)
        match action:
            case DrawColours(colours):
                return self._draw_colours(colours)
            case _ if self.needs_colour_draw:
                raise IllegalActionError("TR-1", "lot_first")
            case Place(cells):
                return _after_placement(self, cells)
            case Lift(cells):
                return self._lift(cells)
            case Pass():
                raise IllegalActionError("TR-5", "must")

    def _draw_colours(self, colours: tuple[int, ...]) -> State:
        """TR-1: the colours of the seats are drawn."""
        if not self.needs_colour_draw:
            raise IllegalActionError("TR-1", "no_lot")
        if colours not in self.options.colour_draws():
            raise IllegalActionError("TR-9" if self.options.teams else "TR-1", "bad_lot")
        return replace(self, colours=bytes(colours), turn=min(colours))

    def _place(self, cells: Cells) -> State:
        """TR-2 to TR-5: a piece is placed; TR-12: in a figure it only has to fit."""
        colour, piece = self.turn, Place(cells).piece
        if self.solitaire:
            copies = [copy for copy in range(len(COLOURS)) if self.has_piece(copy, piece)]
            self._check_fits(cells, piece, is_left=bool(copies))
            colour = copies[0]
        else:
            self._check_fits(cells, piece, is_left=self.has_piece(colour, piece))
            self._check_contact(cells, colour)
        after = self._with_cells(cells, piece_code(colour, piece))
        if self.solitaire:
            return after.resolved(0)
        if piece == SINGLE_TRIANGLE and not after.pieces_left(colour):
            after = replace(after, single_last=self.single_last | 1 << colour)
        return after.resolved(colour + 1)

    def _with_cells(self, cells: Cells, code: int) -> State:
        """The state with a piece code, or 0, on some cells."""
        new_cells = bytearray(self.cells)
        for cell in cells:
            new_cells[cell] = code
        return replace(self, cells=bytes(new_cells))

    def _check_fits(self, cells: Cells, piece: int, is_left: bool) -> None:
        """TR-1, TR-5, TR-7, TR-12: the piece is left, and its cells are free cells of the field."""
        name, outside = PIECE_NAMES[piece], [cell for cell in cells if not self.field >> cell & 1]
        if not is_left:
            raise IllegalActionError("TR-12" if self.solitaire else "TR-5", "used", piece=name)
        if outside and not BOARD >> outside[0] & 1:
            raise IllegalActionError("TR-1", "off", cell=CELL_NAMES[outside[0]])
        if outside:
            raise IllegalActionError(
                "TR-12" if self.solitaire else "TR-7", "outside", cell=CELL_NAMES[outside[0]]
            )
        taken = [cell for cell in cells if self.cells[cell]]
        if taken and taken[0] in STARTS and not self.solitaire and not self.covered(self.turn):
            raise IllegalActionError("TR-2", "taken", cell=CELL_NAMES[taken[0]])
        if taken:
            raise IllegalActionError("TR-5", "taken", cell=CELL_NAMES[taken[0]])

    def _check_contact(self, cells: Cells, colour: int) -> None:
        """TR-3, TR-10: a piece touches its own colour at vertices, but not at edges."""
        own_mask, mask = self.covered(colour), mask_of(cells)
        if not own_mask:
            self._check_start(cells, colour)
            return
        if at_edge := mask & occupancy(self.cells).edge_adjacent[colour]:
            raise IllegalActionError("TR-3", "side", cell=CELL_NAMES[next(cells_of(at_edge))])
        if not mask & occupancy(self.cells).vertex_adjacent[colour]:
            raise IllegalActionError("TR-3", "apart")
        if self.options.corners_only and (
            flat := (mask & self.forbidden_cells(colour)) | (own_mask & flat_vertex_cells(cells))
        ):
            raise IllegalActionError("TR-10", "flat", cell=CELL_NAMES[next(cells_of(flat))])

    def _check_start(self, cells: Cells, colour: int) -> None:
        """TR-2, TR-7, TR-8: the first piece of a colour covers a start that is open to it."""
        start = next((index for index, cell in enumerate(STARTS) if cell in cells), None)
        if start is None:
            raise IllegalActionError("TR-2", "start")
        clause = self._start_restriction(colour, start)
        if clause:
            raise IllegalActionError(clause, "kept", cell=CELL_NAMES[STARTS[start]])

    def _lift(self, cells: Cells) -> State:
        """TR-12: a piece may be removed from a figure; TR-5: in a game it stays."""
        if not self.solitaire:
            raise IllegalActionError("TR-5", "stays")
        if cells not in self.pieces_on_board.values():
            raise IllegalActionError("TR-12", "nothing")
        return self._with_cells(cells, 0)

    # -- the next turn, and the end --

    def resolved(self, first: int) -> State:
        """The state with the colour that plays next, or NO_COLOUR if the game is over.

        TR-5: the next colour is the first one, from `first` on, that can play; the others stay blocked.
        """
        if self.needs_colour_draw:
            return self
        if self.solitaire:
            can_play = any(self.cells) or any(True for _ in self.figure_placements())
            return replace(self, turn=0 if can_play and not self.solved else NO_COLOUR)
        blocked = self.blocked
        for offset in range(len(COLOURS)):
            colour = (first + offset) % len(COLOURS)
            if colour not in self.in_play or blocked >> colour & 1:
                continue
            if any(True for _ in self.legal_placements(colour)):
                return replace(self, turn=colour, blocked=blocked)
            blocked |= 1 << colour
        return replace(self, turn=NO_COLOUR, blocked=blocked)

    @property
    def solved(self) -> bool:
        """TR-12: whether the figure is tiled."""
        return self.solitaire and self.occupied == self.field

    def figure_placements(self) -> Iterator[int]:
        """TR-12: the placements that fit into the figure, in ascending order."""
        pieces, masks = all_placements().pieces, all_placements().masks
        copies, occupied = range(len(COLOURS)), self.occupied
        is_left = [any(self.has_piece(copy, piece) for copy in copies) for piece in range(len(PIECE_NAMES))]
        inside = _placements_within(self.field)
        return (
            placement
            for placement in inside
            if not masks[placement] & occupied and is_left[pieces[placement]]
        )

    def triangles_left(self, colour: int) -> int:
        """The number of triangles in the pieces that a colour has left."""
        return sum(PIECE_SIZES[piece] for piece in self.pieces_left(colour))

    def score(self, colour: int) -> int:
        """TR-6: -1 per triangle left; 15 if all are placed, 20 with the single triangle as the last."""
        triangles = self.triangles_left(colour)
        if triangles:
            return -triangles
        return SINGLE_LAST_SCORE if self.single_last >> colour & 1 else ALL_PLACED_SCORE

    @property
    def outcome(self) -> game.Outcome | None:
        """TR-6: the scores at the end; TR-8: those of a player's two colours are added."""
        if self.turn != NO_COLOUR:
            return None
        if self.solitaire:
            reason = fact("TR-12", "solved" if self.solved else "hopeless")
            return game.Outcome((self.occupied.bit_count(),), self.teams, reason)
        scores = [0] * self.options.players
        for colour in self.in_play:
            scores[self.seat_of(colour)] += self.score(colour)
        return game.Outcome(tuple(scores), self.teams, fact("TR-6", "end"))

    def skipped_by(self, action: Action) -> tuple[Seat, ...]:
        """TR-5: the seats of the colours between the one whose turn it would be and the one that can play.

        A seat that plays its other colour instead (TR-8) is not skipped.
        """
        after = self.apply(action)
        if self.needs_colour_draw or self.solitaire or after.turn == NO_COLOUR:
            return ()
        count = (after.turn - self.turn - 1) % len(COLOURS)
        colours = ((self.turn + offset) % len(COLOURS) for offset in range(1, count + 1))
        seats = (self.seat_of(colour) for colour in colours if colour in self.in_play)
        return tuple(dict.fromkeys(seat for seat in seats if seat != after.to_act))

    # -- chance --

    def sample_chance(self, rng: game.Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        return DrawColours(rng.choice(self.options.colour_draws()))

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        if self.to_act is not CHANCE:
            return ()
        draws = self.options.colour_draws()
        return tuple((DrawColours(colours), Fraction(1, len(draws))) for colours in draws)

    # -- hidden information: there is none --

    def _view(self, seat: Seat | None) -> State:
        return self

    def redact(self, action: Action, seat: Seat | None) -> str:
        return str(action)

    def determinize(self, rng: game.Rng) -> State:
        return self

    def hint(self, analysis: game.Analysis) -> game.Analysis:
        """TR-12: in a figure only the moves that are as good as the best one: others may spoil the tiling."""
        if not self.solitaire:
            return analysis
        best = analysis.candidates[0].value
        equal = tuple(candidate for candidate in analysis.candidates if candidate.value == best)
        return replace(analysis, candidates=equal)

    # -- choosing by piece and place --

    def matching_actions(self, text: str) -> tuple[Action, ...]:
        """The placements of a piece, `V`, those that cover a triangle, `q15`, or both: `V q15`."""
        piece, names = self._split_choice(text)
        if piece is None and not (names and all(name in CELL_INDEX for name in names)):
            return ()
        if unknown := [name for name in names if name not in CELL_INDEX]:
            reason = f"{unknown[0]!r} is not a triangle; a piece and a triangle it covers is such as V q15"
            raise ParseError(text, reason)
        cells = [CELL_INDEX[name] for name in names]
        matches = tuple(
            action
            for action in self.offered_actions()
            if isinstance(action, Place)
            and piece in (None, action.piece)
            and all(cell in action.cells for cell in cells)
        )
        if piece is None and len(names) == 1:  # p5 may be meant for the piece
            piece, names = PIECE_INDEX.get(names[0].upper()), []
        if piece is not None and not matches:
            raise self._no_place(piece, names)
        return matches

    def _no_place(self, piece: int, names: list[str]) -> IllegalActionError:
        """TR-5, TR-12: why a piece cannot be placed anywhere, or not on these triangles."""
        clause, name = "TR-12" if self.solitaire else "TR-5", PIECE_NAMES[piece]
        if not self._is_left(piece):
            return IllegalActionError(clause, "used", piece=name)
        placeable = {action.piece for action in self.legal_actions() if isinstance(action, Place)}
        if names and piece in placeable:
            return IllegalActionError(clause, "no_place_there", piece=name, cells=" ".join(names))
        return IllegalActionError(clause, "no_place", piece=name)

    def _is_left(self, piece: int) -> bool:
        """Whether the colour to play, or in a figure any copy, has a piece left."""
        colours = range(len(COLOURS)) if self.solitaire else (self.turn,)
        return any(self.has_piece(colour, piece) for colour in colours)

    def _split_choice(self, text: str) -> tuple[int | None, list[str]]:
        """The piece and the names of the triangles in `V q15`.

        A name of both, such as P5, is a piece if more follows or if that piece is left, and otherwise only in
        capitals.
        """
        words = text.split()
        piece = PIECE_INDEX.get(words[0].upper()) if words else None
        names = [word.lower() for word in words]
        if piece is not None and (
            names[0] not in CELL_INDEX or len(words) > 1 or words[0].isupper() or self._is_left(piece)
        ):
            return piece, names[1:]
        return None, names

    def named_cell(self, text: str) -> str:
        names = self._split_choice(text)[1]
        return names[0] if names and names[0] in CELL_INDEX else ""

    def draw_action(self, action: Action, text: str = "") -> tuple[str, ...]:
        if not isinstance(action, Place):
            return ()
        if not text:
            return draw.draw_shape(action.cells, -1)
        if name := self.named_cell(text):
            return draw.draw_shape(action.cells, CELL_INDEX[name])
        marked = action.cells[0]
        return (*draw.draw_shape(action.cells, marked), CELL_NAMES[marked])

    def draw_pieces(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each piece that fits somewhere, in one of its orientations."""
        first: dict[int, Action] = {}
        for action in self.offered_actions():
            if isinstance(action, Place):
                first.setdefault(action.piece, action)
        return tuple((PIECE_NAMES[piece], self.draw_action(first[piece])) for piece in sorted(first))

    def preview(self, action: Action) -> game.Preview:
        try:
            after = self.apply(action)
        except IllegalActionError as error:
            return game.Preview(error=error)
        end = (after.outcome.reason,) if after.outcome else ()
        if not isinstance(action, Place) or self.solitaire:
            return game.Preview(end)
        return game.Preview((*self._placement_effects(after), *end))

    def _placement_effects(self, after: State) -> Iterator[Fact]:
        """The score after a placement, and the colours that it blocks."""
        triangles, colour = after.triangles_left(self.turn), self.turn
        if triangles:
            yield fact("TR-6", "left", triangles=triangles)
        else:
            yield fact("TR-6", "all", points=after.score(colour))
        for other in cells_of(after.blocked & ~self.blocked):
            if other != colour or triangles:
                yield fact("TR-5", f"out_{COLOURS[other]}")

    # -- text, JSON and drawings --

    to_text = text.state_text
    to_json = view_json.view_json
    draw_terminal = draw.draw_terminal
    draw_compact = draw.draw_compact
    draw_terminal_map = draw.draw_terminal_map
    _repr_svg_ = draw.draw_svg


class Occupancy(NamedTuple):
    """What the pieces on a board cover and touch.

    covered          by colour: the mask of the cells under its pieces
    edge_adjacent    by colour: the mask of the cells that share an edge with them; may include covered ones
    vertex_adjacent  by colour: the mask of the cells that share a vertex with them; may include covered ones
    pieces           the cells of each piece by its code, in the order of codes
    """

    covered: tuple[int, ...]
    edge_adjacent: tuple[int, ...]
    vertex_adjacent: tuple[int, ...]
    pieces: dict[int, Cells]


@lru_cache(maxsize=256)
def occupancy(cells: bytes) -> Occupancy:
    """The occupancy of a board. It is cached because most rules need it."""
    cells_by_code: dict[int, list[int]] = {code: [] for code in sorted({*cells} - {0})}
    for cell in compress(range(GRID), cells):
        cells_by_code[cells[cell]].append(cell)
    pieces = {code: tuple(piece_cells) for code, piece_cells in cells_by_code.items()}
    covered, edge_adjacent, vertex_adjacent = ([0] * len(COLOURS) for _ in range(3))
    for code, piece_cells in pieces.items():
        colour, piece_footprint = colour_of(code), footprint(piece_cells)
        covered[colour] |= piece_footprint.covered
        edge_adjacent[colour] |= piece_footprint.edge_adjacent
        vertex_adjacent[colour] |= piece_footprint.vertex_adjacent
    return Occupancy(tuple(covered), tuple(edge_adjacent), tuple(vertex_adjacent), pieces)


@lru_cache(maxsize=16)
def _placements_within(field: int) -> tuple[int, ...]:
    """The placements within a figure: some hundreds of 32,131."""
    return tuple(placement for placement, mask in enumerate(all_placements().masks) if not mask & ~field)


@lru_cache(maxsize=1024)  # a move is previewed before it is made
def _after_placement(state: State, cells: Cells) -> State:
    return state._place(cells)


@lru_cache(maxsize=256)  # table, terminal and page ask for the moves of the same position
def _legal_actions(state: State) -> tuple[Action, ...]:
    if not state.solitaire:
        return tuple(map(_place_action, state.legal_placements(state.turn)))
    return tuple(map(_place_action, state.figure_placements())) + tuple(
        Lift(covered) for covered in state.pieces_on_board.values()
    )


@cache  # at most one entry per placement: 32,131
def _place_action(placement: int) -> Place:
    return Place(all_placements().cells[placement])


def initial_state(options: Options) -> State:
    """The state before the first action."""
    return State(options).resolved(0)
