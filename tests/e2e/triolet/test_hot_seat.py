"""Racks are secret, also on one screen."""

from __future__ import annotations

import re

from tests.e2e.page_user import NewUser, SaveScreenshot


def test_on_one_screen_what_is_hidden_waits_behind_a_curtain(
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


def test_a_reload_does_not_lift_the_curtain(new_user: NewUser) -> None:
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
