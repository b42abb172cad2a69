"""The queue in front of the engines: order, refusals, and cancelled requests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from tripot.server.engine_queue import MAX_PASSING_BOT_MOVES, EngineQueue, Priority
from tripot.server.errors import RequestError

BOT, HINT, ANALYSIS = Priority.BOT_MOVE, Priority.HINT, Priority.ANALYSIS


class Jobs:
    """Jobs in a queue that note when they run, the first ones held back until `open`."""

    def __init__(self, threads: int = 1, questions: int = 9, per_client: int = 9) -> None:
        self.queue = EngineQueue(threads, questions, per_client)
        self.done: list[str] = []
        self.opened = threading.Event()
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, name: str, priority: Priority, client: str = "", seconds: float = 1.0) -> None:
        """Ask for a job, and return once it runs, waits or is refused."""

        def work() -> None:
            self.opened.wait()
            self.done.append(name)

        async def run() -> None:
            await (await self.queue.start(work, priority, seconds, client))

        length, task = self.queue.length, asyncio.create_task(run())
        self.tasks.append(task)
        while self.queue.length == length and not task.done():
            await asyncio.to_thread(int)

    async def finish(self) -> list[str]:
        self.opened.set()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        self.queue.close()
        assert (self.queue.length, {**self.queue._questions, **self.queue._bot_moves}) == (0, {})
        assert self.queue._running_seconds == 0
        return self.done


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        await work()

    asyncio.run(main())


def test_bot_moves_come_before_hints_and_hints_before_analyses() -> None:
    async def work() -> None:
        jobs = Jobs()
        await jobs.ask("running", ANALYSIS, "eve")
        for name, priority in (("analysis", ANALYSIS), ("hint", HINT), ("bot", BOT), ("bot 2", BOT)):
            await jobs.ask(name, priority, name)
        assert await jobs.finish() == ["running", "bot", "bot 2", "hint", "analysis"]

    run(work)


def test_every_client_has_its_turn() -> None:
    """12 analyses of one address made the hint of a stranger wait for a minute."""

    async def work() -> None:
        jobs = Jobs()
        for number in range(4):
            await jobs.ask(f"eve {number}", HINT, "eve")
        await jobs.ask("ann", HINT, "ann")
        assert await jobs.finish() == ["eve 0", "ann", "eve 1", "eve 2", "eve 3"]

    run(work)


def test_only_a_few_bot_moves_pass_a_question() -> None:
    """Three games between bots asked without a pause, and no hint was given until they had ended."""

    async def work() -> None:
        jobs = Jobs()
        await jobs.ask("running", BOT)
        await jobs.ask("hint", HINT, "ann")
        for number in range(MAX_PASSING_BOT_MOVES + 2):
            await jobs.ask(f"bot {number}", BOT)
        done = await jobs.finish()
        assert done.index("hint") == 1 + MAX_PASSING_BOT_MOVES

    run(work)


def test_bots_of_a_user_with_many_games_wait_for_those_of_others() -> None:
    async def work() -> None:
        jobs = Jobs()
        for number in range(4):
            await jobs.ask(f"eve {number}", BOT, "eve")
        assert jobs.queue.bot_moves_per_thread("ann") == 2
        assert jobs.queue.bot_moves_per_thread("eve") == 5
        await jobs.ask("ann", BOT, "ann")
        assert await jobs.finish() == ["eve 0", "ann", "eve 1", "eve 2", "eve 3"]

    run(work)


@pytest.mark.parametrize(("threads", "analyses"), [(2, 1), (3, 1), (4, 2)])
def test_analyses_leave_a_thread_to_the_hints(threads: int, analyses: int) -> None:
    """A hint of 0.1 s waited for a whole analysis of 10 s."""

    async def work() -> None:
        jobs = Jobs(threads=threads)
        for number in range(threads):
            await jobs.ask(f"eve {number}", ANALYSIS, "eve")
        assert jobs.queue._running == {ANALYSIS: analyses}
        await jobs.ask("hint", HINT, "ann")
        assert jobs.queue._running == {ANALYSIS: analyses, HINT: 1}
        await jobs.ask("another", HINT, "bob")
        assert jobs.queue._running == {ANALYSIS: analyses, HINT: 1}
        await jobs.ask("bot", BOT)
        assert jobs.queue._running[BOT] == (threads > 2)
        assert len(await jobs.finish()) == threads + 3

    run(work)


def test_questions_leave_a_thread_to_the_bots() -> None:
    async def work() -> None:
        jobs = Jobs(threads=2)
        await jobs.ask("analysis", ANALYSIS, "eve")
        await jobs.ask("another", ANALYSIS, "ann")
        assert jobs.queue._running == {ANALYSIS: 1}
        await jobs.ask("bot", BOT)
        assert jobs.queue._running == {ANALYSIS: 1, BOT: 1}
        assert sorted(await jobs.finish()) == ["analysis", "another", "bot"]

    run(work)


@pytest.mark.parametrize(("questions", "per_client"), [(3, 9), (9, 3)])
def test_too_many_questions_are_refused_with_the_seconds_to_wait(questions: int, per_client: int) -> None:
    async def work() -> None:
        jobs = Jobs(questions=questions, per_client=per_client)
        for number in range(3):
            await jobs.ask(f"eve {number}", ANALYSIS, "eve", seconds=10.0)
        with pytest.raises(RequestError, match="busy") as refused:
            await jobs.queue.start(int, HINT, 0.1, "eve")
        assert (refused.value.status, refused.value.body.retry_after) == (503, 30)
        await jobs.ask("bot", BOT)
        assert await jobs.finish() == ["eve 0", "bot", "eve 1", "eve 2"]

    run(work)


def test_a_cancelled_request_frees_its_place_and_its_thread() -> None:
    async def work() -> None:
        jobs = Jobs()
        await jobs.ask("running", BOT)
        await jobs.ask("waiting", HINT, "eve")
        await jobs.ask("last", ANALYSIS, "ann")
        jobs.tasks[1].cancel()
        await asyncio.gather(jobs.tasks[1], return_exceptions=True)
        assert jobs.queue.length == 2
        jobs.tasks[0].cancel()
        await asyncio.gather(jobs.tasks[0], return_exceptions=True)
        assert await jobs.finish() == ["running", "last"], "a thread cannot be interrupted"

    run(work)


def test_a_job_that_is_cancelled_when_it_gets_its_thread_gives_it_back() -> None:
    async def work() -> None:
        queue = EngineQueue(1, 9, 9)
        task = asyncio.create_task(queue.start(int, HINT, 1.0, "eve"))
        asyncio.get_running_loop().call_soon(task.cancel)
        await asyncio.gather(task, return_exceptions=True)
        while queue.length:
            await asyncio.to_thread(int)
        assert await (await queue.start(lambda: 7, HINT, 1.0, "ann")) == 7
        queue.close()

    run(work)
