"""Rules that take too long: others are served, the game is loaded again, and the threads are replaced."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tests.server.in_process import ME, SETTINGS, FakeTime, run_games, watch
from tests.server.test_game_service import same

import tripot
from tripot.game import AnyState
from tripot.server.errors import RulesBusyError, RulesTimeoutError
from tripot.server.game_service import RULES_THREADS, GameService
from tripot.server.rules_pool import RulesPool

DEADLINE = 10.0  # of a time that only a test advances
STATE = type(tripot.get_game("trippples").initial_state())


class EndlessRules:
    """Lets the next calls of the rules, `held` of them, not return until the end of the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.held = 0
        self.released = threading.Event()
        self._called = threading.Semaphore(0)
        apply = STATE.apply

        def apply_or_wait(state: AnyState, action: object) -> AnyState:
            if self.held:
                self.held -= 1
                self._called.release()
                self.released.wait()
            return apply(state, action)

        monkeypatch.setattr(STATE, "apply", apply_or_wait)

    async def called(self) -> None:
        """Wait until the rules are asked."""
        await asyncio.to_thread(self._called.acquire)


@pytest.fixture
def rules(monkeypatch: pytest.MonkeyPatch) -> Iterator[EndlessRules]:
    endless = EndlessRules(monkeypatch)
    yield endless
    endless.released.set()


async def act(games: GameService, game_id: str, action: str) -> None:
    await games.act(game_id, "ann", "action", action, None, None)


def test_actions_that_never_return_hold_up_no_other_game(sqlite_url: str, rules: EndlessRules) -> None:
    """A few of them occupied all threads of the rules, and the server answered nothing any more."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        lives = [
            await games.create("ann", "trippples", {}, [ME, ME], "Ann") for _ in range(RULES_THREADS + 1)
        ]
        actions = [str(live.table.state.legal_actions()[0]) for live in lives]
        spectator = await watch(games, lives[0])
        rules.held = RULES_THREADS
        stuck = [asyncio.create_task(act(games, lives[at].id, actions[at])) for at in range(RULES_THREADS)]
        for _ in stuck:
            await rules.called()
        time.advance(DEADLINE / 2)
        waiting = asyncio.create_task(act(games, lives[-1].id, actions[-1]))
        while not lives[-1].lock.locked():
            await asyncio.sleep(0)
        time.advance(DEADLINE / 2)
        for refused in await asyncio.gather(*stuck, return_exceptions=True):
            assert isinstance(refused, RulesTimeoutError)
            assert (refused.status, refused.code, refused.body.retry_after) == (503, "busy", 1)
        await waiting
        assert [live.is_in_memory for live in lives[:RULES_THREADS]] == [False] * RULES_THREADS
        for live, action in zip(lives[:-1], actions, strict=False):
            await act(games, live.id, action)
            same(await games.get(live.id), await games.load_from_rows(live.id))
        assert spectator.seen() == [lives[0].seq + 1]

    run_games(work, replace(SETTINGS, database=sqlite_url, rules_seconds=DEADLINE), time)


def test_a_game_that_is_being_looked_at_is_evicted_too(sqlite_url: str, rules: EndlessRules) -> None:
    """The thread that was given up could still change what is kept of the game in memory."""
    time = FakeTime()

    async def work(games: GameService) -> None:
        live = await games.create("ann", "trippples", {}, [ME, ME], "Ann")
        action = live.table.state.legal_actions()[0]

        async def look() -> None:
            async with games.locked(live.id) as locked:
                await games.in_thread(locked.table.state.apply, action)

        rules.held = 1
        looking = asyncio.create_task(look())
        await rules.called()
        time.advance(DEADLINE)
        with pytest.raises(RulesTimeoutError):
            await looking
        assert not live.is_in_memory
        await act(games, live.id, str(action))

    run_games(work, replace(SETTINGS, database=sqlite_url, rules_seconds=DEADLINE), time)


def test_a_cancelled_request_waits_until_the_rules_have_ended(rules: EndlessRules) -> None:
    """Otherwise it would release the lock of a game that a thread still uses."""

    async def run() -> None:
        pool, started, ended = RulesPool(1, DEADLINE, FakeTime()), threading.Event(), []

        def work() -> None:
            started.set()
            rules.released.wait()
            ended.append(True)

        request = asyncio.create_task(pool.run(work))
        await asyncio.to_thread(started.wait)
        request.cancel()
        asyncio.get_running_loop().call_soon(rules.released.set)
        with pytest.raises(asyncio.CancelledError):
            await request
        assert ended
        assert await pool.run(lambda: 7) == 7
        pool.close()

    asyncio.run(run())


def test_work_that_finds_no_thread_is_never_begun(
    rules: EndlessRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        time, begun, started = FakeTime(), [], threading.Event()
        pool = RulesPool(1, DEADLINE, time)
        monkeypatch.setattr(pool, "_start_thread", lambda: None)

        def never_return() -> None:
            started.set()
            rules.released.wait()

        endless = asyncio.create_task(pool.run(never_return))
        await asyncio.to_thread(started.wait)
        waiting = asyncio.create_task(pool.run(lambda: begun.append(True)))
        await asyncio.sleep(0)
        time.advance(DEADLINE)
        with pytest.raises(RulesTimeoutError):
            await endless
        with pytest.raises(RulesBusyError) as refused:
            await waiting
        assert not isinstance(refused.value, RulesTimeoutError)
        rules.released.set()
        assert not begun

    asyncio.run(run())


def test_what_the_rules_raise_is_raised() -> None:
    async def run() -> None:
        pool = RulesPool(1, DEADLINE, FakeTime())
        with pytest.raises(ZeroDivisionError):
            await pool.run(lambda: 1 // 0)
        pool.close()

    asyncio.run(run())
