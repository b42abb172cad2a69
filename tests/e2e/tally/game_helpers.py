"""How somebody plays Tally by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

VARIANTS = {"small": {"players": "2"}, "large": {"players": "2", "heap": "7"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Press the last button: take as many as may be taken."""
    page.locator(".board-box .tally button").last.click()
