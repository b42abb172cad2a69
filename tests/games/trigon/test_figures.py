"""Figures (TR-12): the library, and the solver that tiles a figure or proves that it is impossible."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.trigon.moves import placements

import tripot
from tripot import i18n
from tripot.engine.budget import Budget
from tripot.engine.rng import new_rng
from tripot.game import Limit
from tripot.games.trigon.actions import Lift, Place
from tripot.games.trigon.board import (
    BOARD,
    EDGE_NEIGHBOURS,
    PIECE_NAMES,
    PIECE_SIZES,
    all_placements,
    cells_of,
    mask_of,
    piece_of_cells,
    placements_in,
)
from tripot.games.trigon.figures import library, library_figure
from tripot.games.trigon.kernel import exact_cover
from tripot.games.trigon.kernel import tiling as tiling_module
from tripot.games.trigon.kernel.exact_cover import (
    FOUND,
    IMPOSSIBLE,
    UNDECIDED,
    ExactCover,
    OutOfTimeError,
    new_exact_cover,
    search_steps,
    tiling_rows,
)
from tripot.games.trigon.kernel.tiling import find_tiling
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import State, initial_state

GAME = tripot.get_game("trigon")
ONE_COLOUR = [name for name in library() if library_figure(name).stock == (1,) * 22]
LITTLE = [name for name in library() if name.startswith("little-")]
GREAT = [name for name in library() if name.startswith("great-")]

FIR = "r17,q16-s16,p15-t15,q14-s14,p13-t13,o12-u12,p11-t11,o10-u10,n9-v9,o8-u8,n7-v7,m6-w6,n5-v5,m4-w4,l3-x3"
FIR += ",p2-t2"
KEY = (
    "n1-v1,m2-w2,q3-s3,m4-w4,q5-s5,q6-s6,q7-s7,q8-s8,q9-s9,q10-s10,p11-t11,o12-u12,n13-v13,m14-p14,t14-w14,"
    "m15-p15,t15-w15,n16-v16,o17-u17,p18-t18"
)


def figure(name: str, shape: str = "", pieces: str = "") -> State:
    return initial_state(Options(players=1, figure=name, shape=shape, pieces=pieces))


# --- The library -------------------------------------------------------------------------------


def test_the_library_has_figures_for_beginners_for_one_colour_and_for_all_pieces() -> None:
    assert len(ONE_COLOUR) >= 40
    assert len(GREAT) >= 3
    assert len(LITTLE) >= 10
    assert {*ONE_COLOUR, *GREAT, *LITTLE} == {*library()}
    assert all(library_figure(name).stock == (4,) * 22 for name in GREAT)
    outlines = [library_figure(name).cells for name in library()]
    assert len({*outlines}) == len(outlines)


@pytest.mark.parametrize("name", library())
def test_every_figure_has_a_known_tiling(name: str) -> None:
    known = library_figure(name)
    pieces = [piece_of_cells(cells) for cells in known.tiling]
    texts = library()[name].split()
    assert texts == [str(Place(cells)) for cells in known.tiling]
    assert [text.split("@")[0] for text in texts] == [PIECE_NAMES[piece or 0] for piece in pieces]
    assert sum(map(len, known.tiling)) == known.cells.bit_count()  # nothing overlaps
    assert known.cells & ~BOARD == 0
    reached = known.cells & -known.cells
    while (
        more := reached
        | mask_of(c for cell in cells_of(reached) for c in cells_of(EDGE_NEIGHBOURS[cell] & known.cells))
    ) != reached:
        reached = more
    assert reached == known.cells, "a figure is connected"
    state = initial_state(Options(players=1, figure=name))
    for cells in known.tiling:
        state = state.apply(Place(cells))
    assert state.solved


# --- The solver --------------------------------------------------------------------------------


def tilings(free: int, stock: tuple[int, ...]) -> Iterator[list[int]]:
    """Every tiling, by plain search: cover the lowest cell in all ways."""
    if not free:
        yield []
        return
    lowest, every = (free & -free).bit_length() - 1, all_placements()
    for place in placements_in(every.covering[lowest]):
        piece, mask = every.pieces[place], every.masks[place]
        if stock[piece] and mask & free == mask:
            remaining = tuple(count - (kind == piece) for kind, count in enumerate(stock))
            for rest in tilings(free & ~mask, remaining):
                yield [place, *rest]


@pytest.mark.parametrize("name", LITTLE[:8])
@pytest.mark.parametrize("seed", range(4))
def test_the_solver_agrees_with_a_plain_search(name: str, seed: int) -> None:
    """With the pieces of the figure, and with others of the same sizes, which often do not tile it."""
    puzzle, rng = library_figure(name), Random(seed)
    stock = [0] * 22
    for piece, count in enumerate(puzzle.stock):
        same = [kind for kind in range(22) if PIECE_SIZES[kind] == PIECE_SIZES[piece] and not stock[kind]]
        stock[rng.choice(same) if count and seed else piece] += count
    problem, rows = new_exact_cover(puzzle.cells, tuple(stock))
    result = search_steps(problem, 10**7, new_rng(seed))
    possible = next(tilings(puzzle.cells, tuple(stock)), None) is not None
    assert result == (FOUND if possible else IMPOSSIBLE)
    if possible:
        used = [rows[row] for row in tiling_rows(problem)]
        assert (
            sum(map(len, used))
            == puzzle.cells.bit_count()
            == mask_of(cell for cells in used for cell in cells).bit_count()
        )


@pytest.mark.parametrize("name", [*ONE_COLOUR[::5], GREAT[0]])
def test_library_figures_are_solved(name: str) -> None:
    """By a number of steps, not by the clock, so that the search is the same everywhere."""
    state = figure(name)
    tiling = find_tiling(state, Budget(Limit(simulations=500)), Random(1))
    assert tiling.result == FOUND
    for cells in tiling.placements:
        state = state.apply(Place(cells))
    assert state.solved


def test_a_figure_with_too_many_triangles_of_one_sort_is_proved_impossible_at_once() -> None:
    state = figure("own", shape=FIR)
    ups = sum(1 if cell % 2 else -1 for cell in cells_of(state.field))
    assert ups == 14
    assert find_tiling(state, Budget(Limit(simulations=1)), Random(1)).result == IMPOSSIBLE
    analysis = GAME.engine(3).analyse(state, Limit(simulations=1), Random(1))
    assert [fact.key for fact in analysis.facts] == ["untileable"]


def test_a_search_that_was_too_short_reports_that_it_does_not_know() -> None:
    state = figure("own", shape=KEY)
    tiling = find_tiling(state, Budget(Limit(simulations=3)), Random(1))
    assert tiling.result == UNDECIDED
    analysis = GAME.engine(3).analyse(state, Limit(simulations=2), Random(1))
    assert i18n.render(GAME, analysis.facts[0]) == "Not known: the time was too short. Steps tried: 4000."


def test_progress_is_reported_while_searching() -> None:
    shares: list[float] = []
    find_tiling(figure("own", shape=KEY), Budget(Limit(simulations=5, on_progress=shares.append)), Random(1))
    assert shares == [0.2, 0.4, 0.6, 0.8, 1.0]


def test_a_search_for_a_tiling_stops_when_it_should() -> None:
    """Without an end by time or steps, `should_stop` is the only end; it used to be ignored."""
    batches: list[float] = []
    limit = Limit(seconds=1000, on_progress=batches.append, should_stop=lambda: len(batches) >= 3)
    tiling = find_tiling(figure("own", shape=KEY), Budget(limit), Random(1))
    assert tiling.result == UNDECIDED
    assert len(batches) == 3


def test_the_pieces_of_a_tiling_have_the_whole_tiling_as_principal_variation() -> None:
    state = figure("little-house")
    analysis = GAME.engine(3).analyse(state, Limit(simulations=50), Random(1))
    completing = [candidate for candidate in analysis.candidates if candidate.value == 1]
    assert len(completing) == sum(library_figure("little-house").stock)
    for candidate in completing:
        after = state
        for action in candidate.pv:
            after = after.apply(action)
        assert after.solved


@pytest.mark.parametrize("name", [LITTLE[0], ONE_COLOUR[0], GREAT[0]])
def test_the_rows_of_a_problem_are_the_placements_inside_the_figure(name: str) -> None:
    """They are chosen with array operations; here they are collected one by one."""
    puzzle, every = library_figure(name), all_placements()
    stock = tuple(count * (piece % 3 != 1) for piece, count in enumerate(puzzle.stock))
    problem, rows = new_exact_cover(puzzle.cells, stock)
    inside = [
        placement
        for placement, mask in enumerate(every.masks)
        if mask & puzzle.cells == mask and stock[every.pieces[placement]]
    ]
    assert rows == [every.cells[placement] for placement in inside]
    assert problem.piece.tolist() == [every.pieces[placement] for placement in inside]
    through: dict[int, list[int]] = {cell: [] for cell in cells_of(puzzle.cells)}
    index_of = {cell: index for index, cell in enumerate(through)}
    for row, covered in enumerate(rows):
        kept = problem.cells[row].tolist()
        assert kept == [index_of[cell] for cell in covered] + [-1] * (len(kept) - len(covered))
        for cell in covered:
            through[cell].append(row)
    assert problem.cell_rows.tolist() == [row for those in through.values() for row in those]
    assert problem.cell_options.tolist() == [len(those) for those in through.values()]
    assert problem.cell_row_start.tolist()[1:] == np.cumsum(problem.cell_options).tolist()


def test_a_problem_looks_at_the_clock_first_and_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """It went through all 32,131 placements before it looked, and the largest figures took 0.1 s."""
    puzzle, answers = library_figure(GREAT[0]), [True]
    with monkeypatch.context() as patch:
        patch.setattr(exact_cover, "all_placements", None)  # calling it would be a TypeError
        with pytest.raises(OutOfTimeError):
            new_exact_cover(puzzle.cells, puzzle.stock, answers.pop)
    answers = [True, False]
    with pytest.raises(OutOfTimeError):
        new_exact_cover(puzzle.cells, puzzle.stock, answers.pop)
    assert not answers


# --- Playing a figure --------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["little-heart", "heart"])
def test_the_top_level_tiles_a_figure_alone(name: str) -> None:
    state = figure(name)
    engine = GAME.engine(3)
    for _ in range(22):
        if state.to_act is not None:
            state = state.apply(engine.choose(state, Limit(simulations=200), Random(1)).action)
    assert state.solved


def test_after_a_wrong_piece_the_hint_is_to_lift_it() -> None:
    state = figure("little-house")
    wrong = [
        action
        for action in placements(state)
        if find_tiling(state.apply(action), Budget(Limit(simulations=50)), Random(1)).result == IMPOSSIBLE
    ]
    state = state.apply(wrong[0])
    analysis = GAME.engine(3).analyse(state, Limit(simulations=400), Random(1))
    assert analysis.candidates[0].action == Lift(wrong[0].cells)
    assert analysis.candidates[0].value == 1
    assert analysis.candidates[-1].value == -1


@pytest.mark.parametrize("simulations", [2, 20])
def test_all_lifts_together_keep_to_the_budget(simulations: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each lift had a budget of its own, in addition to that of the first search, and its own progress."""
    state, batches, shares = figure("own", shape=FIR), list[int](), list[float]()
    for _ in range(4):
        state = state.apply(next(action for action in state.legal_actions() if isinstance(action, Place)))

    def counted(problem: ExactCover, steps: int, rng: NDArray[np.uint64]) -> int:
        batches.append(steps)
        return search_steps(problem, steps, rng)

    monkeypatch.setattr(tiling_module, "search_steps", counted)
    limit = Limit(simulations=simulations, on_progress=shares.append)
    analysis = GAME.engine(3).analyse(state, limit, Random(1))
    assert [fact.key for fact in analysis.facts] == ["untileable"]
    assert len(batches) <= simulations
    assert shares == sorted(shares)
    lifts = [candidate for candidate in analysis.candidates if isinstance(candidate.action, Lift)]
    assert len(lifts) == 4


