"""Trigon: the booklet as code. The clauses TR-1 to TR-12 stand in the rulebook beside this file.

Colours take turns, not seats: blue, yellow, red, green. A seat plays one colour, drawn by lot, or with
two players the two that belong together. A figure to be tiled (TR-12) is the same State with one
seat, where pieces may touch in any way and may be taken up again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import Any, NamedTuple

from tripot import game
from tripot.game import (
    CHANCE,
    Chance,
    DistanceMap,
    Fact,
    IllegalActionError,
    Outcome,
    Preview,
    Rng,
    Seat,
    StyledRows,
    check_action_type,
    fact,
)
from tripot.games.trigon.actions import Action, DrawColours, Lift, Options, Pass, Place
from tripot.games.trigon.board import (
    BOARD,
    CELL_NAMES,
    COLOURS,
    GRID,
    INNER_BOARD,
    PIECE_NAMES,
    PIECE_SIZES,
    SINGLE_TRIANGLE,
    STARTS,
    Cells,
    all_placements,
    cells_of,
    flat_vertex_cells,
    footprint,
    mask_of,
)

NO_COLOUR = -1  # instead of a colour: nobody plays any more
ALL_PLACED_SCORE, SINGLE_LAST_SCORE = 15, 20  # TR-6


@dataclass(frozen=True, slots=True)
class State(game.State[Action]):
    """A position.

    cells    by cell: 0 where it is free, else 1 + colour * 22 + piece of what lies there
    colours  the colour of each seat once lots are drawn; empty where there are none to draw
    turn     the colour to play, or OVER
    blocked  a bit for each colour that was found unable to play (TR-5)
    single_last  a bit for each colour whose last piece of all 22 was the single triangle (TR-6)
    """

    options: Options = field()  # said out loud, or the property of the protocol passes for a default
    cells: bytes = bytes(GRID)
    colours: bytes = b""
    turn: int = 0
    blocked: int = 0
    single_last: int = 0

    # -- whose turn, and what is asked --

    @property
    def teams(self) -> tuple[int, ...]:
        """TR-9: seats 1 and 3 against seats 2 and 4; otherwise everyone alone."""
        seats = range(self.options.players)
        return tuple(seat % 2 for seat in seats) if self.options.teams else tuple(seats)

    @property
    def solitaire(self) -> bool:
        """TR-12."""
        return self.options.players == 1

    @property
    def needs_colour_draw(self) -> bool:
        """TR-1, TR-7, TR-9: whether the colours have still to be drawn."""
        return self.options.players > 2 and not self.colours

    @property
    def in_play(self) -> tuple[int, ...]:
        """The colours that are played, in playing order; TR-7: one is drawn out."""
        if self.options.players == 3:
            return tuple(sorted(self.colours))
        return tuple(range(len(COLOURS)))

    def seat_of(self, colour: int) -> Seat:
        """Who plays a colour; TR-8: the first player blue and red."""
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

    # -- what lies where --

    @property
    def field(self) -> int:
        """The cells that are played on; TR-7: not the outer ring, TR-12: only the figure."""
        if self.solitaire:
            return self.options.figure_spec.cells
        return INNER_BOARD if self.options.players == 3 else BOARD

    @property
    def occupied(self) -> int:
        """The cells under pieces."""
        blue, yellow, red, green = occupancy(self.cells).covered
        return blue | yellow | red | green

    def covered(self, colour: int) -> int:
        """The cells under a colour's pieces."""
        return occupancy(self.cells).covered[colour]

    @property
    def pieces_on_board(self) -> dict[int, Cells]:
        """The pieces that lie, each by its code with its cells."""
        return occupancy(self.cells).pieces

    def has_piece(self, colour: int, piece: int) -> bool:
        """Whether a colour has still to place a piece."""
        if self.solitaire and colour >= self.options.figure_spec.stock[piece]:
            return False
        return piece_code(colour, piece) not in self.cells

    def pieces_left(self, colour: int) -> list[int]:
        """The pieces that a colour has still to place."""
        return [piece for piece in range(len(PIECE_NAMES)) if self.has_piece(colour, piece)]

    # -- where a piece may lie --

    def starts(self, colour: int) -> int:
        """TR-2: the starting triangles that a colour's first piece may cover, as a set."""
        return mask_of(
            cell
            for index, cell in enumerate(STARTS)
            if not self.cells[cell] and not self._start_restriction(colour, index)
        )

    def _start_restriction(self, colour: int, index: int) -> str | None:
        """The clause that keeps a starting triangle from a colour's first piece, or None."""
        taken = {at: colour_of(self.cells[cell]) for at, cell in enumerate(STARTS) if self.cells[cell]}
        if self.options.players == 3 and any((index - at) % 2 for at in taken):
            return "TR-7"
        if self.options.paired_starts:
            for at, other in taken.items():  # opposite the partner, and opposite nobody else
                if (index == (at + 3) % 6) != (other == (colour + 2) % 4):
                    return "TR-8"
        return None

    def forbidden_cells(self, colour: int) -> int:
        """The cells that a colour may not cover, whatever the piece.

        Taken ones and those off the field; TR-3: those that share a side with the colour's own; TR-10:
        those that touch the inside of a straight side of one of its pieces.
        """
        found = self.occupied | ~self.field | occupancy(self.cells).edge_adjacent[colour]
        if self.options.corners_only:
            for code, cells in self.pieces_on_board.items():
                if colour_of(code) == colour:
                    found |= flat_vertex_cells(cells)
        return found

    def attach_cells(self, colour: int) -> int:
        """The cells of which a colour's next piece must cover one: TR-2 a start, TR-3 a point of contact."""
        found = occupancy(self.cells).vertex_adjacent[colour] or self.starts(colour)
        return found & ~self.forbidden_cells(colour)

    def legal_placements(self, colour: int) -> Iterator[int]:
        """The numbers of the places where a colour may place a piece, each once, in no useful order."""
        pieces, cells, masks, through, _ = all_placements()
        closed, own = self.forbidden_cells(colour), self.covered(colour)
        holds = [self.has_piece(colour, piece) for piece in range(len(PIECE_NAMES))]
        for cell in cells_of(self.attach_cells(colour)):
            for place in through[cell]:
                if masks[place] & closed or not holds[pieces[place]]:
                    continue
                if self.options.corners_only and flat_vertex_cells(cells[place]) & own:
                    continue
                yield place
            closed |= 1 << cell  # what covers this cell has been seen

    def legal_actions(self) -> tuple[Action, ...]:
        """Placements by piece (`board.PIECE_NAMES`), then by cells; in a figure, lifts follow."""
        return _legal(self) if isinstance(self.to_act, int) else ()

    # -- acting --

    def apply(self, action: Action) -> State:
        check_action_type(action, Action)
        if self.turn == NO_COLOUR:
            raise IllegalActionError("X-2", "over")
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
        """TR-1: the colours are drawn by lot."""
        if not self.needs_colour_draw:
            raise IllegalActionError("TR-1", "no_lot")
        if colours not in colour_draws(self.options):
            raise IllegalActionError("TR-9" if self.options.teams else "TR-1", "bad_lot")
        return replace(self, colours=bytes(colours), turn=min(colours))

    def _place(self, cells: Cells) -> State:
        """TR-2 to TR-5; TR-12: in a figure a piece only has to fit."""
        colour, piece = self.turn, Place(cells).piece
        if self.solitaire:
            copies = [each for each in range(len(COLOURS)) if self.has_piece(each, piece)]
            self._check_fits(cells, piece, held=bool(copies))
            colour = copies[0]
        else:
            self._check_fits(cells, piece, held=self.has_piece(colour, piece))
            self._check_contact(cells, colour)
        laid = bytearray(self.cells)
        for cell in cells:
            laid[cell] = piece_code(colour, piece)
        after = replace(self, cells=bytes(laid))
        if self.solitaire:
            return after.resolved(0)
        if piece == SINGLE_TRIANGLE and not after.pieces_left(colour):
            after = replace(after, single_last=self.single_last | 1 << colour)
        return after.resolved(colour + 1)

    def _check_fits(self, cells: Cells, piece: int, held: bool) -> None:
        """A piece that is there, on free cells of the field."""
        name, outside = PIECE_NAMES[piece], [cell for cell in cells if not self.field >> cell & 1]
        if not held:
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
        own, mask = self.covered(colour), mask_of(cells)
        if not own:
            self._check_start(cells, colour)
            return
        if side := mask & occupancy(self.cells).edge_adjacent[colour]:
            raise IllegalActionError("TR-3", "side", cell=CELL_NAMES[next(cells_of(side))])
        if not mask & occupancy(self.cells).vertex_adjacent[colour]:
            raise IllegalActionError("TR-3", "apart")
        if self.options.corners_only and (
            flat := (mask & self.forbidden_cells(colour)) | (own & flat_vertex_cells(cells))
        ):
            raise IllegalActionError("TR-10", "flat", cell=CELL_NAMES[next(cells_of(flat))])

    def _check_start(self, cells: Cells, colour: int) -> None:
        """TR-2, TR-7, TR-8."""
        covered = [index for index, cell in enumerate(STARTS) if cell in cells]
        if not covered:
            raise IllegalActionError("TR-2", "start")
        clause = self._start_restriction(colour, covered[0])
        if clause:
            raise IllegalActionError(clause, "kept", cell=CELL_NAMES[STARTS[covered[0]]])

    def _lift(self, cells: Cells) -> State:
        """TR-12: in a figure a piece may be taken up again; TR-5: in a game never."""
        if not self.solitaire:
            raise IllegalActionError("TR-5", "stays")
        if cells not in self.pieces_on_board.values():
            raise IllegalActionError("TR-12", "nothing")
        left = bytearray(self.cells)
        for cell in cells:
            left[cell] = 0
        return replace(self, cells=bytes(left))

    # -- who is next, and the end --

    def resolved(self, first: int) -> State:
        """The state once it is clear which colour plays next, or that the game is over.

        TR-5: the next is the first, from `first` on, that can play; a colour that cannot stays out.
        """
        if self.needs_colour_draw:
            return self
        if self.solitaire:
            playing = not self.solved and (any(self.cells) or any(True for _ in self.figure_placements()))
            return replace(self, turn=0 if playing else NO_COLOUR)
        out = self.blocked
        for later in range(len(COLOURS)):
            colour = (first + later) % len(COLOURS)
            if colour not in self.in_play or out >> colour & 1:
                continue
            if any(True for _ in self.legal_placements(colour)):
                return replace(self, turn=colour, blocked=out)
            out |= 1 << colour
        return replace(self, turn=NO_COLOUR, blocked=out)

    @property
    def solved(self) -> bool:
        """TR-12: whether the figure is tiled."""
        return self.solitaire and self.occupied == self.field

    def figure_placements(self) -> Iterator[int]:
        """TR-12: the numbers of the places where a piece fits, in order."""
        pieces, _, masks, _, _ = all_placements()
        colours, occupied = range(len(COLOURS)), self.occupied
        there = [
            any(self.has_piece(colour, piece) for colour in colours) for piece in range(len(PIECE_NAMES))
        ]
        inside = _places_in(self.field)
        return (place for place in inside if not masks[place] & occupied and there[pieces[place]])

    def score(self, colour: int) -> int:
        """TR-6: -1 for each triangle not placed; for all of them 15, or 20 with the single one last."""
        left = sum(PIECE_SIZES[piece] for piece in self.pieces_left(colour))
        if left:
            return -left
        return SINGLE_LAST_SCORE if self.single_last >> colour & 1 else ALL_PLACED_SCORE

    @property
    def outcome(self) -> Outcome | None:
        """TR-6; TR-8: the scores of a player's two colours are added."""
        if self.turn != NO_COLOUR:
            return None
        if self.solitaire:
            why = fact("TR-12", "solved" if self.solved else "hopeless")
            return Outcome((self.occupied.bit_count(),), self.teams, why)
        scores = [0] * self.options.players
        for colour in self.in_play:
            scores[self.seat_of(colour)] += self.score(colour)
        return Outcome(tuple(scores), self.teams, fact("TR-6", "end"))

    # -- chance --

    def sample_chance(self, rng: Rng) -> Action:
        if self.to_act is not CHANCE:
            raise ValueError("chance is not to act")
        return DrawColours(rng.choice(colour_draws(self.options)))

    def chance_outcomes(self) -> tuple[tuple[Action, Fraction], ...]:
        if self.to_act is not CHANCE:
            return ()
        drawn = colour_draws(self.options)
        return tuple((DrawColours(colours), Fraction(1, len(drawn))) for colours in drawn)

    # -- what can be seen: everything lies open --

    def view(self, seat: Seat | None) -> State:
        return self

    def redact(self, action: Action, seat: Seat | None) -> str:
        return str(action)

    def determinize(self, rng: Rng) -> State:
        return self

    def preview(self, action: Action) -> Preview:
        try:
            after = self.apply(action)
        except IllegalActionError as refusal:
            return Preview(error=refusal)
        if not isinstance(action, Place) or self.solitaire:
            return Preview((after.outcome.reason,) if after.outcome else ())
        left, score = (
            sum(PIECE_SIZES[piece] for piece in after.pieces_left(self.turn)),
            after.score(self.turn),
        )
        brings = [fact("TR-6", "left", triangles=left) if left else fact("TR-6", "all", points=score)]
        brings += [
            fact("TR-5", f"out_{name}")
            for colour, name in enumerate(COLOURS)
            if (after.blocked & ~self.blocked) >> colour & 1 and (colour != self.turn or left)
        ]
        return Preview((*brings, after.outcome.reason) if after.outcome else tuple(brings))

    # -- texts and pictures --

    def to_json(self) -> dict[str, Any]:
        from tripot.games.trigon import text

        return text.view_json(self)

    def to_text(self) -> str:
        from tripot.games.trigon import text

        return text.state_text(self)

    def draw_terminal(self) -> StyledRows:
        from tripot.games.trigon import text

        return text.draw_terminal(self)

    def draw_terminal_map(self, reach: Sequence[DistanceMap]) -> StyledRows:
        from tripot.games.trigon import text

        return text.draw_terminal_map(self, reach)

    def _repr_svg_(self) -> str:
        from tripot.games.trigon import text

        return text.draw_svg(self)


