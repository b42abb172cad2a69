"""The computer players of Triggery, and the study of positions.

    level 1  turns anything it can pay for, and by hand forgets half of its bonuses
    level 2  turns the tile with the longest chain, one after the other
    level 3  finds the turn that turns most tiles
    level 4  plans ahead: pays for what clears the board in the fewest throws on average
    level 5  races: pays for what finishes first most often, and knows a known row of dice by heart

Which tiles lie under turned ones never matters, so a view is as good as the truth.
"""

from __future__ import annotations

import numpy as np

from tripot.game import Analysis, AnyState, Candidate, Engine, Fact, Limit, Rng, fact
from tripot.games.triggery.actions import Action, Done, Flip, Malus, budget
from tripot.games.triggery.board import CELL_NAMES, MAX_NUMBER, cells_of
from tripot.games.triggery.kernel import clearing, expectation, turns
from tripot.games.triggery.rules import State

LEVELS = range(1, 6)
FORGET_PROBABILITY = 0.5  # how often level 1 leaves a bonus lying, by hand
SIMULATED_GAMES = 200  # simulated to judge a race, unless the limit says otherwise
PRINTED_SHEET_LINES = 20  # lines of the printed sheet: so many throws are worth nothing
SEARCH_LIMIT = 1 << 14  # of exact searches: payments or bounds looked at


