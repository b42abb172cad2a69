"""Limits that uvicorn does not have: of connections, and of the size, the time and the number of requests.

A connection counts until it is closed, as a WebSocket too, and is cut off if its client does not read what it
is sent. Refused connections are counted by reason in the
metrics, and logged at most once a minute per reason.
"""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections import Counter
from typing import Any, Final, cast

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from tripot.server.addresses import client_key, is_in
from tripot.server.metrics import CONNECTIONS_REFUSED, FILE_DESCRIPTOR_SHORTAGES, OPEN_CONNECTIONS
from tripot.server.settings import Settings
from tripot.server.transport import WatchedTransport

log = structlog.get_logger("tripot")

RESERVED_FILE_DESCRIPTORS: Final = 64  # for the database, files, and connections that are being refused
FEWEST_FREE_FILE_DESCRIPTORS: Final = 16  # with fewer, new connections are refused
UNLIMITED_FILE_DESCRIPTORS: Final = 1_000_000  # stands for no limit: other limits are reached before
WATCH_SECONDS: Final = 5.0  # between two checks of the file descriptors
LOG_INTERVAL_SECONDS: Final = 60.0
MAX_PIPELINED_REQUESTS: Final = 8  # that wait while another one is answered; browsers send none
REFUSALS: Final = {
    "connections": b"503 Service Unavailable",
    "file_descriptors": b"503 Service Unavailable",
    "connections_per_address": b"429 Too Many Requests",
    "header_size": b"431 Request Header Fields Too Large",
    "header_time": b"408 Request Timeout",
    "body_time": b"408 Request Timeout",
    "pipelined_requests": b"429 Too Many Requests",
}
"""The status lines of refused connections by reason."""


class ConnectionLimits:
    """Counts the open connections of a server, in total and by address."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.max_file_descriptors = max_file_descriptors()
        available = max(1, self.max_file_descriptors - RESERVED_FILE_DESCRIPTORS)
        self.max_connections = min(settings.max_connections, available)
        self._trusted_proxies = settings.trusted_proxies.split()
        self._by_address: Counter[str] = Counter()
        self._logged_at: dict[str, float] = {}

    def refusal(self, address: str) -> str | None:
        """The reason why another connection of an address is refused, or None."""
        if self._by_address.total() >= self.max_connections:
            return "connections"
        is_full = self._by_address[client_key(address)] >= self.settings.max_connections_per_address
        is_trusted = is_in(address, self._trusted_proxies)
        return "connections_per_address" if is_full and not is_trusted else None

    def add(self, address: str) -> None:
        """Count a new connection."""
        self._by_address[client_key(address)] += 1
        OPEN_CONNECTIONS.inc()

    def remove(self, address: str) -> None:
        """Count a connection no longer."""
        key = client_key(address)
        self._by_address[key] -= 1
        if not self._by_address[key]:
            del self._by_address[key]
        OPEN_CONNECTIONS.dec()

    def note_refusal(self, reason: str) -> None:
        """Count a refused connection, and log it unless that was done a moment ago."""
        CONNECTIONS_REFUSED.labels(reason).inc()
        self._log(reason, "connections are refused", reason=reason)

    # -- file descriptors --

    def is_short(self, descriptor: int) -> bool:
        """Whether few file descriptors are free if a new one has this number; that is counted and logged.

        The system gives a new one the lowest number that is free, so all below it are in use.
        """
        if descriptor < self.max_file_descriptors - FEWEST_FREE_FILE_DESCRIPTORS:
            return False
        self._note_shortage()
        return True

    def check_file_descriptors(self) -> None:
        """Count and log a shortage.

        If there are none at all, a connection is not even accepted, and uvloop does not tell that.
        """
        try:
            descriptor = os.open(os.devnull, os.O_RDONLY)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._note_shortage()
        else:
            os.close(descriptor)
            self.is_short(descriptor)

    def watch_file_descriptors(self, loop: asyncio.AbstractEventLoop) -> None:
        """Check the file descriptors now and then."""
        self.check_file_descriptors()
        loop.call_later(WATCH_SECONDS, self.watch_file_descriptors, loop)

    def _note_shortage(self) -> None:
        FILE_DESCRIPTOR_SHORTAGES.inc()
        limit = self.max_file_descriptors
        self._log("shortage", "file descriptors run short", limit=limit, remedy="raise `ulimit -n`")

    def _log(self, key: str, event: str, **values: Any) -> None:
        now = time.monotonic()
        if now - self._logged_at.get(key, -LOG_INTERVAL_SECONDS) >= LOG_INTERVAL_SECONDS:
            self._logged_at[key] = now
            log.warning(event, **values)


def max_file_descriptors() -> int:
    """The limit of file descriptors of the process, which is raised as far as the system allows it."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return UNLIMITED_FILE_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (OSError, ValueError):
            pass  # some systems refuse their own hard limit
    return UNLIMITED_FILE_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft


class RefusedError(Exception):
    """Ends the parsing of what a refused connection has sent."""


