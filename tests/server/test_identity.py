"""Cookies of users, without a server."""

from __future__ import annotations

import time

import pytest

from tripot.server.identity import COOKIE_REFRESH_SECONDS, COOKIE_SECONDS, UserCookies

SIGNED_AT = 1_800_000_000.0
DAY = 24 * 3600


@pytest.mark.parametrize(
    ("age", "is_known", "needs_cookie"),
    [
        (0, True, False),
        (COOKIE_REFRESH_SECONDS + 1, True, True),
        (COOKIE_SECONDS, True, True),
        (COOKIE_SECONDS + 1, False, True),
        (-1, True, False),
        (-DAY, True, False),
    ],
)
def test_a_cookie_is_valid_for_its_time(
    monkeypatch: pytest.MonkeyPatch, age: int, is_known: bool, needs_cookie: bool
) -> None:
    """A step back of the wall clock made every visitor a new one, and overwrote the cookies."""
    monkeypatch.setattr(time, "time", lambda: SIGNED_AT)
    cookies = UserCookies("x" * 32)
    user = cookies.identify(None, "192.0.2.1")
    signed = cookies.sign(user)
    monkeypatch.setattr(time, "time", lambda: SIGNED_AT + age)
    again = cookies.identify(signed, "192.0.2.1")
    assert (again.id == user.id, again.is_new, again.needs_cookie) == (is_known, not is_known, needs_cookie)
