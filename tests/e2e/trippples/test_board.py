"""The board of Trippples in every variant: drafted by click, mouse and finger; face down; frozen; given."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page
from tests.e2e.page_user import OVER, Fingers, NewUser, PageUser, SaveScreenshot, label, middle

TILES = (
    "trippples q,679,678,468,389,137,138,o/467,178,126,378,134,149,367,148/348,478,247,248,179,239,237,369/"
    "347,124,349,N,N,169,479,379/279,147,236,N,N,268,136,689/168,129,128,189,139,146,234,127/"
    "289,489,238,167,368,249,469,123/O,246,269,267,789,346,278,Q"
)
BEGIN = f"{TILES} pawns=h1,a1 turn=1"  # after Square's g2, Round goes east or north-east
FREEZE = f"{TILES} pawns=h2,c2 turn=2"  # on c1 nobody could move any more
# Homes elsewhere, with tiles among which any four moves can be made: see test_quiet_positions.py.
INSET = (
    "367,167,234,128,134,239,389,179/236,q,678,237,139,249,o,349/147,248,149,168,789,689,169,267/"
    "138,679,479,N,N,123,137,148/124,368,129,N,N,146,289,269/347,467,469,189,468,268,136,369/"
    "379,O,178,126,238,348,Q,246/247,378,478,279,127,489,346,278"
)
CENTRE = (
    "139,278,168,479,347,267,126,128/124,289,239,478,127,137,236,279/689,167,N,249,389,N,247,138/"
    "234,346,678,q,o,268,179,129/467,248,237,379,348,178,789,246/148,489,N,349,134,N,136,238/"
    "468,469,378,679,169,149,189,269/O,367,368,147,146,123,369,Q"
)
LATE = (
    "trippples q,148,346,179,269,123,136,o/369,126,789,479,389,289,268,236/128,347,168,129,348,124,134,139/"
    "237,239,178,N,N,379,467,138/678,378,489,N,N,248,127,137/279,249,238,149,169,189,247,368/"
    "367,478,689,267,234,146,167,679/O,349,246,278,469,468,147,Q pawns=d7,h5 turn=1"
)
VARIANTS = {
    "corners": {"corners": "inset", "layout": "given", "board": INSET},
    "finish": {"finish": "centre", "layout": "given", "board": CENTRE},
}
GAME_KEY = "trippples"


def square(page: Page, name: str) -> Locator:
    return page.locator(f'[data-square="{name}"]')


def lies(page: Page, name: str) -> bool:
    """Whether a tile lies on a square, by what a screen reader says of it."""
    return "no tile yet" not in label(square(page, name))


def laid(ann: PageUser, name: str, before: int) -> None:
    """Wait for the tile, and for the next one to be drawn."""
    ann.page.wait_for_selector(f'[data-square="{name}"]:not([aria-label*="no tile yet"])')
    ann.await_event(before)
    assert ann.await_turn()


# --- Drafting ----------------------------------------------------------------------------------


def test_tiles_are_drafted_by_click_and_by_mouse(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user()
    ann.sit(GAME_KEY, options={"layout": "drafted"})
    the_tile_that_was_laid_last_stays_marked(ann, save_screenshot)
    tiles_are_dragged_with_the_mouse_and_escape_lets_go(ann)
    a_tile_dropped_on_another_one_is_refused_in_words(ann)


def the_tile_that_was_laid_last_stays_marked(ann: PageUser, save_screenshot: SaveScreenshot) -> None:
    """The mark went with the draw of the next tile, which comes at once."""
    page, before = ann.page, ann.seq()
    square(page, "c3").click()
    laid(ann, "c3", before)
    page.wait_for_selector('[data-square="c3"] .last-move')
    square(page, "e3").hover()
    page.wait_for_selector('[data-square="e3"] .tile-preview')
    save_screenshot(page, "draft-1440")


def tiles_are_dragged_with_the_mouse_and_escape_lets_go(ann: PageUser) -> None:
    page, before = ann.page, ann.seq()
    page.mouse.move(*middle(page.locator(".held")))
    page.mouse.down()
    page.mouse.move(*middle(square(page, "f6")), steps=4)
    page.wait_for_selector(".dragged")
    page.keyboard.press("Escape")
    page.wait_for_selector(".dragged", state="detached")
    page.mouse.up()
    assert not lies(page, "f6")
    page.mouse.move(*middle(page.locator(".held")))
    page.mouse.down()
    page.mouse.move(*middle(square(page, "f6")), steps=4)
    page.wait_for_selector('[data-square="f6"] .tile-preview')
    page.mouse.up()
    laid(ann, "f6", before)


def a_tile_dropped_on_another_one_is_refused_in_words(ann: PageUser) -> None:
    ann.page.locator(".held").drag_to(square(ann.page, "d4"))
    ann.page.get_by_role("alert").get_by_text("d4 already has a tile").wait_for()


def test_tiles_are_dragged_with_a_finger(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user(360, 740, has_touch=True)
    page = ann.sit(GAME_KEY, options={"layout": "drafted"})
    before = ann.seq()
    touch = Fingers(page).touch
    touch("touchStart", middle(page.locator(".held")))
    touch("touchMove", middle(square(page, "d3")))
    touch("touchMove", middle(square(page, "b5")))  # the tile is seen above the finger
    page.wait_for_selector('[data-square="b6"] .tile-preview')
    save_screenshot(page, "draft-finger-360")
    touch("touchEnd")
    laid(ann, "b6", before)


def test_neutral_tiles_are_laid_first_where_the_players_like(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, options={"zone": "chosen"})
    for name in ("b2", "g7", "c5"):
        before = ann.seq()
        page.locator(".held").drag_to(square(page, name))
        laid(ann, name, before)
    square(page, "f3").click()
    page.wait_for_selector(".pawn")
    for name in ("b2", "g7", "c5", "f3"):
        assert "neutral tile" in label(square(page, name))


# --- What is asked, and what was done ----------------------------------------------------------


def test_directions_are_said_in_words_and_the_last_move_leaves_a_trail_until_it_is_taken_back(
    new_user: NewUser,
) -> None:
    """The sentence once said "keypad 478"; the trail was lost when the one screen passed to the next seat."""
    ann = new_user()
    page = ann.sit(GAME_KEY, BEGIN)
    square(page, "g2").click()
    page.wait_for_selector(".pawn.binds")
    page.wait_for_selector(".trail", state="attached")
    status = page.locator(".status-line").inner_text()
    assert re.search(r"let you go (north|east|south|west)", status)
    assert "keypad" not in status
    ann.press("Take back")
    page.wait_for_selector('[data-square="h1"][aria-label*="pawn"]')
    assert page.locator(".trail").count() == 0


def test_what_a_move_would_do_is_not_told_any_more_once_it_was_made(new_user: NewUser) -> None:
    """The sentence stayed as long as the pointer rested on the square."""
    ann = new_user()
    page = ann.sit(GAME_KEY, BEGIN)
    effect: dict[str, Any] = {"key": "effect", "text": "Something happens.", "clause": None, "values": {}}
    page.route("**/preview?*", lambda route: route.fulfill(json={"effects": [effect], "error": None}))
    said = page.locator(".status-text", has_text="Something happens.")
    square(page, "g2").hover()
    said.wait_for()
    before = ann.seq()
    page.mouse.down()
    page.mouse.up()
    ann.await_event(before)
    said.wait_for(state="detached")


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_face_down_tile_turns_when_a_pawn_enters_it(
    new_user: NewUser, motion: Literal["reduce", "no-preference"]
) -> None:
    ann = new_user(reduced_motion=motion)
    page = ann.sit(GAME_KEY, options={"tiles": "face-down"})
    assert "face down" in label(square(page, "g2"))
    square(page, "g2").click()
    page.wait_for_selector('[data-square="g2"]:not([aria-label*="face down"])')
    page.wait_for_selector('[data-square="g2"] .flip', state="detached")


# --- Freeze ------------------------------------------------------------------------------------


def test_a_freeze_is_announced_and_wins(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, FREEZE)
    save_screenshot(page, "freeze-1440")
    ann.press("Announce a freeze")
    square(page, "c1").click()
    page.wait_for_selector(OVER)
    assert "announced the freeze and wins" in page.locator(".status-line").inner_text()
    assert page.locator(".frost").count() == 2


def test_a_freeze_has_to_be_noticed(new_user: NewUser) -> None:
    """The page once asked "Announce the freeze?" when a move would freeze the board (TP-8)."""
    ann = new_user()
    page = ann.sit(GAME_KEY, FREEZE)
    assert not any(text.endswith("!") for text in ann.legal())
    assert page.locator(".frost").count() == 0
    button = page.get_by_role("button", name="Announce a freeze")
    assert button.get_attribute("aria-pressed") == "false"
    square(page, "c1").click()
    page.wait_for_selector(OVER)
    assert "nobody announced the freeze" in page.locator(".status-line").inner_text()


def test_a_false_announcement_is_refused_and_can_be_withdrawn(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, BEGIN)
    button = page.locator("button.freeze")
    for pressed in ("true", "false", "true"):
        button.click()
        assert button.get_attribute("aria-pressed") == pressed
    before = ann.seq()
    square(page, "g2").click()
    page.wait_for_selector("text=cannot be announced")
    assert ann.seq() == before
    assert button.get_attribute("aria-pressed") == "false"
    square(page, "g2").click()
    page.wait_for_selector('[data-square="g2"][aria-label*="pawn"]')


# --- Variants ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "homes"),
    [
        ("corners", {"g2": "start of Square", "g7": "finish of Round", "a1": "arrows"}),
        ("finish", {"d5": "finish of Square", "e5": "finish of Round", "c3": "neutral"}),
    ],
    ids=["inset", "centre"],
)
def test_homes_elsewhere_are_drawn_and_said_where_they_are(
    variant: str, homes: dict[str, str], new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, options=VARIANTS[variant])
    for name, said in homes.items():
        assert said in label(square(page, name))
    save_screenshot(page, f"trippples-{variant}-1440")
    for _ in range(4):
        assert ann.await_turn()
        ann.move()


def test_four_play_on_one_screen(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user(360, 740, has_touch=True)
    page = ann.sit(GAME_KEY, seats=4, options={"players": "4"})
    assert "pawn of Square 2" in label(square(page, "h1"))
    for _ in range(8):
        if not ann.await_turn():
            break
        ann.move()
    assert page.locator(".pawn").count() == 4
    save_screenshot(page, "trippples-four-360")


def test_a_game_is_played_to_its_end_by_finger_at_360(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user(360, 740, has_touch=True)
    ann.sit_with_bots(GAME_KEY, LATE)
    for number in ann.turns():
        if number == 4:
            save_screenshot(ann.page, "trippples-middle-360")
        ann.page.locator(".square.open").last.tap()
    assert number >= 4, "the game ended before the middle was looked at"
    ann.close_end()
    ann.button("Rematch").wait_for()
    save_screenshot(ann.page, "trippples-over-360")


# --- Confirmation ------------------------------------------------------------------------------


def test_a_move_by_finger_can_be_confirmed_first(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    """Only if the player wants it: the move is shown on the board, and can be given up."""
    ann = new_user(390, 844, has_touch=True, is_mobile=True)
    page = ann.sit(GAME_KEY, BEGIN)
    ann.press("More")
    page.get_by_role("checkbox", name="Ask before a move is played").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    before = ann.seq()
    square(page, "g2").tap()
    question = page.get_by_role("group", name="Ask before a move is played")
    assert "g2" in question.inner_text()
    page.wait_for_selector(".board-box .hint")
    save_screenshot(page, "confirm-390")
    ann.press("Not yet")
    question.wait_for(state="detached")
    assert ann.seq() == before
    square(page, "g2").tap()
    ann.press("Play")
    ann.await_event(before)
    question.wait_for(state="detached")
    ann.press("More")
    page.get_by_role("checkbox", name="Ask before a move is played").uncheck()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert ann.await_turn()
    before = ann.seq()
    page.locator(".square.open").first.tap()
    ann.await_event(before)
