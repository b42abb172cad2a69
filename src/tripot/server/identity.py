"""Users without accounts, known by a signed cookie, and the secrets of seat links."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from itsdangerous import BadSignature, TimestampSigner

COOKIE: Final = "tripot"
COOKIE_SECONDS: Final = 400 * 24 * 3600  # the longest time that browsers keep a cookie
COOKIE_REFRESH_SECONDS: Final = 24 * 3600
REQUEST_KEY_DIGITS: Final = 40  # 160 bits; a column of 64 characters keeps them


@dataclass(frozen=True, slots=True)
class User:
    """A user: an id that only the server and the cookie know, and the address of the request."""

    id: str
    address: str
    is_new: bool = False
    needs_cookie: bool = False


class UserCookies:
    """Signs and reads the cookies of users."""

    def __init__(self, signing_key: str) -> None:
        self._signer = TimestampSigner(signing_key, salt="player")

    def identify(self, cookie: str | None, address: str) -> User:
        """The user of a cookie; a new one without a cookie, or if its signature is wrong or too old.

        A cookie from the future is valid: the wall clock was wrong when it was signed, or is wrong now.
        """
        new = User(secrets.token_hex(16), address, is_new=True, needs_cookie=True)
        try:
            raw, signed = self._signer.unsign(cookie or "", return_timestamp=True)
        except BadSignature:
            return new
        age = self._signer.get_timestamp() - int(signed.timestamp())
        if age > COOKIE_SECONDS:
            return new
        return User(raw.decode(), address, needs_cookie=age > COOKIE_REFRESH_SECONDS)

    def sign(self, user: User) -> str:
        """The value of the user's cookie."""
        return self._signer.sign(user.id).decode()


def new_link_token() -> str:
    """A new secret for a seat link."""
    return secrets.token_urlsafe(16)


def request_key(user_id: str, request_id: str) -> str:
    """What the database stores of a request id, which a client chooses and which counts for its user only.

    The colon tells it from the ids that earlier versions stored as they were sent.
    """
    return f":{sha256(f'{user_id} {request_id}'.encode()).hexdigest()[:REQUEST_KEY_DIGITS]}"


def hash_token(token: str) -> str:
    """The hash of a token, which is all that the database stores."""
    return sha256(token.encode()).hexdigest()
