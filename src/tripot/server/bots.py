"""The bots of all games, and the threads in which they search. Kernels release the GIL meanwhile.

There is one bot per seat that a bot plays, so that an engine can keep its search tree from move to move. Such
a tree may have several hundred megabytes, so only a few bots are kept between their moves: those that moved
last. A bot is closed when its game ends or leaves memory, when another player takes its seat, and when the
game moves on while it searches, as after an undo. A new bot then makes the next move.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, ParamSpec, TypeVar

import structlog

from tripot.bot import Bot
from tripot.game import Action, AnyState, Limit, Rng, Seat
from tripot.server.live import SIMPLEST, Event, Live, What
from tripot.server.metrics import BOT_FAILURES, BOT_SECONDS, BOTS_WAITING
from tripot.server.randomness import Randomness

P = ParamSpec("P")
Result = TypeVar("Result")

log = structlog.get_logger("tripot")
PATIENCE: Final = 180.0  # seconds beyond its limit; it may have to be compiled first, on a slow machine


class Bots:
    """A bounded pool. When more wait than can think at once, each thinks for a shorter time.

    With a number of simulations the engines are limited by that instead, whatever the time. `max_kept` bots
    are kept between their moves. On a seeded server none is: which ones are kept depends on what other users
    do, and there the move of a bot must follow from the seed and the position alone.

    Only the event loop adds and removes bots. The threads of the rules show them what happened.
    """

    def __init__(
        self, threads: int, seconds: float, simulations: int | None, randomness: Randomness, max_kept: int
    ) -> None:
        self.threads, self.seconds, self.simulations = threads, seconds, simulations
        self.randomness = randomness
        self.max_kept = 0 if randomness.seed else max_kept
        self.waiting = 0
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._closer = ThreadPoolExecutor(1, thread_name_prefix="close-bot")  # freeing 550 MB takes 0.1 s
        self._bots: OrderedDict[tuple[str, Seat], Bot] = OrderedDict()  # the one that moved last is last
        self._deciding: set[Bot] = set()  # bots that are searching, or wait for a thread

    def close(self) -> None:
        """Start nothing more, and stop what is searching."""
        for key in [*self._bots]:
            self._close_bot(key)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._closer.shutdown(wait=False)

    # -- bots of games --

    def observe(self, live: Live, events: Sequence[Event]) -> None:
        """Show the bots of a game the positions that some events have led to."""
        positions = [event.before for event in events[1:] if event.before is not None]
        for seat in range(len(live.table.players)):
            if bot := self._bots.get((live.id, seat)):
                for state in (*positions, live.table.state):
                    bot.observe(state)

    def update(self, live: Live) -> None:
        """Close the bots of a game that something has happened in, where they are not needed any more."""
        for seat, player in enumerate(live.table.players):
            bot = self._bots.get((live.id, seat))
            if bot and (live.table.outcome or player.level != bot.level or bot in self._deciding):
                self._close_bot((live.id, seat))

    def forget(self, live: Live) -> None:
        """Close all bots of a game that leaves memory."""
        live.is_in_memory = False
        for seat in range(len(live.table.players)):
            self._close_bot((live.id, seat))

    def _bot(self, live: Live, seat: Seat, level: int) -> Bot:
        """The bot of a seat, kept or new."""
        key = live.id, seat
        bot = self._bots.get(key)
        if bot is None or bot.level != level or bot in self._deciding:
            self._close_bot(key)
            bot = self._bots[key] = Bot(live.game, level, seat)
        self._bots.move_to_end(key)
        return bot

    def _close_bot(self, key: tuple[str, Seat]) -> None:
        if bot := self._bots.pop(key, None):
            self._closer.submit(bot.close)

    def _close_surplus(self) -> None:
        """Close the bots that moved longest ago, so that no more than `max_kept` are kept between moves."""
        idle = [key for key, bot in self._bots.items() if bot not in self._deciding]
        for key in idle[: max(0, len(idle) - self.max_kept)]:
            self._close_bot(key)

    # -- decisions --

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
        """What the bot that is asked does: it answers an offer, or plays; nothing if the game was dropped."""
        if not live.is_in_memory:
            return []
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
        state, seq, rng = live.table.state, live.seq, self.rng(live)
        for tried in (level, level, simplest):
            action = await self._move(live, seat, tried, state, rng)
            if live.seq != seq or not live.is_in_memory:
                return []  # the game has moved on meanwhile, or was dropped
            if action is not None:
                notice: list[What] = [("sit", seat, f"bot {tried} failed")] if tried != level else []
                return [*notice, ("act", seat, str(action))]
        return [
            ("sit", seat, f"bot {simplest} failed"),
            ("act", seat, str(await self.run(anything, state, seat, rng))),
        ]

    async def _move(self, live: Live, seat: Seat, level: int, state: AnyState, rng: Rng) -> Action | None:
        """What the bot of a seat plays; None if it failed, and then another one plays the next move."""
        bot = self._bot(live, seat, level)
        bot.observe(state)
        self._deciding.add(bot)
        try:
            choice = await self._tried(live, bot.choose, self.limit, rng)
        finally:
            self._deciding.discard(bot)
            self._close_surplus()
        if choice is None and self._bots.get((live.id, seat)) is bot:
            self._close_bot((live.id, seat))
        return None if choice is None else choice.action

    async def _tried(
        self, live: Live, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result | None:
        """The result of an engine's work, or None if it failed, or the game has moved on or was dropped."""
        seq = live.seq
        try:
            return await self.run(work, *args, **kwargs)
        except asyncio.CancelledError:
            raise
        except Exception:
            if live.seq == seq and live.is_in_memory:
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


def anything(state: AnyState, seat: Seat, rng: Rng) -> Action:
    """When even the simplest level fails: any legal action, so that the game goes on."""
    action: Action = rng.choice(state.view(seat).legal_actions())
    return action
