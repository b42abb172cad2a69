"""Limits that uvicorn does not have: the number of connections, and the size and time of requests.

A connection counts until it is closed, as a WebSocket too. Refused connections are counted by reason in the
metrics, and logged at most once a minute per reason.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import resource
import time
from collections import Counter
from typing import Any, Final

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tripot.server.metrics import CONNECTIONS_REFUSED, OPEN_CONNECTIONS
from tripot.server.settings import Settings

log = structlog.get_logger("tripot")

RESERVED_FILE_DESCRIPTORS: Final = 64  # for the database, files, and connections that are being refused
LOG_INTERVAL_SECONDS: Final = 60.0
RESOURCE_ERRORS: Final = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
REFUSALS: Final = {
    "connections": b"503 Service Unavailable",
    "connections_per_address": b"429 Too Many Requests",
    "header_size": b"431 Request Header Fields Too Large",
    "header_time": b"408 Request Timeout",
    "body_time": b"408 Request Timeout",
}
"""The status lines of refused connections by reason."""


class ConnectionLimits:
    """Counts the open connections of a server, in total and by address."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.max_connections = min(settings.max_connections, available_file_descriptors())
        self.trusted = [ipaddress.ip_network(each) for each in settings.trusted_proxies.split()]
        self._by_address: Counter[str] = Counter()
        self._logged_at: dict[str, float] = {}

    def refusal(self, address: str) -> str | None:
        """The reason why another connection of an address is refused, or None."""
        if self._by_address.total() >= self.max_connections:
            return "connections"
        is_full = self._by_address[address] >= self.settings.max_connections_per_address
        return "connections_per_address" if is_full and not self._is_trusted(address) else None

    def _is_trusted(self, address: str) -> bool:
        try:
            return any(ipaddress.ip_address(address) in network for network in self.trusted)
        except ValueError:
            return False

    def add(self, address: str) -> None:
        """Count a new connection."""
        self._by_address[address] += 1
        OPEN_CONNECTIONS.inc()

    def remove(self, address: str) -> None:
        """Count a connection no longer."""
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]
        OPEN_CONNECTIONS.dec()

    def note_refusal(self, reason: str, **more: Any) -> None:
        """Count a refused connection, and log it unless that was done a moment ago."""
        CONNECTIONS_REFUSED.labels(reason).inc()
        now = time.monotonic()
        if now - self._logged_at.get(reason, -LOG_INTERVAL_SECONDS) >= LOG_INTERVAL_SECONDS:
            self._logged_at[reason] = now
            log.warning("connections are refused", reason=reason, **more)

    def watch_accept_errors(self, loop: asyncio.AbstractEventLoop) -> None:
        """Count and log connections that cannot be accepted because file descriptors or memory run short."""

        def on_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            if isinstance(error, OSError) and error.errno in RESOURCE_ERRORS:
                self.note_refusal("file_descriptors", error=error.strerror, remedy="raise `ulimit -n`")
            else:
                loop.default_exception_handler(context)

        loop.set_exception_handler(on_error)


def available_file_descriptors() -> int:
    """The number of connections for which there are file descriptors; a reserve is left out.

    The limit of the process is raised as far as the system allows it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):
            pass  # some systems refuse their own hard limit
    if soft == resource.RLIM_INFINITY:
        return 1_000_000
    return max(1, soft - RESERVED_FILE_DESCRIPTORS)


class LimitedHttpProtocol(HttpToolsProtocol):
    """A connection over HTTP with limits. `limits` is set by `limited_protocol`."""

    limits: ConnectionLimits
    _is_counted = False
    _header_bytes = 0
    _is_reading_headers = True
    _is_refused = False
    _timer: asyncio.TimerHandle | None = None  # of the headers or of the body that is being received

    # -- the number of connections --

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self._address = self.client[0] if self.client else ""
        if reason := self.limits.refusal(self._address):
            self._refuse(reason)
            return
        self.limits.add(self._address)
        self._is_counted = True
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._stop_counting()
        super().connection_lost(exc)

    def _stop_counting(self) -> None:
        if self._is_counted:
            self._is_counted = False
            self.limits.remove(self._address)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()
        protocol: Any = self.transport.get_protocol()
        protocol_lost = protocol.connection_lost

        def connection_lost(exc: Exception | None) -> None:
            self._stop_counting()
            protocol_lost(exc)

        protocol.connection_lost = connection_lost

    # -- the size and the time of a request --

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        if self._is_reading_headers:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._is_reading_headers and self._header_bytes > self.limits.settings.max_header_bytes:
            self._refuse("header_size")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._expect_headers()

    def _expect_headers(self) -> None:
        if self._timer is None or not self._is_reading_headers:
            self._start_timer(self.limits.settings.header_seconds, "header_time")
        self._is_reading_headers = True

    def on_headers_complete(self) -> None:
        self._is_reading_headers, self._header_bytes = False, 0
        self._start_timer(self.limits.settings.body_seconds, "body_time")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_timer()
        super().on_message_complete()

    def _start_timer(self, seconds: float, reason: str) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._refuse, reason)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _refuse(self, reason: str) -> None:
        """Answer with an error, unless an answer has begun, and close the connection."""
        self._stop_timer()
        self._is_refused = True
        self.limits.note_refusal(reason)
        has_begun = (
            self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        )
        if not has_begun and not self.transport.is_closing():
            status = b"HTTP/1.1 " + REFUSALS[reason]
            self.transport.write(status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()


def limited_protocol(limits: ConnectionLimits) -> type[LimitedHttpProtocol]:
    """The protocol class of a server with these limits."""
    return type("LimitedHttpProtocol", (LimitedHttpProtocol,), {"limits": limits})
