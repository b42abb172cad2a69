"""Monte Carlo tree search for Trigon over flat arrays, compiled by Numba.

A tree is a few long arrays, a row a move that was looked at; the moves after one lie together. A
simulation follows the most promising moves, adds the moves after the last of them, and plays the rest
of the game with `kernel_playout`; what each side got is then noted along the way. Every side goes for
its own reward, so two sides, three, four and teams are all the same here.

What is tried first is told by weights of `kernel_features`, learned from games of the engine itself.
A move that did well for its colour anywhere later in a simulation counts a little as if it had been
played at once (RAVE): with hundreds of moves and few simulations there is no better guide.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.games.trigon.kernel import (
    FOR_ALL,
    FROM,
    IN_PLAY,
    KNOWN,
    LEFT,
    NUMBER,
    OUT,
    SEEN,
    SHIFT,
    SIZE,
    Numbers,
    Position,
    copied,
    copy,
    legal,
    put,
    score,
)
from tripot.games.trigon.kernel_features import friends_of, logit, stage
from tripot.games.trigon.kernel_playout import OVER, Heat, heat, note, play_on
from tripot.games.trigon.kernel_value import Glance, foretold, glance
from tripot.search.compiled import compiled

Floats = NDArray[np.float64]

DEEPEST: Final = 96  # moves: more than there are pieces
MOVES: Final = 160 << SHIFT  # more than the largest move
UNSEEN: Final = -1  # instead of the first move after one: not looked at yet

# The entries of `settings`.
EXPLORE, UNTRIED, RAVE, LEAST, WINNING, SCALE, AHEAD, UNTIL = range(8)
SETTINGS: Final = np.array([0.5, 3.0, 0.5, 2.0, 0.7, 25.0, 8.0, 40.0])
PLAN: Final = np.array([6.0, 3.0, 2.0, 3.0, 1.0])  # see `kernel_playout`


class Tree(NamedTuple):
    """Moves, the first row standing for the position itself.

    move      what is played here, and its `prior`: how likely the weights think it
    first     the row of the first move after it, and their `number`; UNSEEN until looked at
    colour    who is to move after it, or OVER, and `out`: who cannot move any more
    visits    how many simulations went through, and what its mover got in them: `worth`
    met       in how many simulations through the row before its mover played it at any time, and
              what he got in them: `hoped`
    size      a single number: how many rows there are
    """

    move: NDArray[np.int32]
    prior: NDArray[np.float32]
    first: NDArray[np.int32]
    number: NDArray[np.int32]
    colour: NDArray[np.int8]
    out: NDArray[np.int8]
    visits: NDArray[np.int32]
    worth: NDArray[np.float64]
    met: NDArray[np.float32]
    hoped: NDArray[np.float32]
    size: Numbers


def planted(rows: int) -> Tree:
    """An empty tree with room for so many rows."""
    tree = Tree(
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float64),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(1, np.int64),
    )
    tree.first[0] = UNSEEN
    return tree


class Table(NamedTuple):
    """Room to work in, one a thread.

    position  the board of the simulation, and `path`: the rows that it went through
    heat      where it was played lately
    played    by colour and move: the last simulation with it; `times` is how many there were
    logits    what the weights make of the moves of one position
    rewards   what each colour got, for the `scores` that it has or may expect by a `glance`
    """

    position: Position
    heat: Heat
    path: Numbers
    played: NDArray[np.int32]
    times: Numbers
    logits: Floats
    rewards: Floats
    scores: Floats
    glance: Glance


def table(position: Position) -> Table:
    """Room to work with a position."""
    return Table(
        copied(position),
        heat(),
        np.zeros(DEEPEST + 2, np.int64),
        np.zeros((4, MOVES), np.int32),
        np.zeros(1, np.int64),
        np.zeros(1 << 15, np.float64),
        np.zeros(4, np.float64),
        np.zeros(4, np.float64),
        glance(),
    )


@compiled
def rewards(
    scores: Floats, in_play: int, sides: Numbers, unsure: float, settings: Floats, got: Floats
) -> None:
    """What each colour's side gets for the scores of all colours, 0 to 1: for winning, and for the margin.

    Scores that are only foretold, and may be `unsure` by so much, share the win among the sides.
    """
    totals, there = np.zeros(4), np.zeros(4)
    for colour in range(4):
        if in_play >> colour & 1:
            totals[sides[colour]] += scores[colour]
            there[sides[colour]] = 1
    highest = -1e9
    for side in range(4):
        if there[side]:
            highest = max(highest, totals[side])
    shared = 0.0
    chances = np.zeros(4)
    for side in range(4):
        if there[side]:
            behind = highest - totals[side]
            chances[side] = np.exp(-behind / unsure) if unsure > 0 else 1.0 if behind == 0 else 0.0
            shared += chances[side]
    for side in range(4):
        if not there[side]:
            continue
        best = -1e9
        for other in range(4):
            if other != side and there[other]:
                best = max(best, totals[other])
        margin = 0.5 + 0.5 * np.tanh((totals[side] - best) / settings[SCALE])
        reward = settings[WINNING] * chances[side] / shared + (1 - settings[WINNING]) * margin
        for colour in range(4):
            if sides[colour] == side:
                got[colour] = reward


@compiled
def forget(position: Position) -> None:
    """Forget the lists of moves, so that copies are quick."""
    for colour in range(4):
        for index in range(position.tally[NUMBER, colour]):
            position.marks[position.attach[colour, index]] &= 0xFFFF ^ (SEEN << colour)
        position.tally[KNOWN, colour] = position.tally[FROM, colour] = 0


FADING: Final = 300.0  # visits after which hopes count half
LEAST_LOGIT: Final = 7.0  # how far below the best a move may be and still be looked at


@compiled
def _grow(
    tree: Tree, row: int, position: Position, turn: int, sides: Numbers, weights: Floats, table: Table
) -> bool:
    """Look at the moves after a row: who is to move, and what may be played. False if there is no room."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    colour, at = turn, tree.size[0]
    while out != FOR_ALL:
        if not out >> colour & 1:
            if len(legal(position, colour)):
                break
            out |= 1 << colour
        colour = (colour + 1) & 3
    tree.out[row] = position.rules[OUT] = out
    if out == FOR_ALL:
        tree.colour[row], tree.first[row], tree.number[row] = OVER, 0, 0
        return True
    moves = position.moves[colour, : position.tally[KNOWN, colour]]
    if at + len(moves) > len(tree.move):
        return False
    logits, best = table.logits, -1e9
    own = weights[stage(position, colour)]
    friends = friends_of(colour, sides)
    for index in range(len(moves)):
        logits[index] = logit(position, colour, friends, moves[index], own)
        best = max(best, logits[index])
    total, begin, least = 0.0, at, best - (100.0 if row == 0 else LEAST_LOGIT)
    for index in range(len(moves)):
        if logits[index] >= least:
            chance = np.exp(logits[index] - best)
            total += chance
            tree.move[at], tree.prior[at] = moves[index], chance
            tree.first[at], tree.number[at] = UNSEEN, 0
            tree.visits[at], tree.worth[at], tree.met[at], tree.hoped[at] = 0, 0.0, 0.0, 0.0
            at += 1
    for index in range(begin, at):
        tree.prior[index] /= total
    tree.colour[row], tree.first[row], tree.number[row] = colour, begin, at - begin
    tree.size[0] = at
    forget(position)
    return True


