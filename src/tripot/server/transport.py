"""A transport that cuts off clients which do not read what was written for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

LEAST_PROGRESS_BYTES: Final = 4096  # that a client reads of what waits for it in each interval


class WatchedTransport:
    """A transport that is aborted if its client reads too little of what waits for it.

    That holds for whatever is written: answers, messages of a WebSocket, pongs and close frames, and while
    the transport is being closed too, because closing it waits for the client. In `seconds` a client must
    read everything that waits, or LEAST_PROGRESS_BYTES of it. Then `on_abort` is called.
    """

    def __init__(
        self,
        transport: asyncio.Transport,
        loop: asyncio.AbstractEventLoop,
        seconds: float,
        on_abort: Callable[[], None],
    ) -> None:
        self._transport, self._loop, self._seconds, self._on_abort = transport, loop, seconds, on_abort
        self._written_bytes = 0  # since the connection was made
        self._timer: asyncio.TimerHandle | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send bytes, and start the time in which the client must read, if that is not running."""
        self._written_bytes += len(data)
        self._transport.write(data)
        self._watch()

    def stop_watching(self) -> None:
        """Check nothing more: the connection is closed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    @property
    def _read_bytes(self) -> int:
        """The bytes that the client or the buffers of the system have taken."""
        return self._written_bytes - self._transport.get_write_buffer_size()

    def _watch(self) -> None:
        if self._timer is None and self._transport.get_write_buffer_size():
            expected = min(self._read_bytes + LEAST_PROGRESS_BYTES, self._written_bytes)
            self._timer = self._loop.call_later(self._seconds, self._check, expected)

    def _check(self, expected_bytes: int) -> None:
        self._timer = None
        if self._read_bytes < expected_bytes:
            self._on_abort()
            self._transport.abort()
        else:
            self._watch()