def piece_code(colour: int, piece: int) -> int:
    """What stands in `State.cells` for a piece of a colour."""
    return 1 + colour * len(PIECE_NAMES) + piece


def colour_of(code: int) -> int:
    """The colour of a piece, by its code."""
    return (code - 1) // len(PIECE_NAMES)


def piece_of(code: int) -> int:
    """Which piece a code stands for."""
    return (code - 1) % len(PIECE_NAMES)


class Occupancy(NamedTuple):
    """What lies on a board. By colour, as sets of cells:

    covered  those under its pieces
    edge_adjacent  those that share a side with them, or lie under them
    vertex_adjacent  those that share a point with them
    and pieces: the cells of each piece that lies, by its code, in the order of codes
    """

    covered: tuple[int, ...]
    edge_adjacent: tuple[int, ...]
    vertex_adjacent: tuple[int, ...]
    pieces: dict[int, Cells]


@lru_cache(maxsize=256)
def occupancy(cells: bytes) -> Occupancy:
    """What lies on a board, found once for all who ask."""
    pieces = {code: tuple(_cells_of(code, cells)) for code in sorted({*cells} - {0})}
    covered, sides, points = ([0] * len(COLOURS) for _ in range(3))
    for code, under in pieces.items():
        colour, trace = colour_of(code), footprint(under)
        covered[colour] |= trace.covered
        sides[colour] |= trace.edge_adjacent
        points[colour] |= trace.vertex_adjacent
    return Occupancy(tuple(covered), tuple(sides), tuple(points), pieces)


