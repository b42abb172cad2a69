"""The threads in which the rules run, with a deadline: a position that takes too long stops no other game.

A thread cannot be interrupted. One that misses the deadline is given up: it ends when its work does, and a
new thread takes its place. Its result is dropped, and the caller must not use what it may still change.
"""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Final, TypeVar

import structlog

from tripot.server.clock import ServerTime
from tripot.server.errors import RulesBusyError, RulesTimeoutError
from tripot.server.metrics import RULES_THREADS_LOST

Result = TypeVar("Result")

log = structlog.get_logger("tripot")
RETRY_SECONDS: Final = 1


@dataclass(eq=False, slots=True)
class _Job:
    """Work that waits or runs. `lock` guards the flags; `answer` belongs to the event loop."""

    work: Callable[[], Any]
    answer: asyncio.Future[Any]
    lock: threading.Lock = field(default_factory=threading.Lock)
    has_started: bool = False
    has_ended: bool = False
    is_given_up: bool = False

    def start(self) -> bool:
        """Whether the work is still wanted."""
        with self.lock:
            self.has_started = not self.is_given_up
            return self.has_started

    def end(self, result: Any, error: BaseException | None) -> bool:
        """Answer, and return whether that came in time."""
        with self.lock:
            self.has_ended = True
            if self.is_given_up:
                return False
        with suppress(RuntimeError):  # the event loop is closed
            self.answer.get_loop().call_soon_threadsafe(self._resolve, result, error)
        return True

    def _resolve(self, result: Any, error: BaseException | None) -> None:
        if self.answer.done():
            return
        if error is None:
            self.answer.set_result(result)
        else:
            self.answer.set_exception(error)

    def give_up(self) -> bool:
        """Want no answer any more, unless the work has ended just now."""
        with self.lock:
            self.is_given_up = not self.has_ended
            return self.is_given_up


class RulesPool:
    """Some threads. `seconds` is the time for waiting and working together."""

    def __init__(self, threads: int, seconds: float, time: ServerTime) -> None:
        self._threads, self._seconds, self._time = threads, seconds, time
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        for _ in range(threads):
            self._start_thread()

    def _start_thread(self) -> None:
        # A daemon, so that one that never ends does not hold up the end of the process.
        threading.Thread(target=self._run_jobs, name="rules", daemon=True).start()

    def _run_jobs(self) -> None:
        while (job := self._queue.get()) is not None:
            if not job.start():
                continue
            result, error = None, None
            try:
                result = job.work()
            except BaseException as raised:  # the caller gets it, whatever it is
                error = raised
            if not job.end(result, error):
                return  # another thread has taken the place of this one
            del job, result, error  # nothing is kept while the thread waits

    def close(self) -> None:
        """Let the threads end after their work."""
        for _ in range(self._threads):
            self._queue.put(None)

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result of work in a thread.

        Raises `RulesBusyError` if no thread was free before the deadline, and `RulesTimeoutError` if the work
        had not ended. A cancellation waits for the end of the work, or for the deadline, so that the caller
        does not release the lock of a game that is still being read or changed.
        """
        job = _Job(work, asyncio.get_running_loop().create_future())
        self._queue.put(job)
        timer = self._time.call_later(self._seconds, lambda: self._expire(job))
        try:
            return await asyncio.shield(job.answer)
        except asyncio.CancelledError:
            await asyncio.wait([job.answer])
            job.answer.exception()  # read it: the caller was cancelled
            raise
        finally:
            timer.cancel()

    def _expire(self, job: _Job) -> None:
        if job.answer.done() or not job.give_up():
            return
        if not job.has_started:
            job.answer.set_exception(RulesBusyError(math.ceil(self._seconds)))
            return
        RULES_THREADS_LOST.inc()
        log.error("the rules did not answer in time", seconds=self._seconds)
        self._start_thread()
        job.answer.set_exception(RulesTimeoutError(RETRY_SECONDS))
