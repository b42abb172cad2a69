"""How it looks and reads: no screen is wider than its window, axe finds nothing serious, two languages."""

from __future__ import annotations

import gzip
from typing import Literal

import pytest
from playwright.sync_api import Page, Request
from tests.e2e.visitor import (
    BOARD,
    TABLE,
    NewVisitor,
    Shoot,
    box,
    colour,
    faults,
    overflow,
    resize,
)

import tripot
from tripot import words

KINDS = [game.key for game in tripot.found()]
PHONE, DESK = (360, 740), (1440, 900)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def check(page: Page, shoot: Shoot, name: str, inside: str = "html", *, colours_only: bool = False) -> None:
    shoot(page, name)
    assert overflow(page) <= 0, f"{name} is too wide"
    assert faults(page, inside, colours_only=colours_only) == [], name


def test_home_and_rules(visitor: NewVisitor, shoot: Shoot) -> None:
    """On a phone and on a desk, light and dark."""
    page = visitor().page
    game = tripot.found()[0]
    for width, height in (PHONE, DESK):
        page.goto("#/")
        resize(page, width, height)
        page.wait_for_selector(".card:nth-child(4) .picture svg")
        for scheme in SCHEMES:
            colour(page, scheme)
            check(page, shoot, f"home-{width}-{scheme}", colours_only=scheme == "dark")
        page.goto(f"#/rules/{game.key}/{list(words.clauses(game))[-1]}")
        page.wait_for_selector("h3.here")
        for scheme in SCHEMES:
            colour(page, scheme)
            check(page, shoot, f"rules-{width}-{scheme}", colours_only=scheme == "dark")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_every_rulebook_with_its_diagrams_fits_a_phone(
    locale: str, visitor: NewVisitor, shoot: Shoot
) -> None:
    """Two boards side by side once stood out of the page, in French alone."""
    page = visitor(*PHONE, locale=locale).page
    for game in tripot.found():
        page.goto(f"#/rules/{game.key}")
        page.get_by_role("heading", level=1, name=game.title).wait_for()
        page.wait_for_selector("figure svg")
        shoot(page, f"rules-{game.key}-360-{locale}")
        assert overflow(page) <= 0, game.key


@pytest.mark.parametrize(("width", "height"), [PHONE, DESK])
@pytest.mark.parametrize("kind", KINDS)
def test_the_form_and_the_game(kind: str, width: int, height: int, visitor: NewVisitor, shoot: Shoot) -> None:
    """The form, the game with first steps, the game in the dark; and the whole board in other windows."""
    ann = visitor(width, height, has_touch=width < 500)
    page = ann.page
    page.goto(f"#/new/{kind}")
    page.wait_for_selector("form")
    page.locator("summary").click()
    check(page, shoot, f"new-{kind}-{width}")
    ann.send_form()
    assert ann.await_turn()
    page.wait_for_selector(BOARD)
    check(page, shoot, f"first-{kind}-{width}")
    ann.no_tour()
    colour(page, "dark")
    check(page, shoot, f"dark-{kind}-{width}")
    if (width, height) == DESK:
        colour(page, "light")
        for size in ((1366, 768), (390, 844), (844, 390)):
            the_board_is_wholly_visible(page, kind, *size, shoot)


def the_board_is_wholly_visible(page: Page, kind: str, width: int, height: int, shoot: Shoot) -> None:
    resize(page, width, height)
    # Some boards measure themselves, and follow the window one frame later.
    page.wait_for_function(
        """([board, width, height]) => {
          const { left, right, bottom } = document.querySelector(board).getBoundingClientRect();
          return left >= 0 && right <= width && bottom <= height;
        }""",
        arg=[BOARD, width, height],
    )
    shoot(page, f"whole-{kind}-{width}")
    seen = box(page.locator(BOARD).first)
    assert seen["y"] + seen["height"] <= height
    assert seen["x"] >= 0
    assert seen["x"] + seen["width"] <= width
    assert overflow(page) <= 0


def test_the_language_follows_the_browser_and_can_be_changed(visitor: NewVisitor, shoot: Shoot) -> None:
    """A visitor without a name is called so in their language."""
    page = visitor(locale="fr-FR").page
    page.goto("#/")
    page.get_by_role("link", name="Contre l'ordinateur").first.wait_for()
    shoot(page, "home-fr")
    page.goto(f"#/new/{KINDS[0]}")
    page.locator("form button.main").click()
    page.wait_for_selector(TABLE)
    table = page.get_by_role("list", name="À la table")
    table.get_by_text("Vous", exact=True).wait_for()
    assert "Guest" not in table.inner_text()
    page.get_by_text("À vous.").first.wait_for()
    page.get_by_label("Langue").select_option("en")
    page.get_by_text("Your move.").first.wait_for()
    assert page.locator("html").get_attribute("lang") == "en"


def test_the_waiting_room_and_the_invitation(visitor: NewVisitor, shoot: Shoot) -> None:
    ann, ben = visitor(*PHONE), visitor()
    ann.page.goto(f"#/new/{KINDS[0]}/invite")
    ann.send_form()
    ann.page.get_by_label("Invitation link").wait_for()
    check(ann.page, shoot, "waiting-360")
    ben.page.goto(ann.page.url)
    ben.button("Take a seat").wait_for()
    check(ben.page, shoot, "invited-1440")


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (DESK, "light")])
def test_dialogs_and_the_analysis(
    size: tuple[int, int], scheme: Literal["light", "dark"], visitor: NewVisitor, shoot: Shoot
) -> None:
    """After a move and its answer: who resigns at once may leave nothing to be analysed."""
    ann = visitor(*size, color_scheme=scheme)
    page, width = ann.page, size[0]
    ann.open(KINDS[-1], calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    check(page, shoot, f"answered-{width}")
    page.get_by_role("button", name="Your name: ").click()
    dialog_is_fine(page, shoot, f"dialog-name-{width}")
    if size == DESK:
        ann.press("Rules")
        page.wait_for_selector("dialog h3.here")
        dialog_is_fine(page, shoot, "dialog-rules")
        ann.press("More")
        dialog_is_fine(page, shoot, "dialog-more")
    for button in ("Share links", "Keys"):
        ann.press_more(button)
        dialog_is_fine(page, shoot, f"dialog-{button.split()[0].lower()}-{width}")
    ann.press_more("Resign")
    dialog_is_fine(page, shoot, f"dialog-resign-{width}")
    ann.resign()
    ann.analyse()
    check(page, shoot, f"analysis-{width}-{scheme}")


def dialog_is_fine(page: Page, shoot: Shoot, name: str) -> None:
    """Look at the dialog that is open, and close it. What is behind it cannot be reached meanwhile."""
    page.wait_for_selector("dialog[open]")
    check(page, shoot, name, "dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_the_first_screen_is_small_and_an_address_that_leads_nowhere_says_so(visitor: NewVisitor) -> None:
    """Under 150 kB of compressed JavaScript are asked for until all four pictures are there."""
    page = visitor(fresh=True).page
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
    assert size < 150_000
    assert not any("//127.0.0.1" not in address for address in scripts), "nothing comes from other hosts"
    page.goto("#/g/0123456789abcdef")
    page.get_by_text("There is no such game").wait_for()
    page.goto("#/nowhere")
    page.get_by_text("There is nothing here").wait_for()
