"""The queue in front of the engine threads: bot moves first, then hints, then analyses.

The number of questions of users is bounded, and every client has its turn. Analyses never occupy all threads
if there are several, so that a long analysis does not hold up a hint or a bot. Of three threads or more, one
is left to the bots. Bot moves do not hold up a question for ever either: only a few of them may pass one.
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
MAX_PASSING_BOT_MOVES: Final = 8
"""How many bot moves may start while a question waits that could have started instead. Games between bots ask
without a pause: three of them held up all questions until they ended."""


class Priority(IntEnum):
    """What an engine is needed for; the lowest number comes first."""

    BOT_MOVE = 0
    HINT = 1
    ANALYSIS = 2


class _Waiting(NamedTuple):
    """A waiting job. With the same priority, the job of the client with the fewest jobs comes first."""

    priority: Priority
    earlier_jobs: int  # of the same client, running or waiting: questions, or bot moves
    number: int  # in order of arrival
    seconds: float
    turn: asyncio.Future[None]


class EngineQueue:
    """A bounded number of threads, and jobs that wait for them in order of priority.

    `max_questions` is the number of questions (hints and analyses) that may run or wait, and
    `max_questions_per_client` that of one client. Bot moves are never refused: there is at most one per game.
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
        self._bot_moves: Counter[str] = Counter()  # the same
        self._passing = 0  # bot moves that started since the next question could have started

    @property
    def length(self) -> int:
        """The number of jobs that are running or waiting."""
        return self._running.total() + len(self._waiting)

    def bot_moves_per_thread(self, client: str) -> float:
        """How many bot moves each thread has if every client has as many as this one with one more.

        A client with many moves at once shortens the time of its own bots, and of the others' by its share.
        """
        return len({*self._bot_moves, client}) * (self._bot_moves[client] + 1) / self.threads

    @property
    def _question_threads(self) -> int:
        """The threads that questions may occupy: they leave one to the bots, if there are several.

        Of two threads, a hint may take that one while an analysis runs: see `_may_start`.
        """
        return max(1, self.threads - 1)

    @property
    def _analysis_threads(self) -> int:
        """The threads that analyses may occupy: they leave one to the hints, if there are three or more."""
        return max(1, self.threads - 2)

    def _may_start(self, priority: Priority) -> bool:
        """Whether a free thread may be given to a question.

        Of two threads, an analysis and a hint may occupy both, because an analysis takes much longer.
        """
        hints, analyses = self._running[Priority.HINT], self._running[Priority.ANALYSIS]
        if priority is Priority.ANALYSIS:
            return analyses < self._analysis_threads and hints + analyses < self._question_threads
        return hints + analyses < self._question_threads or (self.threads == 2 and hints == 0)

    @property
    def waiting_seconds(self) -> int:
        """An estimate of the seconds until another question would be answered."""
        waiting = sum(job.seconds for job in self._waiting)
        return max(SHORTEST_RETRY, math.ceil((self._running_seconds + waiting) / self._question_threads))

    def close(self) -> None:
        """Start no more jobs."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def start(
        self, work: Callable[[], Result], priority: Priority, seconds: float, client: str = ""
    ) -> asyncio.Future[Result]:
        """Wait for a thread, start work in it, and return its future.

        `seconds` is the limit of the engine, from which the waiting time of others is estimated. Raises
        `RequestError` if there are too many questions, or too many of this client. A job whose caller
        was cancelled keeps its thread until it ends.
        """
        jobs = self._bot_moves
        if priority is not Priority.BOT_MOVE:
            self.check_room(client)
            jobs = self._questions
        earlier_jobs = jobs[client]
        jobs[client] += 1
        try:
            await self._wait_for_thread(priority, seconds, earlier_jobs)
            job = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except BaseException:
            _discount(jobs, client)
            raise

        def on_done(_: object) -> None:
            _discount(jobs, client)
            self._release(priority, seconds)

        job.add_done_callback(on_done)
        return job

    def check_room(self, client: str) -> None:
        """Raise `RequestError` if no question of a client is accepted now."""
        is_full = self._questions.total() >= self.max_questions
        if is_full or self._questions[client] >= self.max_questions_per_client:
            ENGINE_REQUESTS_REFUSED.inc()
            raise server_busy(self.waiting_seconds)

    # -- threads --

    def _next_job(self) -> _Waiting | None:
        """The job that starts now, if there is a thread for one."""
        running = self._running.total()
        if not self._waiting or running == self.threads:
            return None
        first = self._waiting[0]
        if first.priority is not Priority.BOT_MOVE:
            return first if self._may_start(first.priority) else None
        question = min((job for job in self._waiting if job.priority is not Priority.BOT_MOVE), default=None)
        if question is None or not self._may_start(question.priority):
            return first
        if self._passing == MAX_PASSING_BOT_MOVES:
            return question
        self._passing += 1
        return first

    async def _wait_for_thread(self, priority: Priority, seconds: float, earlier_jobs: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(priority, earlier_jobs, next(self._numbers), seconds, turn)
        heapq.heappush(self._waiting, waiting)
        self._grant_threads()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                self._remove(waiting)
            else:  # it was cancelled after it had got its thread
                self._release(priority, seconds)
            raise

    def _grant_threads(self) -> None:
        """Give free threads to the jobs that come next."""
        while job := self._next_job():
            self._remove(job)
            if job.priority is not Priority.BOT_MOVE:
                self._passing = 0
            self._running[job.priority] += 1
            self._running_seconds += job.seconds
            job.turn.set_result(None)
        BOT_QUEUE_LENGTH.set(self.length)

    def _remove(self, job: _Waiting) -> None:
        self._waiting.remove(job)
        heapq.heapify(self._waiting)

    def _release(self, priority: Priority, seconds: float) -> None:
        self._running[priority] -= 1
        self._running_seconds -= seconds
        self._grant_threads()


def _discount(jobs: Counter[str], client: str) -> None:
    jobs[client] -= 1
    if not jobs[client]:
        del jobs[client]
