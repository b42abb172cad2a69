"""The computer players of Triggery, and the analysis of positions.

    level 1  pays for a random tile, and overlooks half of its bonuses when they are taken by hand
    level 2  pays for the tile with the longest chain, one after the other
    level 3  finds the turn that flips the most tiles
    level 4  pays for what clears the board in the fewest throws on average
    level 5  pays for what clears the board before the rival's most often; alone, follows a proven plan if
             the dice are known

Flipped tiles do not influence the rest of a round, so a view contains all that an engine needs.

Every choice has a value: the rest of the round is simulated on both boards, and the return round with random
tiles in place of the hidden ones (TG-9).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from tripot.game import (
    Analysis,
    AnyState,
    Candidate,
    Engine,
    ExpectedOutcome,
    Fact,
    HiddenInformationError,
    Limit,
    Rng,
    fact,
)
from tripot.games.triggery.actions import Action, Done, Flip, budget
from tripot.games.triggery.board import CELL_NAMES, STAR_POINTS, cells_of
from tripot.games.triggery.kernel import chains
from tripot.games.triggery.kernel.params import DEFAULT_PARAMS, SearchParams
from tripot.games.triggery.kernel.search import Turn, TurnSearch
from tripot.games.triggery.kernel.tables import Int64Array
from tripot.games.triggery.rules import State

LEVELS: Final = range(1, 6)


class TriggeryEngine(Engine):
    """A computer player of one level."""

    def __init__(self, level: int, params: SearchParams = DEFAULT_PARAMS) -> None:
        super().__init__()
        if level not in LEVELS:
            raise ValueError(f"levels are 1 to {LEVELS[-1]}, not {level}")
        self.level, self.params = level, params

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        search = TurnSearch(view, limit, self.params, self.params.games_to_choose)
        turn = self._choose_turn(search, rng)
        search.simulate_turns([turn], lambda: _candidate(search, turn))
        return _candidate(search, turn)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        """Return what this level would do first, and the other actions by their values.

        The other actions are followed by a quick choice of payments, so they are estimated less exactly than
        the first. None of them is given a larger value.
        """
        assert isinstance(view, State)
        search = TurnSearch(view, limit, self.params, self.params.games_to_analyse)
        best = self._choose_turn(search, rng)
        facts = _exact_facts(search)
        others = [search.quick_turn(action) for action in view.legal_actions() if action != best.action]
        search.simulate_turns([best, *others], lambda: _candidate(search, best))
        first = _candidate(search, best)
        candidates = [_candidate(search, turn) for turn in others]
        capped = (
            replace(candidate, value=min(candidate.value, first.value), expected=_capped(candidate, first))
            for candidate in sorted(candidates, key=lambda candidate: -candidate.value)
        )
        return Analysis((first, *capped), (*facts, *_estimate_facts(search, best)))

    def _choose_turn(self, search: TurnSearch, rng: Rng) -> Turn:
        """Claim a missed bonus, take what is free, pay for what the level wants, and end the turn."""
        view, forgetful = search.view, self.level == 1
        claims = view.claims()
        if claims and not (forgetful and rng.random() <= self.params.forget_probability):
            return search.quick_turn(rng.choice([claim for claim in claims if claim.line == claims[0].line]))
        costs = view.costs()
        free = [cell for cell, cost in costs.items() if not cost]
        if free and not (forgetful and rng.random() <= self.params.forget_probability and view.flipped):
            return search.quick_turn(Flip(free[0]))
        wanted = self._cells_to_pay(search, rng)
        payable = [cell for cell in wanted if cell in costs]
        if payable:
            action = Flip(max(payable, key=lambda cell: len(view.chain_after(cell))))
            return search.quick_turn(action) if self.level < 3 else Turn(action, _mask(wanted))
        done = not costs or bool(view.flipped)
        return search.quick_turn(Done() if done else Flip(rng.choice([*costs])))

    def _cells_to_pay(self, search: TurnSearch, rng: Rng) -> list[int]:
        """Return the cells that the level wants to pay for in this turn."""
        view = search.view
        costs, solo = view.costs(), view.options.solo
        payable = [cell for cell, cost in costs.items() if cost]
        if not payable:
            return []
        if self.level == 1:
            return [rng.choice(payable)]
        if self.level == 2:
            return [max(payable, key=lambda cell: (len(view.chain_after(cell)), costs[cell]))]
        if self.level == 3:
            return cells_of(int(search.best_turn(self.params.max_bounds).paid))
        if self.level == 5 and solo and view.known_throw and search.plan_known_throws().throws:
            return cells_of(int(search.plan_known_throws().payments[0]))
        if self.level == 5 and not solo:
            return cells_of(int(search.race_turn().paid))
        return cells_of(int(search.plan_turn().paid))


def _capped(candidate: Candidate, first: Candidate) -> ExpectedOutcome | None:
    """Return what a candidate expects, with a win rate that is not above that of the first one."""
    if candidate.expected is None or first.expected is None:
        return candidate.expected
    win_rate = min(candidate.expected.win_rate, first.expected.win_rate)
    return replace(candidate.expected, win_rate=win_rate)


def _mask(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


# --- Results -----------------------------------------------------------------------------------------


def _candidate(search: TurnSearch, turn: Turn) -> Candidate:
    """Describe a turn whose games have been simulated."""
    estimate, view = search.estimate(turn), search.view
    pv = _principal_variation(view, turn)
    facts = (*_chain_facts(view, turn.action), *_turn_facts(view, pv))
    return Candidate(turn.action, estimate.value, pv, facts, estimate.expected)


def _principal_variation(view: State, turn: Turn) -> tuple[Action, ...]:
    """Return the actions of the rest of the turn.

    It ends before an action whose effect depends on hidden tiles: one that ends a round.
    """
    actions, state = [turn.action], view
    while True:
        try:
            state = state.apply(actions[-1])
        except HiddenInformationError:
            return tuple(actions)
        if state.to_act != view.to_act:
            return tuple(actions)
        costs = state.costs()
        free = [cell for cell, cost in costs.items() if not cost]
        payable = [cell for cell in cells_of(turn.paid) if cell in costs]
        if free:
            actions.append(Flip(free[0]))
        elif payable:
            actions.append(Flip(max(payable, key=lambda cell: len(state.chain_after(cell)))))
        elif state.flipped or not costs:
            actions.append(Done())
        else:
            return tuple(actions)


def _chain_facts(view: State, action: Action) -> tuple[Fact, ...]:
    """State which tiles the bonus chain of a flip takes, also when bonuses are taken by hand."""
    order = view.chain_after(action.cell) if isinstance(action, Flip) else ()
    return (fact("ENGINE", "chain", count=1 + len(order), cells=_cell_names(order)),) if order else ()


def _turn_facts(view: State, actions: tuple[Action, ...]) -> tuple[Fact, ...]:
    """State how many tiles the rest of a turn flips, and for how much, if it has several flips."""
    if sum(isinstance(action, Flip) for action in actions) < 2:
        return ()
    board, state = view.current_board, view
    for action in actions:
        if isinstance(action, Flip):
            flipped = view.face_up[board] & ~state.face_up[board]
            cost = view.budget_left - state.budget_left + state.costs().get(action.cell, 0)
            flipped |= _mask((action.cell, *state.chain_after(action.cell)))
        try:
            state = state.apply(action)
        except HiddenInformationError:
            break
    return (fact("ENGINE", "turn", count=flipped.bit_count(), cost=cost),)


def _exact_facts(search: TurnSearch) -> tuple[Fact, ...]:
    """State the best turn with its chain, the cheapest clearing of the board, and the plan for known dice."""
    view, values = search.view, search.board.tile_values
    face_up, stars, _ = search.board
    turn = search.best_turn(search.params.max_payments)
    flipped = face_up & ~int(turn.face_up)
    order = chains.chain(face_up, face_up & ~stars, stars, values, turn.paid).cells
    facts = [
        fact(
            "ENGINE",
            "best_turn",
            tiles=flipped.bit_count(),
            points=_points(values, flipped & ~stars) + STAR_POINTS * (flipped & stars).bit_count(),
            cost=_points(values, int(turn.paid)),
        ),
        *([fact("ENGINE", "order", cells=_cell_names(order.tolist()))] if len(order) else []),
        fact("ENGINE", "proven" if turn.complete else "searched"),
    ]
    clearing = search.cheapest_clearing()
    if clearing.proven:
        cells = _cell_names(cells_of(int(clearing.paid)))
        facts.append(fact("ENGINE", "clears", cost=int(clearing.points), cells=cells))
    if view.options.solo and view.known_throw:
        facts += _plan_facts(search)
    return tuple(facts)


def _estimate_facts(search: TurnSearch, best: Turn) -> tuple[Fact, ...]:
    """State the chance to win the round, or how many throws a player alone needs with unknown dice."""
    estimate = search.estimate(best)
    if not search.view.options.solo:
        return (fact("ENGINE", "race", percent=round(100 * estimate.round_win_rate)),)
    if search.view.known_throw:
        return ()
    return (fact("ENGINE", "throws_left", throws=round(estimate.throws)),)


def _plan_facts(search: TurnSearch) -> list[Fact]:
    """TG-12: state the best use of the known dice, throw by throw, and whether it is proven."""
    view, plan, budgets = search.view, search.plan_known_throws(), search.known_budgets.tolist()
    if not plan.throws:
        return [fact("ENGINE", "no_plan" if plan.proven else "no_plan_found", throws=len(budgets))]
    throws = len(view.sheet) + plan.throws
    points = sum(budget(throw) for throw in view.sheet) + sum(budgets[: plan.throws - 1]) + int(plan.points)
    bound = fact("ENGINE", "bound", throws=len(view.sheet) + int(plan.min_throws))
    facts = [
        fact("ENGINE", "plan", throws=throws, points=points),
        fact("ENGINE", "plan_proven") if plan.proven else bound,
    ]
    for index, payment in enumerate(plan.payments.tolist()):
        number, cells = len(view.sheet) + index + 1, _cell_names(cells_of(payment))
        key = "pay" if cells else "pay_nothing"
        facts.append(fact("ENGINE", key, number=number, budget=budgets[index], cells=cells))
    return facts


def _points(values: Int64Array, cells: int) -> int:
    return sum(int(values[cell]) for cell in cells_of(cells))


def _cell_names(cells: Iterable[int]) -> str:
    return " ".join(CELL_NAMES[cell] for cell in cells)
