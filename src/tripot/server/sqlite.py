"""Connections to SQLite, each of which has a thread, and their end.

The thread of a connection reports to the event loop. If it outlived the loop, its last report would fail with
a traceback, so disposing of an engine waits for the threads of all its connections: those that could not be
opened, or were not closed, too.
"""

from __future__ import annotations

import asyncio
from threading import Thread
from typing import Any, Final
from weakref import WeakSet

import aiosqlite

GRACE_SECONDS: Final = 5.0  # beyond the time that a connection waits for a lock


class Connector:
    """Opens the connections of an engine. `timeout` is the number of seconds that they wait for a lock."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._connections: WeakSet[aiosqlite.Connection] = WeakSet()
        self._threads: set[Thread] = set()

    async def connect(self, *args: Any, **kwargs: Any) -> aiosqlite.Connection:
        """Open a connection. It is opened and closed completely, even if the caller is cancelled.

        A thread without an ident belongs to another connection, which is about to start it.
        """
        self._threads = {thread for thread in self._threads if thread.ident is None or thread.is_alive()}
        connection = aiosqlite.connect(*args, timeout=self._timeout, **kwargs)
        connection._thread.daemon = True  # as SQLAlchemy does; there is no public name
        self._connections.add(connection)
        self._threads.add(connection._thread)
        opening = asyncio.ensure_future(_opened(connection))
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.wait([opening])
            if not opening.cancelled() and opening.exception() is None:
                await connection.close()
            raise
        return connection

    async def close(self) -> None:
        """Stop all connections, each after the calls that it has begun, and wait for their threads."""
        for connection in tuple(self._connections):
            connection.stop()
        threads, self._threads = self._threads, set()
        for thread in threads:
            await asyncio.to_thread(thread.join, self._timeout + GRACE_SECONDS)


async def _opened(connection: aiosqlite.Connection) -> None:
    await connection
