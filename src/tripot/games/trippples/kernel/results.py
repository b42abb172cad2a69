"""Ranks of results, and the candidates that all analyses of Trippples are made of."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from tripot.game import Candidate, ExpectedOutcome, Fact, HiddenInformationError, fact
from tripot.games.trippples.actions import Action, Move
from tripot.games.trippples.rules import State

MAX_PV: Final = 12  # actions of a principal variation
UNLIMITED: Final = 1_000_000  # plies: a horizon beyond every win and loss


class ResultKind(IntEnum):
    """How a position ends under perfect play, ordered by what it is worth to the side to move."""

    LOSS = -2
    REPETITION_LOSS = -1  # TP-7
    DRAW = 0  # or nothing is known within the horizon
    REPETITION_WIN = 1  # TP-7
    WIN = 2


class ResultRank(NamedTuple):
    """A result to one side, and how far away it is.

    `distance` is a number of plies for a win or loss, a rank of `repetition_ranks` for one by repetition, and
    0 for a draw.
    """

    kind: ResultKind
    distance: int = 0

    @classmethod
    def from_plies(cls, plies: int) -> ResultRank:
        """Return the rank of a table entry: plies to the win or, below 0, to the loss; 0 is a draw."""
        if plies == 0:
            return DRAW
        return cls(ResultKind.WIN if plies > 0 else ResultKind.LOSS, abs(plies))

    @classmethod
    def from_score(cls, score: int) -> ResultRank:
        """Return the rank of a game that has ended with a score of 1, 0 or -1."""
        return cls(ResultKind(2 * score))

    @property
    def score(self) -> int:
        """The score of the result: 1 for a win, 0 for a draw, -1 for a loss."""
        return (self.kind > 0) - (self.kind < 0)

    def for_other_side(self) -> ResultRank:
        """Return the rank of the same result to the other side."""
        return ResultRank(ResultKind(-self.kind), self.distance)

    def sort_key(self) -> tuple[int, int]:
        """Return a key that sorts results best first: near wins and far losses come first."""
        return -self.kind, self.distance if self.kind > 0 else -self.distance


DRAW: Final = ResultRank(ResultKind.DRAW)


def new_candidate(
    action: Action,
    value: float,
    *,
    pv: tuple[Action, ...] = (),
    facts: tuple[Fact, ...] = (),
    score: float | None = None,
) -> Candidate:
    """Return a candidate with the outcome that its value or, if given, the expected score implies.

    A game scores 1 for a win, 0 for a draw and -1 for a loss, so the win rate with draws as half a win is
    (1 + score) / 2. `value` is clipped to -1.0 ... 1.0; `pv` is the action alone unless it is given.
    """
    value = max(-1.0, min(1.0, value))
    expected = ExpectedOutcome((1 + (value if score is None else score)) / 2, scores=())
    return Candidate(action, value, pv or (action,), facts, expected)


def result_facts(rank: ResultRank) -> tuple[Fact, ...]:
    """Return the fact of a move whose result is a win or a loss; `rank` is that of the position after it."""
    key = "win" if rank.score > 0 else "loss"
    return (fact("ENGINE", key, plies=rank.distance + 1),)


def immediate_facts(view: State, action: Action) -> tuple[Fact, ...]:
    """Return the fact of an action that wins at once; nothing else is certain while tiles are hidden."""
    try:
        outcome = view.apply(action).outcome
    except HiddenInformationError:
        return ()
    is_win = outcome is not None and outcome.scores[view.turn] > 0
    return result_facts(ResultRank.from_score(1)) if is_win else ()


def distance_to_finish(state: State, square: int, seat: int) -> int:
    """Return the steps from a square to the finish of a seat on an empty board."""
    finish = state.options.homes[1][seat % 2]
    return max(abs(square % 8 - finish % 8), abs(square // 8 - finish // 8))


def steps_after(state: State, move: Action) -> int:
    """Return the steps from the target of a pawn's move to its finish, on an empty board."""
    assert isinstance(move, Move)
    return distance_to_finish(state, move.square, state.turn)
