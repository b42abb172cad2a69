"""The kernels of Triggery against plain implementations of the clauses and against brute force."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, product
from random import Random
from typing import TypeAlias

import numpy as np
import pytest
from bench.triggery import after_chain_and_stars, playout_policy
from hypothesis import given, settings
from hypothesis import strategies as st

from tripot.engine.bits import popcount
from tripot.engine.rng import new_rng
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS
from tripot.games.triggery.kernel.tables import Distribution, Int64Array

ROWS = [[(row, column) for column in range(6)] for row in range(6)]
COLUMNS = [[(row, column) for row in range(6)] for column in range(6)]
DIAGONALS = [[(step, step) for step in range(6)], [(5 - step, step) for step in range(6)]]
CROSSING = [8, 9, 10, 13, 14, 15, 16, 19, 20, 21, 22, 27]  # where the diagonals cross
CORNER = [0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15]  # on a diagonal of each kind
OFF_DIAGONALS = [2, 3, 8, 9, 26, 27, 32, 33]
BLOCKS = (CROSSING, CORNER)
NO_THROWS = np.empty(0, np.int64)
NO_LIMIT = 1 << 20

Place: TypeAlias = tuple[int, int]
Board: TypeAlias = tuple[int, Int64Array]  # the open numbers and the values

GOLDEN = """
    20  .  .  16 .  .
    1   .  2  .  .  24
    .   .  .  *  .  .
    15  .  9  .  .  *
    .   .  .  .  .  .
    12  .  .  10 .  18
