"""Level 1 takes at random, level 2 takes the most."""

from __future__ import annotations

from tripot.game import Analysis, AnyState, Choice, Engine, Limit, Rng
from tripot.games.tally.kernel import moves


class Tallier(Engine):
    def __init__(self, level: int) -> None:
        self.level = level

    def choose(self, view: AnyState, limit: Limit, rng: Rng) -> Choice:
        if self.level == 1:
            return Choice(rng.choice(view.legal()), 0.0)
        return self.analyse(view, limit, rng).choices[0]

    def analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        most = moves.best_take(view.json()["heap"])
        choices = [Choice(action, int(str(action)[-1]) / most) for action in view.legal()]
        return Analysis(tuple(sorted(choices, key=lambda choice: -choice.value)))
