"""What a user does on the page, by clicking, and what the tests look at there.

Nothing here waits for time: every wait is for a state of the page, and its timeout is only the point at
which a test gives up.
"""

from __future__ import annotations

import importlib
import importlib.resources
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeAlias

from playwright.sync_api import FloatRect, Locator, Page, Route

import tripot

AXE = importlib.resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
TABLE = ".game[data-seq]"
OVER = '.game[data-status="over"]'
BOARD = ".board-box svg"
COVER = ".pass-device"  # over the board of a shared screen, until the next player has the device
# An address of the server without the page. Between two games a tab waits here and not at about:blank: that
# would be another site, for which Chromium starts another process, where all scripts are compiled again.
EMPTY = "healthz"
PATIENCE = 60_000  # ms after which a test gives up, on a machine that has other things to do
THINKING = 300_000  # ms, the same for an engine, whose kernels may have to be compiled first
ROOT = Path(__file__).parents[2]
LEVEL = 1  # of the bots, where a test does not choose one
Point: TypeAlias = tuple[float, float]
Json: TypeAlias = dict[str, Any]


class PageUser:
    """A user of the site: one page and the game that is open in it."""

    def __init__(self, page: Page, game_key: str = "") -> None:
        self.page, self.game_key = page, game_key

    # -- games --

    def open(
        self, game_key: str, mode: str = "computer", *, quiet: bool = False, tutorial: bool = False
    ) -> None:
        """Open a game with the defaults of its form, in the first seat, and go there.

        A quiet game begins with the position in `game_helpers.py`: no seat is passed over there, and the
        game does not end within a few moves.
        """
        game = tripot.get_game(game_key)
        players = max(2, game.Options().players)
        others: dict[str, Json] = {
            "computer": {"kind": "bot", "level": LEVEL},
            "screen": {"kind": "me"},
            "invite": {"kind": "open"},
        }
        self.open_by_api(
            game_key=game_key,
            options={"players": str(players)},
            seats=[{"kind": "me"}, *[others[mode]] * (players - 1)],
            position=getattr(self.game_helpers(game_key), "QUIET_POSITION", "") if quiet else "",
            tutorial=tutorial,
        )

    def open_after_moves(self, game_key: str, moves: int) -> None:
        """Open a quiet game against the computer, and play some moves, until the user is to move again."""
        self.open(game_key, quiet=True)
        for _ in range(moves):
            assert self.await_turn()
            self.move()
        assert self.await_turn()

    def open_by_api(self, *, tutorial: bool = False, **body: Any) -> None:
        """Open a game as the form does, and go there; without first steps unless they are asked for."""
        self.game_key = body["game_key"]
        if not self.page.url.endswith(EMPTY):  # a game that is still there would be taken for the new one
            self.page.goto(EMPTY)
        if not tutorial:  # the user knows the game already
            self.page.evaluate(
                "key => localStorage.setItem(`tripot.seen.tutorial.${key}`, 'yes')", self.game_key
            )
        # The first answer brings the cookie: without it the page would be another user.
        assert self.page.request.get("/api/v1/me").ok
        made = self.page.request.post("/api/v1/games", data=body)
        assert made.ok, made.text()
        self.page.goto(f"#/g/{made.json()['state']['game_id']}")
        self.see(TABLE if body["seats"].count({"kind": "open"}) else f"{BOARD}, {COVER}")
        self.page.mouse.move(0, 0)

    def open_from_home(self, game_key: str) -> None:
        """Start a game against the computer with one click on the home screen."""
        self.game_key = game_key
        self.page.goto("#/")
        self.button(f"Play the computer {tripot.get_game(game_key).title}").click()
        self.see(TABLE)
        self.skip_tutorial()

    def open_by_form(self, game_key: str, mode: str = "computer") -> None:
        """Open a game from its set-up, as it is proposed there."""
        self.game_key = game_key
        self.page.goto(f"#/new/{game_key}/{mode}")
        self.send_form()
        self.skip_tutorial()

    def send_form(self) -> None:
        """Send the set-up off; the last seat falls to the user (see `conftest.NO_CHANCE`)."""
        self.page.locator("form button.main").click()
        self.see(TABLE)

    def choose_players(self, number: str) -> None:
        """In the form; levels have numbers too."""
        self.page.locator('label.step:has(input[name="players"])', has_text=number).click()

    def sit(
        self, game_key: str, position: str = "", seats: int = 2, options: Mapping[str, str] | None = None
    ) -> Page:
        """At a game on one screen, from a position or with options, with the first move to make."""
        self.open_by_api(
            game_key=game_key, options=options or {}, seats=[{"kind": "me"}] * seats, position=position
        )
        assert self.await_turn()
        return self.page

    def sit_with_bots(
        self, game_key: str, position: str = "", bots: int = 1, options: Mapping[str, str] | None = None
    ) -> Page:
        """At a game against simple bots, from a position or with options, with a move to make."""
        seats = [{"kind": "me"}, *[{"kind": "bot", "level": LEVEL}] * bots]
        self.open_by_api(game_key=game_key, options=options or {}, seats=seats, position=position)
        assert self.await_turn()
        return self.page

    def invite(self, guest: PageUser, game_key: str) -> None:
        """Open a quiet game with a free seat; the guest follows the link, and takes it.

        For a moment the guest's page may only watch the game that has begun: nothing is taken back there.
        """
        self.open(game_key, "invite", quiet=True, tutorial=True)
        guest.game_key = game_key
        guest.page.goto(self.page.get_by_label("Invitation link").input_value())
        guest.page.get_by_label("Your name", exact=True).fill("Ben")
        guest.press("Take a seat")
        for user in (self, guest):
            user.page.wait_for_selector('.game[data-status="live"]')
            user.button("Take back").wait_for()
            user.skip_tutorial()

    def mover(self, *others: PageUser) -> PageUser:
        """The user who is to move by what the server says, once their page says so too."""
        seat = self.server_state()["state"]["to_act"]
        user = next(each for each in (self, *others) if each.server_state()["state"]["viewer"] == seat)
        assert user.await_turn()
        return user

    def another_tab(self) -> PageUser:
        """The same user at the same game in another tab."""
        other = PageUser(self.page.context.new_page(), self.game_key)
        other.page.goto(self.page.url)
        assert other.await_turn()
        return other

    def skip_tutorial(self) -> None:
        """Leave the first steps, if they are shown: the user knows the game already."""
        self.see(f"{BOARD}, {COVER}")
        skip = self.button("Not now")
        if skip.count():
            skip.click()
        self.page.mouse.move(0, 0)

    # -- moves --

    def await_turn(self) -> bool:
        """Wait until it is the user's turn; False if the game ends first.

        Where the board of a shared screen is covered, the user takes the device.
        """
        find_turn = """() => {
          const { active, status } = document.querySelector(".game[data-seq]")?.dataset ?? {};
          if (document.querySelector(".pass-device")) return "covered";
          return status === "over" ? "over" : active === "true" && "mine";
        }"""
        while (turn := await_change(self.page, find_turn, timeout=THINKING)) == "covered":
            self.page.evaluate("selector => document.querySelector(selector)?.click()", f"{COVER} .main")
            self.page.locator(COVER).wait_for(state="detached")
        return bool(turn == "mine")

    def turns(self) -> Iterator[int]:
        """Number the turns of the user until the game ends; the test makes one move in each."""
        for number in count():
            if not self.await_turn():
                return
            before = self.seq()
            yield number
            self.await_event(before)

    def see(self, selector: str) -> None:
        """Wait until an element is seen, looking at every frame.

        `wait_for_selector` looks after 20, 50, 100, 100 ms, and then every half a second.
        """
        await_frame(self.page, "(what) => document.querySelector(what)?.checkVisibility()", selector)

    def move(self) -> None:
        """Any legal move, by clicking on the board: `game_helpers.py` says how."""
        before = self.seq()
        self.game_helpers(self.game_key).move(self.page, self.legal)
        self.await_event(before)

    def seq(self) -> int:
        """How many events of the game the page knows."""
        seq: str = self.page.evaluate("() => document.querySelector('.game[data-seq]').dataset.seq")
        return int(seq)

    def await_event(self, after: int) -> None:
        """Wait until something has happened since."""
        await_change(
            self.page,
            "(after) => Number(document.querySelector('.game[data-seq]')?.dataset.seq) > after",
            after,
        )

    def legal(self) -> list[str]:
        """What the server says may be played now: the test asks it what to click."""
        actions: list[str] = self.server_state()["state"]["view"]["legal"]
        return actions

    @property
    def game_id(self) -> str:
        """The id of the game, from the address."""
        return self.page.url.rpartition("/")[2]

    def server_state(self) -> Json:
        """What the server tells the user about the game: its state and its log."""
        answer: Json = self.page.request.get(f"/api/v1/games/{self.game_id}").json()
        return answer

    @staticmethod
    def game_helpers(game_key: str) -> Any:
        """What the tests know of a game: the module `game_helpers` in its folder."""
        return importlib.import_module(f"tests.e2e.{game_key}.game_helpers")

    # -- buttons and keys --

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        """Click on a button with this name."""
        self.button(name).click()

    def press_more(self, name: str) -> None:
        """Click on a button behind More."""
        self.press("More")
        self.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()

    def resign(self) -> None:
        self.press_more("Resign")
        self.page.get_by_role("dialog").get_by_role("button", name="Resign", exact=True).click()
        self.page.wait_for_selector(OVER)
        self.close_end()

    def close_end(self) -> None:
        """Close the panel with the result."""
        self.see("dialog.end")
        self.page.keyboard.press("Escape")
        self.page.wait_for_selector("dialog.end", state="detached")

    def analyse(self, button: str = "Analyse") -> None:
        """Ask for the analysis after the end, and wait until it is complete."""
        self.press(button)
        self.page.locator('.review[data-progress="complete"]').wait_for(timeout=THINKING)

    def press_until(self, key: str, selector: str, most: int = 80) -> None:
        """Press a key until the focus is where it should be."""
        for _ in range(most):
            if self.page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{selector} cannot be reached by {key}")

    def walk(self, kind: str, name: str, *, up: Literal[1, -1]) -> None:
        """Go from the cell that has the focus to another one, such as c4, with the arrow keys.

        `data-<kind>` is the name of a cell on the page, and `up` how its number changes with ArrowUp.
        """
        here = focused(self.page, f"dataset.{kind}")
        across, rows_up = ord(name[0]) - ord(here[0]), up * (int(name[1:]) - int(here[1:]))
        for _ in range(abs(across)):
            self.page.keyboard.press("ArrowRight" if across > 0 else "ArrowLeft")
        for _ in range(abs(rows_up)):
            self.page.keyboard.press("ArrowUp" if rows_up > 0 else "ArrowDown")
        assert focused(self.page, f"dataset.{kind}") == name

    def hold_hint_requests(self) -> list[Route]:
        """Hold the hint requests of the next document, and return their routes; the test releases them.

        To be called before the page is opened or loaded again. In a document that was there before, Chromium
        may send a request past a route that was added a moment ago, and Playwright does not report it.
        """
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        self.page.route("**/hint?*", hold)
        return held


