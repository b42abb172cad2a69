"""How somebody plays Trigon by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import click

VARIANTS = {"two": {"players": "2"}, "four": {"players": "4"}, "figure": {"players": "1"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Take the largest piece that fits, and place it where it snaps."""
    click(page, ".tray button:not([disabled]):not(.idle)", last=True)
    click(page, ".tools .main")
