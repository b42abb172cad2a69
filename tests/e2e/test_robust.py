"""Lines that break, tabs that fall behind, ways back: no move is lost, none is played twice."""

from __future__ import annotations

import json

KIND = "trippples"
BOARD = ".board-box svg"


class Wire:
    """The live line of a page, with the test between page and server."""

    def __init__(self, page) -> None:
        self.sent: list[dict] = []
        self.deaf = False  # what the server says does not come through, until there is a new line
        self.cut_at = ""  # the line breaks once a message of this type has gone up,
        self.broken = False  # and there is no other one until it is mended: nobody need be quick to see it
        self.line = None
        page.route_web_socket("**/live", self.connect)

    def connect(self, near):
        if self.broken:
            near.close()
            return
        self.line, self.deaf = near, False
        far = near.connect_to_server()

        def up(text):
            message = json.loads(text)
            self.sent.append(message)
            far.send(text)
            if message["type"] == self.cut_at:
                self.cut_at, self.broken, self.line = "", True, None
                near.close()

        def down(text):
            heard = not self.deaf or json.loads(text)["type"] in ("snapshot", "refused", "pong")
            if heard and near is self.line:
                near.send(text)

        near.on_message(up)
        far.on_message(down)

    def of(self, kind):
        return [each for each in self.sent if each["type"] == kind]


def played(visitor):
    """What was played by people, as the server has it."""
    told = visitor.told()
    people = [seat for seat, chair in enumerate(told["state"]["seats"]) if chair["kind"] == "human"]
    return [each for each in told["log"] if each["kind"] == "act" and each["seat"] in people]


def step(visitor):
    visitor.page.locator(".square.open").last.click()


def tab(visitor):
    """Another tab of the same visitor, at the same table."""
    other = type(visitor)(visitor.page.context.new_page(), visitor.kind)
    other.page.goto(visitor.page.url)
    assert other.await_turn()
    other.no_tour()
    return other


def test_a_stale_tab_is_told_and_shows_how_it_stands(visitor, shoot):
    """A tab that slept through a move of another one still lets one click; the server refuses that."""
    ann = visitor()
    wire = Wire(ann.page)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    wire.deaf = True
    other = tab(ann)
    other.move()
    assert other.await_turn()
    step(ann)
    ann.page.get_by_text("The game has moved on meanwhile").wait_for()
    shoot(ann.page, "stale-1440")
    wire.deaf = False
    ann.page.wait_for_function(
        "seq => document.querySelector('.game[data-seq]').dataset.seq == seq", arg=other.seq()
    )
    assert len(played(ann)) == 1
    assert ann.await_turn()
    ann.move()
    assert len(played(ann)) == 2


def test_two_tabs_of_one_player_play_in_turn(visitor):
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    other = tab(ann)
    for mover, watcher in ((ann, other), (other, ann), (ann, other)):
        before = watcher.seq()
        mover.move()
        watcher.await_event(before)
        assert watcher.await_turn()
        assert mover.await_turn()
    assert len(played(ann)) == 3


def test_a_move_whose_answer_was_lost_goes_out_again_and_is_played_once(visitor):
    """The line breaks after the move has gone up and before the server has answered.

    The page has another one within half a second: whether it was seen without must not depend on that.
    """
    ann = visitor()
    wire = Wire(ann.page)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    before = ann.seq()
    wire.cut_at = "act"
    step(ann)
    ann.page.get_by_text("Connection lost").wait_for()
    wire.broken = False
    ann.await_event(before)
    ann.page.wait_for_function("() => !document.querySelector('.connection')")
    ann.page.wait_for_function("() => sessionStorage.length === 0")
    assert ann.await_turn()
    first, second = wire.of("act")
    assert first == second
    assert len(played(ann)) == 1


def test_the_back_button_leads_out_and_in_again(visitor):
    ann = visitor()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card")
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    ann.move()
    assert ann.await_turn()
    before = ann.seq()
    address = ann.page.url
    ann.page.go_back()
    ann.page.wait_for_selector("form button.main")
    ann.page.go_back()
    ann.page.get_by_role("heading", name="Go on playing").wait_for()
    ann.page.go_forward()
    ann.page.go_forward()
    ann.page.wait_for_selector(BOARD)
    assert ann.await_turn()
    assert ann.page.url == address
    assert ann.seq() == before
    ann.move()


