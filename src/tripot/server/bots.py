"""The threads in which engines think. Kernels let go of the GIL, so the server goes on meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

import structlog

from tripot.game import Action, AnyGame, AnyState, Limit, Rng, Seat
from tripot.server.live import SIMPLEST, Live, What
from tripot.server.metrics import BOT_FAILURES, BOT_SECONDS, BOTS_WAITING
from tripot.server.randomness import Randomness

P = ParamSpec("P")
Result = TypeVar("Result")

log = structlog.get_logger("tripot")
PATIENCE: Final = 180.0  # seconds beyond its limit; it may have to be compiled first, on a slow machine


class Bots:
    """A bounded pool. When more wait than can think at once, each thinks for a shorter time.

    With a number of simulations the engines are limited by that instead, whatever the time.
    """

    def __init__(self, threads: int, seconds: float, simulations: int | None, randomness: Randomness) -> None:
        self.threads, self.seconds, self.simulations = threads, seconds, simulations
        self.randomness = randomness
        self.waiting = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")

    def close(self) -> None:
        """Start nothing more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    @property
    def limit(self) -> Limit:
        """How long a bot may think now."""
        return self.limit_of(self.seconds / max(1.0, self.waiting / self.threads))

    def limit_of(self, seconds: float) -> Limit:
        """The limit of an engine that was given some seconds."""
        return Limit(seconds=seconds, simulations=self.simulations)

    def rng(self, live: Live) -> Rng:
        """The random numbers of an engine that is asked about a game now."""
        return self.randomness.engine_rng(live.seed, live.seq)

    async def decide(self, live: Live) -> list[What]:
        """What the bot that is asked does: it answers an offer, or plays."""
        answering, seat = live.bot_to_answer, live.bot_to_act
        if answering is not None:
            agrees = await self._tried(live, live.table.bot_accepts, answering, self.limit, self.rng(live))
            return [("yes" if agrees else "no", answering, "")]
        assert seat is not None
        return await self._choice(live, seat)

    async def _choice(self, live: Live, seat: Seat) -> list[What]:
        """What a bot plays: tried twice, then with the simplest level instead, then anything legal."""
        level = live.table.players[seat].level
        assert level is not None
        simplest = live.game.levels[SIMPLEST]
        state, rng = live.table.state, self.rng(live)
        for tried in (level, level, simplest):
            action = await self._tried(live, choose, live.game, tried, state, seat, self.limit, rng)
            if action is not None:
                notice: list[What] = [("sit", seat, f"bot {tried} failed")] if tried != level else []
                return [*notice, ("act", seat, str(action))]
        return [
            ("sit", seat, f"bot {simplest} failed"),
            ("act", seat, str(await self.run(anything, state, seat, rng))),
        ]

    async def _tried(
        self, live: Live, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result | None:
        """The result of an engine's work, or None if it failed."""
        try:
            return await self.run(work, *args, **kwargs)
        except asyncio.CancelledError:
            raise
        except Exception:
            BOT_FAILURES.labels(live.game.key).inc()
            log.exception("an engine failed", game=live.id, kind=live.game.key)
            return None

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


def choose(game: AnyGame, level: int, state: AnyState, seat: Seat, limit: Limit, rng: Rng) -> Action:
    """What a level plays, given what its seat sees."""
    action: Action = game.engine(level).choose(state.view(seat), limit, rng).action
    return action


def anything(state: AnyState, seat: Seat, rng: Rng) -> Action:
    """When even the simplest level fails: any legal action, so that the game goes on."""
    action: Action = rng.choice(state.view(seat).legal_actions())
    return action
