"""The computer players of Trigon, and the solver of figures.

    level 1  any move
    level 2  a largest piece, anywhere
    level 3  a large piece where it gains most ground: the triangles that it is nearest to

A figure is tiled by level 3 with an exact search: it finds a tiling, proves that there is none, or says
that the time was too short. The lower levels place pieces until none fits, and lift one then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from math import tanh

import numpy as np

from tripot.game import Analysis, AnyState, Choice, Engine, Limit, Rng, fact
from tripot.games.trigon import kernel
from tripot.games.trigon.actions import Action, Lift, Place
from tripot.games.trigon.board import COLOURS, PIECES, Cells
from tripot.games.trigon.kernel_cover import DEPTH, FOUND, IMPOSSIBLE, ROW, UNDECIDED, anew, cover, search
from tripot.games.trigon.kernel_ground import judge
from tripot.games.trigon.rules import State

LEVELS = range(1, 4)
STEPS = 2000  # of the search for a tiling, between two looks at the clock; also one simulation
FIRST_TRY = 2 * STEPS  # how long the search goes on before it begins anew
LONGER = 1.5  # ... and how much longer each further try is
BROAD = 60.0  # triangles of ground that make a move look half won


class Trigonist(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        if level not in LEVELS:
            raise ValueError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {level}")
        self.level = level

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        return self.analyse(view, limit, rng).choices[0]

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        actions = [*view.legal()]
        rng.shuffle(actions)
        if view.solitaire:
            return _tile(view, actions, limit, rng) if self.level == 3 else self._fill(actions)
        values = self._values(view, actions)
        order = sorted(range(len(actions)), key=lambda index: -values[index])
        best = values[order[0]]
        return Analysis(
            tuple(Choice(actions[index], tanh((values[index] - best) / BROAD)) for index in order)
        )

    def _values(self, state: State, actions: list[Action]) -> list[float]:
        """What this level thinks of each move, in triangles; only the order counts for weak ones."""
        if self.level == 1:
            return [0.0] * len(actions)
        if self.level == 2:
            return [float(_size(action)) for action in actions]
        friends = 0b0101 << state.turn % 2 if state.options.pairs else 1 << state.turn
        moves = [kernel.encode(action.cells) for action in actions if isinstance(action, Place)]
        position = kernel.pack(state)
        return [float(value) for value in judge(position, state.turn, friends, np.array(moves, np.int32))]

    def _fill(self, actions: list[Action]) -> Analysis:
        """TR-12: place something, level 2 the largest piece; lift something only when nothing fits."""
        values = {
            action: -1.0 if isinstance(action, Lift) else _size(action) / 6 if self.level == 2 else 0.0
            for action in actions
        }
        order = sorted(actions, key=lambda action: -values[action])
        return Analysis(tuple(Choice(action, values[action]) for action in order))


def _size(action: Action) -> int:
    return len(action.cells) if isinstance(action, Place) else 0


# --- Figures ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tiling:
    """What the search for a tiling found: FOUND, IMPOSSIBLE or UNDECIDED, and the places if found."""

    result: int
    places: tuple[Cells, ...] = ()
    steps: int = 0


def tiling(state: State, limit: Limit, rng: Rng) -> Tiling:
    """TR-12: complete a figure from where it stands.

    The search begins anew, with other random choices, whenever it has gone on for long: it is often
    unlucky early and then stuck, but seldom twice. Each try is longer, so in the end it tries everything.
    """
    stock = tuple(
        sum(state.holds(colour, piece) for colour in range(len(COLOURS))) for piece in range(len(PIECES))
    )
    untouched, rows = cover(state.field & ~state.occupied, stock)
    begun, steps, length = time.monotonic(), 0, float(FIRST_TRY)
    while True:
        problem, random, until = anew(untouched), kernel.seeded(rng.getrandbits(32)), steps + length
        while steps < until:
            result = search(problem, STEPS, random)
            steps += STEPS
            if result != UNDECIDED:
                used = problem.stack[: problem.tally[DEPTH], ROW] if result == FOUND else ()
                return Tiling(result, tuple(rows[row] for row in used), steps)
            done = (
                steps / (limit.simulations * STEPS)
                if limit.simulations
                else (time.monotonic() - begun) / limit.seconds
            )
            limit.progress(min(1.0, done))
            if done >= 1:
                return Tiling(UNDECIDED, steps=steps)
        length *= LONGER


def _tile(state: State, actions: list[Action], limit: Limit, rng: Rng) -> Analysis:
    """The pieces of a tiling first; where there is none, the pieces to lift for one."""
    found = tiling(state, limit, rng)
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
        values = {action: _after_lift(state, action, limit, rng) for action in actions}
    order = sorted(actions, key=lambda action: -values[action])
    choices = [Choice(action, values[action]) for action in order]
    if line:
        choices[0] = replace(choices[0], line=(order[0], *(each for each in line if each != order[0])))
    return Analysis(tuple(choices), (said,))


def _after_lift(state: State, action: Action, limit: Limit, rng: Rng) -> float:
    """Where a figure cannot be completed: 1 for a piece that has only to be lifted for that."""
    if isinstance(action, Place):
        return -1.0
    few = replace(
        limit, seconds=limit.seconds / 20, simulations=limit.simulations and max(1, limit.simulations // 20)
    )
    return {FOUND: 1.0, IMPOSSIBLE: -0.5}.get(tiling(state.apply(action), few, rng).result, 0.0)
