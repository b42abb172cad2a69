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
NAMES: Final = tuple(f"{column}{row}" for row in range(1, HEIGHT + 1) for column in COLUMNS)
NUMBERS: Final = {name: cell for cell, name in enumerate(NAMES)}

COLOURS: Final = ("blue", "yellow", "red", "green")
"""In playing order (TR-1)."""


def bits(cells: Iterable[int]) -> int:
    """A set of cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def members(mask: int) -> Iterator[int]:
    """The cells of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def points_up(cell: int) -> bool:
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
    return ",".join(NAMES[run[0]] + (f"-{NAMES[run[-1]]}" if len(run) > 1 else "") for run in runs)


def read_cells(text: str) -> Cells:
    """The cells of such a text, in any order; ValueError says what is off."""
    found: list[int] = []
    for run in text.split(","):
        first, dash, last = run.partition("-")
        for name in (first, last) if dash else (first,):
            if name not in NUMBERS:
                raise ValueError(f"{name!r} is no triangle; names are a column, a to ai, and a row, 1 to 18")
        begin, end = NUMBERS[first], NUMBERS[last if dash else first]
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
        found |= bits(range(row * WIDTH + 18 - half, row * WIDTH + 17 + half))
    return found


BOARD: Final = _hexagon(9)
INNER: Final = _hexagon(8)  # TR-7: without the outer ring
STARTS: Final = tuple(NUMBERS[name] for name in ("r15", "z12", "z7", "r4", "j7", "j12"))


def _on_board(cells: Iterable[int]) -> int:
    return bits(cell for cell in cells if 0 <= cell < GRID) & BOARD


def beside(cell: int) -> tuple[int, int, int]:
    """The three cells that share a side with a cell, whether or not they are on the board."""
    return cell - 1, cell + 1, cell - WIDTH if points_up(cell) else cell + WIDTH


def corners(cell: int) -> tuple[int, int, int]:
    """The points of a triangle, each named by the cell that hangs from it, on the board or not.

    Six cells meet at a point: the one that hangs from it and its two neighbours, and the three
    above, so `around` can tell them all.
    """
    if points_up(cell):
        return cell - WIDTH - 1, cell - WIDTH + 1, cell
    return cell - 1, cell + 1, cell - WIDTH


def around(point: int) -> Cells:
    """The six cells that meet at a point, in order around it."""
    above = point + WIDTH
    return point, point + 1, above + 1, above, above - 1, point - 1


SIDES: Final = tuple(_on_board(beside(cell)) for cell in range(GRID))
"""The cells that share a side with a cell."""

POINTS: Final = tuple(
    _on_board(each for point in corners(cell) for each in around(point) if each != cell)
    for cell in range(GRID)
)
"""The cells that share a point with a cell, with those that share a side."""


# --- The pieces --------------------------------------------------------------------------------

Shape: TypeAlias = tuple[tuple[int, int], ...]
"""Triangles as (row, column) in ascending order, pointing up where row + column is even."""


def _settled(triangles: Iterable[tuple[int, int]]) -> Shape:
    """A shape moved to the lowest rows and leftmost columns where its triangles still point their way."""
    triangles = list(triangles)
    down = min(row for row, _ in triangles)
    left = min(column for _, column in triangles)
    left -= (down + left) % 2
    return tuple(sorted((row - down, column - left) for row, column in triangles))


def _turned(row: int, column: int) -> tuple[int, int]:
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
            triangles = [_turned(row, column) for row, column in triangles]
            found.add(_settled(triangles))
        triangles = [(row, -column) for row, column in triangles]
    return sorted(found)


def _grown(shape: Shape) -> Iterator[Shape]:
    """A shape with one more triangle at a side, in all ways."""
    for row, column in shape:
        third = row + 1 if (row + column) % 2 else row - 1
        for more in ((row, column - 1), (row, column + 1), (third, column)):
            if more not in shape:
                yield _settled([*shape, more])


def _free_shapes(most: int) -> Iterator[Shape]:
    """The polyiamonds of 1 to so many triangles, each once, by size."""
    shapes: list[Shape] = [((0, 0),)]
    for _ in range(most):
        yield from shapes
        shapes = sorted({orientations(larger)[0] for shape in shapes for larger in _grown(shape)})


