"""The tunable numbers of the engine that do not depend on its level."""

from __future__ import annotations

from typing import Final, NamedTuple


class RandomOpponentParams(NamedTuple):
    """Value iteration against an opponent who moves at random. Numba compiles the fields as constants."""

    discount: float = 0.98
    """Factor per ply, so that early chances count more than late ones. Chosen, not tuned."""

    tolerance: float = 1e-3
    """The iteration ends when no value changes by more in a sweep. Chosen, not tuned."""

    max_sweeps: int = 60
    """The sweeps after which the iteration ends in any case. Chosen, not tuned."""


class SamplingParams(NamedTuple):
    """Analyses that sample: with hidden tiles, and while tiles are laid."""

    far_plies: int = 50
    """Hidden tiles: a win at this distance in plies, or farther away, counts half. Chosen, not tuned."""

    hidden_team_depth: int = 1
    """Hidden tiles, four players: the plies that are searched. Chosen, not tuned: deeper searches mostly see
    tiles that are not there."""

    min_squares: int = 3
    """Laying tiles: the number of squares at which sequential halving ends. Chosen, not tuned."""

    first_samples: int = 4
    """Laying tiles: the completions per square before the first halving. Chosen, not tuned."""


RANDOM_OPPONENT_PARAMS: Final = RandomOpponentParams()
SAMPLING_PARAMS: Final = SamplingParams()
