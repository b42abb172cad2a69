"""A whole game of each kind against the computer, from its form, by clicking on its board."""

from __future__ import annotations

import pytest
from tests.e2e.page_user import NewUser, SaveScreenshot

import tripot

LONGEST = 400  # moves of one user; a game that goes on longer is stuck


@pytest.mark.parametrize("game_key", [game.key for game in tripot.list_games()])
def test_a_whole_game_against_the_computer_can_be_clicked(
    game_key: str, new_user: NewUser, save_screenshot: SaveScreenshot
) -> None:
    ann = new_user()
    ann.open_by_form(game_key)
    for number in range(LONGEST):
        if not ann.await_turn():
            break
        if number == 5:
            save_screenshot(ann.page, f"game-{game_key}-1440")
        ann.move()
    else:
        pytest.fail("the game did not end")
    ann.close_end()
    ann.button("Rematch").wait_for()
    save_screenshot(ann.page, f"over-{game_key}-1440")
