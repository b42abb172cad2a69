"""A server's games without a network, and a way to wait for what happens in them by itself."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import structlog
from bench._server_process import HANG
from fastapi import FastAPI
from starlette.types import Message

from tripot.game import Analysis, AnyState, Candidate, Engine, Limit, Rng
from tripot.server.connections import Connection
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.render import Viewer
from tripot.server.settings import Settings
from tripot.server.wire import SeatRequest

ME, YOU = SeatRequest("me"), SeatRequest("open")
SETTINGS = Settings(secret_key="x" * 32, seed="tests", bot_simulations=4, bot_seconds=3600.0)
"""Reproducible: bots are limited by simulations, and the seconds never run out before."""

# As the server logs. By default structlog prints tracebacks in colour with Rich, a second for each of them.
structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])

Work = Callable[[GameService], Coroutine[Any, Any, None]]


def run_games(work: Work, settings: Settings) -> None:
    """Run a coroutine with its own set of live games, and close it afterwards."""

    async def run() -> None:
        games = GameService(settings)
        await games.open()
        try:
            async with asyncio.timeout(HANG):
                await work(games)
        finally:
            await games.close()

    asyncio.run(run())


def bot(level: int) -> SeatRequest:
    return SeatRequest("bot", level)


async def until(games: GameService, live: LiveGame, condition: Callable[[LiveGame], bool]) -> None:
    """Wait for something that happens in a game by itself, as a spectator who is told every event.

    The first message is the game as it is, so a condition that is true already is not waited for.
    """
    spectator = Connection(None, Viewer(None, "en"), queue_size=10_000)
    await games.subscribe(live, spectator, None)
    try:
        while True:
            assert await spectator.queue.get() is not None, "the connection was closed"
            if condition(live):
                return
    finally:
        games.unsubscribe(live, spectator)


async def until_bots_are_done(games: GameService) -> None:
    """Wait until every bot that was asked has answered, and its answer is played or dropped."""
    while tasks := tuple(games.scheduler.tasks):
        await asyncio.gather(*tasks)


def acts(live: LiveGame) -> int:
    """How many actions the seats have played."""
    return sum(event.type == "action" for event in live.events)


class Gate:
    """Holds engines back: each says that it was asked, and answers once the gate is open."""

    def __init__(self) -> None:
        self._asked = threading.Semaphore(0)
        self._open = threading.Event()

    def open(self) -> None:
        self._open.set()

    def close(self) -> None:
        self._open.clear()

    async def asked(self, times: int = 1) -> None:
        """Wait until engines were asked so many times."""
        for _ in range(times):
            await asyncio.to_thread(self._asked.acquire)

    def wait(self) -> None:
        """Called by an engine, in its own thread."""
        self._asked.release()
        self._open.wait()


class HeldBack(Engine):
    """An engine behind a gate, which plays the first legal action."""

    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self.gate = gate

    def _choose(self, view: AnyState, limit: Limit, rng: Rng) -> Candidate:
        self.gate.wait()
        return Candidate(view.legal_actions()[0], 0.0)

    def _analyse(self, view: AnyState, limit: Limit, rng: Rng) -> Analysis:
        return Analysis((self._choose(view, limit, rng),))


@asynccontextmanager
async def websocket(app: FastAPI, path: str, cookie: str) -> AsyncIterator[JsonSocket]:
    """A WebSocket connection to an app without a network."""
    up, down = asyncio.Queue[Message](), asyncio.Queue[Message]()
    headers = [(b"host", b"test"), (b"cookie", cookie.encode())]
    scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b"", "subprotocols": []}
    served = asyncio.create_task(app(scope | {"client": ("127.0.0.1", 1)}, up.get, down.put))
    up.put_nowait({"type": "websocket.connect"})
    assert (await down.get())["type"] == "websocket.accept"
    yield JsonSocket(up, down)
    up.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await served


class JsonSocket:
    """Sends and receives JSON."""

    def __init__(self, up: asyncio.Queue[Message], down: asyncio.Queue[Message]) -> None:
        self._up, self._down = up, down

    def send(self, **message: Any) -> None:
        self._up.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads((await self._down.get())["text"])
        return message
