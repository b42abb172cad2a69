"""The queue in front of the engine threads: bot moves first, then hints, then analyses.

The number of questions of users is bounded, and every client has its turn. Questions never occupy all threads
if there are several, so that a long analysis does not hold up a bot.
"""

from __future__ import annotations

import asyncio
import heapq
import math
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple, TypeVar

from tripot.server.errors import server_busy
from tripot.server.metrics import BOT_QUEUE_LENGTH, ENGINE_REQUESTS_REFUSED

Result = TypeVar("Result")

SHORTEST_RETRY: Final = 1  # seconds


class Priority(IntEnum):
    """What an engine is asked for; the lowest number comes first."""

    BOT_MOVE = 0
    HINT = 1
    ANALYSIS = 2


class _Waiting(NamedTuple):
    """A waiting job. With the same priority, the job of the client with the fewest questions comes first."""

    priority: Priority
    earlier_questions: int  # of the same client, running or waiting
    number: int  # in order of arrival
    seconds: float
    turn: asyncio.Future[None]


class EngineQueue:
    """A bounded number of threads, and jobs that wait for them in order of priority.

    `max_questions` is the number of questions (hints and analyses) that may run or wait, and
    `max_questions_per_client` that of one client. Bot moves always wait: there is at most one per game.
    """

    def __init__(self, threads: int, max_questions: int, max_questions_per_client: int) -> None:
        self.threads, self.max_questions = threads, max_questions
        self.max_questions_per_client = max_questions_per_client
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="bot")
        self._waiting: list[_Waiting] = []  # a heap
        self._numbers = count()
        self._running: Counter[Priority] = Counter()
        self._running_seconds = 0.0  # that the running jobs were given
        self._questions: Counter[str] = Counter()  # by client, running or waiting

    @property
    def length(self) -> int:
        """The number of jobs that are running or waiting."""
        return self._running.total() + len(self._waiting)

    @property
    def bot_moves(self) -> int:
        """The number of bot moves that are running or waiting."""
        waiting = sum(each.priority is Priority.BOT_MOVE for each in self._waiting)
        return self._running[Priority.BOT_MOVE] + waiting

    @property
    def waiting_seconds(self) -> int:
        """An estimate of the seconds until another question would be answered."""
        waiting = sum(each.seconds for each in self._waiting)
        return max(SHORTEST_RETRY, math.ceil((self._running_seconds + waiting) / self.threads))

    def close(self) -> None:
        """Start no more jobs."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def start(
        self, work: Callable[[], Result], priority: Priority, seconds: float, client: str = ""
    ) -> asyncio.Future[Result]:
        """Wait for a thread, start work in it, and return its future.

        `seconds` is the limit of the engine, from which the waiting time of others is estimated. Raises
        `RequestError` if there are too many questions, or too many of this client. A job that nobody waits
        for any more keeps its thread until it ends.
        """
        is_question = priority is not Priority.BOT_MOVE
        if is_question:
            self.check_room(client)
            self._questions[client] += 1
        try:
            await self._wait_for_thread(priority, seconds, self._questions[client] if is_question else 0)
            job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except BaseException:
            if is_question:
                self._forget_question(client)
            raise

        def on_done(_: object) -> None:
            if is_question:
                self._forget_question(client)
            self._release(priority, seconds)

        job.add_done_callback(on_done)
        return job

    def check_room(self, client: str) -> None:
        """Raise `RequestError` if no question of a client is accepted now."""
        is_full = self._questions.total() >= self.max_questions
        if is_full or self._questions[client] >= self.max_questions_per_client:
            ENGINE_REQUESTS_REFUSED.inc()
            raise server_busy(self.waiting_seconds)

    def _forget_question(self, client: str) -> None:
        self._questions[client] -= 1
        if not self._questions[client]:
            del self._questions[client]

    # -- threads --

    def _has_thread(self, priority: Priority) -> bool:
        """Whether a job may start now. Questions leave one thread to the bots, if there are several."""
        running = self._running.total()
        questions = running - self._running[Priority.BOT_MOVE]
        may_ask = priority is Priority.BOT_MOVE or questions < max(1, self.threads - 1)
        return running < self.threads and may_ask

    async def _wait_for_thread(self, priority: Priority, seconds: float, earlier_questions: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(priority, earlier_questions, next(self._numbers), seconds, turn)
        heapq.heappush(self._waiting, waiting)
        self._grant_threads()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._waiting.remove(waiting)
                heapq.heapify(self._waiting)
            else:  # it was cancelled after it had got its thread
                self._release(priority, seconds)
            raise

    def _grant_threads(self) -> None:
        """Give free threads to the jobs that come next."""
        while self._waiting and self._has_thread(self._waiting[0].priority):
            next_job = heapq.heappop(self._waiting)
            self._running[next_job.priority] += 1
            self._running_seconds += next_job.seconds
            next_job.turn.set_result(None)
        BOT_QUEUE_LENGTH.set(self.length)

    def _release(self, priority: Priority, seconds: float) -> None:
        self._running[priority] -= 1
        self._running_seconds -= seconds
        self._grant_threads()
