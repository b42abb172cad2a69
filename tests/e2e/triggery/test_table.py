"""The table of Triggery: dice, chains, budget, stars, what was forgotten, the return round, and alone."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from playwright.sync_api import Locator, Page
from tests.e2e.page_user import OVER, THINKING, NewUser, SaveScreenshot, attribute, label

GAME_KEY = "triggery"


def board(text: str) -> str:
    """A board with tiles such as `b1:4 c3:*` open, and turned ones everywhere else."""
    tiles = dict(tile.split(":") for tile in text.split())
    return "/".join(",".join(tiles.get(f"{column}{row}", "-1") for column in "abcdef") for row in range(1, 7))


# No line has a single number in these: nothing goes free before something is paid for.
PAIRS = board("b1:3 e1:24 b3:5 e3:6 b4:7 e4:8")  # the 3 sets off the 24 and no more
LADDER = board("b1:4 c1:7 d1:2 b6:5 c6:9 d6:3 f3:*")
LAST = board("b1:3 e1:24 b3:5 e3:6")  # the 3 clears it
STARRED = board("b1:16 e1:14 a3:4 b3:8 f3:* b4:* a5:1 b5:16 c5:9 a6:3 c6:1 e6:22")
# One throw does not clear it.
HALF = board("b1:4 c1:7 d1:12 a3:9 b3:5 e3:6 f3:* b4:7 c4:11 e4:8 a5:9 d5:10 f5:8 b6:5 c6:9 d6:3")
# Blue left the 24 in row 1 lying; yellow may point at it.
FORGOTTEN = (
    f"triggery {board('b1:-3 e1:24 b3:5 e3:6 b4:7 e4:8')} {LADDER} "
    "first=yellow side=yellow throw=1-2 bonus=by-hand forgotten=1"
)


def cell(page: Page, name: str, side: int = 0) -> Locator:
    return page.locator(f'[data-cell="{name}"][data-board="{side}"]')


# --- A turn ------------------------------------------------------------------------------------


def test_a_tile_shows_what_it_costs_and_sets_off_and_one_too_dear_is_refused_in_words(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, f"triggery {PAIRS} {LADDER} first=yellow side=blue throw=5-4")
    assert label(cell(page, "b1")) == "b1, 3, costs 3, sets off 1 more"
    cell(page, "b1").hover()
    assert page.locator('[data-cell="e1"][data-board="0"] .chain-number').inner_html() == "1"
    assert page.locator(".coins .to-spend").count() == 3
    page.get_by_text("b1: costs 3, leaves 6. Sets off 1 tile more.").wait_for()
    save_screenshot(page, "triggery-chain-1440")
    cell(page, "b1").click()
    page.wait_for_selector('[data-cell="e1"][data-board="0"][aria-label="e1, turned"]')
    assert page.locator(".budget b").inner_text() == "6"
    cell(page, "e4").click(force=True)
    page.get_by_role("alert").get_by_text(re.compile("e4 shows 8, and only 6 is left")).wait_for()


def test_tiles_of_a_chain_turn_one_after_another_and_a_tap_ends_the_show(new_user: NewUser) -> None:
    """With motion: the order in which tiles are seen to turn is that of the chain, stars last."""
    ann = new_user(reduced_motion="no-preference")
    page = ann.sit(GAME_KEY, f"triggery {STARRED} throw=4-1 sheet=5-3", seats=1, options={"players": "1"})
    page.evaluate(
        """() => {
            window.turned = [];
            const all = [...document.querySelectorAll('[data-board="0"]')];
            for (const each of all) new MutationObserver(() => {
                const name = each.dataset.cell;
                if (!each.querySelector('.tile.turned') || window.turned.includes(name)) return;
                window.turned.push(name);
            }).observe(each, {subtree: true, attributes: true, attributeFilter: ['class']});
        }"""
    )
    cell(page, "a3").click()
    page.wait_for_function("() => window.turned.includes('f3')")
    turned = page.evaluate("() => window.turned.filter(each => ['a3', 'b3', 'f3'].includes(each))")
    assert turned == ["a3", "b3", "f3"]
    page.mouse.click(5, 5)
    assert ann.await_turn()


def test_a_star_goes_with_its_lines_and_says_so(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, f"triggery {STARRED} throw=4-1 sheet=5-3", seats=1, options={"players": "1"})
    cell(page, "f3").hover()
    page.get_by_text("A star goes free once its row and its column have no number left.").wait_for()
    cell(page, "a3").click()
    page.wait_for_selector('[data-cell="f3"][aria-label="f3, turned"]')


# --- Malus -------------------------------------------------------------------------------------


def test_what_was_forgotten_is_pointed_at_with_the_mouse(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, FORGOTTEN)
    ann.press("You forgot…")
    page.locator(".handle").first.click()  # row 1, on the frame of the board
    page.get_by_text("Forgotten in row 1").wait_for()
    save_screenshot(page, "triggery-forgotten-1440")
    cell(page, "b1").click()
    page.wait_for_selector('[data-cell="b1"][data-board="0"][aria-label="b1, 3"]')


def test_by_hand_a_turn_in_which_nothing_can_be_paid_for_is_ended_by_its_player(new_user: NewUser) -> None:
    """Such a turn passed by itself, unless a tile was free."""
    ann = new_user()
    dear = board("b1:20 c1:19 b3:18 c3:17")
    page = ann.sit(GAME_KEY, f"triggery {dear} {dear} first=yellow side=blue throw=1-2 bonus=by-hand")
    page.get_by_text("No open number is within your budget of 3: say that you are done").first.wait_for()
    assert ann.server_state()["state"]["to_act"] == 0
    ann.press("Done")
    page.locator("p", has_text=re.compile(r"\(yellow\): ")).first.wait_for()
    assert ann.server_state()["state"]["view"]["side"] == 1


def test_what_was_forgotten_is_pointed_at_by_keyboard_alone(new_user: NewUser) -> None:
    """The focus once fell off the page with the button that was pressed."""
    ann = new_user()
    page = ann.sit(GAME_KEY, FORGOTTEN)
    ann.press_until("Tab", ".actions .button:not(.main)")
    page.keyboard.press("Enter")
    ann.press_until("Tab", "button[aria-label='row 1']", most=3)
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-cell="a1"]:focus')
    page.keyboard.press("Escape")  # not that line
    page.keyboard.press("Escape")  # nor any
    page.wait_for_selector(".lines", state="detached")
    ann.press_until("Tab", ".actions .button:not(.main)")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[aria-label='row 1']:focus")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-cell="a1"]:focus')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector('[data-cell="b1"][data-board="0"][aria-label="b1, 3"]')


def test_pointing_where_nothing_was_forgotten_is_refused_in_words(new_user: NewUser) -> None:
    ann = new_user(360, 740, has_touch=True)
    page = ann.sit(GAME_KEY, FORGOTTEN)
    ann.button("You forgot…").tap()
    page.get_by_role("button", name="row 2", exact=True).tap()
    cell(page, "a2").tap()
    page.get_by_role("alert").get_by_text("No bonus was forgotten in line 2.").wait_for()


# --- Rounds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_return_round_says_what_was_lost_and_exchanges_boards(
    motion: Literal["reduce", "no-preference"], new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user(reduced_motion=motion)
    page = ann.sit(GAME_KEY, f"triggery {LAST} {LADDER} first=yellow side=blue throw=2-1")
    cell(page, "b1").click()
    page.get_by_text("Blue turned everything. Yellow loses 55.").wait_for()
    save_screenshot(page, f"triggery-return-{motion}-1440")
    heads = page.locator(".board")
    heads.nth(0).locator("svg.board1").wait_for()
    assert "plays the yellow board" in heads.nth(0).inner_text()
    assert "plays the blue board" in heads.nth(1).inner_text()
    assert "55 lost" in heads.nth(1).inner_text()


def test_a_game_that_is_over_tells_the_points_lost(new_user: NewUser) -> None:
    ann = new_user()
    final = f"triggery {LAST} {LADDER} side=yellow first=yellow throw=2-1 won=1,0 lost=0,31"
    page = ann.sit(GAME_KEY, final)
    cell(page, "b1").click()
    page.wait_for_selector(OVER)
    players = page.get_by_label("At the table").inner_text()
    assert "55 lost" in players
    assert "31 lost" in players


# --- Alone -------------------------------------------------------------------------------------


def test_alone_the_sheet_counts_throws_and_so_does_the_result(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """The result of five throws was once shown as the number that ranks it, -5."""
    ann = new_user()
    page = ann.sit(
        GAME_KEY, f"triggery {LAST} throw=2-1 sheet=5-6,3-3,4-1,6-2", seats=1, options={"players": "1"}
    )
    assert page.locator(".sheet li:not(.blank)").count() == 5
    page.get_by_text("5 throws, 39 points").wait_for()
    cell(page, "b1").click()
    page.wait_for_selector(OVER)
    assert "The board is clear. Throws: 5." in page.locator(".status-line").inner_text()
    assert "5 throws" in page.get_by_label("At the table").inner_text()
    save_screenshot(page, "triggery-alone-over-1440")


def test_the_result_stays_while_the_replay_is_animated(new_user: NewUser) -> None:
    """Each step back and forth said "The last move…" again, and hid the result."""
    ann = new_user(reduced_motion="no-preference")
    position = f"triggery {LAST} throw=2-1 sheet=5-6,3-3,4-1,6-2"
    page = ann.sit(GAME_KEY, position, seats=1, options={"players": "1"})
    cell(page, "b1").click()
    ann.close_end()
    page.evaluate(
        """() => {
          const status = document.querySelector(".status-line");
          window.said = [];
          new MutationObserver(() => window.said.push(status.textContent))
            .observe(status, { childList: true, characterData: true, subtree: true });
        }"""
    )
    for key in (",", "."):
        page.keyboard.press(key)
        turned = "e1, 24" if key == "," else "e1, turned"
        page.wait_for_selector(f'[data-cell="e1"][aria-label^="{turned}"]')
    assert not [text for text in page.evaluate("() => window.said") if "The last move" in text]
    assert "The board is clear. Throws: 5." in page.locator(".status-line").inner_text()


def test_alone_the_end_has_its_own_words_and_the_same_board_is_one_click_away(new_user: NewUser) -> None:
    ann = new_user()
    position = f"triggery {LAST} throw=2-1 sheet=5-6,3-3,4-1,6-2"
    page = ann.sit(GAME_KEY, position, seats=1, options={"players": "1"})
    first, shown = page.url, page.locator("[data-cell='b1']").get_attribute("aria-label")
    cell(page, "b1").click()
    end = page.locator("dialog.end")
    end.get_by_role("heading", name="Cleared in 5 throws").wait_for()
    end.get_by_text("Your first result here.").wait_for()
    page.wait_for_function("() => document.activeElement?.matches('dialog.end .main')")
    ann.close_end()
    ann.press("Result")
    end.get_by_text("Your first result here.").wait_for()  # seen again, it is still the first
    page.reload()
    ann.press("Result")
    end.get_by_text("Your best here: 5 throws.").wait_for()
    again = end.get_by_role("button", name="Same board, same dice")
    page.wait_for_function("() => document.activeElement?.matches('dialog.end .main')")
    assert end.get_by_role("button", name="New board").count() == 1
    again.click()
    page.wait_for_url(lambda url: url != first)
    assert ann.await_turn()
    assert page.locator("[data-cell='b1']").get_attribute("aria-label") == shown
    cell(page, "b1").click()
    end.get_by_text("Your best here: 5 throws.").wait_for()


def test_a_hint_shows_the_whole_turn_in_order(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, f"triggery {HALF} throw=5-5 sheet=5-3", seats=1, options={"players": "1"})
    page.keyboard.press("h")
    page.locator(".candidates .why").wait_for(timeout=THINKING)
    turn = page.locator(".candidates .step:not(.start)").all_inner_texts()
    lit = page.locator("[data-cell]:has(.hint)").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    assert len(lit) > 1
    assert {*lit} == {word for word in turn if word != "done"}


def test_a_move_to_be_confirmed_is_not_mixed_with_the_turn_of_a_hint(new_user: NewUser) -> None:
    """The tile that was tapped was numbered 1, and the rest of the hint went on from it."""
    ann = new_user(390, 844, has_touch=True, is_mobile=True)
    page = ann.sit(GAME_KEY, f"triggery {HALF} throw=5-5 sheet=5-3", seats=1, options={"players": "1"})
    ann.press("More")
    page.get_by_role("checkbox", name="Ask before a move is played").check()
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    ann.press("Hint")
    page.locator("[data-cell]:has(.hint)").nth(1).wait_for(timeout=THINKING)
    tapped = attribute(page.locator(".cell.open:not(:has(.hint))").first, "data-cell")
    cell(page, tapped).tap()
    page.get_by_role("group", name="Ask before a move is played").wait_for()
    lit = page.locator("[data-cell]:has(.hint)").evaluate_all("cells => cells.map(cell => cell.dataset.cell)")
    assert lit == [tapped]


def test_a_game_alone_is_played_to_its_end_by_keyboard(new_user: NewUser) -> None:
    ann = new_user()
    page = ann.sit(GAME_KEY, f"triggery {HALF} throw=4-1 sheet=5-3", seats=1, options={"players": "1"})
    ann.press_until("Tab", "[data-cell]")
    for _ in range(120):
        if not ann.await_turn():
            break
        before = ann.seq()
        if page.locator(".cell.open").count():
            ann.walk("cell", attribute(page.locator(".cell.open").first, "data-cell"), up=-1)
        else:
            ann.press_until("Tab", ".actions .button.main")
        page.keyboard.press("Enter")
        ann.await_event(before)
        if not ann.await_turn():  # the panel at the end has the focus
            break
        page.wait_for_selector("[data-cell]:focus")
    page.locator("dialog.end", has_text="Same board, same dice").wait_for()


def test_throws_are_written_into_the_form_and_a_wrong_one_says_what_is_wrong(new_user: NewUser) -> None:
    ann = new_user()
    ann.game_key, page = GAME_KEY, ann.page
    page.goto("#/new/triggery/solo")
    page.get_by_text("More settings").click()
    field = page.get_by_label("For a player alone, the throws")
    field.fill("5-7")
    page.locator("form button.main").click()
    page.get_by_role("alert").get_by_text("is no throw").wait_for()
    field.fill("5-6,3-3")
    page.locator("form button.main").click()
    assert ann.await_turn()
    assert ann.server_state()["state"]["view"]["throw"] == [5, 6]


def test_a_return_round_is_played_to_its_end_by_finger_at_360(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user(360, 740, has_touch=True)
    position = f"triggery {HALF} {HALF} first=yellow side=blue throw=4-1 won=1,0 lost=0,31"
    ann.sit_with_bots(GAME_KEY, position)
    for number in ann.turns():
        if number == 2:
            save_screenshot(ann.page, "triggery-middle-360")
        cells = ann.page.locator(".cell.open")
        (cells.first if cells.count() else ann.page.locator(".actions .button.main")).tap()
    assert number >= 2, "the game ended before the middle was looked at"
    ann.close_end()
    ann.button("Rematch").wait_for()
    save_screenshot(ann.page, "triggery-over-360")
