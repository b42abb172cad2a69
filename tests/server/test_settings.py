"""The settings of a server from the environment."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tripot.game import TripotError
from tripot.server.settings import RENAMED_VARIABLES, Settings, unknown_variables


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


@pytest.mark.parametrize(
    ("variable", "value"), [("BOT_THREADS", "0"), ("BOT_SECONDS", "nan"), ("DATABASE_TIMEOUT", "-1")]
)
def test_a_number_out_of_range_is_an_error_that_names_the_variable(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"TRIPOT_{variable}", value)
    with pytest.raises(TripotError, match=f"TRIPOT_{variable} must be"):
        Settings.from_env()


@pytest.mark.parametrize("variable", ["TRUSTED_PROXIES", "METRICS_ADDRESSES"])
@pytest.mark.parametrize(
    ("value", "remedy"),
    [
        ("*", "write addresses such as"),
        ("127.0.0.1 localhost", "'localhost'.* write addresses such as"),
        ("127.0.0.1,::1", "separated by spaces"),
        ("10.0.0.1/8", "write 10.0.0.1 or 10.0.0.0/8"),
    ],
)
def test_what_is_no_network_is_an_error_with_a_remedy(
    variable: str, value: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bad proxies ended with a traceback, and bad addresses of the metrics were ignored."""
    monkeypatch.setenv(f"TRIPOT_{variable}", value)
    with pytest.raises(TripotError, match=f"^TRIPOT_{variable} has .*{remedy}"):
        Settings.from_env()
    monkeypatch.setenv(f"TRIPOT_{variable}", "10.0.0.0/8 10.1.2.3 ::1 2001:db8::/32")
    assert Settings.from_env()


def test_the_key_file_is_made_once_and_never_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty key file, anybody could sign cookies."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path))
    key = Settings().signing_key
    assert len(key) == 64
    assert Settings().signing_key == key
    file = tmp_path / "key"
    assert file.stat().st_mode & 0o777 == 0o600
    file.write_text(" \n", encoding="ascii")
    with pytest.raises(TripotError, match="is empty"):
        Settings().signing_key  # noqa: B018 - reading it is the test
    file.write_bytes(b"\xff" * 64)
    with pytest.raises(TripotError, match="is not ASCII text: restore it, or delete it"):
        Settings().signing_key  # noqa: B018 - reading it is the test
    file.unlink()
    file.mkdir()
    with pytest.raises(TripotError, match="cannot be read"):
        Settings().signing_key  # noqa: B018 - reading it is the test


def test_a_key_that_can_be_guessed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key of one character was accepted, so anybody could have signed cookies of others."""
    monkeypatch.setenv("TRIPOT_HOME", str(tmp_path))
    with pytest.raises(TripotError, match=r"TRIPOT_SECRET_KEY has fewer than 16 characters.*: set a random"):
        Settings(secret_key="a" * 15).signing_key  # noqa: B018 - reading it is the test
    assert Settings(secret_key="a" * 16).signing_key == "a" * 16
    (tmp_path / "key").write_text("a", encoding="ascii")
    with pytest.raises(
        TripotError, match=r"the key in the file .* has fewer than 16 characters.*: restore it, or delete it"
    ):
        Settings().signing_key  # noqa: B018 - reading it is the test


@pytest.mark.parametrize(
    ("variable", "good", "bad"),
    [
        (
            "ALLOWED_ORIGINS",
            "https://club.example http://127.0.0.1:8000 http://[::1]:80",
            ["example.com", "http://[", "https://club.example/", "https://Club.example", "*", "null"],
        ),
        (
            "ALLOWED_HOSTS",
            "Games.example games.example.:8000 127.0.0.1 [::1]:80 localhost",
            ["http://a/b", "a/b", "*", "a,b", "games.example:port"],
        ),
    ],
)
def test_what_is_no_host_or_origin_is_an_error_with_a_remedy(
    variable: str, good: str, bad: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were accepted, and had no effect."""
    monkeypatch.setenv(f"TRIPOT_{variable}", good)
    assert Settings.from_env()
    for value in bad:
        monkeypatch.setenv(f"TRIPOT_{variable}", f"{good} {value}")
        with pytest.raises(TripotError) as refused:
            Settings.from_env()
        assert str(refused.value).startswith(f"TRIPOT_{variable} has {value!r}, which is no")
        assert "write" in str(refused.value)


def test_a_variable_that_is_no_setting_is_found_with_the_one_that_is_meant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """TRIPOT_ALLOWED_HOST was ignored without a word, and the server answered for any host."""
    for name in ("ALLOWED_HOST", "NONSENSE", "TEST_POSTGRES", "HOME", "SEED"):
        monkeypatch.setenv(f"TRIPOT_{name}", "x")
    assert unknown_variables() == {"TRIPOT_ALLOWED_HOST": "TRIPOT_ALLOWED_HOSTS", "TRIPOT_NONSENSE": ""}
