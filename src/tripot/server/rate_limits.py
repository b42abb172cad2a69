"""Rate limits of requests, messages, new games and engine time."""

from __future__ import annotations

import time

from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from tripot.server.errors import rate_limited
from tripot.server.identity import User
from tripot.server.settings import Settings

WINDOW_SECONDS = 10  # over which the rate of requests and messages is averaged


class RateLimits:
    """Limits per user or address. Each check counts, and raises `RequestError` if the limit is reached."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = FixedWindowRateLimiter(MemoryStorage())
        self._games = RateLimitItemPerMinute(settings.games_per_minute)
        self._requests = RateLimitItemPerSecond(settings.messages_per_second * WINDOW_SECONDS, WINDOW_SECONDS)
        self._tenths = RateLimitItemPerMinute(max(1, int(settings.analysis_seconds * 10)), 10)

    def check_new_game(self, user: User) -> None:
        """Count a new game of an address."""
        if not self._limiter.hit(self._games, "open", user.address):
            raise rate_limited("new games")

    def check_request(self, user: User) -> None:
        """Count a request of a user."""
        if not self._limiter.hit(self._requests, user.id):
            raise rate_limited("requests")

    def check_engine_time(self, user: User, seconds: float) -> None:
        """Count seconds of an engine for a user, in tenths."""
        if not self._limiter.hit(self._tenths, "think", user.id, cost=max(1, int(seconds * 10))):
            raise rate_limited("questions to the engine")


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
