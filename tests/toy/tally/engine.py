"""Level 1 takes at random, level 2 takes the maximum."""

from __future__ import annotations

from tripot.game import Analysis, AnyState, Candidate, Engine, ExpectedOutcome, Limit, Rng
from tripot.games.tally.kernel import moves
from tripot.games.tally.rules import State


class TallyEngine(Engine):
    state_type = State

    def __init__(self, level: int) -> None:
        super().__init__()
        self.level = level

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        analysis = self._analyse(view, limit, rng)
        return rng.choice(analysis.candidates) if self.level == 1 else analysis.candidates[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        assert isinstance(view, State)
        best = moves.best_take(view.heap)
        expected = ExpectedOutcome(0.5, tuple(map(float, view.taken)))
        candidates = [
            Candidate(action, int(str(action)[-1]) / best, (action,), expected=expected)
            for action in view.legal_actions()
        ]
        return Analysis(tuple(sorted(candidates, key=lambda candidate: -candidate.value)))
