"""What a newcomer does first, in every game, by finger and by keyboard, in both languages.

Home, the first steps, a move, a hint, something that is refused, taking back, the end, and the review.
"""

from __future__ import annotations

import re

import pytest
from tests.e2e.page_user import LEVEL, OVER, TABLE, THINKING, NewUser, PageUser, SaveScreenshot, await_change

import tripot

GAME_KEYS = [game.key for game in tripot.list_games()]
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
DESK = {"width": 1366, "height": 768}
WORDS = {
    "en": {
        "play": "Play the computer",
        "not now": "Not now",
        "hint": "Hint",
        "seen": "It cannot be taken back: chance has acted",
        "back": "Take back",
        "more": "More",
        "resign": "Resign",
        "resigned": "You resigned.",
        "computer": "Computer",
        "analyse": "Analyse",
        "one back": "One move back",
    },
    "fr": {
        "play": "Contre l'ordinateur",
        "not now": "Pas maintenant",
        "hint": "Conseil",
        "seen": "Ce coup ne se reprend pas : depuis",
        "back": "Reprendre",
        "more": "Plus",
        "resign": "Abandonner",
        "resigned": "Vous avez abandonné.",
        "computer": "Ordinateur",
        "analyse": "Analyser",
        "one back": "Un coup en arrière",
    },
}


class Newcomer:
    """A user who does everything by finger, or everything by key."""

    def __init__(self, user: PageUser, language: str, *, touches: bool) -> None:
        self.user, self.page, self.words, self.touches = user, user.page, WORDS[language], touches
        self.helpers = user.game_helpers(user.game_key)

    def press(self, name: str, inside: str = "body") -> None:
        """Press a button by its name, once it is enabled."""
        button = self.page.locator(inside).get_by_role("button", name=self.words[name], exact=True)
        if self.touches:
            button.tap()
        else:
            button.press("Enter")

    def start(self) -> None:
        """One press on the home screen begins a game; the first steps are left."""
        page = self.page
        page.goto("#/")
        name = f"{self.words['play']} {tripot.get_game(self.user.game_key).title}"
        main = page.get_by_role("button", name=name, exact=True)
        main.wait_for()
        if self.touches:
            main.tap()
        else:
            at = GAME_KEYS.index(self.user.game_key) + 1
            self.user.press_until("Tab", f".grid article:nth-of-type({at}) button.main")
            page.keyboard.press("Enter")
        self.user.see(TABLE)
        self.press("not now")

    def move(self) -> None:
        """Play a move, and wait until it is this user's turn again."""
        before = self.user.seq()
        if self.touches:
            self.helpers.move(self.page, self.user.legal)
        else:
            self.helpers.move_by_key(self.user)
        self.user.await_event(before)
        assert self.user.await_turn()

    def ask_for_a_hint(self) -> None:
        if self.touches:
            self.press("hint")
        else:
            self.page.keyboard.press("h")
        self.page.locator(".candidates .why").wait_for(timeout=THINKING)

    def be_refused(self) -> None:
        """What may not be is refused in words, with its clause."""
        if self.touches:
            self.helpers.refuse(self.user)
        elif not hasattr(self.helpers, "refuse_by_key"):
            return  # the keys lead only to what may be
        else:
            self.helpers.refuse_by_key(self.user)
        clause = re.compile(r"\bT[A-Z]-[0-9]+")
        self.page.locator(".toast, .status-text .wrong", has_text=clause).first.wait_for()
        self.page.keyboard.press("Escape")

    def take_back(self) -> None:
        """Take the last move back, or read why that is not possible any more."""
        before, is_possible = self.user.seq(), self.user.server_state()["state"]["can_undo"]
        if self.touches:
            self.press("back")
        else:
            self.page.keyboard.press("u")
        if is_possible:
            self.user.await_event(before)
        else:
            self.page.get_by_role("alert").get_by_text(self.words["seen"]).wait_for()
        assert self.user.await_turn()

    def finish(self) -> None:
        """Resign, in a game of two sides, and read who has won and why."""
        if len({*self.user.server_state()["state"]["teams"]}) > 2:
            self.user.open_by_api(
                game_key=self.user.game_key,
                options={"players": "2"},
                seats=[{"kind": "me"}, {"kind": "bot", "level": LEVEL}],
            )
            assert self.user.await_turn()
            self.move()
        self.press("more")
        self.press("resign", "dialog")
        self.press("resign", "dialog .ends")
        end = self.page.locator("dialog.end")
        end.get_by_role("heading", name=self.words["computer"]).wait_for()
        end.get_by_text(self.words["resigned"]).wait_for()
        assert self.page.locator(OVER).count() == 1

    def review(self) -> None:
        """The analysis is complete, and the moves can be gone through."""
        self.press("analyse", "dialog.end")
        self.page.locator(".review:not(:has(progress))").wait_for(timeout=THINKING)
        count = self.page.locator(".move-list .count")
        last = count.inner_text()
        assert re.fullmatch(r"(\d+) / \1", last)
        self.press("one back")
        await_change(self.page, "was => document.querySelector('.move-list .count').innerText !== was", last)


@pytest.mark.parametrize("way", ["touch", "keys"])
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("game_key", GAME_KEYS)
def test_a_first_game(
    game_key: str, language: str, way: str, new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    device = PHONE if way == "touch" else DESK
    user = new_user(**device, locale={"en": "en-GB", "fr": "fr-FR"}[language])
    user.game_key = game_key
    newcomer = Newcomer(user, language, touches=way == "touch")
    newcomer.start()
    assert user.await_turn()
    newcomer.ask_for_a_hint()
    newcomer.be_refused()
    newcomer.move()
    newcomer.take_back()
    newcomer.move()
    save_screenshot(user.page, f"newcomer-{game_key}-{language}-{way}")
    newcomer.finish()
    newcomer.review()
