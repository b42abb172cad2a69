"""The two-player game of a layout, solved: results of positions and moves, principal variations, facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tripot.game import Fact, fact
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.kernel import random_opponent
from tripot.games.trippples.kernel.params import MEMORY_PARAMS
from tripot.games.trippples.kernel.repetition import repetition_ranks
from tripot.games.trippples.kernel.results import (
    DRAW,
    MAX_PV,
    UNLIMITED,
    ResultKind,
    ResultRank,
    result_facts,
)
from tripot.games.trippples.kernel.solver import solve
from tripot.games.trippples.kernel.tables import (
    FROZEN,
    TURN_SHIFT,
    WON,
    Int16Array,
    Layout,
    moves,
    pack_layout,
)
from tripot.games.trippples.options import Options
from tripot.games.trippples.rules import State


@dataclass(frozen=True, slots=True, eq=False)
class SolvedLayout:
    """A two-player layout and its tables, int16[8192] by position, for the side to move.

    base      plies to the win or, below 0, to the loss, without TP-7 and TP-8
    play      the same with TP-8, if the option is on; else `base`
    indirect  ranks of wins or, below 0, of losses by repetition (TP-7), if the option is on; else 0
    """

    layout: Layout
    base: Int16Array
    play: Int16Array
    indirect: Int16Array

    def result_rank(self, position: int, horizon: int = UNLIMITED) -> ResultRank:
        """Return the result of a position to the side to move.

        Wins and losses that are more than `horizon` plies away count as draws; those by repetition are only
        seen without a horizon.
        """
        plies, rank = int(self.play[position]), int(self.indirect[position])
        if plies and abs(plies) <= horizon:
            return ResultRank.from_plies(plies)
        if rank and horizon >= UNLIMITED:
            return ResultRank(
                ResultKind.REPETITION_WIN if rank > 0 else ResultKind.REPETITION_LOSS, abs(rank)
            )
        return DRAW

    def values_against_random(self, side: int) -> NDArray[np.float64]:
        """The values of drawn positions to a side if the other side moves at random, float64[8192]."""
        return _values_against_random(self, side)

    def replies(self, position: int) -> list[tuple[Move, int, ResultRank]]:
        """The moves of a position with their successors and results; a freeze is announced if that wins."""
        freeze_wins = self.play is not self.base
        replies = []
        for square, after in zip(*(array.tolist() for array in moves(self.layout, position)), strict=True):
            if after == WON or (after == FROZEN and freeze_wins):
                rank = ResultRank.from_score(1)
            elif after == FROZEN:
                rank = DRAW
            else:
                rank = self.result_rank(after)
                if after >> TURN_SHIFT != position >> TURN_SHIFT:
                    rank = rank.for_other_side()
            replies.append((Move(square, freeze=after == FROZEN and freeze_wins), after, rank))
        return replies

    def reply_ranks(self, position: int) -> list[ResultRank]:
        """The result of each move to the side to move."""
        return [rank for _, _, rank in self.replies(position)]


@lru_cache(maxsize=MEMORY_PARAMS.max_layouts)
def _values_against_random(solution: SolvedLayout, side: int) -> NDArray[np.float64]:
    return random_opponent.values_against_random(solution.layout, solution.play, solution.indirect, side)


@lru_cache(maxsize=MEMORY_PARAMS.max_layouts)
def solve_layout(tiles: bytes, options: Options) -> SolvedLayout:
    """Return the solution of a layout. Two threads may both compute it; that costs a few milliseconds."""
    layout = pack_layout(tiles, options)
    base = solve(layout, freeze_wins=False)
    play = solve(layout, freeze_wins=True) if options.freeze else base
    indirect = repetition_ranks(layout, base, play) if options.repetition_can_win else np.zeros_like(base)
    return SolvedLayout(layout, base, play, indirect)


def position_index(state: State) -> int:
    """Return the kernel's index of a two-player position."""
    return (state.turn * 64 + state.pawns[0]) * 64 + state.pawns[1]


def move_rank(state: State, move: Action, solution: SolvedLayout, horizon: int = UNLIMITED) -> ResultRank:
    """Return the result of a move to the seat that makes it."""
    after = state.apply(move)
    if after.outcome:
        return ResultRank.from_score(after.outcome.scores[state.turn])
    rank = solution.result_rank(position_index(after), horizon)
    return rank if after.turn == state.turn else rank.for_other_side()


def principal_variation(state: State, move: Action, solution: SolvedLayout) -> tuple[Action, ...]:
    """Return a move and perfect play after it, at most `MAX_PV` actions.

    It ends with the game. A third repetition (TP-7) ends it too, whatever the result.
    """
    pv, after = [move], state.apply(move)
    if after.outcome:
        return (move,)
    position = position_index(after)
    times = Counter(after.past_keys())
    times[after.repetition_key] += 1
    while len(pv) < MAX_PV:
        reply, position, _ = min(solution.replies(position), key=lambda entry: entry[2].sort_key())
        pv.append(reply)
        if position < 0:
            break
        key = bytes((position >> 6 & 63, position & 63, position >> TURN_SHIFT))
        times[key] += 1
        if times[key] == 3:
            break
    return tuple(pv)


def move_facts(state: State, move: Action, rank: ResultRank, solution: SolvedLayout) -> Iterator[Fact]:
    """Yield what is certain about a move of a result."""
    after = state.apply(move)
    match rank.kind:
        case ResultKind.WIN | ResultKind.LOSS:
            if after.outcome:
                is_by_freeze = after.outcome.reason.clause == "TP-8"
            else:
                is_by_freeze = not solution.base[position_index(after)]
            (known,) = result_facts(rank)
            yield fact("ENGINE", f"{known.key}_by_freeze", plies=rank.distance + 1) if is_by_freeze else known
        case ResultKind.REPETITION_WIN:
            yield fact("ENGINE", "indirect_win")
        case ResultKind.REPETITION_LOSS:
            yield fact("ENGINE", "indirect_loss")
        case ResultKind.DRAW:
            yield fact("ENGINE", "draw")
            if not after.outcome and after.turn != state.turn:
                ranks = solution.reply_ranks(position_index(after))
                yield fact("ENGINE", "keeps", count=sum(reply.score >= 0 for reply in ranks))


def position_facts(state: State, solution: SolvedLayout) -> Iterator[Fact]:
    """Yield the result of a position without TP-7 and TP-8, and what each of these clauses changes."""
    position = position_index(state)
    plies = int(solution.base[position])
    result = "win" if plies > 0 else "loss" if plies else "draw"
    yield fact("ENGINE", f"position_{result}", seat=state.turn, plies=abs(plies))
    by_repetition = int(repetition_ranks(solution.layout, solution.base, solution.base)[position])
    by_freeze = int(solve(solution.layout, freeze_wins=True)[position])
    for clause, changed in (("tp7", by_repetition), ("tp8", by_freeze)):
        if changed and not plies:
            winner = state.turn if changed > 0 else 1 - state.turn
            yield fact("ENGINE", f"{clause}_wins", seat=winner)
        else:
            yield fact("ENGINE", f"{clause}_nothing")
