"""Engines with fixed results, for tests of what commands print."""

from __future__ import annotations

from tripot.game import Analysis, AnyState, Candidate, DistanceMap, Engine, ExpectedOutcome, Limit, Rng


class FixedValueEngine(Engine):
    """Gives every position the same value."""

    def __init__(self, value: float) -> None:
        super().__init__()
        self.value = value

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        return Candidate(view.legal_actions()[0], self.value)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


class FixedEngine(FixedValueEngine):
    """Returns the first actions with expected outcomes, the others without, and a distance map."""

    def __init__(self) -> None:
        super().__init__(0.5)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        one, two, *others = view.legal_actions()
        pv = (one, view.apply(one).legal_actions()[0])
        best = Candidate(one, 0.25, pv, expected=ExpectedOutcome(0.62, (3.0, -2.0)))
        second = Candidate(two, 0.1, expected=ExpectedOutcome(0.4, (-1.0, 0.0)))
        return Analysis(
            (best, second, *(Candidate(action, 0.0) for action in others)),
            distance_maps=(DistanceMap("white", {"a1": 1}),),
        )
