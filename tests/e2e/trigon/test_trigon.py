"""Trigon by mouse, finger and key: taking, turning and placing; any number of players; figures."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, WebSocketRoute
from tests.e2e.page_user import (
    OVER,
    TABLE,
    Fingers,
    NewUser,
    PageUser,
    Point,
    SaveScreenshot,
    attribute,
    colour,
    faults,
    focused,
    middle,
    overflow,
)

from tripot.games.trigon.figures import library

PHONE: dict[str, Any] = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
LONG = "trigon blue=I6@q15-v15 yellow=1@z7 red=1@r4 green=1@j7 colours=blue,yellow,red,green turn=blue"
# Both players have some moves left; then one colour after another is out.
LATE = (
    "trigon blue=1@s14+2@x10-y10+I3@w15,v16-w16+Y@ag9,ag10-ai10,ag11-ah11+F@aa7,z8-ab8,z9-aa9+"
    "G@p12-r12,q13-r13,q14+V@ad6,ad7-ae7,ad8-ae8,ad9+X@ac10-ae10,ac11-ae11+W@aa15,y16-ac16+S@w11,t12-w12,t13+"
    "L6@aa13-ae13,aa14+O@y11-aa11,y12-aa12 yellow=I3@s17-t17,s18+I4@a9,a10-b10,b11+L5@c12-f12,f13+"
    "C5@ab14,ad14,ab15-ad15+A6@w14-z14,x15-y15+F@g14-h14,f15-h15,g16+G@p16,p17-q17,o18-q18+V@h17-k17,k18-l18+"
    "X@l12,k13-n13,m14+W@x16,v17-z17+S@m15-o15,k16-m16+L6@q15-u15,u16 red=C5@j2,l2,j3-l3+P6@j4,i5-m5+"
    "Y@d6-e6,c7-e7,e8+A6@j14-k14,i15-l15+F@i11-j11,i12-k12,j13+G@c9-e9,c10-d10,d11+V@g9,f10-g10,f11-g11,g12+"
    "X@t10,r11-u11,s12+W@r8,p9-r9,p10-q10+S@l8,i9-l9,i10+L6@j6,i7-j7,g8-i8+O@l10-n10,l11-n11 "
    "green=I4@l6,k7-l7,k8+C5@z2-ab2,z3-aa3+Y@o1-p1,m2-p2+A6@v2,x2,v3-x3,w4+F@ac3,ab4-ad4,ac5-ad5+"
    "G@x6-aa6,x7-y7+V@o3,n4-o4,n5-o5,o6+X@n7-p7,n8-p8+W@x8,v9-x9,v10-w10+S@r6,r7-u7,u8+L6@r4,r5-v5+"
    "O@r2-t2,r3-t3 turn=blue players=2"
)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLUMNS = [*"abcdefghijklmnopqrstuvwxyz", *(f"a{letter}" for letter in "abcdefghi")]


def sit(
    new_user: NewUser, options: dict[str, str] | None = None, position: str = "", bots: int = 3, **look: Any
) -> PageUser:
    """At a table against simple bots, or alone before a figure."""
    ann = new_user(**look)
    ann.sit_with_bots("trigon", position, bots, options)
    return ann


def parts(name: str) -> tuple[str, int]:
    """The column and the row of a triangle such as `n16`."""
    match = re.fullmatch("([a-z]+)([0-9]+)", name)
    assert match, name
    return match[1], int(match[2])


def cell(name: str) -> str:
    column, row = parts(name)
    return f'[data-cell="{(row - 1) * 37 + COLUMNS.index(column)}"]'


def spot(page: Page, selector: str) -> Point:
    return middle(page.locator(selector).first)


def triangles(text: str) -> list[str]:
    """The names of the triangles of `n16-q16,q15`."""
    names = []
    for run in text.split(","):
        first, _, last = run.partition("-")
        column, row = parts(first)
        start, end = COLUMNS.index(column), COLUMNS.index(parts(last or first)[0])
        names += [f"{each}{row}" for each in COLUMNS[start : end + 1]]
    return names


def centre(page: Page, names: list[str]) -> Point:
    """The middle of some triangles on the screen."""
    page.locator(cell(names[0])).first.scroll_into_view_if_needed()
    x, y = page.evaluate(
        """cells => {
          const boxes = cells.map((cell) => document.querySelector(cell).getBoundingClientRect());
          const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
          return ["x", "y"].map((axis) =>
            mean(boxes.map((box) => box[axis] + box[axis === "x" ? "width" : "height"] / 2)));
        }""",
        [cell(name) for name in names],
    )
    return x, y


def piece(name: str) -> str:
    return f'.tray [data-piece="{name}"]'


def ghost(page: Page) -> tuple[str, str]:
    """How the ghost is drawn, and whether it may lie there."""
    held = page.locator("[data-ghost]")
    return attribute(held.locator(".edge"), "d"), attribute(held, "data-ghost")


def put(page: Page, place: str) -> None:
    """Take a piece, turn it until it lies on these triangles, and click."""
    name, _, text = place.partition("@")
    names = triangles(text)
    point = centre(page, names)
    page.locator(piece(name)).click()
    page.mouse.move(*point)
    wanted = f'{cell(names[0])}[aria-label^="{name} on {text}, place"]'
    for turn in range(12):
        if page.locator(wanted).count():
            break
        page.keyboard.press("f" if turn == 5 else "r")
    page.locator(wanted).wait_for(state="attached")
    page.mouse.click(*point)


# --- The piece in hand -------------------------------------------------------------------------


def test_a_piece_is_dragged_off_the_tray_goes_back_and_snaps_to_where_it_may_lie(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = sit(new_user, position=LONG)
    page = ann.page
    shown = ann.server_state()["state"]["view"]
    assert page.locator(".attach").count() == len(shown["attach_cells"]) > 0
    start, end = spot(page, piece("O")), spot(page, cell("w14"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - 300, start[1])
    page.mouse.move(start[0], start[1] + 40)
    page.mouse.up()  # beside the board: it goes back
    assert page.locator("[data-ghost]").count() == 0
    assert page.locator(".tray .held").count() == 0
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] - 40, start[1])
    page.mouse.move(*end)
    assert ghost(page)[1] == "legal"
    assert page.locator(".fitting").get_attribute("d")
    page.locator(".status-text", has_text="Triangles left to place").wait_for()
    save_screenshot(page, "trigon-drag-1440")
    before = ann.seq()
    page.mouse.up()
    ann.await_event(before)
    assert ann.await_turn()
    assert page.locator(piece("O")).is_disabled()


def test_wheel_keys_buttons_and_a_right_click_turn_it(new_user: NewUser) -> None:
    ann = sit(new_user, position=LONG)
    page = ann.page
    page.locator(piece("L5")).click()
    page.mouse.move(*spot(page, cell("r9")))  # far from every legal place: it is not drawn to one
    page.wait_for_selector('[data-ghost="illegal"]')
    page.locator(".status-text .wrong", has_text="(TR-3)").wait_for()
    first = ghost(page)[0]

    def changes(what: Callable[[], object]) -> None:
        before = ghost(page)[0]
        what()
        page.wait_for_function(
            "was => document.querySelector('[data-ghost] .edge').getAttribute('d') !== was", arg=before
        )

    changes(lambda: page.mouse.wheel(0, 100))
    changes(lambda: page.keyboard.press("Shift+R"))
    assert ghost(page)[0] == first
    changes(lambda: page.keyboard.press("f"))
    changes(lambda: page.mouse.click(*spot(page, cell("r9")), button="right"))
    assert ghost(page)[0] == first
    for name in ("Turn left", "Turn right", "Turn over"):
        changes(ann.button(name).click)
    page.keyboard.press("Escape")
    assert page.locator("[data-ghost]").count() == 0
    assert focused(page, "dataset.piece") == "L5"


def test_a_placement_that_was_refused_can_be_tried_again(new_user: NewUser) -> None:
    """The board took it for one that was still on its way, and did nothing."""
    ann = new_user(fresh=True)
    page = ann.page
    sent: list[str] = []

    def connect(near: WebSocketRoute) -> None:
        far = near.connect_to_server()

        def up(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "action":
                sent.append(message["action"])
            if message["type"] == "action" and len(sent) == 1:
                error = {"code": "rate_limited", "message": "wait"}
                near.send(json.dumps({"type": "error", "request_id": message["request_id"], "error": error}))
            else:
                far.send(text)

        near.on_message(up)
        far.on_message(near.send)

    page.route_web_socket("**/ws", connect)
    ann.sit_with_bots("trigon", LONG, 3)
    before = ann.seq()
    ann.game_helpers("trigon").move(page, ann.legal)
    page.get_by_text("That is too much at once").wait_for()
    page.locator(".tools .main").click()
    ann.await_event(before)
    assert sent[0] == sent[1]


def test_fingers_drag_turn_turn_over_and_place(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = sit(new_user, position=LONG, **PHONE)
    page, fingers = ann.page, Fingers(ann.page)
    start, (x, y) = spot(page, piece("L5")), spot(page, cell("r9"))
    fingers.touch("touchStart", start)
    fingers.touch("touchMove", (start[0], start[1] - 60))
    fingers.touch("touchMove", (x, y + 64))
    fingers.touch("touchEnd")
    page.wait_for_selector("[data-ghost]")
    page.locator(".status-text", has_text="(TR-3)").wait_for()
    first = ghost(page)[0]

    def differs() -> None:
        page.wait_for_function(
            "was => document.querySelector('[data-ghost] .edge').getAttribute('d') !== was", arg=first
        )

    fingers.touch("touchStart", (x - 40, y))
    fingers.touch("touchStart", (x - 40, y), (x + 40, y))
    fingers.touch("touchMove", (x - 36, y - 20), (x + 36, y + 20))
    differs()
    fingers.touch("touchMove", (x - 40, y), (x + 40, y))
    page.wait_for_function(
        "was => document.querySelector('[data-ghost] .edge').getAttribute('d') === was", arg=first
    )
    fingers.touch("touchEnd")
    fingers.touch("touchStart", (x - 30, y))
    fingers.touch("touchStart", (x - 30, y), (x + 30, y))
    fingers.touch("touchEnd")
    differs()
    save_screenshot(page, "trigon-hand-390")
    page.touchscreen.tap(*spot(page, cell("w14")))  # a tap elsewhere brings it to the nearest legal place
    page.wait_for_selector('[data-ghost="legal"]')
    before = ann.seq()
    page.locator(".tools .main").tap()
    ann.await_event(before)


def test_everything_can_be_done_by_key(new_user: NewUser) -> None:
    ann = sit(new_user, position=LONG)
    page = ann.page
    page.locator(piece("1")).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector('[data-ghost="legal"]')
    first = focused(page, "ariaLabel")
    assert re.match("I3 on .*, place [0-9]+ of [0-9]+", first)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("was => document.activeElement.ariaLabel !== was", arg=first)
    page.keyboard.press("r")
    page.keyboard.press("PageDown")
    before = ann.seq()
    page.keyboard.press("Enter")
    ann.await_event(before)


# --- Ways to play ------------------------------------------------------------------------------


def test_with_corners_only_there_are_fewer_attach_points_and_a_flat_touch_is_refused(
    new_user: NewUser,
) -> None:
    ann = sit(new_user, position=LONG)
    page = ann.page
    base = page.locator(".attach").count()
    ann.sit_with_bots("trigon", f"{LONG} contact=corners", bots=3)
    assert 0 < page.locator(".attach").count() < base
    seen = page.request.post(f"/api/v1/games/{ann.game_id}/preview", data={"action": "A4@r13-t13,s14"}).json()
    assert seen["error"]["clause"] == "TR-10"
    ann.move()
    assert ann.await_turn()


def test_the_form_offers_only_what_matters(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/new/trigon")
    ann.choose_players("4")
    assert page.get_by_text("Where pieces of a colour may touch").count() == 1
    assert page.get_by_text("The figure to be tiled").count() == 0
    assert page.locator("select#option-figure").count() == 0
    page.get_by_text("More settings").click()
    assert page.get_by_text("Two players or teams").count() == 0, "four, each alone"
    ann.choose_players("2")
    assert page.get_by_text("Two players or teams").count() == 1
    ann.choose_players("3")
    assert page.get_by_text("Two players or teams").count() == 0
    page.get_by_role("link", name="Solo").click()
    page.wait_for_selector("[data-figure]")
    assert page.get_by_text("Where pieces of a colour may touch").count() == 0
    save_screenshot(page, "new-trigon-solo-1440")


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_from_the_form_with_two_three_and_four(new_user: NewUser, players: str) -> None:
    ann = new_user()
    page = ann.page
    ann.game_key = "trigon"
    page.goto("#/new/trigon")
    ann.choose_players(players)
    page.get_by_text("Only where both have a corner").click()
    if players == "2":
        page.get_by_text("More settings").click()
        page.get_by_text("They start anywhere").click()
    page.locator("form button.main").click()
    page.wait_for_selector(TABLE)
    ann.skip_tutorial()
    for _ in range(2):
        assert ann.await_turn()
        ann.move()
    assert ann.await_turn()
    assert page.locator(".tab").count() == (3 if players == "3" else 4)
    options = ann.server_state()["state"]["options"]
    assert options["contact"] == "corners"
    assert (options.get("start") == "free") == (players == "2")


def test_on_a_phone_to_the_end_with_colours_that_are_skipped(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """A piece placed with one colour used to stay in hand for the other, if the computer answered quickly."""
    ann = sit(new_user, {"players": "2"}, LATE, bots=1, width=360, height=740, has_touch=True, is_mobile=True)
    page = ann.page
    skipped = False
    for number in range(60):
        if not ann.await_turn():
            break
        if number == 2:
            save_screenshot(page, "game-trigon-360")
        out = ann.server_state()["state"]["view"]["blocked"]
        skipped = skipped or bool(out)
        assert page.locator(".tab.gone").count() == len(out)
        ann.move()
    assert skipped
    ann.close_end()
    assert page.locator(OVER).count() == 1
    assert page.locator(".tab.gone").count() == 4
    assert page.locator(".tab.gone small").all_text_contents() == ["out"] * 4
    assert overflow(page) <= 0
    save_screenshot(page, "over-trigon-360")


def test_each_move_has_the_mark_of_its_colour(new_user: NewUser) -> None:
    """With two colours for each seat, the moves of red had the mark of blue in the list."""
    ann = new_user()
    page = ann.sit("trigon", seats=2, options={"players": "2"})
    for _ in range(4):
        assert ann.await_turn()
        ann.move()
    marks = page.locator(".moves li svg rect")
    await_count = "count => document.querySelectorAll('.moves li').length === count"
    page.wait_for_function(await_count, arg=4)
    assert [attribute(marks.nth(at), "fill") for at in range(4)] == [
        f"var(--{colour})" for colour in ("blue", "yellow", "red", "green")
    ]
    assert page.locator(".moves .number").all_inner_texts() == ["1.", "2.", "3.", "4."]


def test_the_last_moves_of_all_opponents_are_marked_and_told(new_user: NewUser) -> None:
    ann = sit(new_user, {"players": "4"}, bots=3)
    page = ann.page
    ann.move()
    assert ann.await_turn()
    turns = page.locator(".last-turns li")
    assert turns.count() == 3
    assert [text.split(":")[0] for text in turns.all_inner_texts()] == [
        f"Computer (Beginner, {colour})" for colour in played_after(ann)
    ]
    assert page.locator("path.last:not(.under)").count() == 3
    turns.first.hover()
    page.wait_for_function("() => document.querySelectorAll('path.last:not(.under)').length === 1")


def played_after(ann: PageUser) -> list[str]:
    """The colours after the user's own, in the order of play."""
    colours = ["blue", "yellow", "red", "green"]
    own = ann.server_state()["state"]["view"]["colours"][0][0]
    at = colours.index(own)
    return [*colours[at + 1 :], *colours[:at]]