PIECES: Final = (
    *("1", "2", "I3", "I4", "A4", "C4", "I5", "P5", "L5", "C5"),
    *("I6", "P6", "Y", "A6", "F", "G", "V", "X", "W", "S", "L6", "O"),
)
"""The names of the pieces, in the order in which they are derived."""

PIECE_NUMBERS: Final = {name: piece for piece, name in enumerate(PIECES)}
SHAPES: Final = tuple(tuple(orientations(shape)) for shape in _free_shapes(6))
"""The orientations of each piece."""

ORIENTED: Final = tuple(
    (piece, tuple((row + 7) * WIDTH + column + 14 for row, column in shape))
    for piece, shapes in enumerate(SHAPES)
    for shape in shapes
)
"""Every piece in every orientation, 155 in all, by its cells in the middle of the board."""

SIZES: Final = tuple(len(shapes[0]) for shapes in SHAPES)
SINGLE: Final = 0  # the piece that is worth more as the last one (TR-6)
TRIANGLES: Final = sum(SIZES)  # of one colour


def in_order(cells: Cells, first: int) -> list[int]:
    """The cells of a piece, each next to one before it, beginning with the one that is asked for."""
    found = [first]
    for cell in found:
        found += sorted(each for each in beside(cell) if each in cells and each not in found)
    return found


# --- The places --------------------------------------------------------------------------------


def _places() -> Iterator[tuple[int, Cells, int]]:
    """Every place of every piece: piece, cells, and the same cells as a set."""
    for piece, shapes in enumerate(SHAPES):
        found: list[tuple[Cells, int]] = []
        for shape in shapes:
            cells = [row * WIDTH + column for row, column in shape]
            mask = bits(cells)
            found += [
                (tuple([cell + shift for cell in cells]), there)
                for shift in range(1, GRID, 2)  # odd, for up to stay up
                if (there := mask << shift) & BOARD == there
            ]
        yield from ((piece, there, mask) for there, mask in sorted(found))


class Places(NamedTuple):
    """All places, numbered by piece and then by cells.

    pieces   which piece lies there
    cells    the cells it covers
    masks    the same as sets
    through  by cell: the numbers of the places that cover it, ascending
    numbers  the number of a place by its cells
    """

    pieces: bytes
    cells: tuple[Cells, ...]
    masks: tuple[int, ...]
    through: tuple[Cells, ...]
    numbers: dict[Cells, int]


@cache
def places() -> Places:
    """The 32,131 places on the full board. A tenth of a second, once, when first asked for."""
    pieces, cells, masks = zip(*_places(), strict=True)
    through: list[list[int]] = [[] for _ in range(GRID)]
    for place, covered in enumerate(cells):
        for cell in covered:
            through[cell].append(place)
    numbers = {covered: place for place, covered in enumerate(cells)}
    return Places(bytes(pieces), cells, masks, tuple(map(tuple, through)), numbers)


@cache
def shape_of(cells: Cells) -> int | None:
    """The piece that has this shape, on the board or not; None if no piece has."""
    triangles = [divmod(cell, WIDTH) for cell in cells]
    shape = _settled((row, column + 1) for row, column in triangles)
    return next((piece for piece, shapes in enumerate(SHAPES) if shape in shapes), None)


class Footprint(NamedTuple):
    """A piece that lies, as sets: the cells it covers, those that share a side with one, or a point."""

    covers: int
    sides: int
    points: int


@cache
def footprint(cells: Cells) -> Footprint:
    """What a piece covers and touches, its own cells among the touched ones."""
    sides = points = 0
    for cell in cells:
        sides |= SIDES[cell]
        points |= POINTS[cell]
    return Footprint(bits(cells), sides, points)


@cache
def flat_points(cells: Cells) -> int:
    """TR-10: where a corner of another piece would touch the inside of a straight side of this one.

    At a point inside a straight side three triangles of the piece meet; of the other three the one in
    the middle touches the piece at that point only. All such cells, as a set.
    """
    found = []
    for point in {point for cell in cells for point in corners(cell)}:
        ring = around(point)
        inside = [index for index, cell in enumerate(ring) if cell in cells]
        if len(inside) == 3:
            middle = next(i for i in inside if (i + 1) % 6 in inside and (i - 1) % 6 in inside)
            found.append(ring[(middle + 3) % 6])
    return _on_board(found)
