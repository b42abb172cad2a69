"""A real server, the built page, and Debian's Chromium. Everything is done as a user does it.

The server is seeded and its engines count simulations: the nth game of a new user is dealt the same in
every run, and bots answer the same moves in the same way.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from bench._server_process import Server
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, StorageState, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from tests.e2e.page_user import EMPTY, PATIENCE, ROOT, NewUser, PageUser, SaveScreenshot
from tests.shared_server import RunningServer, shared_by_workers

import tripot.server

SHOTS = ROOT / "build" / "screenshots"
# Debian's headless shell is the same engine without the windows of a desktop browser, and takes less than
# half of the processor time. Playwright prefers it for its own builds too.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
SCREENSHOTS = bool(os.environ.get("TRIPOT_SCREENSHOTS"))
# Without memory for its tiles, Chromium lays the page out and delivers frames, but draws no pixels. Nobody
# looks at them unless screenshots are kept, and drawing them took a third of the processor time.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--mute-audio",
    *(() if SCREENSHOTS else ("--force-gpu-mem-available-mb=0",)),
)
BUILT = Path(tripot.server.__file__).parent / "page" / "index.html"
REPRODUCIBLE = {
    "TRIPOT_SEED": "seed b",  # one with which whole games are short
    "TRIPOT_BOT_SIMULATIONS": "20",
    "TRIPOT_BOT_SECONDS": "3600",  # never reached before the simulations
    "TRIPOT_ANALYSIS_SECONDS": "1000000",
    "TRIPOT_SHORTEST_CLOCK": "1",
}
# A form draws lots for the user's seat, and dice are seen to roll: always the same way here. It is the
# last seat, so that the computer begins in games from a form; in games opened by the API the user does.
NO_CHANCE = "Math.random = () => 0.99;"


@contextmanager
def running_server(home: Path) -> Iterator[Server]:
    made = Server(home, **REPRODUCIBLE)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    if not BUILT.is_file():
        pytest.skip("the page is not built: `make page` does it")
    with shared_by_workers(tmp_path_factory, "page", running_server) as running:
        yield running


@pytest.fixture
def restartable_server(server: RunningServer, tmp_path: Path) -> Iterator[Server]:
    """One that a test may stop."""
    with running_server(tmp_path) as made:
        yield made


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: `apt-get install chromium`")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@dataclass(frozen=True)
class Device:
    """What a browser context is made for, and cannot change later."""

    url: str
    locale: str
    touch: bool
    mobile: bool


class Devices:
    """Browser contexts, each with a tab, that one user after another uses.

    In a new context the page takes three times as long to load: there is no process for it yet, and nothing
    in its cache. So they are used again, with nothing left in them but that.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.free: defaultdict[Device, list[Page]] = defaultdict(list)
        self.taken: list[tuple[Device, Page]] = []
        self.complaints: list[str] = []

    def take(self, device: Device, state: StorageState | None, *, fresh: bool) -> Page:
        """A tab of a context that is reserved until `give_back`; `state` is the storage of another one."""
        is_free = self.free[device] and state is None and not fresh
        page = self.free[device].pop() if is_free else self._made(device, state).new_page()
        self.taken.append((device, page))
        return page

    def _made(self, device: Device, state: StorageState | None) -> BrowserContext:
        context = self.browser.new_context(
            base_url=f"{device.url}/",
            locale=device.locale,
            has_touch=device.touch,
            is_mobile=device.mobile,
            storage_state=state,
        )
        context.set_default_timeout(PATIENCE)
        context.add_init_script(NO_CHANCE)
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("console", self._hear)
        return context

    def _hear(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.complaints.append(message.text)

    def give_back(self, *, reusable: bool) -> list[str]:
        """Clear all that are taken, or close them; returns what their pages complained of."""
        taken, self.taken = self.taken, []
        for _, page in taken:
            with suppress(PlaywrightError):  # a tab that was closed or has crashed
                page.evaluate("0")  # errors that are still on their way arrive before the answer
        complaints = [*self.complaints]
        for device, page in taken:
            if reusable and self._is_cleared(device, page):
                self.free[device].append(page)
            else:
                page.context.close()
        self.complaints.clear()  # that a request was cut off by leaving is nothing to complain of
        return complaints

    def _is_cleared(self, device: Device, page: Page) -> bool:
        """Clear a page; False if that fails (a closed or crashed tab): the next test must not get it."""
        try:
            self._clear(device, page)
        except PlaywrightError:
            return False
        return True

    def _clear(self, device: Device, page: Page) -> None:
        """Leave nothing of a user but the cache."""
        context = page.context
        for other in context.pages:
            if other is not page:
                other.close()
        context.set_offline(False)
        context.clear_permissions()
        page.unroute_all()
        page.goto(EMPTY)
        page.evaluate("() => { sessionStorage.clear(); localStorage.clear(); }")
        context.clear_cookies()


@pytest.fixture(scope="session")
def devices(browser: Browser) -> Devices:
    return Devices(browser)


@pytest.fixture
def open_page(devices: Devices, server: RunningServer) -> Iterator[Callable[..., Page]]:
    """A new user, with an empty page. Anything a page complains of fails the test."""
    reusable = True

    def enter(
        width: int = 1440,
        height: int = 900,
        *,
        locale: str = "en-GB",
        has_touch: bool = False,
        is_mobile: bool = False,
        base_url: str = server.url,
        color_scheme: Literal["light", "dark"] = "light",
        reduced_motion: Literal["reduce", "no-preference"] = "reduce",
        storage_state: StorageState | None = None,
        fresh: bool = False,
    ) -> Page:
        """A fresh tab is for tests that need an empty cache, or that change what cannot be changed back."""
        nonlocal reusable
        reusable = reusable and not fresh
        page = devices.take(Device(base_url, locale, has_touch, is_mobile), storage_state, fresh=fresh)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        return page

    yield enter
    assert devices.give_back(reusable=reusable) == []


@pytest.fixture
def save_screenshot() -> SaveScreenshot:
    """Keep a picture of a page in build/screenshots, for people to look at, if TRIPOT_SCREENSHOTS is set."""

    def take(page: Page, name: str) -> None:
        if not SCREENSHOTS:
            return
        SHOTS.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


@pytest.fixture
def new_user(open_page: Callable[..., Page]) -> NewUser:
    return lambda *args, **more: PageUser(open_page(*args, **more))
