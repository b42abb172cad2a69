"""The games in memory: a cache of the database. Games that are not in use leave it when it is full."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from tripot.server.live_game import LiveGame
from tripot.server.metrics import LIVE_GAMES


class LiveGames:
    """Games by id, the one used last at the end.

    No game is in memory twice: one that is loaded while it is created is replaced by the object that is there
    already. Two objects would have two locks, and would each hold only a part of the events.
    """

    def __init__(
        self,
        max_games: int,
        load: Callable[[str], Awaitable[LiveGame]],
        is_idle: Callable[[LiveGame], bool],
        on_evict: Callable[[LiveGame], None],
    ) -> None:
        self._max_games, self._load, self._is_idle, self._on_evict = max_games, load, is_idle, on_evict
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._loading: dict[str, asyncio.Task[LiveGame]] = {}
        self._users: Counter[str] = Counter()  # requests that use a game or wait for it

    def find(self, game_id: str) -> LiveGame | None:
        """A game, if it is in memory."""
        return self._games.get(game_id)

    def all(self) -> tuple[LiveGame, ...]:
        """All games in memory."""
        return tuple(self._games.values())

    @contextmanager
    def in_use(self, game_id: str) -> Iterator[None]:
        """Never evict a game to make room while a request uses it or waits for it.

        Otherwise two requests could evict each other's games without end.
        """
        self._users[game_id] += 1
        try:
            yield
        finally:
            self._users[game_id] -= 1
            if not self._users[game_id]:
                del self._users[game_id]

    async def get(self, game_id: str) -> LiveGame:
        """A game, from memory or loaded."""
        if live := self._games.get(game_id):
            self._games.move_to_end(game_id)
            return live
        task = self._loading.get(game_id)
        if task is None:
            task = self._loading[game_id] = asyncio.create_task(self._load_and_add(game_id))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # it has been seen
        return await asyncio.shield(task)  # the others wait for it, even if this request is cancelled

    async def _load_and_add(self, game_id: str) -> LiveGame:
        try:
            return self.add(await self._load(game_id))
        finally:
            del self._loading[game_id]

    def add(self, live: LiveGame) -> LiveGame:
        """Keep a game in memory, and evict other idle ones if there are too many.

        Return the object of this game to be used from now on: the one that was in memory before, if any.
        """
        if present := self._games.get(live.id):
            return present
        self._games[live.id] = live
        if len(self._games) > self._max_games:
            for other in self.all():
                if len(self._games) <= self._max_games:
                    break
                if other is not live and other.id not in self._users and self._is_idle(other):
                    self.evict(other)
        LIVE_GAMES.set(len(self._games))
        return live

    def evict(self, live: LiveGame) -> None:
        """Remove a game from memory; it is loaded again when it is needed."""
        if self._games.get(live.id) is live:
            del self._games[live.id]
            live.is_in_memory = False
            LIVE_GAMES.set(len(self._games))
            self._on_evict(live)
