"""Limits of requests, messages, WebSockets, new games and engine time."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from tripot.server.errors import rate_limited
from tripot.server.identity import User
from tripot.server.settings import Settings

ENGINE_WINDOW_MINUTES = 10  # over which the seconds of engines are counted
WINDOW_SECONDS = 10  # over which the rate of requests and messages is averaged
USERS_PER_ADDRESS = 20
"""How many users behind one address may ask as much as they may. A school or a club has one address; and one
person may have many cookies, because each new one is another user."""


class RateLimits:
    """Limits per user or address. Each check counts, and raises `RequestError` if the limit is reached."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._games = RateLimitItemPerMinute(settings.games_per_minute)
        self._sockets, self._max_sockets = Counter[str](), settings.max_connections_per_address
        self._joins = RateLimitItemPerMinute(settings.joins_per_minute)
        self._requests, self._address_requests = (
            RateLimitItemPerSecond(settings.messages_per_second * WINDOW_SECONDS * users, WINDOW_SECONDS)
            for users in (1, USERS_PER_ADDRESS)
        )
        self._user_tenths, self._address_tenths = (
            RateLimitItemPerMinute(max(1, int(seconds * 10)), ENGINE_WINDOW_MINUTES)
            for seconds in (settings.analysis_seconds, settings.analysis_seconds_per_address)
        )

    def check_new_game(self, user: User) -> None:
        """Count a new game of an address."""
        self._hit(self._games, "new games", user.address)

    def check_join(self, user: User) -> None:
        """Count a seat that an address takes."""
        self._hit(self._joins, "joined games", user.address)

    def check_request(self, user: User) -> None:
        """Count a request of a user."""
        self._hit(self._requests, "requests", _key_of(user))

    def check_address(self, address: str) -> None:
        """Count a request or message of an address, from any of its users."""
        self._hit(self._address_requests, "requests of all", address)

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

    def _hit(self, item: RateLimitItem, what: str, key: str) -> None:
        if not self._limiter.hit(item, what, key):
            raise rate_limited(what, self._seconds_left(item, what, key))

    def check_engine_time(self, user: User, seconds: float) -> None:
        """Count seconds of an engine, in tenths, for a user and for the user's address."""
        tenths = max(1, int(seconds * 10))
        user_key = _key_of(user)
        for item, key in ((self._user_tenths, user_key), (self._address_tenths, user.address)):
            if not self._limiter.test(item, "engine seconds", key, cost=tenths):
                raise rate_limited("questions to the engine", self._seconds_left(item, "engine seconds", key))
        self._limiter.hit(self._user_tenths, "engine seconds", user_key, cost=tenths)
        self._limiter.hit(self._address_tenths, "engine seconds", user.address, cost=tenths)

    def _seconds_left(self, item: RateLimitItem, *key: str) -> int:
        """The seconds until the window of a limit ends."""
        return max(1, math.ceil(self._limiter.get_window_stats(item, *key).reset_time - time.time()))


def _key_of(user: User) -> str:
    """By what a user is counted. Without a cookie each request is of a new user: they count by address."""
    return f"address {user.address}" if user.is_new else user.id


class MessageRateLimit:
    """A token bucket: the messages that one connection may send per second, and ten times that at once."""

    def __init__(self, per_second: float) -> None:
        self.per_second = per_second
        self._tokens, self._updated_at = per_second * WINDOW_SECONDS, time.monotonic()

    def check(self) -> None:
        """Count a message."""
        now = time.monotonic()
        refill = (now - self._updated_at) * self.per_second
        self._tokens = min(self.per_second * WINDOW_SECONDS, self._tokens + refill)
        self._updated_at = now
        if self._tokens < 1:
            raise rate_limited("messages")
        self._tokens -= 1