def test_who_goes_back_while_a_move_waits_for_the_line_still_plays_it(visitor):
    """The move was forgotten with the screen that had made it."""
    ann = visitor()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card")
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    address = ann.page.url
    ann.page.context.set_offline(True)
    ann.page.get_by_text("Connection lost").wait_for()
    step(ann)
    ann.page.get_by_text("Your move will be sent").wait_for()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".lede")
    ann.page.context.set_offline(False)
    ann.page.wait_for_function("() => sessionStorage.length === 0", timeout=60_000)
    ann.page.goto(address)
    assert ann.await_turn()
    assert len(played(ann)) == 1


def test_a_reload_does_not_forget_a_move_that_was_not_answered(visitor):
    ann = visitor()
    wire = Wire(ann.page)
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    before = ann.seq()
    wire.deaf = True  # the move goes up, and nobody hears that it did
    step(ann)
    ann.page.wait_for_function("() => sessionStorage.length === 1")
    ann.page.reload()
    ann.page.wait_for_selector(BOARD)
    ann.await_event(before)
    ann.page.wait_for_function("() => sessionStorage.length === 0")
    first, second = wire.of("act")
    assert first == second
    assert len(played(ann)) == 1


def test_a_hint_that_comes_late_stays_with_its_game(visitor):
    """It was told on the home screen to whoever had left."""
    ann = visitor()
    ann.open(KIND, calm=True)
    assert ann.await_turn()
    held = ann.hold_hints()
    with ann.page.expect_request("**/hint?*"):  # the page thinks before it has asked
        ann.page.keyboard.press("h")
    ann.page.get_by_text("Thinking").wait_for()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card")
    with ann.page.expect_response("**/hint?*", timeout=ann.THINKING):
        held[0].continue_()
    ann.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert ann.page.get_by_role("alert").inner_text() == ""


def test_on_one_screen_the_next_player_may_click_at_once(visitor):
    """Where nothing is hidden nobody needs other eyes: a click was lost while they were asked for."""
    ann = visitor()
    wire = Wire(ann.page)
    ann.open(KIND, "screen", calm=True)
    assert ann.await_turn()
    ann.page.wait_for_selector(".square.open")
    hellos = len(wire.of("hello"))
    ann.page.evaluate(
        """() => new MutationObserver(() => {
             window.idle ||= document.querySelector('.game[data-seq]').dataset.active !== 'true';
           }).observe(document.querySelector('.game[data-seq]'), { attributes: true })"""
    )
    for _ in range(3):
        ann.move()
    assert len(wire.of("hello")) == hellos
    assert not ann.page.evaluate("() => window.idle")


def test_a_tab_older_than_the_page_of_the_server_takes_the_new_one(visitor):
    """A new version of the page has files of other names: those of the old one are gone."""
    ann = visitor()
    ann.page.route(
        "**/assets/*.js", lambda route: route.abort() if "Rules" in route.request.url else route.continue_()
    )
    ann.page.goto("#/")
    ann.page.get_by_role("link", name=f"Rules {KIND}").wait_for()
    ann.page.evaluate("() => (window.old = true)")
    ann.page.get_by_role("link", name=f"Rules {KIND}").click()
    ann.page.wait_for_function("() => !window.old")
    ann.page.get_by_text("The server cannot be reached").wait_for()  # once only: it does not reload for ever
    ann.page.unroute_all()
    ann.page.get_by_role("button", name="Try again", exact=True).click()
    ann.page.wait_for_selector("article h3")


def test_a_screen_that_cannot_be_loaded_says_so_and_does_not_leave_the_page(visitor):
    """Without a network the page reloaded itself, and there was nothing left but the browser's own error."""
    ann = visitor()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card:nth-child(4)")
    ann.page.context.set_offline(True)
    ann.page.get_by_role("link", name=f"Rules {KIND}").click()
    ann.page.get_by_text("The server cannot be reached").wait_for()
    ann.page.context.set_offline(False)
    ann.page.get_by_role("button", name="Try again", exact=True).click()
    ann.page.wait_for_selector("article h3")
