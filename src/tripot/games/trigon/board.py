"""The board of Trigon, its 22 pieces, and all placements of a piece. All tables are computed.

A triangle is a cell of a grid of 37 columns and 18 rows. Its number is row * 37 + column, both counted
from 0, from the left and from the bottom. 486 of these cells are on the board. The others are the
corners around the hexagon and two columns on the right, which separate the ends of the longest rows.
Since 37 is odd, the number gives the orientation of a triangle: odd ones point up and have their third
edge below, even ones point down and have it above.

    18            /i18\\j18/k18\\ ...            r15        the six starting triangles, in order
    17        /h17\\i17/j17\\k17/l17\\ ...   j12     z12    around the board: the one opposite
    16    /g16\\h16/ ...                     j7     z7     is three further
    ..                                           r4
    10    /a10\\b10/c10\\ ...
     9    \\ a9/ b9\\ c9/ ...             columns a to z, then aa to ai; rows 1 to 18
     ..

A set of cells is a mask, a Python integer with one bit per cell: one `&` tells whether a piece fits.

An edge is shared by two cells, a vertex by six.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

Cells: TypeAlias = tuple[int, ...]
"""Cells in ascending order."""

WIDTH: Final = 37
HEIGHT: Final = 18
GRID: Final = WIDTH * HEIGHT
ROW: Final = (1 << WIDTH) - 1  # the mask of the lowest row
COLUMNS: Final = tuple("abcdefghijklmnopqrstuvwxyz") + tuple(f"a{letter}" for letter in "abcdefghijk")
CELL_NAMES: Final = tuple(f"{column}{row}" for row in range(1, HEIGHT + 1) for column in COLUMNS)
CELL_INDEX: Final = {name: cell for cell, name in enumerate(CELL_NAMES)}

Colour: TypeAlias = Literal["blue", "yellow", "red", "green"]
COLOURS: Final[tuple[Colour, ...]] = ("blue", "yellow", "red", "green")
"""The colours in playing order (TR-1)."""

NO_COLOUR: Final = -1  # no colour can play any more


def mask_of(cells: Iterable[int]) -> int:
    """The mask of some cells."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


def cells_of(mask: int) -> Iterator[int]:
    """The cells of a mask, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def is_up(cell: int) -> bool:
    """Whether a triangle points up."""
    return cell % 2 == 1


def cells_text(cells: Iterable[int]) -> str:
    """The names of cells; runs within a row are joined: `n16-q16,q15`."""
    runs: list[list[int]] = []
    for cell in sorted(cells):
        if runs and cell == runs[-1][-1] + 1:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return ",".join(CELL_NAMES[run[0]] + (f"-{CELL_NAMES[run[-1]]}" if len(run) > 1 else "") for run in runs)


def parse_cells(text: str) -> Cells:
    """The cells of such a text, whose parts may be in any order. ValueError if it cannot be read."""
    cells: list[int] = []
    for run in text.split(","):
        first, dash, last = run.partition("-")
        for name in (first, last) if dash else (first,):
            if name not in CELL_INDEX:
                raise ValueError(
                    f"{name!r} is not a triangle; names are a column, a to ai, and a row, 1 to 18"
                )
        begin, end = CELL_INDEX[first], CELL_INDEX[last if dash else first]
        if begin > end or begin // WIDTH != end // WIDTH:
            raise ValueError(f"{run} must go from left to right along one row")
        cells += range(begin, end + 1)
    if len({*cells}) < len(cells):
        raise ValueError("a triangle is named twice")
    return tuple(sorted(cells))


# --- The board ---------------------------------------------------------------------------------


def _hexagon(side: int) -> int:
    """The mask of a hexagon with this side length in the middle of the board."""
    mask = 0
    for row in range(9 - side, 9 + side):
        half = 2 * side - min(abs(row - 8), abs(row - 9))  # half the length of the row, rounded up
        mask |= mask_of(range(row * WIDTH + 18 - half, row * WIDTH + 17 + half))
    return mask


BOARD: Final = _hexagon(9)
INNER_BOARD: Final = _hexagon(8)  # TR-7: without the outer ring
STARTS: Final = tuple(CELL_INDEX[name] for name in ("r15", "z12", "z7", "r4", "j7", "j12"))


def _on_board(cells: Iterable[int]) -> int:
    return mask_of(cell for cell in cells if 0 <= cell < GRID) & BOARD


def edge_neighbours(cell: int) -> tuple[int, int, int]:
    """The three cells that share an edge with a cell, on the board or not."""
    return cell - 1, cell + 1, cell - WIDTH if is_up(cell) else cell + WIDTH


def vertices(cell: int) -> tuple[int, int, int]:
    """The three vertices of a triangle. A vertex is identified by the cell whose top vertex it is.

    That cell, its two neighbours in the row, and the three cells above them meet there.
    """
    if is_up(cell):
        return cell - WIDTH - 1, cell - WIDTH + 1, cell
    return cell - 1, cell + 1, cell - WIDTH


def cells_at_vertex(vertex: int) -> Cells:
    """The six cells that meet at a vertex, in order around it."""
    above = vertex + WIDTH
    return vertex, vertex + 1, above + 1, above, above - 1, vertex - 1


EDGE_NEIGHBOURS: Final = tuple(_on_board(edge_neighbours(cell)) for cell in range(GRID))
"""By cell: the mask of the cells that share an edge with it."""

VERTEX_NEIGHBOURS: Final = tuple(
    _on_board(other for vertex in vertices(cell) for other in cells_at_vertex(vertex) if other != cell)
    for cell in range(GRID)
)
"""By cell: the mask of the cells that share a vertex with it, including those that share an edge."""


# --- The pieces --------------------------------------------------------------------------------

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Triangles as (row, column) in ascending order; those with an even sum point up."""


