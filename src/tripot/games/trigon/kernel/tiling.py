"""Figures of Trigon, tiled exactly (TR-12).

The search finds a tiling, proves that there is none, or says that the time was too short.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from tripot.game import Analysis, Candidate, Limit, Rng, fact
from tripot.games.trigon.actions import Action, Place
from tripot.games.trigon.board import COLOURS, PIECE_NAMES, Cells
from tripot.games.trigon.kernel import position
from tripot.games.trigon.kernel.exact_cover import (
    DEPTH,
    FOUND,
    IMPOSSIBLE,
    ROW,
    UNDECIDED,
    fresh_copy,
    new_exact_cover,
    search_steps,
)
from tripot.games.trigon.rules import State

STEPS_PER_BATCH = 2000  # of the search for a tiling, between two looks at the clock; also one simulation
FIRST_RESTART_STEPS = 2 * STEPS_PER_BATCH  # how long the search goes on before it begins anew
RESTART_FACTOR = 1.5  # ... and how much longer each further try is


@dataclass(frozen=True, slots=True)
class Tiling:
    """What the search for a tiling found: FOUND, IMPOSSIBLE or UNDECIDED, and the places if found."""

    result: int
    places: tuple[Cells, ...] = ()
    steps: int = 0


def find_tiling(state: State, limit: Limit, rng: Rng) -> Tiling:
    """TR-12: complete a figure from where it stands.

    The search begins anew, with other random choices, whenever it has gone on for long: it is often
    unlucky early and then stuck, but seldom twice. Each try is longer, so in the end it tries everything.
    """
    stock = tuple(
        sum(state.has_piece(colour, piece) for colour in range(len(COLOURS)))
        for piece in range(len(PIECE_NAMES))
    )
    untouched, rows = new_exact_cover(state.field & ~state.occupied, stock)
    begun, steps, length = time.monotonic(), 0, float(FIRST_RESTART_STEPS)
    while True:
        problem, random, until = (
            fresh_copy(untouched),
            position.new_xorshift64(rng.getrandbits(32)),
            steps + length,
        )
        while steps < until:
            result = search_steps(problem, STEPS_PER_BATCH, random)
            steps += STEPS_PER_BATCH
            if result != UNDECIDED:
                used = problem.stack[: problem.counters[DEPTH], ROW] if result == FOUND else ()
                return Tiling(result, tuple(rows[row] for row in used), steps)
            done = (
                steps / (limit.simulations * STEPS_PER_BATCH)
                if limit.simulations
                else (time.monotonic() - begun) / limit.seconds
            )
            limit.on_progress(min(1.0, done))
            if done >= 1:
                return Tiling(UNDECIDED, steps=steps)
        length *= RESTART_FACTOR


def analyse_figure(state: State, actions: list[Action], limit: Limit, rng: Rng) -> Analysis:
    """The pieces of a tiling first; where there is none, the pieces to lift for one."""
    found = find_tiling(state, limit, rng)
    known = {Place(cells): 1.0 for cells in found.places}
    line: tuple[Action, ...] = tuple(known)
    if found.result == FOUND:
        said = fact("ENGINE", "tiled", pieces=len(found.places))
    elif found.result == IMPOSSIBLE:
        said = fact("ENGINE", "untileable")
    else:
        said = fact("ENGINE", "unknown", steps=found.steps)
    values = {action: known.get(action, 0.0) if isinstance(action, Place) else -0.5 for action in actions}
    if found.result == IMPOSSIBLE:
        values = {action: _value_after_lift(state, action, limit, rng) for action in actions}
    order = sorted(actions, key=lambda action: -values[action])
    choices = [Candidate(action, values[action]) for action in order]
    if line:
        choices[0] = replace(choices[0], pv=(order[0], *(each for each in line if each != order[0])))
    return Analysis(tuple(choices), (said,))


def _value_after_lift(state: State, action: Action, limit: Limit, rng: Rng) -> float:
    """Where a figure cannot be completed: 1 for a piece that has only to be lifted for that."""
    if isinstance(action, Place):
        return -1.0
    few = replace(
        limit, seconds=limit.seconds / 20, simulations=limit.simulations and max(1, limit.simulations // 20)
    )
    return {FOUND: 1.0, IMPOSSIBLE: -0.5}.get(find_tiling(state.apply(action), few, rng).result, 0.0)
