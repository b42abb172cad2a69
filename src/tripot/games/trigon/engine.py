"""The computer players of Trigon.

    level 1     a beginner: where he likes, and rather a large piece than a small one
    level 2     somebody who knows that large pieces go first, and the middle is good
    level 3     draws among what looks good at a glance: what blocks, what opens (see `kernel_features`)
    level 4     plays what looks best at a glance, or nearly so
    level 5     looks at what each move leads to (see `kernel_value`), and draws among the best
    level 6-9   a tree search (see `kernel_search`) of ever more simulations; level 9 takes all its time;
                from level 7 on the last moves exactly (see `kernel_ending`)

A figure is tiled from level 3 on with an exact search (see `kernel_figures`). The lower levels place pieces
until none fits, and lift one then.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files
from random import Random

import numpy as np
from numpy.typing import NDArray

from tripot.game import Analysis, AnyState, Choice, Engine, Limit, Outlook, Reached, Rng, fact
from tripot.games.trigon.actions import Action, Lift, Options, Place
from tripot.games.trigon.board import BOARD, COLOURS, NAMES, PIECES, members
from tripot.games.trigon.kernel.compact_bits import Left, no_few, read_left
from tripot.games.trigon.kernel.endgame import SCORES, UNSETTLED, WON, settle, stack
from tripot.games.trigon.kernel.features import (
    COVER,
    FAR,
    FEATURES,
    GRADES,
    MIDDLE,
    STAGES,
    ground,
    logits,
    narrow,
    walk,
)
from tripot.games.trigon.kernel.placement_bits import no_places
from tripot.games.trigon.kernel.playout import recall, unlearn
from tripot.games.trigon.kernel.position import (
    HELD,
    IN_PLAY,
    KNOWN,
    MARGIN,
    SIZE,
    Numbers,
    copied,
    decode,
    encode,
    legal,
    pack,
    put,
    score,
    seeded,
)
from tripot.games.trigon.kernel.search import (
    EXPLORE,
    PLAN,
    SEEN_ENDS,
    SEEN_SCORES,
    SEEN_WINS,
    SETTINGS,
    Tree,
    clear,
    planted,
    rewards,
    simulate,
    table,
)
from tripot.games.trigon.kernel.tiling import tile
from tripot.games.trigon.kernel.value import Table, foretold
from tripot.games.trigon.rules import SINGLE_LAST, State, colour_of, start

LEVELS = range(1, 10)
TILES = 3  # the first level that tiles figures exactly
SIMULATIONS = {5: 1, 6: 60, 7: 400, 8: 2000, 9: None}
# What levels 1 and 2 make of a triangle more, and of a step outwards.
LARGE, OUTWARDS = {1: 0.7, 2: 1.8}, {1: 0.02, 2: 0.08}
# How sharply the others that draw their moves tell a good one from a bad one.
SHARPNESS = {3: 80.0, 4: 300.0, 5: 90.0}
ROWS = 12_000_000  # of the tree: 550 MB once it is full, after some 9 s in openings
HELPING = 16  # simulations of a helping thread between two looks at whether it is over
GLANCE = 0.005  # seconds of simulations between two looks at the clock
EXACT = 7  # the first level that plays the end exactly
FEW = 60  # moves of all colours together: with more the end is not tried
ENDING = 30_000  # positions, then the end is too far away after all
SETTLING = 60_000  # ... and at most so many for each second of thought: trying must not take all of it
NEWS = 0.5  # seconds between two words about the best move so far
# By the pieces of the colour that lie: how much of an average move's time the next one gets.
SPREAD = (*[1.4] * 10, 1.2, 0.8, 0.5, 0.4, *[0.3] * 9)
AT_LEAST = 0.25  # of its time is spent on a move, even where it saves time
LATELY = 3  # moves before a position that the search knows of, if it saw them
LUCK = 5  # simulations: what fewer of them saw of a move's end is luck

Floats = NDArray[np.float64]

# Where everybody plays alone, wins are rarer and rewards smaller, and so is what trying the unlikely adds.
ALONE = SETTINGS.copy()
ALONE[EXPLORE] = 1.0


@cache
def learned(pairs: bool) -> tuple[Floats, Table]:
    """The weights of moves, and those of positions, for two sides or for everybody alone (`kernel/train.py`)."""
    name = "pairs" if pairs else "alone"
    with as_file(files(__package__) / "kernel" / "weights.npz") as path, np.load(path) as arrays:
        return arrays[f"moves_{name}"].astype(np.float64), arrays[f"values_{name}"]


@cache
def taste(level: int, pairs: bool) -> Floats:
    """What a level that does not search makes of a move."""
    if level in SHARPNESS:
        return SHARPNESS[level] * learned(pairs)[0]
    weights = np.zeros((STAGES, FEATURES))
    weights[:, : len(PIECES)] = SIZE * LARGE[level]
    weights[:, COVER + MIDDLE * GRADES : COVER + (MIDDLE + 1) * GRADES] = -OUTWARDS[level] * np.arange(GRADES)
    return weights


class Trigonist(Engine):
    """A computer player of one level. It keeps its tree from move to move, so there is one for each game."""

    threads: int

    def __init__(self, level: int) -> None:
        if level not in LEVELS:
            raise ValueError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {level}")
        self.level, self.threads = level, 1
        self._memory: Search | None = None

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        assert isinstance(view, State)
        if self.level in SIMULATIONS and not view.solitaire:
            found = self._search(view, limit, rng)
            if isinstance(found, Analysis):
                return found.choices[0]
            return found.drawn(SHARPNESS[self.level], rng) if self.level in SHARPNESS else found.best()
        choices = self._ranked(view, limit, rng).choices
        if view.solitaire:
            return choices[0]
        return rng.choices(choices, [choice.value + 1 for choice in choices])[0]

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        return replace(self._ranked(view, limit, rng), reach=reach(view))

    def _ranked(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        if state.solitaire:
            actions = [*state.legal()]
            rng.shuffle(actions)
            return tile(state, actions, limit, rng) if self.level >= TILES else self._fill(actions)
        if self.level not in SIMULATIONS:
            return self._glance(state)
        found = self._search(state, limit, rng)
        return found if isinstance(found, Analysis) else found.ranked()

    def _glance(self, state: State) -> Analysis:
        """Each move by how likely this level is to play it, from -1 to 1."""
        position = pack(state)
        moves = legal(position, state.turn).copy()
        weights = taste(self.level, state.options.pairs)
        found = logits(position, state.turn, _sides(state), moves, weights, ground())
        chances = np.exp(found - found.max())
        order = np.argsort(-chances, kind="stable")
        return Analysis(tuple(Choice(_place(moves[at]), 2 * float(chances[at]) - 1) for at in order))

    def _search(self, state: State, limit: Limit, rng: Rng) -> Analysis | Search:
        """An end that is settled exactly, or what a search found."""
        load()
        begun, saving, limit = time.monotonic(), limit.mean, spread(state, limit)
        if self.level >= EXACT and (exactly := settled(state, limit)):
            return exactly
        if self._memory is None or self._memory.threads != self.threads:
            self._memory = Search(self.threads)
        self._memory.turn_to(state)
        self._memory.run(limit, SIMULATIONS[self.level], rng, begun, saving)
        return self._memory

    def _fill(self, actions: list[Action]) -> Analysis:
        """TR-12: place something, level 2 the largest piece; lift something only when nothing fits."""
        values = {
            action: -1.0 if isinstance(action, Lift) else _size(action) / 6 if self.level == 2 else 0.0
            for action in actions
        }
        order = sorted(actions, key=lambda action: -values[action])
        return Analysis(tuple(Choice(action, values[action]) for action in order))


@cache
def load() -> None:
    """Have all compiled code at hand before a clock runs: that takes a second, once.

    It was part of the first thought, so that a short one came to nothing.
    """
    state, search = start(Options.read("players=2 start=free")), Search()
    search.turn_to(state)
    search.run(Limit(simulations=1), None, Random(0))
    _results(state, 1)


def _sides(state: State) -> Numbers:
    """Which colours play together: those of a side have the same number."""
    return np.array([colour % 2 if state.options.pairs else colour for colour in range(len(COLOURS))])


def spread(state: State, limit: Limit) -> Limit:
    """A limit for this move, where it is one for the average of a game: openings are worth most."""
    if not limit.mean:
        return limit
    lying = len(PIECES) - len(state.held(state.turn))
    return replace(limit, seconds=SPREAD[lying] * limit.seconds, mean=False)


def _place(move: int) -> Place:
    return Place(decode(int(move)))


class Search:
    """A tree and the position it is about. While a game goes on in it, it is kept from move to move."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.done = 0  # simulations, since it turned to this position
        self.state: State | None = None
        self.lately = list[tuple[int, int]]()  # the last moves of the game, with their colours

    def turn_to(self, state: State) -> None:
        """Search this position from now on, with what is known of it already."""
        if self.state is None:
            self.tree = planted(ROWS, self.threads)
            self.left = Left(no_places(), no_few())
            self.rooms = [table(pack(state), self.left) for _ in range(self.threads)]
        since = self._since(state)
        root = None if since is None else self._known(since)
        self.lately = [] if since is None else [*self.lately, *since][-LATELY:]
        self.state, self.position = state, pack(state, [move for _, move in self.lately])
        self.position.tally[HELD] = 0  # the search has no use for leaves
        read_left(self.position, self.left)
        for room in self.rooms:
            if since is None:
                unlearn(room.heat)
            recall(room.heat, self.lately)
            narrow(self.position, room.ground)
        if root is None:
            root = 0
            clear(self.tree)
        self.tree.outlook[:] = 0.0
        self.root, self.done = root, 0

    def _since(self, state: State) -> list[tuple[int, int]] | None:
        """What was played since the last position, each colour once at most; None if this is another game."""
        if self.state is None or state.options != self.state.options:
            return None
        before, now = self.state.pieces_on, state.pieces_on
        placed = {colour_of(code): encode(now[code]) for code in now if code not in before}
        if not placed or len(now) != len(before) + len(placed) or not before.items() <= now.items():
            return None
        order = [(self.state.turn + step) % len(COLOURS) for step in range(len(COLOURS))]
        return [(colour, placed[colour]) for colour in order if colour in placed]

    def _known(self, since: list[tuple[int, int]]) -> int | None:
        """The row that some moves lead to, if the tree has it and has room to grow."""
        tree, row = self.tree, self.root
        for colour, move in since:
            begin, end = int(tree.first[row]), int(tree.first[row] + tree.number[row])
            at = np.flatnonzero(tree.move[begin:end] == move)
            if tree.colour[row] != colour or not len(at):
                return None
            row = begin + int(at[0])
        left = tree.size[:, 1] - tree.size[:, 0]
        return row if (left > ROWS // self.threads // 2).all() else None

    @property
    def moves(self) -> range:
        """The rows of the position's moves."""
        begin = int(self.tree.first[self.root])
        return range(begin, begin + int(self.tree.number[self.root]))

    def run(
        self, limit: Limit, most: int | None, rng: Rng, begun: float | None = None, saving: bool = False
    ) -> int:
        """Search for a time, which may have begun before, or a number of simulations; how many there were.

        With `saving`, not longer than until no other move can be tried as often any more in that time.
        """
        begun, chunk = time.monotonic() if begun is None else begun, 1
        told, goal = begun, min(filter(None, (limit.simulations, most)), default=None)
        randoms = [seeded(rng.getrandbits(32)) for _ in range(self.threads)]
        done, ended = [0] * self.threads, threading.Event()
        self._simulate(0, randoms[0], 1)  # so that all threads find the first moves there
        done[0] = 1

        def help_along(thread: int) -> None:
            while not ended.is_set():
                self._simulate(thread, randoms[thread], HELPING)
                done[thread] += HELPING

        helpers = [threading.Thread(target=help_along, args=(each,)) for each in range(1, self.threads)]
        for helper in helpers:
            helper.start()
        try:
            while True:
                now, total = time.monotonic(), sum(done)
                part = total / goal if limit.simulations and goal else (now - begun) / limit.seconds
                limit.progress(min(1.0, part))
                if part >= 1 or (goal and total >= goal) or len(self.moves) == 1 or limit.stopped():
                    return total
                if saving and part > AT_LEAST and self.lead() > total / part - total:
                    return total
                if now - told >= NEWS:
                    told = now
                    limit.found(self.best())
                if goal:
                    chunk = min(chunk, goal - total)
                self._simulate(0, randoms[0], chunk)
                done[0] += chunk
                took = max(time.monotonic() - now, 1e-6)
                left = GLANCE if limit.simulations else limit.seconds - (time.monotonic() - begun)
                chunk = max(1, int(min(GLANCE, left) * chunk / took))
        finally:
            ended.set()
            for helper in helpers:
                helper.join()
            self.done += sum(done)

    def _simulate(self, thread: int, random: NDArray[np.uint64], number: int) -> None:
        assert self.state is not None
        pairs = self.state.options.pairs
        moves, values = learned(pairs)
        simulate(
            self.tree,
            self.root,
            thread,
            self.position,
            self.left,
            self.state.turn,
            _sides(self.state),
            moves,
            values,
            SETTINGS if pairs else ALONE,
            PLAN,
            self.rooms[thread],
            random,
            number,
        )

    def ranked(self) -> Analysis:
        """All moves, those that were tried most first."""
        assert self.state is not None
        choices, value, tree = list[Choice](), 1.0, self.tree
        for row in sorted(self.moves, key=lambda row: (-tree.visits[row], -tree.prior[row])):
            choice = self.choice(row)
            value = min(value, choice.value)
            if choices and tree.visits[row] < LUCK:
                choice = replace(choice, outlook=None)
            choices.append(replace(choice, value=value))
        considered = {choice.action for choice in choices}
        choices += [Choice(action, -1.0) for action in self.state.legal() if action not in considered]
        return Analysis(tuple(choices), (fact("ENGINE", "searched", simulations=self.done),))

    def lead(self) -> int:
        """How many times more than any other the move was tried that was tried most."""
        second, first = np.partition(self.tree.visits[self.moves.start : self.moves.stop], -2)[-2:]
        return int(first - second)

    def best(self) -> Choice:
        """The move that was tried most so far."""
        visits = self.tree.visits
        return self.choice(max(self.moves, key=lambda row: int(visits[row])))

    def drawn(self, sharpness: float, rng: Rng) -> Choice:
        """One of the moves that are guessed to be good, by what they lead to."""
        guesses = self.tree.guess[self.moves.start : self.moves.stop].astype(float)
        move = int(self.tree.move[rng.choices(self.moves, np.exp(sharpness * guesses).tolist())[0]])
        outlook = self._glance(move)
        return Choice(_place(move), 2 * outlook.wins - 1, (_place(move),), outlook=outlook)

    def choice(self, row: int) -> Choice:
        """A move that was tried, with what came of it."""
        return Choice(
            _place(self.tree.move[row]),
            _value(self.tree, row),
            _line(self.tree, row),
            outlook=self._outlook(row),
        )

    def _outlook(self, row: int) -> Outlook | None:
        """How the simulations ended that began with a move; at a glance if all were of positions before."""
        assert self.state is not None
        if not self.tree.visits[row]:
            return None
        seen = self.tree.outlook[row - self.tree.first[self.root]]
        if not seen[SEEN_ENDS]:
            return self._glance(int(self.tree.move[row]))
        means = seen / seen[SEEN_ENDS]
        return _outlook(self.state, means[SEEN_WINS:SEEN_SCORES], means[SEEN_SCORES:])

    def _glance(self, move: int) -> Outlook:
        """What the values foretell after a move."""
        assert self.state is not None
        after, room, turn = copied(self.position), self.rooms[0], self.state.turn
        put(after, turn, move)
        values = learned(self.state.options.pairs)[1]
        unsure = foretold(after, (turn + 1) % len(COLOURS), values, room.ground, room.scores)
        now = [score(after, colour) for colour in range(len(COLOURS))]
        room.scores[:] = np.clip(room.scores, now, SINGLE_LAST)  # no colour ends with less than it has now
        in_play = int(after.rules[IN_PLAY])
        rewards(room.scores, in_play, _sides(self.state), unsure, SETTINGS, room.rewards, room.won)
        return _outlook(self.state, room.won, room.scores)


def _outlook(state: State, wins: Floats, scores: Floats) -> Outlook:
    """What the seat to act may expect, from the wins and the scores of the colours."""
    seats = [0.0] * state.options.players
    for colour in state.in_play:
        seats[state.seat_of(colour)] += float(scores[colour])
    return Outlook(float(wins[state.turn]), tuple(seats))


def settled(state: State, limit: Limit) -> Analysis | None:
    """The end of a game exactly, once few moves are left and there is time for it; None before."""
    position, most = pack(state), ENDING
    if not limit.simulations:
        most = min(most, int(SETTLING * limit.seconds))
    left = sum(len(legal(position, colour)) for colour in state.in_play)
    if left > FEW or not (results := _results(state, most)):
        return None
    order = sorted(results, key=lambda action: -results[action][state.turn])
    choices = []
    for action in order:
        result = results[action]
        outlook = _outlook(state, result[WON:SCORES], result[SCORES:])
        choices.append(Choice(action, 2 * float(result[state.turn]) - 1, (action,), outlook=outlook))
    line, after = [order[0]], state.apply(order[0])
    while after.to_act is not None:
        further = _results(after, ENDING)
        line.append(max(further, key=lambda action: further[action][after.turn]))
        after = after.apply(line[-1])
    choices[0] = replace(choices[0], line=tuple(line))
    return Analysis(tuple(choices), (fact("ENGINE", "settled"),))


def _results(state: State, most: int) -> dict[Place, Floats]:
    """What each move leads to if all play their best; nothing if that takes too long to find out."""
    position = pack(state)
    room = stack(position)
    if settle(position, state.turn, _sides(state), SETTINGS, most, room) == UNSETTLED:
        return {}
    moves = room.ahead.moves[0, state.turn, : room.ahead.tally[0, KNOWN, state.turn]]
    return {_place(move): room.found[index] for index, move in enumerate(moves)}


def _value(tree: Tree, row: int) -> float:
    """What a move brought its mover, from -1 to 1; 1 if it was not tried, so that it is not above others."""
    return 2 * float(tree.worth[row] / tree.visits[row]) - 1 if tree.visits[row] else 1.0


def reach(state: State) -> tuple[Reached, ...]:
    """How many triangles each colour is from the free ones that it can come to; in a figure nothing."""
    if state.solitaire or state.lot_due:
        return ()
    room, steps, position = ground(), dict[str, dict[str, int]](), pack(state)
    free = [*members(BOARD & ~state.occupied)]
    for colour in state.in_play:
        walk(position, colour, room)
        far = room.steps[colour, MARGIN:]
        steps[COLOURS[colour]] = {NAMES[cell]: int(far[cell]) for cell in free if far[cell] < FAR}
    return tuple(Reached(name, near) for name, near in steps.items())


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
