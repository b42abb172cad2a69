"""The computer players of Trippples, and the study of positions.

Two players who see the whole board: every position is solved exactly, the weak levels just look
less far. Everybody else gets the nearest thing: with face-down tiles the solver over guesses of
what is hidden, while tiles are laid the solver over ways to complete the board, and with four
players a search, or at the top level the exact solution of the team game.

    level 1  goes for the finish, half of the time just anywhere
    level 2  takes a win and avoids a loss within 2 plies
    level 3  ... within 4 plies
    level 4  ... within 10 plies
    level 5  knows every win and loss, TP-7 and TP-8 included, and sets problems where all is drawn
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from tripot.engine.budget import Budget
from tripot.game import Analysis, AnyState, Candidate, Engine, Fact, Limit, Rng, fact
from tripot.games.trippples.actions import Action, Move, Options
from tripot.games.trippples.board import HIDDEN_TILE, NO_TILE
from tripot.games.trippples.kernel import solver, teams
from tripot.games.trippples.kernel.team_tablebase import TEAM_SOLVERS
from tripot.games.trippples.rules import State

HORIZON = {1: 0, 2: 2, 3: 4, 4: 10, 5: 10_000}  # how many plies ahead a level sees wins and losses
MAX_SAMPLES = {1: 0, 2: 2, 3: 8, 4: 32, 5: 400}  # how many guesses or completions a level looks at
DEPTH = {1: 0, 2: 1, 3: 2, 4: 3, 5: 3}  # how deep a level searches the team game
MAX_PV = 12  # how many actions of a line are shown

# What a position is worth to the seat to move, by what is known of it: see `_worth`.
WIN, INDIRECT = 2_000_000, 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class SolvedLayout:
    """A two-player layout, solved, by position from the side to move.

    base      plies to the win or, below 0, to the loss, without TP-7 and TP-8
    play      the same with TP-8, if it is played
    indirect  ranks on the way to a win or, below 0, to a loss by TP-7, if it is played
    """

    layout: solver.Layout
    base: solver.Int16Array
    play: solver.Int16Array
    indirect: solver.Int16Array

    def result_rank(self, position: int, horizon: int = HORIZON[5]) -> int:
        """What a position is worth to the side to move: a quick win the most, then a slow one, then

        a win by repetition (TP-7), then a draw, and the same downwards.
        """
        plies, rank = int(self.play[position]), int(self.indirect[position])
        if plies and abs(plies) <= horizon:
            return WIN - plies if plies > 0 else -WIN - plies
        if rank and horizon >= HORIZON[5]:
            return INDIRECT - rank if rank > 0 else -INDIRECT - rank
        return 0

    def values_against_random(self, side: int) -> NDArray[np.float64]:
        """What a side may hope for in drawn positions, if the opponent is no perfect player."""
        return _hopes(self, side)

    def reply_ranks(self, position: int) -> list[int]:
        """What each move of the side to move is worth to it; a freeze that may be called wins."""
        worths = []
        for after in solver.moves(self.layout, position)[1]:
            if after < 0:
                worths.append(WIN if after == solver.WON or self.play is not self.base else 0)
            else:
                worths.append(self.result_rank(after) * (1 if after >> 12 == position >> 12 else -1))
        return worths


@lru_cache(maxsize=64)
def _hopes(table: SolvedLayout, side: int) -> NDArray[np.float64]:
    return solver.values_against_random(table.layout, table.play, table.indirect, side)


@lru_cache(maxsize=64)
def solve_layout(tiles: bytes, options: Options) -> SolvedLayout:
    """Everything that is to be known of a layout."""
    layout = solver.pack_layout(tiles, options)
    base = solver.solve(layout, called=False)
    play = solver.solve(layout, called=True) if options.freeze else base
    indirect = (
        solver.repetition_ranks(layout, base, play) if options.repetition_can_win else np.zeros_like(base)
    )
    return SolvedLayout(layout, base, play, indirect)


def position(state: State) -> int:
    """The kernel's number of a two-player position."""
    return (state.turn * 64 + state.pawns[0]) * 64 + state.pawns[1]


