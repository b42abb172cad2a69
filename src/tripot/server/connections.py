"""Open connections by game. A connection whose send queue is full is closed; the client reconnects."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from tripot.server.metrics import SLOW_CONNECTIONS_CLOSED, WS_CONNECTIONS
from tripot.server.render import Viewer
from tripot.server.wire import ClosingMessage, PresenceMessage, ServerMessage, encode

CLOSE_TOO_SLOW: Final = 1013  # WebSocket close codes
CLOSE_RESTARTING: Final = 1012
SHUTDOWN_GRACE_TENTHS: Final = 10  # tenths of a second for clients to receive the last message


@dataclass(eq=False, slots=True)
class Connection:
    """One WebSocket: its user (None: unknown), as whom the user looks, and the messages to be sent.

    The end of the queue is None.
    """

    user_id: str | None
    viewer: Viewer
    queue_size: int
    queue: asyncio.Queue[bytes | None] = field(init=False)
    is_closing: bool = False
    close_code: int = CLOSE_TOO_SLOW

    def __post_init__(self) -> None:
        self.queue = asyncio.Queue(self.queue_size)

    def send(self, message: ServerMessage) -> None:
        """Queue a message."""
        self.send_encoded(encode(message))

    def send_encoded(self, message: bytes) -> None:
        """Queue an encoded message; if the queue is full, the connection is closed."""
        if self.is_closing:
            return
        try:
            self.queue.put_nowait(message)
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

    def _end(self) -> None:
        """Drop the queued messages, so that the end comes next."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class ConnectionRegistry:
    """All open connections."""

    def __init__(self) -> None:
        self._by_game: defaultdict[str, set[Connection]] = defaultdict(set)

    def for_game(self, game_id: str) -> tuple[Connection, ...]:
        """The connections of a game."""
        return tuple(self._by_game.get(game_id, ()))

    def viewers(self, game_id: str) -> set[Viewer]:
        """The viewers for whom a change of a game must be rendered."""
        return {connection.viewer for connection in self.for_game(game_id)}

    def add(self, game_id: str, connection: Connection) -> None:
        """Add a connection to a game."""
        self._by_game[game_id].add(connection)
        WS_CONNECTIONS.inc()

    def remove(self, game_id: str, connection: Connection) -> None:
        """Remove a connection from a game, if it is there."""
        if connection in self._by_game.get(game_id, ()):
            self._by_game[game_id].discard(connection)
            WS_CONNECTIONS.dec()
            if not self._by_game[game_id]:
                del self._by_game[game_id]

    def broadcast(self, game_id: str, message: ServerMessage) -> None:
        """Send the same message to all connections of a game."""
        encoded = encode(message)
        for connection in self.for_game(game_id):
            connection.send_encoded(encoded)

    def presence(self, game_id: str) -> PresenceMessage:
        """The seats that are connected to a game, and the number of spectators."""
        seats = [connection.viewer.seat for connection in self.for_game(game_id)]
        return PresenceMessage(sorted({seat for seat in seats if seat is not None}), seats.count(None))

    async def shut_down(self) -> None:
        """Announce the shutdown to all clients, and wait a moment until they have received it."""
        all_connections = [connection for each in self._by_game.values() for connection in each]
        for connection in all_connections:
            connection.announce_shutdown()
        for _ in range(SHUTDOWN_GRACE_TENTHS):
            if all(connection.queue.empty() for connection in all_connections):
                return
            await asyncio.sleep(0.1)
