"""How somebody plays Triolet by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page


def move(page: Page, legal: Callable[[], list[str]]) -> None:
    """Lay as many tokens as can be: a token, then its square, and a joker's value on the wheel."""
    action = max(legal(), key=lambda text: (text.count("="), text))
    if action.startswith("exchange"):
        page.locator('[data-highlight="exchange"]').click()
        for _ in action.removeprefix("exchange ").split(","):
            page.locator(".rack .slot:not(.chosen)").first.click()
    for part in action.split() if "=" in action else ():
        square, _, token = part.partition("=")
        name = "joker" if token.startswith("J") else f"token {token}"
        at = (ord(square[0]) - ord("A")) * 15 + int(square[1:]) - 1
        page.locator(f'.rack .slot[aria-label="{name} on your rack"]').first.click()
        page.locator(f'[data-square="{at}"]').click()
        if token.startswith("J"):
            page.locator(f'[data-value="{token[1:]}"]').click()
    page.locator(".side .buttons .main").first.click()
