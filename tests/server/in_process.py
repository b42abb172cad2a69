"""A server's games without a network, and a way to wait for what happens in them by itself."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any

import structlog
from bench._server_process import HANG
from starlette.types import ASGIApp, Message

from tripot.game import Analysis, AnyState, Candidate, Engine, Limit, Rng
from tripot.server.clock import ServerTime
from tripot.server.connections import Connection
from tripot.server.game_service import GameService
from tripot.server.live_game import LiveGame
from tripot.server.render import Viewer
from tripot.server.settings import Settings
from tripot.server.wire import HelloMessage, SeatRequest

ME, YOU = SeatRequest("me"), SeatRequest("open")
SETTINGS = Settings(
    secret_key="x" * 32, seed="tests", bot_simulations=4, bot_seconds=3600.0, rules_seconds=1e6
)
"""Reproducible: bots are limited by simulations, and the seconds never run out before."""

# As the server logs. By default structlog prints tracebacks in colour with Rich, a second for each of them.
structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.JSONRenderer()])

Work = Callable[[GameService], Coroutine[Any, Any, None]]


class FakeTime(ServerTime):
    """Time that passes only when a test says so."""

    def __init__(self, started_at: float = 1_000_000.0) -> None:
        self.started_at = self._now = started_at
        self._timers: list[tuple[float, asyncio.TimerHandle]] = []

    def now(self) -> float:
        return self._now

    def call_later(self, seconds: float, callback: Callable[[], None]) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(0, callback, (), asyncio.get_running_loop())
        self._timers.append((self._now + seconds, timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        """Let others run: a retry in a test need not wait."""
        await asyncio.sleep(0)

    def advance(self, seconds: float) -> None:
        """Let time pass, and call the timers that are due."""
        self._now += seconds
        due = [timer for at, timer in self._timers if at <= self._now]
        self._timers = [each for each in self._timers if each[0] > self._now]
        for timer in due:
            if not timer.cancelled():
                timer._run()


class Spectator:
    """A connection that keeps the events that it has received."""

    def __init__(self) -> None:
        self.connection = Connection(None, Viewer(None, "en"), queue_size=10_000)
        self._messages: list[dict[str, Any]] = []

    def messages(self, type_: str) -> list[dict[str, Any]]:
        """The messages of a type that were sent so far."""
        while not self.connection.queue.empty():
            self._note(self.connection.queue.get_nowait())
        return [message for message in self._messages if message["type"] == type_]

    def events(self) -> list[dict[str, Any]]:
        """The events that were sent so far, without those of the snapshot."""
        return [message["event"] for message in self.messages("event")]

    def seen(self) -> list[int]:
        """The numbers of these events."""
        return [event["seq"] for event in self.events()]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for messages until a condition is true."""
        while not condition():
            self._note(await self.connection.queue.get())

    def _note(self, encoded: bytes | None) -> None:
        assert encoded is not None, "the connection was closed"
        self._messages.append(json.loads(encoded))


async def watch(games: GameService, live: LiveGame) -> Spectator:
    """A spectator of a game."""
    spectator = Spectator()
    await games.subscribe(live.id, spectator.connection, HelloMessage())
    return spectator


def run_games(work: Work, settings: Settings, server_time: ServerTime | None = None) -> None:
    """Run a coroutine with its own set of live games, and close it afterwards."""

    async def run() -> None:
        games = GameService(settings, server_time=server_time)
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
    await games.subscribe(live.id, spectator, HelloMessage())
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
async def websocket(
    app: ASGIApp, path: str, cookie: str, more_headers: Mapping[str, str] = MappingProxyType({})
) -> AsyncIterator[JsonSocket]:
    """A WebSocket connection to an app without a network."""
    up, down = asyncio.Queue[Message](), asyncio.Queue[Message]()
    headers = [(b"host", b"test"), (b"cookie", cookie.encode())]
    headers += [(name.encode(), value.encode()) for name, value in more_headers.items()]
    scope = {"type": "websocket", "path": path, "headers": headers, "query_string": b"", "subprotocols": []}

    async def serve() -> None:
        await app(scope | {"client": ("127.0.0.1", 1)}, up.get, down.put)

    served = asyncio.create_task(serve())
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

    async def closed(self) -> int:
        """The code with which the server closes the connection, after whatever it sends before."""
        while (message := await self._down.get())["type"] != "websocket.close":
            pass
        return int(message["code"])

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads((await self._down.get())["text"])
        return message
