"""What the computer thinks of a position of Trigon: ranked moves, what to expect of them, a line, a map."""

from __future__ import annotations

import re
from typing import Any, Literal

from tests.e2e.page_user import (
    THINKING,
    NewUser,
    PageUser,
    SaveScreenshot,
    attribute,
    colour,
    faults,
    overflow,
    resize,
)

MIDDLE = "trigon blue=I6@q15-v15 yellow=1@z7 red=1@r4 green=1@j7 turn=blue players=2"
SIZES: tuple[tuple[int, int, Literal["light", "dark"]], ...] = ((1440, 900, "light"), (390, 844, "dark"))


def sit(new_user: NewUser, **look: Any) -> PageUser:
    ann = new_user(**look)
    ann.sit_with_bots("trigon", MIDDLE, options={"players": "2"})
    return ann


def test_a_hint_ranks_moves_with_win_rate_and_points_and_its_line_is_played_on_the_board(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = sit(new_user)
    page = ann.page
    page.keyboard.press("h")
    ranked = page.locator(".candidates .ranked button")
    ranked.first.wait_for(timeout=THINKING)
    assert ranked.count() == 3
    words = re.compile(r"^about (level|\d+ points? (ahead|behind)) · wins \d+%$")
    reasons = page.locator(".candidates .why").inner_text()
    assert re.search("territory|cannot play", reasons)
    assert words.match(ranked.first.locator(".expected-outcome").inner_text())
    assert page.locator(".candidates .score").count() == 2
    lit = attribute(page.locator(".hint .edge"), "d")
    ranked.nth(1).focus()
    page.keyboard.press("Enter")
    page.wait_for_function("was => document.querySelector('.hint .edge').getAttribute('d') !== was", arg=lit)
    ranked.first.click()
    lying = page.locator(".placed").count()
    steps = page.locator(".candidates .step")
    steps.nth(2).focus()  # after the way back, and the move itself
    page.keyboard.press("Enter")
    page.wait_for_function("count => document.querySelectorAll('.placed').length === count", arg=lying + 2)
    page.locator(".status-line", has_text="Looking ahead, 2 moves").wait_for()
    assert page.locator('.game[data-active="true"]').count() == 0, "what is tried cannot be played on"
    page.keyboard.press("Escape")
    page.wait_for_function("count => document.querySelectorAll('.placed').length === count", arg=lying)
    assert ann.await_turn()
    save_screenshot(page, "trigon-hint-1440")
    ann.move()
    page.wait_for_selector(".candidates", state="detached")


def test_the_distance_map_is_drawn_and_described(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    """On a desk in the light, and on a phone in the dark."""
    ann = sit(new_user)
    page = ann.page
    page.keyboard.press("m")
    assert page.locator("[data-map]").count() == 0, "nobody has thought of it yet"
    page.keyboard.press("h")
    button = page.get_by_role("button", name="Territory map")
    button.wait_for(timeout=THINKING)
    assert button.get_attribute("aria-pressed") == "false"
    page.keyboard.press("m")
    page.wait_for_selector("[data-map]")
    assert button.get_attribute("aria-pressed") == "true"
    grounds = page.locator("[data-territory]")
    assert [grounds.nth(at).get_attribute("data-territory") for at in range(5)] == [
        "blue",
        "yellow",
        "red",
        "green",
        "shared",
    ]
    territory = page.locator('[data-cell][aria-label*="territory of blue"]')
    shown = page.locator('[data-territory="blue"] > g').count()
    assert territory.count() == shown > 50, "what is drawn is told as well"
    assert page.locator(".legend", has_text=f"blue: {shown}").count() == 1
    for width, height, scheme in SIZES:
        resize(page, width, height)
        colour(page, scheme)
        assert faults(page, same_elements=scheme == "dark") == []
        assert overflow(page) <= 0
        save_screenshot(page, f"trigon-map-{width}-{scheme}")
    button.click()
    page.wait_for_selector("[data-map]", state="detached")


def test_the_key_of_the_map_is_told_where_there_is_a_map(new_user: NewUser) -> None:
    """It was also told before a figure, which has no territories."""
    ann = sit(new_user)
    for name, count in (("two players", 1), ("a figure", 0)):
        if name == "a figure":
            ann.open_by_api(game_key="trigon", options={"players": "1"}, seats=[{"kind": "me"}])
        ann.page.keyboard.press("?")
        ann.page.get_by_role("dialog", name="Keys").wait_for()
        assert ann.page.locator("dialog dt", has_text=re.compile("^M$")).count() == count, name


def test_the_analysis_has_the_same_for_every_move_also_in_french(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = sit(new_user, locale="fr-FR")
    page = ann.page
    ann.move()
    assert ann.await_turn()
    assert page.request.post(f"/api/v1/games/{ann.game_id}/actions", data={"type": "resign"}).ok
    ann.close_end()
    ann.analyse("Analyser")
    page.get_by_label("Quel coup").focus()
    page.keyboard.press("Home")
    expected = page.locator(".review .expected-outcome").first
    expected.wait_for()
    words = r"^(à peu près égal|environ \d+ points? (d'avance|de retard)) · gagne à \d+ %$"
    assert re.match(words, expected.inner_text().replace("\u202f", " "))
    page.get_by_role("button", name="Carte du territoire").click()
    page.wait_for_selector("[data-map]")
    assert page.locator('[data-cell][aria-label*="territoire de"]').count() > 50
    save_screenshot(page, "trigon-analysis-1440")
    lying = page.locator(".placed").count()
    page.locator(".review .step").nth(1).click()
    page.wait_for_function("count => document.querySelectorAll('.placed').length === count", arg=lying + 1)
    page.locator(".status-line", has_text="En avant").wait_for()
