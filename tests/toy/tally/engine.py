"""Level 1 takes at random, level 2 takes the most."""

from __future__ import annotations

from tripot.game import Analysis, AnyState, Candidate, Engine, Limit, Rng
from tripot.games.tally.kernel import moves


class TallyEngine(Engine):
    def __init__(self, level: int) -> None:
        super().__init__()
        self.level = level

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        if self.level == 1:
            return Candidate(rng.choice(view.legal_actions()), 0.0)
        return self._analyse(view, limit, rng).candidates[0]

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        most = moves.best_take(view.to_json()["heap"])
        choices = [Candidate(action, int(str(action)[-1]) / most) for action in view.legal_actions()]
        return Analysis(tuple(sorted(choices, key=lambda choice: -choice.value)))
