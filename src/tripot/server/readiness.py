"""Whether the server can write games now. The answer comes within a second, whatever is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, Final

PROBE_SECONDS: Final = 0.8  # load balancers wait a second
REUSE_SECONDS: Final = 1.0  # so that many requests cause one write per second


class ReadinessProbe:
    """Runs one check at a time, however many ask. A check that has not ended in time counts as failed."""

    def __init__(self, check: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._check = check
        self._task: asyncio.Task[None] | None = None
        self._started_at = 0.0

    async def is_ready(self) -> bool:
        """Whether the last check, or a new one if that is old, has succeeded."""
        now = asyncio.get_running_loop().time()
        if self._task is None or (self._task.done() and now - self._started_at > REUSE_SECONDS):
            self._task, self._started_at = asyncio.create_task(self._check()), now
            self._task.add_done_callback(
                lambda done: done.cancelled() or done.exception()
            )  # it has been seen
        await asyncio.wait([self._task], timeout=PROBE_SECONDS)
        return self._task.done() and not self._task.cancelled() and self._task.exception() is None

    async def close(self) -> None:
        """Wait for a check that has not ended. Its calls of the database have a limit."""
        if self._task:
            await asyncio.gather(self._task, return_exceptions=True)