NewUser: TypeAlias = Callable[..., PageUser]
"""The fixture `new_user`: width and height, then what `conftest.open_page` takes."""
SaveScreenshot: TypeAlias = Callable[[Page, str], None]
"""The fixture `save_screenshot`."""


# --- What is on a page -------------------------------------------------------------------------


def attribute(element: Locator, name: str) -> str:
    """An attribute that has to be there."""
    text = element.get_attribute(name)
    assert text is not None, f"there is no {name}"
    return text


def label(element: Locator) -> str:
    """What a screen reader says of an element."""
    return attribute(element, "aria-label")


def box(element: Locator) -> FloatRect:
    """Where an element is on the screen, which it has to be."""
    area = element.bounding_box()
    assert area is not None, f"{element} cannot be seen"
    return area


def middle(element: Locator) -> Point:
    """The middle of an element on the screen, brought into view."""
    element.scroll_into_view_if_needed()
    area = box(element)
    return area["x"] + area["width"] / 2, area["y"] + area["height"] / 2


AWAIT_FRAME = """async ([arg, timeout]) => {
  const condition = %s;
  const end = performance.now() + timeout;
  for (;;) {
    const met = condition(arg);
    if (met) return met;
    if (performance.now() > end) throw new Error(`not in ${timeout} ms: ${condition}`);
    await new Promise(requestAnimationFrame);
  }
}"""
AWAIT_CHANGE = """([arg, timeout]) => new Promise((resolve, reject) => {
  const condition = %s;
  const observer = new MutationObserver(look);
  const timer = setTimeout(() => end(() => reject(new Error(`not in ${timeout} ms: ${condition}`))), timeout);
  observer.observe(document, { attributes: true, childList: true, subtree: true });
  look();
  function look() {
    const met = condition(arg);
    if (met) end(() => requestAnimationFrame(() => resolve(met)));
  }
  function end(how) {
    observer.disconnect();
    clearTimeout(timer);
    how();
  }
})"""


