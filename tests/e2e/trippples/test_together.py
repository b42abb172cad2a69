"""At a table of Trippples: by a link, on one screen, in two tabs, over a lost connection and a restart."""

import re

KIND = "trippples"


def test_two_play_by_a_link_and_one_resigns(visitor, shoot):
    ann, ben = visitor(), visitor(390, 844, has_touch=True)
    ann.invite(ben, KIND)
    for _ in range(4):
        mover = ann.mover(ben)
        before = {each: each.seq() for each in (ann, ben)}
        mover.move()
        for each in (ann, ben):
            each.await_event(before[each])
    shoot(ben.page, "online-390")
    loser = ann.mover(ben)
    winner = ben if loser is ann else ann
    loser.page.get_by_role("button", name="More", exact=True).click()
    loser.page.get_by_role("button", name="Resign", exact=True).click()
    loser.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    winner.page.get_by_text("You have won!").first.wait_for()
    winner.page.get_by_role("button", name="Rematch", exact=True).click()
    loser.page.get_by_role("link", name="Play again").click()
    for each in (ann, ben):
        each.page.wait_for_selector('.game[data-status="live"]')


def test_taking_back_needs_a_yes(visitor):
    ann, ben = visitor(), visitor()
    ann.invite(ben, KIND)
    mover = ann.mover(ben)
    other = ben if mover is ann else ann
    mover.move()
    mover.page.get_by_role("button", name="Take back", exact=True).click()
    other.page.get_by_role("button", name="Yes", exact=True).click()
    mover.page.wait_for_selector('.game[data-active="true"]')
    for each in (ann, ben):  # one page may know of it before the other
        each.page.wait_for_selector(".moves li button .unseen", state="detached")


def test_a_seat_goes_to_another_device_by_its_link_and_the_address_keeps_no_secret(visitor):
    ann, elsewhere = visitor(), visitor(390, 844)
    ann.open(KIND, calm=True)
    ann.page.get_by_role("button", name="More", exact=True).click()
    ann.page.get_by_role("button", name="Share links", exact=True).click()
    ann.page.get_by_role("button", name="Link to my seat", exact=True).click()
    link = ann.page.get_by_label("Link to my seat").input_value()
    assert re.search(r"/seat/[\w-]{8,}$", link)
    elsewhere.kind = ann.kind
    elsewhere.page.goto(link)
    assert elsewhere.await_turn()
    assert "/seat/" not in elsewhere.page.url
    elsewhere.no_tour()
    elsewhere.move()


def test_two_tabs_of_one_visitor_show_the_same(visitor):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    second = type(ann)(ann.page.context.new_page(), ann.kind)
    second.page.goto(ann.page.url)
    assert second.await_turn()
    before = second.seq()
    ann.move()
    second.await_event(before)


def test_on_one_screen_without_secrets_play_goes_on_at_once(visitor):
    ann = visitor()
    ann.open(KIND, "screen", calm=True)
    for _ in range(4):
        assert ann.await_turn()
        ann.move()


def test_a_lost_connection_is_shown_and_healed_and_no_move_is_lost(visitor):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    before = ann.seq()
    ann.page.context.set_offline(True)
    ann.page.get_by_text("Connection lost").wait_for()
    ann.page.locator(".square.open").last.click()
    ann.page.get_by_text("Your move will be sent").wait_for()
    assert ann.seq() == before
    ann.page.context.set_offline(False)
    ann.await_event(before)
    assert ann.await_turn()


def test_a_server_that_comes_back_finds_the_game_as_it_was(own_server, visitor):
    ann = visitor(base_url=own_server.url)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    before = ann.seq()
    own_server.stop()
    ann.page.get_by_text("Connection lost").wait_for()
    ann.page.locator(".square.open").last.click()
    own_server.start()
    ann.page.wait_for_function("() => !document.querySelector('.connection')", timeout=60_000)
    ann.await_event(before)
    assert ann.await_turn()


def test_a_refused_move_says_why_and_opens_the_clause(visitor, shoot):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.page.locator(".square:not(.open)").nth(20).click(force=True)  # whatever its label says
    toast = ann.page.get_by_role("alert")
    toast.get_by_role("button", name=re.compile("^Read TP-")).wait_for()
    shoot(ann.page, "refused-1440")
    toast.get_by_role("button", name=re.compile("^Read TP-")).click()
    ann.page.locator("dialog h3.here").wait_for()


def test_looking_back_hint_and_taking_back(visitor, shoot):
    """If the computer is passed over there is one move, and a list of none is as long as one of one."""
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    ann.page.get_by_role("button", name="To the start", exact=True).click()
    ann.page.get_by_text("Looking back").first.wait_for()
    assert ann.page.locator('.game[data-active="true"]').count() == 0
    ann.page.keyboard.press("Escape")
    assert ann.await_turn()
    ann.page.keyboard.press("h")
    ann.page.get_by_text("The computer would play").first.wait_for(timeout=ann.THINKING)
    shoot(ann.page, "hint-1440")
    moves = ann.page.locator(".moves li").count()
    ann.page.get_by_role("button", name="Take back", exact=True).click()
    ann.page.wait_for_function("moves => document.querySelectorAll('.moves li').length < moves", arg=moves)


def test_the_analysis_after_the_end(visitor, shoot):
    ann = visitor()
    ann.open(KIND, calm=True)
    for _ in range(3):
        assert ann.await_turn()
        ann.move()
    ann.page.get_by_role("button", name="More", exact=True).click()
    ann.page.get_by_role("button", name="Resign", exact=True).click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
    ann.page.get_by_role("button", name="Analyse", exact=True).click()
    ann.page.locator(".analysis:not(:has(progress))").wait_for(timeout=ann.THINKING)
    shoot(ann.page, "analysis-1440")
    with ann.page.expect_download() as kept:
        ann.page.get_by_role("button", name="More", exact=True).click()
        ann.page.get_by_role("link", name="Download the record").click()
    assert "trippples" in kept.value.suggested_filename
