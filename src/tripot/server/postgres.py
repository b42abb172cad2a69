"""Connections to PostgreSQL that never wait for ever.

A server limits the time of a statement, but it cannot tell a client that the network between them is dead. So
the client cuts a connection that has not answered in time; the pool opens another one.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import psycopg


class TimedConnection(psycopg.AsyncConnection[Any]):
    """A connection that is cut if an answer takes longer than `timeout` seconds."""

    timeout: float = 5.0

    async def wait(self, *args: Any, **kwargs: Any) -> Any:
        """Wait for an answer. Every call of the driver passes here, those after a cancellation too."""
        timer = asyncio.get_running_loop().call_later(self.timeout, self._cut)
        try:
            return await super().wait(*args, **kwargs)
        finally:
            timer.cancel()

    def _cut(self) -> None:
        """Shut the socket down, so that the driver reads its end and raises OperationalError."""
        with suppress(OSError, psycopg.Error), socket.socket(fileno=os.dup(self.pgconn.socket)) as duplicate:
            duplicate.shutdown(socket.SHUT_RDWR)


def connect_with_timeout(timeout: float) -> Callable[..., Awaitable[TimedConnection]]:
    """A function that opens connections whose statements and answers take at most `timeout` seconds."""

    async def connect(*args: Any, **kwargs: Any) -> TimedConnection:
        connection = await TimedConnection.connect(*args, **kwargs)
        connection.timeout = timeout
        try:
            await connection.execute(f"SET statement_timeout = {max(1, int(timeout * 1000))}")
            await connection.commit()
        except BaseException:
            await connection.close()
            raise
        return connection

    return connect
