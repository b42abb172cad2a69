"""A real server, the built page, and Debian's Chromium. Everything is done as a visitor does it."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from bench._serve import Server
from playwright.sync_api import Browser, BrowserContext, Page, Route, sync_playwright

import tripot.server

ROOT = Path(__file__).parents[2]
SHOTS = ROOT / "build" / "screenshots"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BUILT = Path(tripot.server.__file__).parent / "page" / "index.html"
TABLE = ".game[data-seq]"
QUICK = {"TRIPOT_THINK": "0.02", "TRIPOT_ENGINE_SECONDS": "10000"}
PATIENCE = 30_000  # ms for whatever a page does by itself, on a machine that has other things to do


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not BUILT.is_file():
        pytest.skip("the page is not built: `make page` does it")
    made = Server(tmp_path_factory.mktemp("home"), **QUICK)
    yield made
    made.stop()


@pytest.fixture
def own_server(server: Server, tmp_path: Path) -> Iterator[Server]:
    """One that a test may stop."""
    made = Server(tmp_path, **QUICK)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: `apt-get install chromium`")
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """A visitor of their own, with an empty page. Whatever a page complains of fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def enter(width: int = 1440, height: int = 900, **more: Any) -> Page:
        more = {"reduced_motion": "reduce", "locale": "en-GB", "base_url": f"{server.url}/"} | more
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda said: "Content Security Policy" in said.text and complaints.append(said.text)
        )
        return page

    yield enter
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Keep a picture of a page in build/screenshots."""

    def take(page: Page, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


class Visitor:
    """What somebody does on a page, by clicking."""

    THINKING = 300_000  # ms for an engine, which may have to be compiled first, on a slow machine

    def __init__(self, page: Page, kind: str = "") -> None:
        self.page, self.kind = page, kind

    def open(self, kind: str, mode: str = "computer", *, calm: bool = False, **options: str) -> None:
        """Open a game from its form."""
        self.kind = kind
        self.page.goto(f"#/new/{kind}/{mode}")
        if "players" in options:
            self.choose_players(options["players"])
        self.start(calm=calm)
        self.no_tour()

    def start(self, *, calm: bool = False) -> None:
        """Send the form off.

        Chance deals, and the computer plays as it likes: that may end a game, or pass somebody over, sooner
        than a test expects. A calm game begins where it cannot: with the position that `clicks.py` has.
        """
        position = self.clicks().get("CALM", "") if calm else ""

        def deal(route: Route) -> None:
            asked = route.request
            if position and asked.method == "POST":
                route.continue_(post_data=asked.post_data_json | {"position": position})
            else:
                route.continue_()

        self.page.route("**/api/games?*", deal)
        self.page.locator("form button.main").click()
        self.page.wait_for_selector(TABLE)
        self.page.unroute("**/api/games?*", deal)

    def invite(self, guest: Visitor, kind: str) -> None:
        """Open a calm game with a free seat; somebody else follows the link, and takes it.

        For a moment the guest's page may only watch the game that has begun: nothing is taken back there.
        """
        self.open(kind, "invite", calm=True)
        guest.kind = kind
        guest.page.goto(self.page.get_by_label("Invitation link").input_value())
        guest.page.get_by_label("Your name", exact=True).fill("Ben")
        guest.page.get_by_role("button", name="Take a seat", exact=True).click()
        for each in (self, guest):
            each.page.wait_for_selector('.game[data-status="live"]')
            each.page.get_by_role("button", name="Take back", exact=True).wait_for()
            each.no_tour()

    def mover(self, *others: Visitor) -> Visitor:
        """Whoever is to move by what the server says, once their page says so too."""
        seat = self.told()["state"]["to_act"]
        found = next(each for each in (self, *others) if each.told()["state"]["viewer"] == seat)
        assert found.await_turn()
        return found

    def open_by_api(self, **body: Any) -> None:
        """Open a game that no form could describe so shortly, and go there.

        Only after the page has got its cookie: two requests of a newcomer would be two people.
        """
        self.kind = body["game"]
        with self.page.expect_response(lambda answer: "/api/me" in answer.url):
            self.page.goto("#/")
        made = self.page.request.post("/api/games", data=body)
        assert made.ok, made.text()
        self.page.goto(f"#/g/{made.json()['state']['id']}")
        self.page.wait_for_selector(TABLE)

    def choose_players(self, number: str) -> None:
        """In the form; levels have numbers too."""
        self.page.locator('label.step:has(input[name="players"])', has_text=number).click()

    def no_tour(self) -> None:
        """Somebody who knows the game already."""
        self.page.wait_for_selector(".board-box svg")
        skip = self.page.get_by_role("button", name="Not now", exact=True)
        if skip.count():
            skip.click()
        self.page.mouse.move(0, 0)

    def await_turn(self) -> bool:
        """Wait until it is the visitor's turn; False if the game ends first."""
        either = '.game[data-active="true"], .game[data-status="over"]'
        self.page.wait_for_selector(either, timeout=self.THINKING)
        return self.page.locator(TABLE).get_attribute("data-status") != "over"

    def press_until(self, key: str, selector: str, most: int = 80) -> None:
        """Press a key until the focus is where it should be."""
        for _ in range(most):
            if self.page.evaluate("selector => document.activeElement?.matches(selector)", selector):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{selector} cannot be reached by {key}")

    def hold_hints(self) -> list[Route]:
        """Hints that are asked for from now on do not go out until a test lets them: these."""
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        self.page.route("**/hint?*", hold)
        return held

    def seq(self) -> int:
        return int(self.page.locator(TABLE).get_attribute("data-seq") or 0)

    def await_event(self, after: int) -> None:
        """Wait until something has happened since."""
        self.page.wait_for_function(
            "after => Number(document.querySelector('.game[data-seq]').dataset.seq) > after", arg=after
        )

    def legal(self) -> list[str]:
        """What the server says may be played now: the test asks it what to click."""
        found: list[str] = self.told()["state"]["view"]["legal"]
        return found

    def told(self) -> dict[str, Any]:
        """What the server tells the visitor about the game: its state and its log."""
        game = self.page.url.rpartition("/")[2]
        told: dict[str, Any] = self.page.request.get(f"/api/games/{game}").json()
        return told

    def clicks(self) -> dict[str, Any]:
        """What the tests know of the game: `clicks.py` in its folder."""
        return runpy.run_path(str(Path(__file__).parent / self.kind / "clicks.py"))

    def move(self) -> None:
        """Any legal move, by clicking on the board: `clicks.py` says how."""
        before = self.seq()
        self.clicks()["move"](self.page, self.legal())
        self.await_event(before)


@pytest.fixture
def visitor(visit: Callable[..., Page]) -> Callable[..., Visitor]:
    return lambda *args, **more: Visitor(visit(*args, **more))
