"""Connections that break, tabs that fall behind, ways back: no move is lost, none is played twice."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute
from tests.e2e.page_user import BOARD, THINKING, Json, NewUser, PageUser, SaveScreenshot

GAME_KEY = "trippples"


class Wire:
    """The live connection of a page, with the test between page and server."""

    def __init__(self, page: Page) -> None:
        self.sent: list[Json] = []
        self.deaf = False  # what the server says does not come through, until there is a new connection
        self.cut_at = ""  # the connection breaks once a message of this type has gone up,
        self.broken = False  # and there is no other one until it is mended: no test need be quick to see it
        self.version = ""  # of the server, if it is not the real one
        self.line: WebSocketRoute | None = None
        page.route_web_socket("**/ws", self.connect)

    def connect(self, near: WebSocketRoute) -> None:
        if self.broken:
            near.close()
            return
        self.line, self.deaf = near, False
        far = near.connect_to_server()

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            self.sent.append(message)
            far.send(text)
            if message["type"] == self.cut_at:
                self.cut_at, self.broken, self.line = "", True, None
                near.close()

        def down(text: str | bytes) -> None:
            message = json.loads(text)
            if self.version and "server_version" in message:
                text = json.dumps(message | {"server_version": self.version})
            heard = not self.deaf or message["type"] in ("snapshot", "error", "pong")
            if heard and near is self.line:
                near.send(text)

        near.on_message(up)
        far.on_message(down)

    def of(self, kind: str) -> list[Json]:
        return [each for each in self.sent if each["type"] == kind]


def played(user: PageUser) -> list[Any]:
    """What was played by people, as the server has it."""
    answer = user.server_state()
    people = [seat for seat, seat_info in enumerate(answer["state"]["seats"]) if seat_info["kind"] == "human"]
    return [each for each in answer["log"] if each["type"] == "action" and each["seat"] in people]


def step(user: PageUser) -> None:
    user.page.locator(".square.open").last.click()


def all_is_sent(page: Page) -> None:
    """Wait until the page keeps no move that the server has not answered."""
    page.wait_for_function("() => sessionStorage.length === 0")


def test_a_stale_tab_is_told_and_shows_how_it_stands(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """A tab that slept through a move of another one still lets one click; the server refuses that."""
    ann = new_user(fresh=True)
    wire = Wire(ann.page)
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    wire.deaf = True
    other = ann.another_tab()
    other.move()
    assert other.await_turn()
    step(ann)
    ann.page.get_by_text("The game has moved on meanwhile").wait_for()
    save_screenshot(ann.page, "stale-1440")
    wire.deaf = False
    ann.page.wait_for_function(
        "seq => document.querySelector('.game[data-seq]').dataset.seq == seq", arg=other.seq()
    )
    assert len(played(ann)) == 1
    assert ann.await_turn()
    ann.move()
    assert len(played(ann)) == 2


def test_two_tabs_of_one_player_show_the_same_and_play_in_turn(new_user: NewUser) -> None:
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    other = ann.another_tab()
    for mover, watcher in ((ann, other), (other, ann), (ann, other)):
        before = watcher.seq()
        mover.move()
        watcher.await_event(before)
        assert watcher.await_turn()
        assert mover.await_turn()
    assert len(played(ann)) == 3


def test_a_move_whose_answer_was_lost_goes_out_again_and_is_played_once(new_user: NewUser) -> None:
    """The connection breaks after the move has gone up and before the server has answered.

    The page has another one within half a second: whether it was seen without must not depend on that.
    """
    ann = new_user(fresh=True)
    wire = Wire(ann.page)
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    before = ann.seq()
    wire.cut_at = "action"
    step(ann)
    ann.page.get_by_text("Connection lost").wait_for()
    wire.broken = False
    ann.await_event(before)
    ann.page.wait_for_selector(".connection", state="detached")
    all_is_sent(ann.page)
    assert ann.await_turn()
    first, second = wire.of("action")
    assert first == second
    assert len(played(ann)) == 1
    a_reload_does_not_forget_a_move_that_was_not_answered(ann, wire)


def a_reload_does_not_forget_a_move_that_was_not_answered(ann: PageUser, wire: Wire) -> None:
    before = ann.seq()
    wire.sent.clear()
    wire.deaf = True  # the move is sent, and the answer is not received
    step(ann)
    ann.page.wait_for_function("() => sessionStorage.length === 1")
    ann.page.reload()
    ann.page.wait_for_selector(BOARD)
    ann.await_event(before)
    all_is_sent(ann.page)
    first, second = wire.of("action")
    assert first == second
    assert len(played(ann)) == 2


def test_the_back_button_leads_out_and_in_again(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card")
    ann.open_by_form(GAME_KEY)
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


def test_a_lost_connection_is_shown_and_healed_and_no_move_is_lost(new_user: NewUser) -> None:
    """A move that was forgotten with the screen that had made it is still played after going back."""
    ann = new_user()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    before = ann.seq()
    play_without_a_connection(ann)
    assert ann.seq() == before
    ann.page.context.set_offline(False)
    ann.await_event(before)
    assert ann.await_turn()
    assert len(played(ann)) == 1
    address = ann.page.url
    play_without_a_connection(ann)
    ann.page.goto("#/")
    ann.page.locator(".unreachable").wait_for()  # the home screen tries again by itself
    ann.page.context.set_offline(False)
    all_is_sent(ann.page)
    ann.page.goto(address)
    assert ann.await_turn()
    assert len(played(ann)) == 2


def play_without_a_connection(ann: PageUser) -> None:
    ann.page.context.set_offline(True)
    ann.page.get_by_text("Connection lost").wait_for()
    step(ann)
    ann.page.get_by_text("Your move will be sent").wait_for()


def test_a_hint_that_comes_late_stays_with_its_game(new_user: NewUser) -> None:
    """It was told on the home screen to a user who had left."""
    ann = new_user()
    held = ann.hold_hint_requests()
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    with ann.page.expect_request("**/hint?*"):  # the page thinks before it has asked
        ann.page.keyboard.press("h")
    ann.page.get_by_text("Thinking").wait_for()
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card")
    with ann.page.expect_response("**/hint?*", timeout=THINKING) as answer:
        held[0].continue_()
    answer.value.finished()
    ann.page.evaluate(
        "() => fetch('/api/v1/me').then((later) => later.text())"
    )  # the page has the hint by then
    assert ann.page.get_by_role("alert").inner_text() == ""


def test_on_one_screen_the_next_player_may_click_at_once(new_user: NewUser) -> None:
    """Where nothing is hidden nobody needs other eyes: a click was lost while they were asked for."""
    ann = new_user(fresh=True)
    wire = Wire(ann.page)
    ann.open(GAME_KEY, "screen", quiet=True)
    assert ann.await_turn()
    ann.page.wait_for_selector(".square.open")
    hellos = len(wire.of("hello"))
    ann.page.evaluate(
        """() => new MutationObserver(() => {
             window.idle ||= document.querySelector('.game[data-seq]').dataset.active !== 'true';
           }).observe(document.querySelector('.game[data-seq]'), { attributes: true })"""
    )
    for _ in range(4):
        ann.move()
    assert len(wire.of("hello")) == hellos
    assert not ann.page.evaluate("() => window.idle")


def test_a_page_loads_itself_again_when_the_server_is_newer(new_user: NewUser) -> None:
    """After a restart with another version, as soon as the connection is back."""
    ann = new_user(fresh=True)
    wire = Wire(ann.page)
    ann.open(GAME_KEY, quiet=True)
    assert ann.await_turn()
    ann.page.evaluate("() => (window.old = true)")
    wire.version = "9.9.9+newer"

    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, headers=response.headers | {"tripot-version": wire.version})

    ann.page.route("**/api/v1/**", answer)
    assert wire.line
    wire.line.close()
    ann.page.wait_for_function("() => !window.old")
    assert ann.await_turn()
    ann.move()  # and it goes on, without loading itself again
    ann.page.unroute_all()


def test_a_page_whose_version_of_the_interface_is_gone_loads_itself_again_once(new_user: NewUser) -> None:
    """It took the version of the server that it saw first for its own, and showed an error for ever."""
    ann = new_user(fresh=True)
    loads: list[str] = []
    ann.page.on("domcontentloaded", lambda page: loads.append(page.url))
    ann.page.route(
        "**/api/v1/**",
        lambda route: route.fulfill(
            status=404,
            headers={"tripot-version": "9.9.9+newer"},
            json={"code": "not_found", "message": "Not Found"},
        ),
    )
    ann.page.goto("#/")
    ann.page.wait_for_function("() => performance.getEntriesByType('navigation')[0].type === 'reload'")
    ann.page.get_by_text("The server cannot be reached").wait_for()
    assert len(loads) == 2
    ann.page.unroute_all()


def test_a_tab_older_than_the_page_of_the_server_takes_the_new_one(new_user: NewUser) -> None:
    """A new version of the page has files of other names: those of the old one are gone."""
    ann = new_user(fresh=True)

    def is_gone(route: Route) -> None:
        if "Rules" in route.request.url:
            route.abort()
        else:
            route.continue_()

    ann.page.route("**/assets/*.js", is_gone)
    ann.page.goto("#/")
    ann.page.get_by_role("link", name=f"Rules {GAME_KEY}").wait_for()
    ann.page.evaluate("() => (window.old = true)")
    ann.page.get_by_role("link", name=f"Rules {GAME_KEY}").click()
    ann.page.wait_for_function("() => !window.old")
    ann.page.get_by_text("The server cannot be reached").wait_for()  # once only: it does not reload for ever
    ann.page.unroute_all()
    ann.press("Try again")
    ann.page.wait_for_selector("article h3")


def test_a_board_that_cannot_be_loaded_is_asked_for_again_with_the_next_connection(new_user: NewUser) -> None:
    """The place of the board stayed empty, and the page complained of an error that nobody handles."""
    ann = new_user(fresh=True)
    ann.open(GAME_KEY, quiet=True)
    ann.page.evaluate("() => sessionStorage.setItem('tripot.reloaded', String(Date.now()))")  # no reload now
    ann.page.route(f"**/assets/{GAME_KEY}-*.js", lambda route: route.abort())
    ann.page.reload()
    ann.page.locator(".board-box img").wait_for()  # the picture of the server
    ann.page.unroute_all()
    ann.page.context.set_offline(True)
    ann.page.get_by_text("Connection lost").wait_for()
    ann.page.context.set_offline(False)
    ann.page.wait_for_selector(BOARD)


def test_a_screen_that_cannot_be_loaded_says_so_and_does_not_leave_the_page(new_user: NewUser) -> None:
    """Without a network the page reloaded itself, and there was nothing left but the browser's own error."""
    ann = new_user(fresh=True)
    ann.page.goto("#/")
    ann.page.wait_for_selector(".card:nth-child(4)")
    ann.page.context.set_offline(True)
    ann.page.get_by_role("link", name=f"Rules {GAME_KEY}").click()
    ann.page.get_by_text("The server cannot be reached").wait_for()
    ann.page.context.set_offline(False)
    ann.page.wait_for_selector("article h3")  # it tries again by itself
