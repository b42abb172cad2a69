"""The board of Trigon, its 22 pieces, and every place where a piece can lie. All of it is derived.

A triangle is a cell of a grid of 37 columns and 18 rows, and its number is row * 37 + column, both
counted from 0, from the left and from the bottom. 486 of these cells are on the board; the rest is
the corners that a hexagon leaves empty, and two columns on the right, there to keep the ends of the
longest rows apart. 37 is odd, so the number tells which way a triangle points: odd ones point up and
have their third side below, even ones point down and have it above.

    18            /i18\\j18/k18\\ ...            r15        the six starting triangles, in order
    17        /h17\\i17/j17\\k17/l17\\ ...   j12     z12    around the board: the one opposite
    16    /g16\\h16/ ...                     j7     z7     is three further
    ..                                           r4
    10    /a10\\b10/c10\\ ...
     9    \\ a9/ b9\\ c9/ ...             columns a to z, then aa to ai; rows 1 to 18
     ..

A set of cells is a Python integer with a bit for each: one `&` tells whether a piece fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final, NamedTuple, TypeAlias

Cells: TypeAlias = tuple[int, ...]
"""Cells in ascending order."""

WIDTH: Final = 37
HEIGHT: Final = 18
GRID: Final = WIDTH * HEIGHT
COLUMNS: Final = tuple("abcdefghijklmnopqrstuvwxyz") + tuple(f"a{letter}" for letter in "abcdefghijk")
CELL_NAMES: Final = tuple(f"{column}{row}" for row in range(1, HEIGHT + 1) for column in COLUMNS)
CELL_INDEX: Final = {name: cell for cell, name in enumerate(CELL_NAMES)}

COLOURS: Final = ("blue", "yellow", "red", "green")
"""In playing order (TR-1)."""


def mask_of(cells: Iterable[int]) -> int:
    """A set of cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_of(mask: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def is_up(cell: int) -> bool:
    """Whether a triangle stands on its side; the others stand on a corner."""
    return cell % 2 == 1


def cells_text(cells: Iterable[int]) -> str:
    """Cells by name, neighbours in a row joined: `n16-q16,q15`."""
    runs: list[list[int]] = []
    for cell in sorted(cells):
        if runs and cell == runs[-1][-1] + 1:
            runs[-1].append(cell)
        else:
            runs.append([cell])
    return ",".join(CELL_NAMES[run[0]] + (f"-{CELL_NAMES[run[-1]]}" if len(run) > 1 else "") for run in runs)


def parse_cells(text: str) -> Cells:
    """The cells of such a text, in any order; ValueError says what is off."""
    found: list[int] = []
    for run in text.split(","):
        first, dash, last = run.partition("-")
        for name in (first, last) if dash else (first,):
            if name not in CELL_INDEX:
                raise ValueError(f"{name!r} is no triangle; names are a column, a to ai, and a row, 1 to 18")
        begin, end = CELL_INDEX[first], CELL_INDEX[last if dash else first]
        if begin > end or begin // WIDTH != end // WIDTH:
            raise ValueError(f"{run} must go from left to right along one row")
        found += range(begin, end + 1)
    if len({*found}) < len(found):
        raise ValueError("a triangle is named twice")
    return tuple(sorted(found))


# --- The board ---------------------------------------------------------------------------------


def _hexagon(side: int) -> int:
    """The cells of a hexagon of that side in the middle of the board."""
    found = 0
    for row in range(9 - side, 9 + side):
        half = 2 * side - min(abs(row - 8), abs(row - 9))  # of a row's cells: its ends are half a cell out
        found |= mask_of(range(row * WIDTH + 18 - half, row * WIDTH + 17 + half))
    return found


BOARD: Final = _hexagon(9)
INNER_BOARD: Final = _hexagon(8)  # TR-7: without the outer ring
STARTS: Final = tuple(CELL_INDEX[name] for name in ("r15", "z12", "z7", "r4", "j7", "j12"))


def _on_board(cells: Iterable[int]) -> int:
    return mask_of(cell for cell in cells if 0 <= cell < GRID) & BOARD


def edge_neighbours(cell: int) -> tuple[int, int, int]:
    """The three cells that share a side with a cell, whether or not they are on the board."""
    return cell - 1, cell + 1, cell - WIDTH if is_up(cell) else cell + WIDTH


def vertices(cell: int) -> tuple[int, int, int]:
    """The points of a triangle, each named by the cell that hangs from it, on the board or not.

    Six cells meet at a point: the one that hangs from it and its two neighbours, and the three
    above, so `cells_at_vertex` can tell them all.
    """
    if is_up(cell):
        return cell - WIDTH - 1, cell - WIDTH + 1, cell
    return cell - 1, cell + 1, cell - WIDTH


def cells_at_vertex(point: int) -> Cells:
    """The six cells that meet at a point, in order around it."""
    above = point + WIDTH
    return point, point + 1, above + 1, above, above - 1, point - 1


EDGE_NEIGHBOURS: Final = tuple(_on_board(edge_neighbours(cell)) for cell in range(GRID))
"""The cells that share a side with a cell."""

VERTEX_NEIGHBOURS: Final = tuple(
    _on_board(each for point in vertices(cell) for each in cells_at_vertex(point) if each != cell)
    for cell in range(GRID)
)
"""The cells that share a point with a cell, with those that share a side."""


# --- The pieces --------------------------------------------------------------------------------

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Triangles as (row, column) in ascending order, pointing up where row + column is even."""


def _normalised(triangles: Iterable[tuple[int, int]]) -> Shape:
    """A shape moved to the lowest rows and leftmost columns where its triangles still point their way."""
    triangles = list(triangles)
    down = min(row for row, _ in triangles)
    left = min(column for _, column in triangles)
    left -= (down + left) % 2
    return tuple(sorted((row - down, column - left) for row, column in triangles))


def _rotated(row: int, column: int) -> tuple[int, int]:
    """A triangle turned by 60 degrees around a corner of the triangle (0, 0).

    Its centre, three times as large to be whole, is turned in the slanted axes of the grid.
    """
    height = 3 * row + 1 + (row + column) % 2
    along = (3 * column + 3 - height) // 2
    height, along = along + height, -height
    return height // 3, (2 * along + height) // 3 - 1


def orientations(shape: Shape) -> list[Shape]:
    """A shape turned and turned over in all ways, without repeats, in order."""
    found, triangles = set(), [*shape]
    for _ in range(2):
        for _ in range(6):
            triangles = [_rotated(row, column) for row, column in triangles]
            found.add(_normalised(triangles))
        triangles = [(row, -column) for row, column in triangles]
    return sorted(found)


def _extended(shape: Shape) -> Iterator[Shape]:
    """A shape with one more triangle at a side, in all ways."""
    for row, column in shape:
        third = row + 1 if (row + column) % 2 else row - 1
        for more in ((row, column - 1), (row, column + 1), (third, column)):
            if more not in shape:
                yield _normalised([*shape, more])


def _free_polyiamonds(most: int) -> Iterator[Shape]:
    """The polyiamonds of 1 to so many triangles, each once, by size."""
    shapes: list[Shape] = [((0, 0),)]
    for _ in range(most):
        yield from shapes
        shapes = sorted({orientations(larger)[0] for shape in shapes for larger in _extended(shape)})


PIECE_NAMES: Final = (
    *("1", "2", "I3", "I4", "A4", "C4", "I5", "P5", "L5", "C5"),
    *("I6", "P6", "Y", "A6", "F", "G", "V", "X", "W", "S", "L6", "O"),
)
"""The names of the pieces, in the order in which they are derived."""

PIECE_INDEX: Final = {name: piece for piece, name in enumerate(PIECE_NAMES)}
SHAPES: Final = tuple(tuple(orientations(shape)) for shape in _free_polyiamonds(6))
"""The orientations of each piece."""

SHAPE_CELLS: Final = tuple(
    (piece, tuple((row + 7) * WIDTH + column + 14 for row, column in shape))
    for piece, shapes in enumerate(SHAPES)
    for shape in shapes
)
"""Every piece in every orientation, 155 in all, by its cells in the middle of the board."""

PIECE_SIZES: Final = tuple(len(shapes[0]) for shapes in SHAPES)
SINGLE_TRIANGLE: Final = 0  # the piece that is worth more as the last one (TR-6)
TRIANGLES_PER_COLOUR: Final = sum(PIECE_SIZES)  # of one colour


def connected_order(cells: Cells, first: int) -> list[int]:
    """The cells of a piece, each next to one before it, beginning with the one that is asked for."""
    found = [first]
    for cell in found:
        found += sorted(each for each in edge_neighbours(cell) if each in cells and each not in found)
    return found


# --- The places --------------------------------------------------------------------------------


def _places() -> Iterator[tuple[int, Cells, int]]:
    """Every place of every piece: piece, cells, and the same cells as a set."""
    for piece, shapes in enumerate(SHAPES):
        found: list[tuple[Cells, int]] = []
        for shape in shapes:
            cells = [row * WIDTH + column for row, column in shape]
            mask = mask_of(cells)
            found += [
                (tuple([cell + shift for cell in cells]), there)
                for shift in range(1, GRID, 2)  # odd, for up to stay up
                if (there := mask << shift) & BOARD == there
            ]
        yield from ((piece, there, mask) for there, mask in sorted(found))


class Placements(NamedTuple):
    """All places, numbered by piece and then by cells.

    pieces   which piece lies there
    cells    the cells it covers
    masks    the same as sets
    by_cell  by cell: the numbers of the places that cover it, ascending
    index_of  the number of a place by its cells
    """

    pieces: bytes
    cells: tuple[Cells, ...]
    masks: tuple[int, ...]
    by_cell: tuple[Cells, ...]
    index_of: dict[Cells, int]


@cache
def all_placements() -> Placements:
    """The 32,131 places on the full board. A tenth of a second, once, when first asked for."""
    pieces, cells, masks = zip(*_places(), strict=True)
    through: list[list[int]] = [[] for _ in range(GRID)]
    for place, covered in enumerate(cells):
        for cell in covered:
            through[cell].append(place)
    numbers = {covered: place for place, covered in enumerate(cells)}
    return Placements(bytes(pieces), cells, masks, tuple(map(tuple, through)), numbers)


@cache
def piece_of_cells(cells: Cells) -> int | None:
    """The piece that has this shape, on the board or not; None if no piece has."""
    triangles = [divmod(cell, WIDTH) for cell in cells]
    shape = _normalised((row, column + 1) for row, column in triangles)
    return next((piece for piece, shapes in enumerate(SHAPES) if shape in shapes), None)


class Footprint(NamedTuple):
    """A piece that lies, as sets: the cells it covers, those that share a side with one, or a point."""

    covered: int
    edge_adjacent: int
    vertex_adjacent: int


@cache
def footprint(cells: Cells) -> Footprint:
    """What a piece covers and touches, its own cells among the touched ones."""
    sides = points = 0
    for cell in cells:
        sides |= EDGE_NEIGHBOURS[cell]
        points |= VERTEX_NEIGHBOURS[cell]
    return Footprint(mask_of(cells), sides, points)


@cache
def flat_vertex_cells(cells: Cells) -> int:
    """TR-10: where a corner of another piece would touch the inside of a straight side of this one.

    At a point inside a straight side three triangles of the piece meet; of the other three the one in
    the middle touches the piece at that point only. All such cells, as a set.
    """
    found = []
    for point in {point for cell in cells for point in vertices(cell)}:
        ring = cells_at_vertex(point)
        inside = [index for index, cell in enumerate(ring) if cell in cells]
        if len(inside) == 3:
            middle = next(i for i in inside if (i + 1) % 6 in inside and (i - 1) % 6 in inside)
            found.append(ring[(middle + 3) % 6])
    return _on_board(found)