def _normalised(triangles: Iterable[tuple[int, int]]) -> Shape:
    """A shape moved as far down and left as the orientation of its triangles allows."""
    triangles = list(triangles)
    down = min(row for row, _ in triangles)
    left = min(column for _, column in triangles)
    left -= (down + left) % 2
    return tuple(sorted((row - down, column - left) for row, column in triangles))


def _rotated(row: int, column: int) -> tuple[int, int]:
    """A triangle rotated by 60 degrees around a vertex of the triangle (0, 0).

    Its centre is rotated in the oblique axes of the grid, with coordinates multiplied by three to be
    integers.
    """
    height = 3 * row + 1 + (row + column) % 2
    along = (3 * column + 3 - height) // 2
    height, along = along + height, -height
    return height // 3, (2 * along + height) // 3 - 1


def orientations(shape: Shape) -> list[Shape]:
    """All rotations and reflections of a shape, without repeats, in order."""
    shapes, triangles = set(), [*shape]
    for _ in range(2):
        for _ in range(6):
            triangles = [_rotated(row, column) for row, column in triangles]
            shapes.add(_normalised(triangles))
        triangles = [(row, -column) for row, column in triangles]
    return sorted(shapes)


def _extended(shape: Shape) -> Iterator[Shape]:
    """All shapes that have one more triangle than a shape."""
    for row, column in shape:
        third = row + 1 if (row + column) % 2 else row - 1
        for more in ((row, column - 1), (row, column + 1), (third, column)):
            if more not in shape:
                yield _normalised([*shape, more])


def _free_polyiamonds(max_size: int) -> Iterator[Shape]:
    """The free polyiamonds of 1 to `max_size` triangles, by size."""
    shapes: list[Shape] = [((0, 0),)]
    for _ in range(max_size):
        yield from shapes
        shapes = sorted({orientations(larger)[0] for shape in shapes for larger in _extended(shape)})


PIECE_NAMES: Final = (
    *("1", "2", "I3", "I4", "A4", "C4", "I5", "P5", "L5", "C5"),
    *("I6", "P6", "Y", "A6", "F", "G", "V", "X", "W", "S", "L6", "O"),
)
"""The names of the pieces, in the order of `_free_polyiamonds`."""

PIECE_INDEX: Final = {name: piece for piece, name in enumerate(PIECE_NAMES)}
SHAPES: Final = tuple(tuple(orientations(shape)) for shape in _free_polyiamonds(6))
"""The orientations of each piece."""

SHAPE_CELLS: Final = tuple(
    (piece, tuple((row + 7) * WIDTH + column + 14 for row, column in shape))
    for piece, shapes in enumerate(SHAPES)
    for shape in shapes
)
"""The 155 pieces in one orientation: (piece, its cells at some position in the middle of the board)."""

PIECE_SIZES: Final = tuple(len(shapes[0]) for shapes in SHAPES)
SINGLE_TRIANGLE: Final = 0  # the piece that earns more points as the last one (TR-6)
TRIANGLES_PER_COLOUR: Final = sum(PIECE_SIZES)


def piece_code(colour: int, piece: int) -> int:
    """The code of a piece of a colour in `State.cells`; 0 is a free cell."""
    return 1 + colour * len(PIECE_NAMES) + piece


def colour_of(code: int) -> int:
    """The colour of a piece code."""
    return (code - 1) // len(PIECE_NAMES)


def piece_of(code: int) -> int:
    """The piece of a piece code."""
    return (code - 1) % len(PIECE_NAMES)


def connected_order(cells: Cells, first: int) -> list[int]:
    """The cells of a piece from `first` on, each adjacent to an earlier one."""
    order = [first]
    for cell in order:
        order += sorted(other for other in edge_neighbours(cell) if other in cells and other not in order)
    return order


# --- Placements --------------------------------------------------------------------------------


