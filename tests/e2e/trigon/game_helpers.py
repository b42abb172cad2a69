"""How somebody plays Trigon by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import Fingers, PageUser, click, middle

VARIANTS = {"two": {"players": "2"}, "four": {"players": "4"}, "figure": {"players": "1"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Take the largest piece that fits, and place it where it snaps."""
    click(page, ".tray button:not([disabled]):not(.idle)", last=True)
    click(page, ".tools .main")


PIECE = ".tray button:not([disabled]):not(.idle)"


def move_by_key(user: PageUser) -> None:
    """Take the largest piece that fits, and place it where it snaps."""
    user.press_until("Tab", PIECE)
    user.page.keyboard.press("End")
    user.page.keyboard.press("Enter")
    user.see('[data-ghost="legal"]')
    user.page.keyboard.press("Enter")


def refuse(user: PageUser) -> None:
    """Carry a piece to the middle of the board, far from the starting triangles."""
    fingers = Fingers(user.page)
    start, (x, y) = middle(user.page.locator(PIECE).last), middle(user.page.locator(".board-part .fit"))
    fingers.touch("touchStart", start)
    fingers.touch("touchMove", (start[0], start[1] - 60))
    fingers.touch("touchMove", (x, y + 64))
    fingers.touch("touchEnd")
    user.see("[data-ghost]")
