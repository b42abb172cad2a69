"""The searches and simulated games of one call of the engine: plain Python over the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log2
from random import Random
from typing import NamedTuple, TypeVar

import numpy as np

from tripot.engine.budget import Budget
from tripot.game import Candidate, ExpectedOutcome, Limit
from tripot.games.triggery.actions import Action, Flip, Malus, Reject, budget
from tripot.games.triggery.board import (
    ALL,
    CELLS,
    MAX_NUMBER,
    ROW_AND_COLUMN_MASKS,
    STAR_POINTS,
    cells_of,
    star_mask,
)
from tripot.games.triggery.kernel import chains, clearing, expectation, playout, tables, turns
from tripot.games.triggery.kernel.params import SearchParams
from tripot.games.triggery.kernel.simulation import Board, BoardSimulation, UnknownBoardSimulation, simulate
from tripot.games.triggery.kernel.tables import MAX_BOARD_POINTS, Distribution, Int64Array
from tripot.games.triggery.rules import State

Result = TypeVar("Result")


class Turn(NamedTuple):
    """An action, and the cells that are paid for in the rest of the turn, as a set."""

    action: Action
    paid: int


class Estimate(NamedTuple):
    """What the simulated games say about the end of a turn.

    round_win_rate is the probability to win the current round; for a player alone it is 1.
    throws are the throws that are still needed to clear the board, the current one included.
    """

    expected: ExpectedOutcome
    value: float
    round_win_rate: float
    throws: float


class TurnSearch:
    """The searches and the simulated games of one call, within its limit.

    With a number of simulations, each comparison of turns plays that many games on every board; level 5
    compares twice, so its boards get up to twice as many. The exact searches end at their own limits, so the
    results do not depend on the clock. With seconds, the rival's board may take `rival_share` of them, no
    deeper exact search begins after `exact_share`, and the rest is for the boards after the turns to be
    compared.
    """

    def __init__(self, view: State, limit: Limit, params: SearchParams, max_games: int) -> None:
        if limit.simulations is not None:  # an estimate needs at least one game
            limit = replace(limit, simulations=max(1, limit.simulations))
        self.view, self.limit = view, limit
        self._clock, self._progress = Budget(limit), 0.0
        self._exact_budget = Budget(replace(limit, seconds=params.exact_share * limit.seconds))
        self._max_games = None if self._clock.is_counted else max_games
        self.params = params if self._clock.is_counted else _fit_to_seconds(params, limit.seconds)
        self.board = _board(view, view.current_board)
        self.known_budgets = _known_budgets(view)
        self.tiles = view.open_numbers(view.current_board)
        self._own: dict[int, BoardSimulation] = {}
        """The simulations of the own board after a turn, by its open numbers."""
        self._rival = BoardSimulation(_board(view, view.claim_board), params.wait_weight)
        self._return_round = _return_round(view, params.wait_weight)
        self._known_plan: clearing.ThrowPlan | None = None

    # -- exact searches --

    def _deepen(
        self, search: Callable[[int], Result], is_complete: Callable[[Result], bool], first: int, last: int
    ) -> Result:
        """Repeat an exact search with growing limits, until it is complete or its time is over."""
        limit = last if self._clock.is_counted else min(first, last)
        while True:
            result = search(limit)
            if limit == last or is_complete(result) or self._exact_budget.is_spent:
                return result
            limit = min(last, limit * self.params.deepening_factor)

    def best_turn(self, max_payments: int) -> turns.BestTurn:
        """TG-13: find the turn that flips the most tiles."""
        face_up, stars, values = self.board
        return self._deepen(
            lambda limit: turns.best_turn(
                face_up, face_up & ~stars, stars, values, self.view.budget_left, limit
            ),
            lambda turn: turn.complete,
            self.params.first_payments,
            max_payments,
        )

    def plan_turn(self) -> expectation.PlannedTurn:
        """Find the payments after which the board takes the fewest throws on average."""
        return self._deepen(
            lambda limit: expectation.plan_turn(
                self.tiles, self.board.tile_values, self.view.budget_left, self._limited(limit)
            ),
            lambda turn: turn.complete,
            self.params.first_payments,
            self.params.max_bounds,
        )

    def race_turn(self) -> expectation.PlannedTurn:
        """Find the payments with the best chance to finish before the rival."""
        share = self.params.rival_share
        limit = self._stage(share * self.limit.seconds, share)
        simulate([self._rival], Budget(limit, self._max_games), self.params.batch_games)
        rival = self._rival.distribution
        return self._deepen(
            lambda limit: expectation.race_turn(
                self.tiles, self.board.tile_values, self.view.budget_left, rival, self._limited(limit)
            ),
            lambda turn: turn.complete,
            self.params.first_payments,
            self.params.max_bounds,
        )

    def turns_with_fewest_open_points(self) -> list[int]:
        """TG-8: find the payments after which the fewest points stay open, the best first."""
        values = self.board.tile_values
        turn_list = turns.enumerate_turns(
            self.tiles, values, self.view.budget_left, self.params.fewest_points_payments
        )
        points = _open_points(turn_list.remaining, self.board)
        different = np.unique(turn_list.remaining, return_index=True)[1]
        ranked = different[np.argsort(points[different], kind="stable")]
        return [int(turn_list.paid[index]) for index in ranked[: self.params.fewest_points_turns]]

    def plan_known_throws(self) -> clearing.ThrowPlan:
        """TG-12: find the best use of the known dice."""
        if self._known_plan is None:
            self._known_plan = self._deepen(
                lambda limit: clearing.plan_known_throws(
                    self.tiles, self.board.tile_values, self.known_budgets, limit, self.params.max_bounds
                ),
                lambda plan: plan.proven,
                self.params.first_bounds,
                self.params.max_bounds,
            )
        return self._known_plan

    def cheapest_clearing(self) -> clearing.ClearingCost:
        """TG-12: find the smallest budget that clears the board at once."""
        return self._deepen(
            lambda limit: clearing.cheapest_clearing(self.tiles, self.board.tile_values, limit),
            lambda cost: cost.proven,
            self.params.first_bounds,
            self.params.max_bounds,
        )

    def _limited(self, max_bounds: int) -> SearchParams:
        return self.params._replace(max_bounds=max_bounds)

    # -- turns and their simulated games --

    def complete_greedily(self, action: Action) -> Turn:
        """Complete an action by the payments that a playout would choose."""
        if not isinstance(action, Flip | Malus):
            return Turn(action, 0)
        tiles, budget_left, values = self.tiles, self.view.budget_left, self.board.tile_values
        if isinstance(action, Flip):
            tiles = int(chains.after_chain(tiles & ~(1 << action.cell)))
            budget_left -= self.view.costs()[action.cell]
        weights = playout.throw_costs(values, self.params.wait_weight)
        cells = tables.cells_by_value(tiles, values)
        return Turn(action, int(playout.greedy_turn(tiles, cells, values, weights, budget_left).paid))

    def _tiles_after(self, turn: Turn) -> int:
        """Return the open numbers at the end of a turn."""
        flipped = turn.paid | (1 << turn.action.cell if isinstance(turn.action, Flip) else 0)
        return int(chains.after_chain(self.tiles & ~flipped)) if flipped else self.tiles

    def best_payment(self, payments: list[int], share: float) -> int:
        """Return the payment after which the simulated games are won most often; of equal ones, the first.

        `share` is how much of the time that is left the comparison may take.
        """
        compared = [Turn(Flip(cells_of(paid)[0]), paid) for paid in dict.fromkeys(payments) if paid]
        if len(compared) < 2:
            return compared[0].paid if compared else 0
        self.simulate_turns(compared, None, share)
        return max(compared, key=lambda turn: self.estimate(turn).value).paid

    def simulate_turns(
        self, compared: list[Turn], best: Callable[[], Candidate] | None, share: float = 1.0
    ) -> None:
        """Simulate games after some turns, and whatever else their estimates need.

        `share` is how much of the search is then done: the rest of the time is for another call.
        """
        boards = list[BoardSimulation]()
        for tiles in map(self._tiles_after, compared):
            stars = self.board.face_up & self.board.star_cells & ~int(chains.free_stars(tiles))
            board = self.board._replace(face_up=tiles | stars)
            simulation = self._own.setdefault(tiles, BoardSimulation(board, self.params.wait_weight))
            if simulation not in boards:
                boards.append(simulation)
        others = [] if self._rival.games or self.view.options.solo else [self._rival]
        boards += [*others, *self._return_round]
        limit = self._stage(share * self._clock.seconds_left, share)
        simulate(boards, Budget(limit, self._max_games), self.params.batch_games, best)

    def _stage(self, seconds: float, end: float) -> Limit:
        """Return the limit of a part of the search, after which the reported progress is `end`."""
        start = self._progress

        def report(share: float) -> None:
            self._progress = start + share * (end - start)
            self.limit.on_progress(self._progress)

        return replace(self.limit, seconds=seconds, on_progress=report)

    def estimate(self, turn: Turn) -> Estimate:
        """Estimate the result of the game after a turn that was simulated."""
        simulation = self._own[self._tiles_after(turn)]
        if self.view.options.solo:
            return self._estimate_alone(turn, simulation)
        return self._estimate_game(simulation)

    def _estimate_alone(self, turn: Turn, own: BoardSimulation) -> Estimate:
        """TG-12: the score is the number of throws; the value is 0 if they fill the printed sheet.

        The dice of a known plan are certain; without one, the dice are random.
        """
        plan = self._known_plan
        if plan is not None and plan.throws and turn.paid == int(plan.payments[0]):
            throws = float(plan.throws)
        else:  # a rejected throw does not count
            throws = own.expected_throws + (0 if isinstance(turn.action, Reject) else 1)
        total = len(self.view.sheet) + throws
        value = max(-1.0, 1 - total / self.params.sheet_lines)
        return Estimate(ExpectedOutcome(1.0, (-total,)), value, 1.0, throws)

    def _estimate_game(self, own: BoardSimulation) -> Estimate:
        """TG-8, TG-9: add up the current round, in which the rival throws next, and the return round."""
        view, side = self.view, self.view.side
        rounds = [_reversed(playout.round_margins(self._rival.statistics, own.statistics))]
        if self._return_round:
            by_side = [simulation.statistics for simulation in self._return_round]
            margins = playout.round_margins(by_side[view.first], by_side[1 - view.first])
            rounds.append(margins if side == view.first else _reversed(margins))
        win_rates = [float(margins[MAX_BOARD_POINTS + 1 :].sum()) for margins in rounds]
        if view.options.score == "rounds":
            won = view.won[side] + sum(win_rates)
            totals = {side: won, 1 - side: 2 - won}
            win_rate = won / 2  # one round each is half a win
        else:
            lost = [sum(map(_mean_loss, rounds)), sum(_mean_loss(_reversed(margins)) for margins in rounds)]
            totals = {side: -view.lost[side] - lost[0], 1 - side: -view.lost[1 - side] - lost[1]}
            last = rounds[1] if len(rounds) > 1 else _certain_margin(0)
            lead = view.lost[1 - side] - view.lost[side]
            win_rate = float(playout.win_rate_of_margins(rounds[0], last, lead))
        scores = tuple(totals[team] for team in view.teams)
        expected = ExpectedOutcome(min(1.0, max(0.0, win_rate)), scores, (totals[0], totals[1]))
        return Estimate(expected, 2 * expected.win_rate - 1, win_rates[0], 1 + own.expected_throws)


def _fit_to_seconds(params: SearchParams, seconds: float) -> SearchParams:
    """Make the table of expected throws small enough for the exact part of a time limit."""
    subsets = params.exact_share * seconds / params.subset_seconds
    tiles = int(min(params.max_expectation_tiles, log2(max(1.0, subsets))))  # the seconds may be infinite
    return params._replace(max_expectation_tiles=tiles)


def _open_points(remaining: Int64Array, board: Board) -> Int64Array:
    """TG-8: return the points of the tiles that turns leave open, int64[n], from their open numbers."""
    is_open = remaining[:, np.newaxis] >> np.arange(CELLS, dtype=np.int64) & 1
    points = is_open @ board.tile_values
    for star in cells_of(board.face_up & board.star_cells):
        points += STAR_POINTS * (remaining & ROW_AND_COLUMN_MASKS[star] != 0)
    return np.asarray(points, np.int64)


# --- Views as arrays -------------------------------------------------------------------------------


def _tile_values(tiles: bytes) -> Int64Array:
    """Return the numbers of a board; 0 for stars and hidden tiles."""
    return np.array([tile if tile <= MAX_NUMBER else 0 for tile in tiles], np.int64)


def _board(view: State, board: int) -> Board:
    return Board(view.face_up[board], view.open_stars(board), _tile_values(view.tiles[board]))


def _known_budgets(view: State) -> Int64Array:
    """TG-12: return what is left of the current budget, then the budgets of the known throws after it."""
    later = [budget(throw) for throw in view.options.known_dice[len(view.sheet) + 1 :]]
    return np.array([view.budget_left, *later], np.int64)


def _return_round(view: State, wait_weight: float) -> list[BoardSimulation]:
    """TG-9: return the simulations of the boards that each side plays in the return round, if it is to come.

    Flipped tiles are hidden in a view, and come face up again: they are sampled.
    """
    if view.options.solo or view.round == 2:
        return []

    def sample(side: int, batch: int) -> Board:
        tiles = view.determinize(Random(batch)).tiles[1 - side]
        return Board(ALL, star_mask(tiles), _tile_values(tiles))

    return [UnknownBoardSimulation(partial(sample, side), wait_weight) for side in range(2)]


# --- Distributions of margins ------------------------------------------------------------------------


def _reversed(margins: Distribution) -> Distribution:
    """Return the margins of a round as the other side sees them."""
    return np.ascontiguousarray(margins[::-1])


def _mean_loss(margins: Distribution) -> float:
    """Return the points that a side loses on average in a round: its negative margins."""
    return float(margins[:MAX_BOARD_POINTS] @ np.arange(MAX_BOARD_POINTS, 0, -1, dtype=np.int64))


def _certain_margin(margin: int) -> Distribution:
    margins = np.zeros(2 * MAX_BOARD_POINTS + 1, np.float64)
    margins[MAX_BOARD_POINTS + margin] = 1.0
    return margins
