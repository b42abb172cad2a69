"""Which database a test of the server runs on.

The fixture `shared_server` uses SQLite, and in `make soak` PostgreSQL too. Tests whose subject is storage run
on both databases every time: at least one for each statement of `tripot.server.storage`.
"""

from __future__ import annotations

import pytest

import tripot

KEYS = [game.key for game in tripot.list_games()]
POSTGRES_KEY = "triolet"  # a game with hidden information and chance: its rows exercise all of storage

SQLITE_FIRST = ["sqlite", pytest.param("postgres", marks=pytest.mark.soak)]
BOTH_DATABASES = pytest.mark.parametrize("shared_server", ["sqlite", "postgres"], indirect=True)
EVERY_GAME = pytest.mark.parametrize(
    ("shared_server", "key"),
    [
        pytest.param(
            database,
            key,
            id=f"{database}-{key}",
            marks=[pytest.mark.soak] if database == "postgres" and key != POSTGRES_KEY else [],
        )
        for database in ("sqlite", "postgres")
        for key in KEYS
    ],
    indirect=["shared_server"],
)
