"""Records are opened from the home screen: pasted, or from a file, to replay, to analyse and to play on."""

from __future__ import annotations

import re
from pathlib import Path

from tests.e2e.page_user import TABLE, NewUser

RECORDS = Path(__file__).parent.parent / "data" / "records-0.2.0"


def test_a_pasted_record_is_opened_and_replayed(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/")
    page.get_by_role("link", name="Open a record").click()
    text = page.get_by_label("The text of the record")
    assert page.get_by_role("button", name="Open the game").is_disabled()
    text.fill("tripot record 1\nthis is not one")
    page.get_by_role("button", name="Open the game").click()
    page.locator("#refusal", has_text="This is not the record of a game: line 2").wait_for()
    text.fill((RECORDS / "triolet-whole.txt").read_text("utf-8").strip())
    page.get_by_role("button", name="Open the game").click()
    page.wait_for_selector(TABLE)
    assert ann.server_state()["state"]["outcome"]
    ann.analyse()
    page.get_by_label("Which move").focus()
    page.keyboard.press("Home")
    page.locator(".move-list .count", has_text=re.compile("^3 / 148")).wait_for()  # after the draws


def test_an_unfinished_record_from_a_file_is_played_on(new_user: NewUser) -> None:
    ann = new_user(390, 844, locale="fr-FR")
    ann.page.goto("#/import")
    file = RECORDS / "trippples-unfinished.txt"
    ann.page.locator("input[type=file]").set_input_files(file)
    ann.page.get_by_role("button", name="Ouvrir la partie").click()
    ann.page.wait_for_selector(TABLE)
    state = ann.server_state()["state"]
    assert state["outcome"] is None
    assert state["view"]["legal"]
