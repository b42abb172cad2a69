"""Triolet by mouse, finger and key: laying, naming a joker, exchanging, and what the table says meanwhile."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.e2e.page_user import (
    BOARD,
    OVER,
    Fingers,
    NewUser,
    PageUser,
    Point,
    SaveScreenshot,
    box,
    focused,
    middle,
    overflow,
)

GAME_KEY = "triolet"

JOKER = "triolet H8=5,H9=7 racks=2,10,J/1,2,3 scores=22,0 turn=1"
BIS = (
    "triolet H8=5,H9=3,I9=9,I10=1,I11=5,H11=8,H12=3,G12=8,G13=1,G14=6,H14=5 "
    "racks=3,5,10/0,2,9 scores=39,22 turn=1"
)

LATE = (
    "triolet G7=4,H6=11,H7=1,H8=3,I5=6,I6=2,I8=2,I9=6,J3=J8,J4=7,J5=0,J9=3,K2=13,K3=0,K8=0,K9=6,K10=9,K12=5,"
    "K13=4,L1=3,L2=1,L7=5,L8=3,L10=5,L11=9,L13=9,L14=0,M6=8,M7=3,M11=5,M12=2,M14=3,M15=8,N4=5,N5=5,N6=5,N8=1,"
    "N9=0,N12=4,N13=1,N15=7,O2=12,O3=1,O4=2,O6=2,O7=7,O8=6,O13=9,O14=6,O15=0 "
    "racks=1,11,13/5,7,10/0,3,4/8,8,11 scores=162,155,165,156 turn=1 players=4"
)


def sit(new_user: NewUser, position: str = "", bots: int = 1, **look: Any) -> PageUser:
    """At a table with a given position, against simple bots."""
    ann = new_user(**look)
    options = {} if position else {"players": str(bots + 1)}
    ann.sit_with_bots(GAME_KEY, position, bots, options)
    return ann


def square(name: str) -> str:
    return f'[data-square="{(ord(name[0]) - ord("A")) * 15 + int(name[1:]) - 1}"]'


def labelled(page: Page, name: str, words: str) -> None:
    """Wait until a square says so."""
    page.locator(f'{square(name)}[aria-label*="{words}"]').wait_for()


def token(name: str) -> str:
    return f'.rack .slot[aria-label^="{"joker" if name == "J" else f"token {name}"}"]'


def spot(page: Page, selector: str) -> Point:
    return middle(page.locator(selector).first)


def mouse_drag(page: Page, start: Point, end: Point) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


ABOVE = 46  # px from a finger to the token that it drags


def finger_drag(page: Page, start: Point, end: Point) -> None:
    """A finger drags; the token floats above it, so that the finger ends below."""
    fingers = Fingers(page)
    fingers.touch("touchStart", start)
    for part in (0.3, 0.7, 1):
        fingers.touch(
            "touchMove",
            (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] + ABOVE - start[1]) * part),
        )
    fingers.touch("touchEnd")


PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize(("drag", "look"), [(mouse_drag, {}), (finger_drag, PHONE)], ids=["mouse", "finger"])
def test_a_token_is_dragged_to_the_board_on_it_and_back(
    new_user: NewUser,
    save_screenshot: SaveScreenshot,
    drag: Callable[[Page, Point, Point], None],
    look: dict[str, Any],
) -> None:
    """On glass the page used to scroll instead when a token on the board was dragged."""
    ann = sit(new_user, JOKER, **look)
    page = ann.page
    drag(page, spot(page, token("10")), spot(page, square("I8")))
    labelled(page, "I8", "your token 10, not played yet")
    page.locator(".status-text .total").wait_for()
    assert page.locator(".status-text .total").inner_text().split() == ["Total", "15"]
    x, y = spot(page, square("H7"))
    drag(page, spot(page, square("I8")), (x + 6, y))  # a little off what is lit: that draws tokens to it
    labelled(page, "H7", "not played yet")
    labelled(page, "I8", "free")
    # 10 + 5 + 7 is too much: the clause is given, and the line is drawn in red
    page.locator(".status-text .wrong").wait_for()
    assert "(TO-3)" in page.locator(".status-text").inner_text()
    assert page.locator(".line.bad").count() == 1
    save_screenshot(page, f"triolet-refused-{'390' if look else '1440'}")
    drag(page, spot(page, square("H7")), spot(page, ".rack"))
    labelled(page, "H7", "free")
    assert page.locator(".rack .slot.empty").count() == 0


def test_the_joker_asks_for_its_value_a_wrong_one_is_refused_and_the_sums_are_drawn(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = sit(new_user, JOKER)
    page = ann.page
    height = box(page.locator(".buttons .main").first)["y"]
    page.locator(token("J")).click()
    assert page.locator("circle.legal").count() > 0
    page.locator(square("H10")).click()
    assert page.get_by_role("radiogroup").count() == 1
    assert page.locator(".value.legal").count() == 1, "only 3 makes fifteen"
    save_screenshot(page, "triolet-joker-1440")
    page.locator('[data-value="9"]').click()  # without a legal value it can still be named
    page.locator(".status-text .wrong").wait_for()
    assert page.locator(".sum.bad").text_content() == "21"
    page.keyboard.press("Escape")  # the joker goes back to the rack
    labelled(page, "H10", "free")
    page.locator(token("J")).click()
    page.locator(square("H10")).click()
    page.locator('[data-value="3"]').click()
    page.locator(token("10")).click()
    page.locator(square("I10")).click()
    page.locator(".preview-total").wait_for()
    assert page.locator(".preview-total").text_content() == "+40"
    assert sorted(page.locator(".sum:not(.preview-total)").all_text_contents()) == ["10", "30"]
    assert page.locator(".line").count() == 2
    now = box(page.locator(".buttons .main").first)["y"]
    assert now == height, "the button moved away from under the pointer"
    save_screenshot(page, "triolet-preview-1440")
    before = ann.seq()
    page.get_by_role("button", name="Play for 40", exact=True).click()
    ann.await_event(before)
    assert ann.await_turn()
    assert page.locator("tbody tr").nth(1).locator("td").first.inner_text() == "40"


def test_everything_can_be_done_by_key(new_user: NewUser) -> None:
    ann = sit(new_user, JOKER)
    page = ann.page
    page.locator(square("H8")).focus()
    page.keyboard.press("3")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    assert focused(page, "dataset.value") == "3"
    page.keyboard.press("Escape")
    assert focused(page, "ariaLabel").startswith("H10, free"), "the focus was lost with the wheel"
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    assert focused(page, "dataset.value") == "3"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    assert focused(page, "ariaLabel").startswith("H10, your joker")
    page.keyboard.press("2")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.locator(".preview-total").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    assert page.locator(".rack .slot.empty").count() == 0
    page.keyboard.press("1")
    page.keyboard.press("ArrowUp")
    for key in ("ArrowLeft", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.locator(".preview-total").wait_for()
    before = ann.seq()
    page.keyboard.press("p")
    ann.await_event(before)


def test_a_bis_square_lets_the_same_player_go_on(new_user: NewUser) -> None:
    ann = sit(new_user, BIS)
    page = ann.page
    page.locator(token("10")).click()
    page.locator(square("H15")).click()
    page.locator(".status-text .note").wait_for()
    before = ann.seq()
    page.locator(".buttons .main").first.click()
    ann.await_event(before)
    assert ann.await_turn()
    assert page.locator("th.on").inner_text() == "You"
    ann.move()
    assert ann.await_turn()
    assert re.fullmatch(r"15 \+ \d+", page.locator("tbody tr").nth(1).locator("td").first.inner_text())


def test_tokens_are_exchanged_and_the_unseen_ones_counted(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = sit(new_user)
    page = ann.page
    page.get_by_text("Unseen").click()
    counts = [int(each) for each in page.locator("details li b").all_text_contents()]
    assert (
        sum(counts) == int(page.locator("summary b").inner_text()) == 83 - 3 - page.locator(".laid").count()
    )
    save_screenshot(page, "triolet-unseen-1440")
    page.get_by_role("button", name="Exchange", exact=True).click()
    page.locator(".rack .slot").first.click()
    page.locator(".rack .slot").nth(2).click()
    assert page.locator(".rack .slot.chosen").count() == 2
    before = ann.seq()
    page.get_by_role("button", name="Exchange 2", exact=True).click()
    ann.await_event(before)
    assert ann.await_turn()
    mine = page.locator("tbody td:first-child").all_text_contents()
    assert "0" in mine, "an exchange stands on the sheet with nothing"
    page.get_by_role("button", name="exchanges").first.wait_for()  # in the list of moves, where it is no act
    page.get_by_role("button", name="Exchange", exact=True).click()
    page.locator(".rack .slot").first.click()
    page.get_by_role("button", name="Exchange 1", exact=True).wait_for()


def test_the_sheet_and_the_last_move_are_there_after_a_reload(new_user: NewUser) -> None:
    """The sheet used to know only what had happened while the page was open; and what a board marks came
    from the last event, which is the draw after the last move.

    An exchange marks nothing: the last of these moves lays tokens, which the seed of the server decides.
    """
    ann = sit(new_user)
    page = ann.page
    for _ in range(4):
        ann.move()
        assert ann.await_turn()
    log = ann.server_state()["log"]
    last = next(each["text"] for each in reversed(log) if each["type"] == "action")
    assert log[-1]["type"] == "chance"
    assert "=" in last
    sheet = page.locator("tbody").inner_text()
    marked = page.locator(".board-box .last").count()
    assert page.locator("tbody tr").count() >= 4
    assert marked == last.count("=")
    page.reload()
    page.wait_for_selector(BOARD)
    page.wait_for_selector(".board-box .last")
    assert page.locator("tbody").inner_text() == sheet
    assert page.locator(".board-box .last").count() == marked
    for _ in range(3):
        page.keyboard.press(",")
    page.wait_for_function(
        "rows => document.querySelectorAll('tbody tr').length <= rows", arg=sheet.count("\n") + 1
    )
    page.keyboard.press("Escape")
    page.wait_for_function("text => document.querySelector('tbody').innerText === text", arg=sheet)


def test_three_play(new_user: NewUser) -> None:
    ann = sit(new_user, bots=2)
    for _ in range(2):
        ann.move()
        assert ann.await_turn()
    assert ann.page.locator("thead th").count() == 3
    assert ann.page.locator("tbody td.latest").count() == 1


def test_four_play_to_the_end_on_a_phone(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = sit(new_user, LATE, bots=3, width=360, height=740, has_touch=True, is_mobile=True)
    for number in range(60):
        if not ann.await_turn():
            break
        if number == 1:
            assert ann.page.locator("thead th").count() == 4
            assert ann.page.locator("tbody td.latest").count() == 1
            save_screenshot(ann.page, "game-triolet-360")
        ann.move()
    assert number > 1
    assert ann.page.locator(OVER).count() == 1
    assert overflow(ann.page) <= 0
    save_screenshot(ann.page, "over-triolet-360")


def test_who_resigns_loses_by_no_points(new_user: NewUser) -> None:
    """At 22 to 0 the page said "By 2 points", with final scores of 1 and -1."""
    ann = sit(new_user, JOKER)
    ann.press_more("Resign")
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    end = ann.page.locator("dialog.end")
    end.get_by_text("You resigned.").wait_for()
    assert end.locator(".lead").inner_text() == "You resigned."
    assert end.get_by_role("table").count() == 0
    ann.close_end()
    assert ann.page.locator(".groups .score").all_inner_texts() == ["22", "0"]
    ann.page.goto("#/")
    assert ann.page.locator(".result").first.inner_text() == "You lost"
