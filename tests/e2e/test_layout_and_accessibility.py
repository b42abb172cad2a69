"""How it looks and reads: no screen is wider than its window, axe finds nothing serious, two languages."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import pytest
from playwright.sync_api import Page, Request
from tests.e2e.page_user import (
    BOARD,
    TABLE,
    NewUser,
    PageUser,
    SaveScreenshot,
    box,
    colour,
    faults,
    overflow,
    resize,
)

import tripot
from tripot import i18n

MAX_FIRST_SCREEN_BYTES = 60_000  # of compressed JavaScript
GAME_KEYS = [game.key for game in tripot.list_games()]
PHONE, DESK = (360, 740), (1440, 900)


def check(
    page: Page,
    save_screenshot: SaveScreenshot,
    name: str,
    inside: str = "html",
    *,
    same_elements: bool = False,
) -> None:
    save_screenshot(page, name)
    assert overflow(page) <= 0, f"{name} is too wide"
    assert faults(page, inside, same_elements=same_elements) == [], name


@contextmanager
def on_a_phone(page: Page) -> Iterator[None]:
    """Emulate a phone: a small window, touch and the dark scheme."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    resize(page, *PHONE)
    colour(page, "dark")
    try:
        yield
    finally:
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        session.detach()
        resize(page, *DESK)
        colour(page, "light")


def check_both(
    page: Page, save_screenshot: SaveScreenshot, name: str, inside: str = "html", *, same: bool = False
) -> None:
    """Look at the page on a desk in the light, and on a phone in the dark.

    These are two of four combinations: colours do not depend on the size, and nothing else on the scheme.
    Where both have the same elements, only rules about colours and layout run on the phone.
    """
    check(page, save_screenshot, f"{name}-{DESK[0]}-light", inside)
    with on_a_phone(page):
        check(page, save_screenshot, f"{name}-{PHONE[0]}-dark", inside, same_elements=same)


