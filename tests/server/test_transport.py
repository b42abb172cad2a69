"""Which clients are cut off because they do not read, without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from uvicorn.server import ServerState

from tripot.server.http_protocol import ConnectionLimits
from tripot.server.settings import Settings
from tripot.server.transport import LEAST_PROGRESS_BYTES, WatchedTransport
from tripot.server.ws_protocol import MAX_UNREAD_PONGS, limited_ws_protocol


class SlowTransport:
    """A transport whose client reads when a test says so."""

    def __init__(self) -> None:
        self.buffered, self.is_aborted = 0, False

    def write(self, data: bytes) -> None:
        self.buffered += len(data)

    def get_write_buffer_size(self) -> int:
        return self.buffered

    def read(self, count: int) -> None:
        self.buffered -= count

    def abort(self) -> None:
        self.is_aborted = True

    def is_closing(self) -> bool:
        return self.is_aborted


class Timers:
    """A loop of which a test ends the intervals."""

    def __init__(self) -> None:
        self.pending: list[Callable[[], None]] = []

    def call_later(self, _: float, callback: Callable[..., None], *args: Any) -> Any:
        def call() -> None:
            callback(*args)

        self.pending.append(call)
        return SimpleNamespace(cancel=lambda: self.pending.remove(call))

    def end_interval(self) -> None:
        due, self.pending = self.pending, []
        for call in due:
            call()


@pytest.fixture
def client() -> SlowTransport:
    return SlowTransport()


@pytest.fixture
def timers() -> Timers:
    return Timers()


@pytest.fixture
def watched(client: SlowTransport, timers: Timers) -> WatchedTransport:
    loop = cast(asyncio.AbstractEventLoop, timers)
    return WatchedTransport(cast(asyncio.Transport, client), loop, 20, lambda: None)


def test_a_client_that_reads_nothing_is_cut_off(
    client: SlowTransport, timers: Timers, watched: WatchedTransport
) -> None:
    watched.write(b"x")
    timers.end_interval()
    assert client.is_aborted


def test_a_client_that_reads_everything_may_get_more_at_the_end_of_an_interval(
    client: SlowTransport, timers: Timers, watched: WatchedTransport
) -> None:
    """What was just written waits until the loop sends it: the size of the buffer alone tells nothing."""
    for _ in range(3):
        watched.write(b"x" * 10)
        client.read(client.buffered)
        watched.write(b"x" * 20)
        timers.end_interval()
        assert not client.is_aborted
    client.read(client.buffered)
    timers.end_interval()
    assert not timers.pending, "nothing waits, so nothing is checked"


def test_a_slow_client_must_go_on_to_read(
    client: SlowTransport, timers: Timers, watched: WatchedTransport
) -> None:
    watched.write(b"x" * 10 * LEAST_PROGRESS_BYTES)
    for _ in range(3):
        client.read(LEAST_PROGRESS_BYTES)
        watched.write(b"x" * 2 * LEAST_PROGRESS_BYTES)
        timers.end_interval()
        assert not client.is_aborted
    client.read(LEAST_PROGRESS_BYTES - 1)
    timers.end_interval()
    assert client.is_aborted


def test_a_closed_connection_is_not_checked(timers: Timers, watched: WatchedTransport) -> None:
    watched.write(b"x")
    watched.stop_watching()
    assert not timers.pending


def test_few_pongs_wait_for_a_client_that_reads_slowly(client: SlowTransport) -> None:
    """They were written whether the client read them or not."""

    async def work() -> None:
        limits = ConnectionLimits(replace(Settings(), messages_per_second=1_000_000))
        config = SimpleNamespace(loaded=True, loaded_app=None, root_path="", asgi_version="3.0")
        config.ws_per_message_deflate, config.ws_max_size = False, 1000
        config.ws_ping_interval = config.ws_ping_timeout = None
        socket = limited_ws_protocol(limits)(config, ServerState(), {})
        socket.transport = cast(asyncio.Transport, client)
        for _ in range(2):
            socket.pause_writing()
            for _ in range(MAX_UNREAD_PONGS):
                socket.handle_ping()
            assert not client.is_aborted
            socket.resume_writing()
            socket.handle_ping()
        socket.pause_writing()
        for _ in range(MAX_UNREAD_PONGS + 1):
            socket.handle_ping()
        assert client.is_aborted

    asyncio.run(work())
