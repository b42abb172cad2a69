"""How many unfinished games and seats one user may have, so that no user occupies all public games."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tripot.server.errors import RequestError
from tripot.server.storage import Storage


class Quotas:
    """Counts the unfinished games of users in the database, and those that are being written."""

    def __init__(self, storage: Storage, max_unfinished_games: int, max_unfinished_seats: int) -> None:
        self._storage = storage
        self._max_games, self._max_seats = max_unfinished_games, max_unfinished_seats
        self._pending_games, self._pending_seats = Counter[str](), Counter[str]()

    @asynccontextmanager
    async def new_game(self, user_id: str) -> AsyncIterator[None]:
        """Let a user create a game, unless the user has created too many that are not finished."""
        with_this = self._count(self._pending_games, user_id)
        try:
            stored = await self._storage.count_created_games(user_id, unfinished=True)
            if stored + with_this > self._max_games:
                raise RequestError(429, "rate_limited", "You have too many unfinished games.")
            yield
        finally:
            self._discount(self._pending_games, user_id)

    @asynccontextmanager
    async def new_seat(self, user_id: str) -> AsyncIterator[None]:
        """Let a user join a game of another, unless the user has too many such seats in unfinished games."""
        with_this = self._count(self._pending_seats, user_id)
        try:
            if await self._storage.count_unfinished_seats(user_id) + with_this > self._max_seats:
                raise RequestError(
                    429, "rate_limited", "You have joined too many games that are not finished."
                )
            yield
        finally:
            self._discount(self._pending_seats, user_id)

    @staticmethod
    def _count(pending: Counter[str], user_id: str) -> int:
        pending[user_id] += 1
        return pending[user_id]

    @staticmethod
    def _discount(pending: Counter[str], user_id: str) -> None:
        pending[user_id] -= 1
        if not pending[user_id]:
            del pending[user_id]
