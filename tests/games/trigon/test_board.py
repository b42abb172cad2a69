"""The board, the pieces and the placements: computed, and compared with known counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tripot.games.trigon import board
from tripot.games.trigon.board import (
    BOARD,
    CELL_INDEX,
    CELL_NAMES,
    EDGE_NEIGHBOURS,
    GRID,
    INNER_BOARD,
    PIECE_NAMES,
    PIECE_SIZES,
    SHAPES,
    STARTS,
    VERTEX_NEIGHBOURS,
    WIDTH,
    all_placements,
    cells_of,
    cells_text,
    flat_vertex_cells,
    mask_of,
    parse_cells,
    piece_of_cells,
    placements_covering,
    placements_in,
)

GOLDEN = Path(__file__).parent / "golden"


def known() -> dict[str, int]:
    lines = (GOLDEN / "counts.txt").read_text("utf-8").splitlines()
    pairs = [line.rpartition(" ") for line in lines if line and not line.startswith("#")]
    return {name: int(count) for name, _, count in pairs}


def test_the_board_is_a_hexagon_of_486_triangles_and_the_inner_one_of_384() -> None:
    assert (BOARD.bit_count(), INNER_BOARD.bit_count()) == (486, 384)
    assert INNER_BOARD & ~BOARD == 0
    for name in ("i18", "aa18", "a10", "a9", "ai10", "i1", "aa1"):
        assert BOARD >> CELL_INDEX[name] & 1, name
    for name in ("h18", "ab18", "a11", "aj10", "h1", "ab1"):
        assert not BOARD >> CELL_INDEX[name] & 1, name


def test_each_row_spans_what_the_rules_say() -> None:
    for y in range(18):
        margin = 8 - min(y, 17 - y)
        row = [cell % WIDTH for cell in cells_of(BOARD) if cell // WIDTH == 17 - y]
        assert row == list(range(margin, 35 - margin))
        for x in row:
            assert board.is_up((17 - y) * WIDTH + x) == ((x + y) % 2 == 0)


def test_the_starts_are_the_same_on_both_boards_and_opposite_ones_are_three_apart() -> None:
    full = [(17, 3), (25, 6), (25, 11), (17, 14), (9, 11), (9, 6)]
    inner = [(15, 2), (23, 5), (23, 10), (15, 13), (7, 10), (7, 5)]
    assert [(start % WIDTH, 17 - start // WIDTH) for start in STARTS] == full
    assert [(x + 2, y + 1) for x, y in inner] == full
    assert all(INNER_BOARD >> start & 1 for start in STARTS)
    for index in range(3):
        assert STARTS[index] + STARTS[index + 3] == 17 * WIDTH + 34


def test_triangles_have_three_neighbours_at_sides_and_nine_more_at_points() -> None:
    assert Counter(EDGE_NEIGHBOURS[cell].bit_count() for cell in cells_of(BOARD)) == {3: 432, 2: 54}
    assert max(VERTEX_NEIGHBOURS[cell].bit_count() for cell in cells_of(BOARD)) == 12
    for cell in cells_of(BOARD):
        assert EDGE_NEIGHBOURS[cell] & ~VERTEX_NEIGHBOURS[cell] == 0
        assert all(EDGE_NEIGHBOURS[other] >> cell & 1 for other in cells_of(EDGE_NEIGHBOURS[cell]))
        assert all(VERTEX_NEIGHBOURS[other] >> cell & 1 for other in cells_of(VERTEX_NEIGHBOURS[cell]))
    assert {CELL_NAMES[cell] for cell in cells_of(EDGE_NEIGHBOURS[CELL_INDEX["r10"]])} == {
        "q10",
        "s10",
        "r11",
    }


def test_there_are_22_free_pieces_of_110_triangles() -> None:
    assert Counter(PIECE_SIZES) == {1: 1, 2: 1, 3: 1, 4: 3, 5: 4, 6: 12}
    assert sum(PIECE_SIZES) == 110
    assert len(PIECE_NAMES) == len(SHAPES) == 22
    assert len({shape for shapes in SHAPES for shape in shapes}) == sum(map(len, SHAPES)) == 155
    assert SHAPES[PIECE_NAMES.index("O")] == (SHAPES[PIECE_NAMES.index("O")][0],)


def test_the_number_of_placements_is_known() -> None:
    counts, every = known(), all_placements()
    assert len(every.masks) == counts["places"]
    assert sum(mask & INNER_BOARD == mask for mask in every.masks) == counts["places-inner"]
    for size, count in Counter(map(len, every.cells)).items():
        assert count == counts[f"places-of-size-{size}"]
    assert len({*every.masks}) == len(every.masks)


def test_the_number_of_placements_through_a_start_is_known_by_piece() -> None:
    for start in STARTS:
        through = Counter(
            PIECE_NAMES[all_placements().pieces[placement]]
            for placement in placements_in(all_placements().covering[start])
        )
        assert sum(through.values()) == known()["first-moves-through-one-start"]
        assert [through[piece] for piece in ("1", "2", "I3", "A4", "C4", "I4")] == [1, 3, 9, 4, 12, 12]
        assert [through[piece] for piece in ("C5", "I5", "L5", "P5", "O", "X")] == [15, 15, 30, 30, 3, 9]


def test_placement_sets_have_the_placements_that_cover_a_cell_or_are_of_a_piece() -> None:
    every = all_placements()
    for cell in (*STARTS, *range(0, GRID, 37)):
        covering = [placement for placement, cells in enumerate(every.cells) if cell in cells]
        assert [*placements_in(every.covering[cell])] == covering
    assert [mask.bit_count() for mask in every.of_piece] == [every.pieces.count(piece) for piece in range(22)]
    assert all(every.of_piece[piece] >> place & 1 for place, piece in enumerate(every.pieces))
    for mask in (0, BOARD, BOARD & ~INNER_BOARD, mask_of(STARTS)):
        expected = [place for place, covered in enumerate(every.masks) if covered & mask]
        assert [*placements_in(placements_covering(mask))] == expected


def test_a_shape_is_recognised_at_every_place() -> None:
    every = all_placements()
    for place in range(0, len(every.cells), 97):
        assert piece_of_cells(every.cells[place]) == every.pieces[place]
    assert piece_of_cells(parse_cells("a1-b1")) == PIECE_NAMES.index("2")  # off the board, and still a piece
    assert piece_of_cells(parse_cells("r10,r11")) == PIECE_NAMES.index("2")
    assert piece_of_cells(parse_cells("r10,r9")) is None
    assert piece_of_cells(parse_cells("r10-x10")) is None


@pytest.mark.parametrize(
    ("cells", "flat"),
    [
        ("p9-u9", "q8,s8,r10,t10"),  # I6: two points inside each of its long sides
        ("p9-r9", "q8"),  # I3
        ("p9-q9", ""),
        ("q9-s9,q10-s10", ""),  # the hexagon has corners only
    ],
)
def test_points_inside_a_straight_side_are_found(cells: str, flat: str) -> None:
    assert flat_vertex_cells(parse_cells(cells)) == (mask_of(parse_cells(flat)) if flat else 0)


def test_cells_are_written_as_runs_and_read_in_any_order() -> None:
    assert cells_text(parse_cells("r15,q15,n16-q16")) == "q15-r15,n16-q16"
    assert parse_cells("n16-q16,q15-r15") == parse_cells("q15,r15,n16,o16,p16,q16")
    for bad in ("", "r", "r19", "zz3", "q15-q16", "r15-q15", "r15,r15", "r15-", "q15 -r15"):
        with pytest.raises(ValueError, match=r"."):
            parse_cells(bad)
