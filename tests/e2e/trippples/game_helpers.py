"""How somebody plays Trippples by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import PageUser, click, focused

QUIET_POSITION = (
    "trippples q,234,136,146,123,124,126,o/246,134,129,239,237,236,178,346/349,267,137,127,269,268,139,128/"
    "467,278,247,N,N,379,138,238/489,148,179,N,N,169,789,389/147,248,149,168,678,469,378,289/"
    "679,478,479,348,468,368,689,369/O,347,279,367,249,167,189,Q pawns=h1,a1 turn=1"
)
"""Four moves of each side cannot end the game or skip a turn here: see test_quiet_positions.py."""


VARIANTS = {"moving": {"players": "2"}, "drafting": {"players": "2", "layout": "drafted"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Enter one of the squares that are lit; say nothing about a freeze."""
    click(page, ".square.open", last=True)


def move_by_key(user: PageUser) -> None:
    """Walk to the lit square with the highest name, and enter it; say nothing about a freeze."""
    page = user.page
    user.see(".square.open")
    squares = page.locator(".square.open").evaluate_all("all => all.map(each => each.dataset.square)")
    if not focused(page, "dataset.square"):
        user.press_until("Tab", "[data-square]")
    user.walk("square", max(squares), up=1)
    page.keyboard.press("Enter")


def refuse(user: PageUser) -> None:
    """Try to enter a square that no arrow leads to."""
    click(user.page, '.square:not(.open)[data-square="d8"], .square:not(.open)[data-square="e1"]')


def refuse_by_key(user: PageUser) -> None:
    """Try to enter a square that no arrow leads to."""
    if not focused(user.page, "dataset.square"):
        user.press_until("Tab", "[data-square]")
    closed = '.square:not(.open)[data-square="d8"], .square:not(.open)[data-square="e1"]'
    user.walk("square", user.page.locator(closed).first.get_attribute("data-square") or "", up=1)
    user.page.keyboard.press("Enter")