class TriggeryEngine(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        super().__init__()
        if level not in LEVELS:
            raise ValueError(f"levels are 1 to {LEVELS[-1]}, not {level}")
        self.level = level

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        action = self._action(view, limit, rng)
        return Candidate(action, 0.0, (action,), _chain_facts(view, action))

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        """What this level would do first, then the others by what they may hope for."""
        assert isinstance(view, State)
        best = self._action(view, limit, rng)
        values: dict[Action, float] = {
            action: _value(view, action, limit)
            for action in view.legal_actions()
            if not isinstance(action, Malus)
        }
        # What the level plans is worth no less than what is judged quickly, and pointing never hurts.
        most = max(values.values(), default=0.0)
        values |= {
            action: most for action in view.legal_actions() if action == best or isinstance(action, Malus)
        }
        order = sorted(values, key=lambda action: (-values[action], action != best))
        choices = (
            Candidate(action, values[action], (action,), _chain_facts(view, action)) for action in order
        )
        return Analysis(tuple(choices), _facts(view, limit))

    def _action(self, view: State, limit: Limit, rng: Rng) -> Action:
        """Point at what was forgotten, take what is free, pay for what the level wants, and be done."""
        claims = [action for action in view.legal_actions() if isinstance(action, Malus)]
        if claims and (self.level > 1 or rng.random() > FORGET_PROBABILITY):
            return rng.choice([claim for claim in claims if claim.line == claims[0].line])
        costs = view.costs()
        free = [cell for cell, cost in costs.items() if not cost]
        if free and (self.level > 1 or rng.random() > FORGET_PROBABILITY or not view.flipped):
            return Flip(free[0])
        wanted = [cell for cell in self._tiles_to_pay(view, limit, rng) if cell in costs]
        if wanted:
            return Flip(max(wanted, key=lambda cell: len(view.chain_after(cell))))
        return Done() if Done() in view.legal_actions() else Flip(rng.choice([*costs]))

    def _tiles_to_pay(self, view: State, limit: Limit, rng: Rng) -> list[int]:
        """The tiles that the level would pay for now."""
        payable = [cell for cell, cost in view.costs().items() if cost]
        if not payable:
            return []
        if self.level == 1:
            return [rng.choice(payable)]
        if self.level == 2:
            return [max(payable, key=lambda cell: (len(view.chain_after(cell)), view.costs()[cell]))]
        tiles, values = view.open_numbers(view.current_board), _values(view, view.current_board)
        if self.level == 3:
            up = view.face_up[view.current_board]
            stars = view.open_stars(view.current_board)
            return cells_of(
                int(turns.best_turn(up, up & ~stars, stars, values, view.budget_left, SEARCH_LIMIT)[0])
            )
        if self.level == 5 and view.options.solo and view.known_throw:
            plan = clearing.plan_known_throws(tiles, values, _known_budgets(view), SEARCH_LIMIT)
            if plan.throws:
                return cells_of(int(plan.payments[0]))
        if self.level == 5 and not view.options.solo:
            return cells_of(
                int(
                    expectation.race_turn(
                        tiles, values, view.budget_left, _finish_distribution(view, view.claim_board, limit)
                    )
                )
            )
        return cells_of(int(expectation.plan_turn(tiles, values, view.budget_left)))


# --- The view as arrays ----------------------------------------------------------------------------


def _values(view: State, board: int) -> turns.Int64Array:
    """The numbers of a board; 0 for stars and for what lies under turned tiles."""
    return np.array([tile if tile <= MAX_NUMBER else 0 for tile in view.tiles[board]], np.int64)


def _known_budgets(view: State) -> turns.Int64Array:
    """TG-12: what is left of the budget of this throw, then those of the known dice that follow."""
    following = [budget(throw) for throw in view.options.known_dice[len(view.sheet) + 1 :]]
    return np.array([view.budget_left, *following], np.int64)


def _finish_distribution(
    view: State, board: int, limit: Limit, tiles: int | None = None
) -> expectation.Distribution:
    """The odds to clear a board, as it lies or with other open numbers, by the number of throws."""
    up = view.open_numbers(board) if tiles is None else tiles
    return expectation.finish_distribution(up, _values(view, board), limit.simulations or SIMULATED_GAMES, 1)


# --- What is said of a position ------------------------------------------------------------------------


def _value(view: State, action: Action, limit: Limit) -> float:
    """What a seat may hope for after an action: the race as a score, or the sheet that stays empty."""
    tiles, left = view.open_numbers(view.current_board), view.budget_left
    values = _values(view, view.current_board)
    if isinstance(action, Flip):
        tiles = int(turns.after_chain(tiles & ~(1 << action.cell)))
        order, worth = turns.cells_by_value(tiles, values), expectation.throw_costs(values)
        spent = expectation.greedy_turn(tiles, order, values, worth, left - view.costs()[action.cell])
        tiles = int(turns.after_chain(tiles & ~spent[0]))
    mine = _finish_distribution(view, view.current_board, limit, tiles)
    if view.options.solo:
        throws = len(view.sheet) + 1 + float(mine @ np.arange(len(mine)))
        return max(-1.0, 1 - throws / PRINTED_SHEET_LINES)
    theirs = _finish_distribution(view, view.claim_board, limit)
    return 1 - 2 * float(expectation.race_win_probability(theirs, mine))


def _chain_facts(view: State, action: Action) -> tuple[Fact, ...]:
    """What a tile sets off, as who asks for a hint wants to know, by hand too."""
    order = view.chain_after(action.cell) if isinstance(action, Flip) else ()
    return (fact("ENGINE", "chain", cells=_cell_names(order)),) if order else ()


def _cell_names(order: tuple[int, ...] | list[int]) -> str:
    return " ".join(CELL_NAMES[cell] for cell in order)


def _facts(view: State, limit: Limit) -> tuple[Fact, ...]:
    """The best turn with its chain, what clears the board, and the plan for known dice or the race."""
    values, up, stars = (
        _values(view, view.current_board),
        view.face_up[view.current_board],
        view.open_stars(view.current_board),
    )
    numbers = up & ~stars
    paid, left, complete = turns.best_turn(up, numbers, stars, values, view.budget_left, 1 << 22)
    turned, cost = up & ~int(left), sum(int(values[cell]) for cell in cells_of(int(paid)))
    points = sum(int(values[cell]) for cell in cells_of(turned & numbers))
    order = turns.chain(up, numbers, stars, values, int(paid))[0]
    facts = [
        fact("ENGINE", "best_turn", tiles=turned.bit_count(), points=points, cost=cost),
        fact("ENGINE", "order", cells=_cell_names([int(cell) for cell in order])),
        fact("ENGINE", "proven" if complete else "searched"),
    ]
    price, bill, proven = clearing.cheapest_clearing(numbers, values, SEARCH_LIMIT)
    if proven:
        facts.append(fact("ENGINE", "clears", cost=int(price), cells=_cell_names(cells_of(int(bill)))))
    if not view.options.solo:
        percent = round(
            100
            * float(
                expectation.race_win_probability(
                    _finish_distribution(view, view.current_board, limit),
                    _finish_distribution(view, view.claim_board, limit),
                )
            )
        )
        return (*facts, fact("ENGINE", "race", percent=percent))
    return (
        *facts,
        *(_plan_facts(view, numbers, values) if view.known_throw else _expectation_facts(view, limit)),
    )


def _expectation_facts(view: State, limit: Limit) -> tuple[Fact, ...]:
    odds = _finish_distribution(view, view.current_board, limit)
    return (fact("ENGINE", "throws_left", throws=round(float(odds @ np.arange(len(odds))))),)


def _plan_facts(view: State, numbers: int, values: turns.Int64Array) -> tuple[Fact, ...]:
    """TG-12: the best use of a known row of dice, throw by throw, and whether it is proven."""
    row = _known_budgets(view)
    plan = clearing.plan_known_throws(numbers, values, row, SEARCH_LIMIT)
    if not plan.throws:
        return (fact("ENGINE", "no_plan" if plan.proven else "no_plan_found", throws=len(row)),)
    before = sum(budget(throw) for throw in view.sheet) + int(row[: plan.throws - 1].sum())
    facts = [
        fact("ENGINE", "plan", throws=len(view.sheet) + plan.throws, points=before + int(plan.points)),
        fact("ENGINE", "plan_proven")
        if plan.proven
        else fact("ENGINE", "bound", throws=len(view.sheet) + int(plan.least_throws)),
    ]
    for index, payment in enumerate(plan.payments):
        paid = _cell_names(cells_of(int(payment)))
        facts.append(
            fact("ENGINE", "pay", number=len(view.sheet) + index + 1, budget=int(row[index]), cells=paid)
        )
    return tuple(facts)
