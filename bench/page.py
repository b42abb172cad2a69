"""Interaction to next paint on the page, in a browser whose processor is four times slower.

For each game a position in the middle of a game and one near its end are opened, and a user takes a piece,
token or tile, carries it over the board, turns it by keys, puts it back, and makes a move. The figure is the
longest time from an event of an interaction to the next frame, by the Event Timing API of the browser.
"""

from __future__ import annotations

import importlib
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, sync_playwright

import tripot
from bench import Report
from bench._server_process import Server
from tripot.game import CHANCE, State

SLOWER = 4  # times
TARGET = 100  # ms
PLACES = {"middle": 0.45, "end": 0.8}  # of the actions of a random game
SIZES = ((1366, 768), (390, 844))
MOVES = 3
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
OBSERVE = """() => {
  window.interactions = [];
  const observer = new PerformanceObserver((list) => {
    for (const { name, duration, interactionId, processingEnd, startTime } of list.getEntries())
      if (interactionId) window.interactions.push([name, duration, processingEnd - startTime]);
  });
  observer.observe({ type: "event", durationThreshold: 16, buffered: false });
  observer.observe({ type: "first-input", buffered: false }); // however short it is
}"""
AFTER_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def run(report: Report) -> None:
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        report.table.add_row("page: no Chromium, skipped")
        return
    cases = [(game.key, place, size) for game in tripot.list_games() for place in PLACES for size in SIZES]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        chromium = playwright.chromium.launch(executable_path=browser, args=FLAGS)
        try:
            for kind, place, (width, height) in report.each(cases, "interactions on the page"):
                page = chromium.new_page(
                    base_url=f"{server.url}/",
                    viewport={"width": width, "height": height},
                    reduced_motion="reduce",
                )
                name, longest = measure(page, kind, PLACES[place])
                page.context.close()
                report.add_target(
                    f"{kind}, {place} of a game, {width}×{height}",
                    f"{longest:.0f} ms ({name})",
                    f"≤ {TARGET} ms",
                    longest <= TARGET,
                )
        finally:
            chromium.close()
            server.stop()


def position(kind: str, share: float) -> State[Any]:
    """A position after a share of the actions of a random game, with a seat to act."""
    states = [tripot.get_game(kind).initial_state()]
    rng = Random(1)
    while states[-1].to_act is not None:
        state = states[-1]
        action = state.sample_chance(rng) if state.to_act is CHANCE else rng.choice(state.legal_actions())
        states.append(state.apply(action))
    at = int(share * len(states))
    return next(state for state in states[at:] if isinstance(state.to_act, int))


def measure(page: Page, kind: str, share: float) -> tuple[str, float]:
    """The slowest interaction and its milliseconds."""
    state = position(kind, share)
    page.goto("healthz")
    page.evaluate("kind => localStorage.setItem(`tripot.seen.tutorial.${kind}`, 'yes')", kind)
    page.request.get("/api/v1/me")
    made = page.request.post(
        "/api/v1/games",
        data={
            "game_key": kind,
            "options": {},
            "seats": [{"kind": "me"}] * len(state.teams),
            "position": str(state.to_text()),
        },
    )
    assert made.ok, made.text()
    game_id = made.json()["state"]["game_id"]
    page.goto(f"#/g/{game_id}")
    page.locator('.game[data-active="true"] .board-part svg, .pass-device').first.wait_for()
    take_device(page)
    page.locator('.game[data-active="true"] .board-part svg').first.wait_for()

    def legal() -> list[str]:
        texts: list[str] = page.request.get(f"/api/v1/games/{game_id}").json()["state"]["view"]["legal"]
        return texts

    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(OBSERVE)
    first = seq(page)
    helpers = importlib.import_module(f"tests.e2e.{kind}.game_helpers")
    for _ in range(MOVES):
        handle(page)
        if not move(page, helpers.move, legal):
            break
    assert seq(page) != first, f"the user could not move in {state.to_text()}"
    page.evaluate(AFTER_FRAMES)
    page.wait_for_timeout(300)  # the observer reports when the browser is idle
    seen: list[tuple[str, float, float]] = page.evaluate("() => window.interactions")
    assert seen, f"no interaction was observed in {state.to_text()}"
    name, longest, _ = max(seen, key=lambda each: each[1])
    return name, longest


def seq(page: Page) -> str | None:
    """The number of the last event that the page shows."""
    return page.locator(".game[data-seq]").get_attribute("data-seq")


def handle(page: Page) -> None:
    """Take what can be taken from the hand, carry it over the board, turn it, and put it back."""
    pieces = page.locator(".hand-part :is(.tray, .rack) button:enabled:not(.idle)")
    if pieces.count():
        pieces.last.click()
    box = page.locator(".board-part .fit").bounding_box()
    assert box is not None
    for step in range(1, 9):
        page.mouse.move(box["x"] + box["width"] * step / 9, box["y"] + box["height"] * step / 9)
        page.evaluate(AFTER_FRAMES)
    for key in ("r", "f", "ArrowLeft", "ArrowUp", "Escape"):
        page.keyboard.press(key)
        page.evaluate(AFTER_FRAMES)
    chosen = page.locator(".hand-part .rack button.chosen")  # Escape on the rack puts nothing back
    if chosen.count():
        chosen.click()


def move(
    page: Page, play: Callable[[Page, Callable[[], list[str]]], None], legal: Callable[[], list[str]]
) -> bool:
    """Make a move by clicking, and wait for the answer; False if there is nothing more to play."""
    before = seq(page)
    try:
        play(page, legal)
        page.wait_for_function(
            "before => document.querySelector('.game[data-seq]')?.dataset.seq !== before", arg=before
        )
    except PlaywrightError:
        return False
    take_device(page)
    return page.locator('.game[data-active="true"]').count() > 0


def take_device(page: Page) -> None:
    """Uncover the board, if it is covered until the next player has the device."""
    ready = page.get_by_role("button", name="I am ", exact=False)
    if ready.count():
        ready.first.click()
