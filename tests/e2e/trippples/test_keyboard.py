"""Trippples without a mouse: Tab to the board, arrows about on it, Enter."""

from __future__ import annotations

from tests.e2e.page_user import OVER, TABLE, NewUser, PageUser, focused
from tests.e2e.trippples.test_board import LATE


def test_from_home_to_the_form_and_some_moves(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/")
    page.wait_for_selector(".card")
    ann.press_until("Tab", "a[href='#/new/trippples']")
    page.keyboard.press("Enter")
    page.wait_for_selector("form")
    ann.press_until("Tab", "form button.main")
    page.keyboard.press("Enter")
    page.wait_for_selector(TABLE)
    for _ in range(4):
        assert ann.await_turn()
        move(ann)


def test_the_last_moves_and_the_end(new_user: NewUser) -> None:
    ann = new_user()
    ann.sit_with_bots("trippples", LATE)
    move(ann)
    while ann.await_turn():
        move(ann)
    assert ann.page.locator(OVER).count() == 1


def move(ann: PageUser) -> None:
    """Enter the square with the highest name; say nothing about a freeze."""
    page, before = ann.page, ann.seq()
    page.wait_for_selector(".square.open")
    square = max(page.locator(".square.open").evaluate_all("all => all.map(each => each.dataset.square)"))
    if not focused(page, "dataset.square"):
        ann.press_until("Tab", "[data-square]")
    ann.walk("square", square, up=1)
    page.keyboard.press("Enter")
    ann.await_event(before)
