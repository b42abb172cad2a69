"""Everything needed to play is on the screen at once, in every game and at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.e2e.page_user import LEVEL, NewUser, PageUser, SaveScreenshot, resize

import tripot

PHONES = [(360, 740), (390, 844), (844, 390)]
TABLETS = [(768, 1024)]
DESKS = [(1024, 768), (1366, 768), (1440, 900), (2560, 1440)]
LEAST_TARGET = 44  # px of what a finger has to hit
GAME_KEYS = [game.key for game in tripot.list_games()]
CASES = [
    pytest.param(game_key, options, id=f"{game_key}-{name}")
    for game_key in GAME_KEYS
    for name, options in PageUser.game_helpers(game_key).VARIANTS.items()
]

# The page measures its parts and follows one or two frames later: faults count once they stay.
FAULTS = """async ([scrolls, least]) => {
  const FRAMES = 40;
  let found;
  for (let frame = 0; frame < FRAMES; frame++) {
    await new Promise(requestAnimationFrame);
    found = faults();
    if (!found.length) break;
  }
  return found;

  function faults() {
    const said = [];
    const parts = Object.entries({ board: ".board-part .fit", hand: ".hand-part", sentence: ".game > .status",
      actions: ".game .bar .buttons" })
      .map(([name, selector]) => ({ name, element: document.querySelector(selector) }));
    const text = ({ left, top, right, bottom }) => [left, top, right, bottom].map(Math.round).join(" ");
    const isInside = ({ left, top, right, bottom }) =>
      left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
    for (const part of parts) {
      part.box = part.element.getBoundingClientRect();
      if (!part.box.width || !part.box.height) said.push(`${part.name} is not to be seen`);
      if (!isInside(part.box)) said.push(`${part.name} leaves the window: ${text(part.box)}`);
      if (part.name !== "board" && part.element.scrollHeight > part.element.clientHeight + 1)
        said.push(`${part.name} is cut: ${part.element.scrollHeight} of ${part.element.clientHeight}`);
    }
    parts.forEach((one, at) => parts.slice(at + 1).forEach((two) => {
      const [a, b] = [one.box, two.box];
      if (a.left < b.right - 0.5 && b.left < a.right - 0.5
          && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)
        said.push(`${one.name} and ${two.name} overlap: ${text(a)} and ${text(b)}`);
    }));
    for (const button of document.querySelectorAll(".hand-part button, .game .bar button")) {
      const box = button.getBoundingClientRect();
      const name = button.ariaLabel || button.innerText;
      if (!isInside(box)) said.push(`${name} leaves the window: ${text(box)}`);
      if (Math.min(box.width, box.height) < least - 0.5)
        said.push(`${name} is small: ${box.width} by ${box.height}`);
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (top !== button && !button.contains(top))
        said.push(`${name} is covered by ${top?.outerHTML.slice(0, 80)}`);
    }
    const side = document.querySelector(".game > .side").getBoundingClientRect();
    const isRoomy = !scrolls && !document.querySelector(".with-tutorial"); // else the panel scrolls
    for (const selector of isRoomy ? [".details", ".record .steps"] : []) {
      const { top, bottom } = document.querySelector(selector).getBoundingClientRect();
      if (bottom - top < 40 || bottom > side.bottom + 0.5)
        said.push(`${selector} is cut: ${top} to ${bottom} of ${side.bottom}`);
    }
    const page = document.documentElement;
    if (page.scrollWidth > innerWidth) said.push(`the page is ${page.scrollWidth} wide`);
    if (!scrolls && page.scrollHeight > innerHeight) said.push(`the page is ${page.scrollHeight} high`);
    return said;
  }
}"""


def faults(page: Page, width: int, height: int) -> list[str]:
    """What does not fit; on phones and upright tablets players and moves may be below the first screen."""
    resize(page, width, height)
    scrolls = (width, height) not in DESKS
    violations: list[str] = page.evaluate(FAULTS, [scrolls, LEAST_TARGET if scrolls else 0])
    return [f"{width}x{height}: {each}" for each in violations]


@pytest.mark.parametrize(("game_key", "options"), CASES)
def test_all_that_is_needed_to_play_fits_every_screen(
    game_key: str, options: dict[str, str], new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    """Once a phone on its side showed 334 of 548 pixels of a board, or a rack without its buttons."""
    ann = new_user(*DESKS[0], has_touch=True)
    page = ann.sit(game_key, seats=int(options["players"]), options=options)
    violations: list[str] = []
    for size in (*DESKS, *TABLETS, *PHONES):
        violations += faults(page, *size)
        save_screenshot(page, f"fits-{game_key}-{'-'.join(options.values())}-{size[0]}")
    assert violations == []


@pytest.mark.parametrize("game_key", GAME_KEYS)
def test_all_fits_with_the_first_steps_too(game_key: str, new_user: NewUser) -> None:
    ann = new_user(*DESKS[0], has_touch=True)
    players = max(2, tripot.get_game(game_key).Options().players)
    ann.open_by_api(
        game_key=game_key,
        options={"players": str(players)},
        seats=[{"kind": "me"}, *[{"kind": "bot", "level": LEVEL}] * (players - 1)],
        position=getattr(ann.game_helpers(game_key), "QUIET_POSITION", ""),
        tutorial=True,
    )
    ann.page.get_by_role("region", name="First steps").wait_for()
    assert ann.await_turn()
    sizes = (DESKS[0], DESKS[1], *TABLETS, *PHONES)
    violations = [fault for size in sizes for fault in faults(ann.page, *size)]
    assert violations == []