def _cells_of(code: int, cells: bytes) -> Iterator[int]:
    """Where a piece lies. `find` skips the empty cells, which are most of them."""
    cell = cells.find(code)
    while cell >= 0:
        yield cell
        cell = cells.find(code, cell + 1)


@lru_cache(maxsize=16)
def _places_in(field: int) -> tuple[int, ...]:
    """The numbers of the places that lie within a figure: a few hundred of thousands."""
    return tuple(place for place, mask in enumerate(all_placements().masks) if not mask & ~field)


@lru_cache(maxsize=1024)
def _after_placement(state: State, cells: Cells) -> State:
    """Kept for a while: a move is looked at before it is made."""
    return state._place(cells)


@lru_cache(maxsize=256)
def _legal(state: State) -> tuple[Action, ...]:
    """Kept for a while: a table, a terminal and a page all ask for the moves of the same position."""
    cells = all_placements().cells
    if not state.solitaire:
        return tuple(Place(cells[place]) for place in sorted(state.legal_placements(state.turn)))
    placed = tuple(Place(cells[place]) for place in state.figure_placements())
    return placed + tuple(Lift(lies) for lies in state.pieces_on_board.values())


def colour_draws(options: Options) -> list[tuple[int, ...]]:
    """TR-1, TR-7, TR-9: the equally likely ways in which the seats' colours can be drawn.

    Partners sit opposite, and so do their colours in the order of play.
    """
    drawn = [*permutations(range(len(COLOURS)), options.players)]
    return [each for each in drawn if (each[2] - each[0]) % 2 == 0] if options.teams else drawn


def initial_state(options: Options) -> State:
    """The state before anything has happened."""
    return State(options).resolved(0)
