"""Open connections by game. A connection whose send queue is full is closed; the client reconnects.

Presence is sent at most once per interval and game, and only its latest value: it waits beside the send queue
and never fills it, however many spectators come and go.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tripot.server.live_game import LiveGame
from tripot.server.metrics import SLOW_CONNECTIONS_CLOSED, WS_CONNECTIONS
from tripot.server.render import Viewer
from tripot.server.wire import ClosingMessage, PresenceMessage, ServerMessage, encode

CLOSE_TOO_SLOW: Final = 1013  # WebSocket close codes
CLOSE_RESTARTING: Final = 1012
SHUTDOWN_GRACE_TENTHS: Final = 10  # tenths of a second for clients to receive the last message

Messages: TypeAlias = Mapping[Viewer, Sequence[bytes]]
"""Encoded messages by the viewer for whom they were rendered."""


@dataclass(eq=False, slots=True)
class Connection:
    """One WebSocket: its user (None: unknown), as whom the user looks, and the messages to be sent.

    The end of the queue is None. `presence` is the latest presence that was not sent yet.
    """

    user_id: str | None
    viewer: Viewer
    queue_size: int
    queue: asyncio.Queue[bytes | None] = field(init=False)
    presence: bytes | None = None
    is_closing: bool = False
    close_code: int = CLOSE_TOO_SLOW
    _has_message: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.queue = asyncio.Queue(self.queue_size)

    async def next_message(self) -> bytes | None:
        """Wait for the next message to be sent: queued ones first, then presence; None is the end."""
        while self.queue.empty() and self.presence is None:
            self._has_message.clear()
            await self._has_message.wait()
        if not self.queue.empty():
            return self.queue.get_nowait()
        presence, self.presence = self.presence, None
        return presence

    def send(self, message: ServerMessage) -> None:
        """Queue a message."""
        self.send_encoded(encode(message))

    def set_presence(self, message: bytes) -> None:
        """Send an encoded presence when no other message waits; an older one that still waits is dropped."""
        if not self.is_closing:
            self.presence = message
            self._has_message.set()

    def send_encoded(self, message: bytes) -> None:
        """Queue an encoded message; if the queue is full, the connection is closed."""
        if self.is_closing:
            return
        try:
            self.queue.put_nowait(message)
            self._has_message.set()
        except asyncio.QueueFull:
            self.is_closing = True
            SLOW_CONNECTIONS_CLOSED.inc()
            self._end()

    def announce_shutdown(self) -> None:
        """Queue the last message before the server shuts down."""
        self.close_code = CLOSE_RESTARTING
        self.send(ClosingMessage())
        if not self.is_closing:
            self.is_closing = True
            if self.queue.full():
                self._end()
            else:
                self.queue.put_nowait(None)
                self._has_message.set()

    def _end(self) -> None:
        """Drop the queued messages, so that the end comes next."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.presence = None
        self.queue.put_nowait(None)
        self._has_message.set()


class ConnectionRegistry:
    """All open connections. `presence_seconds` is the shortest time between two presences of a game."""

    def __init__(self, presence_seconds: float) -> None:
        self._by_game: defaultdict[str, set[Connection]] = defaultdict(set)
        self._presence_seconds = presence_seconds
        self._presence_timers: dict[str, asyncio.TimerHandle] = {}  # of games whose interval is not over
        self._outdated_presences: set[str] = set()  # games whose presence has changed in the interval

    def for_game(self, game_id: str) -> tuple[Connection, ...]:
        """The connections of a game."""
        return tuple(self._by_game.get(game_id, ()))

    def viewers(self, live: LiveGame) -> dict[Connection, Viewer]:
        """As whom each connection of a game may look now: as a spectator if another player has its seat."""
        viewers = {}
        for connection in self.for_game(live.id):
            seat, language = connection.viewer
            is_owner = seat is not None and seat in live.seats_of(connection.user_id)
            viewers[connection] = Viewer(seat if is_owner else None, language)
        return viewers

    def add(self, game_id: str, connection: Connection) -> None:
        """Add a connection to a game, if it is not there already."""
        if connection not in self._by_game[game_id]:
            self._by_game[game_id].add(connection)
            WS_CONNECTIONS.inc()

    def remove(self, game_id: str, connection: Connection) -> bool:
        """Remove a connection from a game, and return whether it was there."""
        if connection not in self._by_game.get(game_id, ()):
            return False
        self._by_game[game_id].discard(connection)
        WS_CONNECTIONS.dec()
        if not self._by_game[game_id]:
            del self._by_game[game_id]
        return True

    def send_rendered(self, game_id: str, viewers: Mapping[Connection, Viewer], messages: Messages) -> None:
        """Send connections what was rendered for their viewers."""
        has_new_viewer = False
        for connection, viewer in viewers.items():
            has_new_viewer |= connection.viewer != viewer
            connection.viewer = viewer
            for message in messages[viewer]:
                connection.send_encoded(message)
        if has_new_viewer:
            self.announce_presence(game_id)

    def broadcast(self, game_id: str, message: ServerMessage) -> None:
        """Send the same message to all connections of a game."""
        encoded = encode(message)
        for connection in self.for_game(game_id):
            connection.send_encoded(encoded)

    def presence(self, game_id: str) -> PresenceMessage:
        """The seats that are connected to a game, and the number of spectators."""
        seats = [connection.viewer.seat for connection in self.for_game(game_id)]
        return PresenceMessage(sorted({seat for seat in seats if seat is not None}), seats.count(None))

    def announce_presence(self, game_id: str) -> None:
        """Send the presence of a game to its connections: at once, or at the end of the running interval."""
        if game_id in self._presence_timers:
            self._outdated_presences.add(game_id)
        elif connections := self.for_game(game_id):
            encoded = encode(self.presence(game_id))
            for connection in connections:
                connection.set_presence(encoded)
            loop = asyncio.get_running_loop()
            self._presence_timers[game_id] = loop.call_later(
                self._presence_seconds, self._end_presence_interval, game_id
            )

    def _end_presence_interval(self, game_id: str) -> None:
        del self._presence_timers[game_id]
        if game_id in self._outdated_presences:
            self._outdated_presences.discard(game_id)
            self.announce_presence(game_id)

    async def shut_down(self) -> None:
        """Announce the shutdown to all clients, and wait a moment until they have received it."""
        for timer in self._presence_timers.values():
            timer.cancel()
        all_connections = [connection for members in self._by_game.values() for connection in members]
        for connection in all_connections:
            connection.announce_shutdown()
        for _ in range(SHUTDOWN_GRACE_TENTHS):
            if all(connection.queue.empty() for connection in all_connections):
                return
            await asyncio.sleep(0.1)
