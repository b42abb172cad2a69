"""Monte Carlo tree search for Trigon over flat arrays, compiled by Numba.

A tree is a few long arrays, a row a move that was looked at; the moves after one lie together. A
simulation follows the most promising moves, adds the moves after the last of them, and plays on with
`kernel_playout`, to the end or for some moves, after which `kernel_value` tells what to expect; what each
side got is then noted along the way. Every side goes for its own reward, so two sides, three, four and
teams are all the same here.

What is tried first is told by weights of `kernel_features`, learned from games of the engine itself.
A move that did well for its colour anywhere later in a simulation counts a little as if it had been
played at once (RAVE): with hundreds of moves and few simulations there is no better guide.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tripot.engine.jit import lean
from tripot.games.trigon.kernel.compact_bits import Left, beside, can_play, go_back, moves_left, take
from tripot.games.trigon.kernel.features import (
    Ground,
    friends_of,
    ground,
    logit,
    placed,
    sift,
    stage,
    survey,
    weigh,
)
from tripot.games.trigon.kernel.placement_bits import ONE, WORD, no_places, start_places
from tripot.games.trigon.kernel.playout import LENGTH, LYING, OVER, Heat, heat, note, play_on, remember
from tripot.games.trigon.kernel.position import (
    ALL,
    FOR_ALL,
    IN_PLAY,
    LEFT,
    MOST_MOVES,
    OUT,
    SHIFT,
    Numbers,
    Position,
    copied,
    copy,
    nth,
    put,
    score,
)
from tripot.games.trigon.kernel.value import foretold

Floats = NDArray[np.float64]

DEEPEST: Final = 96  # moves: more than there are pieces
UNSEEN: Final = -1  # instead of the first move after one: not looked at yet
SIEVE: Final = 64  # words

# The entries of `settings`: how much unlikely moves are tried, as how many visits a guess counts, how much
# hopes count beside visits, after how many visits a move is looked into, which share of the reward is for
# winning, how many points make a margin, how far a playout goes, from how many pieces on to the end, how
# sharply the weights tell likely moves from unlikely ones, and how much the values count beside the weights
# for the moves of the position itself.
EXPLORE, UNTRIED, RAVE, LEAST, WINNING, SCALE, AHEAD, FINISH, SHARP, CLOSELY = range(10)
SETTINGS: Final = np.array([2.0, 10.0, 0.5, 2.0, 0.7, 25.0, 8.0, 16.0, 30.0, 0.7])
PLAN: Final = np.array([1, 3, 6, 3, 1])  # see `kernel_playout`

# The columns of `Tree.outlook`.
SEEN_ENDS, SEEN_WINS, SEEN_SCORES = 0, 1, 5


class Tree(NamedTuple):
    """Moves, the first row standing for the position itself.

    move      what is played here, and its `prior`: how likely the weights think it; `guess` is how much
              less than the best of the moves beside it they think it worth
    first     the row of the first move after it, and their `number`; UNSEEN until looked at
    colour    who is to move after it, or OVER, and `out`: who cannot move any more
    visits    how many simulations went through, and what its mover got in them: `worth`
    tries     how many simulations went on to the moves after it, and what their mover got: `brought`
    met       in how many simulations through the row before its mover played it at any time, and
              what he got in them: `hoped`
    size      by thread: its next free row, and where its room ends
    looked    a single number: the row after which moves were last looked at closely, see `_look_closely`
    outlook   of the moves after the first row alone, in their order: in SEEN_ENDS how many simulations
              began with it, from SEEN_WINS on the wins that each colour's side had in them or shared, and
              from SEEN_SCORES on its scores, all added up
    """

    move: NDArray[np.int32]
    prior: NDArray[np.float32]
    guess: NDArray[np.float32]
    first: NDArray[np.int32]
    number: NDArray[np.int32]
    colour: NDArray[np.int8]
    out: NDArray[np.int8]
    visits: NDArray[np.int32]
    worth: NDArray[np.float32]
    tries: NDArray[np.int32]
    brought: NDArray[np.float32]
    met: NDArray[np.float32]
    hoped: NDArray[np.float32]
    size: Numbers
    looked: Numbers
    outlook: Floats


def planted(rows: int, threads: int = 1) -> Tree:
    """An empty tree with room for so many rows, to be grown by so many threads."""
    tree = Tree(
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int8),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.int32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.zeros(rows, np.float32),
        np.array([[rows * each // threads, rows * (each + 1) // threads] for each in range(threads)]),
        np.zeros(1, np.int64),
        np.zeros((MOST_MOVES, SEEN_SCORES + 4), np.float64),
    )
    clear(tree)
    return tree


@lean
def clear(tree: Tree) -> None:
    """Forget all that was looked at."""
    for thread in range(len(tree.size)):
        tree.size[thread, 0] = tree.size[thread - 1, 1] if thread else 1
    tree.first[0], tree.number[0], tree.brought[0] = UNSEEN, 0, 0.0
    tree.visits[0] = tree.tries[0] = 0
    tree.looked[0] = UNSEEN


class Table(NamedTuple):
    """Room to work in, one a thread.

    position  the board of the simulation, the places `left` on it, and `path`: the rows that it went
              through; `after` one move more
    heat      where it was played lately
    sieve     by colour: a few bits of the moves of a simulation, so that most others are known at a glance;
              `when` the last one with those bits was played
    logits    what the weights make of the moves of one position, and `values` what the tree makes of them
    rewards   what each colour got, for the `scores` that it has or may expect at a glance
    won       the win of each colour's side, or its share
    """

    position: Position
    left: Left
    after: Position
    heat: Heat
    path: Numbers
    sieve: NDArray[np.uint64]
    when: NDArray[np.int8]
    moves: NDArray[np.int32]
    logits: Floats
    values: NDArray[np.float32]
    rewards: Floats
    won: Floats
    scores: Floats
    ground: Ground


def table(position: Position, left: Left) -> Table:
    """Room to work with a position, and what is left in it."""
    return Table(
        copied(position),
        Left(no_places(), beside(left.few)),
        copied(position),
        heat(),
        np.zeros(DEEPEST + 2, np.int64),
        np.zeros((4, SIEVE), np.uint64),
        np.zeros((4, SIEVE * WORD), np.int8),
        np.zeros(MOST_MOVES, np.int32),
        np.zeros(MOST_MOVES, np.float64),
        np.zeros(MOST_MOVES, np.float32),
        np.zeros(4, np.float64),
        np.zeros(4, np.float64),
        np.zeros(4, np.float64),
        ground(),
    )


@lean
def rewards(
    scores: Floats, in_play: int, sides: Numbers, unsure: float, settings: Floats, got: Floats, won: Floats
) -> None:
    """What each colour's side gets for the scores of all colours, 0 to 1: for winning, and for the margin.

    Scores that are only foretold, and may be `unsure` by so much, share the win among the sides: `won`.
    """
    highest, leader = -1e9, 0
    for colour in range(4):
        if in_play >> colour & 1:
            total = 0.0
            for mate in range(4):
                if in_play >> mate & 1 and sides[mate] == sides[colour]:
                    total += scores[mate]
            got[colour] = total  # for now
            if total > highest:
                highest, leader = total, sides[colour]
    second, shared, counted = -1e9, 0.0, 0
    for colour in range(4):
        if in_play >> colour & 1:
            behind, side = highest - got[colour], sides[colour]
            if side != leader:
                second = max(second, got[colour])
            won[colour] = np.exp(-behind / unsure) if unsure > 0 else 1.0 if behind == 0 else 0.0
            if not counted >> side & 1:
                shared += won[colour]
            counted |= 1 << side
    for colour in range(4):
        if in_play >> colour & 1:
            ahead = got[colour] - (second if sides[colour] == leader else highest)
            margin = 0.5 + 0.5 * np.tanh(ahead / settings[SCALE])
            won[colour] /= shared
            got[colour] = settings[WINNING] * won[colour] + (1 - settings[WINNING]) * margin


FADING: Final = 3000.0  # visits after which hopes count half
LEAST_LOGIT: Final = 0.3  # how far below the best a move may be and still be looked at


@lean
def to_move(position: Position, left: Left, turn: int) -> int:
    """The colour that moves next, from `turn` on, or OVER; who cannot is out from now on."""
    out = position.rules[OUT] | (FOR_ALL & ~position.rules[IN_PLAY])
    while out != FOR_ALL:
        if not out >> turn & 1:
            if position.tally[LEFT, turn] == ALL:
                start_places(position, left.places, turn)
            if can_play(position, left, turn):
                break
            out |= 1 << turn
        turn = (turn + 1) & 3
    position.rules[OUT] = out
    return turn if out != FOR_ALL else OVER


@lean
def _grow(
    tree: Tree,
    thread: int,
    row: int,
    position: Position,
    left: Left,
    turn: int,
    sides: Numbers,
    weights: Floats,
    settings: Floats,
    table: Table,
) -> bool:
    """Look at the moves after a row: who is to move, and what may be played. False if there is no room."""
    colour, at = to_move(position, left, turn), tree.size[thread, 0]
    tree.out[row] = position.rules[OUT]
    if colour == OVER:
        tree.colour[row], tree.number[row] = OVER, 0
        tree.first[row] = 0
        return True
    moves = table.moves[: moves_left(position, left, colour, table.moves)]
    moves = moves[: sift(position, colour, moves, moves)]
    if at + len(moves) > tree.size[thread, 1]:
        return False
    logits, best = table.logits, -1e9
    own = weights[stage(position, colour)]
    friends = friends_of(colour, sides)
    survey(position, colour, friends, table.ground)
    weigh(position, colour, friends, own, table.ground)
    for index in range(len(moves)):
        logits[index] = logit(position, friends, moves[index], own, table.ground)
        best = max(best, logits[index])
    total, begin, least = 0.0, at, best - LEAST_LOGIT
    for index in range(len(moves)):
        if logits[index] >= least:
            chance = np.exp(settings[SHARP] * (logits[index] - best))
            total += chance
            tree.move[at], tree.prior[at], tree.guess[at] = moves[index], chance, logits[index] - best
            tree.first[at], tree.number[at] = UNSEEN, 0
            tree.visits[at], tree.worth[at], tree.met[at], tree.hoped[at] = 0, 0.0, 0.0, 0.0
            tree.tries[at], tree.brought[at] = 0, 0.0
            at += 1
    for index in range(begin, at):
        tree.prior[index] /= total
    tree.colour[row], tree.number[row] = colour, at - begin
    tree.size[thread, 0] = at
    tree.first[row] = begin  # last of all: other threads take it for a sign that the rest is there
    return True


@lean
def _look_closely(
    tree: Tree,
    row: int,
    position: Position,
    sides: Numbers,
    values: NDArray[np.float32],
    settings: Floats,
    table: Table,
) -> None:
    """Guess anew what the moves after a row are worth: by the values of what they lead to."""
    tree.looked[0] = row
    colour, begin, end = int(tree.colour[row]), tree.first[row], tree.first[row] + tree.number[row]
    best, total, sure = -1e9, 0.0, settings[CLOSELY]
    for child in range(begin, end):
        copy(position, table.after)
        put(table.after, colour, tree.move[child])
        unsure = foretold(table.after, (colour + 1) & 3, values, table.ground, table.scores)
        rewards(table.scores, position.rules[IN_PLAY], sides, unsure, settings, table.rewards, table.won)
        tree.guess[child] = sure * table.rewards[colour] + (1 - sure) * tree.guess[child]
        best = max(best, tree.guess[child])
    for child in range(begin, end):
        tree.guess[child] -= best
        tree.prior[child] = np.exp(settings[SHARP] * tree.guess[child])
        total += tree.prior[child]
    for child in range(begin, end):
        tree.prior[child] /= total


@lean
def _best_child(tree: Tree, row: int, settings: Floats, values: NDArray[np.float32]) -> int:
    """The move to follow: what it brought so far, what it was hoped to, and how little it was tried.

    From the beginning a move counts as some visits with what is usual here, less what the weights hold
    against it.
    """
    begin, number, tries = tree.first[row], tree.number[row], tree.tries[row]
    usual = np.float32(tree.brought[row] / tries if tries else 0.5)
    spread = np.float32(settings[EXPLORE] * np.sqrt(tries + 1.0))
    untried, hope, fading = np.float32(settings[UNTRIED]), np.float32(settings[RAVE]), np.float32(FADING)
    one = np.float32(1)
    visits, priors = tree.visits[begin : begin + number], tree.prior[begin : begin + number]
    worths, guesses = tree.worth[begin : begin + number], tree.guess[begin : begin + number]
    mets, hopeds = tree.met[begin : begin + number], tree.hoped[begin : begin + number]
    for index in range(number):
        n = np.float32(visits[index])
        rave = hope * fading / (fading + n)
        value = worths[index] + untried * (usual + guesses[index]) + rave * hopeds[index]
        values[index] = value / (n + untried + rave * mets[index]) + spread * priors[index] / (one + n)
    bits, best, chosen = values.view(np.int32), np.int32(0), nth(0)
    for index in range(number):
        best = max(best, bits[index])  # in the order of the numbers themselves: the best is never negative
    while bits[chosen] != best:
        chosen += nth(1)
    return int(begin + np.int64(chosen))


@lean
def _sieved(move: int) -> int:
    """Which bit stands for a move."""
    return (move ^ move >> SHIFT) & (SIEVE * WORD - 1)


@lean
def _gather(heat: Heat, table: Table) -> None:
    """Note which moves were played in a simulation, by whom and when."""
    for colour in range(4):
        for word in range(SIEVE):
            table.sieve[colour, word] = 0
    for at in range(heat.length[LYING], heat.length[LENGTH]):
        colour, bit = heat.who[at], nth(_sieved(heat.line[at]))
        table.sieve[colour, bit >> nth(6)] |= ONE << (bit & nth(WORD - 1))
        table.when[colour, bit] = at


@lean
def _hope(tree: Tree, row: int, depth: int, table: Table) -> None:
    """Note for the moves after a row which were played in a simulation later on; the sooner, the more."""
    mover, heat = tree.colour[row], table.heat
    sieve, got = table.sieve[mover], table.rewards[mover]
    depth += heat.length[LYING]
    span = 1.0 / (heat.length[LENGTH] - depth + 1)
    for child in range(tree.first[row], tree.first[row] + tree.number[row]):
        move = tree.move[nth(child)]
        bit = nth(_sieved(move))
        if sieve[bit >> nth(6)] >> (bit & nth(WORD - 1)) & ONE:
            when = table.when[mover, bit]
            if depth <= when and heat.line[when] == move:
                weight = 1.0 - (when - depth) * span
                tree.met[child] += weight
                tree.hoped[child] += weight * got


@lean
def _witness(tree: Tree, index: int, table: Table) -> None:
    """Note for a move of the position itself how a simulation with it ended."""
    seen = tree.outlook[index]
    seen[SEEN_ENDS] += 1
    for colour in range(4):
        seen[SEEN_WINS + colour] += table.won[colour]
        seen[SEEN_SCORES + colour] += table.scores[colour]


@lean
def simulate(
    tree: Tree,
    root: int,
    thread: int,
    start: Position,
    known: Left,
    turn: int,
    sides: Numbers,
    weights: Floats,
    values: NDArray[np.float32],
    settings: Floats,
    plan: Numbers,
    table: Table,
    random: NDArray[np.uint64],
    simulations: int,
) -> None:
    """Simulate some more from the start, which is a row of the tree.

    Several threads may do so at once. A visit counts from the moment on when a row is chosen, so they go
    different ways; now and then they lose a count to each other, which does no harm.
    """
    position, left, path, got, lying = table.position, table.left, table.path, table.rewards, 0
    for each in range(4):
        lying += placed(start, each)
    for _ in range(simulations):
        copy(start, position)
        go_back(start, known, left)
        table.heat.length[LENGTH] = table.heat.length[LYING]
        row, depth, colour = root, 0, turn
        path[0] = root
        while True:
            if tree.first[row] == UNSEEN:
                if tree.visits[row] <= settings[LEAST] and row != root:
                    break
                if not _grow(tree, thread, row, position, left, colour, sides, weights, settings, table):
                    break
                if row != root:
                    break
            if tree.colour[row] == OVER:
                break
            position.rules[OUT] = tree.out[row]
            colour = int(tree.colour[row])
            if row == root and tree.looked[0] != row:
                _look_closely(tree, row, position, sides, values, settings, table)
            tree.tries[row] += 1
            row = _best_child(tree, row, settings, table.values)
            tree.visits[row] += 1
            take(position, left, colour, tree.move[row])
            note(table.heat, colour, tree.move[row])
            depth += 1
            path[depth] = row
            colour = (colour + 1) & 3
        if tree.first[row] != UNSEEN:
            colour = max(0, int(tree.colour[row]))
        ahead = int(settings[AHEAD]) if lying + depth < settings[FINISH] else 4 * DEEPEST
        colour = play_on(position, left, colour, sides, plan, table.heat, ahead, random)
        unsure = 0.0
        if colour == OVER:
            for each in range(4):
                table.scores[each] = score(position, each)
        else:
            unsure = foretold(position, colour, values, table.ground, table.scores)
        rewards(table.scores, position.rules[IN_PLAY], sides, unsure, settings, got, table.won)
        if depth:
            _witness(tree, path[1] - tree.first[root], table)
        remember(table.heat, got)
        _gather(table.heat, table)
        tree.visits[root] += 1
        for step in range(depth):
            parent, child = path[step], path[step + 1]
            mover = tree.colour[parent]
            tree.worth[child] += got[mover]
            tree.brought[parent] += got[mover]
            _hope(tree, parent, step, table)
        if tree.first[row] > 0:
            _hope(tree, row, depth, table)
