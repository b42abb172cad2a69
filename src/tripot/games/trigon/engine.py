"""The computer players of Trigon.

    level 1     a beginner: where he likes, and rather a large piece than a small one
    level 2     somebody who knows that large pieces go first, and the middle is good
    level 3     draws among what looks good at a glance: what blocks, what opens (see `features`)
    level 4     plays what looks best at a glance, or nearly so
    level 5     looks at what each move leads to (see `value`), and draws among the best
    level 6-9   a tree search (see `search`) of ever more simulations; level 9 takes all its time;
                from level 7 on the last moves exactly (see `endgame`)

A figure is tiled from level 3 on with an exact search (see `tiling`). The lower levels place pieces
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

from tripot.game import Analysis, AnyState, Candidate, DistanceMap, Engine, ExpectedOutcome, Limit, Rng, fact
from tripot.games.trigon.actions import Action, Lift, Place
from tripot.games.trigon.board import BOARD, CELL_NAMES, COLOURS, PIECE_NAMES, cells_of, colour_of
from tripot.games.trigon.kernel.compact_bits import AvailableMoves, init_available_moves, new_compact_bits
from tripot.games.trigon.kernel.endgame import (
    SCORE_OFFSET,
    UNSOLVED,
    WIN_OFFSET,
    new_endgame_stack,
    solve_endgame,
)
from tripot.games.trigon.kernel.features import (
    BUCKETS,
    CENTRE,
    COVER_COLUMN,
    FEATURE_COUNT,
    STAGE_COUNT,
    UNREACHABLE,
    compute_distances,
    move_logits,
    new_cell_workspace,
    restrict_to_open_cells,
)
from tripot.games.trigon.kernel.placement_bits import new_placement_bits
from tripot.games.trigon.kernel.playout import clear_replies, set_history
from tripot.games.trigon.kernel.position import (
    IN_PLAY,
    LEAF_COUNT,
    MARGIN,
    MOVE_COUNT,
    SIZE_OF_PIECE,
    Int64Array,
    clone,
    decode_move,
    encode_move,
    final_score,
    from_state,
    legal_moves,
    new_xorshift64,
    place_piece,
)
from tripot.games.trigon.kernel.search import (
    PLAYOUT_PARAMS,
    SEARCH_PARAMS,
    STATS_COUNT,
    STATS_SCORES,
    STATS_WINS,
    Tree,
    compute_rewards,
    exploration,
    new_tree,
    new_workspace,
    reset_tree,
    run_simulations,
)
from tripot.games.trigon.kernel.tiling import analyse_figure
from tripot.games.trigon.kernel.value import ValueTable, predict_scores
from tripot.games.trigon.options import Options
from tripot.games.trigon.rules import SINGLE_LAST_SCORE, State, initial_state

LEVELS = range(1, 10)
FIRST_TILING_LEVEL = 3  # the first level that tiles figures exactly
SIMULATIONS = {5: 1, 6: 60, 7: 400, 8: 2000, 9: None}
# What levels 1 and 2 make of a triangle more, and of a step outwards.
SIZE_PREFERENCE, CENTRE_PREFERENCE = {1: 0.7, 2: 1.8}, {1: 0.02, 2: 0.08}
# How sharply the others that draw their moves tell a good one from a bad one.
SAMPLING_SHARPNESS = {3: 80.0, 4: 300.0, 5: 90.0}
TREE_NODES = 12_000_000  # of the tree: 550 MB once it is full, after some 9 s in openings
HELPER_BATCH = 16  # simulations of a helping thread between two looks at whether it is over
CLOCK_INTERVAL = 0.005  # seconds of simulations between two looks at the clock
FIRST_EXACT_LEVEL = 7  # the first level that plays the end exactly
MAX_ENDGAME_MOVES = 60  # moves of all colours together: with more the end is not tried
MAX_ENDGAME_POSITIONS = 30_000  # positions, then the end is too far away after all
ENDGAME_POSITIONS_PER_SECOND = (
    60_000  # ... and at most so many for each second of thought: trying must not take all of it
)
INFO_INTERVAL = 0.5  # seconds between two words about the best move so far
# By the pieces of the colour that lie: how much of an average move's time the next one gets.
TIME_SHARE_BY_PIECES = (*[1.4] * 10, 1.2, 0.8, 0.5, 0.4, *[0.3] * 9)
MIN_TIME_SHARE = 0.25  # of its time is spent on a move, even where it saves time
RECENT_MOVES = 3  # moves before a position that the search knows of, if it saw them
MIN_REPORTED_SIMULATIONS = 5  # simulations: what fewer of them saw of a move's end is luck

Floats = NDArray[np.float64]

# Where everybody plays alone, wins are rarer and rewards smaller, and so is what trying the unlikely adds.
INDIVIDUAL_PARAMS = SEARCH_PARAMS.copy()
INDIVIDUAL_PARAMS[exploration] = 1.0


@cache
def load_weights(pairs: bool) -> tuple[Floats, ValueTable]:
    """The policy and value weights, for two teams or for individual players (see `kernel/train.py`)."""
    name = "pairs" if pairs else "alone"
    with as_file(files(__package__) / "kernel" / "weights.npz") as path, np.load(path) as arrays:
        return arrays[f"moves_{name}"].astype(np.float64), arrays[f"values_{name}"]


@cache
def policy_weights(level: int, pairs: bool) -> Floats:
    """What a level that does not search makes of a move."""
    if level in SAMPLING_SHARPNESS:
        return SAMPLING_SHARPNESS[level] * load_weights(pairs)[0]
    weights = np.zeros((STAGE_COUNT, FEATURE_COUNT))
    weights[:, : len(PIECE_NAMES)] = SIZE_OF_PIECE * SIZE_PREFERENCE[level]
    weights[:, COVER_COLUMN + CENTRE * BUCKETS : COVER_COLUMN + (CENTRE + 1) * BUCKETS] = -CENTRE_PREFERENCE[
        level
    ] * np.arange(BUCKETS)
    return weights


class TrigonEngine(Engine):
    """A computer player of one level. It keeps its tree from move to move, so there is one for each game."""

    threads: int

    def __init__(self, level: int) -> None:
        super().__init__()
        if level not in LEVELS:
            raise ValueError(f"levels are {LEVELS[0]} to {LEVELS[-1]}, not {level}")
        self.level, self.threads = level, 1
        self._memory: TreeSearch | None = None

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        if self.level in SIMULATIONS and not view.solitaire:
            found = self._search(view, limit, rng)
            if isinstance(found, Analysis):
                return found.candidates[0]
            return (
                found.sample_by_prior(SAMPLING_SHARPNESS[self.level], rng)
                if self.level in SAMPLING_SHARPNESS
                else found.best_candidate()
            )
        choices = self._ranked(view, limit, rng).candidates
        if view.solitaire:
            return choices[0]
        return rng.choices(choices, [choice.value + 1 for choice in choices])[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        return replace(self._ranked(view, limit, rng), distance_maps=distance_maps(view))

    def _ranked(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        if state.solitaire:
            actions = [*state.legal_actions()]
            rng.shuffle(actions)
            return (
                analyse_figure(state, actions, limit, rng)
                if self.level >= FIRST_TILING_LEVEL
                else self._greedy_fill(actions)
            )
        if self.level not in SIMULATIONS:
            return self._static_expectation(state)
        found = self._search(state, limit, rng)
        return found if isinstance(found, Analysis) else found.analysis()

    def _static_expectation(self, state: State) -> Analysis:
        """Each move by how likely this level is to play it, from -1 to 1."""
        position = from_state(state)
        moves = legal_moves(position, state.turn).copy()
        weights = policy_weights(self.level, state.options.is_paired)
        found = move_logits(
            position, state.turn, _team_of_colour(state), moves, weights, new_cell_workspace()
        )
        chances = np.exp(found - found.max())
        order = np.argsort(-chances, kind="stable")
        return Analysis(tuple(Candidate(_place(moves[at]), 2 * float(chances[at]) - 1) for at in order))

    def _search(self, state: State, limit: Limit, rng: Rng) -> Analysis | TreeSearch:
        """An end that is settled exactly, or what a search found."""
        preload_kernels()
        begun, saving, limit = time.monotonic(), limit.average, allocate_time(state, limit)
        if self.level >= FIRST_EXACT_LEVEL and (exactly := exact_analysis(state, limit)):
            return exactly
        if self._memory is None or self._memory.threads != self.threads:
            self._memory = TreeSearch(self.threads)
        self._memory.set_position(state)
        self._memory.run(limit, SIMULATIONS[self.level], rng, begun, saving)
        return self._memory

    def _greedy_fill(self, actions: list[Action]) -> Analysis:
        """TR-12: place something, level 2 the largest piece; lift something only when nothing fits."""
        values = {
            action: -1.0 if isinstance(action, Lift) else _size(action) / 6 if self.level == 2 else 0.0
            for action in actions
        }
        order = sorted(actions, key=lambda action: -values[action])
        return Analysis(tuple(Candidate(action, values[action]) for action in order))


@cache
def preload_kernels() -> None:
    """Have all compiled code at hand before a clock runs: that takes a second, once.

    It was part of the first thought, so that a short one came to nothing.
    """
    state, search = initial_state(Options.parse("players=2 start=free")), TreeSearch()
    search.set_position(state)
    search.run(Limit(simulations=1), None, Random(0))
    _endgame_results(state, 1)


def _team_of_colour(state: State) -> Int64Array:
    """Which colours play together: those of a side have the same number."""
    return np.array([colour % 2 if state.options.is_paired else colour for colour in range(len(COLOURS))])


def allocate_time(state: State, limit: Limit) -> Limit:
    """A limit for this move, where it is one for the average of a game: openings are worth most."""
    if not limit.average:
        return limit
    lying = len(PIECE_NAMES) - len(state.pieces_left(state.turn))
    return replace(limit, seconds=TIME_SHARE_BY_PIECES[lying] * limit.seconds, average=False)


def _place(move: int) -> Place:
    return Place(decode_move(int(move)))


class TreeSearch:
    """A tree and the position it is about. While a game goes on in it, it is kept from move to move."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads
        self.simulation_count = 0  # simulations, since it turned to this position
        self.state: State | None = None
        self.recent_moves = list[tuple[int, int]]()  # the last moves of the game, with their colours

    def set_position(self, state: State) -> None:
        """Search this position from now on, with what is known of it already."""
        if self.state is None:
            self.tree = new_tree(TREE_NODES, self.threads)
            self.available = AvailableMoves(new_placement_bits(), new_compact_bits())
            self.workspaces = [new_workspace(from_state(state), self.available) for _ in range(self.threads)]
        since = self._moves_since(state)
        root = None if since is None else self._find_node(since)
        self.recent_moves = [] if since is None else [*self.recent_moves, *since][-RECENT_MOVES:]
        self.state, self.position = state, from_state(state, [move for _, move in self.recent_moves])
        self.position.counters[LEAF_COUNT] = 0  # the search has no use for leaves
        init_available_moves(self.position, self.available)
        for room in self.workspaces:
            if since is None:
                clear_replies(room.playout_state)
            set_history(room.playout_state, self.recent_moves)
            restrict_to_open_cells(self.position, room.cell_workspace)
        if root is None:
            root = 0
            reset_tree(self.tree)
        self.tree.root_stats[:] = 0.0
        self.root, self.simulation_count = root, 0

    def _moves_since(self, state: State) -> list[tuple[int, int]] | None:
        """What was played since the last position, each colour once at most; None if this is another game."""
        if self.state is None or state.options != self.state.options:
            return None
        before, now = self.state.pieces_on_board, state.pieces_on_board
        placed = {colour_of(code): encode_move(now[code]) for code in now if code not in before}
        if not placed or len(now) != len(before) + len(placed) or not before.items() <= now.items():
            return None
        order = [(self.state.turn + step) % len(COLOURS) for step in range(len(COLOURS))]
        return [(colour, placed[colour]) for colour in order if colour in placed]

    def _find_node(self, since: list[tuple[int, int]]) -> int | None:
        """The row that some moves lead to, if the tree has it and has room to grow."""
        tree, row = self.tree, self.root
        for colour, move in since:
            begin, end = int(tree.first_child[row]), int(tree.first_child[row] + tree.child_count[row])
            at = np.flatnonzero(tree.move[begin:end] == move)
            if tree.to_move[row] != colour or not len(at):
                return None
            row = begin + int(at[0])
        left = tree.allocation[:, 1] - tree.allocation[:, 0]
        return row if (left > TREE_NODES // self.threads // 2).all() else None

    @property
    def moves(self) -> range:
        """The rows of the position's moves."""
        begin = int(self.tree.first_child[self.root])
        return range(begin, begin + int(self.tree.child_count[self.root]))

    def run(
        self, limit: Limit, most: int | None, rng: Rng, begun: float | None = None, saving: bool = False
    ) -> int:
        """Search for a time, which may have begun before, or a number of simulations; how many there were.

        With `saving`, not longer than until no other move can be tried as often any more in that time.
        """
        begun, chunk = time.monotonic() if begun is None else begun, 1
        told, goal = begun, min(filter(None, (limit.simulations, most)), default=None)
        randoms = [new_xorshift64(rng.getrandbits(32)) for _ in range(self.threads)]
        done, ended = [0] * self.threads, threading.Event()
        self._simulate(0, randoms[0], 1)  # so that all threads find the first moves there
        done[0] = 1

        def help_along(thread: int) -> None:
            while not ended.is_set():
                self._simulate(thread, randoms[thread], HELPER_BATCH)
                done[thread] += HELPER_BATCH

        helpers = [threading.Thread(target=help_along, args=(each,)) for each in range(1, self.threads)]
        for helper in helpers:
            helper.start()
        try:
            while True:
                now, total = time.monotonic(), sum(done)
                part = total / goal if limit.simulations and goal else (now - begun) / limit.seconds
                limit.on_progress(min(1.0, part))
                if part >= 1 or (goal and total >= goal) or len(self.moves) == 1 or limit.should_stop():
                    return total
                if saving and part > MIN_TIME_SHARE and self.visit_lead() > total / part - total:
                    return total
                if now - told >= INFO_INTERVAL:
                    told = now
                    limit.on_best(self.best_candidate())
                if goal:
                    chunk = min(chunk, goal - total)
                self._simulate(0, randoms[0], chunk)
                done[0] += chunk
                took = max(time.monotonic() - now, 1e-6)
                left = CLOCK_INTERVAL if limit.simulations else limit.seconds - (time.monotonic() - begun)
                chunk = max(1, int(min(CLOCK_INTERVAL, left) * chunk / took))
        finally:
            ended.set()
            for helper in helpers:
                helper.join()
            self.simulation_count += sum(done)

    def _simulate(self, thread: int, random: NDArray[np.uint64], number: int) -> None:
        assert self.state is not None
        pairs = self.state.options.is_paired
        moves, values = load_weights(pairs)
        run_simulations(
            self.tree,
            self.root,
            thread,
            self.position,
            self.available,
            self.state.turn,
            _team_of_colour(self.state),
            moves,
            values,
            SEARCH_PARAMS if pairs else INDIVIDUAL_PARAMS,
            PLAYOUT_PARAMS,
            self.workspaces[thread],
            random,
            number,
        )

    def analysis(self) -> Analysis:
        """All moves, those that were tried most first."""
        assert self.state is not None
        choices, value, tree = list[Candidate](), 1.0, self.tree
        for row in sorted(self.moves, key=lambda row: (-tree.visits[row], -tree.prior[row])):
            choice = self.candidate(row)
            value = min(value, choice.value)
            if choices and tree.visits[row] < MIN_REPORTED_SIMULATIONS:
                choice = replace(choice, expected=None)
            choices.append(replace(choice, value=value))
        considered = {choice.action for choice in choices}
        choices += [
            Candidate(action, -1.0) for action in self.state.legal_actions() if action not in considered
        ]
        return Analysis(tuple(choices), (fact("ENGINE", "searched", simulations=self.simulation_count),))

    def visit_lead(self) -> int:
        """How many times more than any other the move was tried that was tried most."""
        second, first = np.partition(self.tree.visits[self.moves.start : self.moves.stop], -2)[-2:]
        return int(first - second)

    def best_candidate(self) -> Candidate:
        """The move that was tried most so far."""
        visits = self.tree.visits
        return self.candidate(max(self.moves, key=lambda row: int(visits[row])))

    def sample_by_prior(self, sharpness: float, rng: Rng) -> Candidate:
        """One of the moves that are guessed to be good, by what they lead to."""
        guesses = self.tree.prior_value[self.moves.start : self.moves.stop].astype(float)
        move = int(self.tree.move[rng.choices(self.moves, np.exp(sharpness * guesses).tolist())[0]])
        outlook = self._static_expectation(move)
        return Candidate(_place(move), 2 * outlook.win_rate - 1, (_place(move),), expected=outlook)

    def candidate(self, row: int) -> Candidate:
        """A move that was tried, with what came of it."""
        return Candidate(
            _place(self.tree.move[row]),
            _value(self.tree, row),
            _principal_variation(self.tree, row),
            expected=self._outlook(row),
        )

    def _outlook(self, row: int) -> ExpectedOutcome | None:
        """How the simulations ended that began with a move; at a glance if all were of positions before."""
        assert self.state is not None
        if not self.tree.visits[row]:
            return None
        seen = self.tree.root_stats[row - self.tree.first_child[self.root]]
        if not seen[STATS_COUNT]:
            return self._static_expectation(int(self.tree.move[row]))
        means = seen / seen[STATS_COUNT]
        return _expected_outcome(self.state, means[STATS_WINS:STATS_SCORES], means[STATS_SCORES:])

    def _static_expectation(self, move: int) -> ExpectedOutcome:
        """What the values foretell after a move."""
        assert self.state is not None
        after, room, turn = clone(self.position), self.workspaces[0], self.state.turn
        place_piece(after, turn, move)
        values = load_weights(self.state.options.is_paired)[1]
        unsure = predict_scores(after, (turn + 1) % len(COLOURS), values, room.cell_workspace, room.scores)
        now = [final_score(after, colour) for colour in range(len(COLOURS))]
        room.scores[:] = np.clip(
            room.scores, now, SINGLE_LAST_SCORE
        )  # no colour ends with less than it has now
        in_play = int(after.status[IN_PLAY])
        compute_rewards(
            room.scores,
            in_play,
            _team_of_colour(self.state),
            unsure,
            SEARCH_PARAMS,
            room.rewards,
            room.win_shares,
        )
        return _expected_outcome(self.state, room.win_shares, room.scores)


def _expected_outcome(state: State, wins: Floats, scores: Floats) -> ExpectedOutcome:
    """What the seat to act may expect, from the wins and the scores of the colours."""
    seats = [0.0] * state.options.players
    for colour in state.in_play:
        seats[state.seat_of(colour)] += float(scores[colour])
    return ExpectedOutcome(float(wins[state.turn]), tuple(seats))


def exact_analysis(state: State, limit: Limit) -> Analysis | None:
    """The end of a game exactly, once few moves are left and there is time for it; None before."""
    position, most = from_state(state), MAX_ENDGAME_POSITIONS
    if not limit.simulations:
        most = min(most, int(ENDGAME_POSITIONS_PER_SECOND * limit.seconds))
    left = sum(len(legal_moves(position, colour)) for colour in state.in_play)
    if left > MAX_ENDGAME_MOVES or not (results := _endgame_results(state, most)):
        return None
    order = sorted(results, key=lambda action: -results[action][state.turn])
    choices = []
    for action in order:
        result = results[action]
        outlook = _expected_outcome(state, result[WIN_OFFSET:SCORE_OFFSET], result[SCORE_OFFSET:])
        choices.append(Candidate(action, 2 * float(result[state.turn]) - 1, (action,), expected=outlook))
    line, after = [order[0]], state.apply(order[0])
    while after.to_act is not None:
        further = _endgame_results(after, MAX_ENDGAME_POSITIONS)
        line.append(max(further, key=lambda action: further[action][after.turn]))
        after = after.apply(line[-1])
    choices[0] = replace(choices[0], pv=tuple(line))
    return Analysis(tuple(choices), (fact("ENGINE", "settled"),))


def _endgame_results(state: State, most: int) -> dict[Place, Floats]:
    """What each move leads to if all play their best; nothing if that takes too long to find out."""
    position = from_state(state)
    room = new_endgame_stack(position)
    if solve_endgame(position, state.turn, _team_of_colour(state), SEARCH_PARAMS, most, room) == UNSOLVED:
        return {}
    moves = room.positions.moves[0, state.turn, : room.positions.counters[0, MOVE_COUNT, state.turn]]
    return {_place(move): room.root_results[index] for index, move in enumerate(moves)}


def _value(tree: Tree, row: int) -> float:
    """What a move brought its mover, from -1 to 1; 1 if it was not tried, so that it is not above others."""
    return 2 * float(tree.value_sum[row] / tree.visits[row]) - 1 if tree.visits[row] else 1.0


def distance_maps(state: State) -> tuple[DistanceMap, ...]:
    """How many triangles each colour is from the free ones that it can come to; in a figure nothing."""
    if state.solitaire or state.needs_colour_draw:
        return ()
    room, steps, position = new_cell_workspace(), dict[str, dict[str, int]](), from_state(state)
    free = [*cells_of(BOARD & ~state.occupied)]
    for colour in state.in_play:
        compute_distances(position, colour, room)
        far = room.distances[colour, MARGIN:]
        steps[COLOURS[colour]] = {
            CELL_NAMES[cell]: int(far[cell]) for cell in free if far[cell] < UNREACHABLE
        }
    return tuple(DistanceMap(name, near) for name, near in steps.items())


def _principal_variation(tree: Tree, row: int) -> tuple[Action, ...]:
    """A likely continuation from a move on: what was tried most."""
    line = [_place(tree.move[row])]
    while tree.child_count[row]:
        begin, end = int(tree.first_child[row]), int(tree.first_child[row] + tree.child_count[row])
        row = begin + int(np.argmax(tree.visits[begin:end]))
        if not tree.visits[row]:
            break
        line.append(_place(tree.move[row]))
    return tuple(line)


def _size(action: Action) -> int:
    return len(action.cells) if isinstance(action, Place) else 0
