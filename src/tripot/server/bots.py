"""The threads in which engines think. Kernels let go of the GIL, so the server goes on meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Final, ParamSpec, TypeVar

from tripot.game import Action, AnyGame, AnyState, Limit
from tripot.server.metrics import BOT_SECONDS, BOTS_WAITING

P = ParamSpec("P")
Result = TypeVar("Result")

PATIENCE: Final = 180.0  # seconds beyond its limit; it may have to be compiled first, on a slow machine


class Bots:
    """A bounded pool. When more wait than can think at once, each thinks for a shorter time."""

    def __init__(self, threads: int, seconds: float) -> None:
        self.threads, self.seconds = threads, seconds
        self.waiting = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")

    def close(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def limit(self) -> Limit:
        """How long a bot may think now."""
        return Limit(seconds=self.seconds / max(1.0, self.waiting / self.threads))

    async def run(self, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
        """Do some work in a thread of the pool; TimeoutError if it takes far too long."""
        self.waiting += 1
        BOTS_WAITING.set(self.waiting)
        began = time.monotonic()
        try:
            loop = asyncio.get_running_loop()
            job = loop.run_in_executor(self._pool, lambda: work(*args, **kwargs))
            turns = max(1.0, self.waiting / self.threads)
            return await asyncio.wait_for(asyncio.shield(job), turns * (self.seconds + PATIENCE))
        finally:
            self.waiting -= 1
            BOTS_WAITING.set(self.waiting)
            BOT_SECONDS.observe(time.monotonic() - began)


def choose(game: AnyGame, level: int, view: AnyState, limit: Limit) -> Action:
    """What a level plays, given what its seat sees."""
    action: Action = game.engine(level).choose(view, limit, Random()).action
    return action


def anything(view: AnyState) -> Action:
    """When even the simplest level fails: any legal action, so that the game goes on."""
    action: Action = Random().choice(view.legal())
    return action
