"""Around the board: sound, full screen, names, links, offers, clocks, first steps, and after the end."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page
from tests.e2e.page_user import (
    BOARD,
    OVER,
    THINKING,
    NewUser,
    PageUser,
    SaveScreenshot,
    await_apart,
    margin,
    overlap,
    resize,
)

import tripot

GAME_KEY = "trippples"
GAME_KEYS = [game.key for game in tripot.list_games()]
PHONE, DESK = (360, 740), (1440, 900)
COUNT_TONES = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
"""


def test_moves_are_heard_unless_sound_is_off(new_user: NewUser) -> None:
    ann = new_user(fresh=True)
    ann.page.add_init_script(COUNT_TONES)
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    assert ann.page.evaluate("() => window.tones") > 0
    switch = ann.button("Sound")
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    ann.page.reload()
    ann.page.wait_for_selector(BOARD)
    assert switch.get_attribute("aria-pressed") == "false"
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    assert ann.page.evaluate("() => window.tones") == 0
    switch.click()
    assert ann.page.evaluate("() => window.tones") > 0


def test_full_screen_links_dialogs_and_keys(new_user: NewUser) -> None:
    """One game, looked at from all sides, and left as it was until the last key."""
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    full_screen_and_back(ann)
    a_link_is_copied_and_that_is_said(ann)
    the_focus_goes_back_when_a_dialog_closes(ann)
    keys_are_listed_behind_a_question_mark_and_do_what_they_say(ann)


def full_screen_and_back(ann: PageUser) -> None:
    ann.press("Full screen")
    ann.page.wait_for_function("() => document.fullscreenElement !== null")
    ann.press("Full screen")
    ann.page.wait_for_function("() => document.fullscreenElement === null")
    ann.press_more("Full screen")
    ann.page.wait_for_function("() => document.fullscreenElement !== null")
    ann.press("Full screen")
    ann.page.wait_for_function("() => document.fullscreenElement === null")


def a_link_is_copied_and_that_is_said(ann: PageUser) -> None:
    ann.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.press_more("Share links")
    ann.press("Copy")
    ann.button("Copied").wait_for()
    assert ann.page.evaluate("() => navigator.clipboard.readText()") == ann.page.url
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog", state="detached")


def the_focus_goes_back_when_a_dialog_closes(ann: PageUser) -> None:
    for name in ("Rules", "More"):
        ann.button(name).focus()
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector("dialog[open]")
        if name == "More":  # one dialog leads to another
            ann.page.get_by_role("dialog").get_by_role("button", name="Keys", exact=True).press("Enter")
            ann.page.get_by_text("Back and forth through the moves").wait_for()
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("dialog", state="detached")
        ann.page.wait_for_function(
            "name => (document.activeElement.ariaLabel ?? document.activeElement.innerText) === name",
            arg=name,
        )


def keys_are_listed_behind_a_question_mark_and_do_what_they_say(ann: PageUser) -> None:
    ann.page.keyboard.press("?")
    ann.page.get_by_role("dialog", name="Keys").wait_for()
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog", state="detached")
    ann.move()
    assert ann.await_turn()
    ann.page.keyboard.press(",")
    ann.page.get_by_text("Looking back").first.wait_for()
    ann.page.keyboard.press(".")
    assert ann.await_turn()
    ann.page.keyboard.press("u")
    ann.page.get_by_role("button", name="Take back", exact=True, disabled=True).wait_for()


