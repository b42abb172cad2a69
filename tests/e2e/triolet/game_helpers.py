"""How somebody plays Triolet by clicking."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page
from tests.e2e.page_user import PageUser, click, focused

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
        at = (ord(square[0]) - ord("A")) * 15 + int(square[1:]) - 1
        click(page, f'.rack .slot[data-key="{_rack_place(page, token)}"]')
        click(page, f'[data-square="{at}"]')
        if token.startswith("J"):
            click(page, f'[data-value="{token[1:]}"]')
    click(page, ".hand .buttons .main")


FAR = 0  # the square A1, where nothing lies near


def move_by_key(user: PageUser) -> None:
    """Lay one token that is no joker where it may lie, and play it."""
    action = next(each for each in user.legal() if each.count("=") == 1 and "=J" not in each)
    square, _, token = action.partition("=")
    _lay_by_key(user, _rack_place(user.page, token), (ord(square[0]) - ord("A")) * 15 + int(square[1:]) - 1)
    user.see(".preview-total")
    user.page.keyboard.press("p")


def refuse(user: PageUser) -> None:
    """Lay a token far from all others."""
    click(user.page, ".rack .slot")
    click(user.page, f'[data-square="{FAR}"]')


def refuse_by_key(user: PageUser) -> None:
    """Lay a token far from all others."""
    _lay_by_key(user, 1, FAR)


def _lay_by_key(user: PageUser, place: int, square: int) -> None:
    """Take the token of a place on the rack, from 1, walk to a square, and lay it there."""
    page = user.page
    if not focused(page, "dataset.square"):
        user.press_until("Tab", "[data-square]")
    page.keyboard.press(str(place))
    here = int(focused(page, "dataset.square"))
    for step, (forth, back) in (
        (square // 15 - here // 15, ("ArrowDown", "ArrowUp")),
        (square % 15 - here % 15, ("ArrowRight", "ArrowLeft")),
    ):
        for _ in range(abs(step)):
            page.keyboard.press(forth if step > 0 else back)
    page.keyboard.press("Enter")


def _rack_place(page: Page, token: str) -> int:
    """The place on the rack, from 1, of a token such as 7 or J that is not laid yet, in any language."""
    labels: list[str] = page.locator(".rack .slot:not(.empty)").evaluate_all(
        "all => all.map(each => `${each.dataset.key} ${each.ariaLabel}`)"
    )
    name = "joker" if token.startswith("J") else token
    return next(int(label.split()[0]) for label in labels if name in label.split()[1:])