"""


def grid(text: str) -> tuple[Int64Array, int, int]:
    """A drawing as values, numbers and stars."""
    tiles = text.split()
    values = np.array([int(tile) if tile.isdigit() else 0 for tile in tiles], np.int64)
    numbers = sum(1 << cell for cell in range(36) if tiles[cell].isdigit())
    return values, numbers, sum(1 << cell for cell in range(36) if tiles[cell] == "*")


def cells_of(tiles: int) -> list[int]:
    return [cell for cell in range(36) if tiles >> cell & 1]


def mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def subsets(items: Sequence[int]) -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


def plain_steps(open_numbers: set[Place], open_stars: set[Place]) -> Iterator[Place]:
    """TG-4, TG-6: yield every tile that may be flipped free of charge now, as (row, column)."""
    for line in ROWS + COLUMNS + DIAGONALS:
        lone = [place for place in line if place in open_numbers]
        if len(lone) == 1:
            yield lone[0]
    for row, column in open_stars:
        if not open_numbers & set(ROWS[row] + COLUMNS[column]):
            yield row, column


def plain_chain(face_up: int, stars: int, pick: Callable[[list[Place]], Place]) -> int:
    """Flip free tiles, in the order that `pick` chooses, until there is none."""
    places = {divmod(cell, 6) for cell in cells_of(face_up)}
    star_places = {divmod(cell, 6) for cell in cells_of(stars)}
    while free := sorted(set(plain_steps(places - star_places, places & star_places))):
        places.remove(pick(free))
    return mask(6 * row + column for row, column in places)


def sums(values: Int64Array, cells: Iterable[int]) -> int:
    return int(sum(values[cell] for cell in cells))


boards = st.integers(0, 2**36 - 1)


@st.composite
def small_boards(
    draw: st.DrawFn, max_tiles: int, blocks: Sequence[Sequence[int]] = BLOCKS, top: int = 24
) -> Board:
    """Some open numbers in a block of cells: numbers spread over the board would all be flipped by chains."""
    block = draw(st.sampled_from(blocks))
    chosen = draw(st.lists(st.sampled_from(block), min_size=max_tiles - 3, max_size=max_tiles, unique=True))
    numbers = draw(st.lists(st.integers(1, top), min_size=len(chosen), max_size=len(chosen)))
    values = np.zeros(36, np.int64)
    values[chosen] = numbers
    return mask(chosen), values


# --- Chains


@given(boards, boards, boards, st.randoms())
def test_tg_6_the_end_of_a_chain_does_not_depend_on_its_order(
    face_up: int, thinned: int, stars: int, random: Random
) -> None:
    face_up &= thinned | thinned >> 7
    expected = after_chain_and_stars(face_up, tables.BOARD & ~stars, stars)
    assert plain_chain(face_up, stars, random.choice) == expected
    assert plain_chain(face_up, stars, min) == plain_chain(face_up, stars, max) == expected


@given(boards, boards, boards)
def test_flipping_more_tiles_is_never_worse(face_up: int, flipped: int, stars: int) -> None:
    numbers = tables.BOARD & ~stars
    fewer = after_chain_and_stars(face_up & ~flipped, numbers, stars)
    assert fewer & ~after_chain_and_stars(face_up, numbers, stars) == 0


@pytest.mark.parametrize("line", range(14))
def test_tg_6_each_line_gives_its_last_number(line: int) -> None:
    for cell in cells_of(int(tables.LINES[line])):
        others = tables.BOARD & ~int(tables.LINES[line])
        assert chains.after_chain(others | 1 << cell) & 1 << cell == 0


def test_tg_4_a_star_waits_for_its_row_and_its_column() -> None:
    star = 1 << 14
    in_its_row = mask([16, 17, 22, 23])  # four numbers that keep each other open
    in_its_column = mask([2, 4, 32, 34])
    in_neither = mask([1, 4, 31, 34])
    for numbers, left in ((in_its_row, star), (in_its_column, star), (in_neither, 0)):
        assert after_chain_and_stars(numbers | star, numbers, star) == numbers | left
        assert plain_chain(numbers | star, star, min) == numbers | left


@given(boards, boards, boards, boards)
def test_a_chain_is_listed_in_an_order_that_can_be_played(
    face_up: int, thinned: int, stars: int, paid: int
) -> None:
    numbers = tables.BOARD & ~stars
    face_up &= thinned
    values = np.arange(1, 37, dtype=np.int64)
    cells, reasons = chains.chain(face_up, numbers, stars, values, paid)
    left = {divmod(cell, 6) for cell in cells_of(face_up)}
    star_places = {divmod(cell, 6) for cell in cells_of(stars)}
    for cell, reason in zip(cells.tolist(), reasons.tolist(), strict=True):
        place = divmod(cell, 6)
        if reason == chains.REASON_PAID:
            assert paid >> cell & 1
            assert place in left - star_places
        else:
            assert place in set(plain_steps(left - star_places, left & star_places))
            assert (reason == chains.REASON_STAR) == (place in star_places)
        left.remove(place)
    assert mask(6 * row + column for row, column in left) == after_chain_and_stars(
        face_up & ~(paid & numbers), numbers, stars
    )


# --- One turn


@pytest.mark.parametrize(("budget", "tiles"), [(1, 1), (2, 4), (3, 12), (16, 12)])
def test_tg_13_the_golden_grid(budget: int, tiles: int) -> None:
    values, numbers, stars = grid(GOLDEN)
    assert after_chain_and_stars(numbers | stars, numbers, stars) == numbers | stars
    paid, left, complete = turns.best_turn(numbers | stars, numbers, stars, values, budget, NO_LIMIT)
    assert popcount((numbers | stars) ^ left) == tiles
    assert sums(values, cells_of(paid)) <= budget
    assert complete


def test_tg_12_the_golden_grid_takes_3_of_the_16() -> None:
    values, numbers, stars = grid(GOLDEN)
    budget, paid, proven = clearing.cheapest_clearing(numbers, values, NO_LIMIT)
    assert (budget, proven) == (3, True)
    assert sorted(values[cells_of(paid)]) == [1, 2]
    plan = clearing.plan_known_throws(numbers, values, np.array([16]), NO_LIMIT, DEFAULT_PARAMS.max_bounds)
    assert (plan.throws, plan.points, plan.proven) == (1, 3, True)
    cells, reasons = chains.chain(numbers | stars, numbers, stars, values, paid)
    assert len(cells) == 12
    assert list(reasons[:2]) == [chains.REASON_PAID] * 2
    assert list(reasons[-2:]) == [chains.REASON_STAR] * 2


@given(small_boards(9), st.integers(0, 24), boards)
def test_tg_13_the_best_turn_is_that_of_brute_force(board: Board, budget: int, stars: int) -> None:
    numbers, values = board
    stars &= ~numbers
    face_up = numbers | stars

    def worth(paid: Iterable[int]) -> tuple[int, int]:
        flipped = face_up ^ after_chain_and_stars(face_up & ~mask(paid), numbers, stars)
        return flipped.bit_count(), sums(values, cells_of(flipped & numbers))

    best = max(worth(paid) for paid in subsets(cells_of(numbers)) if sums(values, paid) <= budget)
    paid, left, complete = turns.best_turn(face_up, numbers, stars, values, budget, NO_LIMIT)
    assert complete
    assert left == after_chain_and_stars(face_up & ~paid, numbers, stars)
    assert sums(values, cells_of(paid)) <= budget
    assert worth(cells_of(paid)) == best


def test_a_list_of_turns_that_reaches_its_limit_is_marked_incomplete() -> None:
    values = np.ones(36, np.int64)
    assert not turns.enumerate_turns(tables.BOARD, values, 12, 1000)[2]
    assert not turns.best_turn(tables.BOARD, tables.BOARD, 0, values, 12, 1000)[2]
    paid, left, complete = turns.enumerate_turns(tables.BOARD, values + 24, 24, 1000)
    assert (list(paid), list(left), complete) == ([0], [tables.BOARD], True)


# --- Free sets and paid sets


def is_forest(cells: Iterable[int]) -> bool:
    """Return whether cells, as edges between rows and columns, contain no cycle."""
    joined = {line: {line} for line in range(12)}
    for cell in cells:
        row, column = joined[cell // 6], joined[6 + cell % 6]
        if row is column:
            return False
        row |= column
        joined.update(dict.fromkeys(row, row))
    return True


@given(boards, boards, boards)
def test_a_set_is_independent_if_it_is_a_forest_without_a_tile_of_each_diagonal(
    tiles: int, thinned: int, more: int
) -> None:
    tiles &= thinned & (more | more >> 5)
    cells = set(cells_of(tiles))
    falling, rising = (
        [*cells.intersection(6 * row + column for row, column in line), -1] for line in DIAGONALS
    )
    expected = any(is_forest(cells - {one, other}) for one in falling for other in rising)
    assert clearing.is_independent(tiles) == expected
    assert expected or chains.after_chain(tiles)


@given(small_boards(9))
def test_the_greedy_independent_set_leaves_the_cheapest_paid_set_tile_by_tile(board: Board) -> None:
    tiles, values = board
    cells = tables.cells_by_value(tiles, values)
    free = clearing.greedy_free_set(0, cells, len(cells), False)
    paid = sorted((values[cell] for cell in cells_of(tiles & ~free)), reverse=True)
    for other in subsets(cells_of(tiles)):
        if clearing.is_independent(tiles & ~mask(other)):
            rival = sorted((values[cell] for cell in other), reverse=True)
            assert len(rival) >= len(paid)
            assert all(mine <= theirs for mine, theirs in zip(paid, rival, strict=False))


def check_the_cheapest_clearing(board: Board) -> None:
    tiles, values = board
    minimum = min(
        sums(values, paid)
        for paid in subsets(cells_of(tiles))
        if chains.after_chain(tiles & ~mask(paid)) == 0
    )
    budget, paid, proven = clearing.cheapest_clearing(tiles, values, NO_LIMIT)
    assert (budget, proven) == (minimum, True)
    assert sums(values, cells_of(paid)) == minimum
    assert chains.after_chain(tiles & ~paid) == 0


@settings(max_examples=60)
@given(small_boards(11))
def test_tg_12_the_cheapest_clearing_is_that_of_brute_force(board: Board) -> None:
    check_the_cheapest_clearing(board)


def crowded_board(seed: int, numbers: int, side: int) -> Board:
    """Return numbers of the default bag in the top left corner, where both diagonals cross many lines."""
    random = np.random.default_rng(seed)
    cells = random.permutation([cell for cell in range(6 * side) if cell % 6 < side])[:numbers]
    values = np.zeros(36, np.int64)
    values[cells] = random.permutation([*range(1, 25), *range(1, 13)])[:numbers]
    return mask(cells.tolist()), values


def test_a_diagonal_whose_bonus_comes_too_late_is_not_used() -> None:
    """Neither greedy set is always right: one may not be free, the other may leave too much to pay."""
    boards_found = []
    for seed in range(1000):
        tiles, values = crowded_board(seed, 12, 4)
        if (
            clearing.max_free_set(tiles, values, NO_THROWS, 0).length
            > clearing.cheapest_clearing(tiles, values, NO_LIMIT).points
        ):
            boards_found.append((tiles, values))
    assert len(boards_found) > 5
    for board in boards_found[:6]:
        check_the_cheapest_clearing(board)


def test_a_search_that_reaches_its_limit_gives_a_correct_bound() -> None:
    for seed in range(400):
        tiles, values = crowded_board(seed, 12, 4)
        free, length, lower_bound, proven = clearing.max_free_set(tiles, values, NO_THROWS, 0)
        assert chains.after_chain(free) == 0
        assert length == sums(values, cells_of(tiles & ~free))
        exact = clearing.cheapest_clearing(tiles, values, NO_LIMIT).points
        assert lower_bound <= exact <= length
        assert lower_bound == length or not proven


# --- Known throws


def brute_force_plan(tiles: int, values: Int64Array, budgets: list[int]) -> tuple[int, int] | None:
    """The fewest throws and then the fewest points in the last, over every choice in every throw."""
    reached = {chains.after_chain(tiles)}
    for throws, budget in enumerate(budgets, 1):
        payments = [
            (sums(values, paid), chains.after_chain(left & ~mask(paid)))
            for left in reached
            for paid in subsets(cells_of(left))
            if sums(values, paid) <= budget
        ]
        reached = {left for _, left in payments}
        if 0 in reached:
            return throws, min(points for points, left in payments if left == 0)
    return None


def test_tg_12_a_plan_for_known_throws_is_that_of_brute_force() -> None:
    for seed in range(300):
        tiles, values = crowded_board(seed, 8, 3)
        budgets = random_budgets(seed, 6)
        plan = clearing.plan_known_throws(tiles, values, budgets, NO_LIMIT, DEFAULT_PARAMS.max_bounds)
        assert plan.proven
        if chains.after_chain(tiles) == 0:
            assert (plan.throws, plan.points, plan.min_throws) == (0, 0, 0)
        elif best := brute_force_plan(tiles, values, budgets.tolist()):
            assert (plan.throws, plan.points) == (plan.min_throws, plan.min_points) == best
        else:
            assert (plan.throws, plan.min_throws) == (0, len(budgets) + 1)


def random_budgets(seed: int, throws: int) -> Int64Array:
    """Return the budgets of a series of random throws."""
    rng = new_rng(seed)
    return np.array([playout.random_budget(rng) for _ in range(throws)])


def replay(tiles: int, values: Int64Array, budgets: Iterable[int], plan: clearing.ThrowPlan) -> int:
    """TG-3: play a plan, check that the rules allow it, and return what it leaves open."""
    left = chains.after_chain(tiles)
    for paid, budget in zip(plan.payments.tolist(), budgets, strict=False):
        assert paid & ~left == 0
        assert sums(values, cells_of(paid)) <= budget
        assert paid or all(values[cell] > budget for cell in cells_of(left))
        left = chains.after_chain(left & ~paid)
    return left


def test_tg_12_a_plan_can_be_played() -> None:
    for seed in range(300):
        tiles, values = crowded_board(seed, 11, 4)
        plan = clearing.plan_known_throws(
            tiles, values, random_budgets(seed, 60), NO_LIMIT, DEFAULT_PARAMS.max_bounds
        )
        assert replay(tiles, values, random_budgets(seed, 60), plan) == 0
        if plan.throws:
            assert plan.points == sums(values, cells_of(plan.payments.tolist()[-1]))


def test_a_plan_whose_search_reaches_its_limit_gives_correct_bounds() -> None:
    for seed in range(300):
        tiles, values = crowded_board(seed, 11, 4)
        plan = clearing.plan_known_throws(
            tiles, values, random_budgets(seed, 60), 0, DEFAULT_PARAMS.max_bounds
        )
        best = clearing.plan_known_throws(
            tiles, values, random_budgets(seed, 60), NO_LIMIT, DEFAULT_PARAMS.max_bounds
        )
        assert replay(tiles, values, random_budgets(seed, 60), plan) == 0
        assert (plan.min_throws, plan.min_points) <= (best.throws, best.points) <= (plan.throws, plan.points)
        assert not plan.proven or (plan.throws, plan.points) == (best.throws, best.points)


def test_without_throws_there_is_no_plan() -> None:
    values, numbers, _ = grid(GOLDEN)
    plan = clearing.plan_known_throws(numbers, values, NO_THROWS, NO_LIMIT, DEFAULT_PARAMS.max_bounds)
    assert (plan.throws, plan.min_throws, plan.proven) == (0, 1, True)


def test_tg_3_a_tile_is_flipped_even_if_the_paid_set_can_wait() -> None:
    """Two squares, joined by a 3: 12 and 16 are to be paid, the 3 is free, but a budget of 5 must pay it."""
    values, tiles, _ = grid("""
        .  .  12 13 3  .
        .  .  14 15 .  .
        .  .  .  .  16 17
        .  .  .  .  18 19
        .  .  .  .  .  .
        .  .  .  .  .  .
    """)
    plan = clearing.plan_known_throws(
        tiles, values, np.array([5, 12, 16]), NO_LIMIT, DEFAULT_PARAMS.max_bounds
    )
    assert [list(values[cells_of(paid)]) for paid in plan.payments.tolist()] == [[3], [12], [16]]
    assert list(values[cells_of(plan_turn(tiles, values, 5))]) == [3]
    assert list(values[cells_of(race_turn(tiles, values, 5, sure_finish(9)))]) == [3]
    assert list(values[cells_of(playout_policy(tiles, values, 5))]) == [3]


def plan_turn(tiles: int, values: Int64Array, budget: int) -> int:
    return expectation.plan_turn(tiles, values, budget, DEFAULT_PARAMS).paid


def race_turn(tiles: int, values: Int64Array, budget: int, rival: Distribution) -> int:
    return expectation.race_turn(tiles, values, budget, rival, DEFAULT_PARAMS).paid


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="minutes without the compiler")
def test_tg_12_full_boards_are_planned_with_proof() -> None:
    for seed in range(12):
        tiles, values = crowded_board(seed, 29, 6)
        plan = clearing.plan_known_throws(
            tiles, values, random_budgets(seed, 100), 1000, DEFAULT_PARAMS.max_bounds
        )
        assert plan.proven
        assert replay(tiles, values, random_budgets(seed, 100), plan) == 0


# --- Unknown dice


def test_tg_5_doubles_count_double() -> None:
    assert sorted(set(tables.THROW_BUDGETS.tolist())) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 24]
    assert tables.BUDGET_PROBABILITY[[3, 4, 7, 12, 24]] * 36 == pytest.approx([2, 3, 6, 1, 1])
    counted = np.bincount(random_budgets(1, 36000), minlength=25) / 36000
    assert np.abs(counted - tables.BUDGET_PROBABILITY).max() < 0.01


def best_expectation(costs: list[int]) -> float:
    """Return the throws that costs take on average, with the best of all choices."""

    @cache
    def expected(costs: tuple[int, ...]) -> float:
        if not costs:
            return 0.0
        sum_of_odds, throws = 0.0, 1.0
        for budget, odds in enumerate(tables.BUDGET_PROBABILITY):
            if costs[0] <= budget:
                sum_of_odds += odds
                throws += odds * min(expected(left) for left in after(costs, budget) if left != costs)
        return throws / sum_of_odds

    return expected(tuple(costs))


def after(costs: tuple[int, ...], budget: int) -> Iterator[tuple[int, ...]]:
    for paid in subsets(range(len(costs))):
        if sum(costs[item] for item in paid) <= budget:
            yield tuple(cost for item, cost in enumerate(costs) if item not in paid)


cost_lists = st.lists(st.integers(1, 24), min_size=1, max_size=6).map(sorted)


@settings(max_examples=30)
@given(cost_lists)
def test_expected_throws_are_those_of_brute_force(costs: list[int]) -> None:
    assert expectation.expected_throws(np.array(costs))[-1, 0] == pytest.approx(
        best_expectation(costs), rel=1e-5
    )


def expectation_of_boards(values: Int64Array) -> Callable[[int], float]:
    """Return a function from open numbers to the throws that they take on average with optimal play."""

    @cache
    def expected(tiles: int) -> float:
        if tiles == 0:
            return 0.0
        sum_of_odds, throws = 0.0, 1.0
        for budget, odds in enumerate(tables.BUDGET_PROBABILITY):
            if odds and min(values[cell] for cell in cells_of(tiles)) <= budget:
                sum_of_odds += odds
                throws += odds * min(
                    map(expected, turns.enumerate_turns(tiles, values, budget, NO_LIMIT)[1].tolist())
                )
        return throws / sum_of_odds

    return expected


@settings(max_examples=30)
@given(small_boards(7, blocks=[OFF_DIAGONALS]), st.sampled_from(tables.THROW_BUDGETS.tolist()))
def test_without_the_diagonals_the_planned_turn_is_the_best_of_all(board: Board, budget: int) -> None:
    tiles, values = board
    tiles = chains.after_chain(tiles)
    expected = expectation_of_boards(values)
    left = chains.after_chain(tiles & ~plan_turn(tiles, values, budget))
    best = min(map(expected, turns.enumerate_turns(tiles, values, budget, NO_LIMIT)[1].tolist()))
    assert expected(left) == pytest.approx(best, rel=1e-5)


@pytest.mark.parametrize(("seed", "budget"), [(1866, 9), (2333, 7), (4469, 12), (7762, 9), (12873, 12)])
def test_a_turn_that_lets_a_diagonal_give_its_bonus_is_found(seed: int, budget: int) -> None:
    """Boards where paying a part of the cheapest paid set is not the best turn."""
    tiles, values = crowded_board(seed, 10, 4)
    expected = expectation_of_boards(values)
    ends = turns.enumerate_turns(tiles, values, budget, NO_LIMIT)[1].tolist()
    assert expected(chains.after_chain(tiles & ~plan_turn(tiles, values, budget))) == min(map(expected, ends))
    if 0 in ends:
        assert chains.after_chain(tiles & ~race_turn(tiles, values, budget, sure_finish(9))) == 0


@given(small_boards(12, top=30), st.sampled_from(tables.THROW_BUDGETS.tolist()))
def test_tg_3_every_way_to_choose_a_turn_keeps_to_the_budget_and_turns_a_tile_if_it_can(
    board: Board, budget: int
) -> None:
    tiles, values = board
    tiles = chains.after_chain(tiles)
    rival = simulated_finish(tiles, values, 5, 1)
    for paid in (
        playout_policy(tiles, values, budget),
        plan_turn(tiles, values, budget),
        race_turn(tiles, values, budget, rival),
    ):
        assert paid & ~tiles == 0
        assert sums(values, cells_of(paid)) <= budget
        assert paid or all(values[cell] > budget for cell in cells_of(tiles))


# --- Races


def sure_finish(throws: int) -> Distribution:
    odds = np.zeros(tables.MAX_THROWS + 1)
    odds[throws] = 1
    return odds


def simulated(
    tiles: int, values: Int64Array, seed: int, *batches: int, stars: int = 0
) -> playout.BoardStatistics:
    """The results of batches of simulated games."""
    results, rng = playout.new_statistics(tables.MAX_BOARD_POINTS), new_rng(seed)
    for games in batches:
        playout.simulate_games(tiles | stars, stars, values, DEFAULT_PARAMS.wait_weight, games, rng, results)
    return results


def simulated_finish(tiles: int, values: Int64Array, games: int, seed: int) -> Distribution:
    return playout.finish_distribution(simulated(tiles, values, seed, games).throw_counts)


def race_win_probability(first: Distribution, second: Distribution) -> float:
    """The probability that the side to throw next clears its board first, from both finish distributions."""
    unfinished = 1 - np.concatenate(([0.0], np.cumsum(second)[:-1]))
    return float((first * unfinished).sum())


@pytest.mark.parametrize(
    ("mine", "theirs", "chance"), [(3, 3, 1), (3, 2, 0), (2, 3, 1), (0, 1, 1), (1, 0, 0)]
)
def test_the_side_that_throws_next_wins_a_race_of_equals(mine: int, theirs: int, chance: float) -> None:
    assert race_win_probability(sure_finish(mine), sure_finish(theirs)) == chance


def test_a_finish_distribution_sums_to_1_and_depends_on_the_seed_only() -> None:
    tiles, values = crowded_board(1, 14, 4)
    odds = simulated_finish(tiles, values, 200, 5)
    assert odds.sum() == pytest.approx(1)
    assert list(odds) == list(simulated_finish(tiles, values, 200, 5))
    assert list(odds) != list(simulated_finish(tiles, values, 200, 6))
    assert simulated_finish(0, values, 10, 5)[0] == pytest.approx(1)


def test_simulated_games_do_not_depend_on_their_batches() -> None:
    tiles, values = crowded_board(1, 14, 4)
    whole, in_parts = simulated(tiles, values, 5, 200), simulated(tiles, values, 5, 1, 7, 112, 80)
    assert all((one == other).all() for one, other in zip(whole, in_parts, strict=True))


def test_tg_8_open_points_are_counted_after_every_throw() -> None:
    tiles, values = crowded_board(1, 14, 4)
    star = 1 << 35  # in a row and a column without numbers: it is flipped with the first throw
    waiting = 1 << 5  # in the top row
    results = simulated(tiles, values, 5, 50, stars=star | waiting)
    assert (results.point_counts.sum(axis=1) == 50).all()
    assert results.point_counts[0, sums(values, cells_of(tiles)) + 2 * 25] == 50
    cleared = results.throw_counts.cumsum()
    assert list(results.point_counts[:-1, 0]) == list(cleared[:-1])


def single_games(seed: int) -> tuple[playout.BoardStatistics, list[list[int]]]:
    """The results of five games on one board together, and the open points after each throw of each game."""
    tiles, values = crowded_board(seed, 12, 4)
    games = [simulated(tiles, values, 10 * seed + game, 1) for game in range(5)]
    together = playout.BoardStatistics(
        np.sum([game.throw_counts for game in games], axis=0),
        np.sum([game.point_counts for game in games], axis=0),
    )
    return together, [game.point_counts.argmax(axis=1).tolist() for game in games]


def plain_margin(first: list[int], second: list[int]) -> int:
    """TG-8: the points that the second side loses, less those of the first, which throws next."""
    for throws in range(1, len(first)):
        if first[throws] == 0:
            return second[throws - 1]
        if second[throws] == 0:
            return -first[throws]
    raise AssertionError("neither side has finished")


def test_tg_8_the_margins_of_a_round_are_those_of_every_pair_of_games() -> None:
    for seed in range(6):
        (first, first_games), (second, second_games) = single_games(seed), single_games(seed + 50)
        expected = np.zeros(2 * tables.MAX_BOARD_POINTS + 1)
        for one, other in product(first_games, second_games):
            expected[tables.MAX_BOARD_POINTS + plain_margin(one, other)] += 1 / 25
        margins = playout.round_margins(first, second)
        assert margins == pytest.approx(expected)
        finish = [playout.finish_distribution(results.throw_counts) for results in (first, second)]
        won = margins[tables.MAX_BOARD_POINTS + 1 :].sum()
        assert won == pytest.approx(race_win_probability(*finish))


def test_tg_9_the_win_rate_of_two_rounds_is_that_of_every_pair_of_margins() -> None:
    rng = np.random.default_rng(1)
    for lead in (-300, -7, 0, 7, 5000, -9000):
        rounds = np.zeros((2, 2 * tables.MAX_BOARD_POINTS + 1))
        margins = tables.MAX_BOARD_POINTS + rng.integers(-200, 201, (2, 40))
        for distribution, indices in zip(rounds, margins, strict=True):
            np.add.at(distribution, indices, 1 / 40)
        sums_of_margins = np.add.outer(*(margins - tables.MAX_BOARD_POINTS)) + lead
        expected = ((np.sign(sums_of_margins) + 1) / 2).mean()
        assert playout.win_rate_of_margins(rounds[0], rounds[1], lead) == pytest.approx(expected)


@settings(max_examples=30)
@given(
    st.lists(st.integers(1, 24), min_size=1, max_size=4).map(sorted), st.integers(1, 4), st.integers(3, 24)
)
def test_a_race_table_is_that_of_brute_force(costs: list[int], throws: int, budget: int) -> None:
    @cache
    def chance(costs: tuple[int, ...], throws_left: int) -> float:
        """Return the probability to finish within a number of throws."""
        if not costs or not throws_left:
            return float(not costs)
        return sum(
            float(odds) * max(chance(left, throws_left - 1) for left in after(costs, thrown))
            for thrown, odds in enumerate(tables.BUDGET_PROBABILITY)
            if odds
        )

    best = max(chance(left, throws - 1) for left in after(tuple(costs), budget))
    table = expectation.race_table(np.array(costs), sure_finish(throws), DEFAULT_PARAMS.negligible)
    assert table[-1, budget] == pytest.approx(best, abs=1e-5)


@settings(max_examples=60)
@given(small_boards(8, blocks=[OFF_DIAGONALS]), st.sampled_from(tables.THROW_BUDGETS.tolist()))
def test_before_the_last_throw_a_race_leaves_what_that_throw_most_likely_clears(
    board: Board, budget: int
) -> None:
    tiles, values = board

    def probability(left: int) -> float:
        needed = clearing.cheapest_clearing(left, values, NO_LIMIT)[0]
        return float(tables.PROBABILITY_AT_LEAST[needed]) if needed <= tables.MAX_BUDGET else 0.0

    paid = race_turn(tiles, values, budget, sure_finish(2))
    best = max(map(probability, turns.enumerate_turns(tiles, values, budget, NO_LIMIT)[1].tolist()))
    assert probability(chains.after_chain(tiles & ~paid)) == best


# --- Without the compiler


def test_the_kernels_give_the_same_results_without_the_compiler() -> None:
    program = """if True:
        import numpy as np
        from tripot.engine.rng import new_rng
        from tripot.games.triggery.kernel import chains, clearing, expectation, playout, turns
        from tripot.games.triggery.kernel.params import DEFAULT_PARAMS
        values = np.array([(7 * cell) % 24 + 1 for cell in range(36)])
        tiles = sum(1 << cell for cell in (0, 1, 2, 6, 7, 8, 9, 12, 13, 14, 20, 21, 28, 30, 35))
        dice = new_rng(3)
        budgets = np.array([playout.random_budget(dice) for _ in range(30)])
        results = playout.new_statistics(400)
        playout.simulate_games(tiles, 0, values, 0.3, 20, dice, results)
        odds = playout.finish_distribution(results.throw_counts)
        margins = playout.round_margins(results, results)
        for answer in (
            (budgets, odds, chains.after_chain(tiles)),
            chains.chain(tiles, tiles, 0, values, 3),
            turns.best_turn(tiles, tiles, 0, values, 20, 1000),
            clearing.cheapest_clearing(tiles, values, 1000),
            clearing.plan_known_throws(tiles, values, budgets, 1000, DEFAULT_PARAMS.max_bounds),
            (*results, margins, playout.win_rate_of_margins(margins, margins, 9)),
            expectation.plan_turn(tiles, values, 9, DEFAULT_PARAMS),
            expectation.race_turn(tiles, values, 9, odds, DEFAULT_PARAMS),
        ):
            print([np.asarray(part).tolist() for part in answer])
    """
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    )
    assert compiled == plain
