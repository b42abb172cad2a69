"""Around the board: sound, full screen, names, links, offers, clocks, first steps, and after the end."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import tripot

KIND = "trippples"
KINDS = [game.key for game in tripot.found()]
COUNT_TONES = """
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
"""


def more(visitor, button):
    visitor.page.get_by_role("button", name="More", exact=True).click()
    visitor.page.get_by_role("dialog").get_by_role("button", name=button, exact=True).click()


def resign(visitor):
    more(visitor, "Resign")
    visitor.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    visitor.page.wait_for_selector('.game[data-status="over"]')


def overlap(page, one, two):
    """Whether two elements cover each other on the screen, both measured in one moment."""
    return page.evaluate(
        """([one, two]) => {
          const [a, b] = [one, two].map((each) => document.querySelector(each).getBoundingClientRect());
          if (!a.width || !b.width) throw new Error(`${one} or ${two} is not to be seen`);
          return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        }""",
        [one, two],
    )


def test_moves_are_heard_unless_sound_is_off(visitor):
    ann = visitor()
    ann.page.add_init_script(COUNT_TONES)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    assert ann.page.evaluate("() => window.tones") > 0
    switch = ann.page.get_by_role("button", name="Sound", exact=True)
    assert switch.get_attribute("aria-pressed") == "true"
    switch.click()
    ann.page.reload()
    ann.page.wait_for_selector(".board-box svg")
    assert switch.get_attribute("aria-pressed") == "false"
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    assert ann.page.evaluate("() => window.tones") == 0
    switch.click()
    assert ann.page.evaluate("() => window.tones") > 0


def test_full_screen_and_back(visitor):
    ann = visitor()
    ann.open(KIND)
    ann.page.get_by_role("button", name="Full screen", exact=True).click()
    ann.page.wait_for_function("() => document.fullscreenElement !== null")
    ann.page.get_by_role("button", name="Full screen", exact=True).click()
    ann.page.wait_for_function("() => document.fullscreenElement === null")
    more(ann, "Full screen")
    ann.page.wait_for_function("() => document.fullscreenElement !== null")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (768, 1024), (1440, 900)])
def test_what_the_table_says_covers_neither_board_nor_buttons(width, height, visitor, shoot):
    ann = visitor(width, height, has_touch=width < 500)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.page.locator(".square:not(.open)").nth(20).click(force=True)
    ann.page.get_by_role("alert").get_by_role("button", name=re.compile("^Read")).wait_for()
    shoot(ann.page, f"refused-{width}")
    assert not overlap(ann.page, ".toast", ".board-box svg")
    assert not overlap(ann.page, ".toast", ".game > .side > .buttons")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1440, 900)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_first_steps_lead_through_a_few_moves(kind, width, height, visitor, shoot):
    """Where the computer begins it must not have played much by the time the page is there: a calm game."""
    ann = visitor(width, height)
    ann.kind = kind
    page = ann.page
    page.goto(f"#/new/{kind}")
    ann.start(calm=True)
    page.wait_for_selector(".board-box svg")
    tour = page.get_by_role("region", name="First steps")
    following = tour.get_by_role("button", name="Next", exact=True)
    following.wait_for()
    said = set()
    while following.count():
        said.add(tour.locator("p").inner_text())
        assert not overlap(page, ".tour", ".board-box")
        following.click()
    assert len(said) >= 4
    for number in range(3):
        if not ann.await_turn():
            break
        tour.get_by_text(re.compile("It is lit on the board|play what you like")).wait_for(
            timeout=ann.THINKING
        )
        if number == 0:
            shoot(page, f"guided-{kind}-{width}")
        ann.move()
    tour.get_by_role("button", name="Let us play", exact=True).click()
    tour.wait_for(state="detached")


def test_the_first_steps_are_for_who_has_hardly_played_however_much_others_did(visitor):
    """All actions were counted: a computer that had the first turn could end the tour before it began."""
    ann = visitor()
    ann.open(KIND, calm=True)
    for _ in range(2):
        assert ann.await_turn()
        ann.move()
    assert ann.await_turn()
    ann.page.evaluate("localStorage.clear()")
    ann.page.reload()
    ann.page.get_by_role("region", name="First steps").wait_for()


def test_the_first_steps_go_on_after_somebody_looked_back_while_the_computer_thought(visitor):
    """The advice was dropped if it came just then, and nobody asked for it again."""
    ann = visitor()
    page = ann.page
    ann.kind = KIND
    page.goto(f"#/new/{KIND}")
    ann.start(calm=True)
    tour = page.get_by_role("region", name="First steps")
    tour.wait_for()
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    held = ann.hold_hints()
    following = tour.get_by_role("button", name="Next", exact=True)
    with page.expect_request("**/hint?*"):
        while following.count():
            following.click()
    page.get_by_role("button", name="To the start", exact=True).click()
    page.get_by_text("Looking back").first.wait_for()
    with page.expect_response("**/hint?*", timeout=ann.THINKING):
        held[0].continue_()
    page.get_by_role("button", name="To now", exact=True).click()
    tour.get_by_text(re.compile("It is lit on the board")).wait_for()
    page.wait_for_selector(".board-box .hint")


def test_the_last_move_stays_marked_when_tokens_are_drawn_after_it(visitor):
    """What a board marks came from the last event, and that was the draw.

    The computer may exchange instead, which marks nothing: then somebody plays on until tokens were laid.
    """
    ann = visitor()
    ann.open("triolet")
    last = ""
    while "=" not in last:
        assert ann.await_turn()
        ann.move()
        assert ann.await_turn()
        log = ann.told()["log"]
        last = next(each["text"] for each in reversed(log) if each["kind"] == "act")
    ann.page.reload()
    ann.page.wait_for_selector(".board-box svg")
    assert log[-1]["kind"] == "deal"
    ann.page.wait_for_selector(".board-box .last")
    assert ann.page.locator(".board-box .last").count() == last.count("=")


def test_a_name_can_be_changed_and_is_that_of_the_next_game(visitor):
    ann = visitor()
    ann.page.goto("#/")
    ann.page.get_by_role("button", name="Your name: ").click()
    ann.page.get_by_role("textbox", name="Your name").fill("Ann")
    ann.page.get_by_role("button", name="Save", exact=True).click()
    ann.page.get_by_role("button", name="Your name: Ann", exact=True).wait_for()
    ann.open(KIND)
    ann.page.get_by_role("list", name="At the table").get_by_text("Ann").wait_for()
    ann.page.reload()
    ann.page.get_by_role("button", name="Your name: Ann", exact=True).wait_for()


def test_whoever_has_no_name_is_called_so_in_their_language(visitor):
    ann = visitor(locale="fr-FR")
    ann.page.goto(f"#/new/{KIND}")
    ann.page.locator("form button.main").click()
    ann.page.wait_for_selector(".game[data-seq]")
    table = ann.page.get_by_role("list", name="À la table")
    table.get_by_text("Vous", exact=True).wait_for()
    assert "Guest" not in table.inner_text()


def test_a_game_of_mine_goes_on_from_home_after_the_browser_was_closed(visitor, visit):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    address = ann.page.url
    kept = ann.page.context.storage_state()
    ann.page.context.close()
    later = visit(storage_state=kept)
    later.goto("#/")
    later.get_by_role("link", name=re.compile("your move")).click()
    later.wait_for_selector('.game[data-active="true"]')
    assert later.url == address


def test_a_public_game_can_be_found_and_watched(visitor, shoot):
    ann, ben = visitor(), visitor()
    ann.page.goto(f"#/new/{KIND}")
    ann.page.locator("summary").click()
    ann.page.get_by_label("Anybody may find and watch this game").check()
    ann.kind = KIND
    ann.start(calm=True)
    assert ann.await_turn()
    ben.page.goto("#/")
    game = ann.page.url.rpartition("/")[2]
    shown = ben.page.locator(f'section[aria-labelledby="live"] a[href="#/g/{game}"]')
    shown.wait_for()
    shoot(ben.page, "home-watch-1440")
    shown.click()
    ben.page.wait_for_selector(".board-box svg")
    assert ben.page.get_by_role("button", name="Hint", exact=True).count() == 0
    more(ben, "Share links")
    assert ben.page.get_by_label("Share links").last.input_value() == ann.page.url
    assert ben.page.get_by_role("button", name="Link to my seat", exact=True).count() == 0


def test_a_link_is_copied_and_that_is_said(visitor):
    ann = visitor(permissions=["clipboard-read", "clipboard-write"])
    ann.open(KIND)
    more(ann, "Share links")
    ann.page.get_by_role("button", name="Copy", exact=True).click()
    ann.page.get_by_role("button", name="Copied", exact=True).wait_for()
    assert ann.page.evaluate("() => navigator.clipboard.readText()") == ann.page.url


def test_the_focus_goes_back_when_a_dialog_closes(visitor):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    for label in ("Rules", "More"):
        ann.page.get_by_role("button", name=label, exact=True).focus()
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector("dialog[open]")
        if label == "More":  # one dialog leads to another
            ann.page.get_by_role("dialog").get_by_role("button", name="Keys", exact=True).press("Enter")
            ann.page.get_by_text("Back and forth through the moves").wait_for()
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("dialog", state="detached")
        ann.page.wait_for_function(
            "label => (document.activeElement.ariaLabel ?? document.activeElement.innerText) === label",
            arg=label,
        )


def test_keys_are_listed_behind_a_question_mark_and_do_what_they_say(visitor):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
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


def test_the_tab_says_when_it_is_my_move(visitor):
    ann, ben = visitor(), visitor()
    ann.invite(ben, KIND)
    for _ in range(4):
        mover = ann.mover(ben)
        other = ben if mover is ann else ann
        mover.page.wait_for_function("() => document.title.startsWith('● Your move')")
        other.page.wait_for_function("() => !document.title.includes('●')")
        mover.move()


def test_a_draw_is_offered_refused_and_agreed(visitor, shoot):
    ann, ben = visitor(), visitor(360, 740)
    ann.invite(ben, KIND)
    more(ann, "Offer a draw")
    ann.page.get_by_text("A draw is offered").wait_for()  # or it would be missed before it is there
    ben.page.get_by_role("button", name="No", exact=True).click()
    ben.page.get_by_text("offers a draw").wait_for(state="detached")
    ann.page.get_by_text("A draw is offered").wait_for(state="detached")
    more(ann, "Offer a draw")
    ben.page.get_by_text("offers a draw").wait_for()
    shoot(ben.page, "offer-360")
    ben.page.get_by_role("button", name="Yes", exact=True).click()
    for each in (ann, ben):
        each.page.locator(".sentence", has_text="A draw.").wait_for()


def test_time_runs_out_on_the_table_too(visitor):
    ann = visitor()
    ann.open_by_api(game=KIND, seats=[{"kind": "me"}, {"kind": "bot", "level": 1}], clock="10+0")
    ann.page.get_by_role("timer").first.wait_for()
    ann.page.wait_for_selector('.game[data-status="over"]', timeout=30_000)
    ann.page.get_by_text("ran out of time").first.wait_for()


def test_after_the_end_every_move_has_its_best_alternative_and_the_record_can_be_replayed(
    visitor, shoot, tmp_path
):
    """Four moves were too many for one game in a hundred, which chance had frozen before: so a calm one.

    Two moves may be told in the same words: whether the first one is looked at, the count of moves says.
    """
    ann = visitor()
    ann.open(KIND, calm=True)
    for _ in range(4):
        assert ann.await_turn()
        ann.move()
    assert ann.await_turn()
    resign(ann)
    page = ann.page
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator(".analysis:not(:has(progress))").wait_for(timeout=ann.THINKING)
    page.locator(".analysis svg").first.click()  # in the middle of the graph
    page.locator(".analysis .here", has_text="Played: ").wait_for()
    assert not page.locator(".moves .count").inner_text().startswith("0 /")
    shoot(page, "analysis-pointed-1440")
    page.get_by_label("Which move").focus()
    page.keyboard.press("Home")
    page.locator(".moves .count", has_text=re.compile("^0 /")).wait_for()
    opening = page.locator(".moves li button > span:not(.unseen)").first.inner_text()
    page.locator(".analysis .here", has_text=f"Played: {opening}").wait_for()
    with page.expect_download() as kept:
        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("link", name="Download the record").click()
    record = tmp_path / kept.value.suggested_filename
    kept.value.save_as(record)
    command = [sys.executable, "-m", "tripot", "replay", str(record)]
    told = subprocess.run(command, check=True, capture_output=True, text=True, input="999\nq\n")
    assert re.search(r"^0/\d+ .*Guest", told.stdout, re.MULTILINE)