def _move_rank(state: State, move: Action, table: SolvedLayout, horizon: int = HORIZON[5]) -> int:
    """What a move is worth to its mover."""
    after = state.apply(move)
    if after.outcome:
        return after.outcome.scores[state.turn] * WIN
    worth = table.result_rank(position(after), horizon)
    return worth if after.turn == state.turn else -worth


def _score(worth: int) -> float:
    """The score that a worth stands for."""
    return float((worth > 0) - (worth < 0))


def _is_solvable(state: State) -> bool:
    """Whether two players move and see the whole board."""
    return state.options.players == 2 and NO_TILE not in state.tiles and HIDDEN_TILE not in state.tiles


class TrippplesEngine(Engine):
    """A computer player of one level."""

    def __init__(self, level: int) -> None:
        super().__init__()
        if level not in HORIZON:
            raise ValueError(f"levels are 1 to {max(HORIZON)}, not {level}")
        self.level = level

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        assert isinstance(view, State)
        if self.level == 1 and rng.random() < 0.5:
            return Candidate(rng.choice(view.legal_actions()), 0.0)
        if _is_solvable(view):
            action, worth = next(iter(self._move_ranks(view, rng).items()))
            return Candidate(action, _score(worth), (action,))
        return self._analyse(view, limit, rng).candidates[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        if NO_TILE in view.tiles:
            return self._analyse_laying(view, limit, rng)
        if view.options.players == 4:
            return self._analyse_team(view, limit, rng)
        return (
            self._analyse_solved(view, rng) if _is_solvable(view) else self._analyse_hidden(view, limit, rng)
        )

    # -- two players who see everything --

    def _analyse_solved(self, state: State, rng: Rng) -> Analysis:
        """The exact value of every move, with what follows it and what is known."""
        table = solve_layout(state.tiles, state.options)
        choices = (
            Candidate(
                move, _score(worth), _line(state, move, table), tuple(_facts(worth, state, move, table))
            )
            for move, worth in self._move_ranks(state, rng).items()
        )
        return Analysis(tuple(choices), tuple(_position_facts(state, table)))

    def _move_ranks(self, state: State, rng: Rng) -> dict[Action, int]:
        """What each move is worth, best first; among drawn ones the hardest problem for the opponent."""
        table, horizon = solve_layout(state.tiles, state.options), HORIZON[self.level]
        moves = [*state.legal_actions()]
        rng.shuffle(moves)
        worth = {move: _move_rank(state, move, table, horizon) for move in moves}
        ease = {move: self._opponent_ease(state, move, table) for move in moves if not worth[move]}
        moves.sort(key=lambda move: (-worth[move], ease.get(move, ())))
        return {move: worth[move] for move in moves}

    def _opponent_ease(self, state: State, move: Action, table: SolvedLayout) -> tuple[float, ...]:
        """How easy a drawn move makes it for the opponent; the top level takes the least.

        First how often the position was there, as a repetition asks nothing new, then the hope that
        he goes wrong. Counting only his next moves that do not lose wins fewer games: docs/trippples.md.
        Weak levels do not think of that: they go for their finish.
        """
        if self.level < 5:
            return (_distance_to_finish(state, state.turn, move),)
        after = state.apply(move)
        if after.outcome:
            return (3.0,)
        seen = [*after.past_keys()].count(after.repetition_key)
        return (seen, -table.values_against_random(state.turn)[position(after)])

    # -- face-down tiles --

    def _analyse_hidden(self, view: State, limit: Limit, rng: Rng) -> Analysis:
        """TP-11: guess what is hidden, solve each guess, and play what is best on average."""

        def value(move: Action) -> float:
            after = world.apply(move)
            if after.outcome:
                return after.outcome.scores[view.turn]
            plies = int(plies_by_position[position(after)])
            soon = (1 - min(abs(plies), 50) / 100) * ((plies > 0) - (plies < 0))
            return soon if after.turn == view.turn else -soon

        moves = [*view.legal_actions()]
        rng.shuffle(moves)
        values: dict[Action, list[float]] = {move: [] for move in moves}
        near = {move: _distance_to_finish(view, view.turn, move) for move in moves}

        def analysis() -> Analysis:
            count = len(values[moves[0]])
            means = {move: fmean(values[move]) if count else 0.0 for move in moves}
            return _ranked(means, near, (fact("ENGINE", "sampled", count=count),))

        budget = Budget(limit, MAX_SAMPLES[self.level])
        for _ in budget.batches(1, best=lambda: analysis().candidates[0]):
            world = view.determinize(rng)
            plies_by_position = solver.solve(solver.pack_layout(world.tiles, world.options), called=False)
            for move in moves:
                values[move].append(value(move))
        return analysis()

    # -- while tiles are laid --

    def _analyse_laying(self, state: State, limit: Limit, rng: Rng) -> Analysis:
        """TP-1: value each square over random completions of the board, the better half again and again."""
        seat = state.to_act
        assert isinstance(seat, int)
        squares = [*state.legal_actions()]
        rng.shuffle(squares)
        values: dict[Action, list[float]] = {action: [] for action in squares}
        tried, count = squares, 0

        def analysis() -> Analysis:
            sampled = sum(map(len, values.values()))
            unsampled_value = -1.0 if sampled else 0.0
            means = {
                action: fmean(values[action]) if values[action] else unsampled_value for action in squares
            }
            fewest_samples_last = {action: -float(len(values[action])) for action in squares}
            return _ranked(means, fewest_samples_last, (fact("ENGINE", "drafted", count=sampled),))

        budget = Budget(limit, MAX_SAMPLES[self.level])
        for _ in budget.batches(1, best=lambda: analysis().candidates[0]):
            action = tried[count % len(tried)]
            values[action].append(
                _layout_balance(_random_completion(state.apply(action), rng)) * (-1) ** seat
            )
            count += 1
            if len(values[tried[-1]]) >= 4 * (len(squares) // len(tried)) and len(tried) > 3:
                tried = sorted(tried, key=lambda each: -fmean(values[each]))[: (len(tried) + 1) // 2]
                count = 0
        return analysis()

    # -- four players --

    def _analyse_team(self, view: State, limit: Limit, rng: Rng) -> Analysis:
        """TP-13: the exact value of every move for the top level, a search for the others.

        Simulations ask for the same play everywhere, which a search gives at once.
        """
        moves = [*view.legal_actions()]
        rng.shuffle(moves)
        if self.level == 5 and HIDDEN_TILE not in view.tiles and limit.simulations is None:
            return _analyse_team_solved(view, moves, limit)
        depth, worlds = DEPTH[self.level], [view]
        if HIDDEN_TILE in view.tiles:
            depth, worlds = (
                min(depth, 1),
                [view.determinize(rng) for _ in range(1 + MAX_SAMPLES[self.level] // 40)],
            )
        return _search_team(worlds, moves, depth, limit)


# --- Shared --------------------------------------------------------------------------------------


def _ranked(values: dict[Action, float], ties: dict[Action, float], facts: tuple[Fact, ...]) -> Analysis:
    order = sorted(values, key=lambda action: (-values[action], ties[action]))
    choices = (Candidate(action, max(-1.0, min(1.0, values[action])), (action,)) for action in order)
    return Analysis(tuple(choices), facts)


def _distance_to_finish(state: State, seat: int, move: Action | None = None) -> float:
    """Steps from a seat's pawn, after a move of it, to its finish on an empty board."""
    pawn = move.square if isinstance(move, Move) else state.pawns[seat]
    finish = state.options.homes[1][seat % 2]
    return float(max(abs(pawn % 8 - finish % 8), abs(pawn // 8 - finish // 8)))


# --- Two players: what is known, in facts -----------------------------------------------------------


def _line(state: State, move: Action, table: SolvedLayout) -> tuple[Action, ...]:
    """The move and what perfect players would play after it."""
    line = [move]
    here = state.apply(move)
    while here.to_act is not None and len(line) < MAX_PV:
        worth = {reply: _move_rank(here, reply, table) for reply in here.legal_actions()}
        line.append(max(worth, key=lambda reply: worth[reply]))
        here = here.apply(line[-1])
    return tuple(line)


def _facts(worth: int, state: State, move: Action, table: SolvedLayout) -> Iterator[Fact]:
    """What is known of a move."""
    after = state.apply(move)
    if abs(worth) > INDIRECT:
        by_freeze = (
            not table.base[position(after)] if not after.outcome else after.outcome.reason.clause == "TP-8"
        )
        key = ("win" if worth > 0 else "loss") + ("_by_freeze" if by_freeze else "")
        yield fact("ENGINE", key, plies=WIN - abs(worth) + 1)
    elif worth:
        yield fact("ENGINE", "indirect_win" if worth > 0 else "indirect_loss")
    else:
        yield fact("ENGINE", "draw")
        if not after.outcome and after.turn != state.turn:
            safe = sum(worth >= 0 for worth in table.reply_ranks(position(after)))
            yield fact("ENGINE", "keeps", count=safe)


def _position_facts(state: State, table: SolvedLayout) -> Iterator[Fact]:
    """What is known of a position: its value without TP-7 and TP-8, and what each of them changes."""
    plies = int(table.base[position(state)])
    verdict = "win" if plies > 0 else "loss" if plies else "draw"
    yield fact("ENGINE", f"position_{verdict}", seat=state.turn, plies=abs(plies))
    layout = solver.pack_layout(state.tiles, state.options)
    repeated = int(solver.repetition_ranks(layout, table.base, table.base)[position(state)])
    frozen = int(solver.solve(layout, called=True)[position(state)])
    for clause, changed in (("tp7", 0 if plies else repeated), ("tp8", frozen if not plies else 0)):
        if changed:
            winner = state.turn if changed > 0 else 1 - state.turn
            yield fact("ENGINE", f"{clause}_wins", seat=winner)
        else:
            yield fact("ENGINE", f"{clause}_nothing")


# --- Laying tiles -----------------------------------------------------------------------------------


def _random_completion(state: State, rng: Rng) -> State:
    """The board with all other tiles laid at random."""
    tiles, pool = bytearray(state.tiles), state.unlaid
    rng.shuffle(pool)
    for square in state.free_squares:
        tiles[square] = pool.pop()
    return replace(state, tiles=bytes(tiles), drawn_tile=0)


def _layout_balance(state: State) -> float:
    """Whom a full board favours, square (above 0) or round, in the two-player game.

    Nearly every board is a draw from the start, so what counts is who has more won positions on it.
    """
    plies = np.sign(solver.solve(solver.pack_layout(state.tiles, state.options), called=state.options.freeze))
    start = int(plies[position(state)])
    square, round_ = int(plies[:4096].sum()), int(plies[4096:].sum())
    return start if start else (square - round_) / (2 * max(1, int(np.count_nonzero(plies))))


# --- Four players -----------------------------------------------------------------------------------


def _analyse_team_solved(state: State, moves: list[Action], limit: Limit) -> Analysis:
    """The exact value of every move; among drawn ones those that leave the opponents the fewest.

    The solution serves all later moves of a game, so it does not end with the seconds of one. A stop ends it
    early: then all that is within the plies looked ahead is known, and the rest is estimated.
    """
    solution = TEAM_SOLVERS.get(state.tiles, state.options)

    def analysis() -> Analysis:
        return _team_analysis(state, moves, solution)

    budget = Budget(replace(limit, seconds=inf, on_progress=lambda _share: None))
    for _ in budget.batches(1, best=lambda: analysis().candidates[0]):
        solution.advance()
        share = solution.progress
        limit.on_progress(share)
        if share == 1.0:
            break
    return analysis()


def _team_analysis(state: State, moves: list[Action], solution: teams.TeamSolver) -> Analysis:
    """What a solution says, as far as it goes."""
    complete, depth = solution.is_complete, solution.depth

    def plies_of(there: State) -> int:
        return solution.plies_to_end(teams.team_position(there.pawns, there.turn))

    def worth(there: State, move: Action) -> int:
        after = there.apply(move)
        if after.outcome:
            return after.outcome.scores[there.turn] * WIN
        plies = plies_of(after)
        value = WIN - abs(plies) if plies else 0
        return value if (plies > 0) == (after.turn % 2 == there.turn % 2) else -value

    def ease(move: Action) -> float:
        after = state.apply(move)
        if not complete:
            return -_alpha_beta(after, 0, -2.0, 2.0, state.turn % 2)
        return sum(worth(after, reply) >= 0 for reply in after.legal_actions())

    worths = {move: worth(state, move) for move in moves}
    eases = {move: ease(move) if not worths[move] else 0 for move in moves}
    choices = []
    for move in sorted(moves, key=lambda move: (-worths[move], eases[move])):
        value, facts = _score(worths[move]), ()
        if worths[move]:
            key = "win" if worths[move] > 0 else "loss"
            facts = (fact("ENGINE", key, plies=WIN - abs(worths[move]) + 1),)
        elif complete:
            facts = (fact("ENGINE", "draw"),)
        else:
            value = -eases[move]
        choices.append(Candidate(move, value, (move,), facts))
    plies = plies_of(state)
    if not plies and not complete:
        return Analysis(tuple(choices), (fact("ENGINE", "searched", plies=depth),))
    verdict = "win" if plies > 0 else "loss" if plies else "draw"
    return Analysis(tuple(choices), (fact("ENGINE", f"team_{verdict}", seat=state.turn, plies=abs(plies)),))


def _search_team(worlds: list[State], moves: list[Action], depth: int, limit: Limit) -> Analysis:
    """Search every move by iterative deepening; the result is that of the last complete depth.

    `worlds` are determinizations of the view. The depth is the bound, so a number of simulations only means
    that the clock is not read.
    """
    turn = worlds[0].turn
    near = {move: _distance_to_finish(worlds[0], turn, move) for move in moves}

    def value(move: Action, plies: int) -> float:
        return fmean(_alpha_beta(world.apply(move), plies, -2.0, 2.0, turn % 2) for world in worlds)

    def analysis() -> Analysis:
        return _ranked(values, near, (fact("ENGINE", "searched", plies=complete_depth + 1),))

    complete_depth, values = 0, {move: value(move, 0) for move in moves}
    tasks = [(plies, move) for plies in range(1, depth + 1) for move in moves]
    deeper: dict[Action, float] = {}
    if limit.simulations is not None:
        limit = replace(limit, simulations=len(tasks))
    budget = Budget(limit, len(tasks))
    batches = budget.batches(1, best=lambda: analysis().candidates[0])
    for _, (plies, move) in zip(batches, tasks, strict=False):  # in this order: the last batch is reported
        deeper[move] = value(move, plies)
        if len(deeper) == len(moves):
            complete_depth, values, deeper = plies, deeper, {}
    return analysis()


def _alpha_beta(state: State, depth: int, low: float, high: float, team: int) -> float:
    """A search to a depth with alpha-beta bounds: what a team may expect, quick wins first."""
    if state.outcome:
        return state.outcome.scores[team] * (1 + depth / 100)
    if not depth:
        ours, theirs = (
            min(_distance_to_finish(state, seat) for seat in (side, side + 2)) for side in (team, 1 - team)
        )
        return (theirs - ours) / 16
    mine = state.turn % 2 == team
    best = -2.0 if mine else 2.0
    for square in state.target_squares(state.turn):
        value = _alpha_beta(state.after_move_without_history(square), depth - 1, low, high, team)
        best = max(best, value) if mine else min(best, value)
        low, high = (max(low, value), high) if mine else (low, min(high, value))
        if low >= high:
            break
    return best