def await_frame(page: Page, condition: str, arg: Any = None, timeout: float = PATIENCE) -> Any:
    """Wait until a JavaScript function returns something true, and return that; it is called in every frame.

    `Page.wait_for_function` does the same, also in the next document. It takes several messages to the
    browser, and a script of 300 kB that is compiled once for each document.
    """
    return page.evaluate(AWAIT_FRAME % condition, [arg, timeout])


def await_change(page: Page, condition: str, arg: Any = None, timeout: float = PATIENCE) -> Any:
    """The same for a condition that depends on elements and attributes alone: it is called when they change.

    The page draws no frames while it waits for the server. The answer comes in the frame after the change.
    """
    return page.evaluate(AWAIT_CHANGE % condition, [arg, timeout])


def click(page: Page, selector: str, *, last: bool = False) -> None:
    """Click on the first or last element, once it can be: seen, enabled, and covered by nothing else.

    On a phone a finger taps on it.
    `Locator.click` also waits for two frames to see whether the element moves. This is for the many clicks of
    whole games, in which nothing moves.
    """
    x, y, is_phone = await_frame(
        page,
        """([selector, last]) => {
          const found = [...document.querySelectorAll(selector)].at(last ? -1 : 0);
          if (!found || found.disabled) return null;
          found.scrollIntoView({ block: "nearest", inline: "nearest" });
          const { x, y, width, height } = found.getBoundingClientRect();
          const middle = [x + width / 2, y + height / 2];
          const isPhone = matchMedia("(hover: none)").matches;
          return found.contains(document.elementFromPoint(...middle)) ? [...middle, isPhone] : null;
        }""",
        [selector, last],
    )
    if is_phone:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the window."""
    number: int = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return number


OVERLAP = """([one, two]) => {
  const [a, b] = [one, two].map((each) => document.querySelector(each).getBoundingClientRect());
  if (!a.width || !b.width) throw new Error(`${one} or ${two} is not to be seen`);
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def overlap(page: Page, one: str, two: str) -> bool:
    """Whether two elements cover each other on the screen, both measured in one moment."""
    overlaps: bool = page.evaluate(OVERLAP, [one, two])
    return overlaps


def margin(page: Page, selector: str) -> float:
    """How far an element stays away from the edge of the window."""
    value: float = page.evaluate(
        """selector => {
          const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
          return Math.min(left, top, innerWidth - right, innerHeight - bottom);
        }""",
        selector,
    )
    return value


def await_apart(page: Page, one: str, two: str) -> None:
    """Wait until two elements do not cover each other; some measure themselves, and move one frame later."""
    page.wait_for_function(f"elements => !({OVERLAP})(elements)", arg=[one, two])


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until the page has it and has measured its parts."""
    if page.viewport_size == {"width": width, "height": height}:
        return
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("([x, y]) => innerWidth === x && innerHeight === y", arg=[width, height])
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def colour(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Let the system prefer a colour scheme, and wait until the page follows."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("scheme => document.documentElement.dataset.theme === scheme", arg=scheme)


def focused(page: Page, property_name: str) -> str:
    """A property of the element that has the focus, such as `dataset.square`; empty if it has none."""
    text: str = page.evaluate(
        "path => path.split('.').reduce((each, name) => each?.[name], document.activeElement) ?? ''",
        property_name,
    )
    return text


FAULTS = """async ([inside, sameElements]) => {
  const grave = ["serious", "critical"];
  const options = { resultTypes: ["violations"], preload: false };
  if (sameElements) {
    options.runOnly = ["color-contrast", "link-in-text-block", "scrollable-region-focusable",
      "button-name", "link-name", "label"];
  } else {
    const minor = axe._audit.rules.filter(({ impact }) => impact && !grave.includes(impact));
    options.rules = Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }]));
  }
  const removed = [];
  const keep = (parent, ...nodes) => {
    removed.unshift([parent, [...parent.childNodes]]);
    parent.replaceChildren(...nodes);
  };
  const isElsewhere = (drawing) => inside !== "html" && !drawing.closest(inside);
  const isImage = (drawing) => drawing.closest("[inert]") ||
    (drawing.closest("[aria-hidden='true'], [role='img']") && !drawing.querySelector("[tabindex], a"));
  for (const each of document.querySelectorAll("svg, svg [aria-hidden='true']"))
    if (isElsewhere(each) || isImage(each)) keep(each);
  const cells = [...document.querySelectorAll("svg [tabindex]")];
  const matters = /^(role|tabindex|aria-(?!label))/;
  const kind = (cell) => cell.getAttributeNames().sort()
    .map((name) => [name, matters.test(name) ? cell.getAttribute(name) : cell.getAttribute(name) !== ""])
    .join();
  for (const row of new Set(cells.map((each) => each.parentNode))) {
    const kinds = new Set();
    const isFirst = (each) => !kinds.has(kind(each)) && kinds.add(kind(each));
    keep(row, ...[...row.childNodes].filter((each) => !cells.includes(each) || isFirst(each)));
  }
  for (const each of cells)
    if (each.children.length > 1) keep(each, each.children[0]);
  try {
    const { violations } = await axe.run(inside === "html" ? document : inside, options);
    return violations
      .filter((each) => grave.includes(each.impact))
      .flatMap(({ id, nodes }) => nodes.slice(0, 4).map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  } finally {
    for (const [parent, nodes] of removed) parent.replaceChildren(...nodes);
  }
}"""


def faults(page: Page, inside: str = "html", *, same_elements: bool = False) -> list[str]:
    """What axe finds serious on the page as it is now, in short.

    Rules that can only find something minor are left out, and so are style sheets and media loaded for them:
    this saves a third of the time. If the elements are the same as at the last look, in another size or
    colour scheme, only the rules that depend on these are run.

    Meanwhile drawings that are images or decoration are empty, as they are for a screen reader, unless
    something in them can have the focus; so are all outside of what is looked at. A row of a board has one
    cell of those with the same attributes, and a cell only the first shape in it. Of these thousands of
    elements axe has nothing to say, but it measures each of them.
    """
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    violations: list[str] = page.evaluate(FAULTS, [inside, same_elements])
    return violations


class Fingers:
    """Touch events, sent through the DevTools protocol.

    A gesture begins now, and each of its events comes a moment after the one before, however long it takes to
    send them: the page measures how long a touch lasts.
    """

    MOMENT = 0.01  # seconds

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)
        self._time: float | None = None  # of the last event; None if no finger is on the glass

    def touch(self, kind: str, *points: Point) -> None:
        """A touch event with all fingers that are on the glass then."""
        self._time = time.time() if self._time is None else self._time + self.MOMENT
        touch_points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        event = {"type": kind, "touchPoints": touch_points, "timestamp": self._time}
        self.session.send("Input.dispatchTouchEvent", event)
        if not points:
            self._time = None