def _placements() -> Iterator[tuple[int, Cells, int]]:
    """Every placement on the full board: piece, cells, and the mask of the cells."""
    for piece, shapes in enumerate(SHAPES):
        placements: list[tuple[Cells, int]] = []
        for shape in shapes:
            cells = [row * WIDTH + column for row, column in shape]
            mask = mask_of(cells)
            placements += [
                (tuple([cell + shift for cell in cells]), shifted)
                for shift in range(1, GRID, 2)  # odd shifts keep the orientation of the triangles
                if (shifted := mask << shift) & BOARD == shifted
            ]
        yield from ((piece, covered, mask) for covered, mask in sorted(placements))


class Placements(NamedTuple):
    """All placements, ordered by piece and then by cells. A placement is an index into these tables.

    pieces    by placement: its piece
    cells     by placement: the cells it covers
    masks     by placement: the mask of these cells
    covering  by cell: the placements that cover it, as a placement set
    of_piece  by piece: its placements, as a placement set

    A placement set is an integer with one bit per placement, as a mask is one with one bit per cell.
    """

    pieces: bytes
    cells: tuple[Cells, ...]
    masks: tuple[int, ...]
    covering: tuple[int, ...]
    of_piece: tuple[int, ...]


@cache
def all_placements() -> Placements:
    """The 32,131 placements on the full board. The first call takes a tenth of a second."""
    pieces, cells, masks = zip(*_placements(), strict=True)
    ends = [bisect_right(pieces, piece) for piece in range(len(PIECE_NAMES))]
    of_piece = tuple((1 << end) - (1 << begin) for begin, end in pairwise([0, *ends]))
    return Placements(bytes(pieces), cells, masks, _placements_by_cell(cells), of_piece)


def _placements_by_cell(cells: Sequence[Cells]) -> tuple[int, ...]:
    """By cell: the set of the placements that cover it. It is built as bytes, since `|` copies an integer."""
    sets = [bytearray(len(cells) // 8 + 1) for _ in range(GRID)]
    for placement, covered in enumerate(cells):
        byte, bit = placement >> 3, 1 << (placement & 7)
        for cell in covered:
            sets[cell][byte] |= bit
    return tuple(int.from_bytes(placement_set, "little") for placement_set in sets)


def placements_in(placement_set: int) -> Iterator[int]:
    """The placements of a placement set, in ascending order. `find` skips the others quickly."""
    digits = f"{placement_set:b}"[::-1]
    placement = digits.find("1")
    while placement >= 0:
        yield placement
        placement = digits.find("1", placement + 1)


def placements_covering(mask: int) -> int:
    """The set of the placements that cover a cell of a mask."""
    placement_set = 0
    for row in range(HEIGHT):
        placement_set |= _covering_in_row(row, mask >> row * WIDTH & ROW)
    return placement_set


@lru_cache(maxsize=512)  # 4 KB each; from one position to the next, few rows change
def _covering_in_row(row: int, mask: int) -> int:
    """The set of the placements that cover one of some cells of a row. The lowest bit is its first cell."""
    covering, placement_set = all_placements().covering, 0
    for column in cells_of(mask):
        placement_set |= covering[row * WIDTH + column]
    return placement_set


@cache
@lru_cache(maxsize=4096)  # several rules ask for the piece of the same action
def piece_of_cells(cells: Cells) -> int | None:
    """The piece that has the shape of some cells, on the board or not; None if no piece has it."""
    if not cells:
        return None
    triangles = [divmod(cell, WIDTH) for cell in cells]
    shape = _normalised((row, column + 1) for row, column in triangles)
    return next((piece for piece, shapes in enumerate(SHAPES) if shape in shapes), None)


class Footprint(NamedTuple):
    """Masks: the cells of a placement, and those that share an edge or a vertex with one of them."""

    covered: int
    edge_adjacent: int
    vertex_adjacent: int


@cache
def footprint(cells: Cells) -> Footprint:
    """The footprint of a placement. Its own cells may be among the adjacent ones."""
    edge_adjacent = vertex_adjacent = 0
    for cell in cells:
        edge_adjacent |= EDGE_NEIGHBOURS[cell]
        vertex_adjacent |= VERTEX_NEIGHBOURS[cell]
    return Footprint(mask_of(cells), edge_adjacent, vertex_adjacent)


@cache
def flat_vertex_cells(cells: Cells) -> int:
    """TR-10: the mask of the cells that would touch the inside of a straight edge of a piece with a corner.

    Three triangles of the piece meet at a vertex inside a straight edge. Of the other three cells
    there, the middle one touches the piece at this vertex only.
    """
    flat_cells = []
    for vertex in {vertex for cell in cells for vertex in vertices(cell)}:
        ring = cells_at_vertex(vertex)
        inside = [index for index, cell in enumerate(ring) if cell in cells]
        if len(inside) == 3:
            middle = next(i for i in inside if (i + 1) % 6 in inside and (i - 1) % 6 in inside)
            flat_cells.append(ring[(middle + 3) % 6])
    return _on_board(flat_cells)
