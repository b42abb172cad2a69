"""The computer players of Triggery, and the analysis of positions.

    level 1  pays for the smallest tiles, and overlooks half of its bonuses when they are taken by hand
    level 2  pays for random tiles, and often for the smallest
    level 3  pays for the tile with the longest chain, one after the other, and at times for a random one
    level 4  mostly plans how to clear the board, and else pays for the tile with the longest chain
    level 5  pays for what wins the game most often: it clears the board soonest, or leaves few points open;
             alone, it takes the fewest throws, and follows a proven plan if the dice are known

Flipped tiles do not influence the rest of a round, so a view contains all that an engine needs.

Every choice has a value: the rest of the round is simulated on both boards, and the return round with random
tiles in place of the hidden ones (TG-9).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType
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

# --- Levels --------------------------------------------------------------------------------------


class Style(Enum):
    """How a level chooses what to pay for, from the weakest to the strongest."""

    SMALLEST = auto()
    """The smallest tile, one after the other: many tiles now, and the large ones stay."""
    RANDOM = auto()
    """A random tile, one after the other."""
    CHAIN = auto()
    """The tile with the longest chain, the largest of equal ones, one after the other."""
    PLAN = auto()
    """What clears the board in the fewest throws on average; alone, the plan for known dice."""
    WIN = auto()
    """What wins the game most often, by simulated games: the race, or points where points decide (TG-8)."""


WHOLE_TURNS: Final = frozenset({Style.PLAN, Style.WIN})
"""The styles that choose all payments of a turn together."""


@dataclass(frozen=True, slots=True)
class LevelParams:
    """How a level plays. The shares were chosen so that the steps between the levels are about equal."""

    style: Style
    """The style of most turns."""

    other: Style | None = None
    """The style of the other payments, if there are any."""

    other_share: float = 0.0
    """The share of payments that `other` chooses, 0.0 to 1.0."""

    is_forgetful: bool = False
    """Whether it overlooks bonuses that are taken by hand (TG-7)."""


LEVELS: Final[Mapping[int, LevelParams]] = MappingProxyType(
    {
        1: LevelParams(Style.SMALLEST, is_forgetful=True),
        2: LevelParams(Style.RANDOM, Style.SMALLEST, 0.3),
        3: LevelParams(Style.CHAIN, Style.RANDOM, 0.25),
        4: LevelParams(Style.PLAN, Style.CHAIN, 0.25),
        5: LevelParams(Style.WIN),
    }
)


class TriggeryEngine(Engine[Action]):
    """A computer player of one level."""

    state_type = State

    def __init__(self, level: int, params: SearchParams = DEFAULT_PARAMS) -> None:
        super().__init__()
        self.level, self.level_params, self.params = level, LEVELS[level], params

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
        others = [
            search.complete_greedily(action) for action in view.legal_actions() if action != best.action
        ]
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
        view, forgetful = search.view, self.level_params.is_forgetful
        claims = view.claims()
        if claims and not (forgetful and rng.random() <= self.params.forget_probability):
            return search.complete_greedily(
                rng.choice([claim for claim in claims if claim.line == claims[0].line])
            )
        costs = view.costs()
        free = [cell for cell, cost in costs.items() if not cost]
        if free and not (forgetful and rng.random() <= self.params.forget_probability and view.flipped):
            return search.complete_greedily(Flip(free[0]))
        style = self._style(rng)
        wanted = _cells_to_pay(search, style, rng)
        payable = [cell for cell in wanted if cell in costs]
        if payable:
            action = Flip(max(payable, key=lambda cell: len(view.chain_after(cell))))
            return Turn(action, _mask(wanted)) if style in WHOLE_TURNS else search.complete_greedily(action)
        done = not costs or bool(view.flipped)
        return search.complete_greedily(Done() if done else Flip(rng.choice([*costs])))

    def _style(self, rng: Rng) -> Style:
        """Return the style of the next payment."""
        params = self.level_params
        return params.other if params.other and rng.random() < params.other_share else params.style


def _cells_to_pay(search: TurnSearch, style: Style, rng: Rng) -> list[int]:
    """Return the cells that a style pays for: one cell, or all of the turn."""
    view = search.view
    costs = view.costs()
    payable = [cell for cell, cost in costs.items() if cost]
    if not payable:
        return []
    match style:
        case Style.SMALLEST:
            return [min(payable, key=lambda cell: costs[cell])]
        case Style.RANDOM:
            return [rng.choice(payable)]
        case Style.CHAIN:
            return [max(payable, key=lambda cell: (len(view.chain_after(cell)), costs[cell]))]
        case Style.PLAN | Style.WIN if view.options.solo:
            plan = search.plan_known_throws() if view.known_throw else None
            return cells_of(int(plan.payments[0] if plan and plan.throws else search.plan_turn().paid))
        case Style.PLAN:
            return cells_of(int(search.plan_turn().paid))
        case Style.WIN:
            return cells_of(_winning_payment(search))


def _winning_payment(search: TurnSearch) -> int:
    """TG-8, TG-9: compare the turn that is best in the race with turns that leave few points open."""
    race = int(search.race_turn().paid)
    if search.view.options.score == "rounds":
        return race
    return search.best_payment([race, *search.turns_with_fewest_open_points()], search.params.comparing_share)


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
