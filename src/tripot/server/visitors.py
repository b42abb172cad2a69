"""Who somebody is without an account, and how much they may ask for."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from itsdangerous import BadSignature, TimestampSigner
from limits import RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import FixedWindowRateLimiter

from tripot.server.errors import too_many
from tripot.server.settings import Settings

COOKIE: Final = "tripot"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # as long as browsers keep any
RENEW_SECONDS: Final = 24 * 3600


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks: an id that only the server and the cookie know, and the address it comes from."""

    player: str
    address: str
    is_new: bool = False
    is_due: bool = False  # whether the cookie is to be renewed


class Visitors:
    """Signed cookies and limits."""

    def __init__(self, settings: Settings) -> None:
        self._signer = TimestampSigner(settings.signing_key, salt="player")
        self._settings = settings
        self._counts = FixedWindowRateLimiter(MemoryStorage())

    # -- who --

    def know(self, cookie: str | None, address: str) -> Visitor:
        """The visitor of a cookie; a new one without, or with one that was not ours."""
        try:
            raw, signed = self._signer.unsign(cookie or "", max_age=COOKIE_SECONDS, return_timestamp=True)
        except BadSignature:
            return Visitor(secrets.token_hex(16), address, is_new=True, is_due=True)
        age = self._signer.get_timestamp() - int(signed.timestamp())
        return Visitor(raw.decode(), address, is_due=age > RENEW_SECONDS)

    def cookie(self, visitor: Visitor) -> str:
        """What the visitor's browser keeps."""
        return self._signer.sign(visitor.player).decode()

    # -- how much --

    def may_open(self, visitor: Visitor) -> None:
        """A game more?"""
        if not self._counts.hit(
            RateLimitItemPerMinute(self._settings.games_a_minute), "open", visitor.address
        ):
            raise too_many("new games")

    def may_ask(self, visitor: Visitor) -> None:
        """A request more?"""
        if not self._counts.hit(
            RateLimitItemPerSecond(self._settings.messages_a_second * 10, 10), visitor.player
        ):
            raise too_many("requests")

    def may_think(self, visitor: Visitor, seconds: float) -> None:
        """Some seconds of an engine more? Counted in tenths."""
        tenths = RateLimitItemPerMinute(max(1, int(self._settings.engine_seconds * 10)), 10)
        if not self._counts.hit(tenths, "think", visitor.player, cost=max(1, int(seconds * 10))):
            raise too_many("questions to the engine")


def new_token() -> str:
    """A secret for a seat link."""
    return secrets.token_urlsafe(16)


def digest(token: str) -> str:
    """What is stored of a token."""
    return sha256(token.encode()).hexdigest()
