"""Racks are secret, also on one screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page
from tests.e2e.page_user import COVER, NewUser, PageUser, SaveScreenshot, click

RACK = ".rack, .slot"


def sit_at_cover(user: PageUser, action: str = "") -> Page:
    """A game on one screen whose first player has just moved, perhaps by exchanging tokens."""
    user.open_by_api(game_key="triolet", seats=[{"kind": "me"}, {"kind": "me"}])
    assert user.await_turn()
    if action == "exchange":
        page = user.page
        click(page, '[data-highlight="exchange"]')
        click(page, ".rack .slot:not(.chosen)")
        click(page, ".hand .buttons .main")
    else:
        user.move()
    user.see(COVER)
    return user.page


def test_on_one_screen_the_board_is_covered_until_the_next_player_confirms(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    ann.open_by_form("triolet", "screen")
    assert ann.await_turn()
    ann.move()
    ann.page.get_by_role("button", name=re.compile("^I am")).wait_for()
    assert ann.page.locator(".rack").count() == 0
    save_screenshot(ann.page, "hidden-rack-1440")
    ann.page.get_by_role("button", name=re.compile("^I am")).click()
    assert ann.await_turn()
    ann.move()


def test_a_game_begins_covered(new_user: NewUser) -> None:
    """Lots may let another player begin than the one who set up the game, and who saw that rack."""
    ann = new_user()
    ann.open_by_form("triolet", "screen")
    for _ in range(2):
        ann.see(COVER)
        assert ann.page.locator(RACK).count() == 0
        ann.page.reload()
    assert ann.await_turn()
    assert ann.page.locator(".rack").count() == 1


def test_a_reload_does_not_uncover_the_board(new_user: NewUser) -> None:
    """A reload at "Pass the device" once showed the rack of the next player at once."""
    ann = new_user()
    ann.open_by_form("triolet", "screen")
    assert ann.await_turn()
    ann.move()
    ready_button = ann.page.get_by_role("button", name=re.compile("^I am"))
    ready_button.wait_for()
    ann.page.reload()
    ready_button.wait_for()
    assert ann.page.locator(".rack").count() == 0
    ready_button.click()
    ann.page.locator(".rack").first.wait_for()


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_stepping_back_does_not_uncover_the_board(new_user: NewUser, *, is_reloaded: bool) -> None:
    """The key and the list of moves once showed the last player's rack, or after a reload the next one's."""
    ann = new_user()
    page = sit_at_cover(ann)
    if is_reloaded:
        page.reload()
        ann.see(COVER)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for key in (",", ",", "h", "m", "."):
        page.locator("body").press(key)
    assert page.locator(".record button").count() == 0
    assert page.locator(COVER).count() == 1
    assert page.locator(RACK).count() == 0
    ann.page.get_by_role("button", name=re.compile("^I am")).click()
    assert ann.await_turn()
    assert not [url for url in requests if "/position" in url or "/hint" in url]
    page.locator(".record button").first.wait_for()


def test_a_game_that_is_stepped_through_is_covered_too(new_user: NewUser) -> None:
    """The cover comes with the next player's turn, whichever position was shown until then."""
    ann = new_user()
    page = sit_at_cover(ann)
    page.get_by_role("button", name=re.compile("^I am")).click()
    assert ann.await_turn()
    page.locator("body").press(",")
    page.locator('.game[data-active="false"] .rack').wait_for()
    game = f"/api/v1/games/{ann.game_id}"
    state = page.request.get(game).json()["state"]
    assert page.request.post(
        f"{game}/actions", data={"seq": state["seq"], "action": max(state["view"]["legal"], key=len)}
    ).ok
    ann.see(COVER)
    assert page.locator(RACK).count() == 0


@pytest.mark.parametrize("is_reloaded", [False, True])
def test_at_the_cover_nothing_tells_which_tokens_were_exchanged(
    new_user: NewUser, *, is_reloaded: bool
) -> None:
    """The list of moves and what screen readers say once named them."""
    ann = new_user()
    page = sit_at_cover(ann, "exchange")
    if is_reloaded:
        page.reload()
        ann.see(COVER)
    assert page.locator(COVER).count() == 1
    assert page.locator(".record, .last-turns").count() == 0
    spoken = page.locator('.game [aria-live="polite"], .game [role="status"]').all_text_contents()
    assert "exchanges" not in "".join(spoken)


def test_a_reload_in_the_turn_of_somebody_else_is_covered(new_user: NewUser) -> None:
    """The page has forgotten who has the device, and once showed the rack of its first player."""
    ann, ben = new_user(), new_user()
    ann.open_by_api(
        game_key="triolet",
        position="triolet H8=5,H9=7 racks=2,10,3/1,2,4/4,5,6 scores=22,0,0 turn=1 players=3",
        seats=[{"kind": "me"}, {"kind": "me"}, {"kind": "open"}],
    )
    assert ben.page.request.get("/api/v1/me").ok
    assert ben.page.request.post(f"/api/v1/games/{ann.game_id}/join", data={"name": "Ben"}).ok
    assert ann.await_turn()
    ann.move()
    ann.page.get_by_role("button", name=re.compile("^I am")).click()
    assert ann.await_turn()
    ann.move()
    ann.page.locator('.game[data-active="false"] .rack').wait_for()
    ann.page.reload()
    ann.see(COVER)
    assert ann.page.locator(RACK).count() == 0
    ann.page.get_by_role("button", name=re.compile("^I am")).click()
    ann.page.locator(".rack").wait_for()
