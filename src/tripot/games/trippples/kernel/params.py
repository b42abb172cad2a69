"""The tunable numbers of the engine that do not depend on its level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple


class RandomOpponentParams(NamedTuple):
    """Value iteration against an opponent who moves at random. Numba compiles the fields as constants."""

    discount: float = 0.98
    """Factor per ply, so that early chances count more than late ones. Chosen, not tuned."""

    tolerance: float = 1e-3
    """The iteration ends when no value changes by more in a sweep. Chosen, not tuned."""

    max_sweeps: int = 60
    """The sweeps after which the iteration ends in any case. Chosen, not tuned."""


@dataclass(frozen=True, slots=True)
class SamplingParams:
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


@dataclass(frozen=True, slots=True)
class TeamSearchParams:
    """The search of the four-player game, and the order of moves while its solution is incomplete."""

    depth_bonus: int = 100
    """Remaining plies per point of a score, so that quick wins and slow losses are preferred. Chosen, not
    tuned: any number above the largest depth gives the same order."""

    steps_per_point: int = 16
    """Steps to the finish per point of a static value. Chosen, not tuned: with at most 7 steps, static values
    stay within 7/16, away from wins and losses."""

    typical_depth: int = 50
    """The plies of a solution at which the reported progress is one half. Chosen, not tuned."""


@dataclass(frozen=True, slots=True)
class MemoryParams:
    """How many solutions are kept in memory. Chosen, not tuned."""

    max_layouts: int = 64
    """Two players: the layouts whose solutions are kept, 50 kB each, and tables of values, 64 kB each."""

    max_team_bytes: int = 256 * 2**20
    """Four players: the bytes of all solvers that are kept, enough for three or four layouts."""


RANDOM_OPPONENT_PARAMS: Final = RandomOpponentParams()
SAMPLING_PARAMS: Final = SamplingParams()
TEAM_SEARCH_PARAMS: Final = TeamSearchParams()
MEMORY_PARAMS: Final = MemoryParams()
