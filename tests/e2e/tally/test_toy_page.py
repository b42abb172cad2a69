"""The toy game is added to the page as `docs/adding-a-game.md` says: one folder with its board."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bench._server_process import HANG, Server
from tests.e2e.conftest import REPRODUCIBLE
from tests.e2e.page_user import ROOT, NewUser
from tests.e2e.tally.game_helpers import VARIANTS
from tests.e2e.test_size_matrix import DESKS, PHONES, TABLETS, faults
from tests.shared_server import RunningServer, shared_by_workers

WEB = ROOT / "web"
TOY_BOARD = ROOT / "tests" / "toy_page" / "tally"
TOY_SERVER = ROOT / "tests" / "e2e" / "toy_server.py"
LONGEST = 20  # moves of one user


def copy_page(folder: Path) -> Path:
    """Copy the sources of the page, with the board of the toy game, and return their folder."""
    web = folder / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    (web / "node_modules").symlink_to(WEB / "node_modules")
    (folder / "src").symlink_to(ROOT / "src")  # a board may read the data of its game
    shutil.copytree(TOY_BOARD, web / "src" / "games" / "tally")
    return web


def run_npm(web: Path, *arguments: str) -> None:
    """Run npm in a copy of the page."""
    command = [sys.executable, str(web / "npm.py"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANG, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def running_toy_server(home: Path) -> Iterator[Server]:
    """A server with the toy game and a page that was built with its board."""
    page = home / "page"
    run_npm(copy_page(home), "run", "build", "--", "--outDir", str(page))
    # Another folder of games would compile every kernel again; the toy game needs none of them.
    server = Server(home, program=(str(TOY_SERVER), str(page)), NUMBA_DISABLE_JIT="1", **REPRODUCIBLE)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def toy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    if not (WEB / "node_modules").is_dir():
        pytest.skip("the packages that build the page are not installed: `make page` does it")
    with shared_by_workers(tmp_path_factory, "toy-page", running_toy_server) as running:
        yield running


def test_a_whole_game_of_the_toy_can_be_clicked(new_user: NewUser, toy_server: RunningServer) -> None:
    ann = new_user(base_url=toy_server.url)
    ann.page.goto("#/")
    ann.page.locator(".card", has_text="Tally").locator(".heap").wait_for()
    ann.open_by_form("tally")
    for _ in range(LONGEST):
        if not ann.await_turn():
            break
        ann.move()
    else:
        pytest.fail("the game did not end")
    ann.close_end()
    ann.button("Rematch").wait_for()
    assert ann.page.get_by_text("The heap is gone.").count()
    assert not ann.page.get_by_text("the cards are dealt").count(), "what chance did is folded away"
    ann.page.get_by_label("Show what chance did").check()
    ann.page.get_by_text("the cards are dealt").wait_for()


def test_a_game_in_english_only_takes_no_language_from_the_others(
    new_user: NewUser, toy_server: RunningServer
) -> None:
    """French was offered only if every game had it."""
    ann = new_user(base_url=toy_server.url, locale="fr-FR")
    ann.page.goto("#/")
    ann.page.locator(".card", has_text="Tally").get_by_text("secret card").wait_for()
    assert ann.page.locator("html").get_attribute("lang") == "fr"
    others = ann.page.locator(".card").filter(has_not_text="Tally")
    ann.page.wait_for_function("() => document.querySelectorAll('.card p').length >= 5")
    words = " ".join(others.all_inner_texts())
    assert re.search(r"\b(les|des|une|vous)\b", words), words
    assert not re.search(r"\bthe\b", words, re.IGNORECASE), words
    ann.sit("tally")
    assert ann.page.get_by_role("button", name="Take 3", exact=True).count(), "the board speaks English"
    assert ann.page.get_by_text("Take one to three of the 5.").count(), "and so do the rules"


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_board_of_the_toy_fits_every_screen(
    new_user: NewUser, toy_server: RunningServer, variant: str
) -> None:
    """The smallest complete board had no frame, so its buttons were not placed like those of other games."""
    ann = new_user(*DESKS[0], has_touch=True, base_url=toy_server.url)
    page = ann.sit("tally", options=VARIANTS[variant])
    assert [fault for size in (*DESKS, *TABLETS, *PHONES) for fault in faults(page, *size)] == []


@pytest.mark.soak
def test_the_board_of_the_toy_passes_the_checks_of_the_page(tmp_path: Path) -> None:
    web = copy_page(tmp_path)
    for script in ("check", "lint", "test"):
        run_npm(web, "run", script)