# --- Figures -----------------------------------------------------------------------------------


def test_a_figure_is_chosen_by_its_picture_and_tiled_by_clicking(
    new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/new/trigon/solo")
    page.locator('[data-figure="little-rhombus"]').click()
    assert page.locator('[data-figure="little-rhombus"]').get_attribute("aria-pressed") == "true"
    page.locator("form button.main").click()
    page.wait_for_selector(".tray")
    places = library()["little-rhombus"].split()
    for place in places[:-1]:
        before = ann.seq()
        put(page, place)
        ann.await_event(before)
    save_screenshot(page, "trigon-figure-1440")
    before = ann.seq()
    first = triangles(places[0].partition("@")[2])
    page.locator(cell(first[0])).click()  # what lies can be lifted
    ann.await_event(before)
    before = ann.seq()
    page.mouse.click(*centre(page, first))
    ann.await_event(before)
    put(page, places[-1])
    page.locator(".solved").wait_for()
    save_screenshot(page, "trigon-solved-1440")
    end = page.locator("dialog.end")
    end.get_by_text(f"{len(places)} pieces, {len(places) + 2} moves.").wait_for()
    end.get_by_text(f"Par: {len(places)} moves.").wait_for()
    ann.close_end()
    ann.press("Gallery")
    page.get_by_role("button", name="Little rhombus, on the table now").locator(".tick").wait_for()
    page.keyboard.press("Escape")
    ann.press("Next figure")
    page.locator(".trigon", has_text="Little trapeze").wait_for()


def test_a_figure_of_ones_own_is_drawn_and_tiled(new_user: NewUser, save_screenshot: SaveScreenshot) -> None:
    ann = new_user()
    page = ann.page
    page.goto("#/new/trigon/solo")
    page.locator('[data-figure="own"]').click()
    page.mouse.move(*spot(page, cell("q10")))
    page.mouse.down()
    for name in ("r10", "s10", "t10"):
        page.mouse.move(*spot(page, cell(name)))
    page.mouse.up()
    page.locator(cell("u10")).click()
    page.locator(cell("u10")).click()
    page.locator("output", has_text="Triangles: 4").first.wait_for()
    page.locator(cell("p10")).focus()
    page.keyboard.press("Enter")
    page.locator("output", has_text="Triangles: 5").first.wait_for()
    page.locator("form button.main").click()
    page.locator(".error").wait_for()  # 22 pieces are too many for it
    page.locator(piece("1")).click()
    page.locator(piece("I4")).click()
    save_screenshot(page, "trigon-own-1440")
    page.locator("form button.main").click()
    page.wait_for_selector(TABLE)
    page.wait_for_selector(".tray")
    assert page.locator(".tray button").count() == 2
    put(page, "I4@q10-t10")
    page.locator(".title", has_text="Pieces left: 1").wait_for()
    put(page, "1@p10")
    page.locator(".solved").wait_for()


def test_axe_finds_nothing_serious_in_gallery_and_drawing_board(new_user: NewUser) -> None:
    page = new_user(width=360, height=740).page

    def check() -> None:
        for scheme in SCHEMES:
            colour(page, scheme)
            assert faults(page, same_elements=scheme == "dark") == [], scheme

    page.goto("#/new/trigon/solo")
    page.wait_for_selector("[data-figure='little-ring']")
    check()
    page.locator('[data-figure="own"]').click()
    page.wait_for_selector("[data-cell]")
    check()
