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
from tripot.server.engine_queue import EngineQueue, Priority
from tripot.server.events import Change, Event
from tripot.server.events import bot as bot_player
from tripot.server.live_game import EASIEST_LEVEL_INDEX, LiveGame
from tripot.server.metrics import BOT_DURATION, BOT_FAILURES
from tripot.server.randomness import Randomness

P = ParamSpec("P")
Result = TypeVar("Result")

log = structlog.get_logger("tripot")
NOBODY: Final = ""  # no user has this id
ENGINE_GRACE_SECONDS: Final = 180.0  # beyond its limit; its kernels may have to be compiled first


class BotPool:
    """The bots and a bounded pool of threads. If more bots wait than can search at once, each has less time.

    With a number of simulations the engines are limited by that instead of seconds. `max_kept` bots
    are kept between their moves. On a seeded server none is: which ones are kept depends on what other users
    do, and there the move of a bot must follow from the seed and the position alone.

    Only the event loop adds and removes bots. The threads of the rules show them what happened.
    """

    def __init__(
        self,
        queue: EngineQueue,
        seconds: float,
        simulations: int | None,
        randomness: Randomness,
        max_kept: int,
    ) -> None:
        self.queue, self.seconds, self.simulations = queue, seconds, simulations
        self.randomness = randomness
        self.max_kept = 0 if randomness.seed else max_kept
        self._closer = ThreadPoolExecutor(1, thread_name_prefix="close-bot")  # freeing 550 MB takes 0.1 s
        self._bots: OrderedDict[tuple[str, Seat], Bot] = OrderedDict()  # the one that moved last is last
        self._deciding: set[Bot] = set()  # bots that are searching, or wait for a thread

    def close(self) -> None:
        """Close all bots, and start no more searches."""
        for key in [*self._bots]:
            self._close_bot(key)
        self.queue.close()
        self._closer.shutdown(wait=False)

    # -- bots of games --

    def observe(self, live: LiveGame, events: Sequence[Event]) -> None:
        """Show the bots of a game the positions that some events have led to.

        An evicted game has none: the bots that are found by its id belong to the game that was loaded again.
        """
        if not live.is_in_memory:
            return
        positions = [event.before for event in events[1:] if event.before is not None]
        for seat in range(len(live.table.players)):
            if bot := self._bots.get((live.id, seat)):
                for state in (*positions, live.table.state):
                    bot.observe(state)

    def update(self, live: LiveGame) -> None:
        """Close the bots of a game that are not needed any more after an event."""
        for seat, player in enumerate(live.table.players):
            bot = self._bots.get((live.id, seat))
            if bot and (live.table.outcome or player.level != bot.level or bot in self._deciding):
                self._close_bot((live.id, seat))

    def forget(self, live: LiveGame) -> None:
        """Close all bots of a game that leaves memory."""
        for seat in range(len(live.table.players)):
            self._close_bot((live.id, seat))

    def _bot(self, live: LiveGame, seat: Seat, level: int) -> Bot:
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

    def limit(self, live: LiveGame) -> Limit:
        """The limit of a bot of a game that searches now."""
        return self.limit_of(self.seconds / max(1.0, self.queue.bot_moves_per_thread(client_of(live))))

    def limit_of(self, seconds: float) -> Limit:
        """The limit of an engine that was given some seconds."""
        return Limit(seconds=seconds, simulations=self.simulations)

    def rng(self, live: LiveGame) -> Rng:
        """The random numbers of an engine that searches in a game now."""
        return self.randomness.engine_rng(live.seed, live.seq)

    async def choose_changes(self, live: LiveGame, seq: int) -> list[Change]:
        """What the bot does that acts after event `seq`: it answers an offer, or plays.

        Empty if the game has moved on meanwhile or was evicted from memory. The lock of the game is held to
        read the question, because a thread of the rules may change the table. The search needs no lock.
        """
        async with live.lock:
            if live.seq != seq or not live.is_in_memory:
                return []
            answering, seat, rng = live.bot_to_answer, live.bot_to_act, self.rng(live)
            state = live.table.state
            level = None if seat is None else live.table.players[seat].level
        if answering is not None:
            accepts = await self._run_or_none(live, live.table.bot_accepts, answering, self.limit(live), rng)
            return [Change("accept" if accepts else "decline", answering)]
        if seat is None or level is None:
            return []  # another object of the game was asked, whose event of this number was not stored
        return await self._choose_action(live, seq, seat, level, state, rng)

    async def _choose_action(
        self, live: LiveGame, seq: int, seat: Seat, level: int, state: AnyState, rng: Rng
    ) -> list[Change]:
        """The action of a bot; any legal one if its engine has failed twice and the easiest level too."""
        easiest = live.game.levels[EASIEST_LEVEL_INDEX]
        for tried in (level, level, easiest):
            action = await self._move(live, seat, tried, state, rng)
            if live.seq != seq or not live.is_in_memory:
                return []
            if action is not None:
                replaced = [bot_player(tried, "failed").change(seat)] if tried != level else []
                return [*replaced, Change("action", seat, str(action))]
        action = await self.run(live, random_legal_action, state, seat, rng)
        return [bot_player(easiest, "failed").change(seat), Change("action", seat, str(action))]

    async def _move(self, live: LiveGame, seat: Seat, level: int, state: AnyState, rng: Rng) -> Action | None:
        """The action of the bot of a seat; None if it failed, and then another one plays the next move."""
        bot = self._bot(live, seat, level)
        bot.observe(state)
        self._deciding.add(bot)
        try:
            choice = await self._run_or_none(live, bot.choose, self.limit(live), rng)
        finally:
            self._deciding.discard(bot)
            self._close_surplus()
        if choice is None and self._bots.get((live.id, seat)) is bot:
            self._close_bot((live.id, seat))
        return None if choice is None else choice.action

    async def _run_or_none(
        self, live: LiveGame, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result | None:
        """The result of an engine; None if it failed, or if the game has moved on or was evicted."""
        seq = live.seq
        try:
            return await self.run(live, work, *args, **kwargs)
        except asyncio.CancelledError:
            raise
        except Exception:
            if live.seq == seq and live.is_in_memory:
                BOT_FAILURES.labels(live.game.key).inc()
                log.exception("an engine failed", game_id=live.id, game_key=live.game.key)
            return None

    async def run(
        self, live: LiveGame, work: Callable[P, Result], *args: P.args, **kwargs: P.kwargs
    ) -> Result:
        """Run work for a bot of a game; TimeoutError if it takes far too long."""
        return await self._run(
            lambda: work(*args, **kwargs), Priority.BOT_MOVE, self.seconds, client_of(live)
        )

    async def answer(
        self, work: Callable[[], Result], priority: Priority, seconds: float, client: str
    ) -> Result:
        """Run work for a question of a client; `RequestError` if the engines are busy."""
        return await self._run(work, priority, seconds, client)

    async def _run(
        self, work: Callable[[], Result], priority: Priority, seconds: float, client: str
    ) -> Result:
        started_at = time.monotonic()
        job = await self.queue.start(work, priority, seconds, client)
        try:
            return await asyncio.wait_for(asyncio.shield(job), seconds + ENGINE_GRACE_SECONDS)
        finally:
            BOT_DURATION.observe(time.monotonic() - started_at)


def client_of(live: LiveGame) -> str:
    """For whom the bots of a game search: its creator, or nobody once bots have all its seats.

    Such games have one turn together. Otherwise a visitor who creates many and leaves them at once would slow
    down the bots of everybody else, with a new cookie for each.
    """
    return live.creator_id if live.has_humans else NOBODY


def random_legal_action(state: AnyState, seat: Seat, rng: Rng) -> Action:
    """Any legal action, so that the game goes on even if the easiest level fails."""
    action: Action = rng.choice(state.view(seat).legal_actions())
    return action
