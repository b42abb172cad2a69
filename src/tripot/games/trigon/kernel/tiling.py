"""Tiling a figure (TR-12): exact cover search with randomised restarts.

The search finds a tiling, proves that there is none, or runs out of its budget. A search that goes on for
long is usually stuck behind an early bad choice, so it is restarted with other random numbers. Each attempt
is longer than the last, so that the search is still complete.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tripot.engine.budget import Budget
from tripot.engine.rng import new_rng
from tripot.game import Analysis, Candidate, Limit, Rng, fact
from tripot.games.trigon.actions import Action, Place
from tripot.games.trigon.board import COLOURS, PIECE_NAMES, Cells
from tripot.games.trigon.kernel.exact_cover import (
    FOUND,
    IMPOSSIBLE,
    UNDECIDED,
    OutOfTimeError,
    fresh_copy,
    new_exact_cover,
    search_steps,
    tiling_rows,
)
from tripot.games.trigon.kernel.params import TILING_PARAMS
from tripot.games.trigon.rules import State


@dataclass(frozen=True, slots=True)
class Tiling:
    """The result of a search (FOUND, IMPOSSIBLE, UNDECIDED), the placements if found, the steps taken."""

    result: int
    placements: tuple[Cells, ...] = ()
    steps: int = 0


def find_tiling(state: State, budget: Budget, rng: Rng) -> Tiling:
    """Search for placements that complete a figure from its present state (TR-12)."""
    stock = tuple(
        sum(state.has_piece(colour, piece) for colour in range(len(COLOURS)))
        for piece in range(len(PIECE_NAMES))
    )
    try:
        untouched, rows = new_exact_cover(state.field & ~state.occupied, stock, lambda: budget.is_spent)
    except OutOfTimeError:
        return Tiling(UNDECIDED)
    steps, restart_at, attempt_steps = 0, 0.0, float(TILING_PARAMS.first_restart_steps)
    for _ in budget.batches(1):
        if steps >= restart_at:
            problem, kernel_rng = fresh_copy(untouched), new_rng(rng.getrandbits(32))
            restart_at, attempt_steps = steps + attempt_steps, attempt_steps * TILING_PARAMS.restart_factor
        result = search_steps(problem, TILING_PARAMS.steps_per_batch, kernel_rng)
        steps += TILING_PARAMS.steps_per_batch
        if result != UNDECIDED:
            used = tiling_rows(problem) if result == FOUND else []
            return Tiling(result, tuple(rows[row] for row in used), steps)
    return Tiling(UNDECIDED, steps=steps)


def analyse_figure(state: State, actions: list[Action], limit: Limit, rng: Rng) -> Analysis:
    """Rank the actions in a figure: the pieces of a tiling first, or the pieces to lift if there is none.

    The value is 1 for an action that leads to a tiling, -1 for one that certainly does not, and in between
    where that is not known.
    """
    budget = Budget(limit)
    tiling = find_tiling(state, budget, rng)
    if tiling.result == IMPOSSIBLE:
        candidates = _candidates_without_tiling(state, actions, budget, rng)
        known = fact("ENGINE", "untileable")
    else:
        line = tuple(Place(cells) for cells in tiling.placements)
        candidates = [_candidate_with_tiling(action, line) for action in actions]
        known = (
            fact("ENGINE", "tiled", pieces=len(line))
            if tiling.result == FOUND
            else fact("ENGINE", "unknown", steps=tiling.steps)
        )
    best, *others = sorted(candidates, key=lambda candidate: -candidate.value)
    return Analysis((replace(best, facts=(known,)), *others), (known,))


def _candidate_with_tiling(action: Action, line: tuple[Place, ...]) -> Candidate:
    """Return an action where a figure can, or may, be completed; `line` is the tiling that was found."""
    if action in line:
        return Candidate(action, 1.0, (action, *(other for other in line if other != action)))
    return Candidate(action, 0.0 if isinstance(action, Place) else -0.5, (action,))


def _candidates_without_tiling(
    state: State, actions: list[Action], budget: Budget, rng: Rng
) -> list[Candidate]:
    """Return the actions where a figure cannot be completed: 1 for a piece whose lift makes it possible.

    The lifts share what is left of the budget. One that gets nothing of it is not known.
    """
    lifts = [action for action in actions if not isinstance(action, Place)]
    candidates = {
        action: Candidate(action, 0.0 if action in lifts else -1.0, (action,)) for action in actions
    }
    for action, share in zip(lifts, budget.stages(len(lifts)), strict=False):
        after_lift = find_tiling(state.apply(action), share, rng)
        value = {FOUND: 1.0, IMPOSSIBLE: -0.5}.get(after_lift.result, 0.0)
        line = (action, *(Place(cells) for cells in after_lift.placements))
        candidates[action] = Candidate(action, value, line)
    return [*candidates.values()]
