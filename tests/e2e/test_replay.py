"""Stepping through a game: what is shown, what is marked, and what happens if a position does not come."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route
from tests.e2e.page_user import THINKING, NewUser
from tests.e2e.test_reconnection import Wire

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


def test_an_analysis_that_stops_says_so_and_goes_on_where_it_was(new_user: NewUser) -> None:
    """A busy engine refused every move, and the page said that no move had thrown anything away."""
    ann = new_user(fresh=True)
    page = ann.page
    asked: list[str] = []
    failing = {"action_index=2"}

    def answer(route: Route) -> None:
        index = next(each for each in route.request.url.split("?")[1].split("&") if "action_index" in each)
        asked.append(index)
        if index in failing:
            route.fulfill(status=503, json={"code": "busy", "message": "busy", "retry_after": 2})
        else:
            route.continue_()

    page.route("**/analysis?*", answer)
    ann.open_after_moves(GAME_KEY, 2)
    ann.resign()
    ann.press("Analyse")
    page.locator('.review[data-progress="stopped"]').wait_for(timeout=THINKING)
    page.locator(".review").get_by_text("The computer is busy").wait_for()
    assert page.get_by_text("No move threw anything away").count() == 0
    assert asked == ["action_index=0", "action_index=1", "action_index=2"]
    assert ann.button("Analyse").is_enabled()
    failing.clear()
    page.locator(".review").get_by_role("button", name="Try again").click()
    page.locator('.review[data-progress="complete"]').wait_for(timeout=THINKING)
    assert asked[3:] == ["action_index=2", "action_index=3"]
    assert ann.button("Analyse").is_disabled()


def test_the_list_of_moves_follows_the_steps(new_user: NewUser) -> None:
    """The marked row was out of sight after a few steps."""
    ann = new_user(1366, 620)
    page = ann.page
    ann.open_after_moves(GAME_KEY, 6)
    assert page.evaluate("() => document.querySelector('.moves').scrollTop") > 0
    current = """() => {
      const list = document.querySelector(".moves").getBoundingClientRect();
      const row = document.querySelector(".moves [aria-current]").getBoundingClientRect();
      return row.top >= list.top && row.bottom <= list.bottom;
    }"""
    for left in range(11, 0, -1):
        page.keyboard.press(",")
        page.locator(".move-list .count", has_text=f"{left} /").wait_for()
        page.wait_for_function(current)
    assert page.evaluate("() => document.querySelector('.moves').scrollTop") == 0


def test_a_hint_that_comes_while_looking_back_is_shown_once_back(new_user: NewUser) -> None:
    """It was drawn on the position that was looked at."""
    ann = new_user()
    page = ann.page
    held = ann.hold_hint_requests()
    ann.open_after_moves(GAME_KEY, 1)
    with page.expect_request("**/hint?*"):
        page.keyboard.press("h")
    ann.press("To the start")
    page.get_by_text("Looking back").first.wait_for()
    with page.expect_response("**/hint?*", timeout=THINKING) as answer:
        held[0].continue_()
    answer.value.finished()
    ann.button("Hint").wait_for()  # it says "Thinking…" until the hint is there
    assert page.locator(".board-box .hint").count() == 0
    ann.press("To now")
    page.wait_for_selector(".board-box .hint")


def test_the_current_position_is_never_looked_back_at(new_user: NewUser) -> None:
    """The board was locked at "0 of 0", or when all that was played later had been taken back."""
    ann = new_user()
    page = ann.page
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    page.keyboard.press(",")
    page.keyboard.press(".")
    assert page.locator('.game[data-active="true"]').count() == 1
    ann.move()
    assert ann.await_turn()
    page.keyboard.press(",")
    page.keyboard.press(",")
    page.get_by_text("Looking back: 0 of 2").first.wait_for()
    ann.press("Take back")
    page.locator(".move-list .count", has_text="0 / 0").wait_for()
    assert ann.await_turn()
    ann.move()


def test_a_row_that_is_gone_is_not_pointed_at_any_more(new_user: NewUser) -> None:
    """Its move stayed marked on the board after it had been taken back."""
    ann = new_user()
    page = ann.page
    ann.open_after_moves(GAME_KEY, 1)
    page.locator(".move-list li button").last.hover()
    page.wait_for_selector(".board-box .last-move", state="attached")
    page.keyboard.press("u")
    page.locator(".move-list .count", has_text="0 / 0").wait_for()
    page.wait_for_selector(".board-box .last-move", state="detached")


def test_on_a_phone_no_text_speaks_of_escape(new_user: NewUser) -> None:
    ann = new_user(390, 844, has_touch=True, is_mobile=True)
    ann.open_after_moves(GAME_KEY, 1)
    ann.press("One move back")
    looking_back = ann.page.locator(".status-line", has_text="Looking back: 1 of 2.")
    looking_back.wait_for()
    assert "Escape" not in looking_back.inner_text()


def test_after_the_end_the_key_of_take_back_does_nothing(new_user: NewUser) -> None:
    """It was refused with a message, though nothing offers it then."""
    ann = new_user(fresh=True)
    page = ann.page
    wire = Wire(page)
    ann.open_after_moves(GAME_KEY, 1)
    ann.resign()
    wire.sent.clear()
    page.keyboard.press("u")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keys").wait_for()
    assert wire.of("command") == []