def test_home_and_a_clause(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    page = new_user().page
    game = tripot.list_games()[0]
    page.goto("#/")
    page.wait_for_selector(".card:nth-child(4) .picture svg")
    check_both(page, save_screenshot, "home")
    page.goto(f"#/rules/{game.key}/{list(i18n.clauses(game))[-1]}")
    page.wait_for_selector("h3.here")
    check(page, save_screenshot, f"rules-{DESK[0]}-light")


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("fr-FR", "dark")])
def test_every_rulebook_with_its_diagrams_fits_a_phone(
    locale: str, scheme: Literal["light", "dark"], new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """Two boards side by side once stood out of the page, in French alone."""
    page = new_user(*PHONE, locale=locale, color_scheme=scheme).page
    for game in tripot.list_games():
        page.goto(f"#/rules/{game.key}")
        page.get_by_role("heading", level=1, name=game.title).wait_for()
        page.wait_for_selector("figure svg")
        check(page, save_screenshot, f"rules-{game.key}-360-{locale}")


@pytest.mark.parametrize("game_key", GAME_KEYS)
def test_the_form_and_the_game(game_key: str, new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    """The form, the game with first steps, the game without; and the whole board in other windows."""
    ann = new_user(*DESK)
    page = ann.page
    page.goto(f"#/new/{game_key}")
    page.wait_for_selector("form")
    page.locator("summary").click()
    check_both(page, save_screenshot, f"new-{game_key}", same=True)
    ann.send_form()
    assert ann.await_turn()
    page.wait_for_selector(BOARD)
    check(page, save_screenshot, f"first-{game_key}-{DESK[0]}")
    with on_a_phone(page):
        check(page, save_screenshot, f"first-{game_key}-{PHONE[0]}", same_elements=True)
        ann.skip_tutorial()
        check(page, save_screenshot, f"dark-{game_key}-{PHONE[0]}")
    check(page, save_screenshot, f"game-{game_key}-{DESK[0]}", same_elements=True)
    for size in ((1366, 768), (390, 844), (844, 390)):
        the_board_is_wholly_visible(page, game_key, *size, save_screenshot)


def the_board_is_wholly_visible(
    page: Page, game_key: str, width: int, height: int, save_screenshot: SaveScreenshot
) -> None:
    resize(page, width, height)
    # Some boards measure themselves, and follow the window one frame later.
    page.wait_for_function(
        """([board, width, height]) => {
          const { left, right, bottom } = document.querySelector(board).getBoundingClientRect();
          return left >= 0 && right <= width && bottom <= height;
        }""",
        arg=[BOARD, width, height],
    )
    save_screenshot(page, f"whole-{game_key}-{width}")
    seen = box(page.locator(BOARD).first)
    assert seen["y"] + seen["height"] <= height
    assert seen["x"] >= 0
    assert seen["x"] + seen["width"] <= width
    assert overflow(page) <= 0


def test_the_language_follows_the_browser_and_can_be_changed(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """A user without a name is called so in their language."""
    page = new_user(locale="fr-FR").page
    page.goto("#/")
    page.get_by_role("button", name="Contre l'ordinateur").first.wait_for()
    save_screenshot(page, "home-fr")
    page.goto(f"#/new/{GAME_KEYS[0]}")
    page.locator("form button.main").click()
    page.wait_for_selector(TABLE)
    table = page.get_by_role("list", name="À la table")
    table.get_by_text("Vous", exact=True).wait_for()
    assert "Guest" not in table.inner_text()
    page.get_by_text("À vous.").first.wait_for()
    page.get_by_label("Langue").select_option("en")
    page.get_by_text("Your move.").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_waiting_room_and_the_invitation(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann, ben = new_user(*PHONE), new_user()
    ann.page.goto(f"#/new/{GAME_KEYS[0]}/invite")
    ann.send_form()
    ann.page.get_by_label("Invitation link").wait_for()
    check(ann.page, save_screenshot, "waiting-360")
    ben.page.goto(ann.page.url)
    ben.button("Take a seat").wait_for()
    check(ben.page, save_screenshot, "invited-1440")


def test_dialogs_and_the_analysis(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    """After a move and its answer: who resigns at once may leave nothing to be analysed.

    All dialogs are opened on a desk and then on a phone: a window takes long to get another size.
    """
    ann = new_user(*DESK)
    page = ann.page
    ann.open("triolet")
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    check(page, save_screenshot, f"answered-{DESK[0]}-light")
    dialogs_are_fine(ann, save_screenshot, f"{DESK[0]}-light")
    with on_a_phone(page):
        check(page, save_screenshot, f"answered-{PHONE[0]}-dark", same_elements=True)
        dialogs_are_fine(ann, save_screenshot, f"{PHONE[0]}-dark", same_elements=True)
    ann.resign()
    ann.analyse()
    check_both(page, save_screenshot, "analysis")


def dialogs_are_fine(
    ann: PageUser, save_screenshot: SaveScreenshot, look: str, *, same_elements: bool = False
) -> None:
    """Look at each dialog, and close it. What is behind it cannot be reached meanwhile."""
    page = ann.page
    for name in ("Your name: ", "Rules", "More", "Share links", "Keys", "Resign"):
        if name in ("Rules", "More"):
            ann.press(name)
        elif name in ("Share links", "Keys", "Resign"):
            ann.press_more(name)
        else:
            page.get_by_role("button", name=name).click()
        page.wait_for_selector("dialog[open] figure svg" if name == "Rules" else "dialog[open]")
        check(page, save_screenshot, f"dialog-{name}-{look}", "dialog[open]", same_elements=same_elements)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


def test_the_first_screen_is_small_and_an_address_that_leads_nowhere_says_so(new_user: NewUser) -> None:
    """The screens that the page fetches while it is idle do not count."""
    page = new_user(fresh=True).page
    page.add_init_script("window.requestIdleCallback = () => 0;")
    asked: dict[str, Request] = {}
    page.on("request", lambda request: asked.update({request.url: request}))
    page.goto("#/")
    page.wait_for_selector(".card:nth-child(4) .picture svg")
    scripts = {url: request for url, request in asked.items() if url.endswith(".js")}
    assert scripts
    size = 0
    for request in scripts.values():
        answer = request.response()
        assert answer is not None
        size += len(gzip.compress(answer.body()))
    assert size < MAX_FIRST_SCREEN_BYTES, f"{size} bytes"
    assert not any("//127.0.0.1" not in address for address in scripts), "nothing comes from other hosts"
    page.goto("#/g/0123456789abcdef")
    page.get_by_text("There is no such game").wait_for()
    page.goto("#/nowhere")
    page.get_by_text("There is nothing here").wait_for()
