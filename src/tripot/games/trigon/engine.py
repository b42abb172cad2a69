"""The computer players of Trigon, and the solver of figures.

    level 1     a beginner: where he likes, and rather a large piece than a small one
    level 2     somebody who knows that large pieces go first, and the middle is good
    level 3     what looks best at a glance: what blocks, what opens (see `kernel_features`)
    level 4-9   a tree search (see `kernel_search`) of ever more simulations; level 9 takes all its time

A figure is tiled from level 3 on with an exact search: it finds a tiling, proves that there is none, or
says that the time was too short. The lower levels place pieces until none fits, and lift one then.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

from tripot.game import Analysis, AnyState, Choice, Engine, Limit, Rng, fact
from tripot.games.trigon import kernel
from tripot.games.trigon.actions import Action, Lift, Place
from tripot.games.trigon.board import COLOURS, PIECES, Cells
from tripot.games.trigon.kernel_cover import DEPTH, FOUND, IMPOSSIBLE, ROW, UNDECIDED, anew, cover, search
from tripot.games.trigon.kernel_features import CENTRAL, FEATURES, STAGES, logits
from tripot.games.trigon.kernel_search import PLAN, SETTINGS, Tree, planted, simulate, table
from tripot.games.trigon.rules import State

LEVELS = range(1, 10)
TILES = 3  # the first level that tiles figures exactly
SIMULATIONS = {4: 30, 5: 100, 6: 300, 7: 1000, 8: 4000, 9: None}
ROWS = 1_500_000  # of the tree: 57 MB
GLANCE = 0.005  # seconds of simulations between two looks at the clock

STEPS = 2000  # of the search for a tiling, between two looks at the clock; also one simulation
FIRST_TRY = 2 * STEPS  # how long the search goes on before it begins anew
LONGER = 1.5  # ... and how much longer each further try is

Floats = NDArray[np.float64]


@cache
def learned(pairs: bool) -> tuple[Floats, Floats]:
    """The weights of moves, and those of positions, for two sides or for everybody alone (`kernel_learn`)."""
    name = "pairs" if pairs else "alone"
    with as_file(files(__package__) / "kernel_weights.npz") as path, np.load(path) as arrays:
        return arrays[f"moves_{name}"], arrays[f"values_{name}"]


@cache
def taste(level: int, pairs: bool) -> Floats:
    """What a level that does not search makes of a move."""
    if level == 3:
        return 2 * learned(pairs)[0]
    weights = np.zeros((STAGES, FEATURES))
    weights[:, : len(PIECES)] = kernel.SIZE * (0.7 if level == 1 else 3.0)
    weights[:, CENTRAL] = 0.1 if level == 1 else 0.5
    return weights


class Trigonist(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        if level not in LEVELS:
            raise ValueError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {level}")
        self.level = level

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        choices = self.analyse(view, limit, rng).choices
        assert isinstance(view, State)
        if self.level in SIMULATIONS or view.solitaire:
            return choices[0]
        return rng.choices(choices, [choice.value + 1 for choice in choices])[0]

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        if view.solitaire:
            actions = [*view.legal()]
            rng.shuffle(actions)
            return _tile(view, actions, limit, rng) if self.level >= TILES else self._fill(actions)
        return self._search(view, limit, rng) if self.level in SIMULATIONS else self._glance(view)

    def _glance(self, state: State) -> Analysis:
        """Each move by how likely this level is to play it, from -1 to 1."""
        position = kernel.pack(state)
        moves = kernel.legal(position, state.turn).copy()
        found = logits(position, state.turn, _sides(state), moves, taste(self.level, state.options.pairs))
        chances = np.exp(found - found.max())
        order = np.argsort(-chances, kind="stable")
        return Analysis(tuple(Choice(_place(moves[at]), 2 * float(chances[at]) - 1) for at in order))

    def _search(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        tree = searched(state, limit, SIMULATIONS[self.level], rng)
        begin, end = int(tree.first[0]), int(tree.first[0] + tree.number[0])
        rows = sorted(range(begin, end), key=lambda row: (-tree.visits[row], -tree.prior[row]))
        choices: list[Choice] = []
        value = 1.0
        for row in rows:
            if tree.visits[row]:
                value = min(value, 2 * float(tree.worth[row] / tree.visits[row]) - 1)
            choices.append(Choice(_place(tree.move[row]), value, _line(tree, row)))
        return Analysis(tuple(choices), (fact("ENGINE", "searched", simulations=int(tree.visits[0])),))

    def _fill(self, actions: list[Action]) -> Analysis:
        """TR-12: place something, level 2 the largest piece; lift something only when nothing fits."""
        values = {
            action: -1.0 if isinstance(action, Lift) else _size(action) / 6 if self.level == 2 else 0.0
            for action in actions
        }
        order = sorted(actions, key=lambda action: -values[action])
        return Analysis(tuple(Choice(action, values[action]) for action in order))


def _sides(state: State) -> kernel.Numbers:
    """Which colours play together: those of a side have the same number."""
    return np.array([colour % 2 if state.options.pairs else colour for colour in range(len(COLOURS))])


def _place(move: int) -> Place:
    return Place(kernel.decode(int(move)))


def searched(state: State, limit: Limit, most: int | None, rng: Rng) -> Tree:
    """The tree of a search from a position, for a time or a number of simulations."""
    begun, done, chunk = time.monotonic(), 0, 1
    position, sides, (moves, values) = kernel.pack(state), _sides(state), learned(state.options.pairs)
    tree, room, random = planted(ROWS), table(position), kernel.seeded(rng.getrandbits(32))
    goal = min(filter(None, (limit.simulations, most)), default=None)
    while True:
        before = time.monotonic()
        if goal:
            chunk = min(chunk, goal - done)
        simulate(tree, position, state.turn, sides, moves, values, SETTINGS, PLAN, room, random, chunk)
        now, done = time.monotonic(), done + chunk
        part = done / goal if limit.simulations and goal else (now - begun) / limit.seconds
        limit.progress(min(1.0, part))
        if part >= 1 or done == goal or tree.number[0] == 1 or limit.stopped():
            return tree
        left = limit.seconds - (now - begun) if not limit.simulations else GLANCE
        chunk = max(1, int(min(GLANCE, left) * chunk / max(now - before, 1e-6)))


def _line(tree: Tree, row: int) -> tuple[Action, ...]:
    """A likely continuation from a move on: what was tried most."""
    line = [_place(tree.move[row])]
    while tree.number[row]:
        begin, end = int(tree.first[row]), int(tree.first[row] + tree.number[row])
        row = begin + int(np.argmax(tree.visits[begin:end]))
        if not tree.visits[row]:
            break
        line.append(_place(tree.move[row]))
    return tuple(line)


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
