"""The settings of a server from the environment."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tripot.game import TripotError
from tripot.server.settings import RENAMED_VARIABLES, Settings


def test_given_settings_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIPOT_BOT_THREADS", "7")
    assert Settings.from_env().bot_threads == 7
    assert Settings.from_env(bot_threads=3).bot_threads == 3
    assert Settings.from_env(bot_threads=None).bot_threads == 7


@pytest.mark.parametrize(("old", "new"), RENAMED_VARIABLES.items())
def test_a_renamed_variable_is_an_error_that_names_the_new_one(
    old: str, new: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert new in {f"TRIPOT_{field.name.upper()}" for field in fields(Settings)}
    monkeypatch.setenv(old, "1")
    with pytest.raises(TripotError, match=f"{old} is called {new} now"):
        Settings.from_env()
