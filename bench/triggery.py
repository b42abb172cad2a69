"""Triggery: the speed of chains, exact turns and plans, and the mean number of throws per board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from statistics import fmean, stdev

import numpy as np

from bench import Report, seconds
from tripot.engine.jit import njit_cached
from tripot.engine.rng import new_rng
from tripot.games.triggery.board import chain
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS
from tripot.games.triggery.kernel.tables import Int64Array

BAG = [*range(1, 25), *range(1, 13)] + 8 * [0]
STAR = 0
BOARDS = 1000
DICE_SERIES = 8  # per board; with a single one the standard error of the mean would be 0.25 throws
NO_LIMIT = 1 << 24

CHAINS_PER_SECOND = 5_000_000
TURN_MILLISECONDS = 50
PLANNED_BOARDS = 100
PLAN_SECONDS = 60
MEAN_THROWS = 16.3


def mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def random_board(seed: int) -> tuple[Int64Array, int]:
    """TG-1: return the numbers of a random full board, and the set of the cells that hold them."""
    values = Random(seed).sample(BAG, tables.CELLS)
    return np.array(values, np.int64), mask(cell for cell in range(tables.CELLS) if values[cell] != STAR)


def run(report: Report) -> None:
    measure_chains(report)
    measure_turns(report)
    measure_plans(report)
    measure_throws(report)


def measure_chains(report: Report) -> None:
    random = Random(1)
    _, numbers = random_board(1)
    stars = tables.BOARD & ~numbers
    masks = np.array(
        [mask(random.sample(range(36), random.randrange(6, 31))) for _ in range(10_000)], np.int64
    )
    close_all(masks, numbers, stars)
    fast = seconds(close_all, masks, numbers, stars, times=20) / len(masks)
    sample = masks[:500].tolist()
    plain = seconds(lambda: [chain(face_up & ~stars, face_up & stars) for face_up in sample]) / len(sample)
    report.compare("10,000 chains", plain * len(masks), fast * len(masks), 100)
    figure = f"{1 / fast / 1e6:.1f} million/s"
    report.add_target(
        "chains", figure, f"≥ {CHAINS_PER_SECOND / 1e6:.0f} million/s", 1 / fast >= CHAINS_PER_SECOND
    )


@njit_cached
def after_chain_and_stars(face_up: int, number_cells: int, star_cells: int) -> int:
    """TG-4, TG-6: return what is still face up when every bonus and every free star has been taken."""
    tiles = chains.after_chain(face_up & number_cells)
    return tiles | face_up & star_cells & ~chains.free_stars(tiles)


@njit_cached
def close_all(masks: Int64Array, numbers: int, stars: int) -> int:
    """Run chains in a compiled loop. The checksum keeps the compiler from removing them."""
    checksum = 0
    for face_up in masks:
        checksum ^= after_chain_and_stars(face_up, numbers, stars)
    return checksum


def measure_turns(report: Report) -> None:
    boards = [random_board(seed) for seed in range(50)]
    best_turn(*boards[0])
    times = [seconds(best_turn, *board) for board in report.each(boards, "Best turns")]
    figure = f"{max(times) * 1000:.2f} ms"
    report.add_target(
        "best turn, full board, 24",
        figure,
        f"< {TURN_MILLISECONDS} ms",
        max(times) * 1000 < TURN_MILLISECONDS,
    )
    times = [seconds(clearing.cheapest_clearing, numbers, values, NO_LIMIT) for values, numbers in boards]
    report.add_time("smallest budget that clears a full board", fmean(times[1:]))


def best_turn(values: Int64Array, numbers: int) -> None:
    complete = turns.best_turn(tables.BOARD, numbers, tables.BOARD & ~numbers, values, 24, NO_LIMIT).complete
    assert complete


def measure_plans(report: Report) -> None:
    """TG-12: plans for 100 known throws."""
    times, proven, throws, limit = [], 0, [], DEFAULT_PARAMS.max_bounds
    clearing.plan_known_throws(0, np.zeros(36, np.int64), np.array([3]), 1, limit)
    for seed in report.each(range(PLANNED_BOARDS), "Plans for known throws"):
        values, numbers = random_board(seed)
        dice = new_rng(seed)
        budgets = np.array([playout.random_budget(dice) for _ in range(100)])
        plan: list[clearing.ThrowPlan] = []
        times.append(
            seconds(lambda: plan.append(clearing.plan_known_throws(numbers, values, budgets, 1000, limit)))  # noqa: B023 - called at once
        )
        proven += plan[0].proven and times[-1] < PLAN_SECONDS
        throws.append(plan[0].throws)
    report.add_time(
        f"plan for known throws, slowest {max(times):.1f} s, mean {fmean(throws):.2f} throws", fmean(times)
    )
    report.add_target(
        "full boards proven in a minute",
        f"{proven / PLANNED_BOARDS:.0%}",
        "most",
        proven > PLANNED_BOARDS / 2,
    )


def measure_throws(report: Report) -> None:
    """Play alone with unknown dice: every policy with the same boards and the same dice.

    The expectation of never changing the first paid set is computed exactly, without dice.
    """
    expectations = [
        first_set_expectation(*random_board(seed))
        for seed in report.each(range(BOARDS), f"{BOARDS} boards, expectation")
    ]
    report.table.add_row("throws per board, expectation", "", "", f"{fmean(expectations):.2f}")
    for name, choose, series_count in (
        ("most tiles now", most_tiles, 1),
        ("playout policy", playout_policy, DICE_SERIES),
        ("planned", planned, DICE_SERIES),
    ):
        means = []
        for seed in report.each(range(BOARDS), f"{BOARDS} boards, {name}"):
            values, numbers = random_board(seed)
            means.append(
                fmean(play(choose, values, numbers, seed + BOARDS * series) for series in range(series_count))
            )
        figure = f"{fmean(means):.2f} ± {stdev(means) / BOARDS**0.5:.2f}"
        what = f"throws per board, {name}"
        if choose is planned:
            report.add_target(what, figure, f"≤ {MEAN_THROWS}", fmean(means) <= MEAN_THROWS)
        else:
            report.table.add_row(what, "", "", figure)


def first_set_expectation(values: Int64Array, numbers: int) -> float:
    tiles = chains.after_chain(numbers)
    free = clearing.max_free_set(
        tiles, playout.throw_costs(values, DEFAULT_PARAMS.wait_weight), np.empty(0, np.int64), NO_LIMIT
    ).cells
    return float(expectation.expected_throws(values[tables.cells_by_value(tiles & ~free, values)])[-1, 0])


def play(choose: Callable[[int, Int64Array, int], int], values: Int64Array, numbers: int, seed: int) -> int:
    rng, remaining, throws = new_rng(seed), chains.after_chain(numbers), 0
    while remaining:
        budget = playout.random_budget(rng)
        remaining = chains.after_chain(remaining & ~choose(remaining, values, budget))
        throws += 1
    return throws


def most_tiles(tiles: int, values: Int64Array, budget: int) -> int:
    return turns.best_turn(tiles, tiles, 0, values, budget, NO_LIMIT).paid


def playout_policy(tiles: int, values: Int64Array, budget: int) -> int:
    return playout.greedy_turn(
        tiles,
        tables.cells_by_value(tiles, values),
        values,
        playout.throw_costs(values, DEFAULT_PARAMS.wait_weight),
        budget,
    ).paid


def planned(tiles: int, values: Int64Array, budget: int) -> int:
    return expectation.plan_turn(tiles, values, budget, DEFAULT_PARAMS).paid
