"""Who watches which game. A slow connection is closed rather than waited for: it can come back."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import msgspec

from tripot.game import Seat
from tripot.server.metrics import SLOW_CLOSED, SOCKETS

TOO_SLOW, RESTARTING = 1013, 1012  # why a connection is closed
FAREWELL_TENTHS: Final = 10


@dataclass(eq=False, slots=True)
class Watcher:
    """One connection: whose, on which seat (None: a spectator), and what waits to be sent."""

    player: str | None
    seat: Seat | None
    language: str
    room: int
    waiting: asyncio.Queue[bytes | None] = field(init=False)
    is_lost: bool = False
    code: int = TOO_SLOW

    def __post_init__(self) -> None:
        self.waiting = asyncio.Queue(self.room)

    def send(self, message: bytes) -> None:
        """Put a message in the queue; a full one ends the connection."""
        if self.is_lost:
            return
        try:
            self.waiting.put_nowait(message)
        except asyncio.QueueFull:
            self.is_lost = True
            SLOW_CLOSED.inc()
            self._end()

    def leave(self) -> None:
        """The server goes: that is the last message."""
        self.code = RESTARTING
        self.send(msgspec.json.encode({"type": "closing"}))
        if not self.is_lost:
            self.is_lost = True
            if self.waiting.full():
                self._end()
            else:
                self.waiting.put_nowait(None)

    def _end(self) -> None:
        """Empty the queue, so that what follows is the end."""
        while not self.waiting.empty():
            self.waiting.get_nowait()
        self.waiting.put_nowait(None)


class Watchers:
    """All connections, by game."""

    def __init__(self) -> None:
        self._of: defaultdict[str, set[Watcher]] = defaultdict(set)

    def of(self, game: str) -> tuple[Watcher, ...]:
        """Those of a game."""
        return tuple(self._of.get(game, ()))

    def kinds(self, game: str) -> set[tuple[Seat | None, str]]:
        """Which sights they need: seat and language."""
        return {(each.seat, each.language) for each in self.of(game)}

    def add(self, game: str, watcher: Watcher) -> None:
        """One more."""
        self._of[game].add(watcher)
        SOCKETS.inc()

    def remove(self, game: str, watcher: Watcher) -> None:
        """One less; twice is once."""
        if watcher in self._of.get(game, ()):
            self._of[game].discard(watcher)
            SOCKETS.dec()
            if not self._of[game]:
                del self._of[game]

    def tell(self, game: str, message: bytes) -> None:
        """A message to all of a game."""
        for watcher in self.of(game):
            watcher.send(message)

    def presence(self, game: str) -> tuple[list[Seat], int]:
        """The seats that are there, and how many spectators."""
        there = self.of(game)
        return sorted({each.seat for each in there if each.seat is not None}), sum(
            each.seat is None for each in there
        )

    async def farewell(self) -> None:
        """The server goes down: say so, give everybody a moment to hear it, and close."""
        everybody = [watcher for watchers in self._of.values() for watcher in watchers]
        for watcher in everybody:
            watcher.leave()
        for _ in range(FAREWELL_TENTHS):
            if all(watcher.waiting.empty() for watcher in everybody):
                return
            await asyncio.sleep(0.1)
