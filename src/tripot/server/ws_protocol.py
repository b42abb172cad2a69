"""Limits of WebSockets that uvicorn does not have: of control frames and fragments.

Messages are counted by `ws.py`. Control frames and fragments never reach the app, and uvicorn answers every
ping, whether the client reads the answers or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from tripot.server.http_protocol import ConnectionLimits
from tripot.server.rate_limits import TokenBucket

SLICE_BYTES: Final = 4096  # that are parsed before the frames in them are counted
MAX_UNREAD_PONGS: Final = 100  # that may wait for a client which reads slowly


class LimitedWebSocketProtocol(WebSocketsSansIOProtocol):
    """A WebSocket with limits. `limits` is set by `limited_ws_protocol`.

    Control frames and fragments have the rate that messages have; a connection with more is cut off.
    """

    limits: ConnectionLimits
    _unread_pongs = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._frames = TokenBucket(self.limits.settings.messages_per_second)
        self.on_lost: Callable[[], None] = lambda: None  # called when the connection is closed

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), SLICE_BYTES):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + SLICE_BYTES])

    def handle_ping(self) -> None:
        self._unread_pongs = 0 if self.writable.is_set() else self._unread_pongs + 1
        if self._unread_pongs > MAX_UNREAD_PONGS:
            self._cut_off()
        elif self._is_within_rate():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        if self._is_within_rate():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        if self._is_within_rate():
            super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if not self.transport.is_closing():  # reading cannot be paused then
            super().send_receive_event_to_app()

    def _is_within_rate(self) -> bool:
        """Count a frame; the connection is cut off if there are too many."""
        if self.transport.is_closing():
            return False
        is_within = self._frames.take()
        if not is_within:
            self._cut_off()
        return is_within

    def _cut_off(self) -> None:
        if not self.transport.is_closing():
            self.limits.note_refusal("control_frames")
            self.transport.abort()


def limited_ws_protocol(limits: ConnectionLimits) -> type[LimitedWebSocketProtocol]:
    """The protocol class of the WebSockets of a server with these limits."""
    return type("LimitedWebSocketProtocol", (LimitedWebSocketProtocol,), {"limits": limits})
