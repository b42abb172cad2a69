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

from tripot.game import Analysis, AnyState, Choice, Engine, Fact, Limit, Rng, fact
from tripot.games.triggery.actions import Action, Done, Malus, Turn, budget
from tripot.games.triggery.board import LARGEST, NAMES, cells
from tripot.games.triggery.kernel import clearing, expectation, turns
from tripot.games.triggery.rules import State

LEVELS = range(1, 6)
FORGETS = 0.5  # how often level 1 leaves a bonus lying, by hand
GAMES = 200  # simulated to judge a race, unless the limit says otherwise
SHEET = 20  # lines of the printed sheet: so many throws are worth nothing
EFFORT = 1 << 14  # of exact searches: payments or bounds looked at


class Triggerer(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        if level not in LEVELS:
            raise ValueError(f"levels are 1 to {LEVELS[-1]}, not {level}")
        self.level = level

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        assert isinstance(view, State)
        action = self._action(view, limit, rng)
        return Choice(action, 0.0, (action,), _chain_facts(view, action))

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        """What this level would do first, then the others by what they may hope for."""
        assert isinstance(view, State)
        best = self._action(view, limit, rng)
        values: dict[Action, float] = {
            action: _value(view, action, limit) for action in view.legal() if not isinstance(action, Malus)
        }
        # What the level plans is worth no less than what is judged quickly, and pointing never hurts.
        most = max(values.values(), default=0.0)
        values |= {action: most for action in view.legal() if action == best or isinstance(action, Malus)}
        order = sorted(values, key=lambda action: (-values[action], action != best))
        choices = (Choice(action, values[action], (action,), _chain_facts(view, action)) for action in order)
        return Analysis(tuple(choices), _facts(view, limit))

    def _action(self, view: State, limit: Limit, rng: Rng) -> Action:
        """Point at what was forgotten, take what is free, pay for what the level wants, and be done."""
        claims = [action for action in view.legal() if isinstance(action, Malus)]
        if claims and (self.level > 1 or rng.random() > FORGETS):
            return rng.choice([claim for claim in claims if claim.line == claims[0].line])
        costs = view.costs()
        free = [cell for cell, cost in costs.items() if not cost]
        if free and (self.level > 1 or rng.random() > FORGETS or not view.turned):
            return Turn(free[0])
        wanted = [cell for cell in self._payment(view, limit, rng) if cell in costs]
        if wanted:
            return Turn(max(wanted, key=lambda cell: len(view.sets_off(cell))))
        return Done() if Done() in view.legal() else Turn(rng.choice([*costs]))

    def _payment(self, view: State, limit: Limit, rng: Rng) -> list[int]:
        """The tiles that the level would pay for now."""
        payable = [cell for cell, cost in view.costs().items() if cost]
        if not payable:
            return []
        if self.level == 1:
            return [rng.choice(payable)]
        if self.level == 2:
            return [max(payable, key=lambda cell: (len(view.sets_off(cell)), view.costs()[cell]))]
        tiles, values = view.open_numbers(view.mine), _values(view, view.mine)
        if self.level == 3:
            up = view.open[view.mine]
            stars = view.open_stars(view.mine)
            return cells(int(turns.best_turn(up, up & ~stars, stars, values, view.left, EFFORT)[0]))
        if self.level == 5 and view.options.solo and view.known:
            plan = clearing.solve_throws(tiles, values, _row(view), EFFORT)
            if plan.throws:
                return cells(int(plan.payments[0]))
        if self.level == 5 and not view.options.solo:
            return cells(
                int(expectation.race_turn(tiles, values, view.left, _odds(view, view.pointed, limit)))
            )
        return cells(int(expectation.plan_turn(tiles, values, view.left)))


# --- The view as arrays ----------------------------------------------------------------------------


def _values(view: State, board: int) -> turns.Ints:
    """The numbers of a board; 0 for stars and for what lies under turned tiles."""
    return np.array([tile if tile <= LARGEST else 0 for tile in view.tiles[board]], np.int64)


def _row(view: State) -> turns.Ints:
    """TG-12: what is left of the budget of this throw, then those of the known dice that follow."""
    following = [budget(throw) for throw in view.options.row[len(view.sheet) + 1 :]]
    return np.array([view.left, *following], np.int64)


def _odds(view: State, board: int, limit: Limit, tiles: int | None = None) -> expectation.Odds:
    """The odds to clear a board, as it lies or with other open numbers, by the number of throws."""
    up = view.open_numbers(board) if tiles is None else tiles
    return expectation.finish_odds(up, _values(view, board), limit.simulations or GAMES, 1)


# --- What is said of a position ------------------------------------------------------------------------


def _value(view: State, action: Action, limit: Limit) -> float:
    """What a seat may hope for after an action: the race as a score, or the sheet that stays empty."""
    tiles, left = view.open_numbers(view.mine), view.left
    values = _values(view, view.mine)
    if isinstance(action, Turn):
        tiles = int(turns.chain_end(tiles & ~(1 << action.cell)))
        order, worth = turns.by_value(tiles, values), expectation.prices(values)
        spent = expectation.quick_turn(tiles, order, values, worth, left - view.costs()[action.cell])
        tiles = int(turns.chain_end(tiles & ~spent[0]))
    mine = _odds(view, view.mine, limit, tiles)
    if view.options.solo:
        throws = len(view.sheet) + 1 + float(mine @ np.arange(len(mine)))
        return max(-1.0, 1 - throws / SHEET)
    theirs = _odds(view, view.pointed, limit)
    return 1 - 2 * float(expectation.race_value(theirs, mine))


def _chain_facts(view: State, action: Action) -> tuple[Fact, ...]:
    """What a tile sets off, as who asks for a hint wants to know, by hand too."""
    order = view.sets_off(action.cell) if isinstance(action, Turn) else ()
    return (fact("ENGINE", "chain", cells=_named(order)),) if order else ()


def _named(order: tuple[int, ...] | list[int]) -> str:
    return " ".join(NAMES[cell] for cell in order)


def _facts(view: State, limit: Limit) -> tuple[Fact, ...]:
    """The best turn with its chain, what clears the board, and the plan for known dice or the race."""
    values, up, stars = _values(view, view.mine), view.open[view.mine], view.open_stars(view.mine)
    numbers = up & ~stars
    paid, left, complete = turns.best_turn(up, numbers, stars, values, view.left, 1 << 22)
    turned, cost = up & ~int(left), sum(int(values[cell]) for cell in cells(int(paid)))
    points = sum(int(values[cell]) for cell in cells(turned & numbers))
    order = turns.chain(up, numbers, stars, values, int(paid))[0]
    facts = [
        fact("ENGINE", "best_turn", tiles=turned.bit_count(), points=points, cost=cost),
        fact("ENGINE", "order", cells=_named([int(cell) for cell in order])),
        fact("ENGINE", "proven" if complete else "searched"),
    ]
    price, bill, proven = clearing.cheapest_clearing(numbers, values, EFFORT)
    if proven:
        facts.append(fact("ENGINE", "clears", cost=int(price), cells=_named(cells(int(bill)))))
    if not view.options.solo:
        percent = round(
            100
            * float(expectation.race_value(_odds(view, view.mine, limit), _odds(view, view.pointed, limit)))
        )
        return (*facts, fact("ENGINE", "race", percent=percent))
    return (*facts, *(_plan_facts(view, numbers, values) if view.known else _hope_facts(view, limit)))


def _hope_facts(view: State, limit: Limit) -> tuple[Fact, ...]:
    odds = _odds(view, view.mine, limit)
    return (fact("ENGINE", "throws_left", throws=round(float(odds @ np.arange(len(odds))))),)


def _plan_facts(view: State, numbers: int, values: turns.Ints) -> tuple[Fact, ...]:
    """TG-12: the best use of a known row of dice, throw by throw, and whether it is proven."""
    row = _row(view)
    plan = clearing.solve_throws(numbers, values, row, EFFORT)
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
        paid = _named(cells(int(payment)))
        facts.append(
            fact("ENGINE", "pay", number=len(view.sheet) + index + 1, budget=int(row[index]), cells=paid)
        )
    return tuple(facts)