@pytest.mark.parametrize("level", [1, 2])
def test_lower_levels_place_what_fits_and_lift_when_nothing_does(level: int) -> None:
    state, rng = figure("little-hexagon"), Random(3)
    for _ in range(12):
        fitting = [action for action in state.legal_actions() if isinstance(action, Place)]
        chosen = GAME.engine(level).choose(state, Limit(), rng).action
        assert isinstance(chosen, Place) == bool(fitting)
        if level == 2 and fitting:
            assert len(chosen.cells) == max(len(action.cells) for action in fitting)
        state = state.apply(chosen)
        if state.to_act is None:
            break


# --- Limits and facts --------------------------------------------------------------------------


def test_a_time_limit_that_is_over_before_the_search_leaves_a_figure_undecided() -> None:
    """The solver once set up its problem before it looked at the clock: 0.1 ms became 0.7 s."""
    stopped = Limit(seconds=10.0, should_stop=lambda: True)
    tiling = find_tiling(figure(GREAT[0]), Budget(stopped), Random(1))
    assert (tiling.result, tiling.steps) == (UNDECIDED, 0)
    assert find_tiling(figure(GREAT[0]), Budget(Limit(seconds=0.0)), Random(1)).steps == 0


@pytest.mark.kernel
def test_the_best_move_of_a_figure_says_whether_there_is_a_tiling() -> None:
    """A hint shows the facts of its best move, so "no tiling" and "unknown" were never shown (TR-12)."""
    state = figure("little-triangle")
    engine = GAME.engine(GAME.levels[-1])
    known = {
        "tiled": engine.analyse(state, Limit(simulations=50), Random(1)),
        "unknown": engine.analyse(state, Limit(seconds=0.0), Random(1)),
        "untileable": engine.analyse(untileable(state), Limit(simulations=50), Random(1)),
    }
    for key, analysis in known.items():
        assert analysis.candidates[0].facts[0].key == key


def untileable(state: State) -> State:
    """A state of a figure after a placement that leaves no tiling."""
    for action in state.legal_actions():
        after = state.apply(action)
        if find_tiling(after, Budget(Limit(simulations=50)), Random(1)).result == IMPOSSIBLE:
            return after
    raise AssertionError("every placement belongs to a tiling")