@pytest.mark.parametrize("sizes", [[PHONE], [(768, 1024), DESK]], ids=["finger", "mouse"])
def test_what_the_table_says_covers_neither_board_nor_buttons(
    sizes: list[tuple[int, int]], new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """A move that is refused says why, and leads to the clause."""
    ann = new_user(*sizes[0], has_touch=sizes == [PHONE])
    page = ann.page
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    for width, height in sizes:
        resize(page, width, height)
        page.locator(".square:not(.open)").nth(20).click(force=True)  # whatever its label says
        clause = page.get_by_role("alert").get_by_role("button", name=re.compile("^Read TP-"))
        clause.wait_for()
        save_screenshot(page, f"refused-{width}")
        assert not overlap(page, ".toast", BOARD)
        assert not overlap(page, ".toast", ".bar .buttons")
        assert not overlap(page, ".toast", ".status-line")
        assert margin(page, ".toast") > 0
        clause.click()
        page.locator("dialog h3.here").wait_for()
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


# --- First steps -------------------------------------------------------------------------------


@pytest.mark.parametrize("game_key", GAME_KEYS)
def test_the_first_steps_lead_through_a_few_moves(
    game_key: str, new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """On a phone and on a desk: each step is looked at in both, and the moves are made in turn.

    Where the computer begins it must not have played much by the time the page is there: a calm game.
    """
    ann = new_user(*DESK)
    page = ann.page
    ann.open(game_key, quiet=True, tutorial=True)
    page.wait_for_selector(BOARD)
    tutorial = page.get_by_role("region", name="First steps")
    following = tutorial.get_by_role("button", name="Next", exact=True)
    following.wait_for()
    announced: list[str] = []
    sizes = [DESK, PHONE]
    while following.count():
        announced.append(tutorial.locator("p").inner_text())
        for size in sizes:
            resize(page, *size)
            # Some boards measure themselves, and follow the window one frame later.
            await_apart(page, ".tutorial", ".board-part")
        sizes.reverse()  # the next step begins as this one ended: a window takes long to get another size
        following.click()
    assert len(set(announced)) >= 4
    for number, size in enumerate((PHONE, DESK, PHONE)):
        if not ann.await_turn():
            break
        resize(page, *size)
        tutorial.get_by_text(re.compile("It is lit on the board|play what you like")).wait_for(
            timeout=THINKING
        )
        if number < 2:
            save_screenshot(page, f"guided-{game_key}-{size[0]}")
        ann.move()
    tutorial.get_by_role("button", name="Let us play", exact=True).click()
    tutorial.wait_for(state="detached")


def test_the_first_steps_are_for_who_has_hardly_played_however_much_others_did(new_user: NewUser) -> None:
    """All actions were counted: a computer that had the first turn could end the tutorial before it began.

    The steps go on after somebody looked back while the computer thought: its advice was dropped if it came
    just then, and it was not asked for again.
    """
    ann = new_user()
    page = ann.page
    ann.open_after_moves(GAME_KEY, 2)
    page.evaluate("localStorage.clear()")
    held = ann.hold_hint_requests()
    page.reload()
    tutorial = page.get_by_role("region", name="First steps")
    tutorial.wait_for()
    assert ann.await_turn()
    following = tutorial.get_by_role("button", name="Next", exact=True)
    with page.expect_request("**/hint?*"):
        while following.count():
            following.click()
    ann.press("To the start")
    page.get_by_text("Looking back").first.wait_for()
    with page.expect_response("**/hint?*", timeout=THINKING):
        held[0].continue_()
    ann.press("To now")
    tutorial.get_by_text(re.compile("It is lit on the board")).wait_for()
    page.wait_for_selector(".board-box .hint")


# --- Names, links and offers -------------------------------------------------------------------


def test_a_name_can_be_changed_and_is_that_of_the_next_game(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/")
    page.get_by_role("button", name="Your name: ").click()
    page.get_by_role("textbox", name="Your name").fill("Ann")
    ann.press("Save")
    ann.button("Your name: Ann").wait_for()
    ann.open_by_form(GAME_KEY)
    page.get_by_role("list", name="At the table").get_by_text("Ann").wait_for()
    page.reload()
    ann.button("Your name: Ann").wait_for()


def test_a_game_of_mine_goes_on_from_home_after_the_browser_was_closed(
    new_user: NewUser, open_page: Callable[..., Page]
) -> None:
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    address = ann.page.url
    kept = ann.page.context.storage_state()
    ann.page.close()
    later = open_page(storage_state=kept)
    later.goto("#/")
    later.get_by_role("link", name=re.compile("your move")).click()
    later.wait_for_selector('.game[data-active="true"]')
    assert later.url == address


def test_a_public_game_can_be_found_and_watched(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann, ben = new_user(), new_user()
    ann.page.goto(f"#/new/{GAME_KEY}")
    ann.page.locator("summary").click()
    ann.page.get_by_label("Anybody may find and watch this game").check()
    ann.send_form()
    assert ann.await_turn()
    ben.page.goto("#/")
    shown = ben.page.locator(f'section[aria-labelledby="live"] a[href="#/g/{ann.game_id}"]')
    shown.wait_for()
    save_screenshot(ben.page, "home-watch-1440")
    shown.click()
    ben.page.wait_for_selector(BOARD)
    assert ann.button("Hint").count() == 1
    assert ben.button("Hint").count() == 0
    ben.press_more("Share links")
    assert ben.page.get_by_label("Share links").last.input_value() == ann.page.url
    assert ben.button("Link to my seat").count() == 0


def test_the_tab_says_when_it_is_my_move_and_a_draw_is_offered_refused_and_agreed(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann, ben = new_user(), new_user(*PHONE)
    ann.invite(ben, GAME_KEY)
    for _ in range(4):
        mover = ann.mover(ben)
        other = ben if mover is ann else ann
        mover.page.wait_for_function("() => document.title.startsWith('● Your move')")
        other.page.wait_for_function("() => !document.title.includes('●')")
        mover.move()
    ann.press_more("Offer a draw")
    ann.page.get_by_text("A draw is offered").wait_for()  # or it would be missed before it is there
    ben.press("No")
    ben.page.get_by_text("offers a draw").wait_for(state="detached")
    ann.page.get_by_text("A draw is offered").wait_for(state="detached")
    ann.press_more("Offer a draw")
    ben.page.get_by_text("offers a draw").wait_for()
    save_screenshot(ben.page, "offer-360")
    ben.press("Yes")
    for user in (ann, ben):
        user.page.locator(".status-line", has_text="A draw.").wait_for()


def test_time_runs_out_on_the_table_too(new_user: NewUser) -> None:
    """A game with one second may end before it is shown, so a longer one shows the clock."""
    ann = new_user()
    seats = [{"kind": "me"}, {"kind": "bot", "level": 1}]
    ann.open_by_api(game_key=GAME_KEY, seats=seats, clock="600+0")
    ann.page.get_by_role("timer").first.wait_for()
    ann.open_by_api(
        game_key=GAME_KEY, seats=seats, clock="1+0"
    )  # on a slow machine it may end before it is shown
    ann.page.wait_for_selector(OVER)
    ann.page.get_by_text("ran out of time").first.wait_for()


# --- After the end -----------------------------------------------------------------------------


def test_after_the_end_every_move_has_its_best_alternative_and_the_record_can_be_replayed(
    new_user: NewUser, save_screenshot: SaveScreenshot, tmp_path: Path
) -> None:
    """Four moves were too many for one game in a hundred, which chance had frozen before: so a calm one.

    Two moves may be told in the same words: whether the first one is looked at, the count of moves says.
    """
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    for _ in range(4):
        assert ann.await_turn()
        ann.move()
    assert ann.await_turn()
    ann.resign()
    page = ann.page
    opening = page.locator(".move-list li button .words").first.inner_text()
    ann.analyse()
    save_screenshot(page, "analysis-1440")
    page.locator(".review svg").first.click()  # in the middle of the graph
    page.locator(".review .here", has_text="Played: ").wait_for()
    assert not page.locator(".move-list .count").inner_text().startswith("0 /")
    save_screenshot(page, "analysis-pointed-1440")
    page.get_by_label("Which move").focus()
    page.keyboard.press("Home")
    page.locator(".move-list .count", has_text=re.compile("^0 /")).wait_for()
    page.locator(".review .here", has_text=f"Played: {opening}").wait_for()
    with page.expect_download() as kept:
        ann.press("More")
        page.get_by_role("link", name="Download the record").click()
    assert GAME_KEY in kept.value.suggested_filename
    record = tmp_path / kept.value.suggested_filename
    kept.value.save_as(record)
    command = [sys.executable, "-m", "tripot", "replay", str(record)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, input="999\nq\n")
    assert re.search(r"^0/\d+ .*Guest", done.stdout, re.MULTILINE)
