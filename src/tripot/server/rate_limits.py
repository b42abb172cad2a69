"""Limits of requests, messages, WebSockets, new games and engine time, all on the monotonic clock."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from tripot.server.errors import rate_limited
from tripot.server.identity import User
from tripot.server.settings import Settings

MINUTE = 60.0
ENGINE_WINDOW_SECONDS = 10 * MINUTE  # over which the seconds of engines are counted
WINDOW_SECONDS = 10  # over which the rate of requests and messages is averaged
USERS_PER_ADDRESS = 20
"""How many users behind one address may ask as much as they may. A school or a club has one address; and one
person may have many cookies, because each new one is another user."""


class WindowLimit:
    """A limit of what each key may use in a window of some seconds, which begins with its first use.

    `what` is the word for it in a refusal.
    """

    def __init__(self, what: str, limit: float, seconds: float) -> None:
        self.what, self._limit, self._seconds = what, limit, seconds
        self._windows: dict[str, tuple[float, float]] = {}  # their ends, in this order, and what was used

    def check(self, key: str, cost: float = 1) -> None:
        """Raise `RequestError` if a use would exceed the limit; nothing is counted."""
        self._forget_ended()
        end, used = self._windows.get(key, (0.0, 0))
        if used + cost > self._limit:
            seconds_left = end - time.monotonic() if used else self._seconds
            raise rate_limited(self.what, max(1, math.ceil(seconds_left)))

    def count(self, key: str, cost: float = 1) -> None:
        """Count a use, or raise `RequestError` if it would exceed the limit."""
        self.check(key, cost)
        end, used = self._windows.get(key, (time.monotonic() + self._seconds, 0))
        self._windows[key] = end, used + cost

    def _forget_ended(self) -> None:
        now = time.monotonic()
        while self._windows and (first := next(iter(self._windows.items())))[1][0] <= now:
            del self._windows[first[0]]


class RateLimits:
    """Limits per user or address. Each check counts, and raises `RequestError` if the limit is reached."""

    def __init__(self, settings: Settings) -> None:
        self._games = WindowLimit("new games", settings.games_per_minute, MINUTE)
        self._sockets, self._max_sockets = Counter[str](), settings.max_connections_per_address
        self._joins = WindowLimit("joined games", settings.joins_per_minute, MINUTE)
        requests = settings.messages_per_second * WINDOW_SECONDS
        self._requests = WindowLimit("requests", requests, WINDOW_SECONDS)
        self._address_requests = WindowLimit("requests of all", requests * USERS_PER_ADDRESS, WINDOW_SECONDS)
        self._user_engine_seconds, self._address_engine_seconds = (
            WindowLimit("questions to the engine", seconds, ENGINE_WINDOW_SECONDS)
            for seconds in (settings.analysis_seconds, settings.analysis_seconds_per_address)
        )

    def check_new_game(self, user: User) -> None:
        """Count a new game of an address."""
        self._games.count(user.address)

    def check_join(self, user: User) -> None:
        """Count a seat that an address takes."""
        self._joins.count(user.address)

    def check_request(self, user: User) -> None:
        """Count a request of a user."""
        self._requests.count(_key_of(user))

    def check_address(self, address: str) -> None:
        """Count a request or message of an address, from any of its users."""
        self._address_requests.count(address)

    @contextmanager
    def open_socket(self, user: User) -> Iterator[None]:
        """Count an open WebSocket of an address, which a trusted proxy may have forwarded."""
        if self._sockets[user.address] >= self._max_sockets:
            raise rate_limited("connections")
        self._sockets[user.address] += 1
        try:
            yield
        finally:
            self._sockets[user.address] -= 1
            if not self._sockets[user.address]:
                del self._sockets[user.address]

    def check_engine_time(self, user: User, seconds: float) -> None:
        """Count seconds of an engine for a user and for the user's address, or for neither."""
        self._address_engine_seconds.check(user.address, seconds)
        self._user_engine_seconds.count(_key_of(user), seconds)
        self._address_engine_seconds.count(user.address, seconds)


def _key_of(user: User) -> str:
    """By what a user is counted. Without a cookie each request is of a new user: they count by address."""
    return f"address {user.address}" if user.is_new else user.id


class TokenBucket:
    """An average rate per second, and what comes in ten seconds at once."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._tokens, self._updated_at = per_second * WINDOW_SECONDS, time.monotonic()

    def take(self) -> bool:
        """Count one, and return whether the rate allows it."""
        now = time.monotonic()
        refill = (now - self._updated_at) * self.per_second
        self._tokens = min(self.per_second * WINDOW_SECONDS, self._tokens + refill)
        self._updated_at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class MessageRateLimit:
    """The messages that one connection may send."""

    def __init__(self, per_second: float) -> None:
        self._bucket = TokenBucket(per_second)

    def check(self) -> None:
        """Count a message, or raise `RequestError` if there are too many."""
        if not self._bucket.take():
            raise rate_limited("messages")
