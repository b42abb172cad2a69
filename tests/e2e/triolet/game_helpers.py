"""How somebody plays Triolet by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import click

VARIANTS = {"two": {"players": "2"}, "four": {"players": "4"}}
"""The variants that look different, with their options: all of them have to fit every screen."""


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Lay as many tokens as can be: a token, then its square, and a joker's value on the wheel."""
    action = max(legal(), key=lambda text: (text.count("="), text))
    if action.startswith("exchange"):
        click(page, '[data-highlight="exchange"]')
        for _ in action.removeprefix("exchange ").split(","):
            click(page, ".rack .slot:not(.chosen)")
    for part in action.split() if "=" in action else ():
        square, _, token = part.partition("=")
        name = "joker" if token.startswith("J") else f"token {token}"
        at = (ord(square[0]) - ord("A")) * 15 + int(square[1:]) - 1
        click(page, f'.rack .slot[aria-label="{name} on your rack"]')
        click(page, f'[data-square="{at}"]')
        if token.startswith("J"):
            click(page, f'[data-value="{token[1:]}"]')
    click(page, ".hand .buttons .main")
