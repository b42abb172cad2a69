"""The home screen: actions in sight, a game with one click, and lists that update themselves."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route
from tests.e2e.page_user import BOARD, TABLE, NewUser, PageUser, SaveScreenshot, label, overflow, resize

import tripot

GAME_KEYS = [game.key for game in tripot.list_games()]
GAME_KEY = "trippples"
SIZES = [(360, 740), (390, 844), (844, 390), (768, 1024), (1024, 768), (1366, 768), (1440, 900), (2560, 1440)]
OUTSIDE = """() => [...document.querySelectorAll(".card .button.main")].filter((each) => {
  const { left, top, right, bottom } = each.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
}).length"""


def open_games(ann: PageUser, count: int, seats: int = 2) -> list[str]:
    """Games on one screen, in which the user is to move."""
    assert ann.page.request.get("/api/v1/me").ok
    made = []
    for _ in range(count):
        body = {"game_key": GAME_KEY, "seats": [{"kind": "me"}] * seats}
        made.append(ann.page.request.post("/api/v1/games", data=body).json()["state"]["game_id"])
    return made


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_main_action_of_each_game_is_in_sight_at_every_size(
    locale: str, new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """At 1366 by 768 no button was to be seen, and less when games were waiting."""
    ann = new_user(*SIZES[0], locale=locale)
    page = ann.page
    page.goto("#/")
    for games in ("none", "waiting"):
        if games == "waiting":
            open_games(ann, 5)
            page.reload()
            page.wait_for_selector(".going li:nth-child(5)")
        page.wait_for_selector(f".card:nth-child({len(GAME_KEYS)}) .picture svg")
        for width, height in SIZES:
            resize(page, width, height)
            save_screenshot(page, f"home-{games}-{locale}-{width}x{height}")
            assert page.evaluate(OUTSIDE) == 0, (games, width, height)
            assert overflow(page) <= 0, (games, width, height)


def test_one_click_starts_a_game_with_the_settings_of_the_last_one(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/")
    ann.open_from_home(GAME_KEY)
    seats = ann.server_state()["state"]["seats"]
    assert [(each["kind"], each["level"]) for each in seats] == [("bot", 1), ("human", None)]
    ann.page.goto(f"#/new/{GAME_KEY}")
    ann.page.locator('label.step:has(input[name="level"])', has_text="2").click()
    ann.page.locator("label.choice", has_text="only the tiles a pawn has entered").click()
    ann.send_form()
    ann.open_from_home(GAME_KEY)
    state = ann.server_state()["state"]
    assert [each["level"] for each in state["seats"]] == [2, None]
    assert state["options"]["tiles"] == "face-down"


def test_settings_that_are_refused_give_way_to_the_defaults(new_user: NewUser) -> None:
    """They may come from an earlier version of the game."""
    ann = new_user()
    ann.page.goto("#/")
    ann.page.evaluate(
        "([key, setup]) => localStorage.setItem(`tripot.setup.${key}`, setup)",
        [GAME_KEY, '{"options": {"tiles": "sideways"}}'],
    )
    ann.open_from_home(GAME_KEY)
    assert "tiles" not in ann.server_state()["state"]["options"]


def test_a_finished_game_shows_its_result_and_its_final_position(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/")
    game = open_games(ann, 1)[0]
    assert ann.page.request.post(f"/api/v1/games/{game}/actions", data={"type": "resign"}).ok
    ann.page.reload()
    last = ann.page.get_by_role("region", name="Played lately").get_by_role("link")
    last.get_by_text(re.compile(" has won")).wait_for()
    ann.page.wait_for_function("() => document.querySelector('li img')?.naturalWidth > 0")
    last.click()
    ann.page.wait_for_selector(BOARD)


def test_lists_are_new_when_the_window_has_the_focus_again(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/")
    ann.page.wait_for_selector(f".card:nth-child({len(GAME_KEYS)})")
    game = open_games(ann, 1)[0]
    ann.page.evaluate("() => window.dispatchEvent(new Event('focus'))")
    ann.page.wait_for_selector(f'.going a[href="#/g/{game}"]')


@pytest.mark.parametrize("address", ["#/", f"#/new/{GAME_KEY}", f"#/rules/{GAME_KEY}"])
def test_a_page_that_is_opened_while_the_server_is_down_goes_on_when_it_is_back(
    address: str, new_user: NewUser
) -> None:
    ann = new_user(fresh=True)
    is_down = True

    def answer(route: Route) -> None:
        if is_down:
            route.abort()
        else:
            route.continue_()

    ann.page.route("**/api/v1/**", answer)
    ann.page.goto(address)
    ann.page.get_by_text("The server cannot be reached").wait_for()
    is_down = False
    seen = "main h1" if "rules" in address else "button.main:not(.unreachable *)"
    ann.page.locator(seen).first.wait_for()  # nobody has pressed anything
    ann.page.wait_for_selector(".unreachable", state="detached")
    ann.page.unroute_all()


def test_the_set_up_is_one_step_behind(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/")
    ann.page.get_by_role("link", name=f"More ways to play {tripot.get_game(GAME_KEY).title}").click()
    ann.page.get_by_role("link", name="Same screen").click()
    ann.send_form()
    assert ann.page.locator(TABLE).count() == 1


@pytest.mark.parametrize("game_key", GAME_KEYS)
def test_choices_of_the_set_up_have_pictures_that_only_decorate(
    game_key: str, new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    page = new_user().page
    page.goto(f"#/new/{game_key}")
    page.wait_for_selector(".step .pictured svg")
    pictured = page.locator(".step .pictured, .pictured .choice")
    assert pictured.count() >= 2
    assert pictured.locator("svg[aria-hidden='true']").count() == pictured.count()
    for option in page.locator("fieldset:has(.pictured)").all():
        shapes = option.locator(".pictured svg").evaluate_all("all => all.map(each => each.innerHTML)")
        assert len({*shapes}) == len(shapes), "two choices look the same"
    save_screenshot(page, f"set-up-{game_key}")


def test_a_layout_and_a_bag_are_made_by_clicking(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/new/trippples/screen")
    ann.page.locator("label.choice", has_text="you lay them yourself").click()
    squares = ann.page.locator(".layout button")
    first, second = squares.nth(1), squares.nth(2)
    moved = label(second).removeprefix("c8: ")
    first.click()
    second.click()
    ann.page.get_by_role("button", name=f"b8: {moved}").wait_for()
    ann.send_form()
    state = ann.server_state()["state"]
    assert state["options"]["layout"] == "given"
    ann.page.goto("#/new/triggery/screen")
    ann.page.locator("form details > summary").click()
    ann.button("One star more").click()
    ann.page.get_by_text("45 tiles in each bag").wait_for()
    ann.send_form()
    assert ann.server_state()["state"]["options"]["bag"] == "2x1-12,13-24,9x*"


def test_in_a_list_i_am_you_also_in_a_game_with_another_person(new_user: NewUser) -> None:
    """The list did not know which seat was the user's, and said "Guest"."""
    ann, ben = new_user(), new_user()
    ann.invite(ben, "trippples")
    address = f"#/g/{ann.game_id}"
    for user, other in ((ann, "Ben"), (ben, "Guest")):
        user.page.goto("#/")
        who = user.page.locator(f'a[href="{address}"] .who').first
        who.wait_for(state="attached")  # on a strip there is no room for it
        assert sorted((who.text_content() or "").split(", ")) == sorted(["You", other])
