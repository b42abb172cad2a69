"""Triggery: chains and exact turns against plain code, exact plans, and how many throws a board takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from statistics import fmean, stdev

import numpy as np

from bench import Report, seconds
from tripot.engine.jit import njit_cached
from tripot.engine.rng import new_xorshift32
from tripot.games.triggery.board import chain
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS
from tripot.games.triggery.kernel.tables import Int64Array

BAG = [*range(1, 25), *range(1, 13)] + 8 * [0]
STAR = 0
BOARDS = 1000
ROWS_OF_DICE = 8  # a board; one each would leave the mean unsure by a quarter of a throw
PLENTY = 1 << 24

CLOSURES_A_SECOND = 5_000_000
TURN_MILLISECONDS = 50
PLANNED = 100  # boards
PLAN_SECONDS = 60
MEAN_THROWS = 16.3


def mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def filled(seed: int) -> tuple[Int64Array, int]:
    """TG-1: a board, and which of its cells hold numbers."""
    values = Random(seed).sample(BAG, tables.CELLS)
    return np.array(values, np.int64), mask(cell for cell in range(tables.CELLS) if values[cell] != STAR)


def run(report: Report) -> None:
    measure_closures(report)
    measure_turns(report)
    measure_plans(report)
    measure_throws(report)


def measure_closures(report: Report) -> None:
    random = Random(1)
    _, numbers = filled(1)
    stars = tables.BOARD & ~numbers
    masks = np.array(
        [mask(random.sample(range(36), random.randrange(6, 31))) for _ in range(10_000)], np.int64
    )
    close_all(masks, numbers, stars)
    fast = seconds(close_all, masks, numbers, stars, times=20) / len(masks)
    sample = masks[:500].tolist()
    plain = seconds(lambda: [chain(each & ~stars, each & stars) for each in sample]) / len(sample)
    report.compare("10,000 chains", plain * len(masks), fast * len(masks), 100)
    figure = f"{1 / fast / 1e6:.1f} million/s"
    report.judge(
        "chains", figure, f"≥ {CLOSURES_A_SECOND / 1e6:.0f} million/s", 1 / fast >= CLOSURES_A_SECOND
    )


@njit_cached
def close_all(masks: Int64Array, numbers: int, stars: int) -> int:
    """So that the loop costs nothing; the sum is there to be used."""
    checksum = 0
    for face_up in masks:
        checksum ^= chains.after_chain_and_stars(face_up, numbers, stars)
    return checksum


def measure_turns(report: Report) -> None:
    boards = [filled(seed) for seed in range(50)]
    best_turn(*boards[0])
    times = [seconds(best_turn, *board) for board in report.each(boards, "Best turns")]
    figure = f"{max(times) * 1000:.2f} ms"
    report.judge(
        "best turn, full board, 24",
        figure,
        f"< {TURN_MILLISECONDS} ms",
        max(times) * 1000 < TURN_MILLISECONDS,
    )
    times = [seconds(clearing.cheapest_clearing, numbers, values, PLENTY) for values, numbers in boards]
    report.tell("smallest budget that clears a full board", fmean(times[1:]))


def best_turn(values: Int64Array, numbers: int) -> None:
    complete = turns.best_turn(tables.BOARD, numbers, tables.BOARD & ~numbers, values, 24, PLENTY)[2]
    assert complete


def measure_plans(report: Report) -> None:
    """TG-12: the dice are known, 100 throws of them."""
    times, proven, throws = [], 0, []
    clearing.plan_known_throws(0, np.zeros(36, np.int64), np.array([3]), 1)
    for seed in report.each(range(PLANNED), "Plans for known throws"):
        values, numbers = filled(seed)
        dice = new_xorshift32(seed)
        budgets = np.array([playout.random_budget(dice) for _ in range(100)])
        plan: list[clearing.ThrowPlan] = []
        times.append(
            seconds(lambda: plan.append(clearing.plan_known_throws(numbers, values, budgets, 1000)))  # noqa: B023 - called at once
        )
        proven += plan[0].proven and times[-1] < PLAN_SECONDS
        throws.append(plan[0].throws)
    report.tell(
        f"plan for known throws, slowest {max(times):.1f} s, mean {fmean(throws):.2f} throws", fmean(times)
    )
    report.judge("full boards proven in a minute", f"{proven / PLANNED:.0%}", "most", proven > PLANNED / 2)


def measure_throws(report: Report) -> None:
    """Solo without knowing the dice, every player with the same boards and the same dice.

    Planned play has an exact expectation too, if it keeps to its first bill: no dice, no luck in it.
    """
    outlooks = [outlook(*filled(seed)) for seed in report.each(range(BOARDS), f"{BOARDS} boards, outlook")]
    report.table.add_row("throws a board, outlook", "", "", f"{fmean(outlooks):.2f}")
    for name, choose, rows in (
        ("most tiles now", greedy, 1),
        ("quick", quick, ROWS_OF_DICE),
        ("planned", planned, ROWS_OF_DICE),
    ):
        means = []
        for seed in report.each(range(BOARDS), f"{BOARDS} boards, {name}"):
            values, numbers = filled(seed)
            means.append(fmean(play(choose, values, numbers, seed + BOARDS * row) for row in range(rows)))
        figure = f"{fmean(means):.2f} ± {stdev(means) / BOARDS**0.5:.2f}"
        what = f"throws a board, {name}"
        if choose is planned:
            report.judge(what, figure, f"≤ {MEAN_THROWS}", fmean(means) <= MEAN_THROWS)
        else:
            report.table.add_row(what, "", "", figure)


def outlook(values: Int64Array, numbers: int) -> float:
    tiles = chains.after_chain(numbers)
    free = clearing.max_free_set(
        tiles, playout.throw_costs(values, DEFAULT_PARAMS.wait_weight), np.empty(0, np.int64), PLENTY
    )[0]
    return float(expectation.expected_throws(values[tables.cells_by_value(tiles & ~free, values)])[-1, 0])


def play(choose: Callable[[int, Int64Array, int], int], values: Int64Array, numbers: int, seed: int) -> int:
    dice, left, throws = new_xorshift32(seed), chains.after_chain(numbers), 0
    while left:
        left = chains.after_chain(left & ~choose(left, values, playout.random_budget(dice)))
        throws += 1
    return throws


def greedy(tiles: int, values: Int64Array, budget: int) -> int:
    return turns.best_turn(tiles, tiles, 0, values, budget, PLENTY)[0]


def quick(tiles: int, values: Int64Array, budget: int) -> int:
    return playout.greedy_turn(
        tiles,
        tables.cells_by_value(tiles, values),
        values,
        playout.throw_costs(values, DEFAULT_PARAMS.wait_weight),
        budget,
    )[0]


def planned(tiles: int, values: Int64Array, budget: int) -> int:
    return expectation.plan_turn(tiles, values, budget, DEFAULT_PARAMS).paid
