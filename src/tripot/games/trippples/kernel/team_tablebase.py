"""The solutions of four-player layouts that are kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Final

from tripot.games.trippples.actions import Options
from tripot.games.trippples.kernel.solver import pack_layout
from tripot.games.trippples.kernel.teams import TeamSolver

MAX_SOLUTIONS: Final = 1  # 64 MB each


class TeamSolverCache:
    """The most recently used team solvers. Threads that ask for the same layout get the same solver."""

    def __init__(self, max_size: int) -> None:
        self._max_size = max_size
        self._solvers: OrderedDict[tuple[bytes, Options], TeamSolver] = OrderedDict()
        self._lock = Lock()

    def get(self, tiles: bytes, options: Options) -> TeamSolver:
        """Return the solver of a layout, which may be new and unsolved, and forget the oldest one."""
        key = (tiles, options)
        with self._lock:
            if key not in self._solvers:
                self._solvers[key] = TeamSolver(pack_layout(tiles, options), options.freeze)
            self._solvers.move_to_end(key)
            if len(self._solvers) > self._max_size:
                self._solvers.popitem(last=False)
            return self._solvers[key]


TEAM_SOLVERS: Final = TeamSolverCache(MAX_SOLUTIONS)
