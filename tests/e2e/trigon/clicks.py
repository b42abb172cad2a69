"""How somebody plays Trigon by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Take the largest piece that fits, and place it where it snaps."""
    page.locator(".tray button:not([disabled]):not(.idle)").last.click()
    page.locator(".tools .main").click()