@compiled
def _best_child(tree: Tree, row: int, settings: Floats) -> int:
    """The move to follow: what it brought so far, what it was hoped to, and how little it was tried.

    Before it was tried a move counts as some visits with less than what is usual here, the less the
    unlikelier the weights think it.
    """
    begin, end = tree.first[row], tree.first[row] + tree.number[row]
    visits, worth, likeliest = 0, 0.0, 0.0
    for child in range(begin, end):
        visits += tree.visits[child]
        worth += tree.worth[child]
        likeliest = max(likeliest, tree.prior[child])
    usual = worth / visits if visits else 0.5
    spread, untried = settings[EXPLORE] * np.sqrt(visits + 1.0), settings[UNTRIED]
    best, chosen = -1e9, begin
    for child in range(begin, end):
        n, prior = tree.visits[child], tree.prior[child]
        rave = settings[RAVE] / (1.0 + n / FADING)
        value = tree.worth[child] + untried * usual * np.sqrt(prior / likeliest) + rave * tree.hoped[child]
        value /= n + untried + rave * tree.met[child]
        value += spread * prior / (1 + n)
        if value > best:
            best, chosen = value, child
    return int(chosen)


@compiled
def _hope(tree: Tree, row: int, table: Table, stamp: int) -> None:
    """Note for the moves after a row which were played in a simulation, at whatever time."""
    mover = tree.colour[row]
    for child in range(tree.first[row], tree.first[row] + tree.number[row]):
        if table.played[mover, tree.move[child]] == stamp:
            tree.met[child] += 1
            tree.hoped[child] += table.rewards[mover]


@compiled
def simulate(
    tree: Tree,
    start: Position,
    turn: int,
    sides: Numbers,
    weights: Floats,
    values: Floats,
    settings: Floats,
    plan: Floats,
    table: Table,
    random: NDArray[np.uint64],
    simulations: int,
) -> None:
    """Simulate some more from the start."""
    position, path, got, placed = table.position, table.path, table.rewards, 0
    for each in range(4):
        for piece in range(len(SIZE)):
            placed += not start.tally[LEFT, each] >> piece & 1
    if tree.size[0] == 0:
        tree.size[0] = 1
    for _ in range(simulations):
        copy(start, position)
        table.heat.seen[0] = 0
        table.times[0] += 1
        stamp = int(table.times[0])
        row, depth, colour = 0, 0, turn
        path[0] = 0
        while True:
            if tree.first[row] == UNSEEN:
                if tree.visits[row] < settings[LEAST] and row:
                    break
                if not _grow(tree, row, position, colour, sides, weights, table):
                    break
                if row:
                    break
            if tree.colour[row] == OVER:
                break
            position.rules[OUT] = tree.out[row]
            colour = tree.colour[row]
            row = _best_child(tree, row, settings)
            before = position.tally[NUMBER, colour]
            put(position, colour, tree.move[row])
            note(table.heat, position, colour, before)
            table.played[colour, tree.move[row]] = stamp
            depth += 1
            path[depth] = row
            colour = (colour + 1) & 3
        if tree.first[row] != UNSEEN:
            colour = max(0, tree.colour[row])
        ahead = max(int(settings[AHEAD]), int(settings[UNTIL]) - placed - depth)
        colour = play_on(position, colour, sides, plan, table.heat, table.played, stamp, ahead, random)
        unsure = 0.0
        if colour == OVER:
            for each in range(4):
                table.scores[each] = score(position, each)
        else:
            unsure = foretold(position, colour, values, table.glance, table.scores)
        rewards(table.scores, position.rules[IN_PLAY], sides, unsure, settings, got)
        tree.visits[0] += 1
        for step in range(depth):
            parent, child = path[step], path[step + 1]
            mover = tree.colour[parent]
            tree.visits[child] += 1
            tree.worth[child] += got[mover]
            _hope(tree, parent, table, stamp)
        if tree.first[row] > 0:
            _hope(tree, row, table, stamp)