class LimitedHttpProtocol(HttpToolsProtocol):
    """A connection over HTTP with limits. `limits` is set by `limited_protocol`."""

    limits: ConnectionLimits
    _watched: WatchedTransport
    _is_counted = False
    _overhead_bytes = 0  # of the request that is being received: headers, trailers and chunk sizes
    _field_bytes = 0  # of its URL, header fields and trailers that are complete
    _is_reading_headers = True
    _is_refused = False
    _timer: asyncio.TimerHandle | None = None  # of the headers or of the body that is being received
    _answered: RequestResponseCycle | None = None  # the request that is answered; later ones may wait

    # -- the number of connections --

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        self._watched = WatchedTransport(
            transport,
            self.loop,
            self.limits.settings.answer_seconds,
            lambda: self.limits.note_refusal("answer_time"),
        )
        super().connection_made(cast(asyncio.Transport, self._watched))
        self._address = self.client[0] if self.client else ""
        reason = self.limits.refusal(self._address)
        if self.limits.is_short(transport.get_extra_info("socket").fileno()):
            reason = "file_descriptors"
        if reason:
            self._refuse(reason)
            return
        self.limits.add(self._address)
        self._is_counted = True
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        self._end_connection()
        if self._answered is not None:
            self._answered.disconnected = True  # uvicorn tells only the last request
        super().connection_lost(exc)

    def _end_connection(self) -> None:
        self._watched.stop_watching()
        if self._is_counted:
            self._is_counted = False
            self.limits.remove(self._address)

    def handle_websocket_upgrade(self) -> None:
        self._stop_timer()
        super().handle_websocket_upgrade()
        protocol: Any = self.transport.get_protocol()  # a `LimitedWebSocketProtocol`
        protocol.on_lost = self._end_connection

    # -- the size and the time of a request --

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        self._overhead_bytes += len(data)
        super().data_received(data)
        is_too_large = self._overhead_bytes > self.limits.settings.max_header_bytes
        if is_too_large and not self.transport.is_closing():
            self._refuse("header_size")
        elif self._is_between_requests():
            self._expect_headers()  # an empty line stops the keep-alive timer, and begins no request

    def _is_between_requests(self) -> bool:
        """Whether no request is being received or answered, and no timer runs until the next one."""
        has_request = self.cycle is not None and not self.cycle.response_complete
        has_timer = self._timer is not None or self.timeout_keep_alive_task is not None
        is_open = self.parser is not None and not self.transport.is_closing()
        return is_open and self.transport.get_protocol() is self and not has_request and not has_timer

    def on_message_begin(self) -> None:
        if len(self.pipeline) >= MAX_PIPELINED_REQUESTS:
            self._refuse_now("pipelined_requests")
        super().on_message_begin()
        self._field_bytes = 0
        self._expect_headers()

    def on_url(self, url: bytes) -> None:
        self._count_field(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count_field(name, value)
        super().on_header(name, value)

    def _count_field(self, *parts: bytes) -> None:
        """Count what is complete: all of it may have come at once, with other requests."""
        self._field_bytes += sum(len(part) for part in parts)
        if self._field_bytes > self.limits.settings.max_header_bytes:
            self._refuse_now("header_size")

    def _expect_headers(self) -> None:
        if self._timer is None or not self._is_reading_headers:
            self._start_timer(self.limits.settings.header_seconds, "header_time")
        self._is_reading_headers = True

    def on_headers_complete(self) -> None:
        self._is_reading_headers = False
        self._start_timer(self.limits.settings.body_seconds, "body_time")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._overhead_bytes -= len(body)  # the app limits it
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._stop_timer()
        self._overhead_bytes = 0
        super().on_message_complete()

    def _start_timer(self, seconds: float, reason: str) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, self._refuse, reason)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # -- refusals --

    def _refuse(self, reason: str) -> None:
        """Answer with an error, unless that would be read as the answer to another request, and close."""
        self._stop_timer()
        self._is_refused = True
        self.limits.note_refusal(reason)
        if self._may_answer() and not self.transport.is_closing():
            status = b"HTTP/1.1 " + REFUSALS[reason]
            self.transport.write(status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()

    def _refuse_now(self, reason: str) -> None:
        """The same while a request is parsed, of which the rest is not looked at."""
        self._refuse(reason)
        raise RefusedError

    def send_400_response(self, msg: str) -> None:
        if not self._is_refused:  # otherwise `_refuse_now` has ended the parsing
            super().send_400_response(msg)

    def _may_answer(self) -> bool:
        """Whether what is written now would be the answer to the request that is being received."""
        answered = self._answered
        if answered is None:
            return True
        if self._is_reading_headers:
            return answered.response_complete
        return answered is self.cycle and not answered.response_started

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)


def limited_protocol(limits: ConnectionLimits) -> type[LimitedHttpProtocol]:
    """The protocol class of a server with these limits."""
    return type("LimitedHttpProtocol", (LimitedHttpProtocol,), {"limits": limits})
