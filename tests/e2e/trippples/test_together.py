"""At a table of Trippples: by a link, in another place, over a restart, back and forth."""

from __future__ import annotations

import re

from bench._server_process import Server
from tests.e2e.page_user import THINKING, NewUser, SaveScreenshot, box, faults, overlap

GAME_KEY = "trippples"


def test_two_play_by_a_link_take_back_with_a_yes_and_one_resigns(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann, ben = new_user(), new_user(390, 844, has_touch=True)
    ann.invite(ben, GAME_KEY)
    mover = ann.mover(ben)
    other = ben if mover is ann else ann
    mover.move()
    mover.press("Take back")
    other.press("Yes")
    mover.page.wait_for_selector('.game[data-active="true"]')
    for user in (ann, ben):  # one page may know of it before the other
        user.page.wait_for_selector(".move-list li button .visually-hidden", state="detached")
    for _ in range(4):
        mover = ann.mover(ben)
        before = {user: user.seq() for user in (ann, ben)}
        mover.move()
        for user in (ann, ben):
            user.await_event(before[user])
    save_screenshot(ben.page, "online-390")
    loser = ann.mover(ben)
    winner = ben if loser is ann else ann
    loser.resign()
    winner.page.get_by_text("You have won!").first.wait_for()
    winner.page.locator("dialog.end").get_by_role("button", name="Rematch").click()
    loser.page.get_by_role("link", name="Play again").click()
    for user in (ann, ben):
        user.page.wait_for_selector('.game[data-status="live"]')


def test_a_seat_goes_to_another_device_by_its_link_and_the_address_keeps_no_secret(
    new_user: NewUser,
) -> None:
    ann, elsewhere = new_user(), new_user(390, 844)
    ann.open(GAME_KEY, quiet=True)
    ann.press_more("Share links")
    ann.press("Link to my seat")
    link = ann.page.get_by_label("Link to my seat").input_value()
    assert re.search(r"/seat/[\w-]{8,}$", link)
    elsewhere.game_key = ann.game_key
    elsewhere.page.goto(link)
    assert elsewhere.await_turn()
    assert "/seat/" not in elsewhere.page.url
    elsewhere.skip_tutorial()
    elsewhere.move()


def test_on_one_screen_nobody_is_shown_the_link_to_the_seat_of_another(new_user: NewUser) -> None:
    """The link that was made for one seat was still there for the player of the next one."""
    ann = new_user()
    ann.open(GAME_KEY, "screen", quiet=True)
    assert ann.await_turn()
    ann.press_more("Share links")
    ann.press("Link to my seat")
    ann.page.get_by_label("Link to my seat").wait_for()
    ann.page.keyboard.press("Escape")
    ann.page.wait_for_selector("dialog", state="detached")
    ann.move()
    assert ann.await_turn()
    ann.press_more("Share links")
    ann.button("Link to my seat").wait_for()
    assert ann.page.get_by_role("textbox", name="Link to my seat").count() == 0


def test_a_server_that_comes_back_finds_the_game_as_it_was(
    restartable_server: Server, new_user: NewUser
) -> None:
    """On one screen: whether bots go on after a restart, tests/server/test_crash_recovery.py shows."""
    ann = new_user(base_url=restartable_server.url)
    ann.open(GAME_KEY, "screen", quiet=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    before = ann.seq()
    restartable_server.stop()
    ann.page.get_by_text("Connection lost").wait_for()
    ann.page.locator(".square.open").last.click()
    restartable_server.start()
    ann.page.wait_for_selector(".connection", state="detached")
    ann.await_event(before)
    assert ann.await_turn()


def test_the_end_has_its_moment_and_the_analysis_keeps_the_replay_in_sight(new_user: NewUser) -> None:
    """Once the analysis pushed the buttons that step through the moves off the screen."""
    for width, height in ((1366, 768), (390, 844)):
        ann = new_user(width, height)
        page = ann.page
        ann.open_after_moves(GAME_KEY, 2)
        assert re.fullmatch(
            r"Computer \(Beginner\): to [a-h][1-8]\..*", page.locator(".last-turns li").last.inner_text()
        )
        ann.press_more("Resign")
        page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
        end = page.locator("dialog.end")
        end.get_by_role("heading", name="Computer (Beginner) has won.").wait_for()
        end.get_by_text("You resigned.").wait_for()
        page.wait_for_function("() => document.activeElement?.matches('dialog.end .main')")
        assert faults(page, "dialog.end") == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.end", state="detached")
        ann.analyse()
        assert page.get_by_role("tab", name="Analysis").get_attribute("aria-selected") == "true"
        seen = box(page.get_by_role("button", name="One move back"))
        assert 0 <= seen["y"] <= height - seen["height"]
        assert not overlap(page, ".record .steps", ".game .bar"), "on a phone they were behind the bar"
        page.get_by_role("tab", name="Moves").click()
        page.locator(".moves li").first.wait_for()


def test_looking_back_hint_and_taking_back(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    """If the computer is passed over there is one move, and a list of none is as long as one of one."""
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    ann.press("To the start")
    ann.page.get_by_text("Looking back").first.wait_for()
    assert ann.page.locator('.game[data-active="true"]').count() == 0
    ann.page.keyboard.press("Escape")
    assert ann.await_turn()
    ann.page.keyboard.press("h")
    ann.page.get_by_text("Hint: ").first.wait_for(timeout=THINKING)
    save_screenshot(ann.page, "hint-1440")
    count = ann.page.locator(".move-list li").count()
    ann.press("Take back")
    ann.page.wait_for_function(
        "count => document.querySelectorAll('.move-list li').length < count", arg=count
    )
