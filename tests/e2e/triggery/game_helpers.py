"""How somebody plays Triggery by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import PageUser, attribute, click, focused

QUIET_POSITION = (
    "triggery 16,*,11,9,24,*/7,5,1,*,17,15/13,23,*,18,3,5/6,8,21,*,8,*/*,10,1,12,3,2/4,10,19,20,12,11 "
    "7,*,1,4,2,*/5,9,24,7,3,*/8,11,9,22,14,*/21,10,*,17,13,19/12,18,12,8,11,16/1,5,3,15,10,6 "
    "first=yellow side=blue throw=1-2"
)
"""With a budget of 3 the first turn of either player is short: see test_quiet_positions.py."""


VARIANTS = {"two": {"players": "2"}, "alone": {"players": "1"}, "teams": {"players": "4"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Turn the first tile that the budget pays for, or end the turn."""
    if page.locator(".cell.open").count():
        click(page, ".cell.open")
    else:
        click(page, ".actions .button.main")


TOO_DEAR = ".cell:has(.unaffordable)"


def move_by_key(user: PageUser) -> None:
    """Walk to the first tile that the budget pays for, and turn it, or end the turn."""
    page = user.page
    if page.locator(".cell.open").count():
        _walk_to(user, ".cell.open")
    else:
        user.press_until("Tab", ".actions .button.main")
    page.keyboard.press("Enter")


def refuse(user: PageUser) -> None:
    """Try to turn a tile that costs more than the budget."""
    click(user.page, TOO_DEAR)


def refuse_by_key(user: PageUser) -> None:
    """Try to turn a tile that costs more than the budget."""
    _walk_to(user, TOO_DEAR)
    user.page.keyboard.press("Enter")


def _walk_to(user: PageUser, selector: str) -> None:
    """Give the first tile with a selector the focus by Tab and the arrow keys."""
    tile = user.page.locator(selector).first
    side = attribute(tile, "data-board")
    if focused(user.page, "dataset.board") != side:
        user.press_until("Tab", f'[data-cell][data-board="{side}"]')
    user.walk("cell", attribute(tile, "data-cell"), up=-1)
