"""Stepping through a game: what is shown, what is marked, and what happens if a position does not come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route
from tests.e2e.page_user import NewUser

GAME_KEY = "trippples"


@pytest.mark.parametrize("failure", ["unreachable", "busy"])
def test_a_position_that_cannot_be_loaded_is_asked_for_once(new_user: NewUser, failure: str) -> None:
    """The page asked again and again without an end, with a message and a sound each time."""
    ann = new_user(fresh=True)
    page = ann.page
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        if failure == "unreachable":
            route.abort()
        else:
            route.fulfill(status=503, json={"code": "busy", "message": "busy", "retry_after": 2})

    page.route("**/positions/*", refuse)
    ann.open_after_moves(GAME_KEY, 1)
    ann.press("One move back")
    page.locator(".toast.bad").wait_for()
    page.locator('.game[data-active="true"]').wait_for()  # the current position is shown again
    assert page.evaluate("fetch('healthz').then((answer) => answer.ok)")  # time for another request
    assert len(asked) == 1
    assert ann.button("To now").is_disabled()
